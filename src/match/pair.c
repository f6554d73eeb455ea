#include "match/pair.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ends that are read from a sorter at a time. */
#define ENDS 512
/* Sends that wait while a receive on another communicator, or of another size, is served first. */
#define WAITING ((size_t)1 << 16)
/* Order number of a waiting send that has found its receive. */
#define USED UINT64_MAX

/* Sorted ends, one after the other. */
struct pair_ends {
    struct prvcut_sorter *sorter;
    char *at; /* [ENDS] */
    size_t next, count;
};

struct pair_walk {
    const struct prvcut_pairing *pairing;
    struct pair_ends send, receive;
    char *now;     /* one receive */
    char *waiting; /* sends of the present channel, in order; from `first` on */
    size_t first, count, room;
};

/* The next end; *out is NULL when there are no more. */
static enum prvcut_status pair_peek(struct pair_ends *e, size_t size, const struct prvcut_end **out,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (e->next == e->count) {
        e->next = 0;
        st = prvcut_sorter_next(e->sorter, e->at, ENDS, &e->count, err);
    }
    *out = e->count > 0 ? (const struct prvcut_end *)(const void *)(e->at + e->next * size) : NULL;
    return st < 0 ? st : PRVCUT_OK;
}

static struct prvcut_end *pair_waiting(const struct pair_walk *w, size_t i)
{
    return (struct prvcut_end *)(void *)(w->waiting + i * w->pairing->size);
}

/* The waiting sends have no receive any more. */
static enum prvcut_status pair_drop_waiting(struct pair_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = w->first; i < w->count && st == PRVCUT_OK; i++)
        if (pair_waiting(w, i)->order != USED)
            st = w->pairing->alone(w->pairing->ctx, pair_waiting(w, i), err);
    w->first = w->count = 0;
    return st;
}

/* Let a send wait; the oldest goes where too many do. */
static enum prvcut_status pair_wait(struct pair_walk *w, const struct prvcut_end *send,
                                    struct prvcut_error *err)
{
    const size_t size = w->pairing->size;
    enum prvcut_status st = PRVCUT_OK;

    if (w->count - w->first >= WAITING)
        st = pair_drop_waiting(w, err);
    if (w->first >= WAITING) {
        memmove(w->waiting, w->waiting + w->first * size, (w->count - w->first) * size);
        w->count -= w->first;
        w->first = 0;
    }
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&w->waiting, &w->room, w->count + 1, size, err);
    if (st == PRVCUT_OK)
        memcpy(w->waiting + w->count++ * size, send, size);
    return st;
}

/* Two ends of one channel: may they be one message? */
static bool pair_alike(const struct prvcut_pairing *p, const struct prvcut_end *send,
                       const struct prvcut_end *receive)
{
    return (!p->by_communicator || send->half.communicator == receive->half.communicator) &&
           (!p->by_size || send->half.size == receive->half.size);
}

/* The first waiting send that may be a receive's. */
static struct prvcut_end *pair_find_waiting(struct pair_walk *w, const struct prvcut_end *receive)
{
    while (w->first < w->count && pair_waiting(w, w->first)->order == USED)
        w->first++;
    if (w->first == w->count)
        w->first = w->count = 0;
    for (size_t i = w->first; i < w->count; i++) {
        struct prvcut_end *e = pair_waiting(w, i);

        if (e->order != USED && pair_alike(w->pairing, e, receive))
            return e;
    }
    return NULL;
}

/* Find the send of a receive among those of its channel that were not used yet. */
static enum prvcut_status pair_find(struct pair_walk *w, const struct prvcut_end *receive,
                                    struct prvcut_error *err)
{
    const struct prvcut_pairing *p = w->pairing;
    struct prvcut_end *found = pair_find_waiting(w, receive);
    const struct prvcut_end *send = NULL;
    enum prvcut_status st = PRVCUT_OK;

    while (!found && st == PRVCUT_OK) {
        st = pair_peek(&w->send, p->size, &send, err);
        if (st < 0 || !send || p->channel(send, receive) != 0)
            break;
        w->send.next++;
        if (pair_alike(p, send, receive))
            return p->met(p->ctx, send, receive, err);
        st = pair_wait(w, send, err);
    }
    if (st < 0)
        return st;
    if (!found)
        return p->alone(p->ctx, receive, err);
    st = p->met(p->ctx, found, receive, err);
    found->order = USED;
    return st;
}

/* The next send or receive, in the order of channels; END: there are no more. */
static enum prvcut_status pair_step(struct pair_walk *w, struct prvcut_error *err)
{
    const struct prvcut_pairing *p = w->pairing;
    const struct prvcut_end *send = NULL, *receive = NULL;
    enum prvcut_status st = pair_peek(&w->receive, p->size, &receive, err);

    if (st == PRVCUT_OK && w->count > w->first &&
        (!receive || p->channel(pair_waiting(w, w->count - 1), receive) != 0))
        st = pair_drop_waiting(w, err);
    if (st == PRVCUT_OK)
        st = pair_peek(&w->send, p->size, &send, err);
    if (st < 0 || (!send && !receive))
        return st < 0 ? st : PRVCUT_END;
    if (send && (!receive || p->channel(send, receive) < 0)) {
        w->send.next++;
        return p->alone(p->ctx, send, err);
    }
    memcpy(w->now, receive, p->size);
    w->receive.next++;
    return pair_find(w, (const struct prvcut_end *)(const void *)w->now, err);
}

enum prvcut_status prvcut_ends_pair(const struct prvcut_pairing *pairing, struct prvcut_error *err)
{
    struct pair_walk w = { .pairing = pairing,
                           .send = { .sorter = pairing->sorter[0] },
                           .receive = { .sorter = pairing->sorter[1] } };
    enum prvcut_status st = PRVCUT_OK;

    w.send.at = prvcut_unset(ENDS, pairing->size, "messages", err);
    w.receive.at = prvcut_unset(ENDS, pairing->size, "messages", err);
    w.now = prvcut_unset(1, pairing->size, "messages", err);
    if (!w.send.at || !w.receive.at || !w.now)
        st = PRVCUT_ENOMEM;
    while (st == PRVCUT_OK)
        st = pair_step(&w, err);
    free(w.send.at);
    free(w.receive.at);
    free(w.now);
    free(w.waiting);
    return st < 0 ? st : PRVCUT_OK;
}
