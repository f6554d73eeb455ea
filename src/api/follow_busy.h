#ifndef PRVCUT_API_FOLLOW_BUSY_H
#define PRVCUT_API_FOLLOW_BUSY_H

#include "model/trace.h"

/** How long each thread computes so far; zeroed: nothing is known. */
struct follow_busy {
    double *computing; /**< [threads] ns; owned */
    uint32_t threads;
    uint64_t end_ns; /**< up to then */
    bool untold;     /**< there are too many threads */
};

/**
 * Add what is new in a trace that was scanned: only that is read.
 *
 * errors  as prvcut_measure_make
 */
enum prvcut_status follow_busy_add(struct follow_busy *b, struct prvcut_trace *t,
                                   const struct prvcut_run *run, struct prvcut_error *err);

/** Load balance and communication efficiency so far, as `efficiency` has them; NAN: not told. */
void follow_busy_tell(const struct follow_busy *b, double *balance, double *communication);

void follow_busy_fini(struct follow_busy *b);

#endif
