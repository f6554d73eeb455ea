#ifndef PRVCUT_DSP_WAVELET_H
#define PRVCUT_DSP_WAVELET_H

#include "base/error.h"

/**
 * Orthonormal Haar transform, in place: it keeps the sum of squares.
 *
 * shape   at: n samples, n a multiple of 2^levels. Afterwards at[0, n / 2^levels) holds the
 *         approximation and at[n / 2^k, n / 2^(k - 1)) the details of level k, in order of time;
 *         level 1 is the finest
 * errors  PRVCUT_EUSAGE: n does not divide; PRVCUT_ENOMEM
 * source  Haar wavelet, Casas 2.3.1 and 3.4.2
 */
enum prvcut_status prvcut_haar(double *at, size_t n, unsigned levels, struct prvcut_error *err);

/** Undo prvcut_haar. */
enum prvcut_status prvcut_haar_inverse(double *at, size_t n, unsigned levels,
                                       struct prvcut_error *err);

#endif
