#include "analysis/waits/waits_find.h"

#include "base/buffer.h"

#include <string.h>

/* --- Messages --------------------------------------------------------------------------------- */

/* The sender came later than the receiver; polling is not waiting, and what a collective is made of
   is told of the collective. */
static enum prvcut_status wpt_late_sender(struct wts_finder *f, const struct wts_told *t,
                                          struct prvcut_error *err)
{
    const struct wts_message *m = t->message;
    const uint64_t until = m->send.begin < m->receive.end ? m->send.begin : m->receive.end;
    const uint64_t ns = until > m->receive.begin ? until - m->receive.begin : 0;
    const struct wts_told late = { .message = m, .ns = ns };

    if (ns == 0 || m->receive.kind & (WTS_TESTS | WTS_COLLECTIVES))
        return PRVCUT_OK;
    if (!(m->receive.kind & WTS_WAITS_MANY))
        return wts_tell(f, PRVCUT_WAITS_ON_LATE_SENDER, &late, err);
    if (ns > f->now->most_ns) {
        f->now->most = *m;
        f->now->most_ns = ns;
    }
    return PRVCUT_OK;
}

/* Of all that it received, a Waitall waits for the last. */
static enum prvcut_status wpt_late_of_many(struct wts_finder *f, const struct wts_told *t,
                                           struct prvcut_error *err)
{
    struct wts_thread *w = f->now;
    const struct wts_told late = { .message = &w->most, .ns = w->most_ns };

    if (w->most_ns == 0)
        return PRVCUT_OK;
    w->most_ns = 0;
    w->late_call = *t->call;
    return wts_tell(f, PRVCUT_WAITS_ON_LATE_SENDER, &late, err);
}

static enum prvcut_status wpt_book_late(struct wts_finder *f, const struct wts_told *t,
                                        struct prvcut_error *err)
{
    const struct wts_message *m = t->message;
    enum prvcut_status st = wts_point(f, &m->receive, &m->send, t->ns, err);

    if (st == PRVCUT_OK)
        st = wts_point(f, &m->send, &m->receive, 0, err);
    return st == PRVCUT_OK ? wts_book(f, PRVCUT_WAIT_LATE_SENDER, &m->receive, t->ns, &m->send, err)
                           : st;
}

/* It is kept, in case that something comes that was sent before. */
static enum prvcut_status wpt_keep_late(struct wts_finder *f, const struct wts_told *t,
                                        struct prvcut_error *err)
{
    const struct wts_message *m = t->message;
    struct wts_thread *w = f->now;

    if (w->lates == WTS_LATE) {
        w->lates--;
        w->late_first++;
    }
    if (w->late_first == WTS_LATE) {
        memmove(w->late, w->late + w->late_first, w->lates * sizeof *w->late);
        w->late_first = 0;
    }
    if (prvcut_grow((void **)&w->late, &w->late_room, w->late_first + w->lates + 1, sizeof *w->late,
                    err) < 0)
        return PRVCUT_ENOMEM;
    w->late[w->late_first + w->lates++] = (struct wts_late){
        .at = m->at, .ns = t->ns, .receive = m->receive, .send = m->send, .from = m->from
    };
    w->latest = m->at > w->latest ? m->at : w->latest;
    return PRVCUT_OK;
}

/* What was waited for before had been sent later than this one. */
static enum prvcut_status wpt_wrong_order(struct wts_finder *f, const struct wts_told *t,
                                          struct prvcut_error *err)
{
    struct wts_thread *w = f->now;
    struct wts_late *late;
    size_t kept = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (w->latest <= t->message->at)
        return PRVCUT_OK;
    w->latest = 0;
    late = w->late + w->late_first;
    for (size_t i = 0; i < w->lates; i++) {
        const struct wts_late *l = &late[i];

        if (l->at <= t->message->at) {
            w->latest = l->at > w->latest ? l->at : w->latest;
            if (kept++ < i)
                late[kept - 1] = *l;
        } else if (st == PRVCUT_OK) {
            st = wts_book(f,
                          l->from == t->message->from ? PRVCUT_WAIT_WRONG_ORDER_SAME
                                                      : PRVCUT_WAIT_WRONG_ORDER_DIFF,
                          &l->receive, l->ns, &l->send, err);
        }
    }
    w->lates = kept;
    return st;
}

static enum prvcut_status wpt_book_receiver(struct wts_finder *f, const struct wts_told *t,
                                            struct prvcut_error *err)
{
    const struct wts_call *done = &t->message->done, *post = &t->message->post;
    enum prvcut_status st = wts_point(f, done, post, t->ns, err);

    if (st == PRVCUT_OK)
        st = wts_point(f, post, done, 0, err);
    return st == PRVCUT_OK ? wts_book(f, PRVCUT_WAIT_LATE_RECEIVER, done, t->ns, post, err) : st;
}

/* The receive was posted later than the sender came. */
static enum prvcut_status wpt_late_receiver(struct wts_finder *f, const struct wts_told *t,
                                            struct prvcut_error *err)
{
    const struct wts_message *m = t->message;
    const struct wts_call *d = &m->done;
    const uint64_t ns =
        d->end > m->post.begin && m->post.begin > d->begin ? m->post.begin - d->begin : 0;
    const struct wts_told late = { .message = m, .ns = ns };
    struct wts_many *many;

    if (ns == 0 || !d->is || !m->post.is)
        return PRVCUT_OK;
    if (d->kind & (WTS_SENDS | WTS_WAITS))
        return wts_tell(f, PRVCUT_WAITS_ON_LATE_RECEIVER, &late, err);
    if (!(d->kind & WTS_WAITS_MANY))
        return PRVCUT_OK;
    many = prvcut_table_make(&f->now->many, &(struct wts_many){ .begin = d->begin, .end = d->end },
                             err);
    if (!many)
        return PRVCUT_ENOMEM;
    if (ns > many->ns) {
        many->ns = ns;
        many->message = *m;
    }
    return PRVCUT_OK;
}

/* A Waitall that waits for a late sender does not wait for late receivers. */
static enum prvcut_status wpt_settle_many(struct wts_finder *f, const struct wts_told *t,
                                          struct prvcut_error *err)
{
    const struct wts_many key = { .begin = t->call->begin, .end = t->call->end };
    struct wts_thread *w = f->now;
    const struct wts_many *many = prvcut_table_find(&w->many, &key);
    struct wts_message message;
    const bool late = w->late_call.is && w->late_call.begin == key.begin &&
                      w->late_call.end == key.end && w->late_call.thread == t->call->thread;
    enum prvcut_status st = PRVCUT_OK;

    if (!many)
        return PRVCUT_OK;
    if (!late) {
        message = many->message;
        st = wts_tell(f, PRVCUT_WAITS_ON_LATE_RECEIVER,
                      &(struct wts_told){ .message = &message, .ns = many->ns }, err);
    }
    prvcut_table_drop(&w->many, &key);
    return st;
}

/* Few calls are any, and what is looked for is large. */
static enum prvcut_status wpt_receivers_of_many(struct wts_finder *f, const struct wts_told *t,
                                                struct prvcut_error *err)
{
    return f->now->many.count > 0 ? wpt_settle_many(f, t, err) : PRVCUT_OK;
}

/* --- All of them ------------------------------------------------------------------------------ */

/*
 * The patterns, each after the event that it refines, in the order in which they are told. A new
 * one is a function and a line here; what it finds it books as a metric (waits_metrics.c), or tells
 * as an event that others refine. A program's own come behind
 * (waits_own.c).
 */
static const struct {
    enum prvcut_waits_event on;
    enum prvcut_status (*find)(struct wts_finder *f, const struct wts_told *t,
                               struct prvcut_error *err);
} wpt_pattern[] = {
    { PRVCUT_WAITS_ON_RECEIVED, wpt_late_sender },
    { PRVCUT_WAITS_ON_RECEIVED, wpt_wrong_order },
    { PRVCUT_WAITS_ON_LATE_SENDER, wpt_book_late },
    { PRVCUT_WAITS_ON_LATE_SENDER, wpt_keep_late },
    { PRVCUT_WAITS_ON_SENT, wpt_late_receiver },
    { PRVCUT_WAITS_ON_LATE_RECEIVER, wpt_book_receiver },
    { PRVCUT_WAITS_ON_CALL, wpt_late_of_many },
    { PRVCUT_WAITS_ON_CALL, wpt_receivers_of_many },
    { PRVCUT_WAITS_ON_COLLECTIVE, wts_find_group },
    { PRVCUT_WAITS_ON_INIT, wts_find_init },
    { PRVCUT_WAITS_ON_FINALIZE, wts_find_finalize },
};

enum prvcut_status wts_tell(struct wts_finder *f, enum prvcut_waits_event event,
                            const struct wts_told *told, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < sizeof wpt_pattern / sizeof *wpt_pattern && st == PRVCUT_OK; i++)
        if (wpt_pattern[i].on == event)
            st = wpt_pattern[i].find(f, told, err);
    if (st == PRVCUT_OK && f->asked->patterns)
        st = wts_tell_own(f, event, told, err);
    return st;
}

enum prvcut_status wts_compare(struct wts_finder *f, struct wts_when cause, struct wts_when effect,
                               struct prvcut_error *err)
{
    prvcut_causality_note(&f->out->order, f->trace,
                          (struct prvcut_happening){ cause.time, cause.rank },
                          (struct prvcut_happening){ effect.time, effect.rank });
    return wts_note_order(f, cause, effect, err);
}
