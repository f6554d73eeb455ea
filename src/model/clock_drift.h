#ifndef PRVCUT_MODEL_CLOCK_DRIFT_H
#define PRVCUT_MODEL_CLOCK_DRIFT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Clocks of processes that drift, or are set, while they run: offsets that bend. What must not come
 * before its cause bounds them from both sides, in windows of the run: the middle of what each
 * window leaves is the offset at the window's middle, and between these it is linear.
 */
struct prvcut_drift {
    uint32_t tasks;
    size_t knots;
    uint64_t *at;    /**< [knots] ns, of times as they are given; owned */
    int64_t *offset; /**< [knots][tasks] ns to add, none negative; owned */
    uint64_t doubt;  /**< half of the widest range that an offset could have in a window, ns */
};

/** A time of a process, with its offset. They keep their order. */
uint64_t prvcut_drift_time(const struct prvcut_drift *d, uint32_t task, uint64_t time);

/** The time that was given, to within a ns. */
uint64_t prvcut_drift_given(const struct prvcut_drift *d, uint32_t task, uint64_t time);

void prvcut_drift_fini(struct prvcut_drift *d);

/** What is known of causes and effects; bounded in memory: the tightest of each two processes in
    each of many short stretches of the run. */
struct prvcut_drift_notes;

/** owns: *out is the caller's, released with prvcut_drift_notes_free. end_ns: of the run */
enum prvcut_status prvcut_drift_notes_new(struct prvcut_drift_notes **out, uint32_t tasks,
                                          uint64_t end_ns, struct prvcut_error *err);
void prvcut_drift_notes_free(struct prvcut_drift_notes *n);

/** What happened at a time of one process must come before another time of another one. */
enum prvcut_status prvcut_drift_note(struct prvcut_drift_notes *n, uint32_t cause, uint64_t at,
                                     uint32_t effect, uint64_t got, struct prvcut_error *err);

/**
 * Bend the clocks so that as few as possible of these contradict.
 *
 * owns    *out is initialised here, released with prvcut_drift_fini; knots 0: nothing helps, for
 *         at least half of the contradictions are left whatever is done, or there are none
 * errors  PRVCUT_ENOMEM
 * source  difference constraints in windows (prvcut_clock_system_solve)
 */
enum prvcut_status prvcut_drift_solve(struct prvcut_drift *out, const struct prvcut_drift_notes *n,
                                      struct prvcut_error *err);

#endif
