#ifndef PRVCUT_API_JOB_EFFICIENCY_H
#define PRVCUT_API_JOB_EFFICIENCY_H

#include "api/job.h"

/**
 * How well the run and each of its cuts use their processors, for which the trace is read once
 * more: out->efficiency, and where in it a cut is. Cuts that overlap one before them are left out.
 *
 * errors  those of a scan; what is too large to be replayed is left out, with a note
 */
enum prvcut_status job_efficiency(struct job *j, struct prvcut_error *err);

/** Who listens for it to another reading of all of the trace, once cuts are made: j->factors; NULL
    where it has to be read by itself. errors  PRVCUT_ENOMEM */
enum prvcut_status job_factors_new(struct job *j, struct prvcut_error *err);
const struct prvcut_listener *job_factors_listener(const struct job_factors *f);
void job_factors_free(struct job_factors *f);

#endif
