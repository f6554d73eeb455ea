#include "perfetto/perfetto.h"

#include "base/buffer.h"
#include "base/memory.h"

const char *perfetto_category(const struct perfetto_writing *w, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(w->view.outline->dictionary, type);

    return t && t->group && *t->group ? t->group : "region";
}

static bool calls_is_caller(enum prvcut_role role)
{
    return role == PRVCUT_ROLE_CALLER || role == PRVCUT_ROLE_CALLER_LINE;
}

/* --- What is written of a call -------------------------------------------------------------- */

static void calls_print_caller(struct perfetto_writing *w, const struct perfetto_caller *c)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(w->view.outline->dictionary, c->type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, c->value) : NULL;

    if (v && v->text && *v->text)
        perfetto_print_string(&w->view.out, v->text);
    else
        prvcut_print_i64(&w->view.out, c->value);
}

/* The functions on the way to a call as a list, or their lines. */
static void calls_print_callers(struct perfetto_writing *w, const char **between, const char *key,
                                const struct perfetto_caller *c, size_t count, bool lines)
{
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        if (c[i].line != lines)
            continue;
        if (any) {
            prvcut_print_text(&w->view.out, ",");
        } else {
            prvcut_print_text(&w->view.out, *between);
            prvcut_print_text(&w->view.out, key);
        }
        calls_print_caller(w, &c[i]);
        any = true;
    }
    if (!any)
        return;
    prvcut_print_text(&w->view.out, "]");
    *between = ",";
}

static void calls_print_collective(struct perfetto_writing *w, const char **between,
                                   const struct prvcut_held_call *c)
{
    if (c->sent >= 0)
        perfetto_print_arg(w, between, "bytes sent", c->sent);
    if (c->received >= 0)
        perfetto_print_arg(w, between, "bytes received", c->received);
    if (c->communicator >= 0)
        perfetto_print_arg(w, between, "communicator", c->communicator);
    if (c->root >= 0)
        perfetto_print_arg(w, between, "root", c->root);
}

/* What was sent and received inside it. A collective's own sizes have the keys already. */
static void calls_print_tally(struct perfetto_writing *w, const char **between,
                              const struct prvcut_held_call *c, const struct perfetto_tally *t)
{
    char text[64];

    if (t->sent > 0) {
        perfetto_print_arg(w, between, "messages sent", (int64_t)t->sent);
        perfetto_print_arg(w, between, c->sent < 0 ? "bytes sent" : "bytes in messages sent",
                           (int64_t)t->sent_bytes);
    }
    if (t->received > 0) {
        perfetto_print_arg(w, between, "messages received", (int64_t)t->received);
        perfetto_print_arg(w, between,
                           c->received < 0 ? "bytes received" : "bytes in messages received",
                           (int64_t)t->received_bytes);
    }
    if (t->sent + t->received == 1) {
        perfetto_print_arg(w, between, "tag", t->tag);
        prvcut_print_text(&w->view.out, t->sent > 0 ? ",\"to\":" : ",\"from\":");
        perfetto_print_string(&w->view.out,
                              perfetto_thread_text(text, sizeof text, w->view.outline, t->peer));
    }
}

static void calls_print_frame(struct perfetto_writing *w, const struct perfetto_thread *t,
                              const struct perfetto_frame *f, size_t callers)
{
    const struct prvcut_held_call *c = &f->call;
    const struct perfetto_caller *from = t->caller + f->callers;
    const char *between = ",\"args\":{";
    char text[256];

    perfetto_print_slice(w, c->thread, false, &f->slice);
    perfetto_print_name(
        w, prvcut_event_text(text, sizeof text, w->view.outline->dictionary, c->type, c->value),
        perfetto_category(w, c->type));
    calls_print_collective(w, &between, c);
    calls_print_tally(w, &between, c, &f->tally);
    calls_print_callers(w, &between, "\"callers\":[", from, callers - f->callers, false);
    calls_print_callers(w, &between, "\"lines\":[", from, callers - f->callers, true);
    prvcut_print_text(&w->view.out, between[1] == '\0' ? "}}" : "}");
}

/* --- What a thread is in -------------------------------------------------------------------- */

static void calls_fail(struct perfetto_writing *w, enum prvcut_status st)
{
    if (w->view.out.status == PRVCUT_OK)
        w->view.out.status =
            st == PRVCUT_ENOMEM
                ? prvcut_no_memory(&w->view.out.error, "the calls of a thread")
                : prvcut_fail(&w->view.out.error, st, "a thread makes too many calls");
}

void perfetto_calls_flush(struct perfetto_writing *w, uint32_t thread)
{
    struct perfetto_thread *t = &w->thread[thread];

    if (t->frames == t->open)
        return;
    for (size_t i = t->open; i < t->frames; i++)
        calls_print_frame(w, t, &t->frame[i],
                          i + 1 < t->frames ? t->frame[i + 1].callers : t->callers);
    t->callers = t->frame[t->open].callers;
    t->frames = t->open;
}

void perfetto_calls_begin(struct perfetto_writing *w, const struct prvcut_held_call *call)
{
    struct perfetto_thread *t = &w->thread[call->thread];
    void *at = t->frame;
    enum prvcut_status st;

    perfetto_calls_flush(w, call->thread);
    st = prvcut_grow(&at, &t->frame_room, t->frames + 1, sizeof *t->frame, NULL);
    t->frame = at;
    if (st < 0) {
        calls_fail(w, st);
        return;
    }
    t->frame[t->frames++] = (struct perfetto_frame){ .call = *call, .callers = t->callers };
    t->open = t->frames;
    t->tally = (struct perfetto_tally){ 0 };
    perfetto_slice_begin(&t->calls, &t->frame[t->open - 1].slice, call->time);
}

bool perfetto_calls_take(struct perfetto_writing *w, const struct prvcut_item *i)
{
    struct perfetto_thread *t = &w->thread[i->thread];
    void *at = t->caller;
    enum prvcut_status st;

    if (!calls_is_caller((enum prvcut_role)i->role) || t->open == 0 || t->open < t->frames ||
        t->frame[t->open - 1].call.time != i->time)
        return false;
    st = prvcut_grow(&at, &t->caller_room, t->callers + 1, sizeof *t->caller, NULL);
    t->caller = at;
    if (st < 0)
        calls_fail(w, st);
    else
        t->caller[t->callers++] =
            (struct perfetto_caller){ .value = i->event.value,
                                      .type = i->event.type,
                                      .line = i->role == PRVCUT_ROLE_CALLER_LINE };
    return true;
}

void perfetto_calls_leave(struct perfetto_writing *w, uint64_t time, uint32_t thread)
{
    struct perfetto_thread *t = &w->thread[thread];
    struct perfetto_frame *f;

    if (t->open < t->frames && t->frame[t->open].end != time)
        perfetto_calls_flush(w, thread);
    if (t->open == 0)
        return;
    f = &t->frame[--t->open];
    f->end = time;
    perfetto_slice_end(&t->calls, &f->slice, time);
    f->tally = t->tally;
    t->tally = (struct perfetto_tally){ 0 };
    /* Of two with the same times, readers take the first for the outer one. */
    if (t->open == 0 || t->frame[t->open - 1].call.time < f->call.time)
        perfetto_calls_flush(w, thread);
}
