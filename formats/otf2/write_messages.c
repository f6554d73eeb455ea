#include "base/buffer.h"
#include "base/search.h"
#include "otf2/write.h"

#include <stdlib.h>
#include <string.h>

/* Receives that were posted and never complete (cancelled ones) are forgotten beyond this. */
#define POSTED_MOST ((size_t)65536)

/* The innermost MPI call that is open; NULL: none. */
static const struct prvcut_nested *write_msg_open_call(const struct o2w *w)
{
    for (size_t i = w->at.nest.depth; i > 0 && w->at.nest.mpi > 0; i--)
        if (w->at.nest.at[i - 1].mpi)
            return &w->at.nest.at[i - 1];
    return NULL;
}

enum prvcut_status o2w_post(struct o2w *w, uint64_t time, struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    enum prvcut_status st;

    if (at->posted_count - at->posted_first >= POSTED_MOST)
        at->posted_first++;
    if (at->posted_first > POSTED_MOST && at->posted_first > at->posted_count / 2) {
        at->posted_count -= at->posted_first;
        memmove(at->posted, at->posted + at->posted_first, at->posted_count * sizeof *at->posted);
        at->posted_first = 0;
    }
    st = prvcut_grow((void **)&at->posted, &at->posted_room, at->posted_count + 1,
                     sizeof *at->posted, err);
    if (st < 0)
        return st;
    at->posted[at->posted_count++] = (struct o2w_posted){ time, UINT64_MAX, ++at->requests };
    return o2w_done(w, OTF2_EvtWriter_MpiIrecvRequest(at->events, NULL, time, at->requests),
                    "the begin of a receive", err);
}

void o2w_post_is_over(struct o2w *w, uint64_t time)
{
    struct o2w_thread *at = &w->at;

    if (at->posted_count > at->posted_first)
        at->posted[at->posted_count - 1].end = time;
}

/* A receive counts as posted anywhere in the call that posts it: Extrae tells the call's end. */
static struct o2w_posted *write_msg_find_posted(const struct o2w_thread *at, uint64_t time)
{
    size_t i = at->posted_first;

    if (i < at->posted_count)
        i += prvcut_lower_u64(at->posted + i, at->posted_count - i, sizeof *at->posted,
                              offsetof(struct o2w_posted, time), time);
    for (size_t k = i; k < at->posted_count && at->posted[k].time == time; k++)
        if (at->posted[k].request != 0)
            return &at->posted[k];
    for (size_t k = i; k > at->posted_first && at->posted[k - 1].end >= time; k--)
        if (at->posted[k - 1].request != 0)
            return &at->posted[k - 1];
    return NULL;
}

/* Request of the receive that was posted at a time; 0: none. Requests that are done are 0. */
static uint64_t write_msg_take_request(struct o2w_thread *at, uint64_t time, uint64_t *told)
{
    struct o2w_posted *posted = write_msg_find_posted(at, time);
    const uint64_t request = posted ? posted->request : 0;

    if (!posted)
        return 0;
    *told = posted->time;
    posted->request = 0;
    while (at->posted_first < at->posted_count && at->posted[at->posted_first].request == 0)
        at->posted_first++;
    return request;
}

/* What both ends of a message have in common. */
struct end {
    uint32_t rank, communicator, tag;
};

/* Where both are known to be: their application's world, or all processes. */
static void write_msg_find_world(struct o2w *w, uint32_t peer, struct end *e)
{
    const struct prvcut_objects *o = w->outline->objects;
    const uint32_t application = w->comms.application[w->at.task];

    if (w->comms.application[peer] != application) {
        w->comms.made_all = true;
        e->communicator = o->communicators + o->applications;
        e->rank = peer;
    } else if (w->comms.world[application] == UINT32_MAX) {
        w->comms.made_world = true;
        e->communicator = o->communicators + application;
        e->rank = peer - o->application_first_task[application];
    } else {
        e->communicator = w->comms.world[application];
        e->rank = w->comms.rank[peer];
    }
}

static enum prvcut_status write_msg_find_end(struct o2w *w, const struct prvcut_item *item,
                                             struct end *e, struct prvcut_error *err)
{
    const struct prvcut_objects *o = w->outline->objects;
    const uint32_t peer = o->thread_task[item->half.peer];
    const uint32_t partner = item->half.peer - o->task_first_thread[peer];
    enum prvcut_status st = PRVCUT_OK;

    e->rank = UINT32_MAX;
    if (item->half.communicator != PRVCUT_NOBODY) {
        e->communicator =
            o2w_map_get(&w->comms.by_id, w->comms.application[w->at.task], item->half.communicator);
        if (e->communicator != UINT32_MAX)
            e->rank = o2w_comm_rank(&w->comms, o, e->communicator, peer);
    }
    if (e->rank == UINT32_MAX)
        write_msg_find_world(w, peer, e);
    e->tag = (uint32_t)item->half.tag;
    if (item->half.tag < 0 || item->half.tag > UINT32_MAX)
        st = o2w_mark(w, O2_TAG, OTF2_TYPE_INT64, (uint64_t)item->half.tag, err);
    if (st == PRVCUT_OK && partner != 0)
        st = o2w_mark(w, O2_PARTNER, OTF2_TYPE_UINT32, partner, err);
    return st;
}

enum prvcut_status o2w_send(struct o2w *w, const struct prvcut_item *item,
                            struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    const struct prvcut_nested *call = write_msg_open_call(w);
    struct prvcut_pending_end due;
    enum prvcut_status st;
    struct end e;

    if (item->half.peer == PRVCUT_NOBODY) {
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return PRVCUT_OK;
    }
    st = write_msg_find_end(w, item, &e, err);
    if (st == PRVCUT_OK && item->half.other != item->time)
        st = o2w_mark(w, O2_TRANSFER, OTF2_TYPE_INT64, item->half.other - item->time, err);
    if (st < 0)
        return st;
    if (!call || w->names.region[call->region].flow != O2W_ISEND)
        return o2w_done(w,
                        OTF2_EvtWriter_MpiSend(at->events, w->attributes, item->time, e.rank,
                                               e.communicator, e.tag, item->half.size),
                        "a send", err);
    at->requests++;
    st = o2w_done(w,
                  OTF2_EvtWriter_MpiIsend(at->events, w->attributes, item->time, e.rank,
                                          e.communicator, e.tag, item->half.size, at->requests),
                  "a send", err);
    due = (struct prvcut_pending_end){ .time = item->half.other,
                                       .number = at->requests,
                                       .detail = at->requests };
    return st == PRVCUT_OK ? prvcut_pending_add(&at->due, &due, err) : st;
}

enum prvcut_status o2w_receive(struct o2w *w, const struct prvcut_item *item,
                               struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    const struct prvcut_nested *call = write_msg_open_call(w);
    const uint64_t post = item->half.other;
    uint64_t told = call ? call->since : item->time, request;
    enum prvcut_status st;
    struct end e;

    if (item->half.peer == PRVCUT_NOBODY) {
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return PRVCUT_OK;
    }
    st = write_msg_find_end(w, item, &e, err);
    request = write_msg_take_request(at, post, &told);
    if (st == PRVCUT_OK && post != told)
        st = o2w_mark(w, O2_POSTED, OTF2_TYPE_INT64, item->time - post, err);
    if (st < 0)
        return st;
    if (request == 0)
        return o2w_done(w,
                        OTF2_EvtWriter_MpiRecv(at->events, w->attributes, item->time, e.rank,
                                               e.communicator, e.tag, item->half.size),
                        "a receive", err);
    return o2w_done(w,
                    OTF2_EvtWriter_MpiIrecv(at->events, w->attributes, item->time, e.rank,
                                            e.communicator, e.tag, item->half.size, request),
                    "a receive", err);
}
