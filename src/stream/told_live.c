#include "stream/told_live.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "match/crossing.h"
#include "stream/place.h"

#include <stdlib.h>
#include <string.h>

/* Calls of a thread that are kept for receives that were posted in them: at most, at least, and of
   all threads together (some 3,000 calls lie between post and completion in hpcc, 16 in most). */
#define PAST_MOST  ((size_t)4096)
#define PAST_LEAST ((size_t)64)
#define PAST_ALL   ((size_t)1 << 19)

/* --- The walk --------------------------------------------------------------------------------- */

/* All of one time of a thread, with the ends of messages there. */
static enum prvcut_status live_walk_placed(struct told_live *l, struct live_thread *t,
                                           uint64_t time, struct prvcut_error *err)
{
    const size_t events = t->nows;
    const size_t most = events + t->coming.count - t->coming.first + t->late.count;
    size_t receives = 0, n = events;
    enum prvcut_status st =
        prvcut_grow((void **)&l->spare, &l->spare_room, 2 * most, sizeof *l->spare, err);
    struct prvcut_item *item;

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&t->now, &t->now_room, most, sizeof *t->now, err);
    if (st < 0)
        return st;
    item = l->spare + most;
    /* Receives stand before the events, sends behind them. */
    while (live_when(t) == time) {
        const struct live_coming c = live_next(l, t);
        struct prvcut_item *to = c.receive ? &item[receives++] : &t->now[n++];

        stm_message_end(&l->message[c.slot].is, c.receive, to);
        to->half.number = c.slot;
    }
    memcpy(item + receives, t->now, n * sizeof *item);
    n += receives;
    stm_place_group(item, n, l->spare);
    t->nows = 0;
    return told_walk_records(t->walk, item, n, err);
}

/* Of a thread all that comes before a time. */
static enum prvcut_status live_walk(struct told_live *l, struct live_thread *t, uint64_t until,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    l->at = t;
    while (st == PRVCUT_OK) {
        const bool now = t->nows > 0 && t->time < until;
        const uint64_t next = live_when(t);

        if (next >= until && !now)
            break;
        if (now && t->time < next) {
            st = told_walk_records(t->walk, t->now, t->nows, err);
            t->nows = 0;
        } else if (now && t->time == next) {
            st = live_walk_placed(l, t, next, err);
        } else {
            const size_t kept = t->nows;

            t->nows = 0;
            st = live_walk_placed(l, t, next, err);
            t->nows = kept;
        }
    }
    return st == PRVCUT_OK ? live_go_on(l, t, err) : st;
}

/* --- The reading ------------------------------------------------------------------------------ */

static enum prvcut_status live_message_new(struct told_live *l, const struct stm_large *large,
                                           uint32_t *slot, struct prvcut_error *err)
{
    const struct prvcut_item *i = &large->item;
    enum prvcut_status st;

    *slot = live_place(&l->messages);
    st = prvcut_grow((void **)&l->message, &l->message_room, l->messages.made, sizeof *l->message,
                     err);
    if (st == PRVCUT_OK)
        l->message[*slot] =
            (struct live_message){ .is = { .logical_send = i->time,
                                           .physical_send = i->message.physical_send,
                                           .logical_receive = i->message.logical_receive,
                                           .physical_receive = i->message.physical_receive,
                                           .size = i->message.size,
                                           .tag = i->message.tag,
                                           .sender = i->thread,
                                           .receiver = i->message.receiver },
                                   .order = large->order };
    return st;
}

static enum prvcut_status live_end(struct told_live *l, uint32_t thread,
                                   const struct live_coming *c, struct prvcut_error *err)
{
    struct live_thread *t = &l->thread[thread];

    return c->time >= t->time ? live_await(l, t, c, err) : told_live_give_up(l, err);
}

static enum prvcut_status live_larges(struct told_live *l, const struct stm_large *large,
                                      size_t larges, struct prvcut_error *err)
{
    uint32_t slot;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < larges && st == PRVCUT_OK; i++) {
        const struct prvcut_message *m;

        st = live_message_new(l, &large[i], &slot, err);
        if (st < 0)
            return st;
        m = &l->message[slot].is;
        st = live_end(l, m->sender, &(struct live_coming){ m->logical_send, slot, false }, err);
        if (st == PRVCUT_OK)
            st = live_end(l, m->receiver,
                          &(struct live_coming){ prvcut_message_complete(m), slot, true }, err);
    }
    return st;
}

static enum prvcut_status live_smalls(struct told_live *l, const struct stm_small *small,
                                      size_t smalls, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < smalls && st == PRVCUT_OK; i++) {
        struct live_thread *t = &l->thread[small[i].thread];

        if (small[i].time != t->time) {
            if (small[i].time < t->time)
                return told_live_give_up(l, err);
            st = live_walk(l, t, small[i].time, err);
            t->time = small[i].time;
        }
        if (st == PRVCUT_OK && t->nows == t->now_room)
            st = prvcut_grow((void **)&t->now, &t->now_room, t->nows + 1, sizeof *t->now, err);
        if (st == PRVCUT_OK)
            stm_small_item(&small[i], &t->now[t->nows++]);
    }
    return st;
}

/* The events of a part that was read before. */
static enum prvcut_status live_events(struct told_live *l, struct live_part *p,
                                      struct prvcut_error *err)
{
    const enum prvcut_status st = live_smalls(l, p->small, p->count, err);

    free(p->small);
    *p = (struct live_part){ .count = 0 };
    return st;
}

static enum prvcut_status live_part(void *ctx, struct stm_small *small, size_t smalls,
                                    const struct stm_large *large, size_t larges,
                                    struct prvcut_error *err)
{
    struct told_live *l = ctx;
    struct live_part *first = &l->ahead[l->parts++ % LIVE_AHEAD];
    enum prvcut_status st = live_events(l, first, err);

    *first = (struct live_part){ small, smalls };
    return st == PRVCUT_OK ? live_larges(l, large, larges, err) : st;
}

static enum prvcut_status live_each(struct told_live *l,
                                    enum prvcut_status (*step)(struct told_live *l,
                                                               struct live_thread *t,
                                                               struct prvcut_error *err),
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < l->threads && st == PRVCUT_OK; i++) {
        l->at = &l->thread[i];
        st = step(l, l->at, err);
    }
    return st;
}

static enum prvcut_status live_walk_rest(struct told_live *l, struct live_thread *t,
                                         struct prvcut_error *err)
{
    return live_walk(l, t, UINT64_MAX, err);
}

static enum prvcut_status live_walk_end(struct told_live *l, struct live_thread *t,
                                        struct prvcut_error *err)
{
    (void)l;
    return told_walk_end(t->walk, err);
}

static enum prvcut_status live_read(struct told_live *l, struct prvcut_stream *s,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    s->part = live_part;
    s->part_ctx = l;
    st = prvcut_stream_gather(s, err);
    for (unsigned i = 0; i < LIVE_AHEAD && st == PRVCUT_OK; i++)
        st = live_events(l, &l->ahead[(l->parts + i) % LIVE_AHEAD], err);
    if (st == PRVCUT_OK)
        l->told->end_ns = prvcut_stream_length(s);
    if (st == PRVCUT_OK)
        st = live_each(l, live_walk_rest, err);
    if (st == PRVCUT_OK)
        st = live_each(l, live_walk_end, err);
    return st == PRVCUT_OK ? live_each(l, live_go_on, err) : st;
}

static enum prvcut_status live_new(struct told_live *l, struct told *t, struct prvcut_error *err)
{
    const size_t each = PAST_ALL / (t->plan->trace->objects.threads + 1);
    enum prvcut_status st = PRVCUT_OK;

    l->told = t;
    l->threads = t->plan->trace->objects.threads;
    l->past = each > PAST_MOST ? PAST_MOST : each < PAST_LEAST ? PAST_LEAST : each;
    l->thread = prvcut_zeroed((size_t)l->threads + 1, sizeof *l->thread, "threads", err);
    for (uint32_t i = 0; l->thread && i < l->threads && st == PRVCUT_OK; i++)
        st = told_walk_new(&l->thread[i].walk, t, err);
    return l->thread ? st : PRVCUT_ENOMEM;
}

static void live_free(struct told_live *l)
{
    for (uint32_t i = 0; l->thread && i < l->threads; i++) {
        told_walk_free(l->thread[i].walk);
        free(l->thread[i].now);
        free(l->thread[i].coming.at);
        prvcut_pending_fini(&l->thread[i].late);
        free(l->thread[i].row);
        free(l->thread[i].past);
    }
    for (unsigned i = 0; i < LIVE_AHEAD; i++)
        free(l->ahead[i].small);
    free(l->thread);
    free(l->message);
    free(l->under_way);
    free(l->messages.idle);
    free(l->under_ways.idle);
    free(l->spare);
}

enum prvcut_status told_live_read(struct told *t, const struct prvcut_stream_plan *plan,
                                  struct prvcut_error *err)
{
    struct told_live l = { .past = 0 };
    struct prvcut_stream *s = NULL;
    enum prvcut_status st = live_new(&l, t, err);

    t->live = &l;
    if (st == PRVCUT_OK)
        st = prvcut_stream_new(&s, plan, err);
    if (st == PRVCUT_OK)
        st = live_read(&l, s, err);
    prvcut_stream_free(s);
    live_free(&l);
    t->live = NULL;
    if (!l.given_up)
        return st;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_NONE;
}
