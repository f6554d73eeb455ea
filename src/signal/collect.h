#ifndef PRVCUT_SIGNAL_COLLECT_H
#define PRVCUT_SIGNAL_COLLECT_H

#include "model/trace.h"
#include "pass/pass.h"
#include "signal/calls.h"
#include "signal/metrics.h"
#include "signal/track.h"

/** What one pass over a trace shall bring home. */
struct prvcut_wish {
    struct prvcut_grid grid;
    uint32_t metrics; /**< bits of prvcut_metric_id */
    bool calls;       /**< call sequences of a bounded number of threads */
    bool regions;     /**< of traces without MPI: what is entered (OpenMP, locks, functions) are the
                           calls, and any threads of a task may be followed */
    bool states;      /**< of traces without either: what a thread is doing when it does not run is
                           its calls */
    bool window;      /**< read only the blocks that can touch the grid (needs an earlier scan) */
    const struct prvcut_listener *beside; /**< listens, too, to one reading; NULL: nobody does */
    /** How many bins are enough of a trace that turns out to have so many bytes of text, and a
       clock of its threads or none: a pipe tells neither beforehand. NULL: those of the grid */
    size_t (*enough)(const void *ctx, uint64_t bytes, bool clock);
    const void *ctx;
};

/** What it brought. */
struct prvcut_collection {
    struct prvcut_signal signal[PRVCUT_SIGNALS]; /**< those asked for have a name */
    struct prvcut_flushes flushes;
    struct prvcut_call_sequence *sequence; /**< [sequences] */
    size_t sequences;
    bool calls_cut_short;        /**< there were too many: the sequences are the run's beginning */
    struct prvcut_counts counts; /**< of a full scan */
};

/**
 * Read the trace once and compute all that is wished.
 *
 * owns    out is initialised here, released with prvcut_collection_fini
 * errors  those of the reader
 */
enum prvcut_status prvcut_collect(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_wish *wish, struct prvcut_collection *out,
                                  struct prvcut_error *err);

void prvcut_collection_fini(struct prvcut_collection *c);

/** The grid over [start, end) whose bins are a power of two wide and at most `bins` many. */
struct prvcut_grid prvcut_grid_fit(uint64_t start, uint64_t end, size_t bins);

#endif
