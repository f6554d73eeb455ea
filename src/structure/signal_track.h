#ifndef PRVCUT_STRUCTURE_SIGNAL_TRACK_H
#define PRVCUT_STRUCTURE_SIGNAL_TRACK_H

#include "structure/signal_candidates.h"

/* Longer levels are followed in a window of this many samples, then reached out from it. */
enum { SIGNAL_TRACK_ROOM = 1 << 16 };

/** The iterations that follow one candidate, found one after the other. */
struct signal_track {
    size_t level;
    double *start;    /**< [count]: where each iteration starts, samples, ascending; owned */
    size_t count;     /**< 0: nothing follows */
    size_t window[2]; /**< samples that were searched */
    double from, to;  /**< the loop; may reach beyond the starts where the signal is very long */
    double total;     /**< iterations from `from` to `to` */
    double missed;    /**< of these, passed over because they resemble nothing */
    double mean;      /**< samples between starts; intervals with a long pause in them left out */
    double median;    /**< samples between starts */
    double spread;    /**< median distance of the intervals from their median, share of it */
    double even;      /**< share of the time that intervals within a quarter of the median take */
    double likeness;  /**< mean correlation of an iteration with the one before, -1..1 */
    double fit;       /**< mean correlation with the average iteration */
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

/**
 * Where the window was too short for the loop: move from and to outwards as long as the signal
 * resembles itself one median later, chunk by chunk, and estimate the total by the mean.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_track_reach(struct signal_track *t,
                                             const struct signal_scales *scales,
                                             struct prvcut_error *err);

void prvcut_signal_track_fini(struct signal_track *t);

#endif
