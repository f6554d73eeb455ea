#include "base/buffer.h"
#include "base/memory.h"
#include "convert/flow.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part of the input while it is read. */
struct part {
    uint64_t number;
    uint32_t states, events, messages, halves; /* places */
    struct prvcut_record_counts read;
    struct cnv_rooted_list rooted;
    uint64_t lost_messages;
    uint64_t last_ns;
};

static void note_last(struct part *p, uint64_t time)
{
    if (time > p->last_ns)
        p->last_ns = time;
}

/* Clip a state to the window; false: nothing of it is inside. */
static bool take_state(const struct cnv_flow *f, struct part *p, const struct prvcut_state *s,
                       struct cnv_small *out)
{
    const uint32_t thread = cnv_selected(&f->selection, s->thread);
    const uint32_t place = p->states++;
    uint64_t begin = s->begin, end = s->end;

    p->read.states++;
    if (thread == PRVCUT_NOBODY || begin >= f->to || (end <= f->from && begin < f->from))
        return false;
    begin = begin < f->from ? f->from : begin;
    end = end > f->to ? f->to : end;
    *out = (struct cnv_small){ .time = begin,
                               .order = cnv_order(CNV_STATE, p->number, place),
                               .value = end,
                               .type = s->number,
                               .thread = thread & PRVCUT_THREADS_MAX,
                               .role = s->running };
    note_last(p, end);
    return true;
}

static void count_event(struct prvcut_record_counts *c, uint32_t role, int64_t value)
{
    if (cnv_role_is_region(role))
        c->regions += value != 0;
    else if (cnv_role_is_counter(role))
        c->counters++;
    else
        c->events++;
}

/* Regions from before the window are taken, because they may still be open at its start. */
static bool take_event(const struct cnv_flow *f, struct part *p, const struct prvcut_event *e,
                       struct cnv_small *out)
{
    const uint32_t thread = cnv_selected(&f->selection, e->thread);
    const uint32_t place = p->events++;

    count_event(&p->read, e->role, e->value);
    if (thread == PRVCUT_NOBODY || e->time >= f->to ||
        (e->time < f->from && !cnv_role_is_region(e->role)))
        return false;
    *out = (struct cnv_small){ .time = e->time,
                               .order = cnv_order(CNV_EVENT, p->number, place),
                               .value = (uint64_t)e->value,
                               .type = e->type,
                               .thread = thread & PRVCUT_THREADS_MAX,
                               .role = e->role,
                               .head = e->head };
    note_last(p, e->time);
    return true;
}

/* States and events together, by time where both come in its order: then little is to be sorted. */
static enum prvcut_status take_small(struct cnv_flow *f, unsigned worker, struct part *p,
                                     const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct cnv_worker *w = &f->worker[worker];
    const size_t most = b->states + b->events;
    size_t n = 0, s = 0, e = 0;
    enum prvcut_status st =
        prvcut_grow((void **)&w->small, &w->small_room, most + 1, sizeof *w->small, err);

    if (st < 0)
        return st;
    while (s < b->states || e < b->events) {
        if (s < b->states && (e == b->events || b->state[s].begin <= b->event[e].time))
            n += take_state(f, p, &b->state[s++], &w->small[n]);
        else
            n += take_event(f, p, &b->event[e++], &w->small[n]);
    }
    return prvcut_sorter_add(f->small, worker, w->small, n, err);
}

bool cnv_message_inside(const struct cnv_flow *f, const struct prvcut_message *m)
{
    const uint64_t time[] = { m->logical_send, m->physical_send, m->logical_receive,
                              m->physical_receive };

    for (unsigned i = 0; i < 4; i++)
        if (time[i] < f->from || time[i] > f->to)
            return false;
    return m->logical_send < f->to;
}

bool cnv_message_crosses(const struct cnv_flow *f, const struct prvcut_message *m)
{
    const bool sent = m->logical_send >= f->from && m->logical_send < f->to;
    const bool received = m->physical_receive >= f->from && m->physical_receive < f->to;

    return sent || received;
}

/* How many items a message becomes: none, one, or two. */
static size_t take_message(const struct cnv_flow *f, struct part *p,
                           const struct prvcut_message *from, struct cnv_large *out)
{
    struct prvcut_message m = *from;
    const uint32_t place = p->messages++;

    p->read.messages++;
    m.sender = cnv_selected(&f->selection, m.sender);
    m.receiver = cnv_selected(&f->selection, m.receiver);
    if (m.sender == PRVCUT_NOBODY && m.receiver == PRVCUT_NOBODY)
        return 0;
    if (m.sender == PRVCUT_NOBODY || m.receiver == PRVCUT_NOBODY || !cnv_message_inside(f, &m)) {
        p->lost_messages += cnv_message_crosses(f, &m);
        return 0;
    }
    note_last(p, m.logical_send);
    note_last(p, m.physical_send);
    note_last(p, m.logical_receive);
    note_last(p, m.physical_receive);
    if (f->job->writer->whole_messages) {
        out->order = cnv_order(CNV_MESSAGE, p->number, place);
        cnv_message_item(&m, &out->item);
        return 1;
    }
    cnv_message_ends(&m, &out[0].item, &out[1].item);
    out[0].order = cnv_order(CNV_SEND, p->number, place);
    out[1].order = cnv_order(CNV_RECEIVE, p->number, place);
    return 2;
}

static enum prvcut_status take_messages(struct cnv_flow *f, unsigned worker, struct part *p,
                                        const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct cnv_worker *w = &f->worker[worker];
    size_t n = 0;
    enum prvcut_status st =
        prvcut_grow((void **)&w->large, &w->large_room, 2 * b->messages + 1, sizeof *w->large, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < b->messages; i++)
        n += take_message(f, p, &b->message[i], &w->large[n]);
    return prvcut_sorter_add(f->large, worker, w->large, n, err);
}

/* Renumber an end; false: it is left out. */
static bool select_half(const struct cnv_flow *f, struct part *p, struct prvcut_half *h)
{
    const uint32_t peer = h->peer;

    h->thread = cnv_selected(&f->selection, h->thread);
    h->peer = cnv_selected(&f->selection, peer);
    if (h->thread == PRVCUT_NOBODY)
        return false;
    if (h->peer == PRVCUT_NOBODY && peer != PRVCUT_NOBODY) {
        p->lost_messages++;
        return false;
    }
    return true;
}

static enum prvcut_status take_halves(struct cnv_flow *f, unsigned worker, struct part *p,
                                      const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct cnv_worker *w = &f->worker[worker];
    size_t large = 0, ends[2] = { 0, 0 };
    enum prvcut_status st =
        prvcut_grow((void **)&w->large, &w->large_room, b->halves + 1, sizeof *w->large, err);

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_grow((void **)&w->end[i], &w->end_room[i], b->halves + 1, sizeof *w->end[i],
                         err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++) {
        struct prvcut_half h = b->half[i];
        const uint64_t order =
            cnv_order(h.receive ? CNV_RECEIVE : CNV_SEND, p->number, p->halves++);

        p->read.sends += !h.receive;
        p->read.receives += h.receive;
        if (!select_half(f, p, &h))
            continue;
        if (!f->windowed) {
            note_last(p, h.time);
            note_last(p, h.other);
        }
        if (f->pair) {
            w->end[h.receive][ends[h.receive]++] = (struct cnv_end){ order, h };
            st = cnv_uses_note(&w->uses, h.communicator, h.receive, err);
        } else {
            w->large[large].order = order;
            cnv_half_item(&h, &w->large[large++].item);
        }
    }
    if (st == PRVCUT_OK)
        st = prvcut_sorter_add(f->large, worker, w->large, large, err);
    for (unsigned i = 0; i < 2 && f->pair && st == PRVCUT_OK; i++)
        st = prvcut_sorter_add(f->end[i], worker, w->end[i], ends[i], err);
    return st;
}

static enum prvcut_status gather_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                       struct prvcut_error *err)
{
    struct part *p = calloc(1, sizeof *p);

    (void)ctx, (void)worker;
    if (!p)
        return prvcut_no_memory(err, "a part");
    p->number = part;
    *state = p;
    if (part >= CNV_PART_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "the trace has more than %" PRIu64 " parts, too many to convert",
                           CNV_PART_MAX);
    return PRVCUT_OK;
}

static enum prvcut_status gather_batch(void *ctx, unsigned worker, void *state,
                                       const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct cnv_flow *f = ctx;
    struct part *p = state;
    enum prvcut_status st = PRVCUT_OK;

    if (b->states > UINT32_MAX - p->states || b->events > UINT32_MAX - p->events ||
        b->messages > UINT32_MAX - p->messages || b->halves > UINT32_MAX - p->halves)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "a part of the trace has more than %" PRIu32 " records of one kind",
                           UINT32_MAX);
    if (b->states + b->events > 0)
        st = take_small(ctx, worker, p, b, err);
    if (b->events > 0 && f->job->writer->wants_roots && st == PRVCUT_OK)
        st = cnv_rooted_note(&p->rooted, b, err);
    if (b->messages > 0 && st == PRVCUT_OK)
        st = take_messages(ctx, worker, p, b, err);
    if (b->halves > 0 && st == PRVCUT_OK)
        st = take_halves(ctx, worker, p, b, err);
    return st;
}

static enum prvcut_status gather_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct cnv_flow *f = ctx;
    struct part *p = state;
    struct prvcut_record_counts *sum = &f->sum->read;

    sum->states += p->read.states;
    sum->regions += p->read.regions;
    sum->events += p->read.events;
    sum->counters += p->read.counters;
    sum->messages += p->read.messages;
    sum->sends += p->read.sends;
    sum->receives += p->read.receives;
    f->sum->lost[PRVCUT_CARRY_MESSAGES] += p->lost_messages;
    if (p->last_ns > f->last_ns)
        f->last_ns = p->last_ns;
    return f->job->writer->wants_roots ? cnv_roots_add(&f->roots, &p->rooted, f->from, err)
                                       : PRVCUT_OK;
}

static void gather_discard(void *ctx, void *state)
{
    struct part *p = state;

    (void)ctx;
    if (p)
        cnv_rooted_fini(&p->rooted);
    free(p);
}

enum prvcut_status cnv_gather(struct cnv_flow *f, struct prvcut_error *err)
{
    const struct prvcut_consumer consumer = {
        .roles = (PRVCUT_ROLE_BIT(PRVCUT_ROLES)) - 1,
        .states = f->job->states,
        .messages = true,
        .ctx = f,
        .begin = gather_begin,
        .batch = gather_batch,
        .join = gather_join,
        .discard = gather_discard,
    };
    enum prvcut_status st =
        f->job->trace->reader->scan(f->job->trace, f->job->run, &consumer, NULL, err);

    if (st == PRVCUT_OK && f->job->writer->wants_roots)
        st = cnv_roots_settle(&f->roots, &f->selection, err);
    return st;
}
