#ifndef PRVCUT_REPORT_PROFILE_CUBE_H
#define PRVCUT_REPORT_PROFILE_CUBE_H

#include "prvcut/profile.h"
#include "report/cube_who.h"

/**
 * A profile as a report for CUBE: time, visits, messages and bytes by call and thread; what threads
 * do outside calls is in the root of the call tree.
 *
 * shape   calls: by call and thread, told how long they wait; lines: by thread; of the same time,
 *         all rows
 * errors  as of report_cube_write
 */
enum prvcut_status report_profile_cube(const struct prvcut_profile *calls,
                                       const struct prvcut_profile *lines,
                                       const struct report_cube_who *who,
                                       enum report_cube_form form, const char *path, bool force,
                                       struct prvcut_error *err);

#endif
