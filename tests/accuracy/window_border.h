#ifndef ACCURACY_WINDOW_BORDER_H
#define ACCURACY_WINDOW_BORDER_H

#include "window_ask.h"
#include "window_marks.h"
#include "window_trace.h"

/** Where each thread begins the true iterations. */
struct window_borders {
    double **at;   /**< [lanes][count]; NULL: a thread without calls in the loop; owned */
    double *phase; /**< [lanes] where in an iteration these borders are; owned */
    bool *own;     /**< [lanes] by its own marks or calls; else by others' marks; owned */
    size_t lanes, count;
    size_t first, last; /**< borders that all have */
    unsigned factor;    /**< true iterations in one that was asked for, by the loop's length */
    const struct truth *truth; /**< the other accepted multiples */
};

/** False: there are no marks, or too few iterations. */
bool window_borders_find(struct window_borders *b, const struct window_trace *t,
                         const struct window_marks *m, const struct truth *truth,
                         const struct answer *a);
void window_borders_fini(struct window_borders *b);

/** Number of the iteration that a thread is in, with its fraction. */
double window_place(const struct window_borders *b, size_t lane, double at);

#endif
