#ifndef PRVCUT_API_JOB_WHY_SAY_H
#define PRVCUT_API_JOB_WHY_SAY_H

#include "analysis/why.h"
#include "api/job_why_order.h"
#include "api/job_why_spent.h"
#include "report/why.h"

/** What iterations are compared with. */
struct job_why_explained {
    struct prvcut_why_table table;
    /** [kinds, 1 where they are of one] of the iterations of each kind */
    struct prvcut_why_usual usual[PRVCUT_KINDS];
    bool *clear;  /**< [picks] room for the table's; owned */
    double *room; /**< [picks] owned */
    struct job_why_order order;
};

/** Of iterations like that one; n: of the picks */
const struct prvcut_why_usual *job_why_usual(const struct job_why_explained *e,
                                             const struct job_why_spent *w, size_t n);

/** The table, of which those say what is usual that do so of a kind, below the number of kinds; it
    is in e->clear until the next is asked for. */
struct prvcut_why_table job_why_table(const struct job_why_explained *e,
                                      const struct job_why_spent *w, unsigned kind);

/** What is said of one without causes; n: of the picks. Returns text. */
char *job_why_say_nothing(char text[REPORT_WHY], const struct job_why_spent *w,
                          const struct job_why_explained *e, size_t n);

/** Behind what is said of it: that it makes more calls, or fewer; that nobody knows where it ends;
    nothing of one that is as its like are. n: of the picks */
void job_why_say_more(char text[REPORT_WHY], const struct job_why_spent *w,
                      const struct job_why_explained *e, size_t n);

/** The thread, the one that leads first, on which no call tells where an iteration of j->kinds
   ends, as it is the loop's last one; PRVCUT_NOBODY: there is none. */
uint32_t job_why_open(const struct job *j, size_t iteration);

#endif
