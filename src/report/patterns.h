#ifndef PRVCUT_REPORT_PATTERNS_H
#define PRVCUT_REPORT_PATTERNS_H

#include "model/made.h"
#include "report/lines.h"

/** "rank 3 (thread 1.4.1)"; of an archive its location's name. */
void report_pattern_thread(struct report_lines *l, const struct prvcut_patterns *p,
                           uint32_t thread);

/** "computation after Wait on rank 1 (thread 1.2.1), +5.5ms"; "" where nothing is told. */
void report_point_why(struct report_lines *l, const struct prvcut_patterns *p,
                      const struct prvcut_point *point);

#endif
