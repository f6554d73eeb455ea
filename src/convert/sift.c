#include "convert/sift.h"

bool cnv_sift_event(const struct prvcut_rules *r, const struct prvcut_event *e)
{
    return prvcut_rules_keep_events(r, e->thread) && prvcut_rules_keep_pair(r, e->type, e->value);
}

void cnv_sift_end(struct cnv_sift *s)
{
    s->sum->events += s->line && s->stays;
    s->sum->dropped_events += s->line && !s->stays;
    s->line = s->stays = false;
}

/* The first pair that stays begins the line. */
static bool sft_event(struct cnv_sift *s, struct prvcut_item *i)
{
    const struct prvcut_event e = { .time = i->time,
                                    .value = i->event.value,
                                    .type = i->event.type,
                                    .thread = i->thread & PRVCUT_THREADS_MAX };
    const bool stays = cnv_sift_event(s->rules, &e);

    if (i->head)
        cnv_sift_end(s);
    s->line = true;
    s->sum->pairs += stays;
    s->sum->dropped_pairs += !stays;
    i->head = !s->stays;
    s->stays |= stays;
    return stays;
}

static bool sft_state(struct cnv_sift *s, const struct prvcut_item *i)
{
    const struct prvcut_state state = { .begin = i->time,
                                        .end = i->state.end,
                                        .thread = i->thread,
                                        .number = i->state.number & 0x7fffffff };
    const bool stays = prvcut_rules_keep_state(s->rules, &state);

    s->sum->states += stays;
    s->sum->dropped_states += !stays;
    return stays;
}

/* Both ends tell the same size and threads; the send counts. */
static bool sft_end(struct cnv_sift *s, const struct prvcut_item *i)
{
    const bool sends = i->kind == PRVCUT_ITEM_SEND;
    const bool stays = prvcut_rules_keep_between(s->rules, sends ? i->thread : i->half.peer,
                                                 sends ? i->half.peer : i->thread, i->half.size);

    s->sum->messages += sends && stays;
    s->sum->dropped_messages += sends && !stays;
    return stays;
}

static bool sft_message(struct cnv_sift *s, const struct prvcut_item *i)
{
    const bool stays =
        prvcut_rules_keep_between(s->rules, i->thread, i->message.receiver, i->message.size);

    s->sum->messages += stays;
    s->sum->dropped_messages += !stays;
    return stays;
}

static bool sft_stays(struct cnv_sift *s, struct prvcut_item *i)
{
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        return sft_state(s, i);
    case PRVCUT_ITEM_EVENT:
        return sft_event(s, i);
    case PRVCUT_ITEM_SEND:
    case PRVCUT_ITEM_RECEIVE:
        return sft_end(s, i);
    case PRVCUT_ITEM_MESSAGE:
        return sft_message(s, i);
    }
    return true;
}

size_t cnv_sift_items(struct cnv_sift *s, struct prvcut_item *item, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (sft_stays(s, &item[i]))
            item[kept++] = item[i];
    return kept;
}
