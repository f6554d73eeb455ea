#include "model/view.h"
#include "base/memory.h"
#include "base/ordered.h"
#include "model/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void prvcut_view_fini(struct prvcut_view *v)
{
    for (uint32_t t = 0; v->thread && t < v->outline->objects->threads; t++)
        prvcut_stack_fini(&v->thread[t].open);
    free(v->thread);
    prvcut_pending_fini(&v->ends);
    prvcut_print_abandon(&v->out);
    free(v->path);
}

enum prvcut_status prvcut_view_open(struct prvcut_view *v, const char *path, bool force,
                                    struct prvcut_error *err)
{
    const uint32_t threads = v->outline->objects->threads;
    enum prvcut_status st;

    v->path = prvcut_copied_text(path, "threads", err);
    v->thread = prvcut_zeroed((size_t)threads + 1, sizeof *v->thread, "threads", err);
    if (!v->path || !v->thread)
        st = PRVCUT_ENOMEM;
    else
        st = prvcut_print_open(&v->out, path, force, err);
    if (st == PRVCUT_OK)
        prvcut_output_workers(v->out.output, prvcut_workers(v->outline->threads));
    if (st < 0)
        v->format->release(v);
    return st;
}

void prvcut_view_release_call(struct prvcut_view *v)
{
    if (!v->call.held)
        return;
    v->call.held = false;
    v->format->call(v, &v->call);
}

void prvcut_view_leave_all(struct prvcut_view *v, uint64_t time)
{
    for (uint32_t t = 0; t < v->outline->objects->threads; t++)
        for (size_t k = v->thread[t].open.count; k > 0; k--)
            v->format->leave(v, time, t);
}

static enum prvcut_status view_enter(struct prvcut_view *v, const struct prvcut_item *i,
                                     struct made_convert_summary *sum, struct prvcut_error *err)
{
    const struct prvcut_frame frame = {
        .begin = i->time, .value = i->event.value, .type = i->event.type, .role = i->role
    };
    const enum prvcut_status st = prvcut_stack_enter(&v->thread[i->thread].open, &frame, err);

    if (st == PRVCUT_END)
        sum->lost[PRVCUT_CARRY_REGIONS]++;
    if (st != PRVCUT_OK)
        return st < 0 ? st : PRVCUT_OK;
    prvcut_held_call_begin(&v->call, i);
    return PRVCUT_OK;
}

/* Viewers have one stack for a thread: what is inside a region that ends earlier is taken off and
   put back. */
static void view_leave(struct prvcut_view *v, const struct prvcut_item *i,
                       struct made_convert_summary *sum)
{
    struct prvcut_stack *open = &v->thread[i->thread].open;
    const bool followed = open->beyond == 0;
    size_t index;

    if (!prvcut_stack_leave(open, i->event.type, &index)) {
        sum->is.unpaired += followed;
        sum->is.unpaired_left_out += followed;
        return;
    }
    for (size_t k = index; k < open->count; k++)
        v->format->leave(v, i->time, i->thread);
    prvcut_stack_remove(open, index);
    for (size_t k = index; k < open->count; k++)
        v->format->resume(v, i->time, i->thread, &open->at[k]);
}

static enum prvcut_status view_put_event(struct prvcut_view *v, const struct prvcut_item *i,
                                         struct made_convert_summary *sum, struct prvcut_error *err)
{
    switch (prvcut_event_shape(v->outline->dictionary, (enum prvcut_role)i->role, i->event.type)) {
    case PRVCUT_SHAPE_REGION:
        if (i->event.value != 0)
            return view_enter(v, i, sum, err);
        view_leave(v, i, sum);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_NUMBER:
        v->format->number(v, i);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_SINGLE:
        v->format->single(v, i);
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

static enum prvcut_status view_put_item(struct prvcut_view *v, const struct prvcut_item *i,
                                        struct made_convert_summary *sum, struct prvcut_error *err)
{
    if (prvcut_held_call_take(&v->call, i))
        return PRVCUT_OK;
    prvcut_view_release_call(v);
    v->format->advance(v, i->time);
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        if (v->outline->dictionary->states > 0)
            return v->format->state(v, i, err);
        sum->lost[PRVCUT_CARRY_STATES]++;
        return PRVCUT_OK;
    case PRVCUT_ITEM_EVENT:
        return view_put_event(v, i, sum, err);
    case PRVCUT_ITEM_MESSAGE:
        return v->format->message(v, i, err);
    case PRVCUT_ITEM_SEND:
    case PRVCUT_ITEM_RECEIVE:
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_view_put(struct prvcut_writing *w, const struct prvcut_item *item,
                                   size_t count, struct made_convert_summary *sum,
                                   struct prvcut_error *err)
{
    struct prvcut_view *v = (struct prvcut_view *)w;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = view_put_item(v, &item[i], sum, err);
    return st < 0 ? st : prvcut_print_state(&v->out, err);
}

enum prvcut_status prvcut_view_commit(struct prvcut_writing *w, struct made_convert_summary *sum,
                                      struct prvcut_error *err)
{
    struct prvcut_view *v = (struct prvcut_view *)w;
    enum prvcut_status st;

    prvcut_view_release_call(v);
    v->format->advance(v, v->outline->end_ns);
    v->format->finish(v);
    st = prvcut_print_commit(&v->out, &sum->is.bytes, err);
    if (st == PRVCUT_OK) {
        st = prvcut_texts_take(&sum->is.file, &sum->is.files, v->path, err);
        v->path = NULL;
    }
    v->format->release(v);
    return st;
}

void prvcut_view_abandon(struct prvcut_writing *w)
{
    struct prvcut_view *v = (struct prvcut_view *)w;

    if (v)
        v->format->release(v);
}
