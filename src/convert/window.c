#include "convert/window.h"

#include "base/buffer.h"
#include "match/crossing.h"
#include "model/roles.h"

#include <stdlib.h>

static enum prvcut_status window_put(void *ctx, const struct prvcut_item *item,
                                     struct prvcut_error *err)
{
    struct cnv_window *w = ctx;
    const enum prvcut_status st =
        prvcut_grow((void **)&w->item, &w->room, w->items + 1, sizeof *w->item, err);

    if (st == PRVCUT_OK)
        w->item[w->items++] = *item;
    return st;
}

/* Leave out what tells of these collectives; returns how many are left. */
static size_t window_strip(struct cnv_window *w, struct prvcut_item *line, size_t count,
                           uint32_t split)
{
    uint32_t begins = 0;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        begins += cnv_split_begins(&line[i]);
        if (prvcut_role_tells_collective(line[i].role) &&
            (split & cnv_split_bit(begins > 0 ? begins - 1 : 0)) != 0)
            w->flow->sum->lost[PRVCUT_CARRY_COLLECTIVES]++;
        else
            line[kept++] = line[i];
    }
    return kept;
}

/* A line that is begun again at the start. */
static size_t window_again(void *ctx, struct prvcut_item *line, size_t count)
{
    struct cnv_window *w = ctx;
    struct cnv_flow *f = w->flow;

    if (cnv_split_has_open(&f->split, line, count))
        return window_strip(w, line, count, UINT32_MAX);
    if (f->job->writer->wants_roots)
        cnv_roots_tell_again(&f->roots, line, count);
    return count;
}

static enum prvcut_status window_end_threads(struct cnv_window *w, uint32_t first, uint32_t end,
                                             struct prvcut_error *err)
{
    const struct cnv_sink sink = { w, window_put, window_again };
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t t = first; t < end && st == PRVCUT_OK; t++)
        st = cnv_border_end(&w->border, t, &sink, err);
    return st;
}

/* The next item lies inside the window: what was open at its start is begun first. */
static enum prvcut_status window_enter(struct cnv_window *w, uint32_t thread,
                                       struct prvcut_error *err)
{
    const struct cnv_sink sink = { w, window_put, window_again };
    enum prvcut_status st = PRVCUT_OK;

    if (w->by_thread)
        return cnv_border_begin(&w->border, thread, &sink, err);
    for (uint32_t t = 0; t < w->border.threads && !w->border.started && st == PRVCUT_OK; t++)
        st = cnv_border_begin(&w->border, t, &sink, err);
    w->border.started = true;
    return st;
}

/* By thread: what was open on the earlier threads has to be ended first. */
static enum prvcut_status window_change_thread(struct cnv_window *w, uint32_t thread,
                                               struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (!w->by_thread || thread == w->thread)
        return PRVCUT_OK;
    st = window_end_threads(w, w->thread == PRVCUT_NOBODY ? 0 : w->thread, thread, err);
    w->thread = thread;
    return st;
}

static uint64_t window_time(uint64_t time, struct prvcut_span window)
{
    return prvcut_into(time, window) - window.start;
}

/* The same record in the time of the window. */
static void window_shift(struct prvcut_item *item, struct prvcut_span window)
{
    const uint64_t from = window.start;

    item->time -= from;
    switch ((enum prvcut_item_kind)item->kind) {
    case PRVCUT_ITEM_STATE:
        item->state.end -= from;
        break;
    case PRVCUT_ITEM_EVENT:
        break;
    case PRVCUT_ITEM_SEND:
    case PRVCUT_ITEM_RECEIVE:
        item->half.other = window_time(item->half.other, window);
        break;
    case PRVCUT_ITEM_MESSAGE:
        item->message.physical_send = window_time(item->message.physical_send, window);
        item->message.logical_receive = window_time(item->message.logical_receive, window);
        item->message.physical_receive = window_time(item->message.physical_receive, window);
        break;
    }
}

static enum prvcut_status window_record(struct cnv_window *w, struct prvcut_item *item,
                                        struct prvcut_error *err)
{
    const uint64_t from = w->flow->from;
    enum prvcut_status st = window_change_thread(w, item->thread, err);

    if (st < 0)
        return st;
    if (item->time < from)
        return item->kind == PRVCUT_ITEM_EVENT ? cnv_border_keep(&w->border, item, err) : PRVCUT_OK;
    st = window_enter(w, item->thread, err);
    window_shift(item, (struct prvcut_span){ from, from + w->border.length });
    if (st == PRVCUT_OK && item->kind == PRVCUT_ITEM_EVENT)
        st = cnv_border_event(&w->border, item, from == 0, err);
    return st < 0 ? st : window_put(w, item, err);
}

static enum prvcut_status window_flush(struct cnv_window *w, struct prvcut_error *err)
{
    const size_t count = w->items;

    w->items = 0;
    return count > 0 ? cnv_put(w->flow, w->item, count, err) : PRVCUT_OK;
}

/* A line of events, or another record. */
static enum prvcut_status window_line(struct cnv_window *w, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    const uint32_t split = item->kind == PRVCUT_ITEM_EVENT && item->time >= w->flow->from
                               ? cnv_split_of(&w->flow->split, item, count)
                               : 0;
    const bool head = item->head;
    enum prvcut_status st = PRVCUT_OK;

    /* Those that are split are counted. */
    if (item->kind == PRVCUT_ITEM_EVENT && item->time >= w->flow->from &&
        w->flow->job->writer->wants_roots)
        cnv_roots_tell(&w->flow->roots, item, count);
    if (split != 0)
        count = window_strip(w, item, count, split);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        if (split != 0)
            item[i].head = head && i == 0;
        st = window_record(w, &item[i], err);
    }
    return st;
}

/* How many items of these are one line. */
static size_t window_line_of(const struct prvcut_item *item, size_t count)
{
    size_t n = 1;

    while (n < count && item->kind == PRVCUT_ITEM_EVENT && item[n].kind == PRVCUT_ITEM_EVENT &&
           !item[n].head && item[n].thread == item->thread)
        n++;
    return n;
}

enum prvcut_status cnv_window_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct cnv_window *w = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0, n; i < count && st == PRVCUT_OK; i += n) {
        n = window_line_of(&item[i], count - i);
        st = window_line(w, &item[i], n, err);
    }
    return st < 0 ? st : window_flush(w, err);
}

enum prvcut_status cnv_window_end(struct cnv_window *w, struct prvcut_error *err)
{
    const uint32_t first = w->by_thread && w->thread != PRVCUT_NOBODY ? w->thread : 0;
    enum prvcut_status st = w->by_thread ? PRVCUT_OK : window_enter(w, 0, err);

    if (st == PRVCUT_OK)
        st = window_end_threads(w, first, w->border.threads, err);
    return st < 0 ? st : window_flush(w, err);
}

enum prvcut_status cnv_window_init(struct cnv_window *w, struct cnv_flow *f,
                                   struct prvcut_error *err)
{
    const struct prvcut_objects *o =
        f->selection.all ? &f->job->trace->objects : &f->selection.objects;

    *w = (struct cnv_window){ .flow = f,
                              .by_thread = f->job->writer->order == PRVCUT_BY_THREAD,
                              .thread = PRVCUT_NOBODY };
    return cnv_border_init(&w->border, o->threads, prvcut_stream_length(f->stream), err);
}

void cnv_window_fini(struct cnv_window *w)
{
    cnv_border_fini(&w->border);
    free(w->item);
}
