#ifndef PRVCUT_REPORT_WHY_H
#define PRVCUT_REPORT_WHY_H

#include "model/made.h"

/** Where each process has one thread, that is its rank: it goes by that, from 0. */
bool report_by_rank(const struct made_reduction *r);

/** Room for such a text. */
#define REPORT_WHY 1200

/** Why a cut's one iteration is slow: "rank 5 computes 105ms longer, with more instructions (98
   %)";
    "" where that is unknown because nobody asked. Returns out. */
char *report_why_text(char out[REPORT_WHY], const struct made_reduction *r,
                      const struct made_chop *c);

#endif
