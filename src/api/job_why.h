#ifndef PRVCUT_API_JOB_WHY_H
#define PRVCUT_API_JOB_WHY_H

#include "api/job.h"

/** Why the unusual iterations that are cut, and single ones that were named, are slow: one more
    reading where there are any; their causes. errors  those of the reader, PRVCUT_ENOMEM */
enum prvcut_status job_why(struct job *j, const struct job_plan *plan, struct prvcut_error *err);

#endif
