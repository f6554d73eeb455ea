#include "analysis/counted.h"
#include "analysis/profile/profile_add.h"
#include "analysis/profile/profile_functions.h"
#include "analysis/profile/profile_left.h"
#include "analysis/profile/profile_meet.h"
#include "analysis/profile/profile_off.h"
#include "analysis/profile/profile_pace.h"
#include "analysis/profile/profile_rest.h"
#include "base/memory.h"
#include "follow/follow.h"

#include <stdlib.h>
#include <string.h>

/* One reading. */
struct profile_reader {
    struct prvcut_profile_found *out;
    const struct prvcut_profile_asked *asked;
    struct prvcut_profile_adder joins; /* where parts are joined */
    struct prvcut_counted_read *read;  /* [threads] */
    struct prvcut_profile_lefts left;
    bool nests;  /* calls nest: their time is told piece by piece */
    bool ending; /* what is told now lasts to the end */
};

/* What a worker that listens to records adds up, besides calls. */
struct profile_worker {
    struct prvcut_profile_adder adder;
    struct prvcut_rows counters;
};

/* --- Calls ------------------------------------------------------------------------------------ */

static enum prvcut_status pps_closed(void *ctx, void *adder, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    struct profile_reader *r = ctx;

    if (f->no_begin) {
        __atomic_fetch_add(&r->out->lost, 1, __ATOMIC_RELAXED);
        prvcut_profile_lost(&((struct prvcut_profile_adder *)adder)->reach[f->thread], f->span.end,
                            f->type);
        return PRVCUT_OK;
    }
    if (f->no_end)
        return prvcut_profile_lefts_call(&r->left, f, err);
    return prvcut_profile_call(adder, r->out,
                               &(struct prvcut_profile_call){ .span = f->span,
                                                              .thread = f->thread,
                                                              .type = f->type,
                                                              .value = f->value,
                                                              .by_part = r->nests },
                               err);
}

static enum prvcut_status pps_spent(void *ctx, void *adder, uint32_t thread,
                                    const struct prvcut_frame *in, struct prvcut_span span,
                                    struct prvcut_error *err)
{
    struct profile_reader *r = ctx;

    if (!in || in->value == 0)
        return PRVCUT_OK;
    if (r->ending)
        return prvcut_profile_lefts_spent(&r->left, thread, in, span, err);
    return prvcut_profile_spend(adder, r->out, thread,
                                (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, in->type, in->value },
                                span, err);
}

static enum prvcut_status pps_adder(void *ctx, void *adder, struct prvcut_error *err)
{
    return prvcut_profile_adder_init(adder, ((struct profile_reader *)ctx)->out, err);
}

static void pps_adder_fini(void *adder)
{
    prvcut_profile_adder_fini(adder);
}

static enum prvcut_status pps_merge_calls(void *ctx, void *adder, struct prvcut_error *err)
{
    return prvcut_profile_merge(((struct profile_reader *)ctx)->out, adder, err);
}

/* What ends before any call has begun was open from the thread's first record on. */
static enum prvcut_status pps_open_before(struct profile_reader *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < r->out->threads && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_reach *t = &r->out->reach[i];

        if (!t->ends || t->first >= t->lost || (t->calls && t->begins < t->lost))
            continue;
        r->out->lost--;
        st = prvcut_profile_call(&r->joins, r->out,
                                 &(struct prvcut_profile_call){ .span = { t->first, t->lost },
                                                                .thread = i,
                                                                .type = t->type,
                                                                .value = PRVCUT_PROFILE_NAMELESS,
                                                                .before = true },
                                 err);
    }
    return st;
}

/* --- All else --------------------------------------------------------------------------------- */

static enum prvcut_status pps_worker(void *ctx, void *room, struct prvcut_error *err)
{
    const struct profile_reader *r = ctx;
    struct profile_worker *w = room;
    enum prvcut_status st = prvcut_profile_adder_init(&w->adder, r->out, err);

    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->counters, r->out->threads, err);
    return st;
}

static void pps_worker_fini(void *room)
{
    struct profile_worker *w = room;

    prvcut_profile_adder_fini(&w->adder);
    prvcut_rows_fini(&w->counters);
}

static enum prvcut_status pps_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    (void)number, (void)ctx, (void)part, (void)err;
    prvcut_rows_begin(&((struct profile_worker *)worker)->counters);
    return PRVCUT_OK;
}

static enum prvcut_status pps_states(struct profile_reader *r, struct profile_worker *w,
                                     const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->states && st == PRVCUT_OK; i++) {
        const struct prvcut_state *s = &b->state[i];

        st = prvcut_profile_spend(&w->adder, r->out, s->thread,
                                  (struct prvcut_proof_key){ PRVCUT_PROOF_STATE, s->number, 0 },
                                  (struct prvcut_span){ s->begin, s->end }, err);
        w->adder.any |= s->running && s->begin < s->end ? PRVCUT_PROFILE_ANY_RUNNING : 0;
        if (s->begin < s->end)
            prvcut_profile_seen(&w->adder, r->out, s->thread, s->begin, s->end);
    }
    return st;
}

static enum prvcut_status pps_message(struct profile_reader *r, struct profile_worker *w,
                                      uint32_t thread, uint32_t end, uint64_t time, uint64_t size,
                                      struct prvcut_error *err)
{
    w->adder.any |=
        end == PRVCUT_PROFILE_SENT ? PRVCUT_PROFILE_ANY_SENT : PRVCUT_PROFILE_ANY_RECEIVED;
    return prvcut_profile_happen(&w->adder, r->out, thread,
                                 (struct prvcut_proof_key){ PRVCUT_PROOF_MESSAGE, end, 0 }, time,
                                 size, err);
}

static enum prvcut_status pps_messages(struct profile_reader *r, struct profile_worker *w,
                                       const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++) {
        const struct prvcut_message *m = &b->message[i];

        st = pps_message(r, w, m->sender, PRVCUT_PROFILE_SENT, m->logical_send, m->size, err);
        if (st == PRVCUT_OK)
            st = pps_message(r, w, m->receiver, PRVCUT_PROFILE_RECEIVED, m->physical_receive,
                             m->size, err);
    }
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++) {
        const struct prvcut_half *h = &b->half[i];

        st =
            pps_message(r, w, h->thread, h->receive ? PRVCUT_PROFILE_RECEIVED : PRVCUT_PROFILE_SENT,
                        h->time, h->size, err);
    }
    return st;
}

/* Where a counter's value goes. */
struct profile_to {
    const struct prvcut_profile_found *f;
    struct prvcut_profile_adder *adder;
    bool outside; /* what was counted in calls is left out */
};

/* Is the i-th read at the end of a call? Tracers read counters where calls begin and end: of what
   happens to the thread at that instant, the first begin or end of a call tells. */
static bool pps_ends_call(const struct prvcut_batch *b, size_t i)
{
    const struct prvcut_event *e = &b->event[i];
    size_t at = i;

    while (at > 0 && b->event[at - 1].thread == e->thread && b->event[at - 1].time == e->time)
        at--;
    for (; at < b->events && b->event[at].thread == e->thread && b->event[at].time == e->time; at++)
        if (PRVCUT_ROLES_MPI >> b->event[at].role & 1)
            return b->event[at].value == 0;
    return false;
}

static enum prvcut_status pps_counted(void *ctx, const struct prvcut_counted *c,
                                      struct prvcut_error *err)
{
    const struct profile_to *to = ctx;

    to->adder->any |= PRVCUT_PROFILE_ANY_COUNTER;
    if (c->in_call && to->outside)
        return PRVCUT_OK;
    return prvcut_profile_divide(to->adder, to->f, c->thread,
                                 prvcut_proof_key_counter(c->type, c->role), c->span, c->value,
                                 err);
}

static enum prvcut_status pps_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_worker *w = worker;
    struct profile_to to = { r->out, &w->adder, r->asked->outside };
    enum prvcut_status st = pps_states(r, w, b, err);

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];
        struct prvcut_counted c;

        if (e->head)
            prvcut_profile_seen(&w->adder, r->out, e->thread, e->time, e->time);
        if (!(PRVCUT_ROLES_COUNTED >> e->role & 1))
            continue;
        st = prvcut_counted_step(&w->counters, part, e, to.outside && pps_ends_call(b, i), &c, err);
        st = st == PRVCUT_OK ? pps_counted(&to, &c, err) : st == PRVCUT_END ? PRVCUT_OK : st;
    }
    return st == PRVCUT_OK ? pps_messages(r, w, b, err) : st;
}

static enum prvcut_status pps_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_to to = { r->out, &r->joins, r->asked->outside };

    return prvcut_counted_join(r->read, part, pps_counted, &to, err);
}

static void pps_clear(void *part)
{
    prvcut_counted_part_clear(part);
}

static void pps_part_fini(void *part)
{
    prvcut_counted_part_fini(part);
}

/* Before who follows calls is told so. */
static enum prvcut_status pps_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;

    (void)err;
    r->ending = true;
    r->out->end_ns = end_ns;
    return PRVCUT_OK;
}

static enum prvcut_status pps_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    const struct profile_worker *w = worker;

    return prvcut_profile_merge(r->out, &w->adder, err);
}

/* --- The reading ------------------------------------------------------------------------------ */

static enum prvcut_status pps_run(struct profile_reader *r, struct prvcut_trace *t,
                                  const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_follow_options calls = {
        .roles = PRVCUT_ROLES_MPI,
        .how = r->nests ? PRVCUT_FOLLOW_NESTED : PRVCUT_FOLLOW_SINGLE,
        .worker = { sizeof(struct prvcut_profile_adder), "workers", pps_adder, pps_adder_fini },
        .ctx = r,
        .closed = pps_closed,
        .spent = r->nests ? pps_spent : NULL,
        .merge = pps_merge_calls,
    };
    const struct prvcut_listener records = {
        .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
        .states = true,
        .messages = true,
        .ctx = r,
        .worker = { sizeof(struct profile_worker), "workers", pps_worker, pps_worker_fini },
        .part = { sizeof(struct prvcut_counted_part), "a part", NULL, pps_part_fini },
        .begin = pps_begin,
        .batch = pps_batch,
        .join = pps_join,
        .clear = pps_clear,
        .end = pps_end,
        .merge = pps_merge,
    };
    const struct prvcut_listener *listener[5 + PRVCUT_PROFILE_FUNCTION_LISTENERS] = { &records };
    const bool functions = r->asked->functions;
    struct prvcut_profile_functions *f = NULL;
    struct prvcut_profile_rest *rest = NULL;
    struct prvcut_profile_off *off = NULL;
    struct prvcut_profile_pace *pace = NULL;
    const struct prvcut_span *only = r->asked->only.end > 0 ? &r->asked->only : NULL;
    struct prvcut_counts counts = { .skipped = 0 };
    size_t listeners = 2;
    struct prvcut_follow *follow;
    enum prvcut_status st = prvcut_follow_new(&follow, t, &calls, err);

    if (st == PRVCUT_OK && functions)
        st = prvcut_profile_functions_new(&f, t, r->out, r->asked->lines, err);
    if (st == PRVCUT_OK)
        listener[1] = prvcut_follow_listener(follow);
    if (st == PRVCUT_OK && functions) {
        prvcut_profile_functions_listeners(f, listener + listeners);
        listeners += PRVCUT_PROFILE_FUNCTION_LISTENERS;
    }
    if (st == PRVCUT_OK && r->out->rests) {
        st = prvcut_profile_rest_new(&rest, r->out, err);
        listener[listeners++] = st == PRVCUT_OK ? prvcut_profile_rest_listener(rest) : NULL;
    }
    if (st == PRVCUT_OK && r->asked->off) {
        st = prvcut_profile_off_new(&off, r->out, err);
        listener[listeners++] = st == PRVCUT_OK ? prvcut_profile_off_listener(off) : NULL;
    }
    if (st == PRVCUT_OK && r->asked->pace) {
        st = prvcut_profile_pace_new(&pace, t, r->out, err);
        listener[listeners++] = st == PRVCUT_OK ? prvcut_profile_pace_listener(pace) : NULL;
    }
    if (st == PRVCUT_OK)
        st = prvcut_pass_run(t, run, only, listener, listeners, only ? NULL : &counts, err);
    r->out->skipped = counts.skipped;
    prvcut_follow_free(follow);
    if (st == PRVCUT_OK && functions)
        st = prvcut_profile_functions_end(f, err);
    prvcut_profile_functions_free(f);
    if (st == PRVCUT_OK && rest)
        st = prvcut_profile_rest_end(rest, err);
    prvcut_profile_rest_free(rest);
    if (st == PRVCUT_OK && off)
        st = prvcut_profile_off_end(off, err);
    prvcut_profile_off_free(off);
    if (st == PRVCUT_OK && pace)
        st = prvcut_profile_pace_end(pace, err);
    prvcut_profile_pace_free(pace);
    if (st == PRVCUT_OK)
        st = pps_open_before(r, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_lefts_close(&r->left, &r->joins, r->out, r->nests, err);
    return st == PRVCUT_OK ? prvcut_profile_merge(r->out, &r->joins, err) : st;
}

enum prvcut_status prvcut_profile_begin(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                        const struct prvcut_profile_asked *asked,
                                        struct prvcut_error *err)
{
    const size_t threads = (size_t)t->objects.threads + 1;
    enum prvcut_status st;

    *f = (struct prvcut_profile_found){
        .cell = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
        .bin = PRVCUT_TABLE(struct prvcut_profile_bin, count, "lengths of calls"),
        .rest = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
        .off = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
        .pace = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
        .paces = PRVCUT_TABLE(struct prvcut_profile_paces, count, "counters"),
        .met = PRVCUT_TABLE(struct prvcut_profile_met, waiting, "sums"),
        .meets = asked->met,
        .threads = t->objects.threads,
        .until = asked->until,
        .bins = asked->bins,
        .binned = !asked->bins        ? 0
                  : asked->binned > 0 ? (uint32_t)asked->binned
                                      : (uint32_t)asked->stretches,
        .told = t->reader->by_thread && !t->states_recorded,
        .apart = threads <= (asked->stretches > 1 ? PRVCUT_PROFILE_APART / asked->stretches
                                                  : PRVCUT_PROFILE_SINGLE),
    };
    f->rests = asked->rest && f->apart && !f->told;
    st = t->reader->describe(t, &f->names, err);
    if (st == PRVCUT_OK)
        st = prvcut_proof_cells_init(&f->cells, asked->stretch, asked->stretches, f->threads, err);
    f->reach = prvcut_zeroed(threads, sizeof *f->reach, "threads", err);
    return f->reach ? st : PRVCUT_ENOMEM;
}

static enum prvcut_status pps_init(struct profile_reader *r, struct prvcut_trace *t,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_profile_begin(r->out, t, r->asked, err);

    r->read = prvcut_zeroed((size_t)r->out->threads + 1, sizeof *r->read, "threads", err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_adder_init(&r->joins, r->out, err);
    return r->read ? st : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_profile_read(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                       const struct prvcut_run *run,
                                       const struct prvcut_profile_asked *asked,
                                       struct prvcut_error *err)
{
    struct profile_reader r = { .out = f, .asked = asked, .nests = t->reader->by_thread };
    enum prvcut_status st = pps_init(&r, t, err);

    if (st == PRVCUT_OK)
        st = pps_run(&r, t, run, err);
    if (st == PRVCUT_OK && asked->met)
        st = prvcut_profile_meet(&f->met, t, run, f, err);
    prvcut_profile_adder_fini(&r.joins);
    free(r.read);
    prvcut_profile_lefts_fini(&r.left);
    return st;
}
