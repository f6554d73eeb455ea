#ifndef PRVCUT_DSP_CORRELATION_H
#define PRVCUT_DSP_CORRELATION_H

#include "base/error.h"

/** Subtract the least squares line from n samples, in place. */
void prvcut_detrend(double *at, size_t n);

/**
 * Autocorrelation of in without its mean and trend, for lags 0 .. lags - 1.
 *
 * out[k] = sum x[i] x[i + k] / sqrt(sum x[i]^2 * sum x[i + k]^2), all over 0 <= i < n - k: the
 * overlap shrinks in numerator and denominator alike, so |out[k]| <= 1 and an exact repetition
 * gives 1 at any lag. A signal without variance gives zeros.
 *
 * shape   in: n samples; out: lags values, lags <= n
 * errors  PRVCUT_EUSAGE: lags > n; PRVCUT_ENOMEM
 * source  Casas 3.1: few products are summed, many by FFT (Wiener-Khinchin), zero-padded so that
 * nothing wraps around
 *
 * May be called from several threads: FFTW's planner, which is not thread-safe, is locked inside.
 */
enum prvcut_status prvcut_autocorrelate(double *out, size_t lags, const double *in, size_t n,
                                        struct prvcut_error *err);

/**
 * Normalised cross-correlation with a test signal of `periods` sine periods.
 *
 * out[t] is the correlation coefficient, in [-1, 1], of in[t, t + length) with
 * sin(2 pi j / period), j = 0 .. length - 1; length is periods * period, rounded. Its largest
 * value marks the representative window.
 *
 * shape   in: n samples; out: *count = n - length + 1 values in room for n; 0 when length > n
 * units   period: samples, >= 2, need not be whole
 * errors  PRVCUT_EUSAGE: period < 2 or periods is 0; PRVCUT_ENOMEM
 * source  Casas 3.4; O(n) by running sums instead of an FFT
 */
enum prvcut_status prvcut_sine_match(double *out, size_t *count, const double *in, size_t n,
                                     double period, unsigned periods, struct prvcut_error *err);

#endif
