#include "match/rooted.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/batch.h"

#include <stdlib.h>

static int rooted_by_member(const void *a, const void *b)
{
    const struct prvcut_rooted_member *x = a, *y = b;

    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static int rooted_by_place(const void *a, const void *b)
{
    const struct prvcut_rooted_run *x = a, *y = b;

    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

enum prvcut_status prvcut_rooted_init(struct prvcut_rooted *r, const struct prvcut_objects *o,
                                      struct prvcut_error *err)
{
    r->objects = o;
    r->member = prvcut_zeroed((size_t)o->members + 1, sizeof *r->member, "communicators", err);
    r->last = prvcut_zeroed((size_t)o->communicators + 1, sizeof *r->last, "communicators", err);
    r->unknown =
        prvcut_zeroed((size_t)o->communicators + 1, sizeof *r->unknown, "communicators", err);
    if (!r->member || !r->last || !r->unknown)
        return PRVCUT_ENOMEM;
    for (uint32_t c = 0; c < o->communicators; c++) {
        const struct prvcut_communicator *k = &o->communicator[c];

        for (uint32_t m = k->first; m < k->first + k->count; m++)
            r->member[r->members++] = (struct prvcut_rooted_member){
                .application = k->application, .id = k->id, .communicator = c, .task = o->member[m]
            };
    }
    qsort(r->member, r->members, sizeof *r->member, rooted_by_member);
    return PRVCUT_OK;
}

void prvcut_rooted_fini(struct prvcut_rooted *r)
{
    free(r->member);
    free(r->run);
    free(r->last);
    free(r->unknown);
    *r = (struct prvcut_rooted){ 0 };
}

struct prvcut_rooted_member *prvcut_rooted_member(const struct prvcut_rooted *r, uint32_t thread,
                                                  int64_t id)
{
    struct prvcut_rooted_member like = { .task = r->objects->thread_task[thread] };
    size_t at;

    if (id < 0 || id > UINT32_MAX)
        return NULL;
    like.id = (uint32_t)id;
    like.application = prvcut_objects_application(r->objects, like.task);
    at = prvcut_index_by(&like, r->member, r->members, sizeof like, rooted_by_member);
    return at < r->members ? &r->member[at] : NULL;
}

static enum prvcut_status rooted_add_run(struct prvcut_rooted *r,
                                         const struct prvcut_rooted_member *m,
                                         struct prvcut_error *err)
{
    size_t *last = &r->last[m->communicator];
    enum prvcut_status st;

    if (*last > 0) {
        struct prvcut_rooted_run *run = &r->run[*last - 1];

        if (run->root == m->task && run->first + run->count == m->count) {
            run->count++;
            return PRVCUT_OK;
        }
    }
    st = prvcut_grow((void **)&r->run, &r->run_room, r->runs + 1, sizeof *r->run, err);
    if (st < 0)
        return st;
    r->run[r->runs++] = (struct prvcut_rooted_run){
        .communicator = m->communicator, .root = m->task, .first = m->count, .count = 1
    };
    *last = r->runs;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_rooted_add(struct prvcut_rooted *r, struct prvcut_rooted_member *m,
                                     bool root, struct prvcut_error *err)
{
    const enum prvcut_status st = root ? rooted_add_run(r, m, err) : PRVCUT_OK;

    m->count++;
    return st;
}

static void rooted_compare_members(struct prvcut_rooted *r)
{
    for (size_t i = 1; i < r->members; i++)
        if (r->member[i].communicator == r->member[i - 1].communicator &&
            r->member[i].count != r->member[i - 1].count)
            r->unknown[r->member[i].communicator] = true;
    for (size_t i = 1; i < r->runs; i++)
        if (r->run[i].communicator == r->run[i - 1].communicator &&
            r->run[i].first < r->run[i - 1].first + r->run[i - 1].count)
            r->unknown[r->run[i].communicator] = true;
}

void prvcut_rooted_settle(struct prvcut_rooted *r)
{
    if (r->runs > 0)
        qsort(r->run, r->runs, sizeof *r->run, rooted_by_place);
    rooted_compare_members(r);
}

struct rooted_sought {
    const struct prvcut_rooted_run *run;
    uint32_t communicator;
    uint64_t k;
};

/* Does a run end behind the communicator's k-th collective? */
static bool rooted_ends_behind(const void *ctx, size_t i)
{
    const struct rooted_sought *s = ctx;
    const struct prvcut_rooted_run *run = &s->run[i];

    return run->communicator > s->communicator ||
           (run->communicator == s->communicator && run->first + run->count > s->k);
}

/* The run that holds a communicator's k-th rooted collective; NULL: none. */
static const struct prvcut_rooted_run *rooted_run_of(const struct prvcut_rooted *r,
                                                     uint32_t communicator, uint64_t k)
{
    const struct rooted_sought s = { r->run, communicator, k };
    const size_t low = prvcut_first(0, r->runs, rooted_ends_behind, &s);

    if (low == r->runs || r->run[low].communicator != communicator || r->run[low].first > k)
        return NULL;
    return &r->run[low];
}

uint32_t prvcut_rooted_root(const struct prvcut_rooted *r, uint32_t communicator, uint64_t k)
{
    const struct prvcut_rooted_run *run =
        r->unknown[communicator] ? NULL : rooted_run_of(r, communicator, k);

    return run ? run->root : PRVCUT_NOBODY;
}
