#include "model/nesting.h"

#include "base/buffer.h"
#include "base/search.h"

#include <string.h>

/* Deeper nesting of one type than this is values that follow each other without an end. */
#define SAME_MOST  512
#define DEPTH_MOST 4096

void prvcut_nesting_start(struct prvcut_nesting *n, uint32_t thread)
{
    n->thread = thread;
    n->depth = n->mpi = 0;
}

struct prvcut_nested_type *prvcut_nesting_type(struct prvcut_nesting *n, uint32_t type)
{
    struct prvcut_nested_type *t = n->format->type(n->writer, type);

    if (t->thread != n->thread)
        *t = (struct prvcut_nested_type){ .thread = n->thread };
    return t;
}

/* Take the innermost one out. */
static enum prvcut_status nesting_pop(struct prvcut_nesting *n, uint64_t time, bool implicit,
                                      struct prvcut_error *err)
{
    struct prvcut_nested *r = &n->at[n->depth - 1];
    const enum prvcut_status st = n->format->leave(n->writer, time, r, implicit, err);

    n->depth--;
    n->mpi -= r->mpi;
    prvcut_nesting_type(n, r->type)->open--;
    return st;
}

/* The region at index k ends. */
static enum prvcut_status nesting_take(struct prvcut_nesting *n, size_t k, uint64_t time,
                                       bool implicit, struct prvcut_error *err)
{
    const struct prvcut_nested ends = n->at[k];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = n->depth; i > k + 1 && st == PRVCUT_OK; i--)
        st = n->format->interrupt(n->writer, time, &n->at[i - 1], err);
    memmove(n->at + k, n->at + k + 1, (n->depth - k - 1) * sizeof *n->at);
    n->at[n->depth - 1] = ends;
    if (st == PRVCUT_OK)
        st = nesting_pop(n, time, implicit, err);
    for (size_t i = k; i < n->depth && st == PRVCUT_OK; i++)
        st = n->format->resume(n->writer, time, &n->at[i], err);
    return st;
}

/* Index of the innermost of a type; depth: there is none. */
static size_t nesting_find(const struct prvcut_nesting *n, uint32_t type)
{
    return prvcut_last_u32(n->at, n->depth, sizeof *n->at, offsetof(struct prvcut_nested, type),
                           type);
}

enum prvcut_status prvcut_nesting_end(struct prvcut_nesting *n, uint64_t time, uint32_t type,
                                      struct prvcut_error *err)
{
    size_t k = nesting_find(n, type);
    enum prvcut_status st = PRVCUT_OK;

    if (k == n->depth)
        return PRVCUT_END;
    while (n->at[k].mpi && !n->calls_nest && prvcut_nesting_type(n, type)->open > 1 &&
           st == PRVCUT_OK) {
        st = nesting_take(n, k, time, true, err);
        k = nesting_find(n, type);
    }
    return st == PRVCUT_OK ? nesting_take(n, k, time, false, err) : st;
}

enum prvcut_status prvcut_nesting_end_all(struct prvcut_nesting *n, uint64_t time,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (n->depth > 0 && st == PRVCUT_OK)
        st = nesting_pop(n, time, true, err);
    return st;
}

enum prvcut_status prvcut_nesting_make_room(struct prvcut_nesting *n, uint64_t time, uint32_t type,
                                            bool flat, struct prvcut_error *err)
{
    const uint32_t open = prvcut_nesting_type(n, type)->open;
    const enum prvcut_status st = open > 0 && (flat || open >= SAME_MOST)
                                      ? nesting_take(n, nesting_find(n, type), time, true, err)
                                      : PRVCUT_OK;

    if (st < 0)
        return st;
    return n->depth < DEPTH_MOST
               ? prvcut_grow((void **)&n->at, &n->room, n->depth + 1, sizeof *n->at, err)
               : PRVCUT_END;
}

void prvcut_nesting_begin(struct prvcut_nesting *n, const struct prvcut_nested *region)
{
    n->at[n->depth++] = *region;
    n->mpi += region->mpi;
    prvcut_nesting_type(n, region->type)->open++;
}
