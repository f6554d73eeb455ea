#include "structure/whole.h"

#include "structure/lengths.h"

#include <math.h>
#include <string.h>

/*
 * Found by hand on the benchmarks' traces, by where the programs' own marks say that the loop
 * begins and ends.
 */

/* A first iteration of at least so many that is longer than the median and than any other by these
   factors holds a warm-up. */
#define MANY    8
#define LONG    1.5
#define LONGEST 1.3
/* A last iteration of less than this share of the shortest other one is not seen whole. It goes
   where it makes the mean shorter than this share of the others' median, the mean is nearer to that
   without it, and enough others are left. */
#define WHOLE 0.95
#define MEAN  0.99
#define LEFT  3
/* Of the calls of the longest, that the shortest makes at most where their number varies. */
#define VARIED 0.9
/* A first or last iteration of at most this share of the shortest other one is none: first ones
   that grow are more. */
#define FRAGMENT 0.1
/* A last iteration that lacks less than this share of a given period is one. */
#define FITS 0.05

static double whl_length(const uint64_t *border, size_t k)
{
    return (double)(border[k + 1] - border[k]);
}

/* Shortest and longest of iterations [from, to). */
static void whl_extremes(double out[2], const uint64_t *border, size_t from, size_t to)
{
    out[0] = HUGE_VAL;
    out[1] = 0;
    for (size_t k = from; k < to; k++) {
        out[0] = fmin(out[0], whl_length(border, k));
        out[1] = fmax(out[1], whl_length(border, k));
    }
}

/* Does the first iteration make no more calls than others do? Then it only takes longer. */
static bool whl_first_is_alike(const uint32_t *start, size_t iterations)
{
    uint32_t most = 0;

    for (size_t k = 1; k < iterations; k++)
        most = start[k + 1] - start[k] > most ? start[k + 1] - start[k] : most;
    return start[1] - start[0] <= most;
}

static bool whl_first_is_warm_up(const uint64_t *border, size_t iterations, double median)
{
    double others[2];

    if (iterations < MANY || whl_length(border, 0) <= LONG * median)
        return false;
    whl_extremes(others, border, 1, iterations);
    return whl_length(border, 0) > LONGEST * others[1];
}

static double whl_mean_of(const uint64_t *border, size_t iterations)
{
    return (double)(border[iterations] - border[0]) / (double)iterations;
}

/* usual: of all iterations but the last. */
static bool whl_last_is_partial(const uint64_t *border, size_t iterations,
                                const struct prvcut_lengths *usual)
{
    const double mean = whl_mean_of(border, iterations);
    double others[2];

    if (iterations <= LEFT || mean >= MEAN * usual->median)
        return false;
    whl_extremes(others, border, 0, iterations - 1);
    return whl_length(border, iterations - 1) < WHOLE * others[0] &&
           fabs(usual->mean - usual->median) < fabs(mean - usual->median);
}

static void whl_drop_first(struct prvcut_call_loop *l)
{
    for (size_t i = 0; i < l->sequences; i++) {
        if (l->borders[i] == 0)
            continue;
        l->borders[i]--;
        memmove(l->border[i], l->border[i] + 1, l->borders[i] * sizeof *l->border[i]);
        memmove(l->start[i], l->start[i] + 1, l->borders[i] * sizeof *l->start[i]);
    }
}

static void whl_drop_last(struct prvcut_call_loop *l)
{
    for (size_t i = 0; i < l->sequences; i++)
        l->borders[i] -= l->borders[i] > 0;
}

/* The sequence that leads: the first that follows; sequences: none does. */
static size_t whl_leader(const struct prvcut_call_loop *l)
{
    size_t i = 0;

    while (i < l->sequences && l->borders[i] < 2)
        i++;
    return i;
}

/* A first iteration that holds a warm-up goes. */
static enum prvcut_status whl_trim_first(struct prvcut_search *s, size_t lead,
                                         struct prvcut_error *err)
{
    struct prvcut_call_loop *l = &s->calls;
    struct prvcut_lengths usual;
    enum prvcut_status st =
        prvcut_lengths_measure(&usual, l->border[lead], l->borders[lead], NULL, 0, err);

    if (st == PRVCUT_OK && !l->separated &&
        !whl_first_is_alike(l->start[lead], l->borders[lead] - 1) &&
        whl_first_is_warm_up(l->border[lead], l->borders[lead] - 1, usual.median)) {
        whl_drop_first(l);
        s->loop.iterations--;
    }
    return st;
}

/* Do iterations make unlike numbers of calls, the last one left out? */
static bool whl_calls_vary(const uint32_t *start, size_t iterations)
{
    uint32_t least = UINT32_MAX, most = 0;

    for (size_t k = 0; k + 1 < iterations; k++) {
        const uint32_t calls = start[k + 1] - start[k];

        least = calls < least ? calls : least;
        most = calls > most ? calls : most;
    }
    return least <= VARIED * most;
}

/* A last iteration that is not seen whole goes. Where separators tell iterations of any number of
   calls, what it holds has told that it is whole: the shortest may come last. */
static enum prvcut_status whl_trim_last(struct prvcut_call_loop *l, size_t lead,
                                        struct prvcut_error *err)
{
    const size_t iterations = l->borders[lead] - 1;
    struct prvcut_lengths usual;
    enum prvcut_status st;

    if (l->separated && whl_calls_vary(l->start[lead], iterations))
        return PRVCUT_OK;
    st = prvcut_lengths_measure(&usual, l->border[lead], iterations, NULL, 0, err);
    if (st == PRVCUT_OK && whl_last_is_partial(l->border[lead], iterations, &usual))
        whl_drop_last(l);
    return st;
}

/* Is iteration k, the first or the last one, nothing beside each of the others? */
static bool whl_is_fragment(const uint64_t *border, size_t iterations, size_t k)
{
    double others[2];

    whl_extremes(others, border, k == 0, k == 0 ? iterations : k);
    return whl_length(border, k) <= FRAGMENT * others[0];
}

/* Iterations that take no time to speak of on the thread that leads hold nothing: they go from
   either end. */
static void whl_trim_fragments(struct prvcut_search *s, size_t lead, bool goes_on)
{
    struct prvcut_call_loop *l = &s->calls;

    while (l->borders[lead] > LEFT + 1 &&
           whl_is_fragment(l->border[lead], l->borders[lead] - 1, 0)) {
        whl_drop_first(l);
        s->loop.iterations--;
    }
    while (!goes_on && l->borders[lead] > LEFT + 1 &&
           whl_is_fragment(l->border[lead], l->borders[lead] - 1, l->borders[lead] - 2))
        whl_drop_last(l);
}

/* Others may have seen the loop go on beyond the calls that are known: that end stays. */
static enum prvcut_status whl_trim_calls(struct prvcut_search *s, struct prvcut_error *err)
{
    struct prvcut_call_loop *l = &s->calls;
    const size_t lead = whl_leader(l);
    enum prvcut_status st;
    bool goes_on;

    if (lead == l->sequences)
        return PRVCUT_OK;
    goes_on = s->loop.iterations > (double)l->borders[lead] - 0.5;
    whl_trim_fragments(s, lead, goes_on);
    st = whl_trim_first(s, lead, err);
    if (st == PRVCUT_OK && !goes_on && !l->open)
        st = whl_trim_last(l, lead, err);
    s->loop.span.start = l->border[lead][0];
    if (goes_on || st != PRVCUT_OK)
        return st;
    s->loop.span.end = l->border[lead][l->borders[lead] - 1];
    s->loop.iterations = (double)(l->borders[lead] - 1);
    return PRVCUT_OK;
}

/* A given period is laid from the start on, as often as it fits. */
static void whl_lay_given(struct prvcut_loop *l)
{
    const double whole = floor(l->iterations + FITS);
    const double end = (double)l->span.start + whole * l->period_ns;

    if (whole < 1)
        return;
    l->iterations = whole;
    if (end < (double)l->span.end)
        l->span.end = (uint64_t)llround(end);
}

/* Beside a given period the calls' own loop is told as it is where none is given. */
static enum prvcut_status whl_trim_shown(struct prvcut_search *s, struct prvcut_error *err)
{
    struct prvcut_loop *shown = &s->witness[s->verdict.chosen].loop;
    const struct prvcut_loop given = s->loop;
    enum prvcut_status st;

    s->loop = *shown;
    st = whl_trim_calls(s, err);
    *shown = s->loop;
    s->loop = given;
    shown->period_ns = (double)(shown->span.end - shown->span.start) / shown->iterations;
    return st;
}

enum prvcut_status prvcut_search_whole(struct prvcut_search *s, uint64_t given_ns,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (!s->loop.found)
        return PRVCUT_OK;
    if (s->by_calls)
        st = whl_trim_calls(s, err);
    else if (given_ns > 0)
        whl_lay_given(&s->loop);
    if (st == PRVCUT_OK && given_ns > 0 && !s->by_calls && s->verdict.found &&
        s->witness[s->verdict.chosen].calls)
        st = whl_trim_shown(s, err);
    if (s->loop.iterations > 0 && s->loop.span.end > s->loop.span.start)
        s->loop.period_ns = (double)(s->loop.span.end - s->loop.span.start) / s->loop.iterations;
    if (s->by_calls)
        s->calls.loop = s->loop;
    if (s->verdict.found && (given_ns == 0 || s->by_calls))
        s->witness[s->verdict.chosen].loop = s->loop;
    return st;
}
