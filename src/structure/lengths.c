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
#define LENGTHS_SHARE  0.01 /* of the median   less than which nothing stands out */
#define LENGTHS_Q75    1.15 /* deviations      third quartile of the distances */
#define LENGTHS_WINDOW 51   /* iterations      around one, whose median it is compared with */
#define LENGTHS_LEAST  7    /* iterations      the same in short runs */
#define LENGTHS_FOLLOW                                                                             \
    2.4 /* of 1/width      by which distances from a median of so few, of which each is one, are   \
           too small (from random runs of 10 to 400) */
#define LENGTHS_TREND 16 /* iterations      from which on a drift is looked for */
#define LENGTHS_LACKS                                                                              \
    0.75               /* of what others take until their last call: a last one that is shorter    \
                          lacks more than what follows its own */
#define ODD_OTHERS 3   /* iterations      that others must be, for a first one to be like none */
#define ODD_WHOLE  0.8 /* of the shortest a last one has that is seen whole */
#define ODD_LONG   1.5 /* medians         that an odd first one takes, ... */
#define ODD_FAR    2.0 /* spans           ... and how far it is beyond the longest of the others */

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

/* Slope of a drift: median over pairs that lie half of the run apart. room: count doubles. */
static double lengths_slope(const struct lengths_list *l, double *room)
{
    size_t half = l->count / 2;

    if (l->count < LENGTHS_TREND)
        return 0;
    for (size_t i = 0; i + half < l->count; i++)
        room[i] = (l->at[i + half] - l->at[i]) / (double)half;
    return prvcut_median(room, l->count - half);
}

struct lengths_sought {
    const double *at;
    double x;
};

static bool lengths_not_below(const void *ctx, size_t i)
{
    const struct lengths_sought *s = ctx;

    return !(s->at[i] < s->x);
}

/* First of the ascending values that is not less than x. */
static size_t lengths_seek(const double *at, size_t count, double x)
{
    const struct lengths_sought s = { at, x };

    return prvcut_first(0, count, lengths_not_below, &s);
}

/* Of the windows that each is compared with. */
static size_t lengths_width(size_t count)
{
    size_t width = count / 4 | 1;

    width = width < LENGTHS_LEAST ? LENGTHS_LEAST : width;
    width = width > LENGTHS_WINDOW ? LENGTHS_WINDOW : width;
    return width > count ? count : width;
}

/*
 * The median around each value, in windows that stay inside the run; out: [count]. The window is
 * kept sorted, so that each step moves few values.
 */
static void lengths_local(double *out, const double *at, size_t count)
{
    double window[LENGTHS_WINDOW];
    const size_t width = lengths_width(count);
    size_t from = 0, to = 0;

    for (size_t i = 0; i < count; i++) {
        size_t first = i > width / 2 ? i - width / 2 : 0, k;

        first = first + width > count ? count - width : first;
        for (; from < first; from++) {
            k = lengths_seek(window, to - from, at[from]);
            memmove(&window[k], &window[k + 1], (to - from - k - 1) * sizeof *window);
        }
        for (; to < first + width; to++) {
            k = lengths_seek(window, to - from, at[to]);
            memmove(&window[k + 1], &window[k], (to - from - k) * sizeof *window);
            window[k] = at[to];
        }
        out[i] = (window[width / 2] + window[(width - 1) / 2]) / 2;
    }
}

/* Replace each length by its distance from what is usual around it, as a share of that. */
static void lengths_compare(struct lengths_list *l, double *room[2])
{
    double slope = lengths_slope(l, room[0]);

    for (size_t i = 0; i < l->count; i++)
        room[0][i] = l->at[i] - slope * (double)i;
    lengths_local(room[1], room[0], l->count);
    for (size_t i = 0; i < l->count; i++) {
        double usual = room[1][i] + slope * (double)i;

        l->at[i] = usual > 0 ? l->at[i] / usual - 1 : 0;
    }
}

/* Robust standard deviations that make an outlier. */
static double lengths_usual_far(void)
{
    return prvcut_parameter_of(NULL, PRVCUT_SET_UNUSUAL);
}

/* The median around a value follows it, the more so the fewer it is of: against a wide window. */
static double lengths_followed(size_t count)
{
    return (1 + LENGTHS_FOLLOW / (double)lengths_width(count)) /
           (1 + LENGTHS_FOLLOW / LENGTHS_WINDOW);
}

/*
 * The distance that counts as one standard deviation. Where more stand out than can be called
 * unusual, there are two kinds of iterations, and it takes more to be neither.
 */
static double lengths_deviation(const struct lengths_list *l, double *room)
{
    double deviation, third;
    size_t out = 0;

    memcpy(room, l->at, l->count * sizeof *room);
    deviation = fmax(PRVCUT_MAD_SCALE * prvcut_mad(room, l->count, 0) * lengths_followed(l->count),
                     LENGTHS_SHARE / lengths_usual_far());
    for (size_t i = 0; i < l->count; i++) {
        room[i] = fabs(l->at[i]);
        out += room[i] > lengths_usual_far() * deviation;
    }
    if ((double)out <= PRVCUT_LENGTHS_MANY * (double)l->count)
        return deviation;
    third = prvcut_select(room, l->count, l->count - l->count / 4 - 1);
    return fmax(deviation, third / LENGTHS_Q75);
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
        lengths_compare(out, room);
        out->far = lengths_usual_far();
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
