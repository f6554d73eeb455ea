#ifndef PRVCUT_API_JOB_WHY_H
#define PRVCUT_API_JOB_WHY_H

#include "api/job.h"

/** Why the unusual iterations that are cut, and single ones that were named, are slow: one more
    reading where there are any; their causes. errors  those of the reader, PRVCUT_ENOMEM */
enum prvcut_status job_why(struct job *j, const struct job_plan *plan, struct prvcut_error *err);

/** Records that are read once more for it at most: these take about a tenth of a second, and more
    would make the search of a long trace slower by half. */
#define JOB_WHY_RECORDS UINT64_C(500000)

/** Why the longest unusual iterations of a structure's main loop are long, j->wish.causes at most;
    of a long trace only that it is not told (made_structure.unexplained). errors  as job_why */
enum prvcut_status job_why_structure(struct job *j, struct prvcut_error *err);

#endif
