#ifndef PRVCUT_STRUCTURE_FIRST_DELAY_H
#define PRVCUT_STRUCTURE_FIRST_DELAY_H

#include "structure/known.h"

/**
 * How long what led to a loop keeps a thread waiting in each of its iterations: threads begin the
 * first one late, those that wait for them go on late to others, until all have met.
 */
struct prvcut_first_delay {
    const struct prvcut_call_loop *calls;
    size_t count; /**< iterations; 0: the calls do not tell */
    /** [count] ns of the thread that was asked for; owned. HUGE_VAL: where each iteration is one
        call, the same may end what led to the loop, and all of the first one may be that. */
    double *ns;
    double *room;   /**< [count]; owned */
    uint64_t *last; /**< [count] when the last of the threads begins each; owned */
};

/** owns: *d is initialised here, released with prvcut_first_delay_fini, also after a failure.
    errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_first_delay_init(struct prvcut_first_delay *d,
                                           const struct prvcut_known_loop *f,
                                           struct prvcut_error *err);
void prvcut_first_delay_fini(struct prvcut_first_delay *d);

/** d->ns of one thread. shape  sequence: with as many borders as the one that leads */
void prvcut_first_delay_of(struct prvcut_first_delay *d, size_t sequence);

/** What an iteration is longer than usual by itself, of all that it is, in the unit of both. shape
    delay: as of d->ns */
double prvcut_first_delay_off(double longer, double delay);

#endif
