#ifndef PRVCUT_API_JOB_WHY_PICK_H
#define PRVCUT_API_JOB_WHY_PICK_H

#include "api/job.h"
#include "api/job_kinds.h"

/** Iterations of j->kinds that are looked at to tell why some of them are slow. */
struct job_why_picks {
    size_t *at; /**< [count] indices in j->kinds; owned */
    size_t count;
    size_t asked; /**< so many of them, the first, are to be explained; the others are usual */
};

/**
 * Those that are asked for, their neighbours, and others, spread evenly. Of a structure
 * (j->options is NULL) the longest unusual ones are asked for, j->wish.causes at most.
 *
 * shape   j->kinds is known; plan: may be empty
 * owns    *p is initialised here, released with job_why_picks_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_why_pick(struct job_why_picks *p, const struct job *j,
                                const struct job_plan *plan, struct prvcut_error *err);

void job_why_picks_fini(struct job_why_picks *p);

/** The iteration of a cut of one; SIZE_MAX: it is none, or typical. */
size_t job_why_asked(const struct job *j, const struct made_chop *c, const struct job_planned *p);

/** The iteration that begins then (ns), if it is to be explained; else SIZE_MAX. */
size_t job_why_asked_at(const struct job_why_picks *p, const struct job *j, uint64_t start);

/** A region of the loop, whose unusual iterations the page or the structure explains; NULL: it is
    none, or neither is wanted. */
struct made_region *job_why_region(const struct job *j, size_t region);

#endif
