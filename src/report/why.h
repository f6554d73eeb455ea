#ifndef PRVCUT_REPORT_WHY_H
#define PRVCUT_REPORT_WHY_H

#include "model/made.h"

/** Where each process has one thread, that is its rank: it goes by that, from 0. */
bool report_by_rank(const struct made_reduction *r);

/** Room for such a text. */
#define REPORT_WHY 1200

/** Append to such a text, as far as there is room. */
void report_why_add(char out[REPORT_WHY], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Append "rank 5"; where ranks have several threads, "rank 5 (thread 1.6.2)". */
void report_why_add_thread(char out[REPORT_WHY], const struct made_reduction *r, uint32_t thread);

/** ", with more instructions": why a thread computes longer; "" where nobody knows. */
const char *report_why_how(enum prvcut_slow computes);

/** Why a cut's one iteration is slow: "rank 5 computes 105ms longer, with more instructions (98
   %)";
    "" where that is unknown because nobody asked. Returns out. */
char *report_why_text(char out[REPORT_WHY], const struct made_reduction *r,
                      const struct made_chop *c);

#endif
