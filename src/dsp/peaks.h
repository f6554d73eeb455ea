#ifndef PRVCUT_DSP_PEAKS_H
#define PRVCUT_DSP_PEAKS_H

#include "base/error.h"

/** A relative maximum. */
struct prvcut_peak {
    size_t at;         /**< its sample; the middle of a plateau */
    double place;      /**< between samples, by the parabola through its neighbours */
    double height;     /**< of that parabola */
    double prominence; /**< sample's height above the higher of the two lowest points that must be
                            passed on the way to something higher (or to the border) */
};

/**
 * Relative maxima in order of place. The first and last sample are never one.
 *
 * owns    *out is the caller's, released with free; NULL when there is none
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_peaks(struct prvcut_peak **out, size_t *count, const double *in, size_t n,
                                struct prvcut_error *err);

/** Vertex of the parabola through (-1, a), (0, b), (1, c), b not below a or c: x in [-0.5, 0.5]. */
void prvcut_parabola(double a, double b, double c, double *x, double *y);

#endif
