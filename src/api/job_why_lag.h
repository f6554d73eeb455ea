#ifndef PRVCUT_API_JOB_WHY_LAG_H
#define PRVCUT_API_JOB_WHY_LAG_H

#include "api/job_why_spent.h"

/** Of a thread that begins its first iteration later than all do: what it flushed in that lag, or
    since its last call before it, is no computing, and as much of the lag as that was before is
   told as flushed.

    shape   w: w->at is filled, of lags with what is recorded in them */
void job_why_lag_settle(struct job_why_spent *w);

#endif
