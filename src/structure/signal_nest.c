#include "structure/signal_nest.h"

#include "dsp/correlation.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAST_STRIDE = 3,
    LEAST_OUTER = 6, /* iterations of the outer loop */
    DRIFT = 8,       /* iterations over which a drift of the length is followed and removed */
};

/* A correlation of lengths in units of what chance gives: not to be believed, to be trusted. */
static const double doubt = 4, trust = 12;
/* No other stride may come nearer than this to the best one. */
static const double rival = 0.7;
/* The longest iteration must exceed the others by this much (logarithm). */
static const double least_contrast = 0.04;
/* Lengths differ by so much at most (logarithm): one long pause is not to outweigh all others. */
static const double longest = 0.5;

/** Logarithms of the lengths, clipped, without what varies slowly. */
static void take_lengths(double *out, double *room, const struct signal_track *t)
{
    const size_t n = t->count - 1;

    for (size_t k = 0; k < n; k++) {
        const double length = fmax(t->start[k + 1] - t->start[k], 0.1 * t->median);

        room[k] = fmin(longest, fmax(-longest, log(length / t->median)));
    }
    for (size_t k = 0; k < n; k++) {
        const size_t low = k > DRIFT ? k - DRIFT : 0, high = k + DRIFT < n ? k + DRIFT + 1 : n;
        double sum = 0;

        for (size_t i = low; i < high; i++)
            sum += room[i];
        out[k] = room[k] - sum / (double)(high - low);
    }
}

/** Sum of the correlation at the stride and its multiples, in deviations of what chance gives. */
static double comb(const double *r, size_t lags, size_t n, size_t stride)
{
    double sum = 0, variance = 0;

    for (size_t k = 1; k <= 3 && k * stride + 1 < lags; k++) {
        /* One iteration more or less now and then is forgiven. */
        const double near = fmax(r[k * stride - 1], r[k * stride + 1]);

        sum += fmax(r[k * stride], k > 1 ? 0.8 * near : 0);
        variance += 1 / (double)(n - k * stride);
    }
    return variance > 0 ? sum / sqrt(variance) : 0;
}

static void choose_stride(struct signal_nest *out, const double *r, size_t lags, size_t n)
{
    double best = 0, second = 0;

    for (size_t s = LEAST_STRIDE; s < lags - 1; s++) {
        const double value = comb(r, lags, n, s);

        if (r[s] >= r[s - 1] && r[s] >= r[s + 1] && value > best) {
            best = value;
            out->stride = s;
        }
    }
    for (size_t s = 1; out->stride > 0 && s + 1 < out->stride; s++)
        second = fmax(second, r[s]);
    if (out->stride == 0 || best < doubt || second > rival * r[out->stride])
        out->stride = 0;
    else
        out->confidence = fmin(1, (best - doubt) / (trust - doubt));
}

/**
 * How far the longest iteration of the outer one stands out of the mean: logarithms of the lengths
 * averaged over all iterations with the same number modulo stride. What the outer loop does beside
 * the inner one makes it long, so that the next starts anew. room: stride doubles.
 */
static double contrast(const double *length, size_t n, size_t stride, double *room, size_t *first)
{
    double most = -longest, all = 0;

    for (size_t s = 0; s < stride; s++) {
        size_t count = 0;

        room[s] = 0;
        for (size_t k = s; k < n; k += stride, count++)
            room[s] += length[k];
        room[s] /= (double)count;
        all += room[s] / (double)stride;
        if (room[s] > most) {
            most = room[s];
            *first = (s + 1) % stride;
        }
    }
    return most - all;
}

/** Lengths of `stride` iterations in a row, wherever they start; room: count doubles. */
static void measure(struct signal_nest *out, const struct signal_track *t, double *room)
{
    const size_t n = t->count - out->stride;
    double sum = 0;
    size_t usual = 0;

    for (size_t k = 0; k < n; k++)
        room[k] = t->start[k + out->stride] - t->start[k];
    out->median = prvcut_median(room, n);
    for (size_t k = 0; k < n; k++)
        if (fabs(room[k] - out->median) < 0.5 * out->median) {
            sum += room[k];
            usual++;
        }
    out->mean = usual > 0 ? sum / (double)usual : out->median;
}

enum prvcut_status prvcut_signal_nest_find(struct signal_nest *out, const struct signal_track *t,
                                           struct prvcut_error *err)
{
    const size_t n = t->count > 0 ? t->count - 1 : 0, lags = n / LEAST_OUTER;
    enum prvcut_status st;
    double *length, *r;

    *out = (struct signal_nest){ 0 };
    if (lags < LEAST_STRIDE + 2)
        return PRVCUT_OK;
    length = malloc(n * sizeof *length);
    r = malloc(n * sizeof *r);
    if (length && r) {
        take_lengths(length, r, t);
        st = prvcut_autocorrelate(r, lags, length, n, err);
        if (st == PRVCUT_OK)
            choose_stride(out, r, lags, n);
        /* The grid of samples makes a pattern, too, but one of fractions of a sample. */
        if (out->stride > 0 && contrast(length, n, out->stride, r, &out->first) <
                                   fmax(least_contrast, 0.5 / t->median))
            out->stride = 0;
        if (out->stride > 0)
            measure(out, t, length);
    } else {
        st = prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu iterations", n);
    }
    free(length);
    free(r);
    return st;
}
