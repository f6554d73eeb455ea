#include "paje/paje.h"

#include "model/calls.h"
#include "model/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What ends: kinds of struct prvcut_pending_end. */
enum { END_STATE, END_LINK };

void paje_print_record(struct paje_writing *w, enum paje_event kind, uint64_t time)
{
    prvcut_print_u64(&w->out, (uint64_t)kind);
    prvcut_print_text(&w->out, " ");
    prvcut_print_decimal(&w->out, time, 9);
}

void paje_print_quoted(struct paje_writing *w, const char *text)
{
    prvcut_print_text(&w->out, " \"");
    while (*text) {
        const size_t plain = strcspn(text, "\"\\\a\b\t\n\v\f\r\x1b");

        prvcut_print_bytes(&w->out, text, plain);
        text += plain;
        /* The format knows no escapes. */
        if (*text)
            prvcut_print_text(&w->out, *text == '"' ? "'" : *text == '\\' ? "/" : " ");
        text += *text != '\0';
    }
    prvcut_print_text(&w->out, "\"");
}

void paje_print_alias(struct paje_writing *w, const char *prefix, uint64_t number)
{
    prvcut_print_text(&w->out, prefix);
    prvcut_print_u64(&w->out, number);
}

void paje_print_colour(struct paje_writing *w, uint32_t colour)
{
    prvcut_print_text(&w->out, "\"");
    for (int shift = 16; shift >= 0; shift -= 8) {
        prvcut_print_decimal(&w->out, ((colour >> shift & 0xff) * 1000 + 127) / 255, 3);
        prvcut_print_text(&w->out, shift > 0 ? " " : "\"");
    }
}

/* Colours that are far apart for whatever number comes next: steps of the golden angle. */
static uint32_t colour_of(uint32_t number)
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

static enum prvcut_status number_of(struct paje_writing *w, enum paje_name_kind kind, uint32_t type,
                                    int64_t value, uint32_t *number, bool *fresh)
{
    const enum prvcut_status st = paje_names_number(&w->names, kind, type, value, number, fresh);

    if (st < 0 && w->out.status == PRVCUT_OK)
        w->out.status = prvcut_fail(&w->out.error, st,
                                    st == PRVCUT_ENOMEM ? "out of memory for %" PRIu32 " names"
                                                        : "more than %" PRIu32 " names",
                                    w->names.count);
    return st;
}

static void define_value(struct paje_writing *w, const char *type, const char *name,
                         uint32_t colour, uint32_t number)
{
    prvcut_print_u64(&w->out, PAJE_VALUE);
    prvcut_print_text(&w->out, " ");
    prvcut_print_text(&w->out, type);
    paje_print_quoted(w, name);
    prvcut_print_text(&w->out, " ");
    paje_print_colour(w, colour);
    paje_print_alias(w, " _v", number);
    prvcut_print_text(&w->out, "\n");
}

/* Number of a call's name, which is defined where it is new. */
static uint32_t call_number(struct paje_writing *w, uint32_t type, int64_t value)
{
    uint32_t number = 0;
    bool fresh = false;
    char text[256];

    if (number_of(w, PAJE_NAME_CALL, type, value, &number, &fresh) == PRVCUT_OK && fresh)
        define_value(w, PAJE_TYPE_CALL,
                     prvcut_event_text(text, sizeof text, w->outline->dictionary, type, value),
                     colour_of(number), number);
    return number;
}

static uint32_t state_number(struct paje_writing *w, uint32_t state)
{
    const struct prvcut_state_name *s = prvcut_dictionary_state(w->outline->dictionary, state);
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (number_of(w, PAJE_NAME_STATE, state, 0, &number, &fresh) == PRVCUT_OK && fresh)
        define_value(w, PAJE_TYPE_STATE,
                     prvcut_state_number_text(text, sizeof text, w->outline->dictionary, state),
                     s && s->colour >= 0 ? (uint32_t)s->colour : colour_of(number), number);
    return number;
}

/* --- Calls and functions ------------------------------------------------------------------- */

static void print_call(struct paje_writing *w, enum paje_event kind, uint64_t time, uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->out, " " PAJE_TYPE_CALL);
    paje_print_alias(w, " _t", (uint64_t)thread + 1);
}

static void print_push(struct paje_writing *w, uint64_t time, uint32_t thread, uint32_t value)
{
    print_call(w, PAJE_PUSH_STATE, time, thread);
    paje_print_alias(w, " _v", value);
    prvcut_print_text(&w->out, "\n");
}

static void print_pop(struct paje_writing *w, uint64_t time, uint32_t thread)
{
    print_call(w, PAJE_POP_STATE, time, thread);
    prvcut_print_text(&w->out, "\n");
}

static void print_known(struct paje_writing *w, int64_t value)
{
    prvcut_print_text(&w->out, " ");
    if (value < 0)
        prvcut_print_text(&w->out, "-");
    else
        prvcut_print_i64(&w->out, value);
}

/* The call that was held back is complete. */
static void release_call(struct paje_writing *w)
{
    struct prvcut_held_call *c = &w->call;
    uint32_t number;

    if (!c->held)
        return;
    c->held = false;
    number = call_number(w, c->type, c->value);
    if (c->sent < 0 && c->received < 0 && c->communicator < 0 && c->root < 0) {
        print_push(w, c->time, c->thread, number);
        return;
    }
    print_call(w, PAJE_PUSH_COLLECTIVE, c->time, c->thread);
    paje_print_alias(w, " _v", number);
    print_known(w, c->sent);
    print_known(w, c->received);
    print_known(w, c->communicator);
    prvcut_print_text(&w->out, c->root == 1 ? " yes\n" : " -\n");
}

static enum prvcut_status enter(struct paje_writing *w, const struct prvcut_item *i,
                                struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct paje_thread *t = &w->thread[i->thread];
    const enum prvcut_status st =
        prvcut_regions_enter(&t->open, i->event.type, i->event.value, err);

    if (st == PRVCUT_END)
        sum->lost[PRVCUT_CARRY_REGIONS]++;
    if (st != PRVCUT_OK)
        return st < 0 ? st : PRVCUT_OK;
    prvcut_held_call_begin(&w->call, i);
    return PRVCUT_OK;
}

/* Viewers have one stack for a thread: what is inside a region that ends earlier is taken off and
   put back. */
static void leave(struct paje_writing *w, const struct prvcut_item *i)
{
    struct paje_thread *t = &w->thread[i->thread];
    size_t index;

    if (!prvcut_regions_leave(&t->open, i->event.type, &index))
        return;
    for (size_t k = index; k < t->open.count; k++)
        print_pop(w, i->time, i->thread);
    prvcut_regions_remove(&t->open, index);
    for (size_t k = index; k < t->open.count; k++)
        print_push(w, i->time, i->thread, call_number(w, t->open.at[k].type, t->open.at[k].value));
}

/* --- Counters and single events ------------------------------------------------------------ */

static void put_variable(struct paje_writing *w, const struct prvcut_item *i)
{
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (number_of(w, PAJE_NAME_VARIABLE, i->event.type, 0, &number, &fresh) < 0)
        return;
    if (fresh) {
        prvcut_print_u64(&w->out, PAJE_VARIABLE_TYPE);
        paje_print_quoted(
            w, prvcut_type_text(text, sizeof text, w->outline->dictionary, i->event.type));
        prvcut_print_text(&w->out, " " PAJE_TYPE_THREAD " ");
        paje_print_colour(w, colour_of(number));
        paje_print_alias(w, " V_", number);
        prvcut_print_text(&w->out, "\n");
    }
    paje_print_record(w, PAJE_SET_VARIABLE, i->time);
    paje_print_alias(w, " V_", number);
    paje_print_alias(w, " _t", (uint64_t)i->thread + 1);
    prvcut_print_text(&w->out, " ");
    prvcut_print_i64(&w->out, i->event.value);
    prvcut_print_text(&w->out, "\n");
}

static void put_single(struct paje_writing *w, const struct prvcut_item *i)
{
    const struct prvcut_type_name *t =
        prvcut_dictionary_type(w->outline->dictionary, i->event.type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, i->event.value) : NULL;
    uint32_t number = 0;
    bool fresh = false;
    char text[64];

    if (number_of(w, PAJE_NAME_EVENT, i->event.type, 0, &number, &fresh) < 0)
        return;
    if (fresh) {
        prvcut_print_u64(&w->out, PAJE_EVENT_TYPE);
        paje_print_quoted(
            w, prvcut_type_text(text, sizeof text, w->outline->dictionary, i->event.type));
        prvcut_print_text(&w->out, " " PAJE_TYPE_THREAD);
        paje_print_alias(w, " E_", number);
        prvcut_print_text(&w->out, "\n");
    }
    paje_print_record(w, PAJE_NEW_EVENT, i->time);
    paje_print_alias(w, " E_", number);
    paje_print_alias(w, " _t", (uint64_t)i->thread + 1);
    if (v && v->text && *v->text) {
        paje_print_quoted(w, v->text);
    } else {
        prvcut_print_text(&w->out, " \"");
        prvcut_print_i64(&w->out, i->event.value);
        prvcut_print_text(&w->out, "\"");
    }
    prvcut_print_text(&w->out, "\n");
}

static enum prvcut_status put_event(struct paje_writing *w, const struct prvcut_item *i,
                                    struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    switch (prvcut_event_shape(w->outline->dictionary, (enum prvcut_role)i->role, i->event.type)) {
    case PRVCUT_SHAPE_REGION:
        if (i->event.value != 0)
            return enter(w, i, sum, err);
        leave(w, i);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_NUMBER:
        put_variable(w, i);
        return PRVCUT_OK;
    case PRVCUT_SHAPE_SINGLE:
        put_single(w, i);
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

/* --- States and messages ------------------------------------------------------------------- */

static void print_state(struct paje_writing *w, enum paje_event kind, uint64_t time,
                        uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->out, " " PAJE_TYPE_STATE);
    paje_print_alias(w, " _s", (uint64_t)thread + 1);
}

static enum prvcut_status put_state(struct paje_writing *w, const struct prvcut_item *i,
                                    struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct paje_thread *t = &w->thread[i->thread];
    const struct prvcut_pending_end end = {
        .time = i->state.end > i->time ? i->state.end : i->time,
        .number = w->states,
        .thread = i->thread,
        .kind = END_STATE,
    };
    uint32_t number;

    if (w->outline->dictionary->states == 0) {
        sum->lost[PRVCUT_CARRY_STATES]++;
        return PRVCUT_OK;
    }
    number = state_number(w, i->state.number);
    print_state(w, PAJE_SET_STATE, i->time, i->thread);
    paje_print_alias(w, " _v", number);
    prvcut_print_text(&w->out, "\n");
    t->state = w->states++;
    t->in_state = true;
    return prvcut_pending_add(&w->ends, &end, err);
}

static void print_link(struct paje_writing *w, enum paje_event kind, uint64_t time, uint32_t thread)
{
    paje_print_record(w, kind, time);
    prvcut_print_text(&w->out, " " PAJE_TYPE_MESSAGE " " PAJE_TRACE);
    paje_print_alias(w, " _t", (uint64_t)thread + 1);
    prvcut_print_text(&w->out, " message");
}

static enum prvcut_status put_message(struct paje_writing *w, const struct prvcut_item *i,
                                      struct prvcut_error *err)
{
    /* Viewers stop at a message that is received before it is sent. */
    const uint64_t received = i->message.physical_receive;
    const struct prvcut_pending_end end = {
        .time = received > i->time ? received : i->time,
        .number = w->links,
        .thread = i->message.receiver,
        .kind = END_LINK,
    };

    print_link(w, PAJE_START_LINK, i->time, i->thread);
    paje_print_alias(w, " ", w->links++);
    paje_print_alias(w, " ", i->message.size);
    prvcut_print_text(&w->out, " ");
    prvcut_print_i64(&w->out, i->message.tag);
    if (i->message.communicator == PRVCUT_NOBODY)
        prvcut_print_text(&w->out, " -");
    else
        paje_print_alias(w, " ", i->message.communicator);
    prvcut_print_text(&w->out, "\n");
    return prvcut_pending_add(&w->ends, &end, err);
}

static void put_end(struct paje_writing *w, const struct prvcut_pending_end *end)
{
    struct paje_thread *t = &w->thread[end->thread];

    if (end->kind == END_LINK) {
        print_link(w, PAJE_END_LINK, end->time, end->thread);
        paje_print_alias(w, " ", end->number);
        prvcut_print_text(&w->out, "\n");
    } else if (t->in_state && t->state == end->number) {
        /* No later state has taken its place. */
        print_state(w, PAJE_POP_STATE, end->time, end->thread);
        prvcut_print_text(&w->out, "\n");
        t->in_state = false;
    }
}

/* Write what ends before `time`. What ends right then waits: a state may take over. */
static void advance(struct paje_writing *w, uint64_t time)
{
    for (const struct prvcut_pending_end *first = prvcut_pending_first(&w->ends);
         first && first->time < time; first = prvcut_pending_first(&w->ends)) {
        const struct prvcut_pending_end end = prvcut_pending_take(&w->ends);

        put_end(w, &end);
    }
}

/* --- The writer ---------------------------------------------------------------------------- */

static void paje_release(struct paje_writing *w)
{
    for (uint32_t t = 0; w->thread && t < w->outline->objects->threads; t++)
        prvcut_regions_fini(&w->thread[t].open);
    free(w->thread);
    prvcut_pending_fini(&w->ends);
    paje_names_fini(&w->names);
    prvcut_print_abandon(&w->out);
    free(w->path);
    free(w);
}

static enum prvcut_status paje_open(struct prvcut_writing **out, const char *path,
                                    const struct prvcut_outline *outline,
                                    const struct prvcut_convert_options *options,
                                    struct prvcut_error *err)
{
    struct paje_writing *w = calloc(1, sizeof *w);
    enum prvcut_status st;

    *out = NULL;
    if (!w)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory");
    w->base.writer = &prvcut_paje_writer;
    w->outline = outline;
    w->path = strdup(path);
    w->thread = calloc((size_t)outline->objects->threads + 1, sizeof *w->thread);
    if (!w->path || !w->thread)
        st = prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %" PRIu32 " threads",
                         outline->objects->threads);
    else
        st = prvcut_print_open(&w->out, path, options->force, err);
    if (st < 0) {
        paje_release(w);
        return st;
    }
    paje_write_head(w);
    *out = &w->base;
    return PRVCUT_OK;
}

static enum prvcut_status put_item(struct paje_writing *w, const struct prvcut_item *i,
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

static enum prvcut_status paje_put(struct prvcut_writing *writing, const struct prvcut_item *item,
                                   size_t count, struct prvcut_convert_summary *sum,
                                   struct prvcut_error *err)
{
    struct paje_writing *w = (struct paje_writing *)writing;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = put_item(w, &item[i], sum, err);
    return st < 0 ? st : prvcut_print_state(&w->out, err);
}

static enum prvcut_status paje_commit(struct prvcut_writing *writing,
                                      struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct paje_writing *w = (struct paje_writing *)writing;
    const uint64_t end = w->outline->end_ns;
    enum prvcut_status st;

    release_call(w);
    advance(w, end);
    for (uint32_t t = 0; t < w->outline->objects->threads; t++)
        for (size_t k = w->thread[t].open.count; k > 0; k--)
            print_pop(w, end, t);
    advance(w, UINT64_MAX);
    paje_write_tail(w);
    st = prvcut_print_commit(&w->out, &sum->bytes, err);
    if (st == PRVCUT_OK) {
        sum->file[0] = w->path;
        sum->files = 1;
        w->path = NULL;
    }
    paje_release(w);
    return st;
}

static void paje_abandon(struct prvcut_writing *writing)
{
    if (writing)
        paje_release((struct paje_writing *)writing);
}

const struct prvcut_writer prvcut_paje_writer = {
    .name = "paje",
    .summary = "Paje trace, for ViTE",
    .suffix = ".paje",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLOURS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_EVENTS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_APPLICATIONS),
    .order = PRVCUT_BY_TIME,
    .whole_messages = true,
    .open = paje_open,
    .put = paje_put,
    .commit = paje_commit,
    .abandon = paje_abandon,
};
