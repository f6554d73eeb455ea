#ifndef PRVCUT_API_PATTERNS_ASK_H
#define PRVCUT_API_PATTERNS_ASK_H

#include "analysis/patterns/given.h"
#include "analysis/patterns/numbers.h"
#include "api/profile_stretches.h"

/** Asks the search for the structure of a run for iterations, for nests that show none. Zeroed but
    for trace, run and only. */
struct api_patterns_asked {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_span only; /**< end 0 = everything */
    /* Its own. */
    struct api_stretches found;   /**< if told: all of them, then each iteration */
    struct prvcut_window *window; /**< [iterations]; owned */
    uint64_t *number;             /**< [iterations] from 1; owned */
    size_t iterations;
    uint8_t *stranger;   /**< [threads]; owned */
    bool looked, told;   /**< there are iterations */
    bool by_calls, sure; /**< calls in order tell them; the loop is sure */
};

/**
 * Search once, and list the iterations of the structure's loop: numbers for those of nests.
 *
 * shape   *out points into a
 * errors: as a scan, PRVCUT_ENOMEM; PRVCUT_NONE: no iterations, one by one
 */
enum prvcut_status api_patterns_look(struct api_patterns_asked *a, struct pat_numbered *out,
                                     struct prvcut_error *err);

/**
 * For pat_options.ask; ctx: struct api_patterns_asked. Reads the trace once or twice more. What it
 * tells is valid until api_patterns_asked_fini.
 *
 * errors  as a scan, PRVCUT_ENOMEM; no loop, or one that is not told thread by thread: none
 */
enum prvcut_status api_patterns_ask(void *ctx, struct pat_given *out, struct prvcut_error *err);
void api_patterns_asked_fini(struct api_patterns_asked *a);

#endif
