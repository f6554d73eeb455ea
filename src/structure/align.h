#ifndef PRVCUT_STRUCTURE_ALIGN_H
#define PRVCUT_STRUCTURE_ALIGN_H

#include "model/trace.h"
#include "structure/loop.h"

/** What is to be cut along the threads' own iterations. */
struct prvcut_align_input {
    const struct prvcut_call_loop *calls;        /**< of the threads examined; may be NULL */
    const struct prvcut_call_sequence *sequence; /**< [calls->sequences] */
    struct prvcut_span window; /**< the chosen iterations, as the first follower's borders say */
    bool exact;                /**< no thread may keep much more or less time than the window has */
    unsigned iterations;
};

/** A border per thread on either side of the same iterations. */
struct prvcut_alignment {
    bool found;
    bool told; /**< the borders are those that the calls tell, of all threads that make calls */
    enum prvcut_align_why why; /**< why not, or how */
    uint64_t *from, *to; /**< [threads] ns; owned; a thread that makes no calls goes with the first
                              thread of its task, or else with all */
    struct prvcut_span hull;
    uint64_t crossing;     /**< messages with one end in the window that were seen */
    uint64_t split;        /**< collectives of which only some calls are in the window */
    uint32_t follow, stay; /**< threads with borders of their own, and without */
};

/**
 * Each thread's own borders of the chosen iterations: its first call of the first one to its first
 * call of the one after the last, so that every message has both ends in the window and every
 * collective all its calls.
 *
 * Reads the surroundings of the window (prvcut_reader.scan_window; needs an earlier scan) for all
 * threads, looks on every thread for the place where the threads that were examined begin the
 * iteration, and moves borders that messages or collectives cross to where none does. Without
 * calls, each thread's window begins near the given one. Takes at most 128 MiB and 3 KiB a thread;
 * where the surroundings hold more than that, nothing is found.
 *
 * shape   window of one thread: [from, to); times as the reader gives them (clocks aligned)
 * owns    *out is initialised here, released with prvcut_alignment_fini
 * errors  PRVCUT_ENOMEM, what the scan fails with; "cannot" is PRVCUT_OK with found false
 */
enum prvcut_status prvcut_align(struct prvcut_alignment *out, struct prvcut_trace *t,
                                const struct prvcut_run *run, const struct prvcut_align_input *in,
                                struct prvcut_error *err);

void prvcut_alignment_fini(struct prvcut_alignment *a);

#endif
