#ifndef PRVCUT_BASE_ROWS_H
#define PRVCUT_BASE_ROWS_H

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

static inline void prvcut_rows_put(struct prvcut_rows *r, size_t key, size_t at)
{
    r->now[key].part = r->part;
    r->now[key].at = (uint32_t)at;
}

#endif
