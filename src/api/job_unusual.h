#ifndef PRVCUT_API_JOB_UNUSUAL_H
#define PRVCUT_API_JOB_UNUSUAL_H

#include "api/job.h"

/** An unusual iteration, and where it lies. */
struct job_unusual {
    size_t region; /**< index in the structure */
    struct prvcut_outlier outlier;
    bool tail; /**< the loop's last one, which lacks what follows its last call */
};

/**
 * Which iterations are unusual, in one place for all who tell of them: those that stand out beside
 * their neighbours, as the search has found; where the main loop's iterations are of several kinds,
 * those whose lengths lie far from all of these, into its regions.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_unusual_settle(struct job *j, struct prvcut_error *err);

/**
 * The unusual iterations of a region, or of all its loop: furthest from what is usual first.
 *
 * owns    *out: [*count], freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_unusual_take(struct job_unusual **out, size_t *count, const struct job *j,
                                    size_t region, bool loop, struct prvcut_error *err);

#endif
