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

#endif
