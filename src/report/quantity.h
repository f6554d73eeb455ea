#ifndef PRVCUT_REPORT_QUANTITY_H
#define PRVCUT_REPORT_QUANTITY_H

#include "model/made.h"

#include <stdbool.h>

/** What differs most between a cut and the windows beside it: "load balance 91 %, usually 90 %";
    a length is the mean of the threads'; returns out. shape: c->is.windows > 0; r NULL: it is not
    told where that is another one than of the cut's iterations */
char *report_worst_text(char out[160], const struct made_reduction *r, const struct made_chop *c);

/** Where the cut is among the windows: "above 97 % of them"; returns out. */
char *report_worst_percentile_text(char out[64], const struct made_chop *c);

/** The share of a cut's time with that name in its proof, 0..1; NAN: the proof does not tell it. */
double report_share_of(const struct made_proof *p, const char *name);

/** The threads that what differs most is of, where others, too, do something; 0: all, or no share.
 */
uint32_t report_worst_callers(const struct made_chop *c);

/** Do threads do so much else outside MPI that this is not to be called computing? The states tell.
 */
bool report_outside_is_more(const struct made_proof *p);

#endif
