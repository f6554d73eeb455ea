#include "base/buffer.h"
#include "otf2/cut.h"

/* What one location has of each channel and communicator, and which of it the window has whole. */

/* --- Counting ----------------------------------------------------------------------------- */

struct o2_channel *o2_channel_count(struct o2_place *p, const struct o2_channel *key)
{
    struct o2_channel *c = o2_channel_find(p, key);

    return c ? c : prvcut_table_make(&p->channels, key, NULL);
}

struct o2_calls *o2_calls_of(struct o2_place *p, uint32_t comm, bool nonblocking)
{
    for (size_t i = 0; i < p->callss; i++)
        if (p->calls[i].comm == comm && p->calls[i].nonblocking == nonblocking)
            return &p->calls[i];
    if (prvcut_grow((void **)&p->calls, &p->calls_room, p->callss + 1, sizeof *p->calls, NULL) < 0)
        return NULL;
    p->calls[p->callss] = (struct o2_calls){ .comm = comm, .nonblocking = nonblocking };
    return &p->calls[p->callss++];
}

bool o2_stretch_append(struct o2_place *p, uint32_t comm)
{
    struct o2_stretch *last = p->stretches > 0 ? &p->stretch[p->stretches - 1] : NULL;

    if (last && last->comm == comm && last->count < UINT32_MAX) {
        last->count++;
        return true;
    }
    if (prvcut_grow((void **)&p->stretch, &p->stretch_room, p->stretches + 1, sizeof *p->stretch,
                    NULL) < 0)
        return false;
    p->stretch[p->stretches++] = (struct o2_stretch){ .comm = comm, .count = 1 };
    return true;
}

/* --- Deciding ----------------------------------------------------------------------------- */

bool o2_channel_holds(const struct o2_channel *channel, uint64_t index)
{
    return o2_order_has(channel->others, &channel->whole, o2_order_ordinal(channel->order, index));
}

bool o2_channel_take(struct o2_place *p, struct o2_channel *channel)
{
    const bool whole = o2_channel_holds(channel, channel->next++);
    const bool take = whole || p->cutter->options->keep_messages;

    p->dropped += !take;
    p->kept += take && !whole;
    p->messages += take && !channel->receive;
    return take;
}

/* The communicator of the next collective; UNDEFINED: it is not known, or there is none. */
static uint32_t take_stretch_peek(struct o2_place *p)
{
    while (p->at_stretch < p->stretches && p->in_stretch >= p->stretch[p->at_stretch].count) {
        p->at_stretch++;
        p->in_stretch = 0;
    }
    return p->at_stretch < p->stretches ? p->stretch[p->at_stretch].comm : OTF2_UNDEFINED_COMM;
}

bool o2_stretch_stays(struct o2_place *p)
{
    const uint32_t comm = take_stretch_peek(p);
    const struct o2_calls *calls = comm != OTF2_UNDEFINED_COMM ? o2_calls_of(p, comm, false) : NULL;

    return !calls || prvcut_whole_has(&calls->whole, calls->next);
}

uint32_t o2_stretch_next(struct o2_place *p)
{
    const uint32_t comm = take_stretch_peek(p);

    p->in_stretch += p->at_stretch < p->stretches;
    return comm;
}

bool o2_calls_take(struct o2_place *p, uint32_t comm, bool nonblocking)
{
    struct o2_calls *calls = o2_calls_of(p, comm, nonblocking);

    return !calls || prvcut_whole_has(&calls->whole, calls->next++);
}
