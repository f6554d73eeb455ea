#include "convert/outer.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/roles.h"

#include <stdlib.h>

static int out_compare(const void *a, const void *b)
{
    const struct cnv_outer_end *x = a, *y = b;

    if (x->time != y->time)
        return (x->time > y->time) - (x->time < y->time);
    return (x->thread > y->thread) - (x->thread < y->thread);
}

enum prvcut_status cnv_outer_init(struct cnv_outer *o, uint32_t threads,
                                  const struct prvcut_stream_clock *clock, struct prvcut_error *err)
{
    enum prvcut_status st;

    *o = (struct cnv_outer){ .threads = threads };
    o->open = prvcut_zeroed((size_t)threads + 1, sizeof *o->open, "threads", err);
    st = o->open ? cnv_border_init(&o->border, threads, 0, err) : PRVCUT_ENOMEM;
    if (st < 0 || !clock->last)
        return st;
    o->end = prvcut_zeroed((size_t)threads + 1, sizeof *o->end, "threads", err);
    if (!o->end)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++)
        o->end[i] = (struct cnv_outer_end){ clock->last(clock->ctx, i), i };
    qsort(o->end, threads, sizeof *o->end, out_compare);
    return PRVCUT_OK;
}

void cnv_outer_fini(struct cnv_outer *o)
{
    cnv_border_fini(&o->border);
    free(o->open);
    free(o->end);
    free(o->item);
    *o = (struct cnv_outer){ .threads = 0 };
}

static enum prvcut_status out_put(void *ctx, const struct prvcut_item *i, struct prvcut_error *err)
{
    struct cnv_outer *o = ctx;

    if (prvcut_grow((void **)&o->item, &o->room, o->items + 1, sizeof *o->item, err) < 0)
        return PRVCUT_ENOMEM;
    o->item[o->items++] = *i;
    return PRVCUT_OK;
}

/* Does an event go on? */
static bool out_goes(struct cnv_outer *o, const struct prvcut_item *i)
{
    const uint64_t bit = PRVCUT_ROLE_BIT(i->role);
    const uint32_t thread = i->thread & PRVCUT_THREADS_MAX;
    uint64_t *open = &o->open[thread];
    const bool begins = i->event.value != 0;
    bool goes = true;
    size_t at;

    if (bit & (PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH))) {
        goes = begins != ((*open & bit) != 0);
        *open = begins ? *open | bit : *open & ~bit;
    } else if (prvcut_role_is_region(i->role) && !begins) {
        const struct prvcut_stack *s = &o->border.thread[thread].open;

        goes = s->beyond > 0 || prvcut_stack_find(s, i->event.type, &at);
    }
    return goes;
}

static enum prvcut_status out_event(struct cnv_outer *o, struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    const bool goes = out_goes(o, i);
    enum prvcut_status st = PRVCUT_OK;

    /* The first pair that goes on begins the line. */
    if (i->head)
        o->headless = false;
    i->head = i->head || o->headless;
    o->headless = i->head && !goes;
    if (goes && o->end && prvcut_role_is_region(i->role))
        st = cnv_border_event(&o->border, i, true, err);
    return goes && st == PRVCUT_OK ? out_put(o, i, err) : st;
}

/* Threads that have ended before a time. */
static enum prvcut_status out_ends(struct cnv_outer *o, uint64_t time, struct prvcut_error *err)
{
    const struct cnv_sink sink = { o, out_put, NULL };
    enum prvcut_status st = PRVCUT_OK;

    for (; o->end && o->ended < o->threads && o->end[o->ended].time < time && st == PRVCUT_OK;
         o->ended++)
        st = cnv_border_close(&o->border, o->end[o->ended].thread, o->end[o->ended].time, &sink,
                              err);
    return st;
}

enum prvcut_status cnv_outer_items(struct cnv_outer *o, struct prvcut_item *item, size_t count,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    o->items = 0;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        st = out_ends(o, item[i].time, err);
        if (st == PRVCUT_OK)
            st = item[i].kind == PRVCUT_ITEM_EVENT ? out_event(o, &item[i], err)
                                                   : out_put(o, &item[i], err);
    }
    return st;
}

enum prvcut_status cnv_outer_rest(struct cnv_outer *o, struct prvcut_error *err)
{
    o->items = 0;
    return out_ends(o, UINT64_MAX, err);
}
