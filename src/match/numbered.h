#ifndef PRVCUT_MATCH_NUMBERED_H
#define PRVCUT_MATCH_NUMBERED_H

#include "base/sorter.h"
#include "model/objects.h"

#include <stdbool.h>

/** Whose part in a collective, and which of them; what is sorted begins with it. */
struct prvcut_numbered {
    uint32_t application;
    uint32_t communicator; /**< PRVCUT_NOBODY: not told */
    uint32_t nonblocking;  /**< these are counted apart */
    uint32_t task;
    uint64_t k; /**< its place among the task's on the communicator; is found */
};

/** Parts that are one collective. */
struct prvcut_numbered_group {
    const void *part; /**< [count], by task; borrowed for the call */
    size_t count;
    uint32_t expected; /**< tasks that should have a part */
    bool unlike;       /**< here or before members did not call the same */
};

/**
 * Which parts are one collective, all of a trace's at hand: the k-th of one member of a
 * communicator is the k-th of all others. They are sorted by member and numbered, then by number.
 */
struct prvcut_numbered_parts {
    /** Parts by member (prvcut_numbered_by_member, then in their order), not finished yet; an empty
        one, by number (prvcut_numbered_by_place). */
    struct prvcut_sorter *sorter[2];
    size_t size; /**< bytes of what is sorted */
    const struct prvcut_objects *objects;
    bool (*alike)(const void *a, const void *b); /**< do two parts call the same? */
    void *ctx;
    enum prvcut_status (*met)(void *ctx, const struct prvcut_numbered_group *group,
                              struct prvcut_error *err);
};

enum prvcut_status prvcut_numbered_meet(const struct prvcut_numbered_parts *n,
                                        struct prvcut_error *err);

/** < 0, 0, > 0: by communicator and task. */
int prvcut_numbered_by_member(const void *a, const void *b);
/** For a sorter: by communicator, number and task. */
int prvcut_numbered_by_place(const void *a, const void *b);

#endif
