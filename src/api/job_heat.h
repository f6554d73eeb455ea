#ifndef PRVCUT_API_JOB_HEAT_H
#define PRVCUT_API_JOB_HEAT_H

#include "api/job.h"

/** What threads computed in iterations. */
struct job_heat_of {
    const size_t *pick; /**< [picks] indices of iterations in j->kinds, in any order */
    size_t picks;
    uint32_t threads;
    const double *ns; /**< of thread t in pick i: ns[(i * threads + t) * stride] */
    size_t stride;
};

/**
 * How long each thread computes in each iteration, for the page: of more than it can show,
 * neighbours are taken together, with their mean. Into j->out->heat.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_heat_tell(struct job *j, const struct job_heat_of *of,
                                 struct prvcut_error *err);

#endif
