#ifndef PRVCUT_MODEL_PENDING_H
#define PRVCUT_MODEL_PENDING_H

#include "base/error.h"

/** Something that happens later than the record that tells of it: the end of a state, a receive. */
struct prvcut_pending_end {
    uint64_t time;   /**< ns */
    uint64_t number; /**< its own; decides the order of equal times */
    uint64_t detail; /**< the writer's own */
    uint32_t thread;
    uint32_t kind; /**< the writer's own */
};

/** Ends that wait for their time, the earliest first (a heap); zeroed is empty. */
struct prvcut_pending {
    struct prvcut_pending_end *at; /**< [count]; owned */
    size_t count, room;
};

enum prvcut_status prvcut_pending_add(struct prvcut_pending *p,
                                      const struct prvcut_pending_end *end,
                                      struct prvcut_error *err);

/** The earliest one; NULL: none is left. Valid until the next change. */
const struct prvcut_pending_end *prvcut_pending_first(const struct prvcut_pending *p);

/** Take the earliest one out; there is one. */
struct prvcut_pending_end prvcut_pending_take(struct prvcut_pending *p);

void prvcut_pending_fini(struct prvcut_pending *p);

#endif
