#include "structure/nested.h"

#include "base/memory.h"
#include "structure/call_follow.h"
#include "structure/search.h"
#include "structure/spread.h"

#include <math.h>
#include <stdlib.h>

/*
 * What nested loops say of a loop of calls, on three threads that follow it, whose counts must be
 * the same. Found on 1,600 generated programs and 90 of real runs. Where the nest has one iteration
 * more, it was right in 63 of 63; where the loop has so many times the nest's, the nest was in 3 of
 * 3. Of other contradictions the loop was right in 93 of 94: they say nothing. Of loops that were
 * told at 0.5 to 0.97 and have the nest's count 175 of 178 were right.
 *
 * name       value   unit            decides
 */
#define CALLS_MOST                                                                                 \
    65536 /* calls of a thread: longer rows cost more time than they were seen to tell */
#define SAME       0.1  /* of the iterations, or one: as many */
#define COARSER    4    /* times the nest's iterations: those of an inner loop */
#define COVER      0.95 /* of the calls that the nest holds there */
#define SURE       0.9  /* confidence there */
#define ODDS       4    /* times the odds of what the nest confirms, ... */
#define MOST       0.97 /* ... up to this confidence */
#define FAINT      0.5  /* up to which an answer is faint for another reason */
#define LOOSE      0.5 /* deviation of its iterations' log numbers of calls that makes it faint, ... */
#define CHANCE     0.7 /* ... and that of what comes as near and as far as events do */
#define ASKED      3   /* threads */
#define LONGEST    2   /* periods: one more iteration that takes longer holds the set-up (is.W.8) */
#define SLOWER     1.3 /* times the second's time between two calls, that a slow first iteration */
#define MOSTLY     0.6 /* takes between so many of its calls, where set-up is between two of them */
#define FIRST      5   /* periods that it takes at most */
#define CALLS_TELL 4   /* calls of an iteration, at least, that tell it from set-up (is.W.8: 3) */

struct nst_nests {
    struct prvcut_nested *of; /* [sequences] */
    uint8_t *heard;           /* [sequences] */
    const struct prvcut_search_input *in;
};

static enum prvcut_status nst_hear(struct nst_nests *n, size_t i, struct prvcut_error *err)
{
    const struct prvcut_call_sequence *q = &n->in->sequence[i];

    if (n->heard[i] || q->count > CALLS_MOST)
        return PRVCUT_OK;
    n->heard[i] = 1;
    return n->in->nested(&n->of[i], q, err);
}

static size_t nst_follower(const struct prvcut_call_loop *l, size_t which)
{
    for (size_t i = 0; i < l->sequences; i++)
        if (l->borders[i] > 0 && which-- == 0)
            return i;
    return 0;
}

/* What the first, middle and last thread that follow the loop agree on; NULL: nothing. */
static enum prvcut_status nst_agreed(const struct prvcut_nested **out, struct nst_nests *n,
                                     const struct prvcut_call_loop *l, struct prvcut_error *err)
{
    const struct prvcut_nested *least = NULL;
    enum prvcut_status st = PRVCUT_OK;

    *out = NULL;
    for (size_t k = 0; k < ASKED && st == PRVCUT_OK; k++) {
        const size_t i = nst_follower(l, k * (l->followers - 1) / (ASKED - 1));

        st = nst_hear(n, i, err);
        if (st < 0 || n->of[i].count == 0 || (least && n->of[i].count != least->count))
            return st;
        if (!least || n->of[i].cover < least->cover)
            least = &n->of[i];
    }
    if (st == PRVCUT_OK)
        *out = least;
    return st;
}

/* --- The nests' loop -------------------------------------------------------------------------- */

static enum prvcut_status nst_lay(struct prvcut_call_loop *out, struct nst_nests *n, size_t count,
                                  const struct prvcut_search *s, struct prvcut_error *err)
{
    const struct prvcut_search_input *in = n->in;
    struct call_track *track = prvcut_zeroed(in->sequences, sizeof *track, "sequences", err);
    enum prvcut_status st = track ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; i < in->sequences && st == PRVCUT_OK; i++) {
        st = nst_hear(n, i, err);
        if (st < 0 || n->of[i].count != count)
            continue;
        track[i] = (struct call_track){ .start = n->of[i].first, .count = count };
        prvcut_call_track_close(&track[i], &in->sequence[i]);
    }
    if (st == PRVCUT_OK)
        st = prvcut_call_loop_of_tracks(out, track, in->sequence, in->sequences,
                                        s->calls.loop.strength, err);
    if (st == PRVCUT_OK && in->to_end)
        st = prvcut_search_close(out, in, err);
    free(track);
    return st;
}

static double nst_span(const struct prvcut_loop *l)
{
    return (double)(l->span.end - l->span.start);
}

/* Is a thread's first iteration slow from call to call, against its second one? */
static bool nst_is_slow(const struct prvcut_nested *nest, const struct prvcut_call_sequence *q)
{
    const uint32_t *f = nest->first;
    size_t slow = 0, calls;

    if (nest->count < 3 || nest->tolerant || f[1] - f[0] != f[2] - f[1] || f[2] >= q->count)
        return false;
    calls = f[1] - f[0];
    for (size_t k = 0; k < calls; k++)
        slow += (double)(q->at[f[0] + k + 1].time - q->at[f[0] + k].time) >=
                SLOWER * (double)(q->at[f[1] + k + 1].time - q->at[f[1] + k].time);
    return calls >= CALLS_TELL && (double)slow >= MOSTLY * (double)calls;
}

/* Are the first iterations of most threads that have so many? */
static bool nst_are_slow(const struct nst_nests *n, size_t count)
{
    size_t slow = 0, all = 0;

    for (size_t i = 0; i < n->in->sequences; i++) {
        if (n->of[i].count != count)
            continue;
        all++;
        slow += nst_is_slow(&n->of[i], &n->in->sequence[i]);
    }
    return (double)slow >= MOSTLY * (double)all;
}

/* Is what it holds beyond the other loop no longer than iterations are, or than a slow one is? */
static bool nst_is_even(const struct nst_nests *n, const struct prvcut_call_loop *loop,
                        size_t count, const struct prvcut_loop *other)
{
    const struct prvcut_loop *l = &loop->loop;
    const double more = nst_span(l) - nst_span(other);

    return l->iterations <= other->iterations || more <= LONGEST * other->period_ns ||
           (more <= FIRST * other->period_ns && nst_are_slow(n, count));
}

/* Do as many threads follow it, and in step? */
static enum prvcut_status nst_stands(bool *out, const struct nst_nests *n, size_t count,
                                     struct prvcut_call_loop *l, const struct prvcut_search *s,
                                     struct prvcut_error *err)
{
    bool apart = false;
    enum prvcut_status st = prvcut_search_leave_loop(&apart, l, err);

    *out = st == PRVCUT_OK && !apart && l->loop.found && l->followers >= s->calls.followers &&
           nst_is_even(n, l, count, &s->calls.loop);
    return st;
}

static enum prvcut_status nst_take(bool *taken, struct nst_nests *n,
                                   const struct prvcut_nested *nest, struct prvcut_search *s,
                                   struct prvcut_error *err)
{
    const bool separated = s->calls.separated || nest->tolerant;
    const char *const alphabet = s->calls.alphabet;
    struct prvcut_call_loop loop;
    enum prvcut_status st = nst_lay(&loop, n, nest->count, s, err);

    *taken = false;
    if (st == PRVCUT_OK)
        st = nst_stands(taken, n, nest->count, &loop, s, err);
    if (*taken) {
        loop.separated = separated;
        loop.alphabet = separated ? loop.alphabet : alphabet;
        prvcut_search_take(s, &loop);
    }
    prvcut_call_loop_fini(&loop);
    return st;
}

/* How much do its iterations vary in their number of calls? */
static enum prvcut_status nst_varies(double *out, const struct prvcut_nested *nest,
                                     struct prvcut_error *err)
{
    double *length = prvcut_unset(2 * nest->count, sizeof *length, "iterations", err);
    struct prvcut_spread spread;

    *out = 0;
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < nest->count; k++)
        length[k] = log((double)(nest->first[k + 1] - nest->first[k]));
    prvcut_spread_find(&spread, length, length + nest->count, nest->count);
    *out = spread.all;
    free(length);
    return PRVCUT_OK;
}

/* --- What they say ---------------------------------------------------------------------------- */

static double nst_confirmed(double c)
{
    return c > FAINT && c < MOST ? fmin(MOST, ODDS * c / (1 + (ODDS - 1) * c)) : c;
}

static enum prvcut_status nst_judge(struct nst_nests *n, struct prvcut_search *s,
                                    struct prvcut_error *err)
{
    const double own = s->calls.loop.iterations;
    const struct prvcut_nested *nest;
    double varies;
    bool taken = false;
    enum prvcut_status st = nst_agreed(&nest, n, &s->calls, err);

    if (st < 0 || !nest)
        return st;
    st = nst_varies(&varies, nest, err);
    if (st < 0)
        return st;
    const double told = (double)nest->count, more = told - own;

    /* Stretches between masks are sought again, each alone, and would not hear it. */
    if (n->in->masks == 0 && n->in->period_ns == 0 && nest->tolerant && nest->cover >= COVER &&
        own >= COARSER * told) {
        if (varies < CHANCE)
            st = nst_take(&taken, n, nest, s, err);
        if (taken || varies >= CHANCE)
            s->confidence = varies < LOOSE ? SURE : fmin(s->confidence, FAINT);
    } else if (fabs(more) <= fmax(1, SAME * own)) {
        if (more > 0 && more < 1.5)
            st = nst_take(&taken, n, nest, s, err);
        s->confidence = nst_confirmed(s->confidence);
    }
    s->verdict.confidence = s->confidence;
    return st;
}

enum prvcut_status prvcut_search_nested(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_error *err)
{
    struct nst_nests n = { .in = in };
    enum prvcut_status st = PRVCUT_OK;

    if (!in->nested || in->from || in->cut_short || !s->verdict.found ||
        !s->witness[s->verdict.chosen].calls || s->calls.followers == 0)
        return PRVCUT_OK;
    n.of = prvcut_zeroed(in->sequences, sizeof *n.of, "sequences", err);
    n.heard = prvcut_zeroed(in->sequences, 1, "sequences", err);
    st = n.of && n.heard ? nst_judge(&n, s, err) : PRVCUT_ENOMEM;
    for (size_t i = 0; n.of && i < in->sequences; i++)
        free(n.of[i].first);
    free(n.of);
    free(n.heard);
    return st;
}
