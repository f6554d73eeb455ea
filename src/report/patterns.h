#ifndef PRVCUT_REPORT_PATTERNS_H
#define PRVCUT_REPORT_PATTERNS_H

#include "model/made.h"
#include "report/json.h"
#include "report/lines.h"

/** "rank 3 (thread 1.4.1)"; of an archive its location's name. */
void report_pattern_thread(struct report_lines *l, const struct prvcut_patterns *p,
                           uint32_t thread);

/** "computation after Wait on rank 1 (thread 1.2.1), +5.5ms"; "" where nothing is told. */
void report_point_why(struct report_lines *l, const struct prvcut_patterns *p,
                      const struct prvcut_point *point);

/** Stretches of calls that come back (patterns_repeats.c): a table, those that cover most first. */
void report_repeats(struct report_lines *l, const struct prvcut_patterns *p, bool full);
/** An array; null where they were not asked for. */
json_t *report_repeats_json(const struct prvcut_patterns *p);
void report_repeats_csv(struct report_lines *l, const struct prvcut_patterns *p);

/** What else is to be known: notes, a line each. */
void report_patterns_notes(struct report_lines *l, const struct prvcut_patterns *p);

#endif
