#include "structure/signal_shapes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found on 300 random traces of sampled counters (tests/accuracy/counted_run.c) and held against
 * the benchmarks' traces, asked without calls (accuracy_signals --traces).
 *
 * name                 value  unit         decides
 */
#define SHAPE_USUAL   0.25 /* of a length  by which iterations that say something may differ */
#define SHAPE_REPEATS 0.1  /* of a signal's variation that repeats: least of one that is asked */
#define SHAPE_SIGNALS 2    /* signals      that must repeat: one alone shows too little */
#define SHAPE_STRETCH 0.24 /* of a length  by which one that is laid beside others may differ */

static double shape_sum_to(const struct signal_shapes *e, size_t signal, double time)
{
    const struct prvcut_signal *s = &e->in->signal[signal];
    const double bin = fmax(0, (time - (double)s->start) / (double)s->width);
    const size_t whole = bin < (double)s->bins ? (size_t)bin : s->bins;
    const double *at = e->in->sum[signal] + whole;

    return whole == s->bins ? at[0] : at[0] + (bin - (double)whole) * (at[1] - at[0]);
}

void prvcut_shape_of(struct signal_shape *out, const struct signal_shapes *e, double from,
                     double to)
{
    for (size_t i = 0; i < e->in->signals; i++) {
        double before = shape_sum_to(e, i, from);

        for (size_t k = 0; k < SHAPE_SLOTS; k++) {
            const double end = from + (to - from) * (double)(k + 1) / SHAPE_SLOTS;
            const double sum = shape_sum_to(e, i, end);

            out->at[i][k] = (sum - before) / (to - from) * SHAPE_SLOTS;
            before = sum;
        }
    }
}

static double shape_slot_distance(const struct signal_shapes *e, const struct signal_shape *a,
                                  size_t i, const struct signal_shape *b, size_t k)
{
    double sum = 0;

    for (size_t s = 0; s < e->in->signals; s++) {
        const double off = a->at[s][i] - b->at[s][k];

        sum += e->weight[s] * off * off;
    }
    return sum / e->scale;
}

/** What a slot of a differs by from the nearest one of b that it may shift to. */
double prvcut_shape_slot(const struct signal_shapes *e, const struct signal_shape *a, size_t i,
                         const struct signal_shape *b, size_t shift)
{
    const size_t from = i > shift ? i - shift : 0;
    const size_t to = i + shift < SHAPE_SLOTS ? i + shift + 1 : SHAPE_SLOTS;
    double least = INFINITY;

    for (size_t k = from; k < to; k++)
        least = fmin(least, shape_slot_distance(e, a, i, b, k));
    return least;
}

double prvcut_shape_distance(const struct signal_shapes *e, const struct signal_shape *a,
                             const struct signal_shape *b, size_t shift)
{
    double sum = 0;

    /* Both ways: what is flat is like a part of anything. */
    for (size_t i = 0; i < SHAPE_SLOTS; i++)
        sum += prvcut_shape_slot(e, a, i, b, shift) + prvcut_shape_slot(e, b, i, a, shift);
    return sum / (2 * SHAPE_SLOTS);
}

/** From the models; but not from itself. */
double prvcut_shape_off(const struct signal_shapes *e, const struct signal_shape *a, size_t self,
                        size_t shift)
{
    double least = INFINITY;

    for (size_t m = 0; m < e->models; m++) {
        const double off =
            e->of[m] == self ? INFINITY : prvcut_shape_distance(e, a, &e->model[m], shift);

        least = fmin(least, off);
    }
    return least;
}

bool prvcut_shapes_masked(const struct signal_shapes *e, double from, double to)
{
    for (size_t i = 0; i < e->in->masks; i++)
        if ((double)e->in->mask[i].start < to && (double)e->in->mask[i].end > from)
            return true;
    return false;
}

bool prvcut_shapes_inside(const struct signal_shapes *e, double from, double to)
{
    return from >= (double)e->in->span.start && to <= (double)e->in->span.end &&
           !prvcut_shapes_masked(e, from, to);
}

bool prvcut_shapes_usual(const struct signal_shapes *e, const struct signal_shape_borders *b,
                         size_t k)
{
    return fabs((b->at[k + 1] - b->at[k]) / e->usual - 1) < SHAPE_USUAL &&
           !prvcut_shapes_masked(e, b->at[k], b->at[k + 1]);
}

/** Iterations of the middle half, evenly chosen, are the models. */
static void shape_choose_models(struct signal_shapes *e, const struct signal_shape_borders *b)
{
    const size_t n = b->count - 1, from = n / 4, to = n - n / 4;
    const size_t step = (to - from + SHAPE_MODELS - 1) / SHAPE_MODELS;

    for (size_t k = from; k < to && e->models < SHAPE_MODELS; k += step)
        if (prvcut_shapes_usual(e, b, k)) {
            e->of[e->models] = k;
            prvcut_shape_of(&e->model[e->models++], e, b->at[k], b->at[k + 1]);
        }
}

/** Of a signal: variation inside the models, and what of it does not repeat. */
static void shape_weigh(struct signal_shapes *e, size_t signal)
{
    double mean = 0, all = 0, rest = 0, share;

    for (size_t k = 0; k < SHAPE_SLOTS; k++)
        for (size_t m = 0; m < e->models; m++)
            mean += e->model[m].at[signal][k] / (double)(e->models * SHAPE_SLOTS);
    for (size_t k = 0; k < SHAPE_SLOTS; k++) {
        double own = 0;

        for (size_t m = 0; m < e->models; m++)
            own += e->model[m].at[signal][k] / (double)e->models;
        for (size_t m = 0; m < e->models; m++) {
            const double x = e->model[m].at[signal][k];

            all += (x - mean) * (x - mean);
            rest += (x - own) * (x - own) * (double)e->models / (double)(e->models - 1);
        }
    }
    share = all > 0 ? 1 - rest / all : 0;
    all /= (double)(e->models * SHAPE_SLOTS);
    e->weight[signal] = share > SHAPE_REPEATS ? share / all : 0;
    e->scale += share > SHAPE_REPEATS ? share : 0;
}

/** Choose models and weigh signals. False: too little repeats. */
bool prvcut_shapes_prepare(struct signal_shapes *e, const struct signal_shape_borders *b)
{
    size_t repeat = 0;

    e->models = 0;
    e->scale = 0;
    if (b->count > SHAPE_LEAST)
        shape_choose_models(e, b);
    for (size_t i = 0; e->models >= 2 && i < e->in->signals; i++) {
        shape_weigh(e, i);
        repeat += e->weight[i] > 0;
    }
    return repeat >= SHAPE_SIGNALS;
}

/** The length of the iteration beside a time that is most like a model. side: -1 before, 1 behind
 */
double prvcut_shapes_lay(const struct signal_shapes *e, double time, int side)
{
    double best = e->usual, least = INFINITY;

    for (int k = -SHAPE_LENGTHS; k <= SHAPE_LENGTHS; k++) {
        const double length = e->usual * (1 + SHAPE_STRETCH * k / SHAPE_LENGTHS);
        const double from = side < 0 ? time - length : time;
        struct signal_shape shape;
        double off;

        prvcut_shape_of(&shape, e, from, from + length);
        off = prvcut_shape_off(e, &shape, SIZE_MAX, SHAPE_NEAR);
        if (off < least) {
            least = off;
            best = length;
        }
    }
    return best;
}

/** As much room at either end as there are borders. */
static enum prvcut_status shape_make_room(struct signal_shape_borders *b, struct prvcut_error *err)
{
    const size_t spare = b->count + 8, room = b->count + 2 * spare;
    double *store = prvcut_unset(room, sizeof *store, "borders", err);

    if (!store)
        return PRVCUT_ENOMEM;
    if (b->count > 0)
        memcpy(store + spare, b->at, b->count * sizeof *store);
    free(b->store);
    b->store = store;
    b->at = store + spare;
    b->room = room;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_shape_border_put(struct signal_shape_borders *b, double time, int side,
                                           struct prvcut_error *err)
{
    const bool full =
        !b->store || (side < 0 ? b->at == b->store : b->at + b->count == b->store + b->room);

    if (full && shape_make_room(b, err) < 0)
        return PRVCUT_ENOMEM;
    if (side < 0)
        *--b->at = time;
    else
        b->at[b->count] = time;
    b->count++;
    return PRVCUT_OK;
}

double prvcut_shape_border_last(const struct signal_shape_borders *b, int side)
{
    return b->at[side < 0 ? 0 : b->count - 1];
}
