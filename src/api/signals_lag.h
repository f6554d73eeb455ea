#ifndef PRVCUT_API_SIGNALS_LAG_H
#define PRVCUT_API_SIGNALS_LAG_H

#include "prvcut/signals.h"

/** The period of a signal as its autocorrelation alone tells it. */
struct signal_period {
    double bins; /**< 0: it has no peak */
    bool clear;  /**< no other peak is nearly as high but harmonics */
    const char
        *note; /**< lasting: period and how clear it is, in a sentence; NULL: there is none */
};

/**
 * The highest relative maximum of the autocorrelation, checked by the 90 % rule; the signal is
 * averaged over pairs of bins until that holds.
 *
 * shape   in: has values
 * errors  PRVCUT_ENOMEM
 * source  Casas 3.6.1, equations 3.2 and 3.3; harmonics are no rivals, for the overlap that shrinks
 *         with the lag is taken into account, so that they are as high as the period
 */
enum prvcut_status api_signal_lag(struct signal_period *out, const struct prvcut_signal *in,
                                  const struct prvcut_parameters *set, struct prvcut_error *err);

#endif
