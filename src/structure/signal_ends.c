#include "structure/signal_ends.h"

#include "base/memory.h"
#include "dsp/order.h"
#include "structure/signal_shapes.h"

#include <math.h>
#include <stdlib.h>

/*
 * How far a loop goes by what its iterations look like. Found on 300 random traces of sampled
 * counters (tests/accuracy/counted_run.c), where iterations differ by 0.001 to 0.06 and what is
 * none by 0.1 and more, and held against the benchmarks' traces, asked without calls.
 *
 * name           value  unit              decides
 */
#define ENDS_ENOUGH   6    /* iterations        whose ends are looked at */
#define ENDS_UNLIKE   0.05 /* of the variation  iterations that differ by less are alike, ... */
#define ENDS_WIDER    3    /* ... and those that differ by that times what most do, ... */
#define ENDS_MOST     0.9  /* ... this share of them */
#define ENDS_VAGUE    0.25 /* of the variation  where even these differ by that, nothing is told */
#define ENDS_LOST     4    /* times that        most that a slot of a part left at an end counts */
#define ENDS_PATIENCE 4    /* iterations        unlike in a row, behind which none is looked for */
#define ENDS_LONGER   0.6  /* of a length       by which the first one may be longer, ... */
#define ENDS_SLOW     1.25 /* ... and by which factor all that it shows may differ (roots), ... */
#define ENDS_COLD     2.5  /* ... so many times as unlike as others, at their levels */
#define ENDS_PAUSE    1.75 /* lengths           from which an interval holds a pause */

void prvcut_signal_ends_fini(struct prvcut_signal_ends *e)
{
    for (size_t i = 0; i < e->signals; i++)
        free(e->sum[i]);
}

enum prvcut_status prvcut_signal_ends_init(struct prvcut_signal_ends *e, struct prvcut_error *err)
{
    for (size_t i = 0; i < e->signals; i++) {
        const struct prvcut_signal *s = &e->signal[i];

        e->sum[i] = prvcut_unset(s->bins + 1, sizeof *e->sum[i], "a signal", err);
        if (!e->sum[i])
            return PRVCUT_ENOMEM;
        e->sum[i][0] = 0;
        for (size_t k = 0; k < s->bins; k++)
            e->sum[i][k + 1] = e->sum[i][k] + sqrt(fabs(s->at[k]));
    }
    return PRVCUT_OK;
}

/** How much most iterations differ. *clear false: too few are alike to say anything. */
static enum prvcut_status ends_measure(struct signal_shapes *e,
                                       const struct signal_shape_borders *b, bool *clear,
                                       struct prvcut_error *err)
{
    const size_t n = b->count - 1;
    double *off = prvcut_unset(n, sizeof *off, "iterations", err);
    size_t count = 0;

    *clear = false;
    if (!off)
        return PRVCUT_ENOMEM;
    for (size_t k = n / 4; k < n - n / 4; k++) {
        struct signal_shape shape;

        if (!prvcut_shapes_usual(e, b, k))
            continue;
        prvcut_shape_of(&shape, e, b->at[k], b->at[k + 1]);
        off[count++] = prvcut_shape_off(e, &shape, k, SHAPE_SHIFT);
    }
    if (count > 1) {
        const size_t most = (size_t)(ENDS_MOST * (double)(count - 1));

        e->alike = fmax(ENDS_UNLIKE, ENDS_WIDER * prvcut_select(off, count, most));
        *clear = e->alike < ENDS_VAGUE;
    }
    free(off);
    return PRVCUT_OK;
}

/** 1: just like a model; -1: not at all; 0: nothing is known. */
static double ends_gain(const struct signal_shapes *e, double from, double to, size_t self)
{
    struct signal_shape shape;

    if (to - from > ENDS_PAUSE * e->usual || prvcut_shapes_masked(e, from, to))
        return 0;
    prvcut_shape_of(&shape, e, from, to);
    return fmax(-1, 1 - prvcut_shape_off(e, &shape, self, SHAPE_SHIFT) / e->alike);
}

/** How far it goes from the middle on: border with the most that is like the models before it. */
static size_t ends_walk(const struct signal_shapes *e, const struct signal_shape_borders *b,
                        int side)
{
    size_t at = (b->count - 1) / 2, best = at;
    double sum = 0, most = 0;

    while (side < 0 ? at > 0 : at + 1 < b->count) {
        const size_t interval = side < 0 ? at - 1 : at;

        sum += ends_gain(e, b->at[interval], b->at[interval + 1], interval);
        at = side < 0 ? at - 1 : at + 1;
        if (sum > most) {
            most = sum;
            best = at;
        }
    }
    return best;
}

/** Lay iterations beyond an end as long as some of the next ones are like the models. */
static enum prvcut_status ends_go_on(struct signal_shapes *e, struct signal_shape_borders *b,
                                     int side, struct prvcut_error *err)
{
    const size_t kept = b->count;
    size_t good = kept, unlike = 0;
    double sum = 0, most = 0;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && unlike < ENDS_PATIENCE && sum > most - ENDS_PATIENCE) {
        const double time = prvcut_shape_border_last(b, side),
                     next = time + side * prvcut_shapes_lay(e, time, side);
        const double from = fmin(time, next), to = fmax(time, next);
        double gain;

        if (!prvcut_shapes_inside(e, from, to))
            break;
        gain = ends_gain(e, from, to, SIZE_MAX);
        st = prvcut_shape_border_put(b, next, side, err);
        sum += gain;
        unlike = gain > 0 ? 0 : unlike + 1;
        if (sum > most) {
            most = sum;
            good = b->count;
        }
    }
    if (side < 0)
        b->at += b->count - good;
    b->count = good;
    return st;
}

/** A shape at the levels of another one, as far as caches that are still empty may change them. */
static void ends_level(const struct signal_shapes *e, struct signal_shape *a,
                       const struct signal_shape *to)
{
    for (size_t i = 0; i < e->in->signals; i++) {
        double own = 0, others = 0, factor;

        for (size_t k = 0; k < SHAPE_SLOTS; k++) {
            own += a->at[i][k];
            others += to->at[i][k];
        }
        factor = own > 0 ? fmin(ENDS_SLOW, fmax(1 / ENDS_SLOW, others / own)) : 1;
        for (size_t k = 0; k < SHAPE_SLOTS; k++)
            a->at[i][k] *= factor;
    }
}

/** The first iteration may take longer than others, and be like them but for that: how long is it
   if it ends at a time? 0: it is not. */
static double ends_first(const struct signal_shapes *e, double time)
{
    double best = 0, least = ENDS_COLD * e->alike;

    for (int k = 1; k <= 2 * SHAPE_LENGTHS; k++) {
        const double length = e->usual * (1 + ENDS_LONGER * k / (2 * SHAPE_LENGTHS));
        struct signal_shape shape;

        if (!prvcut_shapes_inside(e, time - length, time))
            break;
        prvcut_shape_of(&shape, e, time - length, time);
        for (size_t m = 0; m < e->models; m++) {
            struct signal_shape level = shape;
            double off;

            ends_level(e, &level, &e->model[m]);
            off = prvcut_shape_distance(e, &level, &e->model[m], SHAPE_SHIFT);
            if (off < least) {
                least = off;
                best = length;
            }
        }
    }
    return best;
}

/** Share of an iteration beyond an end that is like a model, from that end on. */
static double ends_part(const struct signal_shapes *e, double time, int side)
{
    const double from = side < 0 ? time - e->usual : time;
    struct signal_shape shape;
    double most = 0, part = 0;

    prvcut_shape_of(&shape, e, from, from + e->usual);
    for (size_t m = 0; m < e->models; m++) {
        double sum = 0;

        for (size_t k = 0; k < SHAPE_SLOTS; k++) {
            const size_t slot = side < 0 ? SHAPE_SLOTS - 1 - k : k;
            const double begin = from + e->usual * (double)slot / SHAPE_SLOTS;

            if (!prvcut_shapes_inside(e, begin, begin + e->usual / SHAPE_SLOTS))
                break;
            sum +=
                1 - fmin(ENDS_LOST,
                         prvcut_shape_slot(e, &shape, slot, &e->model[m], SHAPE_NEAR) / e->alike);
            if (sum > most) {
                most = sum;
                part = (double)(k + 1) / SHAPE_SLOTS;
            }
        }
    }
    return part;
}

/** All borders move on by a share of their iterations. */
static void ends_move(const struct signal_shapes *e, struct signal_shape_borders *b, double share)
{
    const size_t last = b->count - 1;

    for (size_t k = 0; k < last; k++)
        b->at[k] += share * (b->at[k + 1] - b->at[k]);
    b->at[last] += share * e->usual;
}

/** Parts of iterations that are left at both ends make a whole one: all borders move. */
static enum prvcut_status ends_settle(struct signal_shapes *e, struct signal_shape_borders *b,
                                      struct prvcut_error *err)
{
    const double before = ends_part(e, b->at[0], -1);
    const double behind = ends_part(e, b->at[b->count - 1], 1);
    const double first = ends_first(e, b->at[0] + behind * (b->at[1] - b->at[0]));

    const double move = first > 0 ? behind : (behind + 1 - before) / 2;
    const double length = first > 0 ? first : e->usual;

    if ((first == 0 && before + behind < 0.5) ||
        b->at[0] + move * (b->at[1] - b->at[0]) - length < (double)e->in->span.start ||
        prvcut_shape_border_last(b, 1) + move * e->usual > (double)e->in->span.end)
        return PRVCUT_OK;
    ends_move(e, b, move);
    return prvcut_shape_border_put(b, b->at[0] - length, -1, err);
}

/** How long intervals are that hold a pause, or iterations that are like nothing. */
static double ends_pauses(const struct signal_shapes *e, const double *at, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k + 1 < count; k++)
        sum += at[k + 1] - at[k] > ENDS_PAUSE * e->usual ? at[k + 1] - at[k] : 0;
    return sum;
}

static enum prvcut_status ends_tell(struct prvcut_loop *l, struct prvcut_signal_borders *borders,
                                    const struct signal_shapes *e,
                                    const struct signal_shape_borders *b, double pauses,
                                    struct prvcut_error *err)
{
    const double idle =
        fmax(0, (double)(l->span.end - l->span.start) - l->iterations * l->period_ns);
    const double inside = l->iterations - ((double)borders->count - 1);
    const double kept = pauses > 0 ? ends_pauses(e, b->at, b->count) / pauses : 0;
    uint64_t *at = prvcut_unset(b->count, sizeof *at, "borders", err);

    if (!at)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < b->count; k++)
        at[k] = (uint64_t)fmin(fmax(b->at[k], (double)e->in->span.start), (double)e->in->span.end);
    free(borders->at);
    *borders = (struct prvcut_signal_borders){ at, b->count };
    l->span = (struct prvcut_span){ at[0], at[b->count - 1] };
    l->iterations = (double)b->count - 1 + kept * inside;
    l->period_ns = ((double)(l->span.end - l->span.start) - kept * idle) / l->iterations;
    return PRVCUT_OK;
}

static enum prvcut_status ends_look(struct signal_shapes *e, struct signal_shape_borders *b,
                                    bool *changed, struct prvcut_error *err)
{
    bool clear = false, few = !prvcut_shapes_prepare(e, b);
    size_t first, last;
    enum prvcut_status st = PRVCUT_OK;

    *changed = false;
    if (!few)
        st = prvcut_shapes_count(e, b, &few, err);
    if (st == PRVCUT_OK && !few && e->models >= SHAPE_LEAST && b->count > ENDS_ENOUGH)
        st = ends_measure(e, b, &clear, err);
    if (st < 0 || !clear)
        return st;
    first = ends_walk(e, b, -1);
    last = ends_walk(e, b, 1);
    if (last - first < SHAPE_LEAST)
        return PRVCUT_OK;
    b->count = last - first + 1;
    b->at += first;
    st = ends_go_on(e, b, -1, err);
    if (st == PRVCUT_OK)
        st = ends_go_on(e, b, 1, err);
    if (st == PRVCUT_OK)
        st = ends_settle(e, b, err);
    *changed = st == PRVCUT_OK;
    return st;
}

/** Borders as they are known, and the usual length. */
static enum prvcut_status ends_take(struct signal_shapes *e, struct signal_shape_borders *b,
                                    const struct prvcut_signal_borders *from,
                                    struct prvcut_error *err)
{
    const size_t n = from->count - 1;
    double *length = prvcut_unset(n, sizeof *length, "iterations", err);
    enum prvcut_status st = length ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t k = 0; k <= n && st == PRVCUT_OK; k++)
        st = prvcut_shape_border_put(b, (double)from->at[k], 1, err);
    for (size_t k = 0; k < n && st == PRVCUT_OK; k++)
        length[k] = b->at[k + 1] - b->at[k];
    if (st == PRVCUT_OK)
        e->usual = prvcut_median(length, n);
    free(length);
    return st;
}

enum prvcut_status prvcut_signal_ends_find(struct prvcut_loop *l,
                                           struct prvcut_signal_borders *borders,
                                           const struct prvcut_signal_ends *in,
                                           struct prvcut_error *err)
{
    struct signal_shapes e = { .in = in };
    struct signal_shape_borders b = { .at = NULL };
    double pauses = 0;
    bool changed = false;
    enum prvcut_status st;

    if (!borders->at || borders->count < SHAPE_LEAST + 1 || in->signals == 0)
        return PRVCUT_OK;
    st = ends_take(&e, &b, borders, err);
    if (st == PRVCUT_OK)
        pauses = ends_pauses(&e, b.at, b.count);
    if (st == PRVCUT_OK && e.usual > 0)
        st = ends_look(&e, &b, &changed, err);
    if (changed)
        st = ends_tell(l, borders, &e, &b, pauses, err);
    free(b.store);
    return st;
}
