#ifndef PRVCUT_ANALYSIS_SAMPLE_BINS_H
#define PRVCUT_ANALYSIS_SAMPLE_BINS_H

#include "analysis/sample/series.h"
#include "model/trace.h"

/** Bins of one reading at most. */
#define PRVCUT_BINS_MOST ((size_t)1 << 20)

/** What counters counted in each of some equal bins of a trace. */
struct prvcut_bins_found {
    struct prvcut_series series; /**< a column a counter, in the order of their types */
    uint64_t ns;                 /**< that readings of counters count, all of them together */
    uint64_t wide_ns;            /**< of these, in such as are longer than a bin */
    uint64_t wide;               /**< how many these are */
};

/**
 * Count in equal bins. A value is spread evenly over the time since the thread's reading before it
 * (since 0, of its first one), in calls or not.
 *
 * shape   span: not empty; 1 <= bins <= PRVCUT_BINS_MOST
 * owns    f is initialised here, released with prvcut_bins_found_fini, also after a failure
 * errors  those of the reader; PRVCUT_ENOMEM; PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_bins_read(struct prvcut_bins_found *f, struct prvcut_trace *t,
                                    const struct prvcut_run *run, const struct prvcut_span *span,
                                    size_t bins, struct prvcut_error *err);

void prvcut_bins_found_fini(struct prvcut_bins_found *f);

#endif
