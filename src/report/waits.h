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

#endif
