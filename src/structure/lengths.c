#include "structure/lengths.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * LENGTHS_Q75 is the normal distribution's; the others were set by hand and not fitted.
 *
 * name           value  unit            decides
 */
#define LENGTHS_SHARE 0.01 /* of the median   less than which nothing stands out */
#define LENGTHS_Q75   1.15 /* deviations      third quartile of the distances */
#define LENGTHS_LACKS                                                                              \
    0.75                /* of what others take until their last call: a last one that is shorter   \
                           lacks more than what follows its own */
#define LENGTHS_OUT 4.0 /* deviations      from which on one is none of those that tell them */
#define ODD_OTHERS  3   /* iterations      that others must be, for a first one to be like none */
#define ODD_WHOLE   0.8 /* of the shortest a last one has that is seen whole */
#define ODD_LONG    1.5 /* medians         that an odd first one takes, ... */
#define ODD_FAR     2.0 /* spans           ... and how far it is beyond the longest of the others */

enum prvcut_status prvcut_lengths_take(struct lengths_list *out, const uint64_t *border,
                                       size_t borders, const struct prvcut_span *mask, size_t masks,
                                       struct prvcut_error *err)
{
    size_t n = borders > 0 ? borders - 1 : 0, m = 0;

    *out = (struct lengths_list){ 0 };
    if (n == 0)
        return PRVCUT_OK;
    /* There is room for a last one that is judged apart. */
    out->at = prvcut_unset(n + 1, sizeof *out->at, "iterations", err);
    out->iteration = prvcut_unset(n + 1, sizeof *out->iteration, "iterations", err);
    if (!out->at || !out->iteration) {
        prvcut_lengths_drop(out);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        while (m < masks && mask[m].end <= border[i])
            m++;
        if (m < masks && mask[m].start < border[i + 1])
            continue;
        out->iteration[out->count] = i;
        out->at[out->count++] = (double)(border[i + 1] - border[i]);
    }
    return PRVCUT_OK;
}

void prvcut_lengths_drop(struct lengths_list *l)
{
    free(l->at);
    free(l->iteration);
    *l = (struct lengths_list){ 0 };
}

enum prvcut_status prvcut_lengths_measure(struct prvcut_lengths *out, const uint64_t *border,
                                          size_t borders, const struct prvcut_span *mask,
                                          size_t masks, struct prvcut_error *err)
{
    struct lengths_list l;
    enum prvcut_status st = prvcut_lengths_take(&l, border, borders, mask, masks, err);

    *out = (struct prvcut_lengths){ 0 };
    if (st != PRVCUT_OK || l.count == 0) {
        prvcut_lengths_drop(&l);
        return st;
    }
    out->first = l.at[0];
    out->last = l.at[l.count - 1];
    for (size_t i = 0; i < l.count; i++)
        out->mean += l.at[i] / (double)l.count;
    out->median = prvcut_median(l.at, l.count);
    out->spread = PRVCUT_MAD_SCALE * prvcut_mad(l.at, l.count, out->median);
    prvcut_lengths_drop(&l);
    return PRVCUT_OK;
}

/* Robust standard deviations that make an outlier. */
static double lengths_usual_far(void)
{
    return prvcut_parameter_of(NULL, PRVCUT_SET_UNUSUAL);
}

/* Half of all but the `out` farthest are nearer than this. near: [count] distances, positive; their
   order is changed */
static double lengths_half(double *near, size_t count, size_t out)
{
    return prvcut_select(near, count, (count - out) / 2);
}

/*
 * The distance that counts as one standard deviation, of those that do not stand out: where some of
 * few do, the others' spread is less than that of all. Where more stand out than can be called
 * unusual, there are two kinds of iterations, and it takes more to be neither.
 */
static double lengths_deviation(const struct lengths_list *l, double *room)
{
    const double least = LENGTHS_SHARE / l->far;
    double deviation, third;
    size_t out = 0, before;

    for (size_t i = 0; i < l->count; i++)
        room[i] = fabs(l->at[i]);
    do {
        before = out;
        deviation = fmax(PRVCUT_MAD_SCALE * lengths_half(room, l->count, out) * l->followed, least);
        out = 0;
        for (size_t i = 0; i < l->count; i++)
            out += room[i] > LENGTHS_OUT * deviation;
        if ((double)out > PRVCUT_LENGTHS_MANY * (double)l->count) {
            third = prvcut_select(room, l->count, l->count - l->count / 4 - 1);
            return fmax(deviation, third / LENGTHS_Q75);
        }
    } while (out > before);
    return deviation;
}

/* Keep it if it is among the most unusual; of equals the earlier one. */
static void lengths_keep(struct prvcut_outlier *out, size_t *count, const struct prvcut_outlier *o)
{
    size_t at = *count;

    if (at == PRVCUT_OUTLIERS_MAX) {
        if (fabs(o->deviation) <= fabs(out[at - 1].deviation))
            return;
        at--;
    } else {
        (*count)++;
    }
    for (; at > 0 && fabs(out[at - 1].deviation) < fabs(o->deviation); at--)
        out[at] = out[at - 1];
    out[at] = *o;
}

enum prvcut_status prvcut_lengths_judge(struct lengths_list *out, const uint64_t *border,
                                        size_t borders, const struct prvcut_span *mask,
                                        size_t masks, struct prvcut_error *err)
{
    double *room[2] = { NULL, NULL };
    enum prvcut_status st = prvcut_lengths_take(out, border, borders, mask, masks, err);

    if (st != PRVCUT_OK || out->count < 3) {
        prvcut_lengths_drop(out);
        return st;
    }
    room[0] = prvcut_unset(out->count, sizeof *room[0], "iterations", err);
    room[1] = prvcut_unset(out->count, sizeof *room[1], "iterations", err);
    if (room[0] && room[1]) {
        out->far = lengths_usual_far();
        prvcut_lengths_usual(out, LENGTHS_SHARE / out->far, room);
        out->deviation = lengths_deviation(out, room[0]);
        prvcut_lengths_clear(out, out->far * out->deviation, room[0]);
        for (size_t i = 0; i < out->count; i++)
            out->at[i] /= out->deviation;
        for (size_t i = 0; i < sizeof out->clear / sizeof *out->clear; i++)
            out->clear[i] /= out->deviation;
    } else {
        st = PRVCUT_ENOMEM;
        prvcut_lengths_drop(out);
    }
    free(room[0]);
    free(room[1]);
    return st;
}

enum prvcut_status prvcut_lengths_judge_again(struct lengths_list *judged, struct prvcut_error *err)
{
    struct lengths_list l = *judged;
    double *room;

    if (l.count == 0)
        return PRVCUT_OK;
    room = prvcut_unset(2 * l.count, sizeof *room, "iterations", err);
    if (!room)
        return PRVCUT_ENOMEM;
    l.at = room;
    for (size_t i = 0; i < l.count; i++)
        l.at[i] = judged->at[i] * l.deviation;
    prvcut_lengths_clear(&l, lengths_usual_far() * l.deviation, room + l.count);
    for (size_t i = 0; i < sizeof l.clear / sizeof *l.clear; i++)
        judged->clear[i] = l.clear[i] / l.deviation;
    free(room);
    return PRVCUT_OK;
}

void prvcut_lengths_judge_last(struct lengths_list *judged, size_t iteration, double length,
                               double reach)
{
    if (judged->count == 0 || length >= LENGTHS_LACKS * reach)
        return;
    judged->iteration[judged->count] = iteration;
    judged->at[judged->count] = (length / reach - 1) / judged->deviation;
    judged->clear[1] = fmin(judged->clear[1], -judged->at[judged->count++]);
}

/* Does it stand out? */
static bool lengths_stands_out(const struct lengths_list *l, double at)
{
    return fabs(at) > l->far && fabs(at) >= l->clear[at < 0];
}

struct lengths_reached {
    const size_t *iteration;
    size_t least;
};

static bool lengths_reach(const void *ctx, size_t i)
{
    const struct lengths_reached *r = ctx;

    return r->iteration[i] >= r->least;
}

enum prvcut_status prvcut_lengths_far(struct lengths_far *out, const struct lengths_list *judged,
                                      const uint64_t *border, const size_t range[2],
                                      struct prvcut_error *err)
{
    const struct lengths_reached from = { judged->iteration, range[0] };
    const size_t first = prvcut_first(0, judged->count, lengths_reach, &from);
    size_t end;

    *out = (struct lengths_far){ 0 };
    for (end = first; end < judged->count && judged->iteration[end] < range[1]; end++)
        out->seen += lengths_stands_out(judged, judged->at[end]);
    if (out->seen == 0)
        return PRVCUT_OK;
    out->at = prvcut_unset(out->seen < PRVCUT_OUTLIERS_MAX ? out->seen : PRVCUT_OUTLIERS_MAX,
                           sizeof *out->at, "unusual iterations", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    for (size_t i = first; i < end; i++) {
        const size_t k = judged->iteration[i];
        const struct prvcut_outlier o = { .iteration = k - range[0],
                                          .span = { border[k], border[k + 1] },
                                          .deviation = judged->at[i],
                                          .why = judged->at[i] > 0 ? PRVCUT_OUTLIER_LONG
                                                                   : PRVCUT_OUTLIER_SHORT };

        if (lengths_stands_out(judged, o.deviation))
            lengths_keep(out->at, &out->count, &o);
    }
    return PRVCUT_OK;
}

bool prvcut_lengths_first_odd(const uint64_t *border, size_t borders, double median)
{
    double shortest = HUGE_VAL, longest = 0, first, last;

    if (borders < ODD_OTHERS + 2)
        return false;
    first = (double)(border[1] - border[0]);
    last = (double)(border[borders - 1] - border[borders - 2]);
    for (size_t i = 1; i + 2 < borders; i++) {
        const double length = (double)(border[i + 1] - border[i]);

        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
    }
    if (last >= ODD_WHOLE * shortest) {
        shortest = fmin(shortest, last);
        longest = fmax(longest, last);
    }
    return first > ODD_LONG * median && first - longest > ODD_FAR * (longest - shortest);
}
