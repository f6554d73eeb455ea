#ifndef PRVCUT_API_JOB_KINDS_H
#define PRVCUT_API_JOB_KINDS_H

#include "analysis/kinds.h"
#include "api/job.h"

/** The iterations of a loop, as far as they were told one by one, and their kinds. */
struct job_kinds {
    size_t region; /**< one of the loop's */
    size_t count;
    const uint64_t **border; /**< [count] where each begins; its end is next to it */
    double *length, *calls;  /**< [count] as of prvcut_kinds_input */
    double *delay;           /**< [count] ns that what led to the loop keeps it, as of
                                  prvcut_first_delay; owned */
    bool *clear;             /**< [count] */
    bool clear_alone;        /**< kind: the clear ones are few and count alone */
    unsigned *label;         /**< [count] index of its kind */
    struct prvcut_kind kind[PRVCUT_KINDS];
    size_t kinds;
    unsigned
        window[PRVCUT_KINDS]; /**< iterations that a window of each holds, where kinds are cut */
};

/**
 * The kinds of a region's loop, into j->kinds and the result: by calls where windows were measured
 * (job_windows_choose), else by lengths.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_kinds_tell(struct job *j, size_t region, struct prvcut_error *err);

/** The length of one, without what led to the loop in what its first one takes longer than usual.
 */
double job_kinds_own_length(const struct job_kinds *k, size_t iteration, double usual);

/** Bits: the kinds of the loop's iterations that are in a window of a region; 0: not known, or
   there are not several. */
unsigned job_kinds_held(const struct job *j, size_t region, const struct prvcut_span *window);

/** In place of a plan's first cut, one for each kind. errors  PRVCUT_ENOMEM */
enum prvcut_status job_kinds_plan(struct job *j, struct job_plan *plan, struct prvcut_error *err);

void job_kinds_free(struct job_kinds *k);

#endif
