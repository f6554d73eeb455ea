#include "otf/cut.h"

#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>

/*
 * Which send belongs to which receive is known by their ordinals in the whole trace only. What
 * comes before the last mark in front of the windows, and what comes behind them, was counted by
 * the scan; else the streams are counted here from their begin, and once more to their end if
 * channels remain whose receives did not show.
 */
struct counting {
    struct otf_cutter *cutter;
    bool to_end;
    uint32_t next;
};

/* The collective that a process has begun last, until it ends. */
struct begun {
    size_t channel; /* its place + 1; 0: none */
    uint64_t match;
    bool inside; /* it began inside the window */
};

/* One stream on its way. */
struct item {
    const struct otf_stream *stream;
    struct prvcut_table channels;
    uint32_t process, thread; /* current one; thread OTF_NONE: none */
    unsigned place;           /* of the current time: 0 before, 1 inside, 2 after */
    uint64_t tick;
    struct otf_stepper *stepper; /* [members] */
    struct begun *begun;         /* [members] */
    bool *entered;               /* [members] a record was inside, or behind */
    bool *over;                  /* [members] a function was entered at the very end */
    uint32_t member;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static enum prvcut_status take(void *ctx, unsigned worker, void **out, struct prvcut_error *err)
{
    struct counting *c = ctx;
    struct item *i;

    (void)worker;
    if (c->next == c->cutter->trace->streams)
        return PRVCUT_END;
    i = prvcut_zeroed(1, sizeof *i, "a stream", err);
    if (!i)
        return PRVCUT_ENOMEM;
    i->stream = &c->cutter->trace->stream[c->next++];
    i->thread = OTF_NONE;
    i->channels = (struct prvcut_table)OTF_CHANNELS;
    *out = i;
    return PRVCUT_OK;
}

static unsigned place_of(const struct otf_cutter *c, const struct item *i)
{
    const struct otf_span *s = &c->span[i->thread];

    return otf_cut_takes(s) ? otf_span_place(s, i->tick, i->stepper[i->member].step) : 0;
}

static void count_process(const struct otf_cutter *c, struct item *i, uint64_t id)
{
    if (i->thread != OTF_NONE && i->process == id)
        return;
    i->member = otf_member_of(c->trace, i->stream, id);
    i->process = (uint32_t)id;
    i->thread =
        i->member != OTF_NONE ? c->trace->process[i->stream->member[i->member]].thread : OTF_NONE;
}

/* As `begun` keeps it. */
static size_t channel_place(const struct item *i, const struct otf_channel *k)
{
    return (size_t)(k - otf_channel_at(&i->channels, 0)) + 1;
}

static void add(struct otf_channel *k, unsigned end, unsigned place)
{
    uint64_t *const count[] = { k->before, k->inside, k->after };

    count[place][end]++;
}

/*
 * A collective ends, or the windows do: `passed` tells that the left border lies before that, `out`
 * that the right one does. What a border cuts through takes part inside if that border is at one
 * time for all; else its clipped time would lie before, or after, that of others that are whole.
 */
static void settle(const struct otf_cutter *c, struct item *i, uint32_t member, bool passed,
                   bool out)
{
    struct begun *b = &i->begun[member];
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

static enum prvcut_status count_record(const struct otf_cutter *c, struct item *i,
                                       const struct otf_record *r, struct prvcut_error *err)
{
    const unsigned end = r->kind == OTF_RECEIVE;
    struct otf_channel key, *k;

    if (i->thread == OTF_NONE)
        return PRVCUT_OK;
    i->place = place_of(c, i);
    if (r->kind == OTF_RECEIVE && otf_span_ends(&c->span[i->thread], i->tick) &&
        !i->over[i->member])
        i->place = 1;
    i->entered[i->member] = i->place > 0;
    if (r->kind == OTF_COLLECTIVE_END) {
        if (r->number == 0 || r->number == i->begun[i->member].match)
            settle(c, i, i->member, i->place > 0, i->place > 1);
        return PRVCUT_OK;
    }
    if (!otf_channel_key(c->trace, i->process, r, &key))
        return PRVCUT_OK;
    k = otf_channel_make(&i->channels, &key, err);
    if (!k)
        return PRVCUT_ENOMEM;
    add(k, end, i->place);
    if (r->kind == OTF_COLLECTIVE_BEGIN && i->place < 2)
        i->begun[i->member] = (struct begun){ .channel = channel_place(i, k),
                                              .match = r->match,
                                              .inside = i->place == 1 };
    return PRVCUT_OK;
}

static bool is_counted(enum otf_kind kind)
{
    return kind == OTF_SEND || kind == OTF_RECEIVE || kind == OTF_COLLECTIVE ||
           kind == OTF_COLLECTIVE_BEGIN || kind == OTF_COLLECTIVE_END;
}

static enum prvcut_status count_lines(const struct otf_cutter *c, struct item *i, const char *p,
                                      const char *end, uint64_t stop, struct prvcut_error *err)
{
    const uint64_t steps = otf_steps(c->trace);
    enum prvcut_status st = PRVCUT_OK;

    while (p < end && st == PRVCUT_OK) {
        struct otf_record r;

        p = otf_parse(p, &r);
        if (r.kind == OTF_TIME) {
            i->tick = r.number > i->tick ? r.number : i->tick;
            if (r.number >= stop)
                return PRVCUT_END;
        } else if (r.kind == OTF_PROCESS) {
            count_process(c, i, r.number);
        } else {
            if (i->thread != OTF_NONE && otf_is_record(r.kind))
                otf_step(&i->stepper[i->member], i->tick, steps);
            if (r.kind == OTF_ENTER && i->thread != OTF_NONE)
                i->over[i->member] |= otf_span_ends(&c->span[i->thread], i->tick);
            if (is_counted(r.kind))
                st = count_record(c, i, &r, err);
        }
    }
    return st;
}

/* The ticks between which the stream's windows lie; *stop 0: it has none. */
static void limits(const struct counting *c, const struct otf_stream *s, uint64_t *first,
                   uint64_t *stop)
{
    *first = UINT64_MAX;
    *stop = 0;
    for (uint32_t i = 0; i < s->members; i++) {
        const struct otf_span *span =
            &c->cutter->span[c->cutter->trace->process[s->member[i]].thread];

        if (!otf_cut_takes(span))
            continue;
        *first = least(*first, span->from);
        *stop = greatest(*stop, span->to + 1);
    }
    if (c->to_end)
        *stop = UINT64_MAX;
}

/* The collective that a process is in at a mark. */
static enum prvcut_status take_open(const struct otf_cutter *c, struct item *i, uint32_t member,
                                    const struct otf_track *t, struct prvcut_error *err)
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
    i->begun[member] = (struct begun){ .channel = channel_place(i, k), .match = r.match };
    return PRVCUT_OK;
}

/* All that was counted before the last mark in front of the windows. */
static enum prvcut_status start_at_mark(const struct otf_cutter *c, struct item *i, uint64_t first,
                                        uint64_t *offset, struct prvcut_error *err)
{
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
            st = take_open(c, i, n, t, err);
    }
    i->tick = m->tick;
    if (w.now && st == PRVCUT_OK)
        count_process(c, i, w.now->process);
    otf_walk_free_tracks(&w);
    return st;
}

/* Collectives that have not ended where the counting does. */
static void settle_all(const struct otf_cutter *c, struct item *i)
{
    for (uint32_t n = 0; n < i->stream->members; n++) {
        const struct otf_span *s = &c->span[c->trace->process[i->stream->member[n]].thread];
        const bool passed = i->entered[n] || otf_span_place(s, i->tick, 0) > 0;

        settle(c, i, n, passed && otf_cut_takes(s), true);
    }
}

static enum prvcut_status count_text(const struct counting *c, struct item *i, uint64_t first,
                                     uint64_t stop, struct prvcut_error *err)
{
    uint64_t offset = 0;
    struct otf_text x;
    bool over = false;
    enum prvcut_status st = start_at_mark(c->cutter, i, first, &offset, err);

    if (st < 0)
        return st;
    st = otf_text_open(&x, i->stream->path, i->stream->packed, offset, err);
    while (st == PRVCUT_OK) {
        const uint64_t taken = x.taken;
        const char *p, *end;

        st = otf_text_next_sound(&x, &p, &end, err);
        over = st == PRVCUT_END;
        if (st == PRVCUT_OK)
            st = count_lines(c->cutter, i, p, end, stop, err);
        if (st == PRVCUT_OK)
            st = otf_cut_pause(c->cutter, x.taken - taken, err);
    }
    otf_text_close(&x);
    settle_all(c->cutter, i);
    for (size_t n = 0; n < i->channels.count && over; n++)
        otf_channel_at(&i->channels, n)->over = true;
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* What the scan counted in all tells what comes behind the windows. */
static enum prvcut_status add_totals(struct item *i, struct prvcut_error *err)
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

static enum prvcut_status work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct counting *c = ctx;
    struct item *i = item;
    uint64_t first, stop;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    if (!i->stream->path)
        return PRVCUT_OK;
    limits(c, i->stream, &first, &stop);
    i->begun = calloc((size_t)i->stream->members + 1, sizeof *i->begun);
    i->entered = calloc((size_t)i->stream->members + 1, sizeof *i->entered);
    i->stepper = calloc((size_t)i->stream->members + 1, sizeof *i->stepper);
    i->over = calloc((size_t)i->stream->members + 1, sizeof *i->over);
    if (!i->begun || !i->entered || !i->stepper || !i->over)
        return prvcut_no_memory(err, "a stream");
    if (stop > 0)
        st = count_text(c, i, first, stop, err);
    return st == PRVCUT_OK && i->stream->counted ? add_totals(i, err) : st;
}

static enum prvcut_status join(void *ctx, void *item, enum prvcut_status failed,
                               struct prvcut_error *err)
{
    struct counting *c = ctx;
    const struct item *i = item;

    for (size_t n = 0; n < i->channels.count && failed >= 0; n++) {
        const struct otf_channel *from = otf_channel_at(&i->channels, n);
        struct otf_channel *to = otf_channel_make(&c->cutter->channels, from, err);

        if (!to)
            return PRVCUT_ENOMEM;
        for (unsigned e = 0; e < 2; e++) {
            to->before[e] += from->before[e];
            to->inside[e] += from->inside[e];
            to->after[e] += from->after[e];
        }
        to->over = to->over || from->over;
    }
    return failed;
}

static void drop(void *ctx, void *item)
{
    struct item *i = item;

    (void)ctx;
    prvcut_table_fini(&i->channels);
    free(i->begun);
    free(i->entered);
    free(i->over);
    free(i->stepper);
    free(i);
}

static enum prvcut_status count_streams(struct otf_cutter *c, bool to_end, struct prvcut_error *err)
{
    struct counting counting = { .cutter = c, .to_end = to_end };
    const struct prvcut_ordered o = {
        .ctx = &counting, .take = take, .work = work, .join = join, .drop = drop
    };

    prvcut_table_fini(&c->channels);
    return prvcut_ordered_run(&o, c->workers, err);
}

static uint64_t all(const struct otf_channel *k, unsigned end)
{
    return k->before[end] + k->inside[end] + k->after[end];
}

/* Is there one end inside, and none of the other kind anywhere so far? */
static bool one_sided(const struct otf_channel *k)
{
    return k->to != 0 &&
           ((k->inside[0] > 0 && all(k, 1) == 0) || (k->inside[1] > 0 && all(k, 0) == 0));
}

/* Which messages stay, and how many go. */
static void judge_channel(struct otf_cutter *c, struct otf_channel *k)
{
    const uint64_t first[] = { k->before[0], k->before[1] };
    const uint64_t end[] = { first[0] + k->inside[0], first[1] + k->inside[1] };
    uint64_t whole, halves;

    k->low = greatest(first[0], first[1]);
    k->high = greatest(k->low, least(end[0], end[1]));
    /* Where a trace records only one kind of end, that is all there is to keep. */
    if (one_sided(k)) {
        k->low = 0;
        k->high = UINT64_MAX;
        c->sum->messages += k->inside[0] + k->inside[1];
        return;
    }
    whole = k->high - k->low;
    halves = k->inside[0] + k->inside[1] - 2 * whole;
    c->sum->messages += whole;
    if (c->options->keep_messages) {
        c->sum->messages += halves;
        c->sum->kept_messages += halves;
    } else {
        c->sum->dropped_messages += halves;
    }
}

enum prvcut_status otf_cut_count(struct otf_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = count_streams(c, false, err);
    bool unclear = false, counted = true;

    if (st == PRVCUT_OK)
        st = otf_cut_judge_collectives(c, &unclear, err);
    for (size_t i = 0; i < c->channels.count && st == PRVCUT_OK; i++)
        unclear = unclear || one_sided(otf_channel_at(&c->channels, i));
    for (uint32_t i = 0; i < c->trace->streams; i++)
        counted = counted && c->trace->stream[i].counted;
    if (unclear && !counted && st == PRVCUT_OK) {
        st = count_streams(c, true, err);
        if (st == PRVCUT_OK)
            st = otf_cut_judge_collectives(c, &unclear, err);
    }
    for (size_t i = 0; i < c->channels.count && st == PRVCUT_OK; i++)
        if (otf_channel_at(&c->channels, i)->to != 0)
            judge_channel(c, otf_channel_at(&c->channels, i));
    return st;
}
