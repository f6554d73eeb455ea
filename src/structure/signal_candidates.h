#ifndef PRVCUT_STRUCTURE_SIGNAL_CANDIDATES_H
#define PRVCUT_STRUCTURE_SIGNAL_CANDIDATES_H

#include "structure/signal_bands.h"

/** A lag at which some stretch of the signal resembles itself. */
struct signal_candidate {
    size_t level;
    double lag;      /**< samples of that level, SIGNAL_BAND .. 2 SIGNAL_BAND */
    size_t from, to; /**< the stretch, samples of that level */
    double likeness; /**< autocorrelation at the lag, 0..1 */
    double gain;     /**< likeness minus the best at any shorter lag */
    double score;    /**< to rank by */
};

enum { SIGNAL_CANDIDATES = 16 };

/** The best candidates of all levels and stretches, best first. */
struct signal_shortlist {
    struct signal_candidate at[SIGNAL_CANDIDATES];
    size_t count;
};

/**
 * Look for repetition on every level in stretches of all lengths (halves overlapping).
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_candidates_find(struct signal_shortlist *out,
                                                 const struct signal_scales *scales,
                                                 struct prvcut_error *err);

#endif
