#include "stream/flow.h"

/* What was brought together goes on to the taker's sorter. */

static enum prvcut_status meet_put(struct prvcut_stream *s, const struct stm_large *l,
                                   struct prvcut_error *err)
{
    if (l->item.time > s->last_ns)
        s->last_ns = l->item.time;
    return prvcut_sorter_add(s->large, 0, l, 1, err);
}

/* An end whose other one is nowhere: only formats that keep the ends apart can hold it. */
static enum prvcut_status meet_alone(void *ctx, const struct prvcut_end *e,
                                     struct prvcut_error *err)
{
    struct prvcut_stream *s = ctx;
    struct stm_large l = { .order = e->order };

    if (e->half.time < s->from || e->half.time >= s->to)
        return PRVCUT_OK;
    if (s->options.whole_messages || s->options.met) {
        s->counts.unmatched++;
        return PRVCUT_OK;
    }
    stm_half_item(&e->half, &l.item);
    return meet_put(s, &l, err);
}

static enum prvcut_status meet_met(void *ctx, const struct prvcut_end *send,
                                   const struct prvcut_end *receive, struct prvcut_error *err)
{
    struct prvcut_stream *s = ctx;
    const struct prvcut_message m = stm_meeting_message(send, receive);
    struct stm_large l;
    enum prvcut_status st;

    if (!stm_message_inside(s, &m)) {
        s->counts.crossing += stm_message_crosses(s, &m);
        return PRVCUT_OK;
    }
    if (!stm_message_chosen(s, &m))
        return PRVCUT_OK;
    if (m.physical_receive > s->last_ns)
        s->last_ns = m.physical_receive;
    if (s->options.whole_messages) {
        l.order = stm_ranked(send->order, STM_MESSAGE);
        stm_message_item(&m, &l.item);
        l.item.message.communicator = send->half.communicator;
        return meet_put(s, &l, err);
    }
    l.order = send->order;
    stm_half_item(&send->half, &l.item);
    st = meet_put(s, &l, err);
    l.order = receive->order;
    stm_half_item(&receive->half, &l.item);
    return st < 0 ? st : meet_put(s, &l, err);
}

enum prvcut_status stm_meet(struct prvcut_stream *s, struct prvcut_error *err)
{
    const struct prvcut_pairing told = { .ctx = s, .met = meet_met, .alone = meet_alone };

    return s->pair ? stm_meeting_end(&s->meeting, &told, err) : PRVCUT_OK;
}
