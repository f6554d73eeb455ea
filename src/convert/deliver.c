#include "base/memory.h"
#include "convert/border.h"
#include "convert/flow.h"
#include "convert/place.h"

#include <stdlib.h>
#include <string.h>

#define SMALLS 2048
#define LARGES 512
#define ITEMS  1024

/* Both streams of sorted records, and the items made of them. */
struct delivery {
    struct cnv_flow *flow;
    struct prvcut_writing *writing;
    struct cnv_border border;
    bool by_thread;
    uint32_t thread; /* by thread: the present one; PRVCUT_NOBODY before the first */
    struct cnv_small small[SMALLS];
    struct cnv_large large[LARGES];
    size_t next_small, smalls, next_large, larges;
    bool small_ended, large_ended;
    struct prvcut_item item[ITEMS], spare[ITEMS];
    size_t items;
    uint64_t taken, all; /* bytes of sorted records, for the progress */
};

static void count_item(struct prvcut_record_counts *c, const struct prvcut_item *i)
{
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        c->states++;
        break;
    case PRVCUT_ITEM_EVENT:
        if (cnv_role_is_region(i->role))
            c->regions += i->event.value != 0;
        else if (cnv_role_is_counter(i->role))
            c->counters++;
        else
            c->events++;
        break;
    case PRVCUT_ITEM_SEND:
        c->sends++;
        break;
    case PRVCUT_ITEM_RECEIVE:
        c->receives++;
        break;
    case PRVCUT_ITEM_MESSAGE:
        c->messages++;
        break;
    }
}

/* What an item has beside what every format can carry of its kind. */
static void count_extras(uint64_t *extra, const struct prvcut_item *i)
{
    if (i->kind == PRVCUT_ITEM_MESSAGE) {
        extra[PRVCUT_CARRY_TAGS]++;
        extra[PRVCUT_CARRY_PHYSICAL] += i->message.physical_send != i->time ||
                                        i->message.logical_receive != i->message.physical_receive;
    } else if (i->kind == PRVCUT_ITEM_SEND || i->kind == PRVCUT_ITEM_RECEIVE) {
        extra[PRVCUT_CARRY_TAGS]++;
        extra[PRVCUT_CARRY_PHYSICAL] += i->half.other != i->time;
    } else if (i->kind == PRVCUT_ITEM_EVENT) {
        extra[PRVCUT_CARRY_COLLECTIVES] += i->role == PRVCUT_ROLE_SIZE ||
                                           i->role == PRVCUT_ROLE_ROOT ||
                                           i->role == PRVCUT_ROLE_COMMUNICATOR;
    }
}

/* Told in bytes of the input, as far as its size is known. */
static void tell_progress(const struct delivery *d)
{
    const struct prvcut_run *run = d->flow->job->run;
    const uint64_t bytes = d->flow->job->trace->bytes;
    const double share = d->all > 0 ? (double)d->taken / (double)d->all : 1;

    if (run->progress && bytes > 0)
        run->progress(run->ctx, "writing", (uint64_t)(share * (double)bytes), bytes);
    else if (run->progress)
        run->progress(run->ctx, "writing", d->taken, d->all);
}

/* Hand over what is complete; what may go on at the same time of the same thread stays. */
static enum prvcut_status hand_over(struct delivery *d, bool last, struct prvcut_error *err)
{
    const struct prvcut_run *run = d->flow->job->run;
    enum prvcut_status st;
    size_t n = d->items;

    if (n == 0)
        return PRVCUT_OK;
    if (d->by_thread && !d->flow->job->writer->whole_messages)
        n = cnv_place_all(d->item, n, last, d->spare);
    if (d->flow->job->writer->wants_roots)
        cnv_roots_tell(&d->flow->roots, d->item, n);
    for (size_t i = 0; i < n; i++) {
        count_item(&d->flow->sum->written, &d->item[i]);
        count_extras(d->flow->extra, &d->item[i]);
    }
    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    tell_progress(d);
    st = d->flow->job->writer->put(d->writing, d->item, n, d->flow->sum, err);
    memmove(d->item, d->item + n, (d->items - n) * sizeof *d->item);
    d->items -= n;
    return st;
}

static enum prvcut_status flush(struct delivery *d, struct prvcut_error *err)
{
    return hand_over(d, false, err);
}

static enum prvcut_status put_item(void *ctx, const struct prvcut_item *item,
                                   struct prvcut_error *err)
{
    struct delivery *d = ctx;
    const enum prvcut_status st = d->items == ITEMS ? flush(d, err) : PRVCUT_OK;

    d->item[d->items++] = *item;
    return st;
}

static enum prvcut_status fill(struct delivery *d, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (d->next_small == d->smalls && !d->small_ended) {
        d->next_small = 0;
        st = prvcut_sorter_next(d->flow->small, d->small, SMALLS, &d->smalls, err);
        d->small_ended = st == PRVCUT_END;
        d->taken += d->smalls * sizeof *d->small;
    }
    if (st >= 0 && d->next_large == d->larges && !d->large_ended) {
        d->next_large = 0;
        st = prvcut_sorter_next(d->flow->large, d->large, LARGES, &d->larges, err);
        d->large_ended = st == PRVCUT_END;
        d->taken += d->larges * sizeof *d->large;
    }
    return st < 0 ? st : PRVCUT_OK;
}

/* Does the small record stand before the large one? */
static bool small_first(const struct delivery *d, const struct cnv_small *s,
                        const struct cnv_large *l)
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

static enum prvcut_status end_threads(struct delivery *d, uint32_t first, uint32_t end,
                                      struct prvcut_error *err)
{
    const struct cnv_sink sink = { d, put_item };
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t t = first; t < end && st == PRVCUT_OK; t++)
        st = cnv_border_end(&d->border, t, &sink, err);
    return st;
}

/* The next item lies inside the window: what was open at its start is begun first. */
static enum prvcut_status enter_window(struct delivery *d, uint32_t thread,
                                       struct prvcut_error *err)
{
    const struct cnv_sink sink = { d, put_item };
    enum prvcut_status st = PRVCUT_OK;

    if (d->by_thread)
        return cnv_border_begin(&d->border, thread, &sink, err);
    for (uint32_t t = 0; t < d->border.threads && !d->border.started && st == PRVCUT_OK; t++)
        st = cnv_border_begin(&d->border, t, &sink, err);
    d->border.started = true;
    return st;
}

/* By thread: what was open on the earlier threads has to be ended first. */
static enum prvcut_status change_thread(struct delivery *d, uint32_t thread,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (!d->by_thread || thread == d->thread)
        return PRVCUT_OK;
    st = end_threads(d, d->thread == PRVCUT_NOBODY ? 0 : d->thread, thread, err);
    d->thread = thread;
    return st;
}

static enum prvcut_status window_small(struct delivery *d, const struct cnv_small *s,
                                       struct prvcut_error *err)
{
    const uint64_t from = d->flow->from;
    struct prvcut_item item = { 0 };
    enum prvcut_status st = change_thread(d, s->thread, err);

    if (st < 0)
        return st;
    if (s->time < from)
        return cnv_border_before(&d->border, s, err);
    st = enter_window(d, s->thread, err);
    cnv_small_item(s, from, &item);
    if (st == PRVCUT_OK && item.kind == PRVCUT_ITEM_EVENT)
        st = cnv_border_event(&d->border, &item, from == 0, err);
    return st < 0 ? st : put_item(d, &item, err);
}

static enum prvcut_status put_large(struct delivery *d, const struct cnv_large *l,
                                    struct prvcut_error *err)
{
    const uint64_t from = d->flow->from;
    struct prvcut_item item = l->item;
    enum prvcut_status st = PRVCUT_OK;

    if (!d->flow->windowed)
        return put_item(d, &item, err);
    item.time -= from;
    if (item.kind == PRVCUT_ITEM_MESSAGE) {
        item.message.physical_send -= from;
        item.message.logical_receive -= from;
        item.message.physical_receive -= from;
    } else {
        item.half.other -= item.half.other < from ? item.half.other : from;
    }
    st = change_thread(d, item.thread, err);
    if (st == PRVCUT_OK)
        st = enter_window(d, item.thread, err);
    return st < 0 ? st : put_item(d, &item, err);
}

/* Small records up to the next large one; most of a trace goes through here. */
static enum prvcut_status put_smalls(struct delivery *d, struct prvcut_error *err)
{
    const struct cnv_large *l = d->next_large < d->larges ? &d->large[d->next_large] : NULL;
    enum prvcut_status st = PRVCUT_OK;

    while (d->next_small < d->smalls && st == PRVCUT_OK) {
        const struct cnv_small *s = &d->small[d->next_small];

        if (l && !small_first(d, s, l))
            break;
        d->next_small++;
        if (d->flow->windowed) {
            st = window_small(d, s, err);
            continue;
        }
        if (d->items == ITEMS)
            st = flush(d, err);
        cnv_small_item(s, 0, &d->item[d->items++]);
    }
    return st;
}

static enum prvcut_status pump(struct delivery *d, struct prvcut_error *err)
{
    enum prvcut_status st = fill(d, err);

    while (st == PRVCUT_OK && (d->next_small < d->smalls || d->next_large < d->larges)) {
        st = put_smalls(d, err);
        /* Out of small ones: more may stand before the large one. */
        if (st == PRVCUT_OK && d->next_small == d->smalls && !d->small_ended) {
            st = fill(d, err);
            continue;
        }
        if (st == PRVCUT_OK && d->next_large < d->larges)
            st = put_large(d, &d->large[d->next_large++], err);
        if (st == PRVCUT_OK)
            st = fill(d, err);
    }
    return st;
}

static enum prvcut_status finish(struct delivery *d, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (d->flow->windowed) {
        const uint32_t first = d->by_thread && d->thread != PRVCUT_NOBODY ? d->thread : 0;

        if (!d->by_thread)
            st = enter_window(d, 0, err);
        if (st == PRVCUT_OK)
            st = end_threads(d, first, d->border.threads, err);
    }
    return st < 0 ? st : hand_over(d, true, err);
}

enum prvcut_status cnv_deliver(struct cnv_flow *f, struct prvcut_writing *w,
                               struct prvcut_error *err)
{
    const struct prvcut_objects *o =
        f->selection.all ? &f->job->trace->objects : &f->selection.objects;
    struct delivery *d = prvcut_zeroed(1, sizeof *d, "the output", err);
    enum prvcut_status st = PRVCUT_OK;

    if (!d)
        return PRVCUT_ENOMEM;
    d->flow = f;
    d->writing = w;
    d->by_thread = f->job->writer->order == PRVCUT_BY_THREAD;
    d->thread = PRVCUT_NOBODY;
    if (f->windowed)
        st = cnv_border_init(&d->border, o->threads, cnv_flow_length(f), err);
    if (st == PRVCUT_OK)
        st = prvcut_sorter_finish(f->small, err);
    if (st == PRVCUT_OK)
        st = prvcut_sorter_finish(f->large, err);
    d->all = prvcut_sorter_count(f->small) * sizeof *d->small +
             prvcut_sorter_count(f->large) * sizeof *d->large;
    if (st == PRVCUT_OK)
        st = pump(d, err);
    if (st == PRVCUT_OK)
        st = finish(d, err);
    cnv_border_fini(&d->border);
    free(d);
    return st;
}
