#include "base/memory.h"
#include "structure/call_search.h"
#include "structure/lengths.h"
#include "structure/loop.h"
#include "structure/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Three are the fewest that can be told to repeat. The others were found by hand on the benchmarks'
 * traces; tries bound the time.
 *
 * name        value    unit             decides
 */
#define LOOP_LEAST 3   /* iterations of a loop */
#define LOOP_MANY  8   /* iterations enough to call one of them out of step */
#define LOOP_LONG  32  /* iterations enough not to care about the last */
#define LOOP_TRIES 3   /* loops tried until one can be followed */
#define LOOP_BLIND 0.5 /* strength where only calls and partners are known: levels look alike */

/* To the nearest: one iteration that lacks a call does not make it one less. */
static size_t loop_calls(size_t calls, size_t iterations)
{
    return (calls + iterations / 2) / iterations;
}

/* Calls and times of the borders of all that follow. */
static enum prvcut_status loop_borders(struct prvcut_call_loop *out, const struct call_track *track,
                                       const struct prvcut_call_sequence *in,
                                       struct prvcut_error *err)
{
    for (size_t i = 0; i < out->sequences; i++) {
        const struct call_track *t = &track[i];
        size_t borders = t->count + 1;

        if (t->count == 0)
            continue;
        out->border[i] = prvcut_unset(borders, sizeof *out->border[i], "borders", err);
        out->start[i] = prvcut_unset(borders, sizeof *out->start[i], "borders", err);
        if (!out->border[i] || !out->start[i])
            return PRVCUT_ENOMEM;
        out->borders[i] = borders;
        memcpy(out->start[i], t->start, borders * sizeof *out->start[i]);
        for (size_t k = 0; k < borders; k++)
            out->border[i][k] = prvcut_call_track_time(t, &in[i], k);
        if (out->followers++ == 0)
            out->calls_per_iteration =
                loop_calls(t->start[t->count - 1] - t->start[0], t->count - 1);
    }
    return PRVCUT_OK;
}

static int loop_order_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Median length of all iterations of all followers. */
static enum prvcut_status loop_median(struct prvcut_call_loop *out, struct prvcut_error *err)
{
    size_t all = 0, n = 0;
    uint64_t *length;

    for (size_t i = 0; i < out->sequences; i++)
        all += out->borders[i];
    length = prvcut_unset(all, sizeof *length, "borders", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->sequences; i++)
        for (size_t k = 0; k + 1 < out->borders[i]; k++)
            length[n++] = out->border[i][k + 1] - out->border[i][k];
    qsort(length, n, sizeof *length, loop_order_u64);
    out->loop.median_ns =
        n % 2 ? (double)length[n / 2] : ((double)length[n / 2] + (double)length[n / 2 - 1]) / 2;
    free(length);
    return PRVCUT_OK;
}

/* How much the iterations of the first follower vary. */
static enum prvcut_status loop_spread(struct prvcut_call_loop *out, struct prvcut_error *err)
{
    struct prvcut_spread spread;
    double *length;
    size_t i = 0, n;

    while (out->borders[i] == 0)
        i++;
    n = out->borders[i] - 1;
    length = prvcut_unset(2 * n, sizeof *length, "lengths", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < n; k++)
        length[k] = log(fmax(1, (double)(out->border[i][k + 1] - out->border[i][k])));
    prvcut_spread_find(&spread, length, length + n, n);
    out->spread = spread.all;
    free(length);
    return PRVCUT_OK;
}

/*
 * Mean length of a follower's iterations, given the median of all; of two that of both.
 * The last one lacks what the others do before their first call, and ends with whatever follows;
 * it is left out where it is short, or where enough others are left and it still matters. The first
 * is where it is seen to hold a warm-up.
 */
static double loop_mean(const uint64_t *border, size_t count, double median)
{
    double first = (double)(border[1] - border[0]), used = (double)count;
    double last = (double)(border[count] - border[count - 1]), shortest = first, longest = 0;
    double sum = (double)(border[count] - border[0]);

    for (size_t i = 1; i + 1 < count; i++) {
        shortest = fmin(shortest, (double)(border[i + 1] - border[i]));
        longest = fmax(longest, (double)(border[i + 1] - border[i]));
    }
    if (count < 3)
        return sum / used;
    if (last < 0.8 * shortest || (count >= LOOP_MANY && count < LOOP_LONG)) {
        sum -= last;
        used--;
    }
    if ((count >= LOOP_MANY && first > 1.5 * median && first > longest) ||
        prvcut_lengths_first_odd(border, count + 1, median)) {
        sum -= first;
        used--;
    }
    return sum / used;
}

/* Where the loop is, how often and how long: the mean over all that follow it. */
static void loop_place(struct prvcut_call_loop *out, const struct call_track *track)
{
    const double n = (double)out->followers;

    out->loop.span.start = UINT64_MAX;
    for (size_t i = 0; i < out->sequences; i++) {
        const struct call_track *t = &track[i];

        if (t->count == 0)
            continue;
        out->loop.period_ns += loop_mean(out->border[i], t->count, out->loop.median_ns) / n;
        out->loop.iterations += (double)t->count / n;
        if (out->border[i][0] < out->loop.span.start)
            out->loop.span.start = out->border[i][0];
        if (out->border[i][t->count] > out->loop.span.end)
            out->loop.span.end = out->border[i][t->count];
    }
    out->loop.found = true;
    out->loop.why = NULL;
}

/* How well it explains what the followers do. */
static double loop_strength(const struct prvcut_call_loop *out, const struct call_search *l)
{
    double alike = 0, cover = 0, regular = 0, n = (double)out->followers, strength;

    for (size_t i = 0; i < l->count; i++) {
        const struct call_track *t = &l->track[i];

        if (t->count == 0)
            continue;
        alike += t->alike / n;
        cover += t->cover / n;
        regular += t->regular / n;
    }
    strength = alike * sqrt(regular) * fmin(1, cover / 0.7) * sqrt(n / (double)l->busy) *
               (1 - 1.2 / fmax(out->loop.iterations, 3)) * l->trust;
    return l->known.size || l->known.site ? strength : strength * LOOP_BLIND;
}

/* Borders and measures of what follows the loop; nothing where nobody does. */
static enum prvcut_status loop_lay(struct prvcut_call_loop *out, const struct call_track *track,
                                   const struct prvcut_call_sequence *in, struct prvcut_error *err)
{
    enum prvcut_status st = loop_borders(out, track, in, err);

    if (st == PRVCUT_OK && out->followers > 0)
        st = loop_median(out, err);
    if (st == PRVCUT_OK && out->followers > 0)
        st = loop_spread(out, err);
    if (st == PRVCUT_OK && out->followers > 0)
        loop_place(out, track);
    return st;
}

static enum prvcut_status loop_result(struct prvcut_call_loop *out, const struct call_search *l,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = loop_lay(out, l->track, l->in, err);

    if (st == PRVCUT_OK && out->followers > 0)
        out->loop.strength = loop_strength(out, l);
    return st;
}

static enum prvcut_status loop_find(struct prvcut_call_loop *out, struct call_search *l,
                                    struct prvcut_error *err)
{
    const struct call_anchor *model;
    enum prvcut_status st = prvcut_call_search_vote(l, err);

    if (st != PRVCUT_OK)
        return st;
    for (int i = 0; i < LOOP_TRIES && (model = prvcut_call_search_winner(l)); i++) {
        st = prvcut_call_search_follow(l, model, err);
        if (st != PRVCUT_OK)
            return st;
        prvcut_call_tracks_align(l->track, l->in, l->count, LOOP_LEAST);
        out->alphabet = prvcut_call_search_alphabet(l, model->cut.alphabet);
        st = loop_result(out, l, err);
        if (st != PRVCUT_OK || out->followers > 0)
            return st;
        prvcut_call_search_discard(l, model);
    }
    out->alphabet = "";
    out->loop.why = l->busy == 0 ? "the trace holds no calls" : "the calls do not repeat";
    return PRVCUT_OK;
}

static enum prvcut_status loop_init(struct prvcut_call_loop *out, size_t sequences,
                                    struct prvcut_error *err)
{
    *out = (struct prvcut_call_loop){ .alphabet = "", .sequences = sequences };
    out->loop.why = "the trace holds no calls";
    out->border = prvcut_zeroed(sequences + 1, sizeof *out->border, "sequences", err);
    out->borders = prvcut_zeroed(sequences + 1, sizeof *out->borders, "sequences", err);
    out->start = prvcut_zeroed(sequences + 1, sizeof *out->start, "sequences", err);
    return out->border && out->borders && out->start ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_call_loop_find(struct prvcut_call_loop *out,
                                         const struct prvcut_call_sequence *in, size_t sequences,
                                         struct prvcut_error *err)
{
    struct call_search l = { .in = in, .count = sequences };
    enum prvcut_status st = loop_init(out, sequences, err);

    for (size_t i = 0; i < sequences; i++)
        if (in[i].count >= UINT32_MAX) {
            st = prvcut_fail(err, PRVCUT_EUSAGE, "thread %u has too many calls (%zu, at most %u)",
                             in[i].thread, in[i].count, UINT32_MAX - 1);
            break;
        }
    if (st == PRVCUT_OK && sequences > 0) {
        l.track = prvcut_zeroed(sequences, sizeof *l.track, "sequences", err);
        st = l.track ? loop_find(out, &l, err) : PRVCUT_ENOMEM;
    }
    prvcut_call_search_fini(&l);
    if (st != PRVCUT_OK)
        prvcut_call_loop_fini(out);
    return st;
}

enum prvcut_status prvcut_call_loop_of_tracks(struct prvcut_call_loop *out,
                                              const struct call_track *track,
                                              const struct prvcut_call_sequence *in,
                                              size_t sequences, double strength,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = loop_init(out, sequences, err);

    if (st == PRVCUT_OK)
        st = loop_lay(out, track, in, err);
    out->loop.strength = out->loop.found ? strength : 0;
    out->separated = true;
    out->alphabet = "separators";
    if (st != PRVCUT_OK)
        prvcut_call_loop_fini(out);
    return st;
}

/* Does the last iteration lack nothing, and does nothing follow it? */
static bool loop_is_open(const struct prvcut_call_loop *l, size_t i, size_t stop)
{
    const uint32_t *start = l->start[i];
    const size_t n = l->borders[i] - 1;
    uint32_t fewest = UINT32_MAX;

    for (size_t k = 0; k + 1 < n; k++)
        fewest = start[k + 1] - start[k] < fewest ? start[k + 1] - start[k] : fewest;
    return start[n] == stop && start[n] - start[n - 1] >= fewest;
}

/* So much of the usual length must be there for an open last iteration to be whole. */
#define LOOP_ROOM 0.9

/* Let an open last iteration take as long as half of the others do, where there is room. */
static enum prvcut_status loop_close_one(uint64_t *border, size_t iterations, uint64_t end,
                                         bool *closed, struct prvcut_error *err)
{
    uint64_t *length = prvcut_unset(iterations, sizeof *length, "lengths", err), expected;
    const size_t n = iterations - 1;

    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < n; k++)
        length[k] = border[k + 1] - border[k];
    qsort(length, n, sizeof *length, loop_order_u64);
    expected = border[n] + length[n / 2];
    *closed = end >= border[n] && (double)(end - border[n]) >= LOOP_ROOM * (double)length[n / 2];
    expected = expected < end ? expected : end;
    if (*closed && expected > border[iterations])
        border[iterations] = expected;
    free(length);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_call_loop_close(struct prvcut_call_loop *l, const size_t *stop,
                                          const uint64_t *end, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t open = 0;

    for (size_t i = 0; st == PRVCUT_OK && l->loop.found && i < l->sequences; i++) {
        const size_t n = l->borders[i] > 0 ? l->borders[i] - 1 : 0;
        bool closed = false;

        if (n < 2 || !loop_is_open(l, i, stop[i]))
            continue;
        st = loop_close_one(l->border[i], n, end[i], &closed, err);
        open += closed;
        if (l->border[i][n] > l->loop.span.end)
            l->loop.span.end = l->border[i][n];
    }
    l->open = open > 0 && open == l->followers;
    if (open > 0 && st == PRVCUT_OK)
        st = loop_median(l, err);
    if (open > 0 && st == PRVCUT_OK)
        st = loop_spread(l, err);
    return st;
}

void prvcut_call_loop_fini(struct prvcut_call_loop *l)
{
    for (size_t i = 0; l->border && i < l->sequences; i++)
        free(l->border[i]);
    for (size_t i = 0; l->start && i < l->sequences; i++)
        free(l->start[i]);
    free(l->border);
    free(l->start);
    free(l->borders);
    *l = (struct prvcut_call_loop){ 0 };
}
