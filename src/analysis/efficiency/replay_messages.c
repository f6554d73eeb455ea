#include "analysis/efficiency/replay_state.h"

#include "base/search.h"

/* --- Calls of messages ------------------------------------------------------------------------ */

/* What a lane's calls are asked. */
struct rme_until {
    const struct rpl_lane *lane;
    uint64_t time;
    uint64_t *steps;
};

static bool rme_begins_later(const void *ctx, size_t i)
{
    const struct rme_until *u = ctx;

    ++*u->steps;
    return rpl_at(u->lane, u->lane->base + i)->begin > u->time;
}

/* The call of a lane at a time; at a border the one that begins, or the one that ends. */
static bool rme_find(struct prvcut_replay *r, uint32_t lane, uint64_t time, bool begins,
                     struct rpl_ref *out)
{
    const struct rpl_lane *l = &r->lane[lane];
    const struct rme_until until = { l, time, &r->counts.steps };
    uint64_t n = l->base + prvcut_first(0, (size_t)(l->next - l->base), rme_begins_later, &until);
    bool found = false;

    while (n-- > l->base && rpl_at(l, n)->end >= time) {
        *out = (struct rpl_ref){ n, lane };
        found = true;
        r->counts.steps++;
        if (begins || rpl_at(l, n)->begin < time)
            break;
    }
    return found;
}

/* --- Those that wait for a receiver -----------------------------------------------------------
 */

/* Two heaps are one. */
static struct rpl_edge *rme_join(struct rpl_edge *a, struct rpl_edge *b)
{
    struct rpl_edge *const first = b->at < a->at ? b : a, *const other = first == a ? b : a;

    other->more = first->below;
    first->below = other;
    return first;
}

static void rme_put(struct rpl_edge **heap, struct rpl_edge *e)
{
    e->below = e->more = NULL;
    *heap = *heap ? rme_join(*heap, e) : e;
}

/* Take the first one out: what is below it is joined by twos, then, backwards, into one. */
static struct rpl_edge *rme_take(struct prvcut_replay *r, struct rpl_edge **heap)
{
    struct rpl_edge *const first = *heap, *pairs = NULL;

    for (struct rpl_edge *a = first->below, *next; a; a = next) {
        struct rpl_edge *const b = a->more;

        next = b ? b->more : NULL;
        if (b)
            a = rme_join(a, b);
        a->more = pairs;
        pairs = a;
        r->counts.steps++;
    }
    *heap = NULL;
    for (struct rpl_edge *next; pairs; pairs = next) {
        next = pairs->more;
        *heap = *heap ? rme_join(*heap, pairs) : pairs;
    }
    return first;
}

/* What is received when a call ends, or was before. */
void rpl_ended(struct prvcut_replay *r, struct rpl_ref call)
{
    struct rpl_lane *l = &r->lane[call.lane];
    const uint64_t end = rpl_at(l, call.number)->end;

    while (l->early && l->early->at <= end) {
        l->earlies--;
        rpl_edge_meet(r, rme_take(r, &l->early), call);
    }
}

/* The senders that wait for a receive that may be posted in the call that begins. */
enum prvcut_status rpl_begun(struct prvcut_replay *r, struct rpl_ref call, struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[call.lane];
    enum prvcut_status st = PRVCUT_OK;

    while (l->posting && l->posting->at <= rpl_at(l, call.number)->begin && st == PRVCUT_OK) {
        const struct rpl_call *c = rpl_at(l, call.number);
        struct rpl_edge *e = rme_take(r, &l->posting);
        struct rpl_call *sender = rpl_pending(r, e->waits);

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
    st = rpl_edge_from(r, send, &e, err);
    if (st < 0)
        return st;
    e->at = m->physical_receive;
    rme_put(&l->early, e);
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
    rme_put(&l->posting, e);
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

    r->counts.steps++;
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
