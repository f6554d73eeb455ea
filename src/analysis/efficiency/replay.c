#include "analysis/efficiency/replay_state.h"

#include "base/memory.h"

#include <stdlib.h>

/* Calls that a lane has room for at first. */
#define RPL_FIRST 16u

/* --- The lanes' calls ------------------------------------------------------------------------- */

static enum prvcut_status rpl_room(struct prvcut_replay *r, struct rpl_lane *l,
                                   struct prvcut_error *err)
{
    const uint64_t room = l->room > 0 ? 2 * l->room : RPL_FIRST;
    struct rpl_call *call;

    if (l->head > r->recent && l->head - r->recent > l->base)
        l->base = l->head - r->recent;
    if (l->next - l->base < l->room)
        return PRVCUT_OK;
    call = prvcut_unset((size_t)room, sizeof *call, "calls that wait", err);
    if (!call)
        return PRVCUT_ENOMEM;
    for (uint64_t n = l->base; n < l->next; n++)
        call[n & (room - 1)] = *rpl_at(l, n);
    free(l->call);
    l->call = call;
    l->room = room;
    return PRVCUT_OK;
}

/* Those that have ended leave from the front; where they pile up behind one that has not, all do.
 */
static enum prvcut_status rpl_fifo_put(struct rpl_fifo *f, struct rpl_ref ref,
                                       struct prvcut_error *err)
{
    const size_t room = f->room > 0 ? 2 * f->room : 64;
    struct rpl_ref *at;

    if (f->count == f->room) {
        at = prvcut_unset(room, sizeof *at, "calls that wait", err);
        if (!at)
            return PRVCUT_ENOMEM;
        for (size_t i = 0; i < f->count; i++)
            at[i] = f->at[(f->first + i) & (f->room - 1)];
        free(f->at);
        *f = (struct rpl_fifo){ .at = at, .room = room, .count = f->count };
    }
    f->at[(f->first + f->count++) & (f->room - 1)] = ref;
    return PRVCUT_OK;
}

static struct rpl_ref rpl_fifo_first(const struct rpl_fifo *f)
{
    return f->at[f->first];
}

static void rpl_fifo_drop(struct rpl_fifo *f)
{
    f->first = (f->first + 1) & (f->room - 1);
    f->count--;
}

/* Keep only those that still wait, and, of those that send, have not ended. */
static void rpl_fifo_clean(struct prvcut_replay *r, struct rpl_fifo *f, bool open)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->count; i++) {
        const struct rpl_ref ref = f->at[(f->first + i) & (f->room - 1)];
        const struct rpl_call *c = rpl_pending(r, ref);

        if (c && (!open || c->end == RPL_NEVER))
            f->at[(f->first + kept++) & (f->room - 1)] = ref;
    }
    r->counts.steps += f->count;
    f->count = kept;
}

/* --- Time ------------------------------------------------------------------------------------- */

static bool rpl_has_ended(const struct prvcut_replay *r, struct rpl_ref ref)
{
    const struct rpl_call *c = rpl_pending(r, ref);

    return !c || c->end != RPL_NEVER;
}

/* All that is recorded before it has been told, and no message can name a call that ended there. */
static void rpl_move_horizon(struct prvcut_replay *r)
{
    uint64_t h = r->now;

    while (r->sends.count > 0 && rpl_has_ended(r, rpl_fifo_first(&r->sends)))
        rpl_fifo_drop(&r->sends);
    if (r->sends.count > 0) {
        const uint64_t begin = rpl_pending(r, rpl_fifo_first(&r->sends))->begin;

        h = begin < h ? begin : h;
    }
    if (h <= r->horizon)
        return;
    r->horizon = h;
    while (r->ended.count > 0) {
        const struct rpl_ref ref = rpl_fifo_first(&r->ended);
        const struct rpl_call *c = rpl_pending(r, ref);

        if (c && c->end >= h)
            break;
        rpl_fifo_drop(&r->ended);
        if (c)
            rpl_wake(r, ref.lane);
    }
}

/* A call waits from now on. */
static enum prvcut_status rpl_queue(struct prvcut_replay *r, uint32_t lane,
                                    struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[lane];
    const struct rpl_ref ref = { l->next - 1, lane };

    r->waiting++;
    r->counts.peak = rpl_later(r->counts.peak, r->waiting);
    r->counts.peak_lane = rpl_later(r->counts.peak_lane, l->next - l->head);
    rpl_wake(r, lane);
    if (!(rpl_at(l, ref.number)->kind & PRVCUT_REPLAY_SENDS))
        return PRVCUT_OK;
    if (r->sends.count > 2 * (size_t)r->waiting + 1024)
        rpl_fifo_clean(r, &r->sends, true);
    return rpl_fifo_put(&r->sends, ref, err);
}

/* What is open where the window begins begins there. */
static enum prvcut_status rpl_open_window(struct prvcut_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    r->inside = true;
    for (uint32_t i = 0; i < r->options.lanes && st == PRVCUT_OK; i++) {
        struct rpl_lane *l = &r->lane[i];

        l->last = rpl_later(l->last, r->options.from);
        if (!l->before)
            continue;
        l->before = false;
        rpl_at(l, l->next - 1)->begin = r->options.from;
        st = rpl_queue(r, i, err);
    }
    return st;
}

enum prvcut_status prvcut_replay_time(struct prvcut_replay *r, uint64_t time,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (time <= r->now)
        return PRVCUT_OK;
    if (!r->inside && time >= r->options.from)
        st = rpl_open_window(r, err);
    if (st < 0)
        return st;
    r->now = time;
    rpl_move_horizon(r);
    return r->todos > 0 ? rpl_advance(r, err) : PRVCUT_OK;
}

/* --- Calls ------------------------------------------------------------------------------------ */

void prvcut_replay_start(struct prvcut_replay *r, uint32_t lane, uint64_t time)
{
    struct rpl_lane *l = &r->lane[lane];

    if (l->next == 0)
        l->recorded = l->last = time;
}

bool prvcut_replay_inside(const struct prvcut_replay *r, uint32_t lane)
{
    return r->lane[lane].open;
}

static enum prvcut_status rpl_enter_group(struct prvcut_replay *r, struct rpl_ref ref,
                                          const struct prvcut_replay_call *c,
                                          struct prvcut_error *err)
{
    r->counts.started += (c->kind & PRVCUT_REPLAY_STARTS) != 0;
    if (!(c->kind & (PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_INIT)))
        return PRVCUT_OK;
    if (c->group < r->options.groups)
        return rpl_join(r, ref, c, err);
    r->counts.groupless += (c->kind & PRVCUT_REPLAY_COLLECTIVE) != 0;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_replay_enter(struct prvcut_replay *r, const struct prvcut_replay_call *c,
                                       struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[c->lane];
    const struct rpl_ref ref = { l->next, c->lane };
    enum prvcut_status st = PRVCUT_OK;

    if (l->next - l->base == l->room)
        st = rpl_room(r, l, err);
    if (st < 0)
        return st;
    *rpl_at(l, l->next++) = (struct rpl_call){ .begin = rpl_later(c->begin, l->last),
                                               .end = RPL_NEVER,
                                               .enter = RPL_NEVER,
                                               .value = c->value,
                                               .latest = PRVCUT_NOBODY,
                                               .kind = c->kind & 0xffff,
                                               .root = c->root };
    l->open = true;
    l->before = !r->inside;
    st = rpl_enter_group(r, ref, c, err);
    if (st == PRVCUT_OK && !l->before)
        st = rpl_begun(r, ref, err);
    if (st == PRVCUT_OK && !l->before)
        st = rpl_queue(r, c->lane, err);
    if (st == PRVCUT_OK)
        st = rpl_advance(r, err);
    for (bool any = true; r->cap > 0 && r->waiting > r->cap && any && st == PRVCUT_OK;)
        st = rpl_release(r, &any, err);
    return st;
}

/* It ended before what is looked at: it only took part. */
static void rpl_leave_before(struct prvcut_replay *r, struct rpl_lane *l)
{
    struct rpl_call *c = rpl_at(l, l->next - 1);

    c->enter = 0;
    rpl_group_entered(r, c);
    rpl_group_leave(r, c);
    l->before = false;
    l->next--;
}

enum prvcut_status prvcut_replay_leave(struct prvcut_replay *r, uint32_t lane, uint64_t end,
                                       bool cut, struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[lane];
    struct rpl_call *c = rpl_at(l, l->next - 1);
    const struct rpl_ref ref = { l->next - 1, lane };
    enum prvcut_status st;

    if (!l->open)
        return PRVCUT_OK;
    l->open = false;
    c->end = l->last = rpl_later(end, c->begin);
    c->cut = cut;
    if (c->group)
        c->group->left = c->end < c->group->left ? c->end : c->group->left;
    if (l->before) {
        rpl_leave_before(r, l);
        return rpl_advance(r, err);
    }
    rpl_ended(r, ref);
    if (r->ended.count > 2 * (size_t)r->waiting + 1024)
        rpl_fifo_clean(r, &r->ended, false);
    st = rpl_fifo_put(&r->ended, ref, err);
    return st == PRVCUT_OK && r->todos > 0 ? rpl_advance(r, err) : st;
}

/* --- Going on --------------------------------------------------------------------------------- */

enum prvcut_status prvcut_replay_finish(struct prvcut_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (!r->inside)
        st = rpl_open_window(r, err);
    r->now = r->horizon = RPL_NEVER;
    for (uint32_t i = 0; i < r->options.lanes; i++)
        rpl_wake(r, i);
    if (st == PRVCUT_OK)
        st = rpl_advance(r, err);
    for (bool any = true; r->waiting > 0 && any && st == PRVCUT_OK;)
        st = rpl_release(r, &any, err);
    return st;
}

/* --- Its life --------------------------------------------------------------------------------- */

static enum prvcut_status rpl_init(struct prvcut_replay *r, struct prvcut_error *err)
{
    const struct prvcut_replay_options *o = &r->options;

    r->lane = prvcut_zeroed((size_t)o->lanes + 1, sizeof *r->lane, "threads", err);
    r->todo = prvcut_zeroed((size_t)o->lanes + 1, sizeof *r->todo, "threads", err);
    r->comm = prvcut_zeroed((size_t)o->groups + 1, sizeof *r->comm, "communicators", err);
    if (!r->lane || !r->todo || !r->comm)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->lanes; i++)
        r->lane[i].rank = o->rank ? o->rank[i] : i;
    for (uint32_t i = 0; i < o->lanes; i++)
        r->lane[i].recorded = r->lane[i].last = o->from;
    for (uint32_t i = 0; i < o->groups; i++)
        r->comm[i] = (struct rpl_comm){ .rank = o->group[i].rank, .ranks = o->group[i].ranks };
    return PRVCUT_OK;
}

enum prvcut_status prvcut_replay_new(struct prvcut_replay **out,
                                     const struct prvcut_replay_options *options,
                                     struct prvcut_error *err)
{
    struct prvcut_replay *r = prvcut_zeroed(1, sizeof *r, "a replay", err);
    enum prvcut_status st = r ? PRVCUT_OK : PRVCUT_ENOMEM;

    *out = NULL;
    if (r) {
        r->options = *options;
        r->inside = options->from == 0;
        r->recent = options->lanes > RPL_MANY ? RPL_RECENT_MANY : RPL_RECENT;
        r->cap = (uint64_t)options->cap * (options->lanes > 0 ? options->lanes : 1);
        st = rpl_init(r, err);
    }
    if (st == PRVCUT_OK)
        *out = r;
    else
        prvcut_replay_free(r);
    return st;
}

void prvcut_replay_free(struct prvcut_replay *r)
{
    if (!r)
        return;
    rpl_groups_fini(r);
    for (uint32_t i = 0; r->lane && i < r->options.lanes; i++)
        free(r->lane[i].call);
    for (size_t i = 0; i < r->blocks; i++)
        free(r->block[i]);
    free(r->block);
    free(r->lane);
    free(r->comm);
    free(r->todo);
    free(r->heap);
    free(r->sends.at);
    free(r->ended.at);
    free(r);
}

uint64_t prvcut_replay_ideal(const struct prvcut_replay *r, uint32_t lane)
{
    return r->lane[lane].ideal;
}

uint64_t prvcut_replay_recorded(const struct prvcut_replay *r, uint32_t lane)
{
    return r->lane[lane].recorded;
}

const struct prvcut_replay_counts *prvcut_replay_counts(const struct prvcut_replay *r)
{
    return &r->counts;
}

size_t prvcut_replay_memory(const struct prvcut_replay *r)
{
    size_t n = sizeof *r + rpl_messages_memory(r) + rpl_groups_memory(r) +
               (r->sends.room + r->ended.room) * sizeof(struct rpl_ref) +
               r->heap_room * sizeof *r->heap;

    for (uint32_t i = 0; i < r->options.lanes; i++)
        n +=
            sizeof r->lane[i] + sizeof *r->todo + (size_t)r->lane[i].room * sizeof(struct rpl_call);
    return n;
}
