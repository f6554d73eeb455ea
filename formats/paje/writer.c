#include "paje/paje.h"

#include "base/memory.h"
#include "model/calls.h"
#include "model/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What ends: kinds of struct prvcut_pending_end. */
enum { END_STATE, END_LINK };

void paje_print_alias(struct paje_writing *w, const char *prefix, uint64_t number)
{
    prvcut_print_text(&w->view.out, prefix);
    prvcut_print_u64(&w->view.out, number);
}

void paje_print_colour(struct paje_writing *w, uint32_t colour)
{
    prvcut_print_text(&w->view.out, "\"");
    for (int shift = 16; shift >= 0; shift -= 8) {
        prvcut_print_decimal(&w->view.out, ((colour >> shift & 0xff) * 1000 + 127) / 255, 3);
        prvcut_print_text(&w->view.out, shift > 0 ? " " : "\"");
    }
}

/* Colours that are far apart for whatever number comes next: steps of the golden angle. */
static uint32_t writer_colour_of(uint32_t number)
{
    const uint32_t hue = (uint32_t)((uint64_t)number * 949 % 1536);
    const uint32_t up = hue % 256, down = 255 - up;
    static const uint8_t least = 56;
    const uint32_t channel[6][3] = { { 255, up, 0 },   { down, 255, 0 }, { 0, 255, up },
                                     { 0, down, 255 }, { up, 0, 255 },   { 255, 0, down } };
    uint32_t colour = 0;

    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (least + channel[hue / 256][i] * (230u - least) / 255);
    return colour;
}

static enum prvcut_status writer_number_of(struct paje_writing *w, enum paje_name_kind kind,
                                           uint32_t type, int64_t value, uint32_t *number,
                                           bool *fresh)
{
    const enum prvcut_status st =
        paje_names_number(&w->names, kind, type, value, number, fresh, &w->view.out.error);

    if (st < 0 && w->view.out.status == PRVCUT_OK)
        w->view.out.status = st;
    return st;
}

static void writer_define_value(struct paje_writing *w, const char *type, const char *name,
                                uint32_t colour, uint32_t number)
{
    prvcut_print_u64(&w->view.out, PAJE_VALUE);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, type);
    paje_print_quoted(w, name);
    prvcut_print_text(&w->view.out, " ");
    paje_print_colour(w, colour);
    paje_print_alias(w, " _v", number);
    prvcut_print_text(&w->view.out, "\n");
}

/* Number of a call's name, which is defined where it is new. */
static uint32_t writer_call_number(struct paje_writing *w, uint32_t type, int64_t value)
{
    uint32_t number = 0;
    bool fresh = false;
    char text[256];

    if (writer_number_of(w, PAJE_NAME_CALL, type, value, &number, &fresh) == PRVCUT_OK && fresh)
        writer_define_value(
            w, PAJE_TYPE_CALL,
            prvcut_event_text(text, sizeof text, w->view.outline->dictionary, type, value),
            writer_colour_of(number), number);
    return number;
}

static uint32_t writer_state_number(struct paje_writing *w, uint32_t state)
{
    const struct prvcut_state_name *s = prvcut_dictionary_state(w->view.outline->dictionary, state);
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (writer_number_of(w, PAJE_NAME_STATE, state, 0, &number, &fresh) == PRVCUT_OK && fresh)
        writer_define_value(
            w, PAJE_TYPE_STATE,
            prvcut_state_number_text(text, sizeof text, w->view.outline->dictionary, state),
            s && s->colour >= 0 ? (uint32_t)s->colour : writer_colour_of(number), number);
    return number;
}

/* --- Calls and functions ------------------------------------------------------------------- */

static void writer_print_call(struct paje_writing *w, enum paje_event kind, uint64_t time,
                              uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->view.out, " " PAJE_TYPE_CALL);
    paje_print_alias(w, " _t", (uint64_t)thread + 1);
}

static void writer_print_push(struct paje_writing *w, uint64_t time, uint32_t thread,
                              uint32_t value)
{
    writer_print_call(w, PAJE_PUSH_STATE, time, thread);
    paje_print_alias(w, " _v", value);
    prvcut_print_text(&w->view.out, "\n");
}

static void writer_print_known(struct paje_writing *w, int64_t value)
{
    prvcut_print_text(&w->view.out, " ");
    if (value < 0)
        prvcut_print_text(&w->view.out, "-");
    else
        prvcut_print_i64(&w->view.out, value);
}

static void writer_begin_call(struct prvcut_view *view, const struct prvcut_held_call *c)
{
    struct paje_writing *w = (struct paje_writing *)view;
    const uint32_t number = writer_call_number(w, c->type, c->value);

    if (c->sent < 0 && c->received < 0 && c->communicator < 0 && c->root < 0) {
        writer_print_push(w, c->time, c->thread, number);
        return;
    }
    writer_print_call(w, PAJE_PUSH_COLLECTIVE, c->time, c->thread);
    paje_print_alias(w, " _v", number);
    writer_print_known(w, c->sent);
    writer_print_known(w, c->received);
    writer_print_known(w, c->communicator);
    prvcut_print_text(&w->view.out, c->root == 1 ? " yes\n" : " -\n");
}

static void writer_resume_call(struct prvcut_view *view, uint64_t time, uint32_t thread,
                               const struct prvcut_frame *region)
{
    struct paje_writing *w = (struct paje_writing *)view;

    writer_print_push(w, time, thread, writer_call_number(w, region->type, region->value));
}

static void writer_leave_call(struct prvcut_view *view, uint64_t time, uint32_t thread)
{
    writer_print_call((struct paje_writing *)view, PAJE_POP_STATE, time, thread);
    prvcut_print_text(&view->out, "\n");
}

/* --- Counters and single events ------------------------------------------------------------ */

static void writer_put_variable(struct prvcut_view *view, const struct prvcut_item *i)
{
    struct paje_writing *w = (struct paje_writing *)view;
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (writer_number_of(w, PAJE_NAME_VARIABLE, i->event.type, 0, &number, &fresh) < 0)
        return;
    if (fresh) {
        prvcut_print_u64(&w->view.out, PAJE_VARIABLE_TYPE);
        paje_print_quoted(
            w, prvcut_type_text(text, sizeof text, w->view.outline->dictionary, i->event.type));
        prvcut_print_text(&w->view.out, " " PAJE_TYPE_THREAD " ");
        paje_print_colour(w, writer_colour_of(number));
        paje_print_alias(w, " V_", number);
        prvcut_print_text(&w->view.out, "\n");
    }
    paje_print_record(w, PAJE_SET_VARIABLE, i->time);
    paje_print_alias(w, " V_", number);
    paje_print_alias(w, " _t", (uint64_t)i->thread + 1);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_i64(&w->view.out, i->event.value);
    prvcut_print_text(&w->view.out, "\n");
}

static void writer_put_single(struct prvcut_view *view, const struct prvcut_item *i)
{
    struct paje_writing *w = (struct paje_writing *)view;
    const struct prvcut_type_name *t =
        prvcut_dictionary_type(w->view.outline->dictionary, i->event.type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, i->event.value) : NULL;
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (writer_number_of(w, PAJE_NAME_EVENT, i->event.type, 0, &number, &fresh) < 0)
        return;
    if (fresh) {
        prvcut_print_u64(&w->view.out, PAJE_EVENT_TYPE);
        paje_print_quoted(
            w, prvcut_type_text(text, sizeof text, w->view.outline->dictionary, i->event.type));
        prvcut_print_text(&w->view.out, " " PAJE_TYPE_THREAD);
        paje_print_alias(w, " E_", number);
        prvcut_print_text(&w->view.out, "\n");
    }
    paje_print_record(w, PAJE_NEW_EVENT, i->time);
    paje_print_alias(w, " E_", number);
    paje_print_alias(w, " _t", (uint64_t)i->thread + 1);
    if (v && v->text && *v->text) {
        paje_print_quoted(w, v->text);
    } else {
        prvcut_print_text(&w->view.out, " \"");
        prvcut_print_i64(&w->view.out, i->event.value);
        prvcut_print_text(&w->view.out, "\"");
    }
    prvcut_print_text(&w->view.out, "\n");
}

/* --- States and messages ------------------------------------------------------------------- */

static void writer_print_state(struct paje_writing *w, enum paje_event kind, uint64_t time,
                               uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->view.out, " " PAJE_TYPE_STATE);
    paje_print_alias(w, " _s", (uint64_t)thread + 1);
}

static enum prvcut_status writer_put_state(struct prvcut_view *view, const struct prvcut_item *i,
                                           struct prvcut_error *err)
{
    struct paje_writing *w = (struct paje_writing *)view;
    struct prvcut_view_thread *t = &w->view.thread[i->thread];
    const struct prvcut_pending_end end = {
        .time = i->state.end > i->time ? i->state.end : i->time,
        .number = w->view.states,
        .thread = i->thread,
        .kind = END_STATE,
    };
    uint32_t number;

    number = writer_state_number(w, i->state.number);
    writer_print_state(w, PAJE_SET_STATE, i->time, i->thread);
    paje_print_alias(w, " _v", number);
    prvcut_print_text(&w->view.out, "\n");
    t->state = w->view.states++;
    t->in_state = true;
    return prvcut_pending_add(&w->view.ends, &end, err);
}

static void writer_print_link(struct paje_writing *w, enum paje_event kind, uint64_t time,
                              uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->view.out, " " PAJE_TYPE_MESSAGE " " PAJE_TRACE);
    paje_print_alias(w, " _t", (uint64_t)thread + 1);
    prvcut_print_text(&w->view.out, " message");
}

static enum prvcut_status writer_put_message(struct prvcut_view *view, const struct prvcut_item *i,
                                             struct prvcut_error *err)
{
    struct paje_writing *w = (struct paje_writing *)view;
    /* Viewers stop at a message that is received before it is sent. */
    const uint64_t received = i->message.physical_receive;
    const struct prvcut_pending_end end = {
        .time = received > i->time ? received : i->time,
        .number = w->links,
        .thread = i->message.receiver,
        .kind = END_LINK,
    };

    writer_print_link(w, PAJE_START_LINK, i->time, i->thread);
    paje_print_alias(w, " ", w->links++);
    paje_print_alias(w, " ", i->message.size);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_i64(&w->view.out, i->message.tag);
    if (i->message.communicator == PRVCUT_NOBODY)
        prvcut_print_text(&w->view.out, " -");
    else
        paje_print_alias(w, " ", i->message.communicator);
    prvcut_print_text(&w->view.out, "\n");
    return prvcut_pending_add(&w->view.ends, &end, err);
}

static void writer_put_end(struct paje_writing *w, const struct prvcut_pending_end *end)
{
    struct prvcut_view_thread *t = &w->view.thread[end->thread];

    if (end->kind == END_LINK) {
        writer_print_link(w, PAJE_END_LINK, end->time, end->thread);
        paje_print_alias(w, " ", end->number);
        prvcut_print_text(&w->view.out, "\n");
    } else if (t->in_state && t->state == end->number) {
        /* No later state has taken its place. */
        writer_print_state(w, PAJE_POP_STATE, end->time, end->thread);
        prvcut_print_text(&w->view.out, "\n");
        t->in_state = false;
    }
}

/* Write what ends before `time`. What ends right then waits: a state may take over. */
static void writer_advance(struct prvcut_view *view, uint64_t time)
{
    for (const struct prvcut_pending_end *first = prvcut_pending_first(&view->ends);
         first && first->time < time; first = prvcut_pending_first(&view->ends)) {
        const struct prvcut_pending_end end = prvcut_pending_take(&view->ends);

        writer_put_end((struct paje_writing *)view, &end);
    }
}

/* --- The writer ---------------------------------------------------------------------------- */

static void writer_finish(struct prvcut_view *view)
{
    prvcut_view_leave_all(view, view->outline->end_ns);
    writer_advance(view, UINT64_MAX);
    paje_write_tail((struct paje_writing *)view);
}

static void writer_release(struct prvcut_view *view)
{
    struct paje_writing *w = (struct paje_writing *)view;

    prvcut_table_fini(&w->names);
    prvcut_view_fini(view);
    free(w);
}

static const struct prvcut_view_format format = {
    .advance = writer_advance,
    .call = writer_begin_call,
    .resume = writer_resume_call,
    .leave = writer_leave_call,
    .number = writer_put_variable,
    .single = writer_put_single,
    .state = writer_put_state,
    .message = writer_put_message,
    .finish = writer_finish,
    .release = writer_release,
};

static enum prvcut_status writer_open(struct prvcut_writing **out, const char *path,
                                      const struct prvcut_outline *outline,
                                      const struct prvcut_convert_options *options,
                                      struct prvcut_error *err)
{
    struct paje_writing *w = prvcut_zeroed(1, sizeof *w, "an output", err);
    enum prvcut_status st;

    *out = NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->view = (struct prvcut_view){ .base.writer = &prvcut_paje_writer,
                                    .format = &format,
                                    .outline = outline };
    w->names = (struct prvcut_table)PAJE_NAMES;
    st = prvcut_view_open(&w->view, path, options->force, err);
    if (st < 0)
        return st;
    paje_write_head(w);
    *out = &w->view.base;
    return PRVCUT_OK;
}

const struct prvcut_writer prvcut_paje_writer = {
    .format = &prvcut_paje_format,
    .summary = "Paje trace, for ViTE",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLOURS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_EVENTS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_APPLICATIONS),
    .order = PRVCUT_BY_TIME,
    .whole_messages = true,
    .open = writer_open,
    .put = prvcut_view_put,
    .commit = prvcut_view_commit,
    .abandon = prvcut_view_abandon,
};
