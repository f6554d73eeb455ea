#ifndef PRVCUT_API_JOB_WAITS_H
#define PRVCUT_API_JOB_WAITS_H

#include "api/job.h"

/**
 * Of each cut of the outermost loop: what its iterations lose in wait states beside what those lose
 * that it stands for, as shares of the threads' time (struct made_proof.wait). One more reading;
 * nothing where there is no such cut, or iterations are too many to be told one by one.
 */
enum prvcut_status job_prove_waits(struct job *j, struct prvcut_error *err);

#endif
