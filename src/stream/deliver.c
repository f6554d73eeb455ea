#include "stream/flow.h"
#include "stream/place.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SMALLS 2048
#define LARGES 512
#define ITEMS  1024

/* Both streams of sorted records, and the items made of them. */
struct delivery {
    struct prvcut_stream *stream;
    const struct prvcut_stream_sink *taker;
    bool by_thread;
    struct stm_small small[SMALLS];
    struct stm_large large[LARGES];
    size_t next_small, smalls, next_large, larges;
    bool small_ended, large_ended;
    struct prvcut_item item[ITEMS], spare[ITEMS];
    size_t items;
    uint64_t taken, all; /* bytes of sorted records, for the progress */
};

/* Told in bytes of the input, as far as its size is known. */
static void deliver_progress(const struct delivery *d)
{
    const struct prvcut_stream_plan *o = &d->stream->options;
    const struct prvcut_run *run = o->run;
    const enum prvcut_phase phase = o->phase ? o->phase : PRVCUT_PHASE_ANALYSING;
    const uint64_t bytes = o->trace->bytes;
    const double share = d->all > 0 ? (double)d->taken / (double)d->all : 1;

    if (run->progress && bytes > 0)
        run->progress(run->ctx, phase, (uint64_t)(share * (double)bytes), bytes);
    else if (run->progress)
        run->progress(run->ctx, phase, d->taken, d->all);
}

/* The last line may go on; one that fills all the room is handed over in parts. */
static size_t deliver_lines(const struct prvcut_item *item, size_t count)
{
    size_t n = count;

    while (n > 0 && item[n - 1].kind == PRVCUT_ITEM_EVENT && !item[n - 1].head)
        n--;
    if (n > 0 && item[n - 1].kind == PRVCUT_ITEM_EVENT)
        n--;
    return n > 0 ? n : count;
}

/* Hand over what is complete; what may go on at the same time of the same thread stays. */
static enum prvcut_status deliver_items(struct delivery *d, bool last, struct prvcut_error *err)
{
    const struct prvcut_run *run = d->stream->options.run;
    enum prvcut_status st;
    size_t n = d->items;

    if (n == 0)
        return PRVCUT_OK;
    if (d->by_thread && !d->stream->options.whole_messages)
        n = stm_place_all(d->item, n, last, d->spare);
    else if (!last)
        n = deliver_lines(d->item, n);
    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    deliver_progress(d);
    st = d->taker->records(d->taker->ctx, d->item, n, err);
    memmove(d->item, d->item + n, (d->items - n) * sizeof *d->item);
    d->items -= n;
    return st;
}

static enum prvcut_status deliver_fill(struct delivery *d, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (d->next_small == d->smalls && !d->small_ended) {
        d->next_small = 0;
        st = prvcut_sorter_next(d->stream->small, d->small, SMALLS, &d->smalls, err);
        d->small_ended = st == PRVCUT_END;
        d->taken += d->smalls * sizeof *d->small;
    }
    if (st >= 0 && d->next_large == d->larges && !d->large_ended) {
        d->next_large = 0;
        st = prvcut_sorter_next(d->stream->large, d->large, LARGES, &d->larges, err);
        d->large_ended = st == PRVCUT_END;
        d->taken += d->larges * sizeof *d->large;
    }
    return st < 0 ? st : PRVCUT_OK;
}

/* Does the small record stand before the large one? */
static bool deliver_small_first(const struct delivery *d, const struct stm_small *s,
                                const struct stm_large *l)
{
    const uint64_t small[3] = { d->by_thread ? s->thread : s->time,
                                d->by_thread ? s->time : s->thread, s->order };
    const uint64_t large[3] = { d->by_thread ? l->item.thread : l->item.time,
                                d->by_thread ? l->item.time : l->item.thread, l->order };

    for (unsigned i = 0; i < 2; i++)
        if (small[i] != large[i])
            return small[i] < large[i];
    return small[2] < large[2];
}

/* Small records up to the next large one; most of a trace goes through here. */
static enum prvcut_status deliver_smalls(struct delivery *d, struct prvcut_error *err)
{
    const struct stm_large *l = d->next_large < d->larges ? &d->large[d->next_large] : NULL;
    enum prvcut_status st = PRVCUT_OK;

    while (d->next_small < d->smalls && st == PRVCUT_OK) {
        const struct stm_small *s = &d->small[d->next_small];

        if (l && !deliver_small_first(d, s, l))
            break;
        d->next_small++;
        if (d->items == ITEMS)
            st = deliver_items(d, false, err);
        stm_small_item(s, &d->item[d->items++]);
    }
    return st;
}

static enum prvcut_status deliver_large(struct delivery *d, struct prvcut_error *err)
{
    const enum prvcut_status st = d->items == ITEMS ? deliver_items(d, false, err) : PRVCUT_OK;

    d->item[d->items++] = d->large[d->next_large++].item;
    return st;
}

static enum prvcut_status deliver_all(struct delivery *d, struct prvcut_error *err)
{
    enum prvcut_status st = deliver_fill(d, err);

    while (st == PRVCUT_OK && (d->next_small < d->smalls || d->next_large < d->larges)) {
        st = deliver_smalls(d, err);
        /* Out of small ones: more may stand before the large one. */
        if (st == PRVCUT_OK && d->next_small == d->smalls && !d->small_ended) {
            st = deliver_fill(d, err);
            continue;
        }
        if (st == PRVCUT_OK && d->next_large < d->larges)
            st = deliver_large(d, err);
        if (st == PRVCUT_OK)
            st = deliver_fill(d, err);
    }
    return st < 0 ? st : deliver_items(d, true, err);
}

enum prvcut_status prvcut_stream_deliver(struct prvcut_stream *s,
                                         const struct prvcut_stream_sink *taker,
                                         struct prvcut_error *err)
{
    struct delivery *d = prvcut_zeroed(1, sizeof *d, "records", err);
    enum prvcut_status st;

    if (!d)
        return PRVCUT_ENOMEM;
    d->stream = s;
    d->taker = taker;
    d->by_thread = s->options.by_thread;
    st = prvcut_sorter_finish(s->small, err);
    if (st == PRVCUT_OK)
        st = prvcut_sorter_finish(s->large, err);
    d->all = prvcut_sorter_count(s->small) * sizeof *d->small +
             prvcut_sorter_count(s->large) * sizeof *d->large;
    if (st == PRVCUT_OK)
        st = deliver_all(d, err);
    free(d);
    return st;
}
