#ifndef PRVCUT_REPORT_REGIONS_H
#define PRVCUT_REPORT_REGIONS_H

#include "report/lines.h"

#include "model/made.h"

/** Share of a cut's time in MPI, 0..1; NAN: nobody measured it, or the trace has none. */
double report_mpi_share(const struct made_chop *c);

/** How many times as large as the cut the trace is; NAN: unknown. */
double report_times_smaller(const struct made_reduction *r, const struct made_chop *c);

/** Are there cuts of several regions? */
bool report_has_regions(const struct made_reduction *r);

/** A table of the cuts, `most` of them, then what the mean cut of each level is. */
void report_put_regions(struct report_lines *l, const struct made_reduction *r, size_t most);

#endif
