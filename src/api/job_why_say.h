#ifndef PRVCUT_API_JOB_WHY_SAY_H
#define PRVCUT_API_JOB_WHY_SAY_H

#include "analysis/why.h"
#include "api/job_why_order.h"
#include "api/job_why_spent.h"
#include "report/why.h"

/** What iterations are compared with: all of the loop, or those of a kind. */
struct job_why_explained {
    unsigned kind; /**< from 1; 0: all */
    struct prvcut_why_table table;
    struct prvcut_why_usual usual;
    double *room;                      /**< [picks] borrowed */
    const struct job_why_order *order; /**< borrowed */
};

/** What is said of one without causes; n: of the picks. Returns whether there is anything to say of
    it. */
bool job_why_say_nothing(char text[REPORT_WHY], const struct job_why_spent *w,
                         const struct job_why_explained *e, size_t n);

/** Behind what is said of it: what the thread that is why does besides; that it makes more calls,
   or fewer; that nobody knows where it ends; nothing of one that is as its like are. n: of the
   picks; c: with its causes */
void job_why_say_more(char text[REPORT_WHY], const struct job_why_spent *w,
                      const struct job_why_explained *e, size_t n, const struct made_chop *c);

/** The thread, the one that leads first, on which no call tells where an iteration of j->kinds
   ends, as it is the loop's last one; PRVCUT_NOBODY: there is none. */
uint32_t job_why_open(const struct job *j, size_t iteration);

#endif
