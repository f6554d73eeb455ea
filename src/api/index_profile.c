#include "api/index.h"

#include "analysis/profile/profile_keep.h"
#include "api/profile_stretches.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* How long calls are is kept of no more stretches than it is told of. */
#define BINNED_MOST 64

/* The whole run, its regions, its iterations. */
struct ipf_stretches {
    struct prvcut_proof_region *at; /* [count]; owned */
    size_t count, regions;          /* regions: with the whole run */
    struct api_stretches by_region, by_iteration;
};

static void ipf_fini(struct ipf_stretches *s)
{
    free(s->at);
    api_stretches_fini(&s->by_region);
    api_stretches_fini(&s->by_iteration);
}

/* So many that leave threads told apart. */
static size_t ipf_most(const struct job *j)
{
    return PRVCUT_PROFILE_APART / ((size_t)j->trace->objects.threads + 1);
}

/* No more than so many, or none: to lay the borders of iterations takes a reading. */
static enum prvcut_status ipf_list(const struct job *j, uint32_t by, size_t most,
                                   struct api_stretches *to, struct prvcut_error *err)
{
    const struct prvcut_profile_options o = { .size = sizeof o, .by = by };
    struct prvcut_error why = { .status = PRVCUT_OK };
    size_t count;
    enum prvcut_status st = api_stretches_count(&count, j, &o, &why);

    if (st == PRVCUT_OK && count > most)
        return PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = api_stretches_of(to, j, &o, &why);
    /* Iterations that cannot be told one by one are not kept. */
    if (st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT) {
        api_stretches_fini(to);
        return PRVCUT_OK;
    }
    if (st < 0 && err)
        *err = why;
    return st < 0 ? st : PRVCUT_OK;
}

static enum prvcut_status ipf_find(struct ipf_stretches *s, const struct job *j,
                                   struct prvcut_error *err)
{
    static const struct prvcut_proof_region whole = { .window = { .to = UINT64_MAX } };
    const size_t most = ipf_most(j);
    enum prvcut_status st = ipf_list(j, PRVCUT_PROFILE_BY_REGION, SIZE_MAX, &s->by_region, err);

    /* The first of each is the run, which is read once. */
    if (st == PRVCUT_OK && s->by_region.count <= most)
        st = ipf_list(j, PRVCUT_PROFILE_BY_ITERATION, most - s->by_region.count + 1,
                      &s->by_iteration, err);
    if (st < 0)
        return st;
    s->at = prvcut_zeroed(s->by_region.count + s->by_iteration.count + 1, sizeof *s->at,
                          "stretches of the run", err);
    if (!s->at)
        return PRVCUT_ENOMEM;
    s->at[s->count++] = whole;
    for (size_t i = 1; i < s->by_region.count; i++)
        s->at[s->count++] = s->by_region.at[i];
    s->regions = s->count;
    for (size_t i = 1; i < s->by_iteration.count; i++)
        s->at[s->count++] = s->by_iteration.at[i];
    return PRVCUT_OK;
}

/* Of as many stretches as leave threads told apart. */
static enum prvcut_status ipf_read(struct prvcut_profile_found *f, const struct job *j,
                                   const struct ipf_stretches *s, struct prvcut_error *err)
{
    const size_t most = ipf_most(j);
    const size_t count = s->count <= most ? s->count : s->regions <= most ? s->regions : 1;
    const struct prvcut_profile_asked asked = {
        .stretch = s->at,
        .stretches = count,
        .until = UINT64_MAX,
        .bins = true,
        .binned = count <= BINNED_MOST                               ? count
                  : s->regions <= BINNED_MOST && s->regions <= count ? s->regions
                                                                     : 1,
        .rest = true,
    };

    return prvcut_profile_read(f, j->trace, j->run, &asked, err);
}

enum prvcut_status index_put_profile(struct prvcut_put *p, const struct job *j,
                                     struct prvcut_error *err)
{
    struct ipf_stretches s = { .at = NULL };
    struct prvcut_profile_found f;
    enum prvcut_status st = ipf_find(&s, j, err);

    if (st == PRVCUT_OK) {
        st = ipf_read(&f, j, &s, err);
        if (st == PRVCUT_OK && f.apart) {
            const size_t all = f.cells.slots, some = s.regions < all ? s.regions : all;

            prvcut_profile_put(p, &f,
                               prvcut_profile_cells_of(&f, all) <= PRVCUT_PROFILE_KEPT    ? all
                               : prvcut_profile_cells_of(&f, some) <= PRVCUT_PROFILE_KEPT ? some
                                                                                          : 1);
        }
        prvcut_profile_found_fini(&f);
    }
    ipf_fini(&s);
    return st;
}

bool index_recall_profile(struct prvcut_profile_found *f, struct prvcut_trace *t,
                          const struct prvcut_profile_asked *asked)
{
    const struct prvcut_kept *kept = index_of(t);
    struct prvcut_get g = { .bad = false };
    char *bytes = NULL;
    bool there, done;

    if (!kept || !prvcut_kept_has(kept, "profile"))
        return false;
    if (!prvcut_kept_load(kept, "profile", &bytes, &g.left)) {
        index_give_up(t);
        return false;
    }
    g.at = bytes;
    there = g.left > 0;
    done = there && prvcut_profile_get(&g, f, t, asked);
    if (!done && there)
        prvcut_profile_found_fini(f);
    if (g.bad)
        index_give_up(t);
    free(bytes);
    return done;
}
