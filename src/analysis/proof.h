#ifndef PRVCUT_ANALYSIS_PROOF_H
#define PRVCUT_ANALYSIS_PROOF_H

#include "model/trace.h"
#include "prvcut/reduce.h"

/** A region whose values are wanted, and the chops that stand for it. */
struct prvcut_proof_region {
    struct prvcut_span span;
    double period_ns; /**< mean length of an iteration */
    const struct prvcut_span
        *mask; /**< [masks] ascending, disjoint; what is masked does not count */
    size_t masks;
};

struct prvcut_proof_chop {
    size_t region;               /**< index into the regions */
    struct prvcut_window window; /**< one span, or one a thread */
    unsigned iterations;
};

/**
 * Compare chops with the regions that they stand for.
 *
 * One pass over the blocks that hold the regions (a full scan where that is about all), whatever
 * the number of regions and chops; memory grows with threads x (regions + chops) x (states +
 * calls), not with the trace. All sums are integers, so the result is the same for any number of
 * workers.
 *
 * shape   out: [chops], zeroed; names from the trace's labels
 * owns    what out points to, released with prvcut_proof_fini; all empty after a failure
 * errors  those of the reader, PRVCUT_ENOMEM
 * source  Casas 4.3.2.1 (equations 4.2, 4.3): load balance and communication efficiency; parallel
 *         efficiency is their product
 */
enum prvcut_status prvcut_proofs_make(struct prvcut_proof *out, struct prvcut_trace *t,
                                      const struct prvcut_run *run,
                                      const struct prvcut_proof_region *region, size_t regions,
                                      const struct prvcut_proof_chop *chop, size_t chops,
                                      struct prvcut_error *err);

#endif
