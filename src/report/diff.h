#ifndef PRVCUT_REPORT_DIFF_H
#define PRVCUT_REPORT_DIFF_H

#include "model/made.h"
#include "report/lines.h"

/** What changed most, in a sentence. Free *text. */
enum prvcut_status report_diff_sentence(const struct prvcut_diff *d, char **text,
                                        struct prvcut_error *err);

/** Is the length to be told by the means of all iterations, though these do not decide? They
   differ, by more than the medians; where the medians changed, by so much more that both are told.
 */
bool report_diff_by_mean(const struct prvcut_diff *d);

/** Of the means of the length, B beside A. */
double report_diff_mean_share(const struct prvcut_diff *d);

/** A value of that quantity with its unit; "-" where it is not told; returns out. */
char *report_diff_value(char out[32], enum prvcut_diff_quantity quantity, double x);

/** Who a row changed on most, and by how much: "rank 3 +2ms", "8 of 8 ranks, 3 +2ms"; "" for
   nobody; returns out. */
char *report_diff_who(char out[REPORT_CELL], const struct prvcut_diff *d,
                      const struct prvcut_diff_row *r);

/** "+23 %", "-0.4 %"; "new" and "gone" for what only one run has; returns out. */
char *report_diff_share(char out[32], double share, double b);

/** "ns" of times, "B", "GHz"; "" of counts. */
const char *report_diff_unit(enum prvcut_diff_quantity quantity);

#endif
