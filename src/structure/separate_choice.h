#ifndef PRVCUT_STRUCTURE_SEPARATE_CHOICE_H
#define PRVCUT_STRUCTURE_SEPARATE_CHOICE_H

#include "structure/separate_gaps.h"

#define SEPARATE_THREADS  8 /**< at most that are looked at */

#define SEPARATE_BELIEVED 0.65 /**< probability from which a loop counts */
#define SEPARATE_WIDE     0.9  /**< of the threads that must have a wide loop */
#define SEPARATE_TILES                                                                             \
    0.95 /**< of a thread's time and calls, and of iterations that are alike: so wide is a loop */

/** A separator that threads share: as many places, over as long a time. */
struct separate_candidate {
    /** [threads] what stands for it there; NULL: the thread lacks it; borrowed */
    const struct separate_loop *of[SEPARATE_THREADS];
    struct separate_loop mean; /**< of the measures; anchors and lengths of all, place unused */
    unsigned threads;          /**< that have it */
    double agree;              /**< share of those looked at, 0..1 */
    double probability;        /**< that it is a loop of the whole program, 0..1 */
    bool by_chance;            /**< would be believed, but comes as near or far as events do */
    bool rare;                 /**< an event that now and then comes into the iterations of one */
};

struct separate_candidates {
    struct separate_candidate *at; /**< [count]; owned */
    size_t count, room;
};

/**
 * Bring together what the threads show, and judge it.
 *
 * shape   loops: [threads], threads <= SEPARATE_THREADS; borrowed by out
 * owns    out->at is released by the caller with free, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate_candidates_find(struct separate_candidates *out,
                                                   const struct separate_loops *loops,
                                                   unsigned threads, struct prvcut_error *err);

/** The outermost one that is believed; else the likeliest of all; NULL: there is none. */
struct separate_candidate *prvcut_separate_outermost(const struct separate_candidates *c);

/** The probability of the likeliest loop around one that is taken. */
double prvcut_separate_outer(const struct separate_candidates *c,
                             const struct separate_candidate *now);

/** Do events come into its iterations that look like a loop around it? */
bool prvcut_separate_has_events(const struct separate_candidates *c,
                                const struct separate_candidate *now);

/** Does a thread's own loop go along with a candidate: about as many places, over the same time? */
bool prvcut_separate_goes_along(const struct separate_loop *l, const struct separate_candidate *c);

#endif
