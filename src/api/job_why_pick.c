#include "api/job_why_pick.h"

#include "base/memory.h"
#include "structure/stretch.h"

#include <stdlib.h>

/* Threads, each in one iteration, that are looked at: of more, some iterations say what is usual.
 */
#define LOOKED_AT ((size_t)1 << 14)
/* Where the structure alone is wanted, so many say it: each costs time in the reading. */
#define SPREAD 32

/* Where an iteration begins; SIZE_MAX: none does. */
static size_t jwp_at_start(const struct job_kinds *k, uint64_t start)
{
    for (size_t i = 0; i < k->count; i++)
        if (*k->border[i] == start)
            return i;
    return SIZE_MAX;
}

size_t job_why_asked(const struct job *j, const struct made_chop *c, const struct job_planned *p)
{
    const struct made_structure *s = &j->out->structure;
    const struct job_kinds *k = j->kinds;

    if (c->is.kind == PRVCUT_CHOP_TYPICAL || c->is.iterations != 1 ||
        !prvcut_regions_share_loop(&s->region[c->is.region], &s->region[k->region]))
        return SIZE_MAX;
    return jwp_at_start(k, p->unusual ? p->outlier.span.start : p->lead_ns);
}

static bool jwp_has(const struct job_why_picks *w, size_t iteration)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i] == iteration)
            return true;
    return false;
}

static void jwp_add(struct job_why_picks *w, const struct job *j, size_t iteration)
{
    if (iteration < j->kinds->count && !jwp_has(w, iteration))
        w->at[w->count++] = iteration;
}

size_t job_why_asked_at(const struct job_why_picks *p, const struct job *j, uint64_t start)
{
    for (size_t i = 0; i < p->asked; i++)
        if (*j->kinds->border[p->at[i]] == start)
            return p->at[i];
    return SIZE_MAX;
}

struct made_region *job_why_region(const struct job *j, size_t region)
{
    struct made_structure *s = &j->out->structure;

    return (!j->options || j->options->report) &&
                   prvcut_regions_share_loop(&s->region[region], &s->region[j->kinds->region])
               ? &s->region[region]
               : NULL;
}

/* The unusual iterations of the loop that are longer than others, furthest first, as far as few
   are asked for. */
static void jwp_add_longest(struct job_why_picks *w, const struct job *j)
{
    while (w->count < j->wish.causes) {
        const struct prvcut_outlier *far = NULL;
        size_t at = SIZE_MAX;

        for (size_t i = 0; i < j->out->structure.is.regions; i++) {
            const struct made_region *r = job_why_region(j, i);

            for (size_t n = 0; r && n < r->is.outliers; n++) {
                const struct prvcut_outlier *o = &r->outlier[n];
                const size_t k = jwp_at_start(j->kinds, o->span.start);

                if (k == SIZE_MAX || o->deviation <= (far ? far->deviation : 0) || jwp_has(w, k))
                    continue;
                far = o;
                at = k;
            }
        }
        if (!far)
            return;
        jwp_add(w, j, at);
    }
}

/* All unusual iterations of the loop. */
static void jwp_add_unusual(struct job_why_picks *w, const struct job *j)
{
    for (size_t i = 0; i < j->out->structure.is.regions; i++) {
        const struct made_region *r = job_why_region(j, i);

        for (size_t n = 0; r && n < r->is.outliers; n++)
            jwp_add(w, j, jwp_at_start(j->kinds, r->outlier[n].span.start));
    }
}

/* Others, spread evenly: what is usual. */
static void jwp_add_spread(struct job_why_picks *w, const struct job *j)
{
    const size_t room = LOOKED_AT / ((size_t)j->trace->objects.threads + 1) + 1;
    const size_t most = !j->options && room > SPREAD ? SPREAD : room;
    const size_t step = j->kinds->count / most + 1, before = w->count;

    for (size_t i = 0; i < j->kinds->count; i += step) {
        bool is = false;

        for (size_t m = 0; m < before; m++)
            is = is || w->at[m] == i;
        if (!is)
            w->at[w->count++] = i;
    }
}

enum prvcut_status job_why_pick(struct job_why_picks *w, const struct job *j,
                                const struct job_plan *plan, struct prvcut_error *err)
{
    *w = (struct job_why_picks){ .count = 0 };
    w->at = prvcut_unset(j->kinds->count + 1, sizeof *w->at, "iterations", err);
    if (!w->at)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && i < j->out->is.chops; i++)
        jwp_add(w, j, job_why_asked(j, &j->out->chop[i], &plan->at[i]));
    if (j->options)
        jwp_add_unusual(w, j);
    else
        jwp_add_longest(w, j);
    w->asked = w->count;
    for (size_t i = 0; i < w->asked; i++) {
        jwp_add(w, j, w->at[i] + 1);
        if (w->at[i] > 0)
            jwp_add(w, j, w->at[i] - 1);
    }
    /* The page shows all that there is room for. */
    if (w->asked > 0 || (j->options && j->options->report))
        jwp_add_spread(w, j);
    return PRVCUT_OK;
}

void job_why_picks_fini(struct job_why_picks *w)
{
    free(w->at);
}
