#include "dsp/peaks.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void prvcut_parabola(double a, double b, double c, double *x, double *y)
{
    const double bend = a - 2 * b + c;

    *x = bend < 0 ? fmin(0.5, fmax(-0.5, 0.5 * (a - c) / bend)) : 0;
    *y = b - 0.25 * (a - c) * *x;
}

static size_t peaks_find_maxima(struct prvcut_peak *out, const double *in, size_t n)
{
    size_t count = 0;

    for (size_t i = 1; i + 1 < n;) {
        size_t end = i;

        while (end + 1 < n && in[end + 1] <= in[i] && in[end + 1] >= in[i])
            end++;
        if (in[i] > in[i - 1] && end + 1 < n && in[end + 1] < in[i]) {
            struct prvcut_peak *p = &out[count++];

            p->at = i + (end - i) / 2;
            p->place = (double)i + (double)(end - i) / 2;
            p->height = in[i];
            if (end == i) {
                prvcut_parabola(in[i - 1], in[i], in[i + 1], &p->place, &p->height);
                p->place += (double)i;
            }
        }
        i = end + 1;
    }
    return count;
}

/** A maximum on the way and the lowest sample between it and the next one. */
struct hill {
    double top, valley;
};

/*
 * For each peak the lowest sample on one side before something higher: walk once, keep a stack of
 * falling tops, each with the lowest sample since it. low[] takes the result.
 */
static void peaks_find_valleys(double *low, const struct prvcut_peak *peaks, size_t count,
                               const double *in, size_t n, bool forward, struct hill *stack)
{
    size_t depth = 0, place = forward ? 0 : n - 1;

    for (size_t k = 0; k < count; k++) {
        const size_t i = forward ? k : count - 1 - k;
        double valley = in[place];

        for (; place != peaks[i].at; place = forward ? place + 1 : place - 1)
            valley = fmin(valley, in[place]);
        while (depth > 0 && stack[depth - 1].top <= in[place])
            valley = fmin(valley, stack[--depth].valley);
        low[i] = valley;
        stack[depth++] = (struct hill){ in[place], valley };
    }
}

static bool peaks_find_prominences(struct prvcut_peak *peaks, size_t count, const double *in,
                                   size_t n)
{
    double *left = prvcut_unset(count, sizeof *left, "peaks", NULL),
           *right = prvcut_unset(count, sizeof *right, "peaks", NULL);
    struct hill *stack = prvcut_unset(count, sizeof *stack, "peaks", NULL);
    const bool done = left && right && stack;

    if (done) {
        peaks_find_valleys(left, peaks, count, in, n, true, stack);
        peaks_find_valleys(right, peaks, count, in, n, false, stack);
        for (size_t i = 0; i < count; i++)
            peaks[i].prominence = in[peaks[i].at] - fmax(left[i], right[i]);
    }
    free(left);
    free(right);
    free(stack);
    return done;
}

enum prvcut_status prvcut_peaks(struct prvcut_peak **out, size_t *count, const double *in, size_t n,
                                struct prvcut_error *err)
{
    struct prvcut_peak *peaks;

    *out = NULL;
    *count = 0;
    if (n < 3)
        return PRVCUT_OK;
    peaks = prvcut_unset(n / 2, sizeof *peaks, "peaks", NULL);
    if (peaks)
        *count = peaks_find_maxima(peaks, in, n);
    if (!peaks || (*count > 0 && !peaks_find_prominences(peaks, *count, in, n))) {
        free(peaks);
        *count = 0;
        return prvcut_no_memory(err, "peaks");
    }
    if (*count > 0)
        *out = peaks;
    else
        free(peaks);
    return PRVCUT_OK;
}
