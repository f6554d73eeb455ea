#ifndef PRVCUT_API_JOB_WHY_SPENT_H
#define PRVCUT_API_JOB_WHY_SPENT_H

#include "analysis/profile/profile.h"
#include "api/job_why_pick.h"

/** Calls that are told apart: those that take most of the time. */
#define JOB_WHY_CALLS 24

/** What threads spent in iterations of a loop, to tell why some of these are slow. */
struct job_why_spent {
    struct job *j;
    struct job_why_picks is;
    struct job_why_last tail; /**< iteration SIZE_MAX, or no end: not looked at; owned */
    const size_t *pick;       /**< [picks], as of is */
    size_t picks;
    size_t *first; /**< [firsts] of the picks: the first of its stretch, and asked for; owned */
    size_t firsts;
    /** [2 * picks + firsts] at one time for all, then own, then the lags of the first; owned */
    struct prvcut_proof_region *stretch;
    uint64_t *bound; /**< [2 * threads * (picks + firsts)]; owned */
    struct prvcut_profile_found found;
    struct prvcut_proof_key call[JOB_WHY_CALLS]; /**< [calls] */
    bool alone[JOB_WHY_CALLS];                   /**< [calls] as of prvcut_why_table */
    size_t calls;
    double *at, *length;   /**< as of prvcut_why_table; owned */
    bool *clear;           /**< the same */
    bool read;             /**< found is made */
    unsigned looks;        /**< iterations in which partners may still be looked for */
    bool unseen;           /**< there were more */
    bool told;             /**< they are all that was asked for */
    const char *unordered; /**< why it is not known whether their calls are out of order; NULL: it
                                is, or nothing depends on it */
};

/**
 * Read what threads did in w->is, and sort it into the columns of a prvcut_why_table; nothing is
 * known if there are too many threads to tell them apart (w->found.apart).
 *
 * shape   w: j and is are set, the rest is zero
 * owns    released with job_why_spent_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_why_spend(struct job_why_spent *w, struct prvcut_error *err);
void job_why_spent_fini(struct job_why_spent *w);

#endif
