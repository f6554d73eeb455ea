#include "stream/told_live.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <string.h>

/* Messages under way at most, and what waits to be told; beyond, it is given up. */
#define MESSAGES ((size_t)1 << 16)
#define WAITING  ((size_t)1 << 18)

enum prvcut_status told_live_give_up(struct told_live *l, struct prvcut_error *err)
{
    l->given_up = true;
    return prvcut_fail(err, PRVCUT_ELIMIT, "records are not in the order of time");
}

/* A place is free again. */
static enum prvcut_status live_release(struct live_places *p, uint32_t place,
                                       struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&p->idle, &p->room, p->idles + 1, sizeof *p->idle, err);

    if (st == PRVCUT_OK)
        p->idle[p->idles++] = place;
    return st;
}

static enum prvcut_status live_tell_message(struct told_live *l, const struct live_told *e,
                                            struct prvcut_error *err)
{
    const struct prvcut_stream_sink *sink = l->told->sink;
    struct live_message *m = &l->message[e->slot];
    const struct told_message *whole = &l->under_way[m->under_way].whole;
    const struct prvcut_stream_message view = told_message_view(whole, whole->id);
    enum prvcut_status st = sink->message(sink->ctx, &view, e->kind == LIVE_SENT, err);

    if (++m->told < 2)
        return st;
    if (st == PRVCUT_OK)
        st = live_release(&l->under_ways, m->under_way, err);
    return st == PRVCUT_OK ? live_release(&l->messages, e->slot, err) : st;
}

static enum prvcut_status live_tell(struct told_live *l, struct live_told *e,
                                    struct prvcut_error *err)
{
    const struct prvcut_stream_sink *sink = l->told->sink;

    if (e->kind == LIVE_ITEM)
        return sink->records(sink->ctx, &e->item, 1, err);
    if (e->kind == LIVE_BEGIN || e->kind == LIVE_END)
        return sink->call(sink->ctx, &e->call, e->kind == LIVE_BEGIN, err);
    return live_tell_message(l, e, err);
}

enum prvcut_status live_go_on(struct told_live *l, struct live_thread *t, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (t->first < t->rows && st == PRVCUT_OK) {
        struct live_told *e = &t->row[t->first];

        if (e->kind >= LIVE_SENT && l->message[e->slot].known < 2)
            return PRVCUT_OK;
        t->first++;
        l->waiting--;
        st = live_tell(l, e, err);
    }
    if (t->first == t->rows)
        t->first = t->rows = 0;
    return st;
}

/* Room for one more behind what of the thread waits, to be filled in where it stands. */
static enum prvcut_status live_row(struct told_live *l, struct live_told **out,
                                   struct prvcut_error *err)
{
    struct live_thread *t = l->at;
    enum prvcut_status st = PRVCUT_OK;

    if (l->waiting >= WAITING)
        return told_live_give_up(l, err);
    if (t->rows == t->row_room && t->first > t->rows / 2) {
        t->rows -= t->first;
        memmove(t->row, t->row + t->first, t->rows * sizeof *t->row);
        t->first = 0;
    }
    if (t->rows == t->row_room)
        st = prvcut_grow((void **)&t->row, &t->row_room, t->rows + 1, sizeof *t->row, err);
    if (st < 0)
        return st;
    *out = &t->row[t->rows++];
    l->waiting++;
    return PRVCUT_OK;
}

/* Where nothing of the thread waits it is told at once. */
enum prvcut_status told_live_call(struct told_live *l, const struct prvcut_stream_call *c,
                                  bool begins, struct prvcut_error *err)
{
    struct live_told *row = NULL;
    enum prvcut_status st;

    if (l->at->rows == 0)
        return l->told->sink->call(l->told->sink->ctx, c, begins, err);
    st = live_row(l, &row, err);
    if (st < 0)
        return st;
    row->kind = begins ? LIVE_BEGIN : LIVE_END;
    row->call = *c;
    return PRVCUT_OK;
}

enum prvcut_status told_live_item(struct told_live *l, struct prvcut_item *i,
                                  struct prvcut_error *err)
{
    struct live_told *row = NULL;
    enum prvcut_status st;

    if (l->at->rows == 0)
        return l->told->sink->records(l->told->sink->ctx, i, 1, err);
    st = live_row(l, &row, err);
    if (st < 0)
        return st;
    row->kind = LIVE_ITEM;
    row->item = *i;
    return PRVCUT_OK;
}

enum prvcut_status told_live_half(struct told_live *l, const struct prvcut_item *i,
                                  struct prvcut_error *err)
{
    struct live_told *row = NULL;
    const enum prvcut_status st = live_row(l, &row, err);

    if (st < 0)
        return st;
    row->kind = i->kind == PRVCUT_ITEM_RECEIVE ? LIVE_RECEIVED : LIVE_SENT;
    row->slot = (uint32_t)i->half.number;
    return PRVCUT_OK;
}

static enum prvcut_status live_first_end(struct told_live *l, struct live_message *m,
                                         const struct told_end *e, struct prvcut_error *err)
{
    struct live_places *p = &l->under_ways;
    enum prvcut_status st;

    if (p->made - p->idles >= MESSAGES)
        return told_live_give_up(l, err);
    m->under_way = live_place(p);
    st =
        prvcut_grow((void **)&l->under_way, &l->under_way_room, p->made, sizeof *l->under_way, err);
    if (st == PRVCUT_OK)
        l->under_way[m->under_way].end = *e;
    return st;
}

enum prvcut_status told_live_end(struct told_live *l, const struct told_end *e,
                                 struct prvcut_error *err)
{
    struct live_message *m = &l->message[e->end.order];
    const struct live_thread *at = l->at;
    struct live_thread *sender, *receiver;
    struct live_under_way *u;
    enum prvcut_status st = PRVCUT_OK;

    if (m->known++ == 0)
        return live_first_end(l, m, e, err);
    sender = &l->thread[m->is.sender];
    receiver = &l->thread[m->is.receiver];
    u = &l->under_way[m->under_way];
    u->whole = e->end.half.receive ? told_message_of(l->told->id++, &u->end, e)
                                   : told_message_of(l->told->id++, e, &u->end);
    /* The present thread goes on when it is walked. */
    if (sender != at)
        st = live_go_on(l, sender, err);
    return st == PRVCUT_OK && receiver != at && receiver != sender ? live_go_on(l, receiver, err)
                                                                   : st;
}

/* --- Calls that have ended -------------------------------------------------------------------- */

enum prvcut_status told_live_ended(struct told_live *l, const struct prvcut_stream_call *c,
                                   struct prvcut_error *err)
{
    struct live_thread *t = l->at;

    if (!t->past) {
        t->past = prvcut_unset(l->past, sizeof *t->past, "calls", err);
        if (!t->past)
            return PRVCUT_ENOMEM;
    }
    t->past[t->ended++ % l->past] = *c;
    return PRVCUT_OK;
}

struct live_sought {
    const struct live_thread *t;
    size_t past;
    uint64_t first, time;
};

static bool live_ends_by(const void *ctx, size_t i)
{
    const struct live_sought *s = ctx;

    return s->t->past[(s->first + i) % s->past].span.end >= s->time;
}

enum prvcut_status told_live_post(struct told_live *l, uint64_t posted, struct told_in_call *out,
                                  struct prvcut_error *err)
{
    const struct live_thread *t = l->at;
    const size_t kept = t->ended < l->past ? (size_t)t->ended : l->past;
    const struct live_sought s = { t, l->past, t->ended - kept, posted };
    const size_t found = kept > 0 ? prvcut_first(0, kept, live_ends_by, &s) : 0;

    *out = (struct told_in_call){ .is = false };
    if (found == kept)
        return PRVCUT_OK;
    out->call = t->past[(s.first + found) % l->past];
    out->is = out->call.span.start <= posted;
    return found == 0 && s.first > 0 && out->call.span.start >= posted ? told_live_give_up(l, err)
                                                                       : PRVCUT_OK;
}
