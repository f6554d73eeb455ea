#ifndef PRVCUT_REPORT_CUT_H
#define PRVCUT_REPORT_CUT_H

#include "prvcut/cut.h"
#include "report/lines.h"

#include <jansson.h>

/** What a cut holds and what was done at its borders, a few lines. */
void report_put_cut(struct report_lines *l, const struct prvcut_cut_summary *s);

/** The files, one a line. */
void report_put_files(struct report_lines *l, const struct prvcut_cut_summary *s, bool dry_run);

/** The counts as a JSON object; NULL without memory. */
json_t *report_json_cut(const struct prvcut_cut_summary *s);

/** The files as a JSON array of objects with a path; NULL without memory. */
json_t *report_json_output(const struct prvcut_cut_summary *s);

#endif
