#ifndef PRVCUT_REPORT_STANDS_H
#define PRVCUT_REPORT_STANDS_H

#include "model/made.h"

/** How a cut stands for its loop or region, of its proof and of the lengths of its iterations. */
enum prvcut_chop_verdict report_stands(const struct made_reduction *r, const struct made_chop *c);

/** How much longer its iterations are than the median of the loop, or of that which it stands for,
    as a share of that; NAN: unknown. */
double report_longer(const struct made_reduction *r, const struct made_chop *c);
double report_longer_there(const struct made_reduction *r, const struct made_chop *c);

/** "4 % longer than the median", "12 times as long as the median"; returns out. */
char *report_longer_text(char out[64], double longer);

/**
 * "4 % longer than usual", as its verdict calls the median of the windows that it was compared with;
 * "... than the median" where that is as long as so many median iterations. Windows of
 * several need not be: where few long iterations come between many short ones, most windows hold
 * one. Where there are none, or few, of the median iteration. Empty: unknown, or as long within
 * least. Returns out.
 */
char *report_longer_chop(char out[64], const struct made_reduction *r, const struct made_chop *c,
                         double least);

/** Are its iterations far from the lengths of what it stands for? */
bool report_length_is_off(const struct made_reduction *r, const struct made_chop *c);

/** When the k-th iteration of the cut runs, on the thread that leads; false: that is not known. */
bool report_cut_iteration(const struct made_reduction *r, const struct made_chop *c, uint64_t k,
                          struct prvcut_span *out);

/** ns, all of it: of its iterations, but where it is cut at one time for all and that is elsewhere;
   NAN: not known. */
double report_cut_length(const struct made_reduction *r, const struct made_chop *c);

/** Least and greatest length of the cut's iterations, and their sum; false: they are not known. */
bool report_cut_lengths(const struct made_reduction *r, const struct made_chop *c, double out[2],
                        double *sum);

#endif
