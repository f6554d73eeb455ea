#include "perfetto/perfetto.h"

#include "base/buffer.h"
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

static const char *category(const struct perfetto_writing *w, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(w->outline->dictionary, type);

    return t && t->group && *t->group ? t->group : "region";
}

static void begin_event(struct perfetto_writing *w, const char *kind, uint32_t thread, bool states,
                        uint64_t time)
{
    perfetto_print_event(w, kind, w->outline->objects->thread_task[thread]);
    perfetto_print_track(w, thread, states);
    perfetto_print_time(w, time);
}

static void print_name(struct perfetto_writing *w, const char *name, const char *cat)
{
    prvcut_print_text(&w->out, ",\"name\":");
    perfetto_print_string(&w->out, name);
    prvcut_print_text(&w->out, ",\"cat\":");
    perfetto_print_string(&w->out, cat);
}

/* "key":value of an args object, with what has to stand between it and the one before. */
static void print_arg(struct perfetto_writing *w, const char **between, const char *key,
                      int64_t value)
{
    prvcut_print_text(&w->out, *between);
    prvcut_print_text(&w->out, "\"");
    prvcut_print_text(&w->out, key);
    prvcut_print_text(&w->out, "\":");
    prvcut_print_i64(&w->out, value);
    *between = ",";
}

/* --- Calls and functions ------------------------------------------------------------------- */

static void print_begin(struct perfetto_writing *w, uint64_t time, uint32_t thread, uint32_t type,
                        int64_t value)
{
    char text[256];

    begin_event(w, "B", thread, false, time);
    print_name(w, prvcut_event_text(text, sizeof text, w->outline->dictionary, type, value),
               category(w, type));
}

/* What was sent and received inside the region that ends. */
static void print_tally(struct perfetto_writing *w, const struct perfetto_tally *t)
{
    const char *between = ",\"args\":{";
    char text[64];

    if (t->sent > 0) {
        print_arg(w, &between, "messages sent", (int64_t)t->sent);
        print_arg(w, &between, "bytes sent", (int64_t)t->sent_bytes);
    }
    if (t->received > 0) {
        print_arg(w, &between, "messages received", (int64_t)t->received);
        print_arg(w, &between, "bytes received", (int64_t)t->received_bytes);
    }
    if (t->sent + t->received == 1) {
        print_arg(w, &between, "tag", t->tag);
        prvcut_print_text(&w->out, t->sent > 0 ? ",\"to\":" : ",\"from\":");
        perfetto_print_string(&w->out,
                              perfetto_thread_text(text, sizeof text, w->outline, t->peer));
    }
    if (t->sent + t->received > 0)
        prvcut_print_text(&w->out, "}");
}

static void print_end(struct perfetto_writing *w, uint64_t time, uint32_t thread)
{
    begin_event(w, "E", thread, false, time);
    print_tally(w, &w->thread[thread].tally);
    prvcut_print_text(&w->out, "}");
    w->thread[thread].tally = (struct perfetto_tally){ 0 };
}

/* The call that was held back is complete. */
static void release_call(struct perfetto_writing *w)
{
    const struct prvcut_held_call *c = &w->call;
    const char *between = ",\"args\":{";

    if (!c->held)
        return;
    print_begin(w, c->time, c->thread, c->type, c->value);
    if (c->sent >= 0)
        print_arg(w, &between, "bytes sent", c->sent);
    if (c->received >= 0)
        print_arg(w, &between, "bytes received", c->received);
    if (c->communicator >= 0)
        print_arg(w, &between, "communicator", c->communicator);
    if (c->root >= 0)
        print_arg(w, &between, "root", c->root);
    prvcut_print_text(&w->out, *between == ',' && between[1] == '\0' ? "}}" : "}");
    w->call.held = false;
}

static enum prvcut_status enter(struct perfetto_writing *w, const struct prvcut_item *i,
                                struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct perfetto_thread *t = &w->thread[i->thread];
    const enum prvcut_status st =
        prvcut_regions_enter(&t->open, i->event.type, i->event.value, err);

    if (st == PRVCUT_END)
        sum->lost[PRVCUT_CARRY_REGIONS]++;
    if (st != PRVCUT_OK)
        return st < 0 ? st : PRVCUT_OK;
    t->tally = (struct perfetto_tally){ 0 };
    prvcut_held_call_begin(&w->call, i);
    return PRVCUT_OK;
}

/* A track has one stack: what is inside a region that ends earlier is taken off and put back. */
static void leave(struct perfetto_writing *w, const struct prvcut_item *i)
{
    struct perfetto_thread *t = &w->thread[i->thread];
    size_t index;

    if (!prvcut_regions_leave(&t->open, i->event.type, &index))
        return;
    for (size_t k = index; k < t->open.count; k++)
        print_end(w, i->time, i->thread);
    prvcut_regions_remove(&t->open, index);
    for (size_t k = index; k < t->open.count; k++) {
        print_begin(w, i->time, i->thread, t->open.at[k].type, t->open.at[k].value);
        prvcut_print_text(&w->out, "}");
    }
}

/* --- Counters and single events ------------------------------------------------------------ */

static void put_number(struct perfetto_writing *w, const struct prvcut_item *i)
{
    const struct prvcut_objects *o = w->outline->objects;
    const uint32_t task = o->thread_task[i->thread];
    const char *text;
    char number[64], name[64], of[600];

    text = prvcut_type_text(number, sizeof number, w->outline->dictionary, i->event.type);
    /* A counter belongs to a process: where that has several threads, each needs a name. */
    if (o->task_first_thread[task + 1] - o->task_first_thread[task] > 1) {
        snprintf(of, sizeof of, "%.400s (%.150s)", text,
                 perfetto_thread_text(name, sizeof name, w->outline, i->thread));
        text = of;
    }
    perfetto_print_event(w, "C", task);
    perfetto_print_track(w, i->thread, false);
    perfetto_print_time(w, i->time);
    print_name(w, text, "counter");
    prvcut_print_text(&w->out, ",\"args\":{\"value\":");
    prvcut_print_i64(&w->out, i->event.value);
    prvcut_print_text(&w->out, "}}");
}

static void put_single(struct perfetto_writing *w, const struct prvcut_item *i)
{
    const struct prvcut_type_name *t =
        prvcut_dictionary_type(w->outline->dictionary, i->event.type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, i->event.value) : NULL;
    char text[64];

    begin_event(w, "i", i->thread, false, i->time);
    prvcut_print_text(&w->out, ",\"s\":\"t\"");
    print_name(w, prvcut_type_text(text, sizeof text, w->outline->dictionary, i->event.type),
               "event");
    prvcut_print_text(&w->out, ",\"args\":{\"value\":");
    prvcut_print_i64(&w->out, i->event.value);
    if (v && v->text && *v->text) {
        prvcut_print_text(&w->out, ",\"text\":");
        perfetto_print_string(&w->out, v->text);
    }
    prvcut_print_text(&w->out, "}}");
}

static enum prvcut_status put_event(struct perfetto_writing *w, const struct prvcut_item *i,
                                    struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    switch (prvcut_event_shape(w->outline->dictionary, (enum prvcut_role)i->role, i->event.type)) {
    case PRVCUT_SHAPE_REGION:
        if (i->event.value != 0)
            return enter(w, i, sum, err);
        leave(w, i);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_NUMBER:
        put_number(w, i);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_SINGLE:
        put_single(w, i);
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

/* --- States -------------------------------------------------------------------------------- */

static void end_state(struct perfetto_writing *w, uint64_t time, uint32_t thread)
{
    begin_event(w, "E", thread, true, time);
    prvcut_print_text(&w->out, "}");
    w->thread[thread].in_state = false;
}

static enum prvcut_status put_state(struct perfetto_writing *w, const struct prvcut_item *i,
                                    struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct perfetto_thread *t = &w->thread[i->thread];
    const struct prvcut_pending_end end = {
        .time = i->state.end > i->time ? i->state.end : i->time,
        .number = END_NUMBER(END_STATE, w->states),
        .detail = w->states,
        .thread = i->thread,
        .kind = END_STATE,
    };
    char text[64];

    if (w->outline->dictionary->states == 0) {
        sum->lost[PRVCUT_CARRY_STATES]++;
        return PRVCUT_OK;
    }
    if (t->in_state)
        end_state(w, i->time, i->thread);
    begin_event(w, "B", i->thread, true, i->time);
    print_name(w,
               prvcut_state_number_text(text, sizeof text, w->outline->dictionary, i->state.number),
               "state");
    prvcut_print_text(&w->out, "}");
    t->state = w->states++;
    t->in_state = true;
    return prvcut_pending_add(&w->ends, &end, err);
}

/* --- Messages ------------------------------------------------------------------------------ */

/* A free place for a message under way. */
static enum prvcut_status place_of(struct perfetto_writing *w, size_t *place,
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

static enum prvcut_status put_message(struct perfetto_writing *w, const struct prvcut_item *i,
                                      struct prvcut_error *err)
{
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
    enum prvcut_status st = place_of(w, &place, err);

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
    return prvcut_pending_add(&w->ends, &end, err);
}

/* An end of a message's arrow; it is tied to what its track is in. */
static void print_flow(struct perfetto_writing *w, const char *kind, uint32_t thread, uint64_t time,
                       const struct perfetto_flow *f)
{
    const struct perfetto_thread *t = &w->thread[thread];
    const char *between = ",\"args\":{";

    begin_event(w, kind, thread, t->open.count == 0 && t->in_state, time);
    prvcut_print_text(&w->out, ",\"id\":");
    prvcut_print_u64(&w->out, f->number);
    print_name(w, "message", "message");
    print_arg(w, &between, "size", (int64_t)f->size);
    print_arg(w, &between, "tag", f->tag);
    if (f->communicator != PRVCUT_NOBODY)
        print_arg(w, &between, "communicator", f->communicator);
    prvcut_print_text(&w->out, *kind == 'f' ? "},\"bp\":\"e\"}" : "}}");
}

/* Sends are written behind all else of their time, so that the call that sends has begun. */
static void release_sends(struct perfetto_writing *w)
{
    for (size_t i = 0; i < w->sendings; i++) {
        const struct perfetto_flow *f = &w->flow[w->sending[i]];
        struct perfetto_tally *t = &w->thread[f->sender].tally;

        print_flow(w, "s", f->sender, w->now, f);
        t->sent++;
        t->sent_bytes += f->size;
        t->tag = f->tag;
        t->peer = f->receiver;
    }
    w->sendings = 0;
}

static void put_end(struct perfetto_writing *w, const struct prvcut_pending_end *end)
{
    struct perfetto_thread *t = &w->thread[end->thread];

    if (end->kind == END_STATE) {
        /* Unless a later state has taken its place. */
        if (t->in_state && t->state == end->detail)
            end_state(w, end->time, end->thread);
        return;
    }
    print_flow(w, "f", end->thread, end->time, &w->flow[end->detail]);
    t->tally.received++;
    t->tally.received_bytes += w->flow[end->detail].size;
    t->tally.tag = w->flow[end->detail].tag;
    t->tally.peer = w->flow[end->detail].sender;
    /* There is room: `vacant` grows with `flow`. */
    w->vacant[w->vacants++] = end->detail;
}

/* Write what ends before `time`, and what is received then; a state may be taken over. */
static void advance(struct perfetto_writing *w, uint64_t time)
{
    const struct prvcut_pending_end *first;

    if (time == w->now)
        return;
    release_sends(w);
    for (first = prvcut_pending_first(&w->ends);
         first && (first->time < time || (first->time == time && first->kind == END_FLOW));
         first = prvcut_pending_first(&w->ends)) {
        const struct prvcut_pending_end end = prvcut_pending_take(&w->ends);

        put_end(w, &end);
    }
    w->now = time;
}

/* --- The writer ---------------------------------------------------------------------------- */

static void perfetto_release(struct perfetto_writing *w)
{
    for (uint32_t t = 0; w->thread && t < w->outline->objects->threads; t++)
        prvcut_regions_fini(&w->thread[t].open);
    free(w->thread);
    free(w->flow);
    free(w->vacant);
    free(w->sending);
    prvcut_pending_fini(&w->ends);
    prvcut_print_abandon(&w->out);
    free(w->path);
    free(w);
}

static enum prvcut_status perfetto_open(struct prvcut_writing **out, const char *path,
                                        const struct prvcut_outline *outline,
                                        const struct prvcut_convert_options *options,
                                        struct prvcut_error *err)
{
    struct perfetto_writing *w = calloc(1, sizeof *w);
    enum prvcut_status st;

    *out = NULL;
    if (!w)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory");
    w->base.writer = &prvcut_perfetto_writer;
    w->outline = outline;
    w->path = strdup(path);
    w->thread = calloc((size_t)outline->objects->threads + 1, sizeof *w->thread);
    /* Tracks have numbers of their own: one that is also a process's is taken for its main one. */
    for (w->first_track = 10; w->first_track <= outline->objects->tasks;)
        w->first_track *= 10;
    if (!w->path || !w->thread)
        st = prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %" PRIu32 " threads",
                         outline->objects->threads);
    else
        st = prvcut_print_open(&w->out, path, options->force, err);
    if (st < 0) {
        perfetto_release(w);
        return st;
    }
    perfetto_write_head(w);
    *out = &w->base;
    return PRVCUT_OK;
}

static enum prvcut_status put_item(struct perfetto_writing *w, const struct prvcut_item *i,
                                   struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    if (prvcut_held_call_take(&w->call, i))
        return PRVCUT_OK;
    release_call(w);
    advance(w, i->time);
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        return put_state(w, i, sum, err);
    case PRVCUT_ITEM_EVENT:
        return put_event(w, i, sum, err);
    case PRVCUT_ITEM_MESSAGE:
        return put_message(w, i, err);
    case PRVCUT_ITEM_SEND:
    case PRVCUT_ITEM_RECEIVE:
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

static enum prvcut_status perfetto_put(struct prvcut_writing *writing,
                                       const struct prvcut_item *item, size_t count,
                                       struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct perfetto_writing *w = (struct perfetto_writing *)writing;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = put_item(w, &item[i], sum, err);
    return st < 0 ? st : prvcut_print_state(&w->out, err);
}

/* All that is still open ends with the trace. */
static void finish(struct perfetto_writing *w)
{
    const uint64_t end = w->outline->end_ns;

    release_call(w);
    advance(w, end);
    release_sends(w);
    /* Sent at the very end, and received then. */
    while (prvcut_pending_first(&w->ends) && prvcut_pending_first(&w->ends)->kind == END_FLOW) {
        const struct prvcut_pending_end last = prvcut_pending_take(&w->ends);

        put_end(w, &last);
    }
    for (uint32_t t = 0; t < w->outline->objects->threads; t++)
        for (size_t k = w->thread[t].open.count; k > 0; k--)
            print_end(w, end, t);
    while (prvcut_pending_first(&w->ends)) {
        const struct prvcut_pending_end last = prvcut_pending_take(&w->ends);

        put_end(w, &last);
    }
    prvcut_print_text(&w->out, "\n]}\n");
}

static enum prvcut_status perfetto_commit(struct prvcut_writing *writing,
                                          struct prvcut_convert_summary *sum,
                                          struct prvcut_error *err)
{
    struct perfetto_writing *w = (struct perfetto_writing *)writing;
    enum prvcut_status st;

    finish(w);
    st = prvcut_print_commit(&w->out, &sum->bytes, err);
    if (st == PRVCUT_OK) {
        sum->file[0] = w->path;
        sum->files = 1;
        w->path = NULL;
    }
    perfetto_release(w);
    return st;
}

static void perfetto_abandon(struct prvcut_writing *writing)
{
    if (writing)
        perfetto_release((struct perfetto_writing *)writing);
}

const struct prvcut_writer prvcut_perfetto_writer = {
    .name = "perfetto",
    .summary = "JSON for Perfetto and Chrome (Trace Event Format)",
    .suffix = ".json",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_EVENTS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_APPLICATIONS),
    .order = PRVCUT_BY_TIME,
    .whole_messages = true,
    .open = perfetto_open,
    .put = perfetto_put,
    .commit = perfetto_commit,
    .abandon = perfetto_abandon,
};
