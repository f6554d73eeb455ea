#include "base/buffer.h"
#include "otf2/write.h"

#include <stdlib.h>

/* No state, in the metric that tells the states. */
#define NO_STATE UINT64_MAX

void o2w_thread_fini(struct o2w_thread *t)
{
    free(t->nest.at);
    free(t->posted);
    prvcut_pending_fini(&t->due);
}

static enum prvcut_status write_state(struct o2w *w, uint64_t time, uint64_t number,
                                      struct prvcut_error *err)
{
    const OTF2_Type type = OTF2_TYPE_INT64;
    const OTF2_MetricValue value = { .unsigned_int = number };

    w->at.last = time;
    return o2w_done(w, OTF2_EvtWriter_Metric(w->at.events, NULL, time, O2_STATES, 1, &type, &value),
                    "a state", err);
}

/* A state inside another one: with its length, since the metric has one value at a time. */
static enum prvcut_status write_overlap(struct o2w *w, const struct prvcut_item *item,
                                        struct prvcut_error *err)
{
    const OTF2_Type type[2] = { OTF2_TYPE_INT64, OTF2_TYPE_UINT64 };
    const OTF2_MetricValue value[2] = { { .unsigned_int = item->state.number },
                                        { .unsigned_int = item->state.end - item->time } };
    uint32_t id;
    const enum prvcut_status st = o2w_need_overlap(&w->names, &id, err);

    if (st < 0)
        return st;
    return o2w_done(w, OTF2_EvtWriter_Metric(w->at.events, NULL, item->time, id, 2, type, value),
                    "a state", err);
}

static enum prvcut_status thread_put_state(struct o2w *w, const struct prvcut_item *item,
                                           struct prvcut_error *err)
{
    if (w->at.state_open && w->at.state_end > item->time)
        return write_overlap(w, item, err);
    w->at.state_open = true;
    w->at.state_end = item->state.end < item->time ? item->time : item->state.end;
    return write_state(w, item->time, item->state.number, err);
}

static enum prvcut_status thread_end_state(struct o2w *w, struct prvcut_error *err)
{
    w->at.state_open = false;
    return write_state(w, w->at.state_end, NO_STATE, err);
}

static enum prvcut_status thread_complete_send(struct o2w *w, struct prvcut_error *err)
{
    const struct prvcut_pending_end due = prvcut_pending_take(&w->at.due);
    const uint64_t time = due.time < w->at.last ? w->at.last : due.time;

    w->at.last = time;
    return o2w_done(w, OTF2_EvtWriter_MpiIsendComplete(w->at.events, NULL, time, due.detail),
                    "the end of a send", err);
}

/* Write what is due before a time, in order. */
static enum prvcut_status thread_settle(struct o2w *w, uint64_t until, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK) {
        const struct prvcut_pending_end *due = prvcut_pending_first(&w->at.due);
        const bool state = w->at.state_open && w->at.state_end < until;

        if (due && due->time < until && (!state || due->time <= w->at.state_end))
            st = thread_complete_send(w, err);
        else if (state)
            st = thread_end_state(w, err);
        else
            break;
    }
    return st;
}

static enum prvcut_status thread_put_messages(struct o2w *w, const struct prvcut_item *item,
                                              size_t count, uint8_t kind,
                                              struct made_convert_summary *sum,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        if (item[i].kind == kind)
            st = kind == PRVCUT_ITEM_SEND ? o2w_send(w, &item[i], sum, err)
                                          : o2w_receive(w, &item[i], sum, err);
    }
    return st;
}

/* What a run of items holds. */
struct mix {
    size_t states, events, sends, receives;
    bool enters; /**< an MPI call begins */
};

static struct mix thread_mix_of(const struct prvcut_item *item, size_t count)
{
    struct mix m = { 0 };

    for (size_t i = 0; i < count; i++) {
        m.states += item[i].kind == PRVCUT_ITEM_STATE;
        m.events += item[i].kind == PRVCUT_ITEM_EVENT;
        m.sends += item[i].kind == PRVCUT_ITEM_SEND;
        m.receives += item[i].kind == PRVCUT_ITEM_RECEIVE;
        m.enters |= item[i].kind == PRVCUT_ITEM_EVENT && item[i].event.value != 0 &&
                    (PRVCUT_ROLE_BIT(item[i].role) & PRVCUT_ROLES_MPI) != 0;
    }
    return m;
}

static enum prvcut_status thread_put_states(struct o2w *w, const struct prvcut_item *item,
                                            size_t count, const struct mix *mix,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (mix->states == 0 && w->at.state_open && w->at.state_end == item->time)
        return thread_end_state(w, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK && mix->states > 0; i++) {
        if (item[i].kind == PRVCUT_ITEM_STATE)
            st = thread_put_state(w, &item[i], err);
    }
    return st;
}

/* Sends that are complete now, and what arrives or leaves inside the call that is open. */
static enum prvcut_status thread_put_inside(struct o2w *w, const struct prvcut_item *item,
                                            size_t count, struct mix *mix,
                                            struct made_convert_summary *sum,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (const struct prvcut_pending_end *due = prvcut_pending_first(&w->at.due);
         due && due->time <= item->time && st == PRVCUT_OK; due = prvcut_pending_first(&w->at.due))
        st = thread_complete_send(w, err);
    if (w->at.nest.mpi == 0)
        return st;
    if (st == PRVCUT_OK && mix->receives > 0)
        st = thread_put_messages(w, item, count, PRVCUT_ITEM_RECEIVE, sum, err);
    mix->receives = 0;
    if (st == PRVCUT_OK && mix->sends > 0 && !mix->enters) {
        st = thread_put_messages(w, item, count, PRVCUT_ITEM_SEND, sum, err);
        mix->sends = 0;
    }
    return st;
}

/* Gather the line that begins at item[first]; *next: the first item after it. */
static enum prvcut_status thread_gather(struct o2w *w, const struct prvcut_item *item, size_t count,
                                        size_t *next, size_t *pairs, struct prvcut_error *err)
{
    size_t i = *next;

    *pairs = 0;
    for (; i < count; i++) {
        struct o2w_pair *pair;
        enum prvcut_status st;

        if (item[i].kind != PRVCUT_ITEM_EVENT)
            continue;
        if (item[i].head && *pairs > 0)
            break;
        st = prvcut_grow((void **)&w->pair, &w->pair_room, *pairs + 1, sizeof *w->pair, err);
        if (st < 0)
            return st;
        pair = &w->pair[(*pairs)++];
        *pair = (struct o2w_pair){ .item = &item[i] };
        st = o2w_type_of(&w->names, item[i].event.type, item[i].role, &pair->type, err);
        if (st < 0)
            return st;
    }
    *next = i;
    return PRVCUT_OK;
}

static enum prvcut_status thread_put_lines(struct o2w *w, const struct prvcut_item *item,
                                           size_t count, struct mix *mix,
                                           struct made_convert_summary *sum,
                                           struct prvcut_error *err)
{
    const uint64_t time = item->time;
    enum prvcut_status st = PRVCUT_OK;
    size_t next = 0, pairs, before;

    while (next < count && st == PRVCUT_OK && mix->events > 0) {
        st = thread_gather(w, item, count, &next, &pairs, err);
        if (st < 0 || pairs == 0)
            break;
        w->own_line = w->at.line == time;
        w->at.line = time;
        before = w->at.nest.mpi;
        st = o2w_line(w, time, pairs, err);
        w->own_line = false;
        /* The call that has begun is the one that sends. */
        if (st == PRVCUT_OK && mix->sends > 0 && w->at.nest.mpi > 0 && w->at.nest.mpi >= before) {
            st = thread_put_messages(w, item, count, PRVCUT_ITEM_SEND, sum, err);
            mix->sends = 0;
        }
    }
    return st;
}

enum prvcut_status o2w_run(struct o2w *w, const struct prvcut_item *item, size_t count,
                           struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct mix mix = thread_mix_of(item, count);
    enum prvcut_status st = thread_settle(w, item->time, err);

    w->at.last = item->time;
    w->items_end = item + count;
    if (st == PRVCUT_OK)
        st = thread_put_states(w, item, count, &mix, err);
    if (st == PRVCUT_OK)
        st = thread_put_inside(w, item, count, &mix, sum, err);
    if (st == PRVCUT_OK)
        st = thread_put_lines(w, item, count, &mix, sum, err);
    if (st == PRVCUT_OK && mix.receives > 0)
        st = thread_put_messages(w, item, count, PRVCUT_ITEM_RECEIVE, sum, err);
    if (st == PRVCUT_OK && mix.sends > 0)
        st = thread_put_messages(w, item, count, PRVCUT_ITEM_SEND, sum, err);
    return st;
}

enum prvcut_status o2w_thread_end(struct o2w *w, struct prvcut_error *err)
{
    enum prvcut_status st = thread_settle(w, UINT64_MAX, err);

    if (st == PRVCUT_OK)
        st = prvcut_nesting_end_all(&w->at.nest, w->at.last, err);
    return st;
}
