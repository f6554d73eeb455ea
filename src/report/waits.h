#ifndef PRVCUT_REPORT_WAITS_H
#define PRVCUT_REPORT_WAITS_H

#include "model/made.h"
#include "report/lines.h"

/** Names of a call path, "main/solve/MPI_Recv". */
void report_waits_path(struct report_lines *l, const struct prvcut_wait_states *w, size_t path);

/** A call path where all metrics have their rows: one row of the view by path. */
struct report_waits_row {
    const struct prvcut_waits_metric *metric;
    const struct prvcut_waits_path *path;
};

/**
 * All paths of all metrics, the one with the most first; without parts of other metrics where
 * `whole`.
 *
 * owns    *out, freed by the caller; errors: PRVCUT_ENOMEM
 */
enum prvcut_status report_waits_rows(struct report_waits_row **out, size_t *rows,
                                     const struct prvcut_wait_states *w, bool whole,
                                     struct prvcut_error *err);

/** The name of a metric of the answer; borrowed; NULL: it has no such. */
const char *report_waits_name(const struct prvcut_wait_states *w, enum prvcut_wait wait);

/** "lu.S.4.prv: 4 ranks wait 1.32s, 30.2 % of the time; most of it: late_sender 816ms, worst on
    rank 0, at MAIN__/ssor_/exchange_1_/MPI_Recv": a line of any length. */
void report_waits_title(struct report_lines *l, const struct prvcut_wait_states *w);
/** "none: early_reduce, late_bcast" */
void report_waits_none(struct report_lines *l, const struct prvcut_wait_states *w);
/** What is not told, and why; what the clocks are worth: a line each. */
void report_waits_notes(struct report_lines *l, const struct prvcut_wait_states *w);

/** The most of all that is no part of another one, nor an upper bound; NULL: nobody waits. *all:
    the sum of these, ns. */
const struct prvcut_waits_metric *report_waits_most(const struct prvcut_wait_states *w,
                                                    uint64_t *all);

#endif
