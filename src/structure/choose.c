#include "structure/choose.h"

#include "base/memory.h"
#include "dsp/correlation.h"
#include "dsp/order.h"
#include "structure/mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Set by hand and not fitted; accuracy --full and accuracy_windows judge the cuts that they lead
 * to.
 *
 * name        value  unit           decides
 */
#define SAME_LENGTH 0.01 /* of the period  by which lengths may differ that are the same */
#define SAMPLES     32   /* a period       of the signal that is compared with sine periods */
#define FREE_CALLS                                                                                 \
    0.1 /* of the period  by which a border may be moved beyond what the threads'                  \
           borders span, where calls tell it, ... */
#define FREE_SIGNAL 0.125 /* ... where a signal does, ... */
#define FREE_EXACT  0.02  /* ... where the borders are exact, ... */
#define FREE_MOST   0.25  /* ... and in any case */

/* Where iterations begin: first and last thread of each border. */
struct borders {
    uint64_t *first, *last; /* [count] */
    size_t count;
};

static void chs_borders_fini(struct borders *b)
{
    free(b->first);
    free(b->last);
}

static enum prvcut_status chs_borders_new(struct borders *b, size_t count, struct prvcut_error *err)
{
    b->count = count;
    b->first = prvcut_zeroed(count + 1, sizeof *b->first, "iterations", err);
    b->last = prvcut_zeroed(count + 1, sizeof *b->last, "iterations", err);
    if (b->first && b->last)
        return PRVCUT_OK;
    chs_borders_fini(b);
    *b = (struct borders){ 0 };
    return PRVCUT_ENOMEM;
}

static enum prvcut_status chs_borders_of_period(struct borders *b, const struct prvcut_loop *loop,
                                                struct prvcut_error *err)
{
    const double span = (double)(loop->span.end - loop->span.start);
    const size_t count = (size_t)(span / loop->period_ns + 1e-9) + 1;

    if (chs_borders_new(b, count, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < count; k++)
        b->first[k] = b->last[k] =
            loop->span.start + (uint64_t)llround((double)k * loop->period_ns);
    return PRVCUT_OK;
}

/* The sequence whose number of borders most others share. */
static size_t chs_typical(const struct prvcut_call_loop *c)
{
    size_t best = 0, most = 0;

    for (size_t i = 0; i < c->sequences; i++) {
        size_t same = 0;

        for (size_t k = 0; k < c->sequences && c->border[i]; k++)
            same += c->border[k] && c->borders[k] == c->borders[i];
        if (same > most) {
            most = same;
            best = i;
        }
    }
    return best;
}

static uint64_t chs_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Threads that follow the loop pass each border at times of their own. */
static enum prvcut_status chs_borders_of_calls(struct borders *b, const struct prvcut_call_loop *c,
                                               struct prvcut_error *err)
{
    const size_t model = chs_typical(c);
    const uint64_t half = (uint64_t)(c->loop.period_ns / 2);

    if (!c->border[model] || chs_borders_new(b, c->borders[model], err) < 0)
        return c->border[model] ? PRVCUT_ENOMEM : PRVCUT_OK;
    for (size_t k = 0; k < b->count; k++)
        b->first[k] = b->last[k] = c->border[model][k];
    for (size_t i = 0; i < c->sequences; i++) {
        if (!c->border[i] || c->borders[i] != b->count)
            continue;
        for (size_t k = 0; k < b->count; k++) {
            const uint64_t t = c->border[i][k];

            if (chs_distance(t, c->border[model][k]) > half)
                continue;
            if (t < b->first[k])
                b->first[k] = t;
            if (t > b->last[k])
                b->last[k] = t;
        }
    }
    /* Unlike threads may pass a border before others pass the one before it. */
    for (size_t k = 1; k < b->count; k++)
        if (b->first[k] <= b->first[k - 1])
            b->first[k] = c->border[model][k];
    return PRVCUT_OK;
}

/* A signal's iterations, as they were followed one by one. */
static enum prvcut_status chs_borders_of_signal(struct borders *b,
                                                const struct prvcut_signal_borders *in,
                                                struct prvcut_error *err)
{
    if (chs_borders_new(b, in->count, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < b->count; k++)
        b->first[k] = b->last[k] = in->at[k];
    return PRVCUT_OK;
}

/* By whatever tells them best; none at all is no failure. */
static enum prvcut_status chs_borders_find(struct borders *b, const struct prvcut_choice_input *in,
                                           struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *b = (struct borders){ 0 };
    if (in->calls)
        st = chs_borders_of_calls(b, in->calls, err);
    if (st == PRVCUT_OK && b->count == 0 && in->borders.at && in->borders.count > 1)
        st = chs_borders_of_signal(b, &in->borders, err);
    if (st == PRVCUT_OK && b->count == 0)
        st = chs_borders_of_period(b, in->loop, err);
    return st;
}

static bool chs_masked(const struct prvcut_choice_input *in, uint64_t from, uint64_t to)
{
    return prvcut_span_touched(in->mask, in->masks, from, to);
}

/* The borders of the iterations whose middle lies in the wanted span: [range[0], range[1]]. */
static void chs_within_range(const struct prvcut_choice_input *in, const struct borders *b,
                             size_t range[2])
{
    range[0] = 0;
    range[1] = b->count > 0 ? b->count - 1 : 0;
    if (in->within.end == 0)
        return;
    while (range[0] < range[1] &&
           b->first[range[0]] / 2 + b->first[range[0] + 1] / 2 < in->within.start)
        range[0]++;
    while (range[1] > range[0] &&
           b->first[range[1] - 1] / 2 + b->first[range[1]] / 2 >= in->within.end)
        range[1]--;
}

/* Is a stretch of iterations without a mask: on all threads, or from first border to first border?
 */
static bool chs_clear(const struct prvcut_choice_input *in, const struct borders *b, size_t from,
                      size_t to, bool all)
{
    return !chs_masked(in, b->first[from], all ? b->last[to] : b->first[to]);
}

/* Narrow a range to its longest run of iterations without a mask, of at least the wanted number. */
static bool chs_longest_clear(const struct prvcut_choice_input *in, const struct borders *b,
                              size_t range[2], bool all)
{
    const size_t whole[2] = { range[0], range[1] };
    uint64_t best = 0;
    size_t start = whole[0];

    for (size_t k = whole[0]; k < whole[1]; k++) {
        if (!chs_clear(in, b, k, k + 1, all)) {
            start = k + 1;
            continue;
        }
        if (k + 1 - start >= in->iterations && b->first[k + 1] - b->first[start] > best) {
            best = b->first[k + 1] - b->first[start];
            range[0] = start;
            range[1] = k + 1;
        }
    }
    return best > 0;
}

/* The signal between two times, `step` bins averaged into one. */
static double *chs_coarse(const struct prvcut_signal *s, uint64_t from, uint64_t to, size_t step,
                          size_t *count)
{
    const size_t a = from > s->start ? (size_t)((from - s->start) / s->width) : 0;
    size_t z = to > s->start ? (size_t)((to - s->start) / s->width) : 0;
    double *out;

    if (z > s->bins)
        z = s->bins;
    *count = z > a ? (z - a) / step : 0;
    out = prvcut_unset(*count + 1, sizeof *out, "the choice of iterations", NULL);
    for (size_t i = 0; out && i < *count; i++) {
        double sum = 0;

        for (size_t k = 0; k < step; k++)
            sum += s->at[a + i * step + k];
        out[i] = sum / (double)step;
    }
    return out;
}

/* Best correlation with sine periods that starts within each iteration; at[k] for border k. */
static enum prvcut_status chs_similarities(const struct prvcut_choice_input *in,
                                           const struct borders *b, double *at,
                                           struct prvcut_error *err)
{
    const struct prvcut_signal *s = in->signal;
    const double period = in->loop->period_ns;
    size_t step, n = 0, count = 0;
    double width, *coarser, *match;
    enum prvcut_status st;

    if (!s || !s->at || period < 4 * (double)s->width)
        return PRVCUT_OK;
    step = (size_t)(period / (double)s->width / SAMPLES);
    step = step < 1 ? 1 : step;
    width = (double)(step * s->width);
    coarser = chs_coarse(s, b->first[0], b->first[b->count - 1], step, &n);
    match = prvcut_unset(n + 1, sizeof *match, "the choice of iterations", err);
    if (!coarser || !match)
        st = prvcut_no_memory(err, "the choice of iterations");
    else
        st = prvcut_sine_match(match, &count, coarser, n, period / width, in->iterations, err);
    for (size_t k = 0; st == PRVCUT_OK && k + 1 < b->count; k++) {
        size_t i = (size_t)((double)(b->first[k] - b->first[0]) / width);
        const size_t end = (size_t)((double)(b->first[k + 1] - b->first[0]) / width);

        for (; i < end && i < count; i++)
            if (match[i] > at[k])
                at[k] = match[i];
    }
    free(coarser);
    free(match);
    return st;
}

/* What a window of n iterations usually takes, and how much that usually differs. */
struct usual {
    double median, spread; /* ns */
};

/* Of the windows between two borders: [range[0], range[1]]. */
static enum prvcut_status chs_usual_length(const struct borders *b, const size_t range[2],
                                           unsigned n, struct usual *out, struct prvcut_error *err)
{
    const size_t count = range[1] - range[0] + 1 - n;
    double *length = prvcut_unset(count + 1, sizeof *length, "lengths", err);

    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < count; k++)
        length[k] = (double)(b->first[range[0] + k + n] - b->first[range[0] + k]);
    out->median = prvcut_median(length, count);
    out->spread = PRVCUT_MAD_SCALE * prvcut_mad(length, count, out->median);
    free(length);
    return PRVCUT_OK;
}

static double chs_off_by(const struct borders *b, size_t k, unsigned n, const struct usual *usual)
{
    return fabs((double)(b->first[k + n] - b->first[k]) - usual->median);
}

/* Which windows are representative at all. */
struct filter {
    struct usual usual;
    double most;         /* ns by which a window's length may be off */
    const uint32_t *odd; /* [borders]: iterations before each that stand out; NULL: no matter */
};

/* Windows whose length is off by more stand out. */
static double chs_tolerance(const struct prvcut_choice_input *in, const struct usual *u,
                            double step)
{
    return fmax(step, prvcut_parameter_of(in->set, PRVCUT_SET_TYPICAL) * u->spread);
}

/* Iterations that stand out, summed up: a long one and a short one do not make up for each other.
 */
static uint32_t *chs_odd_ones(const struct prvcut_choice_input *in, const struct borders *b,
                              const size_t range[2], struct prvcut_error *err)
{
    uint32_t *odd = prvcut_zeroed(b->count + 1, sizeof *odd, "iterations", err);
    struct usual usual;
    double most;

    if (!odd || chs_usual_length(b, range, 1, &usual, err) < 0) {
        free(odd);
        prvcut_no_memory(err, "the choice of iterations");
        return NULL;
    }
    most = chs_tolerance(in, &usual, SAME_LENGTH * in->loop->period_ns);
    for (size_t k = 0; k + 1 < b->count; k++)
        odd[k + 1] = odd[k] + (chs_off_by(b, k, 1, &usual) > most);
    return odd;
}

static bool chs_passes(const struct filter *f, const struct borders *b, size_t k, unsigned n)
{
    return chs_off_by(b, k, n, &f->usual) <= f->most && (!f->odd || f->odd[k + n] == f->odd[k]);
}

/* Highest similarity among windows that pass; -1: there are none. */
static double chs_highest(const struct borders *b, const size_t range[2], unsigned n,
                          const double *similarity, const struct filter *f)
{
    double best = -1;

    for (size_t k = range[0]; k + n <= range[1]; k++)
        if (chs_passes(f, b, k, n) && similarity[k] > best)
            best = similarity[k];
    return best;
}

/* The best of the windows that lie within a range of borders. */
static size_t chs_best_window(const struct prvcut_choice_input *in, const struct borders *b,
                              const size_t range[2], const double *similarity, struct filter *f)
{
    const unsigned n = in->iterations;
    /* Differences that do not matter do not decide: the earliest is the cheapest to read. */
    const double step = SAME_LENGTH * in->loop->period_ns * n;
    /* A correlation of 0.2 is no better than one of 0.15. */
    const double near_equal = prvcut_parameter_of(in->set, PRVCUT_SET_NEAR_EQUAL);
    double nearest = INFINITY, high;
    size_t best = range[0];

    /* An iteration that stands out is no representative, however much it looks like a sine. */
    f->most = chs_tolerance(in, &f->usual, step);
    high = chs_highest(b, range, n, similarity, f);
    if (high < 0) {
        f->odd = NULL;
        high = chs_highest(b, range, n, similarity, f);
    }
    if (high < 0) {
        f->most = INFINITY;
        high = chs_highest(b, range, n, similarity, f);
    }
    for (size_t k = range[0]; k + n <= range[1]; k++) {
        const double off = chs_off_by(b, k, n, &f->usual);

        if (chs_passes(f, b, k, n) && similarity[k] >= high - near_equal &&
            floor(off / step) < nearest) {
            nearest = floor(off / step);
            best = k;
        }
    }
    return best;
}

static struct prvcut_span chs_freedom(const struct prvcut_choice_input *in, const struct borders *b,
                                      size_t k)
{
    const double period = in->loop->period_ns;
    const uint64_t extra = (uint64_t)(period * (in->exact   ? FREE_EXACT
                                                : in->calls ? FREE_CALLS
                                                            : FREE_SIGNAL));
    const uint64_t most = (uint64_t)(period * FREE_MOST);
    uint64_t last = b->last[k] + extra;

    if (last > b->first[k] + most)
        last = b->first[k] + most;
    return (struct prvcut_span){ b->first[k] > extra ? b->first[k] - extra : 0, last };
}

/* Keep what is on the border's side of all masks: no border shall be moved into one. */
static struct prvcut_span chs_clear_of_masks(const struct prvcut_choice_input *in,
                                             struct prvcut_span span, uint64_t border)
{
    for (size_t i = 0; i < in->masks; i++) {
        const struct prvcut_span *m = &in->mask[i];

        if (m->end <= border && m->end > span.start)
            span.start = m->end;
        if (m->start >= border && m->start < span.end)
            span.end = m->start;
    }
    return span;
}

static void chs_lay_window(struct prvcut_choice *out, const struct prvcut_choice_input *in,
                           const struct borders *b, size_t k, size_t z)
{
    out->found = true;
    out->clear = chs_clear(in, b, k, z, true);
    out->window = (struct prvcut_span){ b->first[k], b->first[z] };
    out->left = chs_clear_of_masks(in, chs_freedom(in, b, k), b->first[k]);
    out->right = chs_clear_of_masks(in, chs_freedom(in, b, z), b->first[z]);
}

/* range: of the borders, with more than enough iterations between them. */
static enum prvcut_status choose_among(struct prvcut_choice *out,
                                       const struct prvcut_choice_input *in,
                                       const struct borders *b, size_t range[2],
                                       struct prvcut_error *err)
{
    const size_t all[2] = { range[0], range[1] };
    double *similarity = prvcut_zeroed(b->count + 1, sizeof *similarity, "iterations", err);
    uint32_t *odd = chs_odd_ones(in, b, all, err);
    struct filter filter = { .odd = odd };
    enum prvcut_status st;

    out->why = PRVCUT_CHOP_WHY_ALIKE;
    if (!chs_longest_clear(in, b, range, true) && !chs_longest_clear(in, b, range, false))
        out->why = PRVCUT_CHOP_WHY_ALIKE_OF_ALL;
    st = similarity && odd ? chs_similarities(in, b, similarity, err)
                           : prvcut_no_memory(err, "the choice of iterations");
    if (st == PRVCUT_OK)
        st = chs_usual_length(b, all, in->iterations, &filter.usual, err);
    if (st == PRVCUT_OK) {
        const size_t k = chs_best_window(in, b, range, similarity, &filter);

        chs_lay_window(out, in, b, k, k + in->iterations);
        out->similarity = similarity[k];
    }
    free(similarity);
    free(odd);
    return st;
}

enum prvcut_status prvcut_choose(struct prvcut_choice *out, const struct prvcut_choice_input *in,
                                 struct prvcut_error *err)
{
    struct borders b;
    size_t range[2];
    enum prvcut_status st = chs_borders_find(&b, in, err);

    *out = (struct prvcut_choice){ .found = false };
    chs_within_range(in, &b, range);
    if (st == PRVCUT_OK && range[1] - range[0] >= in->iterations)
        st = choose_among(out, in, &b, range, err);
    chs_borders_fini(&b);
    return st;
}

static size_t chs_nearest_border(const struct borders *b, uint64_t t)
{
    size_t low = prvcut_lower_u64(b->first, b->count, sizeof *b->first, 0, t);

    if (low == b->count || (low > 0 && t - b->first[low - 1] < b->first[low] - t))
        low--;
    return low;
}

static struct prvcut_span chs_around(const struct prvcut_choice_input *in, uint64_t t,
                                     uint64_t room)
{
    const struct prvcut_span span = { t > room ? t - room : 0, t + room };

    return chs_clear_of_masks(in, span, t);
}

enum prvcut_status prvcut_choose_given(struct prvcut_choice *out,
                                       const struct prvcut_choice_input *in,
                                       struct prvcut_span window, struct prvcut_error *err)
{
    const uint64_t half = (window.end - window.start) / in->iterations / 2;
    struct borders b;
    enum prvcut_status st = chs_borders_find(&b, in, err);

    *out = (struct prvcut_choice){ .why = PRVCUT_CHOP_WHY_GIVEN };
    if (st == PRVCUT_OK && b.count > 1) {
        const size_t k = chs_nearest_border(&b, window.start),
                     z = chs_nearest_border(&b, window.end);

        if (z - k == in->iterations && chs_distance(b.first[k], window.start) < half &&
            chs_distance(b.first[z], window.end) < half)
            chs_lay_window(out, in, &b, k, z);
    }
    if (st == PRVCUT_OK && !out->found) {
        out->found = true;
        out->window = window;
        out->left = chs_around(in, window.start, (uint64_t)((double)half * FREE_CALLS));
        out->right = chs_around(in, window.end, (uint64_t)((double)half * FREE_CALLS));
    }
    chs_borders_fini(&b);
    return st;
}
