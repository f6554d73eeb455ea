#include "structure/divide_judge.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/last_call.h"

#include <math.h>
#include <stdlib.h>

/*
 * name           value  unit                     decides
 */
#define JUDGE_CALLS                                                                                \
    1.1 /* of what its calls take   no more than that is what they take                            \
         */
#define JUDGE_LATE                                                                                 \
    0.5 /* of what a first one takes more   that threads are late by: all of it is theirs */

/* The calls of the thread that leads in an iteration. */
static double dvj_calls(const struct prvcut_call_sequence *s, const uint64_t *border)
{
    const size_t from = prvcut_lower_u64(s->at, s->count, sizeof *s->at,
                                         offsetof(struct prvcut_call, time), border[0]),
                 to = prvcut_lower_u64(s->at, s->count, sizeof *s->at,
                                       offsetof(struct prvcut_call, time), border[1]);

    return (double)(to - from);
}

/* Where many iterations have more calls than others, or fewer, those that are only as much longer
   as more calls usually take are not unusual for that. */
static enum prvcut_status dvj_by_calls(struct lengths_list *out, const struct divide_judged *j,
                                       struct prvcut_error *err)
{
    const size_t leader = prvcut_known_loop_leader(j->loop), n = out->count;
    const struct prvcut_call_sequence *s;
    double *calls, *room, usual;
    size_t others = 0;

    if (leader >= j->loop->calls.sequences || n == 0)
        return PRVCUT_OK;
    s = &j->loop->sequence[leader];
    calls = prvcut_unset(2 * n, sizeof *calls, "iterations", err);
    if (!calls)
        return PRVCUT_ENOMEM;
    room = calls + n;
    for (size_t i = 0; i < n; i++)
        room[i] = calls[i] = dvj_calls(s, &j->border[out->iteration[i]]);
    usual = prvcut_median(room, n);
    for (size_t i = 0; i < n; i++)
        if (fabs(calls[i] - usual) >= 1)
            room[others++] = out->at[i] * out->deviation / (calls[i] - usual);
    if ((double)others > PRVCUT_LENGTHS_MANY * (double)n) {
        const double each = prvcut_median(room, others);

        for (size_t i = 0; i < n; i++)
            if (out->at[i] > out->far && calls[i] > usual &&
                1 + out->at[i] * out->deviation <= JUDGE_CALLS * (1 + each * (calls[i] - usual)))
                out->at[i] = 0;
    }
    free(calls);
    return PRVCUT_OK;
}

/* A loop's first iteration that is longer only because threads begin it late, and its last one that
   is so only behind the last call of all: what led to the loop, or follows it, is no part of it. */
static enum prvcut_status dvj_ends(struct lengths_list *out, const struct divide_judged *j,
                                   struct prvcut_error *err)
{
    const size_t last = j->borders - 2, n = out->count;
    double lag = 0, late;
    enum prvcut_status st = PRVCUT_OK;

    if (j->ends && n > 0 && out->iteration[n - 1] == last && out->at[n - 1] > out->far) {
        const double own = prvcut_last_call_excess(j->loop, j->border[last]);

        out->at[n - 1] = fmin(out->at[n - 1], fmax(0, own / out->deviation));
    }
    if (!j->begins || n == 0 || out->iteration[0] > 0 || !(out->at[0] > out->far))
        return PRVCUT_OK;
    st = prvcut_first_lag_find(&lag, j->loop, err);
    late = lag / j->loop->loop.median_ns / out->deviation;
    /* Who is late keeps others waiting, and these again others: it is more than the lag itself. */
    if (late > 0)
        out->at[0] = late < JUDGE_LATE * out->at[0] ? out->at[0] - late : 0;
    return st;
}

enum prvcut_status divide_judge(struct lengths_list *out, const struct divide_judged *j,
                                const struct prvcut_search_input *in, bool masked,
                                struct prvcut_error *err)
{
    const size_t last = j->borders - 2;
    const bool apart = j->whole < j->borders && !masked;
    double reach = j->loop->loop.median_ns;
    enum prvcut_status st =
        prvcut_lengths_judge(out, j->border, j->whole, in->mask, in->masks, err);
    const bool among = j->ends && out->count > 0 && out->iteration[out->count - 1] == last &&
                       out->at[out->count - 1] < 0;

    out->far = prvcut_far_among(prvcut_parameter_of(in->set, PRVCUT_SET_UNUSUAL),
                                (double)(j->borders - 1));
    if (st == PRVCUT_OK)
        st = dvj_by_calls(out, j, err);
    out->count -= among;
    if (st == PRVCUT_OK && (j->ends || j->begins))
        st = dvj_ends(out, j, err);
    /* What was taken off hides others no more, and who keeps enough of it still stands clear. */
    if (st == PRVCUT_OK)
        st = prvcut_lengths_judge_again(out, err);
    /* Who sets how far that is decides for himself. */
    for (size_t i = 0; in->set && in->set->given[PRVCUT_SET_UNUSUAL] && i < 2; i++)
        out->clear[i] = 0;
    if (st < 0 || !(apart || among))
        return st;
    st = prvcut_last_call_find(&reach, j->loop, j->border, j->borders - 1, err);
    if (st == PRVCUT_OK)
        prvcut_lengths_judge_last(out, last, (double)(j->border[last + 1] - j->border[last]),
                                  reach);
    return st;
}
