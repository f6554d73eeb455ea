#ifndef PRVCUT_ANALYSIS_PATTERNS_STRETCHES_H
#define PRVCUT_ANALYSIS_PATTERNS_STRETCHES_H

#include "analysis/patterns/patterns.h"

/** What threads call in a stretch of the run, as nested loops. */
struct pat_stretch {
    /* Asked. */
    struct prvcut_span span; /**< ns: the calls that begin there; of threads that make MPI calls,
                                  where there are some */
    bool loop; /**< it is of a loop: what makes calls equal is chosen by its iteration */
    /* Found: the nest whose outermost loop covers most of its calls there, as borders cut less off
       it; of equals, and without loops, that of most threads, then of the lowest. */
    char *nest;         /**< its text, after NEST_MOST bytes cut off; owned; NULL: no calls */
    size_t threads, of; /**< so many have it; so many make calls there */
    uint64_t count;     /**< iterations of its outermost loop; 0: it has none */
    enum pat_source source;
};

/** Bytes of a nest. */
#define PAT_NEST_MOST 1000

/**
 * shape   s: [count]; store: zeroed but for trace, run, names, options
 * owns    what is found is released with pat_stretches_fini, also after a failure
 * errors  as pat_sequences_read
 */
enum prvcut_status pat_stretches_fold(struct pat_stretch *s, size_t count, struct pat_store *store,
                                      struct prvcut_error *err);
void pat_stretches_fini(struct pat_stretch *s, size_t count);

#endif
