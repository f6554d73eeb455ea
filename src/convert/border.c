#include "convert/border.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/roles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum prvcut_status cnv_border_init(struct cnv_border *b, uint32_t threads, uint64_t length,
                                   struct prvcut_error *err)
{
    *b = (struct cnv_border){ .threads = threads, .length = length };
    b->thread = prvcut_zeroed((size_t)threads + 1, sizeof *b->thread, "threads", err);
    return b->thread ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void cnv_border_fini(struct cnv_border *b)
{
    for (uint32_t t = 0; b->thread && t < b->threads; t++) {
        prvcut_stack_fini(&b->thread[t].open);
        free(b->thread[t].counter);
    }
    free(b->thread);
    *b = (struct cnv_border){ 0 };
}

static enum prvcut_status border_follow(struct cnv_border_thread *t, const struct prvcut_item *e,
                                        struct prvcut_error *err)
{
    const struct prvcut_frame begun = {
        .begin = e->time, .value = e->event.value, .type = e->event.type, .role = e->role
    };
    struct prvcut_frame ended;
    enum prvcut_status st = PRVCUT_OK;

    if (begun.value == 0 || !prvcut_role_nests(e->role))
        prvcut_stack_pop(&t->open, begun.type, &ended);
    if (begun.value != 0)
        st = prvcut_stack_enter(&t->open, &begun, err);
    return st < 0 ? st : PRVCUT_OK;
}

enum prvcut_status cnv_border_before(struct cnv_border *b, const struct prvcut_item *e,
                                     struct prvcut_error *err)
{
    return border_follow(&b->thread[e->thread], e, err);
}

static enum prvcut_status border_put_event(uint32_t thread, uint64_t time,
                                           const struct prvcut_frame *o, int64_t value,
                                           const struct cnv_sink *sink, struct prvcut_error *err)
{
    const struct prvcut_item item = {
        .time = time,
        .thread = thread,
        .kind = PRVCUT_ITEM_EVENT,
        .role = (uint8_t)o->role,
        .head = true,
        .event = { .value = value, .type = o->type },
    };

    return sink->put(sink->ctx, &item, err);
}

enum prvcut_status cnv_border_reopen(struct cnv_border *b, uint32_t thread, uint64_t time,
                                     const struct cnv_sink *sink, struct prvcut_error *err)
{
    struct cnv_border_thread *t = &b->thread[thread];
    enum prvcut_status st = PRVCUT_OK;

    t->counters = 0;
    for (size_t i = 0; i < t->open.count && st == PRVCUT_OK; i++)
        st = border_put_event(thread, time, &t->open.at[i], t->open.at[i].value, sink, err);
    return st;
}

enum prvcut_status cnv_border_close(struct cnv_border *b, uint32_t thread, uint64_t time,
                                    const struct cnv_sink *sink, struct prvcut_error *err)
{
    const struct cnv_border_thread *t = &b->thread[thread];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = t->open.count; i-- > 0 && st == PRVCUT_OK;)
        st = border_put_event(thread, time, &t->open.at[i], 0, sink, err);
    return st;
}

enum prvcut_status cnv_border_begin(struct cnv_border *b, uint32_t thread,
                                    const struct cnv_sink *sink, struct prvcut_error *err)
{
    struct cnv_border_thread *t = &b->thread[thread];

    if (t->begun)
        return PRVCUT_OK;
    t->begun = true;
    return cnv_border_reopen(b, thread, 0, sink, err);
}

enum prvcut_status cnv_border_event(struct cnv_border *b, struct prvcut_item *e, bool from_start,
                                    struct prvcut_error *err)
{
    struct cnv_border_thread *t = &b->thread[e->thread];
    enum prvcut_status st;

    if (prvcut_role_is_region(e->role))
        return border_follow(t, e, err);
    if (from_start || !prvcut_role_is_counter(e->role))
        return PRVCUT_OK;
    for (size_t i = 0; i < t->counters; i++)
        if (t->counter[i] == e->event.type)
            return PRVCUT_OK;
    e->event.value = 0;
    st = prvcut_grow((void **)&t->counter, &t->counter_room, t->counters + 1, sizeof *t->counter,
                     err);
    if (st == PRVCUT_OK)
        t->counter[t->counters++] = e->event.type;
    return st;
}

enum prvcut_status cnv_border_end(struct cnv_border *b, uint32_t thread,
                                  const struct cnv_sink *sink, struct prvcut_error *err)
{
    const enum prvcut_status st = cnv_border_begin(b, thread, sink, err);

    return st == PRVCUT_OK ? cnv_border_close(b, thread, b->length, sink, err) : st;
}
