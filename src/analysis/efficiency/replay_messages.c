#include "analysis/efficiency/replay_state.h"

#include "base/buffer.h"
#include "base/memory.h"

/* Edges that are made at once. */
#define RME_BLOCK 256u

/* --- Edges ------------------------------------------------------------------------------------ */

static enum prvcut_status rme_block(struct prvcut_replay *r, struct prvcut_error *err)
{
    struct rpl_edge *e;

    if (prvcut_grow((void **)&r->block, &r->blocks_room, r->blocks + 1, sizeof *r->block, err) < 0)
        return PRVCUT_ENOMEM;
    e = prvcut_zeroed(RME_BLOCK, sizeof *e, "messages under way", err);
    if (!e)
        return PRVCUT_ENOMEM;
    r->block[r->blocks++] = e;
    for (size_t i = 0; i < RME_BLOCK; i++)
        rpl_edge_drop(r, &e[i]);
    return PRVCUT_OK;
}

enum prvcut_status rpl_edge_new(struct prvcut_replay *r, struct rpl_edge **out,
                                struct prvcut_error *err)
{
    if (!r->free_edge && rme_block(r, err) < 0)
        return PRVCUT_ENOMEM;
    *out = r->free_edge;
    r->free_edge = r->free_edge->next;
    **out = (struct rpl_edge){ .enter = RPL_NEVER, .waits.lane = PRVCUT_NOBODY };
    return PRVCUT_OK;
}

void rpl_edge_drop(struct prvcut_replay *r, struct rpl_edge *e)
{
    e->next = r->free_edge;
    r->free_edge = e;
}

/* One of a call's is known. */
static void rme_fold(struct rpl_call *c, const struct rpl_edge *e)
{
    if (e->enter > c->ready) {
        c->ready = e->enter;
        c->latest = e->from;
    }
    if (e->begin <= c->end)
        c->ready_before = rpl_later(c->ready_before, e->enter);
}

void rpl_edge_meet(struct prvcut_replay *r, struct rpl_edge *e, struct rpl_ref waits)
{
    struct rpl_call *c = rpl_pending(r, waits);

    if (e->enter == RPL_NEVER) {
        /* Told when it is known, if the call still waits then. */
        e->waits = waits;
        if (c)
            c->missing++;
        return;
    }
    if (c)
        rme_fold(c, e);
    rpl_edge_drop(r, e);
}

/* An edge from a call, whose ideal time it has or will have. */
static enum prvcut_status rme_from(struct prvcut_replay *r, struct rpl_ref ref,
                                   struct rpl_edge **out, struct prvcut_error *err)
{
    struct rpl_call *from = rpl_at(&r->lane[ref.lane], ref.number);
    const enum prvcut_status st = rpl_edge_new(r, out, err);

    if (st < 0)
        return st;
    (*out)->from = ref.lane;
    (*out)->begin = from->begin;
    (*out)->enter = from->enter;
    if (from->enter == RPL_NEVER) {
        (*out)->next = from->told;
        from->told = *out;
    }
    return PRVCUT_OK;
}

enum prvcut_status rpl_wait(struct prvcut_replay *r, struct rpl_ref waits, struct rpl_ref for_call,
                            struct prvcut_error *err)
{
    struct rpl_edge *e;
    const enum prvcut_status st = rme_from(r, for_call, &e, err);

    if (st == PRVCUT_OK)
        rpl_edge_meet(r, e, waits);
    return st;
}

void rpl_tell(struct prvcut_replay *r, struct rpl_call *c)
{
    struct rpl_edge *e = c->told, *next;

    c->told = NULL;
    for (; e; e = next) {
        struct rpl_call *waits;

        next = e->next;
        e->enter = c->enter;
        if (e->waits.lane == PRVCUT_NOBODY)
            continue;
        waits = rpl_pending(r, e->waits);
        if (waits) {
            rme_fold(waits, e);
            if (--waits->missing == 0)
                rpl_wake(r, e->waits.lane);
        }
        rpl_edge_drop(r, e);
    }
}

/* --- Calls of messages ------------------------------------------------------------------------ */

/* The call of a lane at a time; at a border the one that begins, or the one that ends. */
static bool rme_find(const struct prvcut_replay *r, uint32_t lane, uint64_t time, bool begins,
                     struct rpl_ref *out)
{
    const struct rpl_lane *l = &r->lane[lane];
    bool found = false;

    for (uint64_t n = l->next; n-- > l->base;) {
        const struct rpl_call *c = rpl_at(l, n);

        if (c->end < time)
            break;
        if (c->begin > time || (found && begins))
            continue;
        *out = (struct rpl_ref){ n, lane };
        found = true;
        if (c->begin < time)
            break;
    }
    return found;
}

/* What is received when a call ends, or was before. */
void rpl_ended(struct prvcut_replay *r, struct rpl_ref call)
{
    struct rpl_lane *l = &r->lane[call.lane];
    const uint64_t end = rpl_at(l, call.number)->end;
    struct rpl_edge **at = &l->early;

    while (*at) {
        struct rpl_edge *e = *at;

        if (e->at > end) {
            at = &e->more;
            continue;
        }
        *at = e->more;
        l->earlies--;
        rpl_edge_meet(r, e, call);
    }
}

/* The senders that wait for a receive that may be posted in the call that begins. */
enum prvcut_status rpl_begun(struct prvcut_replay *r, struct rpl_ref call, struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[call.lane];
    struct rpl_edge **at = &l->posting;
    enum prvcut_status st = PRVCUT_OK;

    while (*at && st == PRVCUT_OK) {
        const struct rpl_call *c = rpl_at(l, call.number);
        struct rpl_edge *e = *at;
        struct rpl_call *sender = rpl_pending(r, e->waits);

        if (e->at > c->begin) {
            at = &e->more;
            continue;
        }
        *at = e->more;
        l->postings--;
        if (sender) {
            sender->posts--;
            rpl_wake(r, e->waits.lane);
        }
        if (sender && e->at == c->begin && c->kind & PRVCUT_REPLAY_POSTS)
            st = rpl_wait(r, e->waits, call, err);
        rpl_edge_drop(r, e);
    }
    return st;
}

/* --- Messages --------------------------------------------------------------------------------- */

static enum prvcut_status rme_receive(struct prvcut_replay *r, struct rpl_ref send,
                                      const struct prvcut_message *m, struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[m->receiver];
    struct rpl_ref receive;
    struct rpl_edge *e;
    enum prvcut_status st;

    if (m->physical_receive <= r->now &&
        rme_find(r, m->receiver, m->physical_receive, false, &receive)) {
        if (receive.number >= l->head)
            return rpl_wait(r, receive, send, err);
        r->counts.late++;
        return PRVCUT_OK;
    }
    if (l->earlies >= RPL_EARLY) {
        r->counts.crowded++;
        return PRVCUT_OK;
    }
    st = rme_from(r, send, &e, err);
    if (st < 0)
        return st;
    e->at = m->physical_receive;
    e->more = l->early;
    l->early = e;
    l->earlies++;
    return PRVCUT_OK;
}

/* The sender waits for a receive that is to be posted. */
static enum prvcut_status rme_post_later(struct prvcut_replay *r, struct rpl_ref send,
                                         const struct prvcut_message *m, struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[m->receiver];
    struct rpl_edge *e;
    enum prvcut_status st;

    if (l->postings >= RPL_EARLY) {
        r->counts.crowded++;
        return PRVCUT_OK;
    }
    st = rpl_edge_new(r, &e, err);
    if (st < 0)
        return st;
    e->at = m->logical_receive;
    e->waits = send;
    e->more = l->posting;
    l->posting = e;
    l->postings++;
    rpl_pending(r, send)->posts++;
    return PRVCUT_OK;
}

static enum prvcut_status rme_rendezvous(struct prvcut_replay *r, struct rpl_ref send,
                                         const struct prvcut_message *m, struct prvcut_error *err)
{
    const bool causal = r->options.model == PRVCUT_REPLAY_CAUSAL;
    const struct rpl_call *c = rpl_pending(r, send);
    struct rpl_ref post;

    if (!c || !(c->kind & PRVCUT_REPLAY_RENDEZVOUS) ||
        (m->size < r->options.eager && !(c->kind & PRVCUT_REPLAY_SYNCHRONOUS)))
        return PRVCUT_OK;
    if (causal && m->logical_receive > m->physical_send)
        return PRVCUT_OK;
    if (m->logical_receive > r->now)
        return causal ? PRVCUT_OK : rme_post_later(r, send, m, err);
    if (!rme_find(r, m->receiver, m->logical_receive, true, &post) ||
        !(rpl_at(&r->lane[post.lane], post.number)->kind & PRVCUT_REPLAY_POSTS))
        return PRVCUT_OK;
    return rpl_wait(r, send, post, err);
}

enum prvcut_status prvcut_replay_message(struct prvcut_replay *r, const struct prvcut_message *m,
                                         bool keep, struct prvcut_error *err)
{
    struct rpl_ref send;
    enum prvcut_status st;

    if (m->logical_send > m->physical_receive && !keep) {
        r->counts.acausal++;
        return PRVCUT_OK;
    }
    if (!rme_find(r, m->sender, m->logical_send, true, &send)) {
        r->counts.callless++;
        return PRVCUT_OK;
    }
    st = rme_receive(r, send, m, err);
    if (st == PRVCUT_OK)
        st = rme_rendezvous(r, send, m, err);
    return st == PRVCUT_OK && r->todos > 0 ? rpl_advance(r, err) : st;
}
