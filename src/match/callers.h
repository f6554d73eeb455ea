#ifndef PRVCUT_MATCH_CALLERS_H
#define PRVCUT_MATCH_CALLERS_H

#include "match/crossing.h"
#include "model/objects.h"

/**
 * Which calls of a window are one collective, and which of these are whole, in every format: the
 * k-th of one member of a communicator is the k-th of all others, counted from the run's beginning.
 * Who counts (a cutter, a conversion) tells what each member has; who is a member, the format
 * knows.
 */

/** A member's collectives on a communicator. */
struct prvcut_caller {
    uint64_t communicator;
    uint32_t application;
    uint32_t member;  /**< a task, or whatever communicators list; PRVCUT_NOBODY: none */
    bool nonblocking; /**< these are counted apart */
    struct prvcut_taking taking;
    struct prvcut_whole *whole; /**< the answer; borrowed */
};

/**
 * Is it known who calls together? Else all of their calls stay.
 *
 * caller  [count]: all of one communicator, as far as they have called
 * absent  false before; true: a member that has not called may do so behind the window
 */
typedef bool prvcut_callers_known(const void *ctx, const struct prvcut_caller *caller, size_t count,
                                  bool *absent);

/**
 * shape   caller: [count], is brought into another order
 * split   how many that somebody has inside are not whole
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_callers_judge(struct prvcut_caller *caller, size_t count,
                                        prvcut_callers_known *known, const void *ctx,
                                        uint64_t *split, struct prvcut_error *err);

/** As prvcut_callers_known, where members are tasks: ctx is a const struct prvcut_objects. */
bool prvcut_callers_are_tasks(const void *objects, const struct prvcut_caller *caller, size_t count,
                              bool *absent);

#endif
