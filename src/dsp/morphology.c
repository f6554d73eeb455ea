#include "dsp/morphology.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

/** Candidates for the extremum of the window, in order of place; each beats all before it. */
struct queue {
    size_t *place;
    double *value;
    size_t head, tail;
};

static void morphology_queue_push(struct queue *q, size_t place, double value)
{
    while (q->tail > q->head && q->value[q->tail - 1] >= value)
        q->tail--;
    q->place[q->tail] = place;
    q->value[q->tail++] = value;
}

/*
 * out[i] = sign * min of sign * in over [i - before, i + after]. The queue keeps its own copy of
 * the values, so out may be in: a sample is overwritten only after it was read.
 */
static void morphology_slide(double *out, const double *in, size_t n, const size_t reach[2],
                             double sign, struct queue *q)
{
    size_t next = 0;

    q->head = q->tail = 0;
    for (size_t i = 0; i < n; i++) {
        for (; next < n && (next <= i || next - i <= reach[1]); next++)
            morphology_queue_push(q, next, sign * in[next]);
        while (q->place[q->head] + reach[0] < i)
            q->head++;
        out[i] = sign * q->value[q->head];
    }
}

enum turn { ERODE, DILATE };

static enum prvcut_status morphology_run(double *out, const double *in, size_t n, size_t width,
                                         const enum turn *turns, size_t count,
                                         struct prvcut_error *err)
{
    struct queue q = { 0 };
    enum prvcut_status st = PRVCUT_OK;
    size_t bytes;

    if (width == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a morphological filter of width 0");
    if (n == 0)
        return PRVCUT_OK;
    /* Beyond 2n + 1 every window covers all samples. */
    if (width / 2 > n)
        width = 2 * n + 1;
    if (prvcut_ckd_mul_size(&bytes, n, sizeof *q.value)) {
        q.place = prvcut_unset(n, sizeof *q.place, "filtering samples", err);
        q.value = prvcut_unset(1, bytes, "filtering samples", err);
    }
    if (!q.place || !q.value)
        st = PRVCUT_ENOMEM;
    for (size_t t = 0; st == PRVCUT_OK && t < count; t++) {
        const size_t low = width / 2, high = width - 1 - width / 2;
        const size_t reach[2] = { turns[t] == ERODE ? low : high, turns[t] == ERODE ? high : low };

        morphology_slide(out, t == 0 ? in : out, n, reach, turns[t] == ERODE ? 1.0 : -1.0, &q);
    }
    free(q.place);
    free(q.value);
    return st;
}

enum prvcut_status prvcut_erode(double *out, const double *in, size_t n, size_t width,
                                struct prvcut_error *err)
{
    static const enum turn turns[] = { ERODE };

    return morphology_run(out, in, n, width, turns, 1, err);
}

enum prvcut_status prvcut_dilate(double *out, const double *in, size_t n, size_t width,
                                 struct prvcut_error *err)
{
    static const enum turn turns[] = { DILATE };

    return morphology_run(out, in, n, width, turns, 1, err);
}

enum prvcut_status prvcut_opening(double *out, const double *in, size_t n, size_t width,
                                  struct prvcut_error *err)
{
    static const enum turn turns[] = { ERODE, DILATE };

    return morphology_run(out, in, n, width, turns, 2, err);
}

enum prvcut_status prvcut_closing(double *out, const double *in, size_t n, size_t width,
                                  struct prvcut_error *err)
{
    static const enum turn turns[] = { DILATE, ERODE };

    return morphology_run(out, in, n, width, turns, 2, err);
}
