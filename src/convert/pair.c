#include "base/buffer.h"
#include "base/memory.h"
#include "convert/flow.h"

#include <stdlib.h>
#include <string.h>

#define ENDS 512
/* Sends that wait while a receive on another communicator is served first. */
#define WAITING ((size_t)1 << 16)
/* Order number of a waiting send that has found its receive. */
#define USED UINT64_MAX

/* Sorted ends, one after the other. */
struct ends {
    struct prvcut_sorter *sorter;
    struct cnv_end at[ENDS];
    size_t next, count;
};

struct pairing {
    struct cnv_flow *flow;
    struct ends *send, *receive;
    bool by_communicator;    /* else messages meet whatever communicator their ends name */
    struct cnv_end *waiting; /* sends of the present channel, in order; from `first` on */
    size_t first, count, room;
};

/* The next end; *out is NULL when there are no more. */
static enum prvcut_status peek(struct ends *e, const struct cnv_end **out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (e->next == e->count) {
        e->next = 0;
        st = prvcut_sorter_next(e->sorter, e->at, ENDS, &e->count, err);
    }
    *out = e->count > 0 ? &e->at[e->next] : NULL;
    return st < 0 ? st : PRVCUT_OK;
}

static uint64_t ranked(uint64_t order, enum cnv_rank rank)
{
    return (order & ((UINT64_C(1) << CNV_RANK_SHIFT) - 1)) | (uint64_t)rank << CNV_RANK_SHIFT;
}

static enum prvcut_status put(struct cnv_flow *f, const struct cnv_large *l,
                              struct prvcut_error *err)
{
    if (l->item.time > f->last_ns)
        f->last_ns = l->item.time;
    return prvcut_sorter_add(f->large, 0, l, 1, err);
}

/* An end whose other one is nowhere: only formats that keep the ends apart can hold it. */
static enum prvcut_status put_orphan(struct cnv_flow *f, const struct cnv_end *e,
                                     struct prvcut_error *err)
{
    struct cnv_large l = { .order = e->order };

    if (e->half.time < f->from || e->half.time >= f->to)
        return PRVCUT_OK;
    if (f->job->writer->whole_messages) {
        f->sum->unmatched++;
        return PRVCUT_OK;
    }
    cnv_half_item(&e->half, &l.item);
    return put(f, &l, err);
}

/* A time that the format may not tell. */
static uint64_t known(uint64_t told, uint64_t otherwise)
{
    return told != 0 ? told : otherwise;
}

static enum prvcut_status put_pair(struct cnv_flow *f, const struct cnv_end *send,
                                   const struct cnv_end *receive, struct prvcut_error *err)
{
    const struct prvcut_message m = { .logical_send = send->half.time,
                                      .physical_send = known(send->half.other, send->half.time),
                                      .logical_receive =
                                          known(receive->half.other, receive->half.time),
                                      .physical_receive = receive->half.time,
                                      .size = send->half.size,
                                      .tag = send->half.tag,
                                      .sender = send->half.thread,
                                      .receiver = receive->half.thread };
    struct cnv_large l;
    enum prvcut_status st;

    if (!cnv_message_inside(f, &m)) {
        f->sum->lost[PRVCUT_CARRY_MESSAGES] += cnv_message_crosses(f, &m);
        return PRVCUT_OK;
    }
    if (m.physical_receive > f->last_ns)
        f->last_ns = m.physical_receive;
    if (f->job->writer->whole_messages) {
        l.order = ranked(send->order, CNV_MESSAGE);
        cnv_message_item(&m, &l.item);
        l.item.message.communicator = send->half.communicator;
        return put(f, &l, err);
    }
    l.order = send->order;
    cnv_half_item(&send->half, &l.item);
    st = put(f, &l, err);
    l.order = receive->order;
    cnv_half_item(&receive->half, &l.item);
    return st < 0 ? st : put(f, &l, err);
}

/* The waiting sends have no receive any more. */
static enum prvcut_status drop_waiting(struct pairing *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = p->first; i < p->count && st == PRVCUT_OK; i++)
        if (p->waiting[i].order != USED)
            st = put_orphan(p->flow, &p->waiting[i], err);
    p->first = p->count = 0;
    return st;
}

/* Let a send wait; the oldest goes where too many do. */
static enum prvcut_status wait_for(struct pairing *p, const struct cnv_end *send,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (p->count - p->first >= WAITING)
        st = drop_waiting(p, err);
    if (p->first >= WAITING) {
        memmove(p->waiting, p->waiting + p->first, (p->count - p->first) * sizeof *p->waiting);
        p->count -= p->first;
        p->first = 0;
    }
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&p->waiting, &p->room, p->count + 1, sizeof *p->waiting, err);
    if (st == PRVCUT_OK)
        p->waiting[p->count++] = *send;
    return st;
}

/* The first waiting send on that communicator. */
static struct cnv_end *find_waiting(struct pairing *p, uint32_t communicator)
{
    while (p->first < p->count && p->waiting[p->first].order == USED)
        p->first++;
    if (p->first == p->count)
        p->first = p->count = 0;
    for (size_t i = p->first; i < p->count; i++)
        if (p->waiting[i].order != USED &&
            (!p->by_communicator || p->waiting[i].half.communicator == communicator))
            return &p->waiting[i];
    return NULL;
}

/* Find the send of a receive among those of its channel that were not used yet. */
static enum prvcut_status meet(struct pairing *p, const struct cnv_end *receive,
                               struct prvcut_error *err)
{
    struct cnv_end *found = find_waiting(p, receive->half.communicator);
    const struct cnv_end *send = NULL;
    enum prvcut_status st = PRVCUT_OK;

    while (!found && st == PRVCUT_OK) {
        st = peek(p->send, &send, err);
        if (st < 0 || !send || cnv_channel_compare(&send->half, &receive->half) != 0)
            break;
        p->send->next++;
        if (!p->by_communicator || send->half.communicator == receive->half.communicator)
            return put_pair(p->flow, send, receive, err);
        st = wait_for(p, send, err);
    }
    if (st < 0)
        return st;
    if (!found)
        return put_orphan(p->flow, receive, err);
    st = put_pair(p->flow, found, receive, err);
    found->order = USED;
    return st;
}

/* Walk both sides channel by channel. */
static enum prvcut_status walk(struct pairing *p, struct prvcut_error *err)
{
    const struct cnv_end *send = NULL, *receive = NULL;
    enum prvcut_status st = PRVCUT_OK;

    for (;;) {
        st = peek(p->receive, &receive, err);
        if (st == PRVCUT_OK && p->count > p->first &&
            (!receive || cnv_channel_compare(&p->waiting[p->count - 1].half, &receive->half) != 0))
            st = drop_waiting(p, err);
        if (st == PRVCUT_OK)
            st = peek(p->send, &send, err);
        if (st < 0 || (!send && !receive))
            return st;
        if (send && (!receive || cnv_channel_compare(&send->half, &receive->half) < 0)) {
            p->send->next++;
            st = put_orphan(p->flow, send, err);
        } else {
            struct cnv_end now = *receive;

            p->receive->next++;
            st = meet(p, &now, err);
        }
        if (st < 0)
            return st;
    }
}

/* Do sends and receives agree on their communicators? Some tracers note a wrong one. */
static enum prvcut_status agree(struct cnv_flow *f, bool *out, struct prvcut_error *err)
{
    struct prvcut_table all = cnv_uses();
    const struct cnv_use *use;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < f->workers && st == PRVCUT_OK; i++)
        st = cnv_uses_add(&all, &f->worker[i].uses, err);
    *out = true;
    use = all.at;
    for (size_t i = 0; i < all.count; i++)
        *out &= use[i].sends == use[i].receives;
    prvcut_table_fini(&all);
    return st;
}

enum prvcut_status cnv_pair(struct cnv_flow *f, struct prvcut_error *err)
{
    struct pairing p = { .flow = f };
    enum prvcut_status st;

    if (!f->pair)
        return PRVCUT_OK;
    p.send = calloc(1, sizeof *p.send);
    p.receive = calloc(1, sizeof *p.receive);
    st =
        p.send && p.receive ? agree(f, &p.by_communicator, err) : prvcut_no_memory(err, "messages");
    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_sorter_finish(f->end[i], err);
    if (st == PRVCUT_OK) {
        p.send->sorter = f->end[0];
        p.receive->sorter = f->end[1];
        st = walk(&p, err);
    }
    free(p.send);
    free(p.receive);
    free(p.waiting);
    return st;
}
