#include "perfetto/perfetto.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/calls.h"
#include "model/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What ends: kinds of struct prvcut_pending_end. At one time receives go first: they belong to the
   region that ends then. */
enum { END_FLOW, END_STATE };
#define END_NUMBER(kind, number) ((uint64_t)(kind) << 63 | (number))

/* --- Calls and functions ------------------------------------------------------------------- */

static void writer_pfto_begin_call(struct prvcut_view *view, const struct prvcut_held_call *c)
{
    perfetto_calls_begin((struct perfetto_writing *)view, c);
}

static void writer_pfto_resume_call(struct prvcut_view *view, uint64_t time, uint32_t thread,
                                    const struct prvcut_frame *region)
{
    const struct prvcut_held_call again = { .time = time,
                                            .value = region->value,
                                            .sent = PRVCUT_UNTOLD,
                                            .received = PRVCUT_UNTOLD,
                                            .communicator = PRVCUT_UNTOLD,
                                            .root = PRVCUT_UNTOLD,
                                            .thread = thread,
                                            .type = region->type };

    perfetto_calls_begin((struct perfetto_writing *)view, &again);
}

static void writer_pfto_leave_call(struct prvcut_view *view, uint64_t time, uint32_t thread)
{
    perfetto_calls_leave((struct perfetto_writing *)view, time, thread);
}

/* --- Counters and single events ------------------------------------------------------------ */

static void writer_put_number(struct prvcut_view *view, const struct prvcut_item *i)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;
    const struct prvcut_objects *o = w->view.outline->objects;
    const uint32_t task = o->thread_task[i->thread];
    const char *text;
    char number[64], name[64], of[600];

    text = prvcut_type_text(number, sizeof number, w->view.outline->dictionary, i->event.type);
    /* A counter belongs to a process: where that has several threads, each needs a name. */
    if (o->task_first_thread[task + 1] - o->task_first_thread[task] > 1) {
        snprintf(of, sizeof of, "%.400s (%.150s)", text,
                 perfetto_thread_text(name, sizeof name, w->view.outline, i->thread));
        text = of;
    }
    perfetto_print_at(w, "C", i->thread, false, i->time);
    perfetto_print_name(w, text, "counter");
    prvcut_print_text(&w->view.out, ",\"args\":{\"value\":");
    prvcut_print_i64(&w->view.out, i->event.value);
    prvcut_print_text(&w->view.out, "}}");
}

static void writer_pfto_put_single(struct prvcut_view *view, const struct prvcut_item *i)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;
    const struct prvcut_type_name *t =
        prvcut_dictionary_type(w->view.outline->dictionary, i->event.type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, i->event.value) : NULL;
    char text[64];

    if (perfetto_calls_take(w, i))
        return;
    perfetto_print_at(w, "i", i->thread, false, i->time);
    prvcut_print_text(&w->view.out, ",\"s\":\"t\"");
    perfetto_print_name(
        w, prvcut_type_text(text, sizeof text, w->view.outline->dictionary, i->event.type),
        "event");
    prvcut_print_text(&w->view.out, ",\"args\":{\"value\":");
    prvcut_print_i64(&w->view.out, i->event.value);
    if (v && v->text && *v->text) {
        prvcut_print_text(&w->view.out, ",\"text\":");
        perfetto_print_string(&w->view.out, v->text);
    }
    prvcut_print_text(&w->view.out, "}}");
}

/* --- States -------------------------------------------------------------------------------- */

static void writer_end_state(struct perfetto_writing *w, uint64_t time, uint32_t thread)
{
    struct perfetto_thread *t = &w->thread[thread];
    char text[64];

    perfetto_slice_end(&t->states, &t->slice, time);
    perfetto_print_slice(w, thread, true, &t->slice);
    perfetto_print_name(
        w, prvcut_state_number_text(text, sizeof text, w->view.outline->dictionary, t->state),
        "state");
    prvcut_print_text(&w->view.out, "}");
    w->view.thread[thread].in_state = false;
}

static enum prvcut_status writer_pfto_put_state(struct prvcut_view *view,
                                                const struct prvcut_item *i,
                                                struct prvcut_error *err)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;
    struct prvcut_view_thread *t = &w->view.thread[i->thread];
    const struct prvcut_pending_end end = {
        .time = i->state.end > i->time ? i->state.end : i->time,
        .number = END_NUMBER(END_STATE, w->view.states),
        .detail = w->view.states,
        .thread = i->thread,
        .kind = END_STATE,
    };
    struct perfetto_thread *its = &w->thread[i->thread];

    if (t->in_state)
        writer_end_state(w, i->time, i->thread);
    if (its->states.first == UINT64_MAX)
        perfetto_describe_thread(w, i->thread, true);
    perfetto_slice_begin(&its->states, &its->slice, i->time);
    its->state = i->state.number;
    t->state = w->view.states++;
    t->in_state = true;
    return prvcut_pending_add(&w->view.ends, &end, err);
}

/* --- Messages ------------------------------------------------------------------------------ */

/* A free place for a message under way. */
static enum prvcut_status writer_place_of(struct perfetto_writing *w, size_t *place,
                                          struct prvcut_error *err)
{
    void *at = w->flow;
    enum prvcut_status st;

    if (w->vacants > 0) {
        *place = (size_t)w->vacant[--w->vacants];
        return PRVCUT_OK;
    }
    st = prvcut_grow(&at, &w->flow_room, w->flows + 1, sizeof *w->flow, err);
    w->flow = at;
    at = w->vacant;
    if (st == PRVCUT_OK)
        st = prvcut_grow(&at, &w->vacant_room, w->flows + 1, sizeof *w->vacant, err);
    w->vacant = at;
    if (st == PRVCUT_OK)
        *place = w->flows++;
    return st;
}

static enum prvcut_status writer_pfto_put_message(struct prvcut_view *view,
                                                  const struct prvcut_item *i,
                                                  struct prvcut_error *err)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;
    const uint64_t received = i->message.physical_receive;
    struct prvcut_pending_end end = {
        /* An arrow does not point back. */
        .time = received > i->time ? received : i->time,
        .number = END_NUMBER(END_FLOW, w->messages),
        .thread = i->message.receiver,
        .kind = END_FLOW,
    };
    void *at = w->sending;
    size_t place = 0;
    enum prvcut_status st = writer_place_of(w, &place, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow(&at, &w->sending_room, w->sendings + 1, sizeof *w->sending, err);
    w->sending = at;
    if (st < 0)
        return st;
    w->flow[place] = (struct perfetto_flow){ .number = w->messages++,
                                             .size = i->message.size,
                                             .tag = i->message.tag,
                                             .sender = i->thread,
                                             .receiver = i->message.receiver,
                                             .communicator = i->message.communicator };
    w->sending[w->sendings++] = place;
    end.detail = place;
    return prvcut_pending_add(&w->view.ends, &end, err);
}

/* An end of a message's arrow, but for its last brace; it is tied to what its track is in. */
static void writer_print_flow(struct perfetto_writing *w, const char *kind, uint32_t thread,
                              uint64_t time, const struct perfetto_flow *f)
{
    const struct prvcut_view_thread *t = &w->view.thread[thread];

    perfetto_print_at(w, kind, thread, t->open.count == 0 && t->in_state, time);
    prvcut_print_text(&w->view.out, ",\"id\":");
    prvcut_print_u64(&w->view.out, f->number);
    perfetto_print_name(w, "message", "message");
}

/* What is known of a message is told once. */
static void writer_print_sent(struct perfetto_writing *w, const struct perfetto_flow *f)
{
    const char *between = ",\"args\":{";

    writer_print_flow(w, "s", f->sender, w->now, f);
    perfetto_print_arg(w, &between, "size", (int64_t)f->size);
    perfetto_print_arg(w, &between, "tag", f->tag);
    if (f->communicator != PRVCUT_NOBODY)
        perfetto_print_arg(w, &between, "communicator", f->communicator);
    prvcut_print_text(&w->view.out, "}}");
}

/* Sends are written behind all else of their time, so that the call that sends has begun. */
static void writer_release_sends(struct perfetto_writing *w)
{
    for (size_t i = 0; i < w->sendings; i++) {
        const struct perfetto_flow *f = &w->flow[w->sending[i]];
        struct perfetto_tally *t = &w->thread[f->sender].tally;

        writer_print_sent(w, f);
        t->sent++;
        t->sent_bytes += f->size;
        t->tag = f->tag;
        t->peer = f->receiver;
    }
    w->sendings = 0;
}

static void writer_pfto_put_end(struct perfetto_writing *w, const struct prvcut_pending_end *end)
{
    struct prvcut_view_thread *t = &w->view.thread[end->thread];
    struct perfetto_tally *tally = &w->thread[end->thread].tally;

    if (end->kind == END_STATE) {
        /* Unless a later state has taken its place. */
        if (t->in_state && t->state == end->detail)
            writer_end_state(w, end->time, end->thread);
        return;
    }
    writer_print_flow(w, "f", end->thread, end->time, &w->flow[end->detail]);
    prvcut_print_text(&w->view.out, ",\"bp\":\"e\"}");
    tally->received++;
    tally->received_bytes += w->flow[end->detail].size;
    tally->tag = w->flow[end->detail].tag;
    tally->peer = w->flow[end->detail].sender;
    /* There is room: `vacant` grows with `flow`. */
    w->vacant[w->vacants++] = end->detail;
}

/* Write what ends before `time`, and what is received then; a state may be taken over. */
static void writer_pfto_advance(struct prvcut_view *view, uint64_t time)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;
    const struct prvcut_pending_end *first;

    if (time == w->now)
        return;
    writer_release_sends(w);
    for (first = prvcut_pending_first(&w->view.ends);
         first && (first->time < time || (first->time == time && first->kind == END_FLOW));
         first = prvcut_pending_first(&w->view.ends)) {
        const struct prvcut_pending_end end = prvcut_pending_take(&w->view.ends);

        writer_pfto_put_end(w, &end);
    }
    w->now = time;
}

/* --- The writer ---------------------------------------------------------------------------- */

static void writer_pfto_finish(struct prvcut_view *view)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;

    writer_release_sends(w);
    /* Sent at the very end, and received then. */
    while (prvcut_pending_first(&view->ends) &&
           prvcut_pending_first(&view->ends)->kind == END_FLOW) {
        const struct prvcut_pending_end last = prvcut_pending_take(&view->ends);

        writer_pfto_put_end(w, &last);
    }
    prvcut_view_leave_all(view, view->outline->end_ns);
    while (prvcut_pending_first(&view->ends)) {
        const struct prvcut_pending_end last = prvcut_pending_take(&view->ends);

        writer_pfto_put_end(w, &last);
    }
    perfetto_write_tail(w);
}

static void writer_pfto_release(struct prvcut_view *view)
{
    struct perfetto_writing *w = (struct perfetto_writing *)view;

    for (uint32_t t = 0; t < view->outline->objects->threads; t++) {
        free(w->thread[t].frame);
        free(w->thread[t].caller);
    }
    free(w->thread);
    free(w->flow);
    free(w->vacant);
    free(w->sending);
    prvcut_view_fini(view);
    free(w);
}

static const struct prvcut_view_format format = {
    .advance = writer_pfto_advance,
    .call = writer_pfto_begin_call,
    .resume = writer_pfto_resume_call,
    .leave = writer_pfto_leave_call,
    .number = writer_put_number,
    .single = writer_pfto_put_single,
    .state = writer_pfto_put_state,
    .message = writer_pfto_put_message,
    .finish = writer_pfto_finish,
    .release = writer_pfto_release,
};

static enum prvcut_status writer_pfto_open(struct prvcut_writing **out, const char *path,
                                           const struct prvcut_outline *outline,
                                           const struct prvcut_convert_options *options,
                                           struct prvcut_error *err)
{
    struct perfetto_writing *w = prvcut_zeroed(1, sizeof *w, "a conversion", NULL);
    struct perfetto_thread *thread =
        prvcut_zeroed((size_t)outline->objects->threads + 1, sizeof *thread, "threads", NULL);
    enum prvcut_status st;

    *out = NULL;
    if (!w || !thread) {
        free(w);
        free(thread);
        return prvcut_no_memory(err, "an output");
    }
    w->view = (struct prvcut_view){ .base.writer = &prvcut_perfetto_writer,
                                    .format = &format,
                                    .outline = outline };
    w->thread = thread;
    for (uint32_t t = 0; t < outline->objects->threads; t++)
        thread[t].calls.first = thread[t].states.first = UINT64_MAX;
    /* Tracks have numbers of their own: one that is also a process's is taken for its main one. */
    for (w->first_track = 10; w->first_track <= outline->objects->tasks;)
        w->first_track *= 10;
    st = prvcut_view_open(&w->view, path, options->force, err);
    if (st < 0)
        return st;
    perfetto_write_head(w);
    *out = &w->view.base;
    return PRVCUT_OK;
}

const struct prvcut_writer prvcut_perfetto_writer = {
    .format = &prvcut_perfetto_format,
    .summary = "JSON for Perfetto and Chrome (Trace Event Format)",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_EVENTS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_APPLICATIONS),
    .recorded_states = true,
    .order = PRVCUT_BY_TIME,
    .whole_messages = true,
    .open = writer_pfto_open,
    .put = prvcut_view_put,
    .commit = prvcut_view_commit,
    .abandon = prvcut_view_abandon,
};
