#ifndef PRVCUT_API_JOB_TOTALS_H
#define PRVCUT_API_JOB_TOTALS_H

#include "api/job.h"

/** What adds up over the loop, of the windows that stand for its kinds: out->total; none where
    kinds are not cut. errors  PRVCUT_ENOMEM */
enum prvcut_status job_totals_tell(struct job *j, const struct job_plan *plan,
                                   struct prvcut_error *err);

#endif
