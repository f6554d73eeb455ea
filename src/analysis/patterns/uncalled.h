#ifndef PRVCUT_ANALYSIS_PATTERNS_UNCALLED_H
#define PRVCUT_ANALYSIS_PATTERNS_UNCALLED_H

#include "analysis/patterns/sequences.h"

/**
 * Are calls missing? States of a thread tell when it communicates, whether its calls are in the
 * trace or were filtered out; so do the messages that it sends. Then what is between calls is not
 * all computation.
 */
struct pat_uncalled {
    uint64_t *ns;                /**< [threads] in states of communication; owned */
    struct prvcut_consumer also; /**< of a stream's plan: adds them up */
};

/** owns: *u is released with pat_uncalled_fini, also after a failure */
enum prvcut_status pat_uncalled_init(struct pat_uncalled *u, uint32_t threads,
                                     struct prvcut_error *err);
void pat_uncalled_fini(struct pat_uncalled *u);

/** Is that clearly more than a thread's calls that communicate take, or are messages sent outside
   of these? shape: t: all of its calls; t->lone counted */
bool pat_uncalled_is(const struct pat_uncalled *u, const struct pat_thread *t);

#endif
