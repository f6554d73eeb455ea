#include "structure/divide_judge.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/first_delay.h"
#include "structure/last_call.h"

#include <math.h>
#include <stdlib.h>

/*
 * name           value  unit                     decides
 */
#define JUDGE_CALLS                                                                                \
    1.1 /* of what its calls take   no more than that is what they take                            \
         */

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

/* When the last of the threads that follow the one that leads begins an iteration. */
static uint64_t dvj_last(const struct prvcut_call_loop *l, size_t leader, size_t iteration)
{
    uint64_t last = 0;

    for (size_t k = 0; k < l->sequences; k++)
        if (l->borders[k] == l->borders[leader] && l->border[k][iteration] > last)
            last = l->border[k][iteration];
    return last;
}

/* Those that are shorter on the thread that leads alone, as where it is not yet held up by a slower
   one: the run goes on no faster. */
static void dvj_ahead(struct lengths_list *out, const struct divide_judged *j)
{
    const size_t leader = prvcut_known_loop_leader(j->loop);
    const struct prvcut_call_loop *l = &j->loop->calls;
    const size_t first = leader < l->sequences
                             ? prvcut_lower_u64(l->border[leader], l->borders[leader],
                                                sizeof *l->border[leader], 0, j->border[0])
                             : 0;

    if (leader >= l->sequences || first == l->borders[leader] ||
        l->border[leader][first] != j->border[0])
        return;
    for (size_t i = 0; i < out->count; i++) {
        const size_t k = first + out->iteration[i];
        double length, usual;

        if (out->at[i] > -out->far || k + 1 >= l->borders[leader])
            continue;
        length = (double)(l->border[leader][k + 1] - l->border[leader][k]);
        usual = length / (1 + out->at[i] * out->deviation);
        if (2 * (double)(dvj_last(l, leader, k + 1) - dvj_last(l, leader, k)) > usual + length)
            out->at[i] = 0;
    }
}

/* The first iterations that are longer only because what led to the loop keeps threads waiting: it
   is no part of it. */
static enum prvcut_status dvj_begin(struct lengths_list *out, const struct divide_judged *j,
                                    struct prvcut_error *err)
{
    const size_t leader = prvcut_known_loop_leader(j->loop);
    const struct prvcut_call_loop *l = &j->loop->calls;
    struct prvcut_first_delay delay;
    enum prvcut_status st;

    if (leader >= l->sequences || l->border[leader][0] != j->border[0])
        return PRVCUT_OK;
    st = prvcut_first_delay_init(&delay, j->loop, err);
    if (st == PRVCUT_OK)
        prvcut_first_delay_of(&delay, leader);
    for (size_t i = 0; st == PRVCUT_OK && i < out->count && out->iteration[i] < delay.count; i++)
        if (out->at[i] > out->far)
            out->at[i] = prvcut_first_delay_off(out->at[i], delay.ns[out->iteration[i]] /
                                                                l->loop.median_ns / out->deviation);
    prvcut_first_delay_fini(&delay);
    return st;
}

/* A loop's last iteration that is longer only behind the last call of all: what follows the loop is
   no part of it. */
static void dvj_end(struct lengths_list *out, const struct divide_judged *j)
{
    const size_t last = j->borders - 2, n = out->count;

    if (n > 0 && out->iteration[n - 1] == last && out->at[n - 1] > out->far) {
        const double own = prvcut_last_call_excess(j->loop, j->border[last]);

        out->at[n - 1] = fmin(out->at[n - 1], fmax(0, own / out->deviation));
    }
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
    if (st == PRVCUT_OK && j->ends)
        dvj_end(out, j);
    if (st == PRVCUT_OK && j->begins)
        st = dvj_begin(out, j, err);
    if (st == PRVCUT_OK)
        dvj_ahead(out, j);
    /* What was taken off hides others no more, and who keeps enough of it still stands clear. */
    if (st == PRVCUT_OK)
        st = prvcut_lengths_judge_again(out, err);
    for (size_t i = 0; out->count > 0 && i < 2; i++)
        out->clear[i] = fmax(out->clear[i], PRVCUT_LENGTHS_UNLIKE / out->deviation);
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
