#include "base/buffer.h"
#include "base/memory.h"
#include "match/crossing.h"
#include "model/roles.h"
#include "stream/flow.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part of the input while it is read. */
struct gather_part {
    uint64_t number;
    uint32_t states, events, messages, halves; /* places */
    struct prvcut_record_counts read;
    bool begins; /* the present line of events begins a region */
    bool first;  /* and none of it has been taken */
    void *also;  /* of the other consumer */
    uint64_t lost_messages;
    uint64_t last_ns;
    /* What is not sorted, but handed over with the part. */
    struct stm_small *small;
    struct stm_large *large;
    size_t smalls, small_room, larges, large_room;
};

static void gather_note_last(struct gather_part *p, uint64_t time)
{
    if (time > p->last_ns)
        p->last_ns = time;
}

/* What the room for a part begins with: parts are much alike, and what grows is copied. */
static size_t gather_want(size_t want, size_t room, size_t most)
{
    return room == 0 && want < most ? most + most / 8 : want;
}

/* Room for so many more, where they are sorted from or where they stay. */
static enum prvcut_status gather_smalls(struct prvcut_stream *s, unsigned worker,
                                        struct gather_part *p, size_t more, struct stm_small **out,
                                        struct prvcut_error *err)
{
    struct stm_worker *w = &s->worker[worker];
    const enum prvcut_status st =
        s->part ? prvcut_grow((void **)&p->small, &p->small_room,
                              gather_want(p->smalls + more + 1, p->small_room, w->most_smalls),
                              sizeof *p->small, err)
                : prvcut_grow((void **)&w->small, &w->small_room, more + 1, sizeof *w->small, err);

    *out = s->part ? p->small + p->smalls : w->small;
    return st;
}

static enum prvcut_status gather_larges(struct prvcut_stream *s, unsigned worker,
                                        struct gather_part *p, size_t more, struct stm_large **out,
                                        struct prvcut_error *err)
{
    struct stm_worker *w = &s->worker[worker];
    const enum prvcut_status st =
        s->part ? prvcut_grow((void **)&p->large, &p->large_room,
                              gather_want(p->larges + more + 1, p->large_room, w->most_larges),
                              sizeof *p->large, err)
                : prvcut_grow((void **)&w->large, &w->large_room, more + 1, sizeof *w->large, err);

    *out = s->part ? p->large + p->larges : w->large;
    return st;
}

/* So many more are there. */
static enum prvcut_status gather_put_smalls(struct prvcut_stream *s, unsigned worker,
                                            struct gather_part *p, size_t count,
                                            struct prvcut_error *err)
{
    struct stm_worker *w = &s->worker[worker];

    p->smalls += count;
    w->most_smalls = p->smalls > w->most_smalls ? p->smalls : w->most_smalls;
    return s->part ? PRVCUT_OK : prvcut_sorter_add(s->small, worker, w->small, count, err);
}

static enum prvcut_status gather_put_larges(struct prvcut_stream *s, unsigned worker,
                                            struct gather_part *p, size_t count,
                                            struct prvcut_error *err)
{
    struct stm_worker *w = &s->worker[worker];

    p->larges += count;
    w->most_larges = p->larges > w->most_larges ? p->larges : w->most_larges;
    return s->part ? PRVCUT_OK : prvcut_sorter_add(s->large, worker, w->large, count, err);
}

/* Clip a state to the window; false: nothing of it is inside. */
static bool gather_state(const struct prvcut_stream *s, struct gather_part *p,
                         const struct prvcut_state *from, struct stm_small *out)
{
    const struct prvcut_stream_clock *clock = s->options.clock;
    const uint32_t thread = stm_thread(s, from->thread);
    const uint32_t place = p->states++;
    struct prvcut_state own = *from;
    const struct prvcut_state *state = &own;
    const bool kept = !clock || clock->state(clock->ctx, &own);
    uint64_t begin = state->begin, end = state->end;

    p->read.states++;
    if (!kept || thread == PRVCUT_NOBODY || begin >= s->to || (end <= s->from && begin < s->from))
        return false;
    begin = begin < s->from ? s->from : begin;
    end = end > s->to ? s->to : end;
    *out = (struct stm_small){ .time = begin,
                               .order = stm_order(STM_STATE, p->number, place),
                               .value = end,
                               .type = state->number,
                               .thread = thread & PRVCUT_THREADS_MAX,
                               .role = state->running };
    gather_note_last(p, end);
    return true;
}

static void gather_count_event(struct prvcut_record_counts *c, uint32_t role, int64_t value)
{
    if (prvcut_role_is_region(role))
        c->regions += value != 0;
    else if (prvcut_role_is_counter(role))
        c->counters++;
    else
        c->events++;
}

/* Does a line begin a region? [count] events, from its first one on. */
static bool gather_begins(const struct prvcut_event *line, size_t count)
{
    for (size_t i = 0; i < count && (i == 0 || !line[i].head); i++)
        if (line[i].value != 0 && prvcut_role_is_region(line[i].role))
            return true;
    return false;
}

/* Regions from before the window are taken, because they may still be open at its start, and what
   the line tells that begins them: sizes, communicator, callers. */
static bool gather_is_told(const struct prvcut_stream *s, const struct gather_part *p,
                           const struct prvcut_event *e, uint64_t time)
{
    if (time >= s->from)
        return time < s->to;
    return !s->options.blocks &&
           (prvcut_role_is_region(e->role) || (p->begins && !prvcut_role_is_counter(e->role)));
}

/* event: [count], the rest of the batch, of which the first one is taken */
static bool gather_event(const struct prvcut_stream *s, struct gather_part *p,
                         const struct prvcut_event *event, size_t count, struct stm_small *out)
{
    const struct prvcut_event *e = event;
    const uint32_t thread = stm_thread(s, e->thread);
    const uint32_t place = p->events++;
    const struct prvcut_stream_clock *clock = s->options.clock;
    const uint64_t time = clock ? clock->event(clock->ctx, e->thread, e->time) : e->time;

    gather_count_event(&p->read, e->role, e->value);
    if (e->head) {
        p->first = true;
        p->begins = time < s->from && gather_begins(event, count);
    }
    if (thread == PRVCUT_NOBODY || !gather_is_told(s, p, e, time))
        return false;
    *out = (struct stm_small){ .time = time,
                               .order = stm_order(STM_EVENT, p->number, place),
                               .value = (uint64_t)e->value,
                               .type = e->type,
                               .thread = thread & PRVCUT_THREADS_MAX,
                               .role = e->role,
                               .head = p->first };
    p->first = false;
    gather_note_last(p, time);
    return true;
}

/* States and events together, by time where both come in its order: then little is to be sorted. */
static enum prvcut_status gather_small(struct prvcut_stream *s, unsigned worker,
                                       struct gather_part *p, const struct prvcut_batch *b,
                                       struct prvcut_error *err)
{
    struct stm_small *small;
    size_t n = 0, state = 0, event = 0;
    enum prvcut_status st = gather_smalls(s, worker, p, b->states + b->events, &small, err);

    if (st < 0)
        return st;
    while (state < b->states || event < b->events) {
        if (state < b->states &&
            (event == b->events || b->state[state].begin <= b->event[event].time))
            n += gather_state(s, p, &b->state[state++], &small[n]);
        else {
            n += gather_event(s, p, &b->event[event], b->events - event, &small[n]);
            event++;
        }
    }
    return gather_put_smalls(s, worker, p, n, err);
}

static struct prvcut_span gather_window(const struct prvcut_stream *s)
{
    return (struct prvcut_span){ s->from, s->to };
}

bool stm_message_chosen(const struct prvcut_stream *s, const struct prvcut_message *m)
{
    const struct prvcut_stream_choice *choice = s->options.choice;

    return !choice || choice->takes(choice->ctx, m);
}

bool stm_message_inside(const struct prvcut_stream *s, const struct prvcut_message *m)
{
    return prvcut_message_inside(m, gather_window(s), gather_window(s));
}

/* In any of its times; as long as it is under way. */
static bool gather_touches(const struct prvcut_stream *s, const struct prvcut_message *m)
{
    const uint64_t end = prvcut_message_complete(m);

    return m->logical_send < s->to && (end > m->logical_send ? end : m->logical_send) >= s->from;
}

/* Where a receive was posted, as an item of its own; 0: not before it is complete. */
static size_t gather_post(const struct stm_large *receive, struct stm_large *out)
{
    const uint64_t posted = receive->item.half.other;

    if (posted == PRVCUT_NEVER || posted >= receive->item.time)
        return 0;
    *out = *receive;
    out->item.time = posted;
    out->item.head = true;
    return 1;
}

bool stm_message_crosses(const struct prvcut_stream *s, const struct prvcut_message *m)
{
    return prvcut_message_crosses(m, gather_window(s), gather_window(s));
}

/* The ends of a message, numbered, and where its receive was posted. */
static size_t gather_ends(const struct prvcut_stream *s, const struct gather_part *p,
                          const struct prvcut_message *m, uint32_t place, struct stm_large *out)
{
    const uint64_t number = stm_order(STM_MESSAGE, p->number, place);

    if (s->options.blocks && !gather_touches(s, m))
        return 0;
    stm_message_ends(m, &out[0].item, &out[1].item);
    out[0].order = stm_order(STM_SEND, p->number, place);
    out[1].order = stm_order(STM_RECEIVE, p->number, place);
    out[0].item.half.number = out[1].item.half.number = number;
    return gather_post(&out[1], &out[2]) + 2;
}

/* How many items a message becomes: none, or up to three. */
static size_t gather_message(const struct prvcut_stream *s, struct gather_part *p,
                             const struct prvcut_message *from, struct stm_large *out)
{
    struct prvcut_message m = *from;
    const uint32_t place = p->messages++;

    p->read.messages++;
    if (s->options.clock && !s->options.clock->message(s->options.clock->ctx, &m))
        return 0;
    m.sender = stm_thread(s, m.sender);
    m.receiver = stm_thread(s, m.receiver);
    if (m.sender == PRVCUT_NOBODY && m.receiver == PRVCUT_NOBODY)
        return 0;
    if (m.sender == PRVCUT_NOBODY || m.receiver == PRVCUT_NOBODY ||
        (!s->options.blocks && !stm_message_inside(s, &m))) {
        p->lost_messages += stm_message_crosses(s, &m);
        return 0;
    }
    gather_note_last(p, m.logical_send);
    gather_note_last(p, m.physical_send);
    gather_note_last(p, m.logical_receive);
    gather_note_last(p, m.physical_receive);
    if (!stm_message_chosen(s, &m))
        return 0;
    if (s->options.ends)
        return gather_ends(s, p, &m, place, out);
    if (s->options.whole_messages) {
        out->order = stm_order(STM_MESSAGE, p->number, place);
        stm_message_item(&m, &out->item);
        return 1;
    }
    stm_message_ends(&m, &out[0].item, &out[1].item);
    out[0].order = stm_order(STM_SEND, p->number, place);
    out[1].order = stm_order(STM_RECEIVE, p->number, place);
    return 2;
}

static enum prvcut_status gather_messages(struct prvcut_stream *s, unsigned worker,
                                          struct gather_part *p, const struct prvcut_batch *b,
                                          struct prvcut_error *err)
{
    struct stm_large *large;
    size_t n = 0;
    enum prvcut_status st = gather_larges(s, worker, p, 3 * b->messages + 2, &large, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < b->messages; i++)
        n += gather_message(s, p, &b->message[i], &large[n]);
    return gather_put_larges(s, worker, p, n, err);
}

/* Renumber an end; false: it is left out. */
static bool gather_select_half(const struct prvcut_stream *s, struct gather_part *p,
                               struct prvcut_half *h)
{
    const uint32_t peer = h->peer;

    h->thread = stm_thread(s, h->thread);
    h->peer = stm_thread(s, peer);
    if (h->thread == PRVCUT_NOBODY)
        return false;
    if (h->peer == PRVCUT_NOBODY && peer != PRVCUT_NOBODY) {
        p->lost_messages++;
        return false;
    }
    return true;
}

/* How many items an end becomes that is not brought together with its other one: one, or two. */
static size_t gather_half(const struct prvcut_stream *s, uint64_t order,
                          const struct prvcut_half *h, struct stm_large *out)
{
    out->order = order;
    stm_half_item(h, &out->item);
    if (!s->options.ends)
        return 1;
    out->item.half.number = order;
    out->item.half.other = prvcut_other_time(h, PRVCUT_NEVER);
    if (h->done)
        return 1;
    return h->receive ? 1 + gather_post(&out[0], &out[1]) : 1;
}

static enum prvcut_status gather_halves(struct prvcut_stream *s, unsigned worker,
                                        struct gather_part *p, const struct prvcut_batch *b,
                                        struct prvcut_error *err)
{
    struct stm_large *at;
    size_t large = 0;
    enum prvcut_status st = gather_larges(s, worker, p, 2 * b->halves + 1, &at, err);

    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++) {
        struct prvcut_half h = b->half[i];
        const uint64_t order =
            stm_order(h.receive || h.done ? STM_RECEIVE : STM_SEND, p->number, p->halves++);

        p->read.sends += !h.receive && !h.done;
        p->read.receives += h.receive;
        if (s->options.clock && s->options.clock->half)
            s->options.clock->half(s->options.clock->ctx, &h);
        if (!gather_select_half(s, p, &h))
            continue;
        if (!s->windowed) {
            gather_note_last(p, h.time);
            gather_note_last(p, prvcut_other_time(&h, 0));
        }
        if (s->pair)
            st = stm_meeting_add(&s->meeting, worker, order, &h, err);
        else
            large += gather_half(s, order, &h, &at[large]);
    }
    if (st == PRVCUT_OK)
        st = gather_put_larges(s, worker, p, large, err);
    return s->pair && st == PRVCUT_OK ? stm_meeting_flush(&s->meeting, worker, err) : st;
}

static enum prvcut_status gather_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                       struct prvcut_error *err)
{
    const struct prvcut_stream *s = ctx;
    const struct prvcut_consumer *also = s->options.also;
    struct gather_part *p = prvcut_zeroed(1, sizeof *p, "a part", err);

    if (!p)
        return PRVCUT_ENOMEM;
    p->number = part;
    *state = p;
    if (part >= STM_PART_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "the trace has more than %" PRIu64 " parts, too many to convert",
                           STM_PART_MAX);
    return also && also->begin ? also->begin(also->ctx, worker, part, &p->also, err) : PRVCUT_OK;
}

static enum prvcut_status gather_batch(void *ctx, unsigned worker, void *state,
                                       const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct prvcut_stream *s = ctx;
    const struct prvcut_consumer *also = s->options.also;
    struct gather_part *p = state;
    struct prvcut_batch own = *b;
    enum prvcut_status st = PRVCUT_OK;

    if (b->states > UINT32_MAX - p->states || b->events > UINT32_MAX - p->events ||
        b->messages > UINT32_MAX - p->messages || b->halves > UINT32_MAX - p->halves)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "a part of the trace has more than %" PRIu32 " records of one kind",
                           UINT32_MAX);
    /* States that only the other one wants are none of the stream's. */
    if (!s->options.states)
        own.states = 0;
    if (own.states + own.events > 0)
        st = gather_small(ctx, worker, p, &own, err);
    if (also && also->batch && st == PRVCUT_OK)
        st = also->batch(also->ctx, worker, p->also, b, err);
    if (b->messages > 0 && st == PRVCUT_OK)
        st = gather_messages(ctx, worker, p, b, err);
    if (b->halves > 0 && st == PRVCUT_OK)
        st = gather_halves(ctx, worker, p, b, err);
    return st;
}

static enum prvcut_status gather_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct prvcut_stream *s = ctx;
    const struct prvcut_consumer *also = s->options.also;
    struct gather_part *p = state;
    struct prvcut_record_counts *sum = &s->counts.read;
    enum prvcut_status st = PRVCUT_OK;

    sum->states += p->read.states;
    sum->regions += p->read.regions;
    sum->events += p->read.events;
    sum->counters += p->read.counters;
    sum->messages += p->read.messages;
    sum->sends += p->read.sends;
    sum->receives += p->read.receives;
    s->counts.crossing += p->lost_messages;
    if (p->last_ns > s->last_ns)
        s->last_ns = p->last_ns;
    if (s->part) {
        st = s->part(s->part_ctx, p->small, p->smalls, p->large, p->larges, err);
        p->small = NULL;
    }
    return st == PRVCUT_OK && also && also->join ? also->join(also->ctx, p->also, err) : st;
}

static void gather_discard(void *ctx, void *state)
{
    const struct prvcut_stream *s = ctx;
    const struct prvcut_consumer *also = s->options.also;
    struct gather_part *p = state;

    if (p && also && also->discard)
        also->discard(also->ctx, p->also);
    if (p) {
        free(p->small);
        free(p->large);
    }
    free(p);
}

enum prvcut_status stm_gather(struct prvcut_stream *s, struct prvcut_error *err)
{
    struct prvcut_trace *t = s->options.trace;
    const struct prvcut_consumer consumer = {
        .roles = s->options.roles ? s->options.roles : PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
        .states = s->options.states || (s->options.also && s->options.also->states),
        .messages = !s->options.no_messages,
        .posts = !s->options.no_messages,
        .dones = s->options.ends,
        .completions = s->options.completions,
        .ctx = s,
        .begin = gather_begin,
        .batch = gather_batch,
        .join = gather_join,
        .discard = gather_discard,
    };

    return s->options.blocks
               ? t->reader->scan_window(t, s->options.run, s->from, s->to, &consumer, err)
               : t->reader->scan(t, s->options.run, &consumer, NULL, err);
}
