#ifndef PRVCUT_DSP_FIT_H
#define PRVCUT_DSP_FIT_H

#include <stddef.h>

/** A straight line through points, by ordinary least squares. */
struct prvcut_line {
    double start, slope; /**< y = start + slope * x */
    double variance;     /**< of the points about it: RSS / (points - 2); NAN with two points */
    double mean, spread; /**< of x: its mean, the sum of squares about it */
    size_t points;
};

/**
 * Fit a line.
 *
 * shape   x, y: points >= 2 values; x holds at least two different ones
 */
struct prvcut_line prvcut_line_fit(const double *x, const double *y, size_t points);

double prvcut_line_at(const struct prvcut_line *l, double x);

/**
 * Variance of a further point at x: that of the points, and how unsure the line is there.
 *
 * source  s^2 (1 + 1/n + (x - mean)^2 / spread); NAN with two points
 */
double prvcut_line_variance(const struct prvcut_line *l, double x);

/**
 * The parabola of least squares at x.
 *
 * shape   at, y: points >= 3 values; at holds at least three different ones, else the result is NAN
 */
double prvcut_parabola_at(const double *at, const double *y, size_t points, double x);

/**
 * How far Student's t lies at most from 0 with a probability: t of (1 + within) / 2.
 *
 * shape   0 < within < 1; freedom >= 1
 * source  the closed sums of the distribution (Abramowitz and Stegun 26.7.3, 26.7.4), inverted by
 *         Newton's method, which is monotone there
 */
double prvcut_student(double within, size_t freedom);

#endif
