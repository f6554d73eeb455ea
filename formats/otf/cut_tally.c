#include "otf/cut_tally.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static unsigned tal_place(const struct otf_tally *i)
{
    const struct otf_span *s = &i->cutter->span[i->thread];

    return otf_cut_takes(s) ? otf_span_place(s, i->tick, i->stepper[i->member].step) : 0;
}

void otf_tally_process(struct otf_tally *i, uint64_t id)
{
    const struct otf_trace *t = i->cutter->trace;

    if (i->thread != OTF_NONE && i->process == id)
        return;
    i->member = otf_member_of(t, i->stream, id);
    i->process = (uint32_t)id;
    i->thread = i->member != OTF_NONE ? t->process[i->stream->member[i->member]].thread : OTF_NONE;
}

/* As `begun` keeps it. */
static size_t tal_channel(const struct otf_tally *i, const struct otf_channel *k)
{
    return (size_t)(k - otf_channel_at(&i->channels, 0)) + 1;
}

static void tal_add(struct otf_channel *k, unsigned end, unsigned place)
{
    uint64_t *const count[] = { k->before, k->inside, k->after };

    count[place][end]++;
}

/*
 * A collective ends, or the windows do: `passed` tells that the left border lies before that, `out`
 * that the right one does. What a border cuts through takes part inside if that border is at one
 * time for all; else its clipped time would lie before, or after, that of others that are whole.
 */
static void tal_settle(const struct otf_cutter *c, struct otf_tally *i, uint32_t member,
                       bool passed, bool out)
{
    struct otf_begun *b = &i->begun[member];
    struct otf_channel *k = b->channel > 0 ? otf_channel_at(&i->channels, b->channel - 1) : NULL;

    if (k && !b->inside && passed && c->straight) {
        k->before[0]--;
        k->inside[0]++;
    } else if (k && b->inside && out && !c->straight) {
        k->inside[0]--;
        k->after[0]++;
    }
    b->channel = 0;
}

static enum prvcut_status tal_record(const struct otf_cutter *c, struct otf_tally *i,
                                     const struct otf_record *r, struct prvcut_error *err)
{
    const unsigned end = r->kind == OTF_RECEIVE;
    struct otf_channel key, *k;

    if (i->thread == OTF_NONE)
        return PRVCUT_OK;
    i->place = tal_place(i);
    if (r->kind == OTF_RECEIVE && otf_span_ends(&c->span[i->thread], i->tick) &&
        !i->over[i->member])
        i->place = 1;
    i->entered[i->member] = i->place > 0;
    if (r->kind == OTF_COLLECTIVE_END) {
        if (r->number == 0 || r->number == i->begun[i->member].match)
            tal_settle(c, i, i->member, i->place > 0, i->place > 1);
        return PRVCUT_OK;
    }
    if (!otf_channel_key(c->trace, i->process, r, &key))
        return PRVCUT_OK;
    k = otf_channel_make(&i->channels, &key, err);
    if (!k)
        return PRVCUT_ENOMEM;
    tal_add(k, end, i->place);
    if (r->kind == OTF_COLLECTIVE_BEGIN && i->place < 2)
        i->begun[i->member] = (struct otf_begun){ .channel = tal_channel(i, k),
                                                  .match = r->match,
                                                  .inside = i->place == 1 };
    return PRVCUT_OK;
}

/* A running total is read; from the trace's begin on it counts from 0. */
static enum prvcut_status tal_counter(struct otf_tally *i, const struct otf_record *r,
                                      struct prvcut_error *err)
{
    const struct otf_trace *t = i->cutter->trace;
    const struct otf_counter *k = otf_counter_of(t, i->stream, r->number);
    const struct otf_span *s;
    struct otf_first *f;

    if (i->thread == OTF_NONE || !k || !k->whole || tal_place(i) != 1)
        return PRVCUT_OK;
    s = &i->cutter->span[i->thread];
    if (otf_span_ends(s, i->tick) || (s->from <= t->origin && s->from_step == 0))
        return PRVCUT_OK;
    if (!i->reading[i->member])
        i->reading[i->member] =
            prvcut_zeroed((size_t)t->counters + 1, sizeof *i->reading[0], "counters", err);
    if (!i->reading[i->member])
        return PRVCUT_ENOMEM;
    f = &i->reading[i->member][k->number];
    if (!f->seen)
        *f = (struct otf_first){ r->value, r->value, i->tick, true };
    else if (i->tick == f->tick)
        f->latest = r->value;
    return PRVCUT_OK;
}

static bool tal_is_counted(enum otf_kind kind)
{
    return kind == OTF_SEND || kind == OTF_RECEIVE || kind == OTF_COLLECTIVE ||
           kind == OTF_COLLECTIVE_BEGIN || kind == OTF_COLLECTIVE_END;
}

/* Any other record than times and processes. */
enum prvcut_status otf_tally_other(struct otf_tally *i, const struct otf_record *r,
                                   struct prvcut_error *err)
{
    const struct otf_cutter *c = i->cutter;

    if (i->thread != OTF_NONE && otf_is_record(r->kind))
        otf_step(&i->stepper[i->member], i->tick, otf_steps(c->trace));
    if (r->kind == OTF_ENTER && i->thread != OTF_NONE)
        i->over[i->member] |= otf_span_ends(&c->span[i->thread], i->tick);
    if (r->kind == OTF_COUNTER)
        return tal_counter(i, r, err);
    return tal_is_counted(r->kind) ? tal_record(c, i, r, err) : PRVCUT_OK;
}

/* The follower's; those of the others are copies. */
enum prvcut_status otf_tally_init(struct otf_tally *i, struct prvcut_error *err)
{
    const size_t room = (size_t)i->stream->members + 1;

    i->begun = prvcut_zeroed(room, sizeof *i->begun, "a stream", err);
    i->entered = prvcut_zeroed(room, sizeof *i->entered, "a stream", err);
    i->stepper = prvcut_zeroed(room, sizeof *i->stepper, "a stream", err);
    i->over = prvcut_zeroed(room, sizeof *i->over, "a stream", err);
    i->reading = prvcut_zeroed(room, sizeof(struct otf_first *), "a stream", err);
    return i->begun && i->entered && i->stepper && i->over && i->reading ? PRVCUT_OK
                                                                         : PRVCUT_ENOMEM;
}

void otf_tally_fini(struct otf_tally *i)
{
    prvcut_table_fini(&i->channels);
    free(i->begun);
    free(i->entered);
    free(i->over);
    free(i->stepper);
    for (uint32_t n = 0; i->reading && n < i->stream->members; n++)
        free(i->reading[n]);
    free(i->reading);
}

/* --- Copies ------------------------------------------------------------------------------------
 */

static bool tal_copy_members(void *to, const void *from, size_t members, size_t size)
{
    void *at = prvcut_unset(members + 1, size, "a stream", NULL);

    if (at)
        memcpy(at, from, members * size);
    memcpy(to, &at, sizeof at);
    return at != NULL;
}

/* The follower has seen nothing but what comes before both windows. */
enum prvcut_status otf_tally_copy(struct otf_tally *to, const struct otf_tally *from,
                                  struct prvcut_error *err)
{
    const size_t members = from->stream->members;
    const struct otf_tally own = *to;
    bool good;

    *to = *from;
    to->cutter = own.cutter;
    to->pauses = own.pauses;
    to->first = own.first;
    to->stop = own.stop;
    good = prvcut_table_copy(&to->channels, &from->channels, NULL) == PRVCUT_OK;
    good &= tal_copy_members(&to->begun, from->begun, members, sizeof *to->begun);
    good &= tal_copy_members(&to->entered, from->entered, members, sizeof *to->entered);
    good &= tal_copy_members(&to->stepper, from->stepper, members, sizeof *to->stepper);
    good &= tal_copy_members(&to->over, from->over, members, sizeof *to->over);
    to->reading = prvcut_zeroed(members + 1, sizeof(struct otf_first *), "a stream", NULL);
    good &= to->reading != NULL;
    return good ? PRVCUT_OK : prvcut_no_memory(err, "a stream");
}

/* --- From where, and how far ------------------------------------------------------------------ */

/* The ticks between which the stream's windows lie; stop 0: it has none. */
void otf_tally_limits(struct otf_tally *i, bool to_end)
{
    const struct otf_cutter *c = i->cutter;

    i->first = UINT64_MAX;
    i->stop = 0;
    for (uint32_t n = 0; n < i->stream->members; n++) {
        const struct otf_span *span = &c->span[c->trace->process[i->stream->member[n]].thread];

        if (!otf_cut_takes(span))
            continue;
        i->first = span->from < i->first ? span->from : i->first;
        i->stop = span->to + 1 > i->stop ? span->to + 1 : i->stop;
    }
    if (to_end)
        i->stop = UINT64_MAX;
}

/* The collective that a process is in at a mark. */
static enum prvcut_status tal_take_open(const struct otf_cutter *c, struct otf_tally *i,
                                        uint32_t member, const struct otf_track *t,
                                        struct prvcut_error *err)
{
    struct prvcut_buffer text = { 0 };
    struct otf_record r = { 0 };
    struct otf_channel key, *k;
    enum prvcut_status st = otf_cut_read_record(i->stream, t->collective, &text, &r, err);

    prvcut_buffer_fini(&text);
    if (st < 0 || r.kind != OTF_COLLECTIVE_BEGIN ||
        !otf_channel_key(c->trace, t->process, &r, &key))
        return st;
    k = otf_channel_make(&i->channels, &key, err);
    if (!k)
        return PRVCUT_ENOMEM;
    i->begun[member] = (struct otf_begun){ .channel = tal_channel(i, k), .match = r.match };
    return PRVCUT_OK;
}

/* All that was counted before the last mark in front of the windows. */
enum prvcut_status otf_tally_start(struct otf_tally *i, uint64_t first, uint64_t *offset,
                                   struct prvcut_error *err)
{
    const struct otf_cutter *c = i->cutter;
    struct otf_stream *s = &c->trace->stream[i->stream - c->trace->stream];
    const struct otf_mark *m = s->counted ? otf_mark_before(s, first) : NULL;
    struct otf_walk w = { .trace = c->trace, .stream = s };
    enum prvcut_status st;

    if (!m)
        return PRVCUT_OK;
    for (size_t n = 0; n < m->channels; n++) {
        struct otf_channel *k =
            otf_channel_make(&i->channels, otf_channel_at(&s->channels, n), err);

        if (!k)
            return PRVCUT_ENOMEM;
        k->before[0] = m->count[2 * n];
        k->before[1] = m->count[2 * n + 1];
    }
    st = otf_walk_tracks(&w, err);
    if (st == PRVCUT_OK)
        st = otf_mark_enter(&w, first, offset, err);
    for (uint32_t n = 0; n < s->members && st == PRVCUT_OK; n++) {
        const struct otf_track *t = &w.track[n];

        i->stepper[n] = (struct otf_stepper){ t->tick, t->step, t->alive };
        if (t->collectives > 0)
            st = tal_take_open(c, i, n, t, err);
    }
    i->tick = m->tick;
    if (w.now && st == PRVCUT_OK)
        otf_tally_process(i, w.now->process);
    otf_walk_free_tracks(&w);
    return st;
}

/* Collectives that have not ended where the counting does. */
void otf_tally_end(struct otf_tally *i)
{
    const struct otf_cutter *c = i->cutter;

    for (uint32_t n = 0; n < i->stream->members; n++) {
        const struct otf_span *s = &c->span[c->trace->process[i->stream->member[n]].thread];
        const bool passed = i->entered[n] || otf_span_place(s, i->tick, 0) > 0;

        tal_settle(c, i, n, passed && otf_cut_takes(s), true);
    }
}

/* What the scan counted in all tells what comes behind the windows. */
enum prvcut_status otf_tally_totals(struct otf_tally *i, struct prvcut_error *err)
{
    for (size_t n = 0; n < i->stream->channels.count; n++) {
        const struct otf_channel *all = otf_channel_at(&i->stream->channels, n);
        struct otf_channel *k = otf_channel_make(&i->channels, all, err);

        if (!k)
            return PRVCUT_ENOMEM;
        for (unsigned e = 0; e < 2; e++)
            k->after[e] = all->inside[e] - k->before[e] - k->inside[e];
        k->over = true;
    }
    return PRVCUT_OK;
}
