#include "dsp/vector.h"

#include "base/inner.h"

#include <math.h>
#include <string.h>

/* This file is compiled twice (vector_avx2.c). */
#ifndef VECTOR_LOOPS
#define VECTOR_LOOPS prvcut_vector_any
#endif

typedef double vector_doubles __attribute__((vector_size(32)));
typedef float vector_floats __attribute__((vector_size(32)));

enum { DOUBLES = 4, FLOATS = 8, VECTORS = PRVCUT_VECTOR_LAGS / FLOATS };

/** A range cannot be compressed beyond this. */
static const double vector_most = 1e60;

/* Four sums each, so that the additions need not wait for each other; four places at once, so that
   the model is loaded once. */
PRVCUT_INNER static void vector_match_four(double *out, const double *at, const double *model,
                                           size_t n)
{
    vector_doubles sum[4] = { { 0 } }, x, y;
    size_t j = 0;

    for (; j + DOUBLES <= n; j += DOUBLES) {
        memcpy(&y, model + j, sizeof y);
        for (size_t t = 0; t < 4; t++) {
            memcpy(&x, at + j + t, sizeof x);
            sum[t] += x * y;
        }
    }
    for (size_t t = 0; t < 4; t++) {
        double first = sum[t][0];

        for (size_t k = j; k < n; k++)
            first += at[t + k] * model[k];
        out[t] = first + sum[t][1] + sum[t][2] + sum[t][3];
    }
}

PRVCUT_INNER static double vector_match_one(const double *at, const double *model, size_t n)
{
    vector_doubles sum = { 0 }, x, y;
    double first;
    size_t j = 0;

    for (; j + DOUBLES <= n; j += DOUBLES) {
        memcpy(&y, model + j, sizeof y);
        memcpy(&x, at + j, sizeof x);
        sum += x * y;
    }
    for (first = sum[0]; j < n; j++)
        first += at[j] * model[j];
    return first + sum[1] + sum[2] + sum[3];
}

PRVCUT_INNER static void vector_match(double *out, size_t places, const double *at,
                                      const double *model, size_t n)
{
    size_t t = 0;

    for (; t + 4 <= places; t += 4)
        vector_match_four(out + t, at + t, model, n);
    for (; t < places; t++)
        out[t] = vector_match_one(at + t, model, n);
}

PRVCUT_INNER static void vector_lags(double *restrict out, const float *restrict at, size_t n)
{
    for (size_t lag = 0; lag < PRVCUT_VECTOR_LAGS; lag++)
        out[lag] = 0;
    for (size_t from = 0; from < n; from += PRVCUT_VECTOR_BLOCK, out += PRVCUT_VECTOR_LAGS) {
        vector_floats sum[VECTORS] = { { 0 } }, x;
        float end[PRVCUT_VECTOR_LAGS];
        size_t i = from;

        for (; i < from + PRVCUT_VECTOR_BLOCK && i + PRVCUT_VECTOR_LAGS <= n; i++)
            for (size_t k = 0; k < VECTORS; k++) {
                memcpy(&x, at + i + k * FLOATS, sizeof x);
                sum[k] += at[i] * x;
            }
        memcpy(end, sum, sizeof end);
        for (; i < from + PRVCUT_VECTOR_BLOCK && i < n; i++)
            for (size_t lag = 0; i + lag < n; lag++)
                end[lag] += at[i] * at[i + lag];
        for (size_t lag = 0; lag < PRVCUT_VECTOR_LAGS; lag++)
            out[PRVCUT_VECTOR_LAGS + lag] = out[lag] + (double)end[lag];
    }
}

PRVCUT_INNER static void vector_coefficients(double *restrict r, const double *low,
                                             const double *high, const double *energy, size_t from,
                                             size_t to, double hush)
{
    const double head = energy[to] - energy[from] + hush;

    for (size_t lag = 0; lag < PRVCUT_VECTOR_LAGS; lag++) {
        const double tail = energy[to + lag] - energy[from + lag];

        r[lag] = (high[lag] - low[lag]) / sqrt(head * (tail + hush));
    }
}

PRVCUT_INNER static void vector_scale(double *restrict out, size_t places, const double *energy,
                                      size_t n, double own, double hush)
{
    for (size_t t = 0; t < places; t++)
        out[t] = out[t] / sqrt(own * (energy[t + n] - energy[t] + hush));
}

PRVCUT_INNER static void vector_roots(double *restrict out, const double *restrict in, size_t n,
                                      bool twice)
{
    for (size_t i = 0; i < n; i++) {
        const double x = in[i] > 0 ? in[i] : 0;

        out[i] = sqrt(x < vector_most ? x : vector_most);
    }
    for (size_t i = 0; twice && i < n; i++)
        out[i] = sqrt(out[i]);
}

/* Running sums over [i - reach, i + reach], as far as there is anything. */
PRVCUT_INNER static double vector_around(const double *sums, size_t n, size_t i, size_t reach)
{
    const size_t low = i > reach ? i - reach : 0, high = i + reach < n ? i + reach + 1 : n;

    return (sums[high] - sums[low]) / (double)(high - low);
}

PRVCUT_INNER static double vector_divided(double x, double square, double least)
{
    return square > 0 ? x / sqrt(square < least ? least : square) : 0;
}

PRVCUT_INNER static void vector_whiten(double *restrict out, const double *restrict in, size_t n,
                                       size_t reach, double *restrict room, double still,
                                       double loud)
{
    /* Samples with all of their neighbours lie from `low` to `high`. */
    const size_t low = n > 2 * reach ? reach : n, high = n > 2 * reach ? n - reach : n;
    const double width = (double)(2 * reach + 1);
    double sum = 0, square = 0, least;

    room[0] = 0;
    for (size_t i = 0; i < n; i++) {
        room[i + 1] = sum += in[i];
        square += in[i] * in[i];
    }
    for (size_t i = 0; i < low; i++)
        out[i] = in[i] - vector_around(room, n, i, reach);
    for (size_t i = low; i < high; i++)
        out[i] = in[i] - (room[i + reach + 1] - room[i - reach]) / width;
    for (size_t i = high; i < n; i++)
        out[i] = in[i] - vector_around(room, n, i, reach);
    sum = 0;
    for (size_t i = 0; i < n; i++)
        room[i + 1] = sum += out[i] * out[i];
    least = still * still * square;
    square = loud * loud * sum;
    least = (square > least ? square : least) / (double)n;
    for (size_t i = 0; i < low; i++)
        out[i] = vector_divided(out[i], vector_around(room, n, i, reach), least);
    for (size_t i = low; i < high; i++) {
        const double own = (room[i + reach + 1] - room[i - reach]) / width;
        const double quotient = out[i] / sqrt(own < least ? least : own);

        out[i] = own > 0 ? quotient : 0;
    }
    for (size_t i = high; i < n; i++)
        out[i] = vector_divided(out[i], vector_around(room, n, i, reach), least);
}

const struct prvcut_vector VECTOR_LOOPS = { .match = vector_match,
                                            .lags = vector_lags,
                                            .coefficients = vector_coefficients,
                                            .scale = vector_scale,
                                            .roots = vector_roots,
                                            .whiten = vector_whiten };
