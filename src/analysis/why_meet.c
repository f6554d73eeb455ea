#include "analysis/why_meet.h"

#include "analysis/proof_keys.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "follow/part.h"
#include "match/members.h"
#include "model/calls.h"
#include "stream/stream.h"

#include <math.h>
#include <stdlib.h>

/* Calls and states, each, that are looked at: an iteration of more is not looked into. */
#define AROUND_MOST ((size_t)1 << 21)
/* Of a call: a smaller part is what it takes once all have come, where somebody was late. */
#define WME_RIGHT_AFTER 8

/* --- Calls ------------------------------------------------------------------------------------ */

/* All threads before this one have had all of theirs. */
static void wme_go_to(struct why_around *a, uint32_t thread)
{
    for (; a->thread < thread; a->thread++) {
        a->first[a->thread + 1] = a->calls;
        prvcut_stack_clear(&a->functions.open);
    }
}

static enum prvcut_status wme_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                   struct prvcut_error *err)
{
    const struct prvcut_mpi_call *kind = prvcut_mpi_call_by_value(c->type, c->value);
    struct why_around *a = ctx;
    struct why_call call = { .span = c->span,
                             .key = { PRVCUT_PROOF_CALL, c->type, c->value },
                             .communicator = PRVCUT_NOBODY,
                             .role = (uint8_t)c->role,
                             .nonblocking = kind && kind->nonblocking,
                             .no_begin = c->no_begin,
                             .no_end = c->no_end };

    a->in_call = begins;
    a->too_much |= a->calls == AROUND_MOST;
    if (!begins || a->too_much)
        return PRVCUT_OK;
    wme_go_to(a, c->thread);
    prvcut_proof_key_settle(&call.key, a->of->names);
    if (a->functions.open.count > 0) {
        const struct prvcut_frame *f = &a->functions.open.at[a->functions.open.count - 1];

        call.code = (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, f->type, f->value };
    }
    if (prvcut_grow((void **)&a->call, &a->call_room, a->calls + 1, sizeof *a->call, err) < 0)
        return PRVCUT_ENOMEM;
    a->call[a->calls++] = call;
    return PRVCUT_OK;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* asked: of the call in question; others have half of the room */
static enum prvcut_status wme_meet(struct why_around *a, struct why_met met, bool asked,
                                   struct prvcut_error *err)
{
    a->too_much |= a->mets == AROUND_MOST;
    a->one_only |= !asked && a->mets >= AROUND_MOST / 2;
    if (met.time == PRVCUT_NEVER || met.other == PRVCUT_NOBODY || a->too_much ||
        (!asked && a->one_only))
        return PRVCUT_OK;
    if (prvcut_grow((void **)&a->met, &a->met_room, a->mets + 1, sizeof *a->met, err) < 0)
        return PRVCUT_ENOMEM;
    a->met[a->mets++] = met;
    return PRVCUT_OK;
}

/* When a thread came to its part: at the begin of the call that is it, where that is known. */
static uint64_t wme_came(const struct prvcut_stream_call *in, uint64_t time)
{
    return in && time != PRVCUT_NEVER ? in->span.start : time;
}

static bool wme_is_asked(const struct why_around *a, const struct prvcut_stream_call *c)
{
    struct prvcut_proof_key key;

    if (c->thread != a->of->thread)
        return false;
    key = (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, c->type, c->value };
    prvcut_proof_key_settle(&key, a->of->names);
    return why_same_call(&key, &a->of->call);
}

/* Is it sent by a call that does not wait for that? */
static bool wme_goes_on(const struct prvcut_stream_message *m)
{
    const struct prvcut_mpi_call *kind =
        m->send ? prvcut_mpi_call_by_value(m->send->type, m->send->value) : NULL;

    return kind && kind->state == PRVCUT_STATE_IMMEDIATE_SEND && m->completed != PRVCUT_NEVER;
}

static enum prvcut_status wme_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    struct why_around *a = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (!begins)
        return PRVCUT_OK;
    /* Clocks may say that it is sent once it is complete. */
    if (m->complete) {
        const uint64_t came = wme_came(m->send, m->sent), end = m->complete->span.end;
        const bool after = came != PRVCUT_NEVER && came > end;

        if (after && came - end > a->apart)
            a->apart = came - end;
        st = wme_meet(a,
                      (struct why_met){ m->complete->span.start, after ? end : came, 0, m->size,
                                        m->complete->thread, m->sender },
                      wme_is_asked(a, m->complete), err);
    }
    if (st == PRVCUT_OK && m->send)
        st = wme_meet(a,
                      (struct why_met){ m->send->span.start, wme_came(m->post, m->posted),
                                        wme_goes_on(m) ? m->completed : 0, m->size, m->send->thread,
                                        m->receiver },
                      wme_is_asked(a, m->send) || (wme_goes_on(m) && m->sender == a->of->thread),
                      err);
    return st;
}

/* --- What else is recorded -------------------------------------------------------------------- */

static enum prvcut_status wme_add_span(struct why_around *a, struct why_span span,
                                       struct prvcut_error *err)
{
    a->too_much |= a->spans == AROUND_MOST;
    if (a->too_much)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&a->span, &a->span_room, a->spans + 1, sizeof *a->span, err) < 0)
        return PRVCUT_ENOMEM;
    a->span[a->spans++] = span;
    return PRVCUT_OK;
}

static enum prvcut_status wme_state(struct why_around *a, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    const bool off = i->state.number == PRVCUT_STATE_TRACING_DISABLED;

    a->running |= i->state.running;
    if (!off && !i->state.running)
        return PRVCUT_OK;
    return wme_add_span(a,
                        (struct why_span){ .span = { i->time, i->state.end },
                                           .thread = i->thread,
                                           .kind = off ? WHY_OFF_STATE : WHY_RUNNING },
                        err);
}

/* Tracing is switched off, for good as far as is known, or on again. */
static enum prvcut_status wme_switch(struct why_around *a, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    struct why_span *last = NULL;

    for (size_t n = a->spans; n > 0 && !last && a->span[n - 1].thread == i->thread; n--)
        if (a->span[n - 1].kind == WHY_OFF_EVENT)
            last = &a->span[n - 1];
    if (last && last->span.end == UINT64_MAX) {
        last->span.end = i->event.value != 0 ? i->time : UINT64_MAX;
        return PRVCUT_OK;
    }
    if (i->event.value != 0)
        return PRVCUT_OK;
    return wme_add_span(a,
                        (struct why_span){ .span = { i->time, UINT64_MAX },
                                           .thread = i->thread,
                                           .kind = WHY_OFF_EVENT },
                        err);
}

/* A counter is read: what all its readings before counted, too. */
static enum prvcut_status wme_counts(struct why_around *a, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    struct why_read *last = a->reads > 0 ? &a->read[a->reads - 1] : NULL;
    const bool first = !last || last->thread != i->thread;
    const bool cycles = i->role == PRVCUT_ROLE_CYCLES;
    double *sum = cycles ? &a->cycles : &a->instructions;

    a->too_much |= a->reads == AROUND_MOST;
    if (a->too_much)
        return PRVCUT_OK;
    if (first)
        a->instructions = a->cycles = 0;
    *sum += i->event.value > 0 ? (double)i->event.value : 0;
    if (first || last->time != i->time) {
        if (prvcut_grow((void **)&a->read, &a->read_room, a->reads + 1, sizeof *a->read, err) < 0)
            return PRVCUT_ENOMEM;
        last = &a->read[a->reads++];
        *last = (struct why_read){ i->time, i->thread, NAN, NAN };
    }
    *(cycles ? &last->cycles : &last->instructions) = *sum;
    return PRVCUT_OK;
}

/* What the line of a collective's begin tells of it. */
static void wme_detail(struct why_around *a, const struct prvcut_item *i)
{
    struct why_call *c = a->in_call && a->calls > 0 ? &a->call[a->calls - 1] : NULL;

    if (!c || c->role != PRVCUT_ROLE_COLLECTIVE || c->span.start != i->time)
        return;
    if (i->role == PRVCUT_ROLE_COMMUNICATOR)
        c->communicator = (uint32_t)i->event.value;
    if (i->role == PRVCUT_ROLE_ROOT)
        c->root = i->event.value == 1;
}

static enum prvcut_status wme_closed(void *ctx, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    (void)ctx, (void)f, (void)err;
    return PRVCUT_OK;
}

static const struct prvcut_follow_rules wme_nested = { .how = PRVCUT_FOLLOW_NESTED,
                                                       .in_order = true,
                                                       .closed = wme_closed };

static enum prvcut_status wme_function(struct why_around *a, const struct prvcut_item *i,
                                       struct prvcut_error *err)
{
    const struct prvcut_step step = { .time = i->time,
                                      .value = i->event.value,
                                      .type = i->event.type,
                                      .thread = i->thread,
                                      .role = (uint8_t)i->role };

    wme_go_to(a, i->thread);
    a->functions.thread = i->thread;
    return prvcut_follow_on(NULL, &a->functions, &wme_nested, a, &step, err) < 0 ? PRVCUT_ENOMEM
                                                                                 : PRVCUT_OK;
}

/* Who makes the call that begins here; who calls that one is not asked for. */
static void wme_caller(struct why_around *a, const struct prvcut_item *i)
{
    struct why_call *c = a->in_call && a->calls > 0 ? &a->call[a->calls - 1] : NULL;

    if (c && c->span.start == i->time && i->event.type == PRVCUT_TYPE_CALLER && i->event.value > 0)
        c->code = (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, i->event.type, i->event.value };
}

static enum prvcut_status wme_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct why_around *a = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t n = 0; n < count && st == PRVCUT_OK; n++) {
        if (item[n].kind == PRVCUT_ITEM_STATE)
            st = wme_state(a, &item[n], err);
        else if (item[n].kind == PRVCUT_ITEM_EVENT && item[n].role == PRVCUT_ROLE_TRACING)
            st = wme_switch(a, &item[n], err);
        else if (item[n].kind == PRVCUT_ITEM_EVENT && item[n].role == PRVCUT_ROLE_CALLER)
            wme_caller(a, &item[n]);
        else if (item[n].kind == PRVCUT_ITEM_EVENT &&
                 (item[n].role == PRVCUT_ROLE_CYCLES || item[n].role == PRVCUT_ROLE_INSTRUCTIONS))
            st = wme_counts(a, &item[n], err);
        else if (item[n].kind == PRVCUT_ITEM_EVENT &&
                 item[n].event.type == PRVCUT_TYPE_USER_FUNCTION)
            st = wme_function(a, &item[n], err);
        else if (item[n].kind == PRVCUT_ITEM_EVENT)
            wme_detail(a, &item[n]);
    }
    return st;
}

/* --- The reading ------------------------------------------------------------------------------ */

enum prvcut_status why_around_read(struct why_around *a, struct prvcut_trace *t,
                                   const struct prvcut_run *run,
                                   const struct prvcut_why_meeting *of, uint64_t before,
                                   struct prvcut_error *err)
{
    const uint64_t half = (of->iteration.end - of->iteration.start) / 2;
    const uint64_t start = of->iteration.start > before ? of->iteration.start - before : 0;
    const struct prvcut_stream_sink sink = {
        .ctx = a, .records = wme_records, .call = wme_call, .message = wme_message
    };
    const struct prvcut_stream_plan plan = {
        .trace = t,
        .run = run,
        .only = { start, of->iteration.end + half },
        .by_thread = true,
        .states = true,
        .near = true,
        .phase = PRVCUT_PHASE_COMPARING,
    };
    enum prvcut_status st = PRVCUT_ENOMEM;

    *a = (struct why_around){ .trace = t, .of = of, .window = plan.only };
    a->first = prvcut_zeroed((size_t)t->objects.threads + 2, sizeof *a->first, "threads", err);
    if (a->first)
        st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err);
    if (st == PRVCUT_OK)
        wme_go_to(a, t->objects.threads);
    return st;
}

void why_around_fini(struct why_around *a)
{
    free(a->call);
    free(a->first);
    free(a->met);
    free(a->span);
    free(a->read);
    prvcut_stack_fini(&a->functions.open);
}

/* --- Collectives ------------------------------------------------------------------------------ */

/* Two threads' sequences of collectives, of the communicator of the one in question; in between
   are others. */
struct wme_sequences {
    const struct why_around *around;
    const struct why_call *like;
    uint32_t thread[2];
};

/* It began before the window, and there stands which call it is, and of which communicator: all
   that is seen of it is 0, whether the trace has a name for that or not. */
static bool wme_is_unseen(const struct why_call *c)
{
    return c->no_begin && (c->key.value == INT64_MIN || c->key.value == 0) &&
           c->communicator == PRVCUT_NOBODY;
}

static bool wme_belongs(const struct why_call *c, const struct why_call *to)
{
    const bool any = wme_is_unseen(c);

    return c->role == PRVCUT_ROLE_COLLECTIVE && (any || c->communicator == to->communicator) &&
           c->nonblocking == to->nonblocking;
}

static const void *wme_next(const void *ctx, unsigned member, const void *after)
{
    const struct wme_sequences *s = ctx;
    const struct why_around *a = s->around;
    const struct why_call *at = after ? (const struct why_call *)after + 1
                                      : a->call + a->first[s->thread[member]],
                          *end = a->call + a->first[s->thread[member] + 1];

    while (at < end && !wme_belongs(at, s->like))
        at++;
    return at < end ? at : NULL;
}

static enum prvcut_clock_flow wme_flow(const struct why_call *c)
{
    const struct prvcut_mpi_call *kind = prvcut_mpi_call_by_value(c->key.type, c->key.value);

    return kind && !c->nonblocking ? kind->flow : PRVCUT_CLOCK_NONE;
}

/* May two threads' calls be the same collective? */
static bool wme_fit(const void *ctx, const void *one, const void *other)
{
    const struct why_call *a = one, *b = other;
    const bool all = wme_flow(a) == PRVCUT_CLOCK_ALL || wme_flow(b) == PRVCUT_CLOCK_ALL;

    (void)ctx;
    return (why_same_call(&a->key, &b->key) || wme_is_unseen(a) || wme_is_unseen(b)) &&
           (!all || (a->span.start <= b->span.end && b->span.start <= a->span.end));
}

/* Without its other thread's part only what reaches out of the window can be. */
static bool wme_may_be_alone(const void *ctx, const void *call, bool at_end)
{
    const struct why_call *c = call;

    (void)ctx;
    return wme_flow(c) != PRVCUT_CLOCK_ALL || (at_end ? c->no_end : c->no_begin);
}

/* Threads of the communicator that are to take part; those of no list: all tasks. */
static uint32_t wme_expected(const struct prvcut_objects *o, uint32_t application,
                             uint32_t communicator)
{
    for (uint32_t i = 0; communicator != PRVCUT_NOBODY && i < o->communicators; i++)
        if (o->communicator[i].application == application && o->communicator[i].id == communicator)
            return o->communicator[i].count;
    return o->application_first_task[application + 1] - o->application_first_task[application];
}

/* Of a thread's calls that may be of that communicator, the first that begins by its own
   iteration's begin or later; NULL: none is seen. */
static const struct why_call *wme_own(const struct wme_sequences *s, unsigned member)
{
    const uint64_t begin = s->around->of->own[s->thread[member]];
    const struct why_call *c = wme_next(s, member, NULL);

    while (c && (c->span.start < begin || wme_is_unseen(c)))
        c = wme_next(s, member, c);
    return c;
}

/* May they be the same collective, as its data flows? Nobody is out of it before the root has
   begun, or the root before anybody has. */
static bool wme_may_flow(const struct why_call *a, const struct why_call *b)
{
    const enum prvcut_clock_flow flow = wme_flow(a);
    const struct why_call *root = a->root ? a : b, *other = a->root ? b : a;

    if (a->root == b->root)
        return !a->root;
    return flow == PRVCUT_CLOCK_FROM_ROOT ? root->span.start <= other->span.end
           : flow == PRVCUT_CLOCK_TO_ROOT ? other->span.start <= root->span.end
                                          : true;
}

/* The part in a call of who begins its own iteration with the same ones, all of which may be one
   collective each; NULL: it is not known. */
static const struct why_call *wme_own_part(const struct wme_sequences *s,
                                           const struct why_call *call)
{
    const struct why_call *a = s->around->of->own ? wme_own(s, 0) : NULL,
                          *b = a ? wme_own(s, 1) : NULL, *part = NULL;

    for (; a && b; a = wme_next(s, 0, a), b = wme_next(s, 1, b)) {
        if (!wme_fit(s, a, b) || !wme_may_flow(a, b))
            return NULL;
        part = a == call ? b : part;
    }
    return part;
}

/* The other thread's part in a thread's collective; NULL: it is not known. */
static const struct why_call *wme_part(const struct wme_sequences *s, const struct why_call *call)
{
    const struct prvcut_members both = { s, wme_next, wme_fit, wme_may_be_alone };
    const struct why_call *part = prvcut_members_part(&both, call);

    return part ? part : wme_own_part(s, call);
}

/* The later one of those that a call waits for. */
static void wme_take(struct why_came *came, const struct why_call *part, uint32_t thread,
                     const struct why_call *call)
{
    const uint64_t half = (call->span.end - call->span.start) / 2;

    if (part->span.start < came->time)
        return;
    came->time = part->span.start < call->span.end ? part->span.start : call->span.end;
    came->thread = thread;
    came->left = wme_flow(call) == PRVCUT_CLOCK_ALL && why_overlap(part->span, call->span) < half &&
                 (came->time < call->span.start + half || part->span.end + half < call->span.end);
}

/* Who is the last to come right before a call ends is waited for, whether that must be or not. */
static bool wme_ends_with(const struct why_came *last, const struct why_call *call)
{
    const uint64_t ns = call->span.end - call->span.start;

    return last->time > call->span.start && last->time < call->span.end &&
           WME_RIGHT_AFTER * (call->span.end - last->time) < ns;
}

struct why_came why_by_collective(const struct why_around *a, uint32_t thread,
                                  const struct why_call *call, struct why_came *last)
{
    const struct prvcut_objects *o = &a->trace->objects;
    const uint32_t application = prvcut_objects_application(o, o->thread_task[thread]);
    const enum prvcut_clock_flow flow = wme_flow(call);
    const bool all = flow == PRVCUT_CLOCK_ALL || (flow == PRVCUT_CLOCK_TO_ROOT && call->root);
    const bool nobody =
        flow == PRVCUT_CLOCK_TO_ROOT || (flow == PRVCUT_CLOCK_FROM_ROOT && call->root);
    struct why_came came = { .known = true };
    uint32_t members = 1;
    bool root = false;

    *last = (struct why_came){ .known = false };
    if (flow == PRVCUT_CLOCK_NONE)
        return (struct why_came){ .known = false };
    for (uint32_t i = 0; i < o->threads; i++) {
        const struct wme_sequences s = { a, call, { thread, i } };
        const struct why_call *part;

        if (i == thread || !wme_next(&s, 1, NULL) ||
            prvcut_objects_application(o, o->thread_task[i]) != application)
            continue;
        part = wme_part(&s, call);
        if (!part)
            return (struct why_came){ .known = nobody && !all };
        members++;
        root |= part->root;
        wme_take(last, part, i, call);
        if (all || (part->root && !nobody))
            wme_take(&came, part, i, call);
    }
    last->known =
        members >= wme_expected(o, application, call->communicator) && wme_ends_with(last, call);
    came.known = all ? members >= wme_expected(o, application, call->communicator) : nobody || root;
    return came;
}
