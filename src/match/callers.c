#include "match/callers.h"

#include "base/memory.h"
#include "model/batch.h"

#include <stdlib.h>

/* By communicator; those of one in the order of their first ones inside. */
static int callers_order(const void *a, const void *b)
{
    const struct prvcut_caller *x = a, *y = b;

    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->nonblocking != y->nonblocking)
        return x->nonblocking ? 1 : -1;
    if (x->taking.before != y->taking.before)
        return x->taking.before < y->taking.before ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static bool callers_together(const struct prvcut_caller *a, const struct prvcut_caller *b)
{
    return a->application == b->application && a->communicator == b->communicator &&
           a->nonblocking == b->nonblocking;
}

enum prvcut_status prvcut_callers_judge(struct prvcut_caller *caller, size_t count,
                                        prvcut_callers_known *known, const void *ctx,
                                        uint64_t *split, struct prvcut_error *err)
{
    struct prvcut_taking *taking = prvcut_unset(count + 1, sizeof *taking, "collectives", err);

    *split = 0;
    if (!taking)
        return PRVCUT_ENOMEM;
    if (count > 0)
        qsort(caller, count, sizeof *caller, callers_order);
    for (size_t i = 0, n; i < count; i += n) {
        struct prvcut_whole whole = PRVCUT_ALL_WHOLE;
        bool absent = false;

        for (n = 0; i + n < count && callers_together(&caller[i], &caller[i + n]); n++)
            taking[n] = caller[i + n].taking;
        if (known(ctx, &caller[i], n, &absent)) {
            taking[n] = (struct prvcut_taking){ 0 };
            *split += prvcut_all_inside(taking, n + absent, &whole);
        }
        for (size_t k = i; k < i + n; k++)
            *caller[k].whole = whole;
    }
    free(taking);
    return PRVCUT_OK;
}

static bool callers_is_member(const struct prvcut_objects *o, const struct prvcut_communicator *m,
                              uint32_t task)
{
    const uint32_t *member = o->member + m->first, guess = task - member[0];

    /* Most list tasks that follow each other. */
    if (guess < m->count && member[guess] == task)
        return true;
    for (uint32_t i = 0; i < m->count; i++)
        if (member[i] == task)
            return true;
    return false;
}

bool prvcut_callers_are_tasks(const void *objects, const struct prvcut_caller *caller, size_t count,
                              bool *absent)
{
    const struct prvcut_objects *o = objects;
    const struct prvcut_communicator *m =
        prvcut_objects_communicator(o, caller->application, caller->communicator);
    bool known = m && m->count > 1;

    (void)absent;
    for (size_t i = 0; i < count && known; i++)
        known = callers_is_member(o, m, caller[i].member);
    return known;
}
