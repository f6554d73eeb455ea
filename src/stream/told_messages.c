#include "match/pair.h"
#include "stream/flow.h"
#include "stream/told.h"

/* The earliest and latest time of what is known of it. */
static struct prvcut_span messages_span(const struct prvcut_stream_message *m)
{
    const uint64_t sent = m->sent != PRVCUT_NEVER ? m->sent : m->completed;
    const uint64_t completed = m->completed != PRVCUT_NEVER ? m->completed : m->sent;

    return (struct prvcut_span){ sent, completed > sent ? completed : sent };
}

static bool messages_inside(const struct told *t, uint64_t time)
{
    return time == PRVCUT_NEVER || (time >= t->from && (time < t->to || t->to == UINT64_MAX));
}

/* Its calls outside the window are not told; its times are. */
static void messages_in_window(const struct told *t, struct told_message *m)
{
    struct prvcut_stream_message *k = &m->message;
    const bool sent = messages_inside(t, k->sent), completed = messages_inside(t, k->completed);

    m->send.is = m->send.is && sent;
    m->post.is = m->post.is && messages_inside(t, k->posted);
    m->complete.is = m->complete.is && completed;
    m->release.is = m->release.is && messages_inside(t, k->released);
    if (k->fate == PRVCUT_FATE_WHOLE && !(sent && completed))
        k->fate = PRVCUT_FATE_CROSSES;
}

/* Where it begins and ends: by time, never before it begins. */
static void messages_place(const struct told *t, const struct told_end *send,
                           const struct told_end *receive, struct told_key key[2])
{
    const struct told_end *first = send ? send : receive, *last = receive ? receive : send;

    key[0] = (struct told_key){ first->end.half.time, first->order, first->end.half.thread, 1 };
    key[1] = (struct told_key){ last->end.half.time, last->order, last->end.half.thread, 0 };
    if (first == last)
        key[1].order++;
    else if (!t->plan->by_thread && (key[1].time < key[0].time ||
                                     (key[1].time == key[0].time && key[1].thread < key[0].thread)))
        key[1] = (struct told_key){ key[0].time, key[0].order + 1, key[0].thread, 0 };
}

struct told_message told_message_of(uint64_t id, const struct told_end *send,
                                    const struct told_end *receive)
{
    const struct prvcut_half *s = send ? &send->end.half : NULL,
                             *r = receive ? &receive->end.half : NULL;
    struct told_message m = {
        .id = id,
        .message = { .fate = s && r ? PRVCUT_FATE_WHOLE : PRVCUT_FATE_ALONE,
                     .sender = s ? s->thread : r->peer,
                     .receiver = r ? r->thread : s->peer,
                     .communicator = s ? s->communicator : r->communicator,
                     .tag = s ? s->tag : r->tag,
                     .size = s ? s->size : r->size,
                     .sent = s ? s->time : PRVCUT_NEVER,
                     .transferred = s ? prvcut_other_time(s, PRVCUT_NEVER) : PRVCUT_NEVER,
                     .posted = receive ? receive->posted : PRVCUT_NEVER,
                     .released = send ? send->released : PRVCUT_NEVER,
                     .completed = r ? r->time : PRVCUT_NEVER },
    };

    if (send) {
        m.send = send->call;
        m.release = send->post;
    }
    if (receive) {
        m.post = receive->post;
        m.complete = receive->call;
    }
    return m;
}

struct prvcut_stream_message told_message_view(const struct told_message *m, uint64_t number)
{
    struct prvcut_stream_message view = m->message;

    view.number = number;
    view.send = m->send.is ? &m->send.call : NULL;
    view.post = m->post.is ? &m->post.call : NULL;
    view.complete = m->complete.is ? &m->complete.call : NULL;
    view.release = m->release.is ? &m->release.call : NULL;
    return view;
}

/* One of both may be NULL. */
static enum prvcut_status messages_put(struct told *t, const struct told_end *send,
                                       const struct told_end *receive, struct prvcut_error *err)
{
    struct told_message m = told_message_of(t->id++, send, receive);
    const struct prvcut_span span = messages_span(&m.message);
    struct told_key key[2];
    enum prvcut_status st = PRVCUT_OK;

    if (!told_touches(t, span.start, span.end))
        return PRVCUT_OK;
    messages_in_window(t, &m);
    messages_place(t, send, receive, key);
    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++) {
        m.key = key[i];
        st = prvcut_sorter_add(t->message, 0, &m, 1, err);
    }
    return st;
}

static enum prvcut_status messages_met(void *ctx, const struct prvcut_end *send,
                                       const struct prvcut_end *receive, struct prvcut_error *err)
{
    return messages_put(ctx, (const struct told_end *)send, (const struct told_end *)receive, err);
}

static enum prvcut_status messages_alone(void *ctx, const struct prvcut_end *end,
                                         struct prvcut_error *err)
{
    const struct told_end *e = (const struct told_end *)end;

    return end->half.receive ? messages_put(ctx, NULL, e, err) : messages_put(ctx, e, NULL, err);
}

enum prvcut_status told_messages(struct told *t, struct prvcut_error *err)
{
    const struct prvcut_pairing p = { .sorter = { t->end[0], t->end[1] },
                                      .size = sizeof(struct told_end),
                                      .by_communicator = !t->whole && prvcut_uses_agree(&t->uses),
                                      .by_size = !t->whole && prvcut_uses_sizes_agree(&t->uses),
                                      .channel = t->whole ? prvcut_end_compare_number
                                                          : prvcut_end_compare_channel,
                                      .ctx = t,
                                      .met = messages_met,
                                      .alone = messages_alone };
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_sorter_finish(t->end[i], err);
    return st < 0 ? st : prvcut_ends_pair(&p, err);
}
