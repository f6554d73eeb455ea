#ifndef ACCURACY_WINDOW_ANCHOR_H
#define ACCURACY_WINDOW_ANCHOR_H

#include "truth.h"
#include "window_trace.h"

/**
 * Calls of a thread that occur once in each true iteration: one kind, or else a few calls in a row.
 *
 * shape   aim: where in an iteration they should stand; NAN: at its beginning, better than before
 *         m: about when the iterations begin, and the loop's end; out: [m->count], NAN where there
 *         is no such call, always in the last one; phase: where in an iteration they stand
 */
bool window_anchor(const struct window_lane *l, const struct marks *m, double aim, double *out,
                   double *phase);

/**
 * The same where nothing but the number of iterations is known: those that come most evenly.
 *
 * shape   out: room for iterations + 1
 * returns how many; 0: none
 */
size_t window_anchor_even(const struct window_lane *l, size_t iterations, double *out);

#endif
