#include "analysis/patterns/ends.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void pat_ends_fini(struct pat_ends *e)
{
    free(e->border);
    *e = (struct pat_ends){ .border = NULL };
}

/* Where the structure's k-th iteration begins; its count: where the last one ends. */
static uint64_t end_border(const struct pat_given_loop *own, uint64_t k)
{
    return k < own->count ? own->first[k] : own->end[own->count - 1];
}

/* Which of the structure's borders is the next one to a place; not before `k`. */
static uint64_t end_next(const struct pat_given_loop *own, uint64_t k, uint64_t place)
{
    while (k < own->count && end_border(own, k + 1) <= place)
        k++;
    return k + (k < own->count && place > end_border(own, k) &&
                place - end_border(own, k) > end_border(own, k + 1) - place);
}

/* Is each border the one of the structure after that of the border before? first: the first one's.
 */
static bool end_one_by_one(const struct pat_tolerant *loop, const struct pat_given_loop *own,
                           uint64_t *first)
{
    *first = end_next(own, 0, loop->border[0]);
    for (uint64_t i = 1; i <= loop->count; i++)
        if (*first + i > own->count || end_next(own, *first + i - 1, loop->border[i]) != *first + i)
            return false;
    return true;
}

/* The structure's own borders, but those of the loop where it is. */
static enum prvcut_status end_join(struct pat_ends *out, const struct pat_tolerant *loop,
                                   const struct pat_given_loop *own, struct prvcut_error *err)
{
    uint64_t first = 0;

    if (own->count <= loop->count || !end_one_by_one(loop, own, &first))
        return PRVCUT_OK;
    free(out->border);
    out->border = prvcut_unset(own->count + 1, sizeof *out->border, "iterations", err);
    if (!out->border)
        return PRVCUT_ENOMEM;
    for (uint64_t k = 0; k <= own->count; k++)
        out->border[k] = end_border(own, k);
    memcpy(out->border + first, loop->border, (loop->count + 1) * sizeof *out->border);
    out->count = own->count;
    return PRVCUT_OK;
}

enum prvcut_status pat_ends_make(struct pat_ends *out, const struct pat_tolerant *loop,
                                 const struct pat_given *given, const struct pat_thread *t,
                                 struct prvcut_error *err)
{
    const size_t borders = (size_t)loop->count + 1;
    struct pat_given_loop own;
    enum prvcut_status st;

    *out = (struct pat_ends){ .count = loop->count };
    if (loop->count == 0)
        return PRVCUT_OK;
    out->border = prvcut_unset(borders, sizeof *out->border, "iterations", err);
    if (!out->border)
        return PRVCUT_ENOMEM;
    memcpy(out->border, loop->border, borders * sizeof *out->border);
    if (!given || !given->sure)
        return PRVCUT_OK;
    st = pat_given_loop_make(&own, given, t, err);
    if (st == PRVCUT_OK)
        st = end_join(out, loop, &own, err);
    pat_given_loop_fini(&own);
    return st;
}
