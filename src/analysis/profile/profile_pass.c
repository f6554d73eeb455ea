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
#include "follow/part.h"

#include <stdlib.h>
#include <string.h>

/* One reading. */
struct profile_reader {
    const struct prvcut_trace *trace;
    struct prvcut_profile_found *out;
    const struct prvcut_profile_asked *asked;
    struct prvcut_profile_adder joins; /* where parts are joined */
    struct prvcut_counted_read *read;  /* [threads] */
    struct prvcut_profile_lefts left;
    struct prvcut_follow_carry calls; /* where they do not nest */
    struct prvcut_profile_rest *rest; /* NULL: it is not wanted */
    bool nests;                       /* calls nest: their time is told piece by piece */
    bool ending;                      /* what is told now lasts to the end */
};

/* What a worker adds up; calls that nest have an adder of their own. */
struct profile_worker {
    struct prvcut_profile_adder adder;
    struct prvcut_rows counters, calls, rest;
};

/* A part, zeroed to begin with. */
struct profile_part {
    struct prvcut_counted_part counters;
    struct prvcut_follow_part calls;
    struct prvcut_profile_rest_part rest;
};

/* --- Calls ------------------------------------------------------------------------------------ */

static inline enum prvcut_status pps_call(struct profile_reader *r,
                                          struct prvcut_profile_adder *adder,
                                          const struct prvcut_followed *f, struct prvcut_error *err)
{
    if (f->no_begin) {
        __atomic_fetch_add(&r->out->lost, 1, __ATOMIC_RELAXED);
        prvcut_profile_lost(&adder->reach[f->thread], f->span.end, f->type);
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

static enum prvcut_status pps_closed(void *ctx, void *adder, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    return pps_call(ctx, adder, f, err);
}

/* Where a call that does not nest is told. */
struct profile_calls {
    struct profile_reader *r;
    struct prvcut_profile_adder *adder;
};

static inline enum prvcut_status pps_told(void *ctx, const struct prvcut_followed *f,
                                          struct prvcut_error *err)
{
    const struct profile_calls *to = ctx;

    return pps_call(to->r, to->adder, f, err);
}

static const struct prvcut_follow_rules pps_rules = { .how = PRVCUT_FOLLOW_SINGLE,
                                                      .closed = pps_told };

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
    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->calls, r->out->threads, err);
    return st == PRVCUT_OK ? prvcut_rows_init(&w->rest, r->out->threads, err) : st;
}

static void pps_worker_fini(void *room)
{
    struct profile_worker *w = room;

    prvcut_profile_adder_fini(&w->adder);
    prvcut_rows_fini(&w->counters);
    prvcut_rows_fini(&w->calls);
    prvcut_rows_fini(&w->rest);
}

static enum prvcut_status pps_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    struct profile_worker *w = worker;

    (void)number, (void)ctx, (void)part, (void)err;
    prvcut_rows_begin(&w->counters);
    prvcut_rows_begin(&w->calls);
    prvcut_rows_begin(&w->rest);
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
        const uint32_t *task = r->trace->objects.thread_task;

        prvcut_causality_note(&w->adder.order, r->trace,
                              (struct prvcut_happening){ m->logical_send, task[m->sender] },
                              (struct prvcut_happening){ m->physical_receive, task[m->receiver] });
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

static inline enum prvcut_status pps_counter(struct profile_reader *r, struct profile_worker *w,
                                             struct profile_part *p, const struct prvcut_batch *b,
                                             size_t i, struct prvcut_error *err)
{
    struct profile_to to = { r->out, &w->adder, r->asked->outside };
    struct prvcut_counted c;
    const enum prvcut_status st = prvcut_counted_step(&w->counters, &p->counters, &b->event[i],
                                                      to.outside && pps_ends_call(b, i), &c, err);

    return st == PRVCUT_OK ? pps_counted(&to, &c, err) : st == PRVCUT_END ? PRVCUT_OK : st;
}

static inline uint32_t pps_sizes(const struct profile_reader *r)
{
    return r->asked->together ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_SIZE) : 0;
}

/* Sent or received in a collective. */
static enum prvcut_status pps_size(struct profile_reader *r, struct profile_worker *w,
                                   const struct prvcut_event *e, struct prvcut_error *err)
{
    const struct prvcut_proof_key key = { PRVCUT_PROOF_MESSAGE, PRVCUT_PROFILE_TOGETHER, 0 };

    w->adder.any |= PRVCUT_PROFILE_ANY_TOGETHER;
    return prvcut_profile_happen(&w->adder, r->out, e->thread, key, e->time,
                                 e->value > 0 ? (uint64_t)e->value : 0, err);
}

static enum prvcut_status pps_events(struct profile_reader *r, struct profile_worker *w,
                                     struct profile_part *p, const struct prvcut_batch *b,
                                     struct prvcut_error *err)
{
    const uint32_t calls = r->nests ? 0 : PRVCUT_ROLES_MPI,
                   roles = calls | PRVCUT_ROLES_COUNTED | pps_sizes(r);
    struct profile_calls to = { r, &w->adder };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];

        if (e->head)
            prvcut_profile_seen(&w->adder, r->out, e->thread, e->time, e->time);
        if (!(roles >> e->role & 1))
            continue;
        if (calls >> e->role & 1) {
            const struct prvcut_step step = prvcut_step_of(e);

            st = prvcut_follow_step(&w->calls, &p->calls, &pps_rules, &to, &step, err);
        } else if (e->role == PRVCUT_ROLE_SIZE) {
            st = pps_size(r, w, e, err);
        } else {
            st = pps_counter(r, w, p, b, i, err);
        }
    }
    return st;
}

static enum prvcut_status pps_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_worker *w = worker;
    struct profile_part *p = part;
    enum prvcut_status st = pps_states(r, w, b, err);

    if (st == PRVCUT_OK)
        st = pps_events(r, w, p, b, err);
    if (st == PRVCUT_OK && r->rest)
        st = prvcut_profile_rest_batch(&w->rest, &p->rest, &w->adder, r->out, b, err);
    return st == PRVCUT_OK ? pps_messages(r, w, b, err) : st;
}

static enum prvcut_status pps_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_part *p = part;
    struct profile_to to = { r->out, &r->joins, r->asked->outside };
    struct profile_calls calls = { r, &r->joins };
    enum prvcut_status st = prvcut_counted_join(r->read, &p->counters, pps_counted, &to, err);

    if (st == PRVCUT_OK && !r->nests)
        st = prvcut_follow_join(&r->calls, &p->calls, &pps_rules, &calls, err);
    return st == PRVCUT_OK && r->rest ? prvcut_profile_rest_join(r->rest, &p->rest, err) : st;
}

static enum prvcut_status pps_gap(void *ctx, struct prvcut_error *err)
{
    (void)err;
    prvcut_follow_forget(&((struct profile_reader *)ctx)->calls);
    return PRVCUT_OK;
}

static void pps_clear(void *part)
{
    struct profile_part *p = part;

    prvcut_counted_part_clear(&p->counters);
    prvcut_follow_part_clear(&p->calls);
    prvcut_profile_rest_part_clear(&p->rest);
}

static void pps_part_fini(void *part)
{
    struct profile_part *p = part;

    prvcut_counted_part_fini(&p->counters);
    prvcut_follow_part_fini(&p->calls);
    prvcut_profile_rest_part_fini(&p->rest);
}

/* Before who follows calls is told so. */
static enum prvcut_status pps_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_calls calls = { r, &r->joins };

    r->ending = true;
    r->out->end_ns = end_ns;
    return prvcut_follow_run_ends(&r->calls, end_ns, &pps_rules, &calls, err);
}

static enum prvcut_status pps_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct profile_reader *r = ctx;
    struct profile_worker *w = worker;

    return prvcut_profile_merge(r->out, &w->adder, err);
}

/* --- The reading ------------------------------------------------------------------------------ */

/* All who listen; each of them NULL, or its own. */
struct profile_ears {
    const struct prvcut_listener *at[4 + PRVCUT_PROFILE_FUNCTION_LISTENERS];
    size_t count;
    struct prvcut_listener records;
    struct prvcut_follow *follow; /* calls that nest */
    struct prvcut_profile_functions *functions;
    struct prvcut_profile_off *off;
    struct prvcut_profile_pace *pace;
};

static enum prvcut_status pps_nested(struct profile_reader *r, struct prvcut_trace *t,
                                     struct profile_ears *e, struct prvcut_error *err)
{
    const struct prvcut_follow_options calls = {
        .roles = PRVCUT_ROLES_MPI,
        .how = PRVCUT_FOLLOW_NESTED,
        .worker = { sizeof(struct prvcut_profile_adder), "workers", pps_adder, pps_adder_fini },
        .ctx = r,
        .closed = pps_closed,
        .spent = pps_spent,
        .merge = pps_merge_calls,
    };
    const enum prvcut_status st = prvcut_follow_new(&e->follow, t, &calls, err);

    if (st == PRVCUT_OK)
        e->at[e->count++] = prvcut_follow_listener(e->follow);
    return st;
}

static enum prvcut_status pps_ears(struct profile_reader *r, struct prvcut_trace *t,
                                   struct profile_ears *e, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    e->records = (struct prvcut_listener){
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLES_COUNTED | pps_sizes(r),
        .head_roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
        .states = true,
        .messages = true,
        .ctx = r,
        .worker = { sizeof(struct profile_worker), "workers", pps_worker, pps_worker_fini },
        .part = { sizeof(struct profile_part), "a part", NULL, pps_part_fini },
        .begin = pps_begin,
        .batch = pps_batch,
        .gap = pps_gap,
        .join = pps_join,
        .clear = pps_clear,
        .end = pps_end,
        .merge = pps_merge,
    };
    e->at[e->count++] = &e->records;
    if (r->nests)
        st = pps_nested(r, t, e, err);
    if (st == PRVCUT_OK && r->asked->functions)
        st = prvcut_profile_functions_new(&e->functions, t, r->out, r->asked, err);
    if (st == PRVCUT_OK && e->functions) {
        prvcut_profile_functions_listeners(e->functions, e->at + e->count);
        e->count += PRVCUT_PROFILE_FUNCTION_LISTENERS;
    }
    if (st == PRVCUT_OK && r->asked->off)
        st = prvcut_profile_off_new(&e->off, r->out, err);
    if (st == PRVCUT_OK && e->off)
        e->at[e->count++] = prvcut_profile_off_listener(e->off);
    if (st == PRVCUT_OK && r->asked->pace)
        st = prvcut_profile_pace_new(&e->pace, t, r->out, err);
    if (st == PRVCUT_OK && e->pace)
        e->at[e->count++] = prvcut_profile_pace_listener(e->pace);
    return st;
}

/* The pass is over: what each has goes to what was found. */
static enum prvcut_status pps_ears_end(struct profile_ears *e, enum prvcut_status st,
                                       struct prvcut_error *err)
{
    if (st == PRVCUT_OK && e->functions)
        st = prvcut_profile_functions_end(e->functions, err);
    if (st == PRVCUT_OK && e->off)
        st = prvcut_profile_off_end(e->off, err);
    if (st == PRVCUT_OK && e->pace)
        st = prvcut_profile_pace_end(e->pace, err);
    prvcut_follow_free(e->follow);
    prvcut_profile_functions_free(e->functions);
    prvcut_profile_off_free(e->off);
    prvcut_profile_pace_free(e->pace);
    return st;
}

/* What was told where parts were joined is found, too: how far threads reach is known. */
static enum prvcut_status pps_settle(struct profile_reader *r, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_profile_merge(r->out, &r->joins, err);

    prvcut_profile_adder_fini(&r->joins);
    return st == PRVCUT_OK ? prvcut_profile_adder_init(&r->joins, r->out, err) : st;
}

static enum prvcut_status pps_run(struct profile_reader *r, struct prvcut_trace *t,
                                  const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_span *only = r->asked->only.end > 0 ? &r->asked->only : NULL;
    struct profile_ears ears = { .count = 0 };
    struct prvcut_counts counts = { .skipped = 0 };
    enum prvcut_status st = pps_ears(r, t, &ears, err);

    if (st == PRVCUT_OK)
        st = prvcut_pass_run(t, run, only, ears.at, ears.count, only ? NULL : &counts, err);
    r->out->skipped = counts.skipped;
    st = pps_ears_end(&ears, st, err);
    if (st == PRVCUT_OK && r->rest)
        st = prvcut_profile_rest_end(r->rest, err);
    if (st == PRVCUT_OK)
        st = pps_settle(r, err);
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
        .pairs = asked->pairs,
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
    if (st == PRVCUT_OK)
        st = prvcut_follow_carry_init(&r->calls, r->nests ? 0 : r->out->threads, err);
    if (st == PRVCUT_OK && r->out->rests)
        st = prvcut_profile_rest_new(&r->rest, r->out, err);
    return r->read ? st : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_profile_read(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                       const struct prvcut_run *run,
                                       const struct prvcut_profile_asked *asked,
                                       struct prvcut_error *err)
{
    struct profile_reader r = {
        .trace = t, .out = f, .asked = asked, .nests = prvcut_trace_calls_nest(t)
    };
    enum prvcut_status st = pps_init(&r, t, err);

    if (st == PRVCUT_OK)
        st = pps_run(&r, t, run, err);
    if (st == PRVCUT_OK && asked->met)
        st = prvcut_profile_meet(f, t, run, err);
    prvcut_profile_adder_fini(&r.joins);
    prvcut_profile_rest_free(r.rest);
    prvcut_follow_carry_fini(&r.calls);
    free(r.read);
    prvcut_profile_lefts_fini(&r.left);
    return st;
}
