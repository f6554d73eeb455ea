#include "structure/twice.h"

#include "base/memory.h"
#include "base/table.h"
#include "structure/call_follow.h"
#include "structure/call_grams.h"

#include <math.h>
#include <stdlib.h>

/*
 * Nothing repeats often enough to be sure of a loop of two: what counts is that all that comes
 * between its inner runs is explained. Set by hand, on programs written for this that run once,
 * twice or three times through a solver, and held against the generated ones with all numbers.
 *
 * name      value   unit            decides
 */
#define LEAST   8    /* iterations of the loop inside: fewer runs of it are alike by chance */
#define OFTEN   0.25 /* of its iterations, or LEAST / 2: calls that come so often are inside */
#define HELD    0.95 /* of the calls inside that the two runs hold, at least */
#define ALIKE   0.05 /* of the longer run by which they differ where one call alone tells, ... */
#define ALIKE_3 0.5  /* ... and where it is MANY calls or more */
#define MANY    3
#define WITHIN  0.5 /* confidence, at most */

/* How often a thread makes a call. */
struct twc_symbol {
    uint64_t symbol;
    size_t times;
};

/* One thread's calls as symbols, and which of them are inside. */
struct twc_thread {
    uint64_t *symbol; /* [count] */
    bool *inside;     /* [count] */
    size_t count;
};

/* Calls [from, to) in a row that are all inside. */
struct twc_run {
    size_t from, to;
};

static void twc_fini(struct twc_thread *t)
{
    free(t->symbol);
    free(t->inside);
}

static enum prvcut_status twc_count(struct twc_thread *t, double often, struct prvcut_error *err)
{
    struct prvcut_table all = PRVCUT_TABLE(struct twc_symbol, times, "calls");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < t->count && st == PRVCUT_OK; k++) {
        struct twc_symbol *x = prvcut_table_make(&all, &t->symbol[k], err);

        if (x)
            x->times++;
        else
            st = PRVCUT_ENOMEM;
    }
    for (size_t k = 0; k < t->count && st == PRVCUT_OK; k++) {
        const struct twc_symbol *x = prvcut_table_find(&all, &t->symbol[k]);

        t->inside[k] = (double)x->times >= often;
    }
    prvcut_table_fini(&all);
    return st;
}

static enum prvcut_status twc_make(struct twc_thread *t, const struct prvcut_call_sequence *q,
                                   double often, struct prvcut_error *err)
{
    const struct call_alphabet by_size = { .size = true };

    *t = (struct twc_thread){ .count = q->count };
    t->symbol = prvcut_unset(q->count + 1, sizeof *t->symbol, "calls", err);
    t->inside = prvcut_zeroed(q->count + 1, sizeof *t->inside, "calls", err);
    if (!t->symbol || !t->inside)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < q->count; k++)
        t->symbol[k] = prvcut_call_symbol(&q->at[k], &by_size);
    return twc_count(t, often, err);
}

static size_t twc_length(const struct twc_run *r)
{
    return r->to - r->from;
}

/* The two longest runs, in order, where they hold (nearly) all calls inside. */
static bool twc_runs(struct twc_run out[2], const struct twc_thread *t)
{
    size_t all = 0;

    out[0] = out[1] = (struct twc_run){ 0, 0 };
    for (size_t k = 0, to; k < t->count; k = to + 1) {
        struct twc_run now = { k, k };

        for (to = k; to < t->count && t->inside[to]; to++)
            now.to = to + 1;
        all += twc_length(&now);
        if (twc_length(&now) > twc_length(&out[0])) {
            out[1] = out[0];
            out[0] = now;
        } else if (twc_length(&now) > twc_length(&out[1])) {
            out[1] = now;
        }
    }
    if (out[1].from < out[0].from) {
        const struct twc_run first = out[1];

        out[1] = out[0];
        out[0] = first;
    }
    return (double)(twc_length(&out[0]) + twc_length(&out[1])) >= HELD * (double)all;
}

/* Are two runs alike enough, for so many calls between them? */
static bool twc_are_alike(const struct twc_run r[2], size_t between)
{
    const double a = (double)twc_length(&r[0]), b = (double)twc_length(&r[1]);

    return fabs(a - b) <= (between >= MANY ? ALIKE_3 : ALIKE) * fmax(a, b);
}

/* Of the calls between the runs those that are also behind the second one, from the first on. */
static size_t twc_closing(const struct twc_thread *t, const struct twc_run r[2])
{
    size_t n = 0;

    while (r[0].to + n < r[1].from && r[1].to + n < t->count &&
           t->symbol[r[0].to + n] == t->symbol[r[1].to + n])
        n++;
    return n;
}

/* And those that are also before the first one, to the last. */
static size_t twc_opening(const struct twc_thread *t, const struct twc_run r[2])
{
    size_t n = 0;

    while (n < r[0].from && n < r[1].from - r[0].to &&
           t->symbol[r[0].from - 1 - n] == t->symbol[r[1].from - 1 - n])
        n++;
    return n;
}

/* Where the two iterations begin, and the second one ends: start[3]. */
static bool twc_borders(uint32_t start[3], const struct twc_thread *t)
{
    struct twc_run r[2];
    size_t between, closing, opening;

    if (!twc_runs(r, t) || twc_length(&r[0]) == 0 || twc_length(&r[1]) == 0)
        return false;
    between = r[1].from - r[0].to;
    closing = twc_closing(t, r);
    opening = twc_opening(t, r);
    if (closing + opening < between || !twc_are_alike(r, between))
        return false;
    opening = between - closing;
    start[0] = (uint32_t)(r[0].from - opening);
    start[1] = (uint32_t)(r[1].from - opening);
    start[2] = (uint32_t)(r[1].to + closing);
    return true;
}

/* The second iteration is over when the next call begins, or as long after its last one as the
   first is. */
static uint64_t twc_end(const uint32_t start[3], const struct prvcut_call_sequence *q)
{
    const uint64_t own = q->at[start[1]].time - q->at[start[1] - 1].time;
    const uint64_t end = q->at[start[2] - 1].time + own;

    if (start[2] == q->count)
        return q->at[start[2] - 1].time;
    return end < q->at[start[2]].time ? end : q->at[start[2]].time;
}

/* The way of one thread; count 0: it does not go twice. */
static enum prvcut_status twc_track(struct call_track *out, const struct prvcut_call_sequence *q,
                                    double often, struct prvcut_error *err)
{
    struct twc_thread t;
    uint32_t start[3];
    enum prvcut_status st = twc_make(&t, q, often, err);

    if (st == PRVCUT_OK && twc_borders(start, &t)) {
        out->start = prvcut_unset(3, sizeof *out->start, "borders", err);
        st = out->start ? PRVCUT_OK : PRVCUT_ENOMEM;
        for (size_t i = 0; i < 3 && st == PRVCUT_OK; i++)
            out->start[i] = start[i];
        out->count = st == PRVCUT_OK ? 2 : 0;
        out->room = 3;
        if (st == PRVCUT_OK)
            out->end = twc_end(start, q);
    }
    twc_fini(&t);
    return st;
}

/* All threads that follow the loop inside must go twice. */
static enum prvcut_status twc_lay(struct call_track *track, bool *all,
                                  const struct prvcut_search *s,
                                  const struct prvcut_search_input *in, struct prvcut_error *err)
{
    const double often = fmax(LEAST / 2., OFTEN * s->calls.loop.iterations);
    enum prvcut_status st = PRVCUT_OK;

    *all = true;
    for (size_t i = 0; i < in->sequences && st == PRVCUT_OK && *all; i++) {
        if (s->calls.borders[i] < 2)
            continue;
        st = twc_track(&track[i], &in->sequence[i], often, err);
        *all = track[i].count > 0;
    }
    return st;
}

static enum prvcut_status twc_take(struct prvcut_search *s, const struct call_track *track,
                                   const struct prvcut_search_input *in, struct prvcut_error *err)
{
    struct prvcut_call_loop loop;
    bool apart = false;
    enum prvcut_status st = prvcut_call_loop_of_tracks(&loop, track, in->sequence, in->sequences,
                                                       s->calls.loop.strength, err);

    if (st == PRVCUT_OK && in->to_end)
        st = prvcut_search_close(&loop, in, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_leave_loop(&apart, &loop, err);
    if (st == PRVCUT_OK && !apart && loop.loop.found) {
        loop.separated = true;
        prvcut_search_take(s, &loop);
        s->confidence = s->verdict.confidence = fmin(s->confidence, WITHIN);
        s->separation.two = true;
    }
    prvcut_call_loop_fini(&loop);
    return st;
}

enum prvcut_status prvcut_search_twice(struct prvcut_search *s,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_error *err)
{
    struct call_track *track;
    bool all = false;
    enum prvcut_status st;

    if (in->from || in->cut_short || in->masks > 0 || in->period_ns > 0 || !s->verdict.found ||
        !s->witness[s->verdict.chosen].calls || s->calls.followers == 0 ||
        s->calls.loop.iterations < LEAST)
        return PRVCUT_OK;
    track = prvcut_zeroed(in->sequences, sizeof *track, "sequences", err);
    st = track ? twc_lay(track, &all, s, in, err) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && all)
        st = twc_take(s, track, in, err);
    for (size_t i = 0; track && i < in->sequences; i++)
        prvcut_call_track_fini(&track[i]);
    free(track);
    return st;
}
