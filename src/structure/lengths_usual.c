#include "base/search.h"
#include "dsp/order.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <string.h>

/*
 * What is usual of a length: the same for all, or a line, where this does; else the median around
 * it. A median of few goes with some that are long in a row, and calls their neighbours short.
 *
 * name           value  unit            decides
 */
#define USUAL_WINDOW 51 /* iterations      around one, whose median it is compared with */
#define USUAL_LEAST  7  /* iterations      the same in short runs */
#define USUAL_FOLLOW                                                                               \
    2.4 /* of 1/width      by which distances from a median of so few, of which each is one, are   \
           too small (from random runs of 10 to 400) */
#define USUAL_TREND 8   /* iterations      from which on a drift is looked for */
#define USUAL_LEVEL 102 /* iterations      at most that may have one usual length or line */
#define USUAL_BETTER                                                                               \
    0.5 /* of a spread     less than which must be left for what takes more to say */

enum usual { USUAL_ONE, USUAL_LINE, USUAL_AROUND, USUAL_ALL };

/* Slope of a drift: of short runs the median of what each one says, which is the median of its
   slopes to all others, so that no few in a row make one; else over pairs that lie half of the run
   apart. */
static double usual_slope(const struct lengths_list *l, double *room[2])
{
    const size_t n = l->count, half = n / 2;

    if (n < USUAL_TREND)
        return 0;
    if (n > USUAL_LEVEL) {
        for (size_t i = 0; i + half < n; i++)
            room[0][i] = (l->at[i + half] - l->at[i]) / (double)half;
        return prvcut_median(room[0], n - half);
    }
    for (size_t i = 0; i < n; i++) {
        size_t others = 0;

        for (size_t k = 0; k < n; k++)
            if (k != i)
                room[1][others++] = (l->at[k] - l->at[i]) / ((double)k - (double)i);
        room[0][i] = prvcut_median(room[1], others);
    }
    return prvcut_median(room[0], n);
}

struct usual_sought {
    const double *at;
    double x;
};

static bool usual_not_below(const void *ctx, size_t i)
{
    const struct usual_sought *s = ctx;

    return !(s->at[i] < s->x);
}

/* First of the ascending values that is not less than x. */
static size_t usual_seek(const double *at, size_t count, double x)
{
    const struct usual_sought s = { at, x };

    return prvcut_first(0, count, usual_not_below, &s);
}

/* Of the windows that each is compared with. */
static size_t usual_width(size_t count)
{
    size_t width = count / 4 | 1;

    width = width < USUAL_LEAST ? USUAL_LEAST : width;
    width = width > USUAL_WINDOW ? USUAL_WINDOW : width;
    return width > count ? count : width;
}

/*
 * The median around each value, in windows that stay inside the run; out: [count]. The window is
 * kept sorted, so that each step moves few values.
 */
static void usual_around(double *out, const double *at, size_t count)
{
    double window[USUAL_WINDOW];
    const size_t width = usual_width(count);
    size_t from = 0, to = 0;

    for (size_t i = 0; i < count; i++) {
        size_t first = i > width / 2 ? i - width / 2 : 0, k;

        first = first + width > count ? count - width : first;
        for (; from < first; from++) {
            k = usual_seek(window, to - from, at[from]);
            memmove(&window[k], &window[k + 1], (to - from - k - 1) * sizeof *window);
        }
        for (; to < first + width; to++) {
            k = usual_seek(window, to - from, at[to]);
            memmove(&window[k + 1], &window[k], (to - from - k) * sizeof *window);
            window[k] = at[to];
        }
        out[i] = (window[width / 2] + window[(width - 1) / 2]) / 2;
    }
}

/* The distances by one of the models, as shares; out, room: [l->count] */
static void usual_compare(double *out, const struct lengths_list *l, enum usual model, double slope,
                          double *room)
{
    double level;

    if (model == USUAL_ONE)
        slope = 0;
    for (size_t i = 0; i < l->count; i++)
        out[i] = l->at[i] - slope * (double)i;
    if (model == USUAL_AROUND) {
        usual_around(room, out, l->count);
    } else {
        level = prvcut_median(out, l->count);
        for (size_t i = 0; i < l->count; i++)
            room[i] = level;
    }
    for (size_t i = 0; i < l->count; i++) {
        const double usual = room[i] + slope * (double)i;

        out[i] = usual > 0 ? l->at[i] / usual - 1 : 0;
    }
}

/* The median around a value follows it, the more so the fewer it is of: against a wide window. */
static double usual_followed(enum usual model, size_t count)
{
    const size_t width = model == USUAL_AROUND ? usual_width(count) : count;

    return fmax(1, (1 + USUAL_FOLLOW / (double)width) / (1 + USUAL_FOLLOW / USUAL_WINDOW));
}

void prvcut_lengths_usual(struct lengths_list *l, double least, double *room[2])
{
    const double slope = usual_slope(l, room);
    double spread = HUGE_VAL;
    enum usual model = USUAL_AROUND;

    for (int m = USUAL_ONE; m < USUAL_ALL && l->count <= USUAL_LEVEL; m++) {
        double own;

        usual_compare(room[0], l, (enum usual)m, slope, room[1]);
        own = PRVCUT_MAD_SCALE * prvcut_mad(room[0], l->count, 0) *
              usual_followed((enum usual)m, l->count);
        own = fmax(own, least);
        if (own < USUAL_BETTER * spread) {
            spread = own;
            model = (enum usual)m;
        }
    }
    usual_compare(room[0], l, model, slope, room[1]);
    memcpy(l->at, room[0], l->count * sizeof *l->at);
    l->followed = usual_followed(model, l->count);
}
