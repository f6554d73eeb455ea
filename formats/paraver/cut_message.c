#include "match/crossing.h"
#include "paraver/cut.h"

enum prv_message_part prv_message_part(const struct prv_cutter *c, const struct prvcut_message *m,
                                       struct prvcut_message *times)
{
    const struct prvcut_span sender = prvcut_window_own(c->window, m->sender);
    const struct prvcut_span receiver = prvcut_window_own(c->window, m->receiver);
    const bool whole = prvcut_message_inside(m, sender, receiver);

    if (!whole && !prvcut_message_crosses(m, sender, receiver))
        return PRV_MESSAGE_NONE;
    if (!whole && (!c->options->keep_messages || sender.end <= sender.start ||
                   receiver.end <= receiver.start))
        return PRV_MESSAGE_CROSSES;
    *times = *m;
    prvcut_message_clamp(times, sender, receiver);
    /* A transfer may begin later: by that time lines are in order. */
    if (whole)
        times->physical_send =
            prvcut_into(m->physical_send, (struct prvcut_span){ sender.start, c->window->to });
    return whole ? PRV_MESSAGE_WHOLE : PRV_MESSAGE_KEPT;
}

bool prv_message_take(struct prv_cutter *c, const struct prvcut_message *m,
                      struct prvcut_message *times)
{
    const enum prv_message_part part = prv_message_part(c, m, times);

    c->sum->dropped_messages += part == PRV_MESSAGE_CROSSES;
    c->sum->kept_messages += part == PRV_MESSAGE_KEPT;
    c->sum->messages += part >= PRV_MESSAGE_KEPT;
    return part >= PRV_MESSAGE_KEPT;
}

bool prv_message_is_before(const struct prv_cutter *c, const struct prvcut_message *m)
{
    return m->physical_send < prv_cut_from(c, m->sender);
}

bool prv_message_is_late(const struct prv_cutter *c, const struct prvcut_message *m)
{
    return c->options->keep_messages && c->window->thread_to &&
           m->physical_send > prv_cut_to(c, m->sender) && !prv_message_is_before(c, m);
}

enum prvcut_status prv_border_message(struct prv_cutter *c, const struct prv_cut_line *l,
                                      struct prvcut_error *err)
{
    const uint32_t sender = l->message.sender;
    struct prvcut_put text = { .err = err };
    struct prvcut_message times;

    if (!prv_message_take(c, &l->message, &times))
        return PRVCUT_OK;
    prv_put_message(c, &text, l, &times);
    return prv_border_put(c, times.physical_send, ((uint64_t)sender << 32) + c->order, &text);
}
