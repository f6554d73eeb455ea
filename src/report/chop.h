#ifndef PRVCUT_REPORT_CHOP_H
#define PRVCUT_REPORT_CHOP_H

#include "model/made.h"
#include "report/lines.h"

#include <jansson.h>

/** Where a chop is from: "1.2", "1.2.kind1", "1.2.outlier1"; returns out. */
char *report_chop_name(char out[64], const struct made_reduction *r, size_t chop);

/** Is it one unusual iteration, not typical ones? */
bool report_chop_is_outlier(const struct made_chop *c);

/** Does it stand for its whole loop, not only for its region? */
bool report_chop_of_loop(const struct made_reduction *r, const struct made_chop *c);

/** What it stands for, in a word: "loop", "kind", "region". */
const char *report_chop_stands_for(const struct made_reduction *r, const struct made_chop *c);

/** Why these iterations were cut: "alike (0.93), 1 % shorter than the median, of the longest of 9
    undisturbed regions"; returns out. */
char *report_chop_why(char out[160], const struct made_reduction *r, const struct made_chop *c);

/** Do basicanalysis and Dimemas, which know no borders of threads, mistake the skew between ranks
   for waiting? Then they want a cut at one time for all. */
bool report_wants_straight(const struct made_reduction *r, const struct made_chop *c);

/** One chop in full, or several as a list. */
void report_put_chops(struct report_lines *l, const struct made_reduction *r);

/** What adds up over the loop, of the cuts of its kinds; nothing where these were not cut. */
void report_put_totals(struct report_lines *l, const struct made_reduction *r);

/** All chops, or the window of one; NULL without memory. */
json_t *report_json_chops(const struct made_reduction *r);
json_t *report_json_window(const struct made_reduction *r, const struct made_chop *c);

#endif
