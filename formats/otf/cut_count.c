#include "otf/cut_tally.h"

#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>

/*
 * Which send belongs to which receive is known by their ordinals in the whole trace only. What
 * comes before the last mark in front of the windows, and what comes behind them, was counted by
 * the scan; else the streams are counted here from their begin, and once more to their end if
 * channels remain whose receives did not show.
 *
 * Several cuts are counted in one reading. What comes before their windows is the same for all: it
 * is counted once, for the one whose window begins last; the others begin as copies of that.
 */
struct counting {
    struct otf_cutter **cutter; /* [count] */
    size_t count;
    bool to_end;
    uint32_t next;
};

/* One stream on its way, for all. */
struct cnt_reading {
    const struct otf_stream *stream;
    struct otf_tally *item; /* [items] by cutter; owned */
    size_t items;
    struct otf_tally **order; /* [orders] those with a window, by its begin; owned */
    size_t orders;
    /* Those that are counted together: [from, to) of order, of which [from, began) have begun. The
       follower is the last one; of those that have begun, `on` are not through. */
    size_t from, to, began;
    struct otf_tally **on; /* [ons]; owned */
    size_t ons;
};

/* --- Who is counted for ----------------------------------------------------------------------- */

/* Windows that begin by then; the follower's begins last, and it is there from the start. */
static enum prvcut_status cnt_begin_until(struct cnt_reading *g, uint64_t tick,
                                          struct prvcut_error *err)
{
    struct otf_tally *follower = g->order[g->to - 1];
    enum prvcut_status st = PRVCUT_OK;

    for (; g->began + 1 < g->to && g->order[g->began]->first <= tick && st == PRVCUT_OK;
         g->began++) {
        st = otf_tally_copy(g->order[g->began], follower, err);
        g->on[g->ons++] = g->order[g->began];
    }
    return st;
}

/* END: nobody counts on. */
static enum prvcut_status cnt_time(struct cnt_reading *g, uint64_t tick, struct prvcut_error *err)
{
    const enum prvcut_status st = cnt_begin_until(g, tick, err);
    size_t kept = 0;

    for (size_t n = 0; n < g->ons; n++) {
        struct otf_tally *i = g->on[n];

        i->tick = tick > i->tick ? tick : i->tick;
        if (tick < i->stop)
            g->on[kept++] = i;
    }
    g->ons = kept;
    return st < 0 ? st : kept > 0 ? PRVCUT_OK : PRVCUT_END;
}

static enum prvcut_status cnt_record(struct cnt_reading *g, const struct otf_record *r,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (r->kind == OTF_TIME)
        return cnt_time(g, r->number, err);
    for (size_t n = 0; n < g->ons && st == PRVCUT_OK; n++) {
        if (r->kind == OTF_PROCESS)
            otf_tally_process(g->on[n], r->number);
        else
            st = otf_tally_other(g->on[n], r, err);
    }
    return st;
}

/* --- From where, and how far ------------------------------------------------------------------ */

static enum prvcut_status cnt_text(struct cnt_reading *g, struct prvcut_error *err)
{
    struct otf_tally *follower = g->order[g->to - 1];
    uint64_t offset = 0;
    struct otf_lines x;
    struct otf_record r;
    enum prvcut_status st = otf_tally_start(follower, g->order[g->from]->first, &offset, err);

    if (st < 0)
        return st;
    st = otf_lines_open(&x, g->stream->path, g->stream->packed, offset, err);
    x.pause = otf_cut_pause;
    x.pause_ctx = g->order[g->from]->pauses;
    while (st == PRVCUT_OK) {
        st = otf_lines_more(&x, err);
        while (st == PRVCUT_OK && otf_lines_next(&x, &r))
            st = cnt_record(g, &r, err);
    }
    otf_lines_close(&x);
    if (x.over)
        st = cnt_begin_until(g, UINT64_MAX, err);
    for (size_t n = 0; n < g->ons && x.over; n++)
        for (size_t k = 0; k < g->on[n]->channels.count; k++)
            otf_channel_at(&g->on[n]->channels, k)->over = true;
    for (size_t n = g->from; n < g->to && st >= 0; n++)
        otf_tally_end(g->order[n]);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* Of those that come next, as many as are best counted together: reading on from the window before
   leads there no later than starting again does. */
static void cnt_choose(struct cnt_reading *g)
{
    const struct otf_stream *s = g->stream;
    uint64_t stop = 0;

    g->from = g->began = g->to;
    for (; g->to < g->orders; g->to++) {
        const struct otf_tally *i = g->order[g->to];
        const struct otf_mark *m = s->counted ? otf_mark_before(s, i->first) : NULL;

        if (g->to > g->from && m && m->tick > stop)
            break;
        stop = i->stop > stop ? i->stop : stop;
    }
    g->on[0] = g->order[g->to - 1];
    g->ons = 1;
}

static enum prvcut_status cnt_take(void *ctx, unsigned worker, void **out, struct prvcut_error *err)
{
    struct counting *c = ctx;
    const struct otf_trace *t = (*c->cutter)->trace;
    struct cnt_reading *g;

    (void)worker;
    if (c->next == t->streams)
        return PRVCUT_END;
    g = prvcut_zeroed(1, sizeof *g, "a stream", err);
    if (!g)
        return PRVCUT_ENOMEM;
    g->stream = &t->stream[c->next++];
    g->items = c->count;
    *out = g;
    return PRVCUT_OK;
}

static int cnt_by_first(const void *a, const void *b)
{
    const struct otf_tally *const *x = a, *const *y = b;

    if ((*x)->first != (*y)->first)
        return (*x)->first < (*y)->first ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static enum prvcut_status cnt_init(struct cnt_reading *g, const struct counting *c,
                                   struct prvcut_error *err)
{
    g->item = prvcut_zeroed(c->count, sizeof *g->item, "a stream", err);
    g->order = prvcut_zeroed(c->count, sizeof(struct otf_tally *), "a stream", err);
    g->on = prvcut_zeroed(c->count, sizeof(struct otf_tally *), "a stream", err);
    if (!g->item || !g->order || !g->on)
        return PRVCUT_ENOMEM;
    for (size_t n = 0; n < c->count; n++) {
        struct otf_tally *i = &g->item[n];

        *i = (struct otf_tally){ .cutter = c->cutter[n],
                                 .pauses = c->cutter[n],
                                 .stream = g->stream,
                                 .thread = OTF_NONE,
                                 .channels = OTF_CHANNELS };
        otf_tally_limits(i, c->to_end);
        if (i->stop > 0)
            g->order[g->orders++] = i;
    }
    qsort(g->order, g->orders, sizeof(struct otf_tally *), cnt_by_first);
    return PRVCUT_OK;
}

static enum prvcut_status cnt_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct counting *c = ctx;
    struct cnt_reading *g = item;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    if (!g->stream->path)
        return PRVCUT_OK;
    st = cnt_init(g, c, err);
    while (st == PRVCUT_OK && g->to < g->orders) {
        cnt_choose(g);
        st = otf_tally_init(g->order[g->to - 1], err);
        if (st == PRVCUT_OK)
            st = cnt_text(g, err);
    }
    for (size_t n = 0; n < g->items && st == PRVCUT_OK && g->stream->counted; n++)
        st = otf_tally_totals(&g->item[n], err);
    return st;
}

/* Who is counted once more is told once more. */
static void cnt_join_first(struct otf_cutter *c, struct otf_tally *i)
{
    for (uint32_t n = 0; i->reading && n < i->stream->members; n++) {
        const uint32_t thread = c->trace->process[i->stream->member[n]].thread;

        free(c->first[thread]);
        c->first[thread] = i->reading[n];
        i->reading[n] = NULL;
    }
}

static enum prvcut_status cnt_join_one(struct otf_cutter *c, struct otf_tally *i,
                                       struct prvcut_error *err)
{
    cnt_join_first(c, i);
    for (size_t n = 0; n < i->channels.count; n++) {
        const struct otf_channel *from = otf_channel_at(&i->channels, n);
        struct otf_channel *to = otf_channel_make(&c->channels, from, err);

        if (!to)
            return PRVCUT_ENOMEM;
        for (unsigned e = 0; e < 2; e++) {
            to->before[e] += from->before[e];
            to->inside[e] += from->inside[e];
            to->after[e] += from->after[e];
        }
        to->over = to->over || from->over;
    }
    return PRVCUT_OK;
}

static enum prvcut_status cnt_join(void *ctx, void *item, enum prvcut_status failed,
                                   struct prvcut_error *err)
{
    struct counting *c = ctx;
    const struct cnt_reading *g = item;
    enum prvcut_status st = failed;

    for (size_t n = 0; g->item && n < g->items && st >= 0; n++)
        st = cnt_join_one(c->cutter[n], &g->item[n], err);
    return st;
}

static void cnt_drop(void *ctx, void *item)
{
    struct cnt_reading *g = item;

    (void)ctx;
    for (size_t n = 0; g->item && n < g->items; n++)
        otf_tally_fini(&g->item[n]);
    free(g->item);
    free(g->order);
    free(g->on);
    free(g);
}

static enum prvcut_status count_streams(struct otf_cutter **cutter, size_t count, bool to_end,
                                        struct prvcut_error *err)
{
    struct counting counting = { .cutter = cutter, .count = count, .to_end = to_end };
    const struct prvcut_ordered o = {
        .ctx = &counting, .take = cnt_take, .work = cnt_work, .join = cnt_join, .drop = cnt_drop
    };

    for (size_t i = 0; i < count; i++)
        prvcut_table_fini(&cutter[i]->channels);
    return prvcut_ordered_run(&o, (*cutter)->workers, err);
}

/* How many ends of each kind a channel has behind the window, whatever their length: where sizes do
   not tell messages apart after all, they may belong to those inside. */
static enum prvcut_status cnt_add_lengths(struct otf_cutter *c, struct prvcut_error *err)
{
    struct prvcut_table whole = OTF_CHANNELS;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned again = 0; again < 2; again++)
        for (size_t i = 0; i < c->channels.count && st == PRVCUT_OK; i++) {
            struct otf_channel *k = otf_channel_at(&c->channels, i), key = *k, *w;

            key.length = 0;
            w = otf_channel_make(&whole, &key, err);
            st = w ? PRVCUT_OK : PRVCUT_ENOMEM;
            for (unsigned e = 0; w && e < 2; e++)
                if (again)
                    k->behind[e] = w->after[e];
                else
                    w->after[e] += k->after[e];
        }
    prvcut_table_fini(&whole);
    return st;
}

/* How many ends inside do not stay; all: it was counted to the end of every stream. */
static uint64_t cnt_judge_channel(struct otf_channel *k, bool all)
{
    uint64_t halves = 0;

    for (unsigned e = 0; e < 2; e++) {
        const struct prvcut_taking other = { k->before[!e], k->inside[!e], all && !k->behind[!e] };
        const struct prvcut_taking own = { .before = k->before[e], .inside = k->inside[e] };

        k->whole[e] = prvcut_partners_inside(&other);
        halves += k->inside[e] - prvcut_whole_count(&k->whole[e], &own);
    }
    return halves;
}

/* *unclear: what is missing may come behind the window, or nowhere. */
static enum prvcut_status cnt_judge(struct otf_cutter *c, bool all, bool *unclear,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = otf_cut_judge_collectives(c, unclear, err);

    if (st == PRVCUT_OK)
        st = cnt_add_lengths(c, err);
    for (size_t i = 0; i < c->channels.count && st == PRVCUT_OK; i++) {
        struct otf_channel *k = otf_channel_at(&c->channels, i);

        if (k->to != 0 && cnt_judge_channel(k, all) > 0)
            *unclear = true;
    }
    return st;
}

/* A message is counted once; one whose other end is nowhere, by the end that there is. */
static void cnt_add(const struct otf_cutter *c, const struct otf_channel *k)
{
    const struct prvcut_taking send = { .before = k->before[0], .inside = k->inside[0] };
    const struct prvcut_taking receive = { .before = k->before[1], .inside = k->inside[1] };
    const uint64_t ends =
        prvcut_whole_count(&k->whole[0], &send) + prvcut_whole_count(&k->whole[1], &receive);
    const struct prvcut_whole sends = { send.before, send.before + send.inside };
    const uint64_t halves = send.inside + receive.inside - ends;

    c->sum->messages += ends - prvcut_whole_count(&sends, &receive);
    if (c->options->keep_messages) {
        c->sum->messages += halves;
        c->sum->kept_messages += halves;
    } else {
        c->sum->dropped_messages += halves;
    }
}

static bool cnt_has_totals(const struct otf_trace *t)
{
    bool counted = true;

    for (uint32_t i = 0; i < t->streams; i++)
        counted = counted && t->stream[i].counted;
    return counted;
}

static enum prvcut_status cnt_run(struct otf_cutter **cutter, size_t count,
                                  struct prvcut_error *err)
{
    const bool totals = cnt_has_totals((*cutter)->trace);
    enum prvcut_status st = count_streams(cutter, count, false, err);
    size_t again = 0;
    bool unclear;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        st = cnt_judge(cutter[i], totals, &unclear, err);
        if (unclear && !totals)
            cutter[again++] = cutter[i];
    }
    if (again > 0 && st == PRVCUT_OK)
        st = count_streams(cutter, again, true, err);
    for (size_t i = 0; i < again && st == PRVCUT_OK; i++)
        st = cnt_judge(cutter[i], true, &unclear, err);
    return st;
}

enum prvcut_status otf_cut_count(struct otf_cutter *row, size_t rows, struct prvcut_error *err)
{
    struct otf_cutter **cutter = prvcut_unset(rows, sizeof(struct otf_cutter *), "cuts", err);
    enum prvcut_status st;

    if (!cutter)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < rows; i++)
        cutter[i] = &row[i];
    st = cnt_run(cutter, rows, err);
    free(cutter);
    for (size_t k = 0; k < rows && st == PRVCUT_OK; k++)
        for (size_t i = 0; i < row[k].channels.count; i++)
            if (otf_channel_at(&row[k].channels, i)->to != 0)
                cnt_add(&row[k], otf_channel_at(&row[k].channels, i));
    return st;
}
