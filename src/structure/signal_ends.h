#ifndef PRVCUT_STRUCTURE_SIGNAL_ENDS_H
#define PRVCUT_STRUCTURE_SIGNAL_ENDS_H

#include "signal/metrics.h"
#include "structure/loop.h"

/** What shows where a loop ends. */
struct prvcut_signal_ends {
    struct prvcut_signal signal[PRVCUT_SIGNALS]; /**< [signals]; values are borrowed */
    size_t signals;
    const struct prvcut_span
        *mask; /**< [masks] ascending, borrowed; what they touch says nothing */
    size_t masks;
    struct prvcut_span span;     /**< what is looked at */
    double *sum[PRVCUT_SIGNALS]; /**< [signals][bins + 1] roots of the values, added up; owned */
};

/**
 * Add up the values of the signals, which the caller has set, as all but the sums.
 *
 * owns    sums: released with prvcut_signal_ends_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_ends_init(struct prvcut_signal_ends *e, struct prvcut_error *err);

void prvcut_signal_ends_fini(struct prvcut_signal_ends *e);

/**
 * Where does a loop that signals show begin and end? Iterations from the middle of it are held
 * against those further out, in the values of all signals that repeat with them: what is no longer
 * like any of them is left, also where it is about as long; what goes on alike beyond the ends is
 * taken. The part of an iteration that is left at either end tells where in it the loop begins:
 * borders move there, so that all iterations are whole. First they are held against each other:
 * iterations whose parts are all alike are divided, those that are unlike in turn are joined.
 *
 * shape   l, borders: of the loop; nothing changes where borders are not known one by one, or too
 *         few iterations are alike; borders->at is replaced
 * errors  PRVCUT_ENOMEM, nothing changed
 */
enum prvcut_status prvcut_signal_ends_find(struct prvcut_loop *l,
                                           struct prvcut_signal_borders *borders,
                                           const struct prvcut_signal_ends *in,
                                           struct prvcut_error *err);

#endif
