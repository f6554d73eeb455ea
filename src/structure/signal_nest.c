#include "structure/signal_nest.h"

#include "base/memory.h"
#include "dsp/correlation.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_STRIDE = 3,      /* that lengths tell */
    LEAST_ALTERNATION = 2, /* that shapes tell */
    SHAPE = 16,            /* samples of an iteration's shape */
    LEAST_OUTER = 3,       /* iterations of the outer loop */
    DRIFT = 8,             /* iterations over which a drift of the length is followed and removed */
};

/* A correlation of lengths in units of what chance gives: not to be believed, to be trusted. */
static const double doubt = 4, trust = 12;
/* No other stride may come nearer than this to the best one. */
static const double rival = 0.7;
/* Correlation from which few iterations are enough, and that of every other one. */
static const double exact = 0.7, turns = 0.5;
/* The longest iteration must exceed the others by this much (logarithm). */
static const double least_contrast = 0.04;
/* Shapes that depart from the mean by more than this many times the usual are clipped. */
static const double loud = 4;
/* Lengths that differ by more than this share are those of a pause. */
static const double near_length = 0.25;
/* Departures of the shape must be so alike a stride later. */
static const double least_likeness = 0.2;
/* Lengths differ by so much at most (logarithm): one long pause is not to outweigh all others. */
static const double longest = 0.5;

/** Logarithms of the lengths, clipped, without what varies slowly. */
static void snt_take_lengths(double *out, double *room, const struct signal_track *t)
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
static double snt_comb(const double *r, size_t lags, size_t n, size_t stride)
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

/** The best of strides [least, most), in the same units; 0: none. */
static size_t snt_best_stride(double *best, const double *r, size_t lags, size_t n, size_t least,
                              size_t most)
{
    size_t stride = 0;

    *best = 0;
    for (size_t s = least; s < most && s + 1 < lags; s++) {
        const double value = snt_comb(r, lags, n, s);

        if (r[s] >= r[s - 1] && r[s] >= r[s + 1] && value > *best) {
            *best = value;
            stride = s;
        }
    }
    return stride;
}

static void snt_choose_stride(struct signal_nest *out, const double *r, size_t lags, size_t n,
                              size_t least)
{
    double best, second;
    size_t stride = snt_best_stride(&best, r, lags, n, least, lags), shorter;

    /* Its multiples are as good. */
    while ((shorter = snt_best_stride(&second, r, lags, n, least, stride / 2 + 1)) > 0 &&
           second > rival * best) {
        stride = shorter;
        best = second;
    }
    snt_best_stride(&second, r, lags, n, 1, stride > 1 ? stride - 1 : 0);
    out->stride = 0;
    if (stride == 0 || best < doubt || second > rival * best)
        return;
    out->confidence = fmin(1, (best - doubt) / (trust - doubt));
    if (best > doubt + 1 && r[stride] > exact)
        out->confidence = fmax(out->confidence, r[stride]);
    /* Turns of two are seen in much that has none. */
    if (stride > 2 || (best > doubt + 1 && r[stride] > turns))
        out->stride = stride;
}

/**
 * How far the longest iteration of the outer one stands out of the mean: logarithms of the lengths
 * averaged over all iterations with the same number modulo stride. What the outer loop does beside
 * the inner one makes it long, so that the next starts anew. room: stride doubles.
 */
static double snt_contrast(const double *length, size_t n, size_t stride, double *room,
                           size_t *first)
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

enum prvcut_status prvcut_signal_nest_by_lengths(struct signal_nest *out,
                                                 const struct signal_track *t,
                                                 struct prvcut_error *err)
{
    const size_t n = t->count > 0 ? t->count - 1 : 0, lags = n / LEAST_OUTER;
    enum prvcut_status st;
    double *length, *r;

    *out = (struct signal_nest){ 0 };
    if (lags < LEAST_STRIDE + 2)
        return PRVCUT_OK;
    length = prvcut_unset(n, sizeof *length, "iterations", err);
    r = prvcut_unset(n, sizeof *r, "iterations", err);
    if (length && r) {
        snt_take_lengths(length, r, t);
        st = prvcut_autocorrelate(r, lags, length, n, err);
        if (st == PRVCUT_OK)
            snt_choose_stride(out, r, lags, n, LEAST_STRIDE);
        /* The grid of samples makes a pattern, too, but one of fractions of a sample. */
        if (out->stride > 0 && snt_contrast(length, n, out->stride, r, &out->first) <
                                   fmax(least_contrast, 0.5 / t->median))
            out->stride = 0;
    } else {
        st = PRVCUT_ENOMEM;
    }
    free(length);
    free(r);
    return st;
}

/** Without what varies slowly over the iterations; room: n doubles. */
static void snt_remove_drift(double *at, double *room, size_t n)
{
    memcpy(room, at, n * sizeof *at);
    for (size_t k = 0; k < n; k++) {
        const size_t low = k > DRIFT ? k - DRIFT : 0, high = k + DRIFT < n ? k + DRIFT + 1 : n;
        double sum = 0;

        for (size_t i = low; i < high; i++)
            sum += room[i];
        at[k] -= sum / (double)(high - low);
    }
}

/** What an iteration looks like: means of the whitened samples in SHAPE equal parts of it. */
static void snt_take_shape(double *shape, size_t n, size_t k, const double *sums, size_t samples,
                           double from, double length)
{
    for (size_t j = 0; j < SHAPE; j++) {
        const double low = from + length * (double)j / SHAPE, high = low + length / SHAPE;
        const size_t a = (size_t)fmin(fmax(0, low), (double)samples - 1);
        size_t z = (size_t)fmin(fmax(0, ceil(high)), (double)samples);

        z = z > a ? z : a + 1;
        shape[j * n + k] = (sums[z] - sums[a]) / (double)(z - a);
    }
}

/** Iterations that depart from the others more than usual are not to outweigh all others. */
static enum prvcut_status snt_clip_shapes(double *shape, size_t n, double *norm,
                                          struct prvcut_error *err)
{
    double *sorted = prvcut_unset(n, sizeof *sorted, "iterations", err), usual;

    if (!sorted)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < n; k++) {
        norm[k] = 0;
        for (size_t j = 0; j < SHAPE; j++)
            norm[k] += shape[j * n + k] * shape[j * n + k];
        sorted[k] = norm[k] = sqrt(norm[k]);
    }
    usual = prvcut_median(sorted, n);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < SHAPE && norm[k] > loud * usual; j++)
            shape[j * n + k] *= loud * usual / norm[k];
    free(sorted);
    return PRVCUT_OK;
}

/** Autocorrelation of what the shapes depart from the usual one, over the number of iterations. */
static enum prvcut_status snt_correlate_shapes(double *r, size_t lags, double *shape, size_t n,
                                               double *room, struct prvcut_error *err)
{
    double all = 0;
    enum prvcut_status st = PRVCUT_OK;

    memset(r, 0, lags * sizeof *r);
    for (size_t j = 0; j < SHAPE && st == PRVCUT_OK; j++) {
        double own = 0;

        for (size_t k = 0; k < n; k++)
            own += shape[j * n + k] * shape[j * n + k];
        if (own <= 0)
            continue;
        st = prvcut_autocorrelate(room, lags, shape + j * n, n, err);
        for (size_t s = 0; s < lags; s++)
            r[s] += own * room[s];
        all += own;
    }
    for (size_t s = 0; s < lags && all > 0; s++)
        r[s] /= all;
    return st;
}

static enum prvcut_status snt_find_by_shapes(struct signal_nest *out, const struct signal_track *t,
                                             const struct signal_scales *s, double *shape,
                                             double *room, struct prvcut_error *err)
{
    const size_t n = t->count - 1, lags = n / LEAST_OUTER;
    const size_t samples = t->window[1] - t->window[0];
    double *white = room, *sums = room + samples, *r = sums + samples + 1, *other = r + n;
    enum prvcut_status st;

    prvcut_signal_whiten(white, s->level[t->level] + t->window[0], samples,
                         2 * (size_t)(t->median + 0.5), sums);
    sums[0] = 0;
    for (size_t i = 0; i < samples; i++)
        sums[i + 1] = sums[i] + white[i];
    for (size_t k = 0; k < n; k++) {
        const double own = t->start[k + 1] - t->start[k];

        snt_take_shape(shape, n, k, sums, samples, t->start[k] - (double)t->window[0],
                       fabs(own / t->median - 1) < near_length ? own : t->median);
    }
    for (size_t j = 0; j < SHAPE; j++)
        snt_remove_drift(shape + j * n, other, n);
    st = snt_clip_shapes(shape, n, other, err);
    if (st == PRVCUT_OK)
        st = snt_correlate_shapes(r, lags, shape, n, other, err);
    if (st == PRVCUT_OK)
        snt_choose_stride(out, r, lags, n, LEAST_ALTERNATION);
    if (out->stride > 0 && r[out->stride] < least_likeness)
        out->stride = 0;
    return st;
}

static enum prvcut_status snt_nest_by_shapes(struct signal_nest *out, const struct signal_track *t,
                                             const struct signal_scales *s,
                                             struct prvcut_error *err)
{
    const size_t n = t->count > 0 ? t->count - 1 : 0, samples = t->window[1] - t->window[0];
    enum prvcut_status st = PRVCUT_OK;
    double *shape, *room;

    *out = (struct signal_nest){ 0 };
    if (n / LEAST_OUTER < LEAST_ALTERNATION + 2)
        return PRVCUT_OK;
    shape = prvcut_unset(SHAPE * n, sizeof *shape, "iterations", err);
    room = prvcut_unset(2 * samples + 2 * n + 1, sizeof *room, "iterations", err);
    if (shape && room)
        st = snt_find_by_shapes(out, t, s, shape, room, err);
    else
        st = PRVCUT_ENOMEM;
    free(shape);
    free(room);
    return st;
}

enum prvcut_status prvcut_signal_nest_find(struct signal_nest *out, const struct signal_track *t,
                                           const struct signal_scales *s, struct prvcut_error *err)
{
    struct signal_nest other;
    enum prvcut_status st = prvcut_signal_nest_by_lengths(out, t, err);

    if (st == PRVCUT_OK)
        st = snt_nest_by_shapes(&other, t, s, err);
    if (st == PRVCUT_OK && other.confidence > out->confidence)
        *out = other;
    return st;
}
