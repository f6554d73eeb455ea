#ifndef PRVCUT_STRUCTURE_SIGNAL_TRACK_H
#define PRVCUT_STRUCTURE_SIGNAL_TRACK_H

#include "structure/signal_candidates.h"

/** The iterations that follow one candidate, found one after the other. */
struct signal_track {
    size_t level;
    double *start; /**< [count]: where each iteration starts, samples of level, ascending; owned */
    size_t count;  /**< 0: nothing follows */
    double mean;   /**< samples between starts; intervals with a long pause in them left out */
    double median; /**< samples between starts */
    double spread; /**< median distance of the intervals from their median, share of it */
    double even;   /**< share of the time that intervals within a quarter of the median take */
    double likeness; /**< mean correlation of an iteration with the one before, -1..1 */
    double fit;      /**< mean correlation with the average iteration */
};

/**
 * Follow a candidate through the signal: its best matching stretch is the model of an iteration;
 * a chain of places that match it and lie about one lag apart is found by dynamic programming,
 * which tolerates jitter and single long iterations; the average of the chain is the next model.
 *
 * owns    out is initialised here, released with prvcut_signal_track_fini
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_track_find(struct signal_track *out,
                                            const struct signal_scales *scales,
                                            const struct signal_candidate *candidate,
                                            struct prvcut_error *err);

void prvcut_signal_track_fini(struct signal_track *t);

#endif
