#ifndef PRVCUT_STRUCTURE_IN_STEP_H
#define PRVCUT_STRUCTURE_IN_STEP_H

#include "structure/loop.h"

/** How far the threads that follow a loop go through its iterations together. */
struct prvcut_step {
    double apart; /**< what an iteration usually takes more or less on another thread, shares of the
                       mean length */
    double drift; /**< how fast threads move apart: 0 where they stay together, 1 where each takes
                       any time, as tasks of workers do; 0 also where there are too few iterations
                       to tell */
};

/**
 * Compare each follower with the next one.
 *
 * shape   l: found or not; fewer than two followers: 0 and 0
 * errors  PRVCUT_ENOMEM
 * source  variance of the distance of two random walks: after m steps m times that of one, where
 *         steps do not depend on each other; of threads that wait for each other no more than that
 */
enum prvcut_status prvcut_call_loop_step(struct prvcut_step *out, const struct prvcut_call_loop *l,
                                         struct prvcut_error *err);

#endif
