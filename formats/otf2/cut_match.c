#include "base/buffer.h"
#include "base/memory.h"
#include "otf2/cut.h"

#include "model/crossing.h"

#include <stdlib.h>
#include <string.h>

/*
 * So many records of one end and none of the other: the other end is not recorded at all (EZTrace
 * with C programs records no receive that ends in a wait). Fewer may be under way.
 */
#define NEVER_RECORDED 16

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
    const uint64_t ordinal = o2_order_ordinal(channel->order, index);

    return o2_order_has(channel->others, channel->low, channel->high, ordinal) ||
           ordinal >= channel->alone;
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
static uint32_t match_stretch_peek(struct o2_place *p)
{
    while (p->at_stretch < p->stretches && p->in_stretch >= p->stretch[p->at_stretch].count) {
        p->at_stretch++;
        p->in_stretch = 0;
    }
    return p->at_stretch < p->stretches ? p->stretch[p->at_stretch].comm : OTF2_UNDEFINED_COMM;
}

bool o2_stretch_stays(struct o2_place *p)
{
    const uint32_t comm = match_stretch_peek(p);
    const struct o2_calls *calls = comm != OTF2_UNDEFINED_COMM ? o2_calls_of(p, comm, false) : NULL;

    return !calls || (calls->next >= calls->low && calls->next < calls->high);
}

uint32_t o2_stretch_next(struct o2_place *p)
{
    const uint32_t comm = match_stretch_peek(p);

    p->in_stretch += p->at_stretch < p->stretches;
    return comm;
}

bool o2_calls_take(struct o2_place *p, uint32_t comm, bool nonblocking)
{
    struct o2_calls *calls = o2_calls_of(p, comm, nonblocking);
    uint64_t ordinal;

    if (!calls)
        return true;
    ordinal = calls->next++;
    return ordinal >= calls->low && ordinal < calls->high;
}

/* --- Messages ----------------------------------------------------------------------------- */

/* The survey has seen the location's end. */
static bool match_exhausted(const struct o2_place *p)
{
    return p->beyond == 0;
}

/* Who must look whether a partner comes after the window. */
struct ask {
    uint32_t looker;
    struct o2_channel *channel;
    struct o2_wanted wanted;
};

struct asks {
    struct ask *at;
    size_t count, room;
};

static bool match_asks_add(struct asks *a, uint32_t looker, struct o2_channel *c, uint32_t thread)
{
    if (prvcut_grow((void **)&a->at, &a->room, a->count + 1, sizeof *a->at, NULL) < 0)
        return false;
    a->at[a->count++] = (struct ask){
        .looker = looker,
        .channel = c,
        .wanted = { .peer = thread, .tag = c->tag, .comm = c->comm, .receive = !c->receive },
    };
    return true;
}

static struct o2_channel *match_channel_at(const struct o2_place *p, size_t i)
{
    return (struct o2_channel *)p->channels.at + i;
}

/*
 * The k-th send and the k-th receive are one message. Where the other end was not recorded at all,
 * or not so often, messages stay as they are: the original has no more of them.
 */
static bool match_channel(struct o2_cutter *c, struct o2_place *p, struct o2_channel *own,
                          struct asks *asks)
{
    struct o2_place *peer = &c->place[own->peer];
    const struct o2_channel key = {
        .receive = !own->receive, .peer = p->thread, .tag = own->tag, .comm = own->comm
    };
    const struct o2_channel *other = o2_channel_find(peer, &key);

    own->next = own->before;
    own->alone = UINT64_MAX;
    if (other) {
        own->low = other->before;
        own->high = other->before + other->inside;
        own->others = other->order;
        if (match_exhausted(peer))
            own->alone = own->high;
        return true;
    }
    if (match_exhausted(peer) || own->before + own->inside > NEVER_RECORDED)
        own->alone = 0;
    else if (own->inside > 0)
        return match_asks_add(asks, own->peer, own, p->thread);
    return true;
}

static int match_ask_order(const void *x, const void *y)
{
    const struct ask *a = x, *b = y;

    return a->looker < b->looker ? -1 : a->looker > b->looker;
}

/* All questions to one location; their answers. */
static enum prvcut_status match_look(struct o2_cutter *c, struct ask *ask, size_t count,
                                     struct prvcut_error *err)
{
    struct o2_wanted *wanted = prvcut_zeroed(count, sizeof *wanted, "channels", err);
    OTF2_Reader *r = NULL;
    enum prvcut_status st;

    if (!wanted)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++)
        wanted[i] = ask[i].wanted;
    st = o2_place_look(&c->place[ask->looker], &r, wanted, count, err);
    if (r)
        o2_reader_close(r);
    for (size_t i = 0; i < count; i++)
        if (!wanted[i].found)
            ask[i].channel->alone = 0;
    free(wanted);
    return st;
}

static enum prvcut_status match_messages(struct o2_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    struct asks asks = { 0 };

    for (uint32_t t = 0; t < c->locations && st == PRVCUT_OK; t++)
        for (size_t i = 0; i < c->place[t].channels.count && st == PRVCUT_OK; i++)
            if (!match_channel(c, &c->place[t], match_channel_at(&c->place[t], i), &asks))
                st = prvcut_no_memory(err, "channels");
    if (asks.count > 0)
        qsort(asks.at, asks.count, sizeof *asks.at, match_ask_order);
    for (size_t i = 0, n; i < asks.count && st == PRVCUT_OK; i += n) {
        for (n = 1; i + n < asks.count && asks.at[i + n].looker == asks.at[i].looker; n++)
            continue;
        st = match_look(c, &asks.at[i], n, err);
    }
    free(asks.at);
    return st;
}

/* --- Collectives -------------------------------------------------------------------------- */

/* A thread's part in the collectives of a communicator. */
struct part {
    struct o2_calls *calls;
    uint32_t thread;
};

static int match_part_order(const void *x, const void *y)
{
    const struct part *a = x, *b = y;

    if (a->calls->comm != b->calls->comm)
        return a->calls->comm < b->calls->comm ? -1 : 1;
    if (a->calls->nonblocking != b->calls->nonblocking)
        return a->calls->nonblocking ? 1 : -1;
    if (a->calls->before != b->calls->before)
        return a->calls->before < b->calls->before ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/*
 * The members that recorded nothing on the communicator, though the others recorded enough for
 * them to have come, or their location is over: they do not record.
 */
static bool match_missing_members(struct o2_cutter *c, const struct o2_comm *comm,
                                  const struct part *part, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; i < count; i++)
        most = part[i].calls->before + part[i].calls->inside > most
                   ? part[i].calls->before + part[i].calls->inside
                   : most;
    if (comm->count == count || most > NEVER_RECORDED)
        return false;
    for (uint32_t m = comm->first; m < comm->first + comm->count; m++) {
        const uint32_t thread = c->trace->defs.member[m];
        const struct o2_place *p = thread < c->locations ? &c->place[thread] : NULL;
        bool there = !p || match_exhausted(p);

        for (size_t i = 0; !there && i < p->callss; i++)
            there =
                p->calls[i].comm == comm->id && p->calls[i].nonblocking == part->calls->nonblocking;
        if (!there)
            return true;
    }
    return false;
}

static bool match_is_member(const struct o2_definitions *d, const struct o2_comm *comm,
                            uint32_t thread)
{
    for (uint32_t m = comm->first; m < comm->first + comm->count; m++)
        if (d->member[m] == thread)
            return true;
    return false;
}

/* The collectives of a communicator; those that not all members have inside are split. */
static void match_parts(struct o2_cutter *c, struct part *part, size_t count,
                        struct prvcut_taking *taking)
{
    const struct o2_definitions *d = &c->trace->defs;
    const struct o2_comm *comm = o2_comm_of(d, part->calls->comm);
    struct prvcut_whole whole = { 0, UINT64_MAX };
    bool known = comm && !comm->self && !comm->inter && comm->count > 1 && count <= comm->count;
    size_t takings = count;

    for (size_t i = 0; i < count && known; i++)
        known = match_is_member(d, comm, part[i].thread);
    for (size_t i = 0; i < count; i++)
        taking[i] = (struct prvcut_taking){ part[i].calls->before, part[i].calls->inside,
                                            match_exhausted(&c->place[part[i].thread]) };
    /* Who has none so far may have some behind the window. */
    if (known && match_missing_members(c, comm, part, count))
        taking[takings++] = (struct prvcut_taking){ 0 };
    if (known)
        c->sum->split_collectives += prvcut_collectives_inside(taking, takings, &whole);
    for (size_t i = 0; i < count; i++) {
        part[i].calls->next = part[i].calls->before;
        part[i].calls->low = whole.low;
        part[i].calls->high = whole.high;
    }
}

static enum prvcut_status match_collectives(struct o2_cutter *c, struct prvcut_error *err)
{
    struct prvcut_taking *taking;
    struct part *part;
    size_t count = 0, n = 0;

    for (uint32_t t = 0; t < c->locations; t++)
        count += c->place[t].callss;
    if (count == 0)
        return PRVCUT_OK;
    part = prvcut_unset(count, sizeof *part, "communicators", err);
    taking = prvcut_unset(count + 1, sizeof *taking, "communicators", err);
    if (!part || !taking) {
        free(part);
        free(taking);
        return PRVCUT_ENOMEM;
    }
    for (uint32_t t = 0; t < c->locations; t++)
        for (size_t i = 0; i < c->place[t].callss; i++)
            part[n++] = (struct part){ .calls = &c->place[t].calls[i], .thread = t };
    qsort(part, count, sizeof *part, match_part_order);
    for (size_t i = 0; i < count; i += n) {
        for (n = 1; i + n < count && part[i + n].calls->comm == part[i].calls->comm &&
                    part[i + n].calls->nonblocking == part[i].calls->nonblocking;)
            n++;
        match_parts(c, &part[i], n, taking);
    }
    free(taking);
    free(part);
    return PRVCUT_OK;
}

enum prvcut_status o2_match(struct o2_cutter *c, struct prvcut_error *err)
{
    const enum prvcut_status st = match_collectives(c, err);

    return st == PRVCUT_OK ? match_messages(c, err) : st;
}
