#ifndef PRVCUT_DSP_ORDER_H
#define PRVCUT_DSP_ORDER_H

#include <stddef.h>

/**
 * The sample of rank k (0 the least), expected time O(n).
 *
 * shape   at: n > k samples, none of them NaN; their order is changed
 */
double prvcut_select(double *at, size_t n, size_t k);

/** Median; the mean of the two in the middle when n is even; 0 when n is 0. Changes the order. */
double prvcut_median(double *at, size_t n);

/** A standard deviation over the median distance from the median, of the normal distribution. */
#define PRVCUT_MAD_SCALE 1.4826

/** Median distance from `centre`. Replaces the samples by their distances. */
double prvcut_mad(double *at, size_t n, double centre);

/**
 * Where so many values are looked at, some lie farther off by chance: how many robust standard
 * deviations make one unusual that would, of few, be so from `far` on. Up to 22 values far itself;
 * 3 are 3.5 of 100 values, 4.1 of 1000.
 */
double prvcut_far_among(double far, double values);

#endif
