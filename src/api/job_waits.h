#ifndef PRVCUT_API_JOB_WAITS_H
#define PRVCUT_API_JOB_WAITS_H

#include "api/job.h"
#include "prvcut/waits.h"

/** Who waits, into job.waits, for which the run is read once more; what is too large is left out
    and noted. Once. errors: as api_waits_of_job */
enum prvcut_status job_waits_tell(struct job *j, const struct prvcut_run *run,
                                  struct prvcut_error *err);

/**
 * Of each cut of the outermost loop: what its iterations lose in wait states beside what those lose
 * that it stands for, as shares of the threads' time (struct made_proof.wait). One more reading,
 * which is the page's, where there is one; nothing where there is no such cut, or iterations are
 * too many to be told one by one.
 */
enum prvcut_status job_prove_waits(struct job *j, struct prvcut_error *err);

#endif
