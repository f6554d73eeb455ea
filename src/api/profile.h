#ifndef PRVCUT_API_PROFILE_H
#define PRVCUT_API_PROFILE_H

#include "model/made.h"
#include "model/trace.h"
#include "report/cube.h"

/**
 * A profile (prvcut_profile_make), and of the same reading one by thread.
 *
 * shape   out, lines: zeroed; lines NULL: it is not wanted
 * owns    what they point to, released with prvcut_profile_rows_fini, also after a failure
 */
enum prvcut_status api_profile_with_lines(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_profile_options *options,
                                          struct made_profile *out, struct made_profile *lines,
                                          struct prvcut_error *err);

/**
 * Why iterations are slow: the same with options->why.
 *
 * owns    what out points to, also released with api_profile_why_fini
 * errors  PRVCUT_NONE: there is no loop
 */
enum prvcut_status api_profile_why(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_profile_options *options,
                                   struct made_profile *out, struct prvcut_error *err);
void api_profile_why_fini(struct made_profile *p);

/** Which form a report for CUBE has, by its name, which must have the suffix. PRVCUT_EUSAGE */
enum prvcut_status api_cube_form(const char *path, enum report_cube_form *form,
                                 struct prvcut_error *err);

#endif
