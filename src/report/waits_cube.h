#ifndef PRVCUT_REPORT_WAITS_CUBE_H
#define PRVCUT_REPORT_WAITS_CUBE_H

#include "analysis/waits/waits.h"
#include "analysis/waits/waits_own.h"
#include "report/cube_who.h"

/** What a report for CUBE is told. */
struct report_waits_cube {
    const struct prvcut_waits_found *found;
    const struct prvcut_dictionary *names;
    const struct report_cube_who *who;
    const struct prvcut_waits_patterns *own; /**< a program's own metrics; NULL: none */
    const char *of;                          /**< the trace, as people call it */
    bool causes, critical;
};

/**
 * Wait states as a report for CUBE: the metrics under the names of Scalasca, by call path and
 * thread; what the trace does not tell is left out.
 *
 * errors  as of report_cube_write
 */
enum prvcut_status report_waits_cube(const struct report_waits_cube *r, enum report_cube_form form,
                                     const char *path, bool force, struct prvcut_error *err);

#endif
