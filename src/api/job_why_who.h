#ifndef PRVCUT_API_JOB_WHY_WHO_H
#define PRVCUT_API_JOB_WHY_WHO_H

#include "api/job_why_spent.h"

/** Causes name threads by more than a number: so do all that are told apart. errors: PRVCUT_ENOMEM
 */
enum prvcut_status job_why_name_threads(const struct job_why_spent *w, struct prvcut_error *err);

/** "rank 0": whose lengths those of j->kinds are; NULL: of all, or of nobody. owns: *out.
    errors  those of the reader, PRVCUT_ENOMEM */
enum prvcut_status job_why_leader(char **out, struct job *j, struct prvcut_error *err);

#endif
