#ifndef PRVCUT_STRUCTURE_ALIGN_EACH_H
#define PRVCUT_STRUCTURE_ALIGN_EACH_H

#include "model/trace.h"
#include "structure/loop.h"

/** Borders between the iterations of a loop. */
struct prvcut_align_each {
    const struct prvcut_call_loop *calls;        /**< of the threads examined */
    const struct prvcut_call_sequence *sequence; /**< [calls->sequences] */
    const size_t *k;                             /**< [count]: which of the followers' borders;
                                                      ascending, each once */
    size_t count;
};

/**
 * Many borders on all threads, as a cut there would have them (prvcut_align): those of the threads
 * examined are as their calls tell; on each other thread a border is at the call that begins the
 * same iteration. A thread without calls goes with the first of its task that has a border.
 *
 * Reads the run from the first border to the last once more (needs an earlier scan), so many
 * iterations at once as fit in 128 MiB and 3 KiB a thread.
 *
 * shape   out: [count * threads] ns, a border's threads in a row; 0: it is not known there
 * errors  PRVCUT_ENOMEM, what the scan fails with
 */
enum prvcut_status prvcut_align_each(uint64_t *out, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_align_each *in, struct prvcut_error *err);

#endif
