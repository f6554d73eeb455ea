#include "base/buffer.h"
#include "base/memory.h"
#include "match/callers.h"
#include "otf2/cut.h"

#include <stdlib.h>

/*
 * So many records of one end and none of the other: the other end is not recorded at all (EZTrace
 * with C programs records no receive that ends in a wait). Fewer may be under way.
 */
#define NEVER_RECORDED 16

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

/* Which messages have their other end inside; one that shows nowhere may come behind the window. */
static bool match_channel(struct o2_cutter *c, struct o2_place *p, struct o2_channel *own,
                          struct asks *asks)
{
    struct o2_place *peer = &c->place[own->peer];
    const struct o2_channel key = {
        .receive = !own->receive, .peer = p->thread, .tag = own->tag, .comm = own->comm
    };
    const struct o2_channel *other = o2_channel_find(peer, &key);
    struct prvcut_taking taking = { 0 };

    own->next = own->before;
    if (other)
        taking = (struct prvcut_taking){ other->before, other->inside, match_exhausted(peer) };
    else
        taking.done = match_exhausted(peer) || own->before + own->inside > NEVER_RECORDED;
    own->whole = prvcut_partners_inside(&taking);
    own->others = other ? other->order : NULL;
    return other || taking.done || own->inside == 0 ||
           match_asks_add(asks, own->peer, own, p->thread);
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
            ask[i].channel->whole = PRVCUT_ALL_WHOLE;
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

/*
 * The members that recorded nothing on the communicator, though the others recorded enough for
 * them to have come, or their location is over: they do not record.
 */
static bool match_missing_members(const struct o2_cutter *c, const struct o2_comm *comm,
                                  const struct prvcut_caller *caller, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t end = caller[i].taking.before + caller[i].taking.inside;

        most = end > most ? end : most;
    }
    if (comm->count == count || most > NEVER_RECORDED)
        return false;
    for (uint32_t m = comm->first; m < comm->first + comm->count; m++) {
        const uint32_t thread = c->trace->defs.member[m];
        const struct o2_place *p = thread < c->locations ? &c->place[thread] : NULL;
        bool there = !p || match_exhausted(p);

        for (size_t i = 0; !there && i < p->callss; i++)
            there = p->calls[i].comm == comm->id && p->calls[i].nonblocking == caller->nonblocking;
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

static bool match_known(const void *ctx, const struct prvcut_caller *caller, size_t count,
                        bool *absent)
{
    const struct o2_cutter *c = ctx;
    const struct o2_comm *comm = o2_comm_of(&c->trace->defs, (uint32_t)caller->communicator);
    bool known = comm && !comm->self && !comm->inter && comm->count > 1 && count <= comm->count;

    for (size_t i = 0; i < count && known; i++)
        known = match_is_member(&c->trace->defs, comm, caller[i].member);
    *absent = known && match_missing_members(c, comm, caller, count);
    return known;
}

static enum prvcut_status match_collectives(struct o2_cutter *c, struct prvcut_error *err)
{
    struct prvcut_caller *caller;
    enum prvcut_status st;
    size_t count = 0, n = 0;
    uint64_t split;

    for (uint32_t t = 0; t < c->locations; t++)
        count += c->place[t].callss;
    if (count == 0)
        return PRVCUT_OK;
    caller = prvcut_zeroed(count, sizeof *caller, "communicators", err);
    if (!caller)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < c->locations; t++)
        for (size_t i = 0; i < c->place[t].callss; i++) {
            struct o2_calls *calls = &c->place[t].calls[i];

            calls->next = calls->before;
            caller[n++] = (struct prvcut_caller){
                .communicator = calls->comm,
                .member = t,
                .nonblocking = calls->nonblocking,
                .taking = { calls->before, calls->inside, match_exhausted(&c->place[t]) },
                .whole = &calls->whole,
            };
        }
    st = prvcut_callers_judge(caller, count, match_known, c, &split, err);
    c->sum->split_collectives += split;
    free(caller);
    return st;
}

enum prvcut_status o2_match(struct o2_cutter *c, struct prvcut_error *err)
{
    const enum prvcut_status st = match_collectives(c, err);

    return st == PRVCUT_OK ? match_messages(c, err) : st;
}
