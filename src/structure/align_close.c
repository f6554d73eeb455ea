#include "base/memory.h"
#include "base/search.h"
#include "structure/align_borders.h"

#include <stdlib.h>
#include <string.h>

#define COST_COLLECTIVE 8 /* split, against one message that crosses; as in refine.c */

/* Walls of one piece: bounds memory, not the answer. */
#define CLOSE_WALLS 256

static void acl_push(struct aligner *a, uint32_t *count, uint32_t t)
{
    if (a->queued[t])
        return;
    a->queued[t] = 1;
    a->queue[(*count)++] = t;
}

/* Is a group looked at for the first time in this round? */
static bool acl_close_first_look(struct aligner *a, uint32_t group)
{
    const bool first = a->looked[group] != a->round;

    a->looked[group] = a->round;
    return first;
}

/* Nothing has been looked at. */
static void acl_close_begin_round(struct aligner *a)
{
    if (++a->round == 0) {
        memset(a->looked, 0, a->groups.groups * sizeof *a->looked);
        a->round = 1;
    }
}

/* Bring all calls of a group to the side that the closure moves them to. */
static void acl_settle(struct aligner *a, uint32_t group, bool on, uint32_t *count)
{
    const struct align_groups *g = &a->groups;

    if (!acl_close_first_look(a, group))
        return;
    for (size_t i = g->first[group]; i < g->first[group + 1]; i++) {
        const struct align_point *p = &g->point[i];

        if (on && a->pos[p->thread] < p->pos && p->pos <= a->bound[p->thread]) {
            a->pos[p->thread] = p->pos;
            acl_push(a, count, p->thread);
        } else if (!on && a->pos[p->thread] >= p->pos && p->pos > a->bound[p->thread]) {
            a->pos[p->thread] = p->pos - 1;
            acl_push(a, count, p->thread);
        }
    }
}

/* A border among the walls. */
struct close_place {
    const struct aligner *a;
    const uint32_t *at; /* [threads] */
};

/* Is a wall behind the border on any thread? */
static bool acl_close_is_beyond(const void *ctx, size_t wall)
{
    const struct close_place *p = ctx;
    const uint32_t *is = p->a->wall + wall * p->a->piece.threads;

    for (uint32_t t = 0; t < p->a->piece.threads; t++)
        if (is[t] > p->at[t])
            return true;
    return false;
}

/* Is a wall at the border or behind it on all threads? */
static bool acl_close_is_not_before(const void *ctx, size_t wall)
{
    const struct close_place *p = ctx;
    const uint32_t *is = p->a->wall + wall * p->a->piece.threads;

    for (uint32_t t = 0; t < p->a->piece.threads; t++)
        if (is[t] < p->at[t])
            return false;
    return true;
}

/* What lies wholly before the border where it starts (at: [threads]), or behind it, stays there: it
   is not looked at. */
static void acl_start_cursors(struct aligner *a, const uint32_t *at, bool on)
{
    const struct align_groups *g = &a->groups;
    const struct close_place place = { a, at };
    const size_t beyond = prvcut_first(0, a->walls, acl_close_is_beyond, &place);
    const size_t behind = prvcut_first(beyond, a->walls, acl_close_is_not_before, &place);
    const size_t *from = beyond > 0 ? a->wall_from + (beyond - 1) * a->piece.threads : g->begin;
    const size_t *to = behind < a->walls ? a->wall_from + behind * a->piece.threads : g->begin + 1;
    uint64_t next = UINT64_MAX, before = 0;

    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const struct align_thread *thread = &a->piece.thread[t];
        const uint32_t pos = at[t];

        if (pos < thread->count && thread->call[pos].time < next)
            next = thread->call[pos].time;
        if (pos > 0 && thread->call[pos - 1].time > before)
            before = thread->call[pos - 1].time;
    }
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const size_t begin = from[t], count = to[t] - begin;

        a->cursor[t] =
            begin +
            (on ? prvcut_lower_u64(g->last + begin, count, sizeof *g->last, 0, next)
                : prvcut_lower_u64(g->earliest + begin, count, sizeof *g->earliest, 0, before + 1));
    }
}

/*
 * Move the border on (or back) on every thread by as few calls as let nothing cross it any more;
 * no thread moves by more than the reach. Starts at, and leaves its result in, a->pos.
 */
static void acl_close_border(struct aligner *a, bool on)
{
    const struct align_groups *g = &a->groups;
    uint32_t count = 0;

    acl_close_begin_round(a);
    memset(a->queued, 0, a->piece.threads);
    acl_start_cursors(a, a->pos, on);
    for (uint32_t t = 0; t < a->piece.threads; t++)
        acl_push(a, &count, t);
    while (count > 0) {
        const uint32_t t = a->queue[--count];

        a->queued[t] = 0;
        while (on && a->cursor[t] < g->begin[t + 1] &&
               g->point[g->by_thread[a->cursor[t]]].pos <= a->pos[t])
            acl_settle(a, g->point[g->by_thread[a->cursor[t]++]].group, true, &count);
        while (!on && a->cursor[t] > g->begin[t] &&
               g->point[g->by_thread[a->cursor[t] - 1]].pos > a->pos[t])
            acl_settle(a, g->point[g->by_thread[--a->cursor[t]]].group, false, &count);
    }
}

enum prvcut_status prvcut_align_put_walls(struct aligner *a, struct prvcut_error *err)
{
    const uint64_t iterations = (a->piece.span.end - a->piece.span.start) / (a->period + 1) + 1;
    const size_t walls = iterations < CLOSE_WALLS ? (size_t)iterations : CLOSE_WALLS;
    const size_t threads = a->piece.threads;

    a->wall = prvcut_zeroed(walls * threads + 1, sizeof *a->wall, "the threads' borders", err);
    a->wall_from =
        prvcut_zeroed(walls * threads + 1, sizeof *a->wall_from, "the threads' borders", err);
    if (!a->wall || !a->wall_from)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < walls; i++) {
        for (size_t t = 0; t < threads; t++) {
            const size_t count = a->piece.thread[t].count;
            const uint32_t at = (uint32_t)(count * (i + 1) / (walls + 1));
            const uint32_t least = i > 0 ? a->wall[(i - 1) * threads + t] : 0;

            a->pos[t] = at > least ? at : least;
            a->bound[t] = (uint32_t)count;
        }
        acl_close_border(a, true);
        memcpy(a->wall + i * threads, a->pos, threads * sizeof *a->pos);
        memcpy(a->wall_from + i * threads, a->cursor, threads * sizeof *a->cursor);
        a->walls = i + 1;
    }
    return PRVCUT_OK;
}

/* Does a group, of which a call is before the border, have one behind it? */
static bool acl_close_is_behind(const struct align_groups *g, uint32_t group, const uint32_t *pos)
{
    bool behind = false;

    for (size_t k = g->first[group]; k < g->first[group + 1] && !behind; k++)
        behind = g->point[k].pos > pos[g->point[k].thread];
    return behind;
}

/* Groups that lie on both sides: of those with a call before the border, in reach of it. */
static void acl_count_crossing(struct aligner *a, const uint32_t *pos, uint64_t *messages,
                               uint64_t *collectives)
{
    const struct align_groups *g = &a->groups;

    *messages = *collectives = 0;
    acl_close_begin_round(a);
    acl_start_cursors(a, pos, true);
    for (uint32_t t = 0; t < a->piece.threads; t++)
        for (size_t i = a->cursor[t]; i < g->begin[t + 1]; i++) {
            const struct align_point *p = &g->point[g->by_thread[i]];

            if (p->pos > pos[t])
                break;
            if (acl_close_first_look(a, p->group) && acl_close_is_behind(g, p->group, pos))
                ++*(p->group < g->messages ? messages : collectives);
        }
}

static uint64_t acl_moved_by(const struct aligner *a, const uint32_t *from)
{
    uint64_t sum = 0;

    for (uint32_t t = 0; t < a->piece.threads; t++)
        sum += prvcut_align_apart(a->pos[t], from[t]);
    return sum;
}

uint64_t prvcut_align_cost(uint64_t crossing, uint64_t split)
{
    return crossing + COST_COLLECTIVE * split;
}

/* How far each thread may be moved from where its border is expected. */
static void acl_set_bounds(struct aligner *a, const struct align_border *b, bool on)
{
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const uint64_t now = b->expected[t];

        a->bound[t] = prvcut_align_calls_until(
            &a->piece.thread[t], on ? now + a->reach : prvcut_align_less(now, a->reach), false);
    }
}

/* How far apart neighbours among the threads that are known are. */
static uint64_t acl_close_known_apart(const struct aligner *a, const struct align_border *b)
{
    uint64_t last = UINT64_MAX, most = 0;

    for (uint32_t t = 0; t < a->piece.threads; t++) {
        if (!b->known[t])
            continue;
        if (last != UINT64_MAX && prvcut_align_apart(last, b->expected[t]) > most)
            most = prvcut_align_apart(last, b->expected[t]);
        last = b->expected[t];
    }
    return most;
}

void prvcut_align_room(struct aligner *a, struct align_border *b)
{
    const size_t bytes = a->piece.threads * sizeof *a->pos;
    uint64_t reach;

    b->apart = acl_close_known_apart(a, b);
    reach = a->reach + b->apart;
    for (int on = 1; on >= 0; on--) {
        for (uint32_t t = 0; t < a->piece.threads; t++) {
            const struct align_thread *thread = &a->piece.thread[t];
            const uint64_t at = b->expected[t];
            const uint64_t far = on ? prvcut_align_less(at, reach) : at + reach;

            a->pos[t] = b->known[t] ? b->pos[t] : prvcut_align_calls_until(thread, far, false);
            a->bound[t] = on ? (uint32_t)thread->count : 0;
        }
        acl_close_border(a, on);
        memcpy(on ? b->low : b->high, a->pos, bytes);
    }
}

/* Leave the border where it is, move it on, or move it back: whatever lets the least cross it. */
enum prvcut_status prvcut_align_settle(struct aligner *a, struct align_border *b,
                                       struct prvcut_error *err)
{
    const size_t bytes = a->piece.threads * sizeof *b->pos;
    uint32_t *seed = prvcut_unset(1, bytes + sizeof *seed, "the threads' borders", err);
    uint64_t least_move = 0;
    bool crossed;

    if (!seed)
        return PRVCUT_ENOMEM;
    memcpy(seed, b->pos, bytes);
    acl_count_crossing(a, seed, &b->crossing, &b->split);
    a->moved_any = crossed = b->crossing + b->split > 0;
    for (int on = 1; crossed && on >= 0; on--) {
        const uint64_t best = prvcut_align_cost(b->crossing, b->split);
        uint64_t crossing, split, move;

        acl_set_bounds(a, b, on);
        memcpy(a->pos, seed, bytes);
        acl_close_border(a, on);
        acl_count_crossing(a, a->pos, &crossing, &split);
        move = acl_moved_by(a, seed);
        if (prvcut_align_cost(crossing, split) > best ||
            (prvcut_align_cost(crossing, split) == best && move >= least_move))
            continue;
        memcpy(b->pos, a->pos, bytes);
        b->crossing = crossing;
        b->split = split;
        least_move = move;
    }
    free(seed);
    return PRVCUT_OK;
}
