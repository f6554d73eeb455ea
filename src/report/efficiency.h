#ifndef PRVCUT_REPORT_EFFICIENCY_H
#define PRVCUT_REPORT_EFFICIENCY_H

#include "model/made.h"
#include "report/lines.h"

#include <jansson.h>
#include <math.h>

/** Are the runs parts of one, each with a line of its own? */
static inline bool report_efficiency_of_parts(const struct prvcut_efficiency *e)
{
    return e->by != PRVCUT_EFFICIENCY_BY_RUN;
}

/** Are the groups applications of the same traces, in place of groups that somebody named? */
static inline bool report_efficiency_of_programs(const struct prvcut_efficiency *e)
{
    const struct made_efficiency *made = made_efficiency_of(e);

    return e->groups > 0 && made->asked_groups > 0 && !made->asked_group[0];
}

/** A whole number; NAN where it is not told. */
static inline double report_efficiency_number(uint64_t value)
{
    return value == PRVCUT_EFFICIENCY_UNTOLD ? (double)NAN : (double)value;
}

/** Has any run several threads a task? */
bool report_efficiency_is_hybrid(const struct prvcut_efficiency *e);

/** The first line for a person: what the runs come to, and what most is lost by. */
void report_efficiency_title(struct report_lines *l, const struct prvcut_efficiency *e);

/** "strong", "weak", "auto"; "multiplicative", "additive"; "dimemas", "causal"; constant. */
const char *report_efficiency_scaling(enum prvcut_scaling s);
const char *report_efficiency_form(enum prvcut_factors_form f);
const char *report_efficiency_waits(enum prvcut_waits w);

/** A run as JSON: its sums, factors, counts, reasons and notes; NULL: out of memory. ranks: each
    thread, too. The caller's. */
json_t *report_efficiency_run_json(const struct prvcut_efficiency *e,
                                   const struct prvcut_efficiency_run *r, bool ranks);

/** Why a run is hardly another size of the one that it is compared with; NULL: it may be.
    Borrowed. */
const char *report_efficiency_unlike(const struct prvcut_efficiency *e, size_t run);

/** Why a factor of a part of a run is above 1; NULL: none is. Constant. */
const char *report_efficiency_above(const struct prvcut_efficiency *e, size_t run);

/** The group of a run; NULL: there are none. */
const struct prvcut_efficiency_group *report_efficiency_group(const struct prvcut_efficiency *e,
                                                              size_t run);

#endif
