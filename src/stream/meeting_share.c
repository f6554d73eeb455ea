#include "stream/meeting.h"

#include "base/exchange.h"
#include "base/memory.h"

#include <stdlib.h>

/*
 * Of a reading that several processes (ranks) share, each has the ends that its own piece told. So
 * that both ends of a message meet, one rank is to have all ends of a channel: each rank in turn
 * hands what it has to their owners. What goes wrong in one rank is kept until the last turn, so
 * that no rank waits for another in vain.
 */

/* Ends that are handed over at a time, of all channels. */
#define SHARE_ENDS ((size_t)8192)
/* Numbers that an end takes. */
#define SHARE_NUMBERS 8

struct share {
    const struct prvcut_exchange *x;
    struct stm_meeting *from; /* what this rank has read */
    struct stm_meeting to;    /* what it is the owner of */
    struct prvcut_uses uses;  /* of all ranks, at last */
    struct prvcut_end *end;   /* [SHARE_ENDS] */
    struct prvcut_put *out;   /* [ranks] */
    struct prvcut_buffer in;
    enum prvcut_status st; /* the first failure, and why */
    struct prvcut_error why;
};

static unsigned share_owner(const struct share *s, const struct prvcut_end *e)
{
    const struct prvcut_half *h = &e->half;
    const uint64_t from = h->receive ? h->peer : h->thread, to = h->receive ? h->thread : h->peer;

    return (unsigned)((from + to) % s->x->ranks);
}

static void share_put_end(struct prvcut_put *out, const struct prvcut_end *e)
{
    const struct prvcut_half *h = &e->half;
    const uint64_t number[SHARE_NUMBERS] = { e->order, h->time, h->size,         (uint64_t)h->tag,
                                             h->other, h->peer, h->communicator, h->thread };

    prvcut_put_u64s(out, number, SHARE_NUMBERS);
}

static struct prvcut_end share_get_end(struct prvcut_get *in, bool receive)
{
    uint64_t number[SHARE_NUMBERS] = { 0 };

    prvcut_get_u64s(in, number, SHARE_NUMBERS);
    return (struct prvcut_end){ .order = number[0],
                                .half = { .time = number[1],
                                          .size = number[2],
                                          .tag = (int64_t)number[3],
                                          .other = number[4],
                                          .peer = (uint32_t)number[5],
                                          .communicator = (uint32_t)number[6],
                                          .thread = (uint32_t)number[7],
                                          .receive = receive } };
}

/* The next ends of a kind, with their owners; false: there are no more, or it failed. */
static bool share_next(struct share *s, unsigned kind)
{
    size_t got = 0;
    bool more;

    if (s->st == PRVCUT_OK)
        s->st = prvcut_sorter_next(s->from->sorter[kind], s->end, SHARE_ENDS, &got, &s->why);
    more = s->st == PRVCUT_OK;
    if (s->st == PRVCUT_END)
        s->st = PRVCUT_OK;
    for (unsigned i = 0; i < s->x->ranks; i++) {
        s->out[i] = (struct prvcut_put){ .b = s->out[i].b, .err = &s->why };
        s->out[i].b.count = 0;
        prvcut_put_u32(&s->out[i], more);
    }
    for (size_t i = 0; i < got; i++)
        share_put_end(&s->out[share_owner(s, &s->end[i])], &s->end[i]);
    for (unsigned i = 0; i < s->x->ranks && s->st == PRVCUT_OK; i++)
        s->st = s->out[i].st;
    return more && s->st == PRVCUT_OK;
}

/* What was handed over is kept; returns whether more will be. */
static bool share_take(struct share *s, unsigned kind, const struct prvcut_buffer *b)
{
    struct prvcut_get g = { b->at, b->count, false };
    const bool more = prvcut_get_u32(&g) != 0;
    struct prvcut_error why = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    while (g.left > 0 && !g.bad && st == PRVCUT_OK && s->st == PRVCUT_OK) {
        const struct prvcut_end e = share_get_end(&g, kind == 1);

        st = prvcut_sorter_add(s->to.sorter[kind], 0, &e, 1, &why);
    }
    if (st < 0)
        s->st = prvcut_fail_as(&s->why, st, &why);
    return more;
}

static void share_give(struct share *s, unsigned kind)
{
    bool more = true;

    while (more) {
        more = share_next(s, kind);
        for (unsigned i = 0; i < s->x->ranks; i++)
            if (i != s->x->rank)
                prvcut_exchange_send(s->x, i, s->st, &s->out[i].b, &s->why);
        if (s->st == PRVCUT_OK)
            share_take(s, kind, &s->out[s->x->rank].b);
        more = more && s->st == PRVCUT_OK;
    }
}

static void share_receive(struct share *s, unsigned kind, unsigned from)
{
    bool more = true;

    while (more) {
        struct prvcut_error why = { 0 };
        const enum prvcut_status st = prvcut_exchange_receive(s->x, from, &s->in, &why);

        more = st == PRVCUT_OK && share_take(s, kind, &s->in);
        if (st < 0 && s->st == PRVCUT_OK)
            s->st = prvcut_fail_as(&s->why, st, &why);
    }
}

static void share_uses_put(void *ctx, struct prvcut_put *out)
{
    prvcut_uses_put(out, &((const struct share *)ctx)->uses);
}

static void share_uses_add(void *ctx, struct prvcut_get *in)
{
    prvcut_uses_get(in, &((struct share *)ctx)->uses);
}

static void share_uses_clear(void *ctx)
{
    struct share *s = ctx;

    prvcut_uses_fini(&s->uses);
    s->uses = prvcut_uses_none();
}

static enum prvcut_status share_init(struct share *s, const struct prvcut_run *run, size_t memory,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = stm_meeting_init(&s->to, run, memory, NULL, err);

    s->end = prvcut_unset(SHARE_ENDS, sizeof *s->end, "ends of messages", err);
    s->out = prvcut_zeroed(s->x->ranks, sizeof *s->out, "ends of messages", err);
    if (st == PRVCUT_OK && (!s->end || !s->out))
        st = PRVCUT_ENOMEM;
    for (unsigned i = 0; i < s->from->workers && st == PRVCUT_OK; i++)
        st = prvcut_uses_add(&s->uses, &s->from->worker[i].uses, err);
    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_sorter_finish(s->from->sorter[i], err);
    return st;
}

static void share_fini(struct share *s)
{
    for (unsigned i = 0; s->out && i < s->x->ranks; i++)
        prvcut_buffer_fini(&s->out[i].b);
    free(s->out);
    free(s->end);
    prvcut_buffer_fini(&s->in);
    prvcut_uses_fini(&s->uses);
    stm_meeting_fini(&s->to);
}

enum prvcut_status stm_meeting_share(struct stm_meeting *m, const struct prvcut_run *run,
                                     size_t memory, enum prvcut_status st, struct prvcut_error *err)
{
    struct share s = { .x = run->exchange, .from = m, .uses = prvcut_uses_none(), .st = st };
    const struct prvcut_shares uses = { &s, share_uses_put, share_uses_add, share_uses_clear };
    struct prvcut_uses own;

    if (st < 0)
        s.why = *err;
    else
        s.st = share_init(&s, run, memory, &s.why);
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned from = 0; from < s.x->ranks; from++)
            if (from == s.x->rank)
                share_give(&s, kind);
            else
                share_receive(&s, kind, from);
    st = prvcut_exchange_sum(s.x, &uses, s.st, &s.why);
    if (st == PRVCUT_OK) {
        const struct stm_meeting read = *m;

        own = s.to.worker[0].uses;
        s.to.worker[0].uses = s.uses;
        s.uses = own;
        *m = s.to;
        s.to = read;
    }
    share_fini(&s);
    return st < 0 ? prvcut_fail_as(err, st, &s.why) : st;
}
