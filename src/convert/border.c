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
        free(b->thread[t].pair);
        free(b->thread[t].counter);
    }
    free(b->thread);
    free(b->again);
    *b = (struct cnv_border){ 0 };
}

#define NO_LINE UINT64_MAX

/* line: of the pair, NO_LINE where it is not kept */
static enum prvcut_status border_follow(struct cnv_border_thread *t, const struct prvcut_item *e,
                                        uint64_t line, struct prvcut_error *err)
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
    if (begun.value != 0 && st == PRVCUT_OK)
        t->open.at[t->open.count - 1].note = line;
    return st < 0 ? st : PRVCUT_OK;
}

enum prvcut_status cnv_border_before(struct cnv_border *b, const struct prvcut_item *e,
                                     struct prvcut_error *err)
{
    return border_follow(&b->thread[e->thread], e, NO_LINE, err);
}

/* Where the line ends that stands there. */
static size_t border_line_end(const struct cnv_border_thread *t, size_t line)
{
    size_t end = line + 1;

    while (end < t->pairs && !t->pair[end].head)
        end++;
    return end;
}

/* Lines behind that of the innermost region began nothing, or what has ended. */
static void border_next_line(struct cnv_border_thread *t)
{
    const size_t open = t->open.count;

    t->pairs = open == 0 ? 0 : border_line_end(t, (size_t)t->open.at[open - 1].note);
    t->line = t->pairs;
    t->first = true;
}

enum prvcut_status cnv_border_keep(struct cnv_border *b, const struct prvcut_item *e,
                                   struct prvcut_error *err)
{
    struct cnv_border_thread *t = &b->thread[e->thread];
    enum prvcut_status st;

    if (e->head)
        border_next_line(t);
    st = prvcut_grow((void **)&t->pair, &t->pair_room, t->pairs + 1, sizeof *t->pair, err);
    if (st < 0)
        return st;
    t->pair[t->pairs++] =
        (struct cnv_border_pair){ e->event.value, e->event.type, e->role, t->first };
    t->first = false;
    return prvcut_role_is_region(e->role) ? border_follow(t, e, t->line, err) : PRVCUT_OK;
}

static struct prvcut_item border_event(uint32_t thread, uint64_t time, uint32_t type, int64_t value,
                                       uint32_t role)
{
    return (struct prvcut_item){
        .time = time,
        .thread = thread,
        .kind = PRVCUT_ITEM_EVENT,
        .role = (uint8_t)role,
        .head = true,
        .event = { .value = value, .type = type },
    };
}

static enum prvcut_status border_put_event(uint32_t thread, uint64_t time,
                                           const struct prvcut_frame *o, int64_t value,
                                           const struct cnv_sink *sink, struct prvcut_error *err)
{
    const struct prvcut_item item = border_event(thread, time, o->type, value, o->role);

    return sink->put(sink->ctx, &item, err);
}

/* The line that began some frames, without the regions of it that have ended: regions stand in it
   in the order in which they began. *count: how many pairs b->again has of it */
static enum prvcut_status border_line_again(struct cnv_border *b, uint32_t thread, uint64_t time,
                                            const struct prvcut_frame *frame, size_t frames,
                                            size_t *count, struct prvcut_error *err)
{
    const struct cnv_border_thread *t = &b->thread[thread];
    const size_t end = border_line_end(t, (size_t)frame->note);
    const enum prvcut_status st = prvcut_grow((void **)&b->again, &b->again_room,
                                              end - (size_t)frame->note, sizeof *b->again, err);

    *count = 0;
    for (size_t i = (size_t)frame->note; i < end && st == PRVCUT_OK; i++) {
        const struct cnv_border_pair *p = &t->pair[i];

        if (prvcut_role_is_region(p->role)) {
            if (frames == 0 || frame->type != p->type || frame->value != p->value)
                continue;
            frame++;
            frames--;
        }
        b->again[(*count)++] = border_event(thread, time, p->type, p->value, p->role);
    }
    return st;
}

static enum prvcut_status border_put_again(struct cnv_border *b, uint32_t thread, uint64_t time,
                                           const struct prvcut_frame *frame, size_t frames,
                                           const struct cnv_sink *sink, struct prvcut_error *err)
{
    size_t count;
    enum prvcut_status st = border_line_again(b, thread, time, frame, frames, &count, err);

    if (st == PRVCUT_OK && sink->again)
        count = sink->again(sink->ctx, b->again, count);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        b->again[i].head = i == 0;
        st = sink->put(sink->ctx, &b->again[i], err);
    }
    return st;
}

enum prvcut_status cnv_border_reopen(struct cnv_border *b, uint32_t thread, uint64_t time,
                                     const struct cnv_sink *sink, struct prvcut_error *err)
{
    struct cnv_border_thread *t = &b->thread[thread];
    const struct prvcut_stack *open = &t->open;
    enum prvcut_status st = PRVCUT_OK;

    t->counters = 0;
    for (size_t i = 0, n; i < open->count && st == PRVCUT_OK; i += n) {
        n = 1;
        if (open->at[i].note == NO_LINE) {
            st = border_put_event(thread, time, &open->at[i], open->at[i].value, sink, err);
            continue;
        }
        while (i + n < open->count && open->at[i + n].note == open->at[i].note)
            n++;
        st = border_put_again(b, thread, time, &open->at[i], n, sink, err);
    }
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
        return border_follow(t, e, NO_LINE, err);
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
