#ifndef PRVCUT_API_JOB_WHY_LAST_H
#define PRVCUT_API_JOB_WHY_LAST_H

#include "api/job_kinds.h"

/**
 * Where a loop's last iteration ends on each thread, as far as it is later than its border: that is
 * where others let expect it, where no call tells it, and a call that waits for who is late goes on
 * behind it.
 */
struct job_why_last {
    size_t iteration; /**< of j->kinds; SIZE_MAX: it is not known which */
    uint64_t *end;    /**< [threads] ns, end of its last call; 0: not known; owned */
    uint64_t lead;    /**< the same of the thread that leads */
};

/**
 * Read around the last calls of the last iteration.
 *
 * shape   j->kinds is known; the last of them is the loop's last one
 * owns    *l is initialised here, released with job_why_last_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_why_last_find(struct job_why_last *l, const struct job *j,
                                     struct prvcut_error *err);
void job_why_last_fini(struct job_why_last *l);

#endif
