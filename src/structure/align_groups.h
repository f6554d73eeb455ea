#ifndef PRVCUT_STRUCTURE_ALIGN_GROUPS_H
#define PRVCUT_STRUCTURE_ALIGN_GROUPS_H

#include "structure/align_calls.h"

/** A call that belongs to a group: the pos-th of its thread, 1-based; 0: before all of them. */
struct align_point {
    uint32_t thread, pos, group;
};

/** Calls that must lie on one side of a border: the two ends of a message, one collective. */
struct align_groups {
    struct align_point *point; /**< group by group */
    size_t points, room;
    size_t *first; /**< [groups + 1]: points of each group */
    uint32_t groups;
    uint32_t messages; /**< groups below this are messages, the others collectives */
    size_t *by_thread; /**< [points]: indices of points by thread, then pos */
    size_t *begin;     /**< [threads + 1]: where each thread's are in by_thread */
    /** [points] as by_thread, ns: when the last call of any group begins of those up to that point
        of its thread, and the first one of those from it on: what a border far away need not look
        at. */
    uint64_t *last, *earliest;
    uint64_t untrusted; /**< channels whose messages cannot be told from each other */
    size_t first_room, by_thread_room, begin_room, last_room, earliest_room;
};

/**
 * Which records of a piece belong together.
 *
 * shape   out: zeroed, or those of an earlier piece, whose memory is used again;
 *         tolerance: ns by which a receive may seem to come before its send
 * owns    *out is released with prvcut_align_groups_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_align_groups_make(struct align_groups *out, struct align_piece *p,
                                            uint64_t tolerance, struct prvcut_error *err);

void prvcut_align_groups_fini(struct align_groups *g);

#endif
