#ifndef PRVCUT_API_WAITS_H
#define PRVCUT_API_WAITS_H

#include "api/job.h"

/**
 * Wait states as `prvcut waits --by iteration` tells them, of the iterations that a job has found;
 * of the whole run alone where it has none, or too many. OpenMP's are told of the run, too.
 *
 * owns    out is zeroed by the caller, released with prvcut_wait_states_free, also after a failure
 * errors  as prvcut_waits_make, but never PRVCUT_NONE
 */
enum prvcut_status api_waits_of_job(const struct job *j, const struct prvcut_run *run,
                                    struct made_wait_states *out, struct prvcut_error *err);

#endif
