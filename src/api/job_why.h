#ifndef PRVCUT_API_JOB_WHY_H
#define PRVCUT_API_JOB_WHY_H

#include "api/job.h"
#include "api/job_why_pick.h"

/** Why the unusual iterations that are cut, and single ones that were named, are slow: one more
    reading where there are any; their causes. errors  those of the reader, PRVCUT_ENOMEM */
enum prvcut_status job_why(struct job *j, const struct job_plan *plan, struct prvcut_error *err);

/** Why the iterations that are wanted are slow: out->slow and what tells of it. errors  as
    job_why */
enum prvcut_status job_why_told(struct job *j, const struct job_why_wanted *want,
                                struct made_profile *out, struct prvcut_error *err);

/** A trace of so many records is read again as a whole: that takes about a tenth of a second. Of a
    larger one that can be entered anywhere only some iterations are. */
#define JOB_WHY_RECORDS UINT64_C(500000)

/** Why no causes were looked for. */
#define JOB_WHY_TOO_MANY "there are too many threads to tell them apart"

/** Why the longest unusual iterations of a structure's main loop are long, j->wish.causes at most;
    of a trace that is read only once that it is not told (made_structure.unexplained). What an
   index keeps of it is not read for. errors  as job_why */
enum prvcut_status job_why_structure(struct job *j, struct prvcut_error *err);

#endif
