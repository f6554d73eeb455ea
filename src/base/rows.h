#ifndef PRVCUT_BASE_ROWS_H
#define PRVCUT_BASE_ROWS_H

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

/**
 * Which keys (threads, mostly) have a row in the part that a worker is at, and which one. Rows are
 * the part's and lie in an array of its own; to begin another part costs nothing.
 */
struct prvcut_rows {
    struct {
        uint64_t part;
        uint32_t at;
    } * now; /**< [keys] */
    uint64_t part;
};

static inline enum prvcut_status prvcut_rows_init(struct prvcut_rows *r, size_t keys,
                                                  struct prvcut_error *err)
{
    r->part = 0;
    r->now = prvcut_zeroed(keys + 1, sizeof *r->now, "threads", err);
    return r->now ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static inline void prvcut_rows_fini(struct prvcut_rows *r)
{
    free(r->now);
    r->now = NULL;
}

/** The worker begins another part: no key has a row in it. */
static inline void prvcut_rows_begin(struct prvcut_rows *r)
{
    r->part++;
}

static inline bool prvcut_rows_has(const struct prvcut_rows *r, size_t key)
{
    return r->now[key].part == r->part;
}

/** Of a key that has one. */
static inline size_t prvcut_rows_at(const struct prvcut_rows *r, size_t key)
{
    return r->now[key].at;
}

/**
 * A row for a key that has none yet, behind the others of the part.
 *
 * shape   *at: [*count] of `size` bytes
 * owns    *at is the caller's, as of prvcut_grow
 * errors  NULL: no memory
 */
static inline void *prvcut_rows_make(struct prvcut_rows *r, size_t key, void **at, size_t *count,
                                     size_t *room, size_t size, struct prvcut_error *err)
{
    if (*count == *room && prvcut_grow(at, room, *count + 1, size, err) < 0)
        return NULL;
    r->now[key].part = r->part;
    r->now[key].at = (uint32_t)*count;
    return (char *)*at + (*count)++ * size;
}

#endif
