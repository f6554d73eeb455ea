#ifndef PRVCUT_API_JOB_WHY_PICK_H
#define PRVCUT_API_JOB_WHY_PICK_H

#include "api/job.h"
#include "api/job_kinds.h"
#include "api/job_why_last.h"
#include "structure/lengths_list.h"

/** Iterations of j->kinds that are looked at to tell why some of them are slow. */
struct job_why_picks {
    size_t *at; /**< [count] indices in j->kinds; owned */
    size_t count;
    size_t asked; /**< so many of them, the first, are to be explained */
    bool *says;   /**< [iterations of j->kinds] they say what is usual, whatever is asked for: every
                       so many; owned */
    size_t seen;  /**< unusual ones there are, where these were wanted, and ... */
    bool disturbed;  /**< ... some that something disturbs */
    uint64_t missed; /**< so many that were named are not told one by one */
    size_t left;     /**< so many that were asked for are not, as there are too many threads */
};

/** An iteration that is longer by a smaller share of the median is as long as others. */
#define JOB_WHY_LONGER PRVCUT_LENGTHS_UNLIKE

/** Iterations that say what is usual of all, or of a kind, at least, besides those that are asked
    for and their neighbours. */
#define JOB_WHY_USUAL 3

/** Iterations that are to be explained one by one. */
struct job_why_wanted {
    size_t region;        /**< one of their loop's */
    bool region_only;     /**< unusual ones of that region, not of the whole loop */
    uint64_t first, last; /**< from 1 through the loop; first 0: the longest unusual ones */
    uint64_t most;        /**< unusual ones */
    const struct job_why_last *tail; /**< the loop's last one; NULL: not looked at */
};

/**
 * Those that are asked for, their neighbours, and others, spread evenly. Of a structure
 * (j->options is NULL) the longest unusual ones are asked for, j->wish.causes at most; want: in
 * place of these; NULL: none. As many at most as leave all threads told apart.
 *
 * shape   j->kinds is known; plan: may be empty
 * owns    *p is initialised here, released with job_why_picks_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_why_pick(struct job_why_picks *p, const struct job *j,
                                const struct job_plan *plan, const struct job_why_wanted *want,
                                struct prvcut_error *err);

void job_why_picks_fini(struct job_why_picks *p);

/** The length of them, ns: the median of those that nothing disturbs, of all of them
    where something disturbs all. kind: of that kind alone, from 1; 0: all. errors  PRVCUT_ENOMEM */
enum prvcut_status job_why_median(double *median, const struct job_kinds *k, unsigned kind,
                                  struct prvcut_error *err);

/** Threads whose own iterations tell, too, which are unusual. */
uint32_t job_why_own(const struct job *j);

/** Is it among the unusual ones? */
bool job_why_is_unusual(const struct job *j, size_t iteration);

/** The number of an iteration of j->kinds, from 1 through its loop. */
uint64_t job_why_number(const struct job *j, size_t iteration);

/** The iteration of a cut of one; SIZE_MAX: it is none, or typical. */
size_t job_why_asked(const struct job *j, const struct made_chop *c, const struct job_planned *p);

/** The iteration that begins then (ns), if it is to be explained; else SIZE_MAX. */
size_t job_why_asked_at(const struct job_why_picks *p, const struct job *j, uint64_t start);

/** A region of the loop, whose unusual iterations the page or the structure explains; NULL: it is
    none, or neither is wanted. */
struct made_region *job_why_region(const struct job *j, size_t region);

#endif
