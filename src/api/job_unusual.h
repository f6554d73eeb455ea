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
 * The unusual iterations of a region, or of all its loop: furthest from what is usual first. Where
 * the loop's iterations are of several kinds (j->kinds), those are furthest whose lengths lie far
 * from all of these.
 *
 * owns    *out: [*count], freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_unusual_take(struct job_unusual **out, size_t *count, const struct job *j,
                                    size_t region, bool loop, struct prvcut_error *err);

#endif
