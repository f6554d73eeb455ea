#ifndef PRVCUT_API_JOB_WHY_ORDER_H
#define PRVCUT_API_JOB_WHY_ORDER_H

#include "analysis/efficiency/efficiency.h"
#include "api/job_why_spent.h"

/** What iterations take on an ideal network, of one replay of the whole run. Zeroed: not known. */
struct job_why_order {
    double *ideal; /**< [picks] ns, mean of all tasks; NULL: not known; owned */
    struct prvcut_efficiency_wait *wait; /**< [picks] the longest there; owned */
    const char *reason;                  /**< why it is not known; NULL: it is, or was not asked */
    bool threads;                        /**< lanes of waits are threads, not tasks */
};

/**
 * Replay the run, and keep what each of the iterations that were spent takes.
 *
 * shape   w: spent
 * owns    *o is initialised here, released with job_why_order_fini, also after a failure
 * errors  those of a scan, PRVCUT_ENOMEM
 */
enum prvcut_status job_why_order_find(struct job_why_order *o, const struct job_why_spent *w,
                                      struct prvcut_error *err);
void job_why_order_fini(struct job_why_order *o);

/** The first thread of a lane of a wait. */
uint32_t job_why_order_thread(const struct job_why_order *o, const struct job *j, uint32_t lane);

#endif
