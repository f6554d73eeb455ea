#include "analysis/proof_follow.h"

#include "analysis/proof_keys.h"
#include "base/memory.h"
#include "signal/grid.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_proof_worker_init(struct prvcut_proof_worker *w,
                                            const struct prvcut_proof_follow *f,
                                            struct prvcut_error *err)
{
    const size_t threads = (size_t)f->threads + 1;

    w->cursor = prvcut_zeroed(threads, sizeof *w->cursor, "threads", err);
    w->slot = prvcut_zeroed(threads, (f->cells->deepest + 1) * sizeof *w->slot, "threads", err);
    if (!w->cursor || !w->slot)
        return PRVCUT_ENOMEM;
    prvcut_proof_sums_init(&w->sums, f->cells->slots);
    if (prvcut_rows_init(&w->calls, f->threads, err) < 0)
        return PRVCUT_ENOMEM;
    return prvcut_rows_init(&w->counters, f->threads, err);
}

void prvcut_proof_worker_clear(struct prvcut_proof_worker *w)
{
    prvcut_proof_sums_clear(&w->sums);
    w->ended = (struct prvcut_proof_ended){ 0, 0 };
    memset(w->recent, 0, sizeof w->recent);
}

void prvcut_proof_worker_fini(struct prvcut_proof_worker *w)
{
    prvcut_proof_sums_fini(&w->sums);
    free(w->cursor);
    free(w->slot);
    prvcut_rows_fini(&w->calls);
    prvcut_rows_fini(&w->counters);
}

enum prvcut_status prvcut_proof_carry_init(struct prvcut_proof_carry *c,
                                           const struct prvcut_proof_follow *f,
                                           struct prvcut_error *err)
{
    c->read = prvcut_zeroed((size_t)f->threads + 1, sizeof *c->read, "threads", err);
    return c->read ? prvcut_follow_carry_init(&c->calls, f->threads, err) : PRVCUT_ENOMEM;
}

void prvcut_proof_carry_fini(struct prvcut_proof_carry *c)
{
    free(c->read);
    prvcut_follow_carry_fini(&c->calls);
}

void prvcut_proof_part_clear(struct prvcut_proof_part *part)
{
    prvcut_follow_part_clear(&part->calls);
    prvcut_counted_part_clear(&part->counters);
}

void prvcut_proof_part_fini(struct prvcut_proof_part *part)
{
    prvcut_follow_part_fini(&part->calls);
    prvcut_counted_part_fini(&part->counters);
}

/* ---- keys ---- */

/* What has no name shares a key. */
static enum prvcut_status pfo_look_up(const struct prvcut_proof_follow *f,
                                      struct prvcut_proof_worker *w, struct prvcut_proof_key key,
                                      uint32_t *at, struct prvcut_error *err)
{
    *at = prvcut_proof_sums_find(&w->sums, &key);
    if (*at != UINT32_MAX)
        return PRVCUT_OK;
    prvcut_proof_key_settle(&key, f->names);
    return prvcut_proof_sums_enter(&w->sums, &key, at, err);
}

/* A key's fields are compared one by one: to read as one word what was written as two takes longer
   than all the rest. */
static inline enum prvcut_status pfo_key_index(const struct prvcut_proof_follow *f,
                                               struct prvcut_proof_worker *w,
                                               struct prvcut_proof_key key, uint32_t *at,
                                               struct prvcut_error *err)
{
    const uint64_t number = (uint64_t)key.value ^ (uint64_t)key.type << 32 ^ (uint64_t)key.kind;
    struct prvcut_proof_recent *r =
        &w->recent[prvcut_table_place(number, PRVCUT_PROOF_RECENT_BITS)];
    enum prvcut_status st = PRVCUT_OK;

    if (r->place > 0 && r->value == key.value && r->type == key.type && r->kind == key.kind) {
        *at = r->place - 1;
        return PRVCUT_OK;
    }
    st = pfo_look_up(f, w, key, at, err);
    if (st == PRVCUT_OK)
        *r = (struct prvcut_proof_recent){ key.kind, key.type, key.value, *at + 1 };
    return st;
}

/* ---- places ---- */

/* What was found in the cursor's place goes to the slots that are meant there. */
static void pfo_settle(const struct prvcut_proof_follow *f, const struct prvcut_proof_cursor *c,
                       const uint32_t *slot, uint32_t thread)
{
    const struct prvcut_proof_thread *found = &c->found;

    if (!f->detail || !(found->running | found->mpi | found->calls))
        return;
    for (uint32_t i = 0; i < c->place.slots; i++) {
        struct prvcut_proof_thread *to = &f->detail[(size_t)slot[i] * f->threads + thread];

        __atomic_fetch_add(&to->running, found->running, __ATOMIC_RELAXED);
        __atomic_fetch_add(&to->mpi, found->mpi, __ATOMIC_RELAXED);
        __atomic_fetch_add(&to->calls, found->calls & ~UINT64_C(1), __ATOMIC_RELAXED);
        __atomic_fetch_or(&to->calls, found->calls & 1, __ATOMIC_RELAXED);
    }
}

void prvcut_proof_flush(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w)
{
    for (uint32_t i = 0; i < f->threads; i++) {
        struct prvcut_proof_thread *found = &w->cursor[i].found;

        /* Of threads that do nothing, and there may be millions, no memory is touched. */
        if (!(found->running | found->mpi | found->calls))
            continue;
        pfo_settle(f, &w->cursor[i], w->slot + i * f->cells->deepest, i);
        *found = (struct prvcut_proof_thread){ 0, 0, 0 };
    }
}

/* Outside of what counts, no slot is meant. */
static void pfo_keep_within(struct prvcut_proof_place *p, const struct prvcut_span *only,
                            uint64_t time)
{
    if (time < only->start) {
        p->hi = only->start < p->hi ? only->start : p->hi;
    } else if (time >= only->end) {
        p->lo = only->end > p->lo ? only->end : p->lo;
    } else {
        p->lo = only->start > p->lo ? only->start : p->lo;
        p->hi = only->end < p->hi ? only->end : p->hi;
        return;
    }
    p->slots = 0;
}

static void pfo_move(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w,
                     uint32_t thread, uint64_t time)
{
    struct prvcut_proof_cursor *c = &w->cursor[thread];
    uint32_t *slot = w->slot + thread * f->cells->deepest;

    pfo_settle(f, c, slot, thread);
    c->found = (struct prvcut_proof_thread){ 0, 0, 0 };
    prvcut_proof_cells_find(f->cells, thread, time, &c->place, slot);
    pfo_keep_within(&c->place, &f->only, time);
}

/* time < UINT64_MAX */
static inline struct prvcut_proof_cursor *pfo_find(const struct prvcut_proof_follow *f,
                                                   struct prvcut_proof_worker *w, uint32_t thread,
                                                   uint64_t time)
{
    struct prvcut_proof_cursor *c = &w->cursor[thread];

    if (time - c->place.lo >= c->place.hi - c->place.lo)
        pfo_move(f, w, thread, time);
    return c;
}

/* Add to all slots of the thread's place. */
static inline void pfo_add(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w,
                           uint32_t thread, uint32_t key, struct prvcut_proof_sum sum)
{
    const uint32_t *slot = w->slot + thread * f->cells->deepest;
    struct prvcut_proof_sum *at = w->sums.at + (size_t)key * f->cells->slots;

    for (uint32_t i = 0; i < w->cursor[thread].place.slots; i++) {
        at[slot[i]].amount += sum.amount;
        at[slot[i]].count += sum.count;
    }
}

/* The thread is in something over [begin, end): its time goes to every place that it touches. */
static inline void pfo_spend(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w,
                             uint32_t thread, uint32_t key, struct prvcut_span s, bool running,
                             bool mpi)
{
    while (s.start < s.end) {
        struct prvcut_proof_cursor *c = pfo_find(f, w, thread, s.start);
        const uint64_t stop = s.end < c->place.hi ? s.end : c->place.hi;
        const uint64_t ns = stop - s.start;

        if (c->place.slots > 0) {
            pfo_add(f, w, thread, key, (struct prvcut_proof_sum){ ns, 0 });
            c->found.running += running ? ns : 0;
            c->found.mpi += mpi ? ns : 0;
            c->found.calls |= 1;
        }
        s.start = stop;
    }
}

/* A counter went up by value over [begin, end), evenly. */
static void pfo_count(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w,
                      uint32_t thread, uint32_t key, struct prvcut_span s, uint64_t value)
{
    uint64_t at = s.start, done = 0;

    while (at < s.end) {
        const struct prvcut_proof_cursor *c = pfo_find(f, w, thread, at);
        const uint64_t stop = s.end < c->place.hi ? s.end : c->place.hi;
        const uint64_t upto =
            stop == s.end ? value
                          : (uint64_t)((prvcut_wide)value * (stop - s.start) / (s.end - s.start));

        pfo_add(f, w, thread, key, (struct prvcut_proof_sum){ upto - done, 1 });
        done = upto;
        at = stop;
    }
}

/* ---- records ---- */

/* Where a call goes that is complete. */
struct proof_to {
    const struct prvcut_proof_follow *f;
    struct prvcut_proof_worker *w;
};

static enum prvcut_status pfo_begin_call(const struct prvcut_proof_follow *f,
                                         struct prvcut_proof_worker *w,
                                         const struct prvcut_event *e, struct prvcut_error *err)
{
    const struct prvcut_proof_key key = { PRVCUT_PROOF_CALL, e->type, e->value };
    struct prvcut_proof_cursor *c = pfo_find(f, w, e->thread, e->time);
    enum prvcut_status st;
    uint32_t at;

    if (c->place.slots == 0)
        return PRVCUT_OK;
    st = pfo_key_index(f, w, key, &at, err);
    if (st < 0)
        return st;
    pfo_add(f, w, e->thread, at, (struct prvcut_proof_sum){ 0, 1 });
    c->found.calls = (c->found.calls | 1) + 2;
    return PRVCUT_OK;
}

static inline enum prvcut_status pfo_closed_call(void *ctx, const struct prvcut_followed *call,
                                                 struct prvcut_error *err)
{
    const struct proof_to *to = ctx;
    const struct prvcut_proof_key key = { PRVCUT_PROOF_CALL, call->type, call->value };
    enum prvcut_status st;
    uint32_t at;

    if (call->no_begin)
        return PRVCUT_OK;
    to->w->ended.calls++;
    to->w->ended.backward += call->span.end < call->span.start;
    st = pfo_key_index(to->f, to->w, key, &at, err);
    if (st == PRVCUT_OK)
        pfo_spend(to->f, to->w, call->thread, at, call->span, false, true);
    return st;
}

/* A call lasts until the thread's next MPI event. */
static const struct prvcut_follow_rules call_rules = { .how = PRVCUT_FOLLOW_SINGLE,
                                                       .closed = pfo_closed_call };

static enum prvcut_status follow_call(const struct prvcut_proof_follow *f,
                                      struct prvcut_proof_worker *w, struct prvcut_proof_part *part,
                                      const struct prvcut_event *e, struct prvcut_error *err)
{
    const struct prvcut_step step = prvcut_step_of(e);
    struct proof_to to = { f, w };
    const enum prvcut_status st =
        prvcut_follow_step(&w->calls, &part->calls, &call_rules, &to, &step, err);

    return e->value != 0 && st == PRVCUT_OK ? pfo_begin_call(f, w, e, err) : st;
}

static enum prvcut_status pfo_add_counted(void *ctx, const struct prvcut_counted *c,
                                          struct prvcut_error *err)
{
    const struct proof_to *to = ctx;
    const struct prvcut_proof_key key = prvcut_proof_key_counter(c->type, c->role);
    enum prvcut_status st;
    uint32_t at;

    if (c->first)
        return PRVCUT_OK;
    st = pfo_key_index(to->f, to->w, key, &at, err);
    if (st == PRVCUT_OK)
        pfo_count(to->f, to->w, c->thread, at, c->span, c->value);
    return st;
}

static enum prvcut_status follow_counter(const struct prvcut_proof_follow *f,
                                         struct prvcut_proof_worker *w,
                                         struct prvcut_proof_part *part,
                                         const struct prvcut_event *e, struct prvcut_error *err)
{
    struct proof_to to = { f, w };
    struct prvcut_counted c;
    const enum prvcut_status st =
        prvcut_counted_step(&w->counters, &part->counters, e, false, &c, err);

    if (st != PRVCUT_OK)
        return st == PRVCUT_END ? PRVCUT_OK : st;
    return pfo_add_counted(&to, &c, err);
}

static enum prvcut_status pfo_add_states(const struct prvcut_proof_follow *f,
                                         struct prvcut_proof_worker *w,
                                         const struct prvcut_batch *batch, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < batch->states && st == PRVCUT_OK; i++) {
        const struct prvcut_state *s = &batch->state[i];
        const struct prvcut_proof_key key = { PRVCUT_PROOF_STATE, s->number, 0 };
        uint32_t at;

        st = pfo_key_index(f, w, key, &at, err);
        if (st == PRVCUT_OK)
            pfo_spend(f, w, s->thread, at, (struct prvcut_span){ s->begin, s->end }, s->running,
                      false);
    }
    return st;
}

static enum prvcut_status pfo_add_messages(const struct prvcut_proof_follow *f,
                                           struct prvcut_proof_worker *w,
                                           const struct prvcut_batch *batch,
                                           struct prvcut_error *err)
{
    static const struct prvcut_proof_key key = { PRVCUT_PROOF_MESSAGE, 0, 0 };
    uint32_t at;

    if (batch->messages == 0 && batch->halves == 0)
        return PRVCUT_OK;
    if (pfo_key_index(f, w, key, &at, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < batch->messages; i++) {
        const struct prvcut_message *m = &batch->message[i];

        pfo_find(f, w, m->sender, m->logical_send);
        pfo_add(f, w, m->sender, at, (struct prvcut_proof_sum){ m->size, 1 });
    }
    for (size_t i = 0; i < batch->halves; i++) {
        const struct prvcut_half *h = &batch->half[i];

        if (h->receive)
            continue;
        pfo_find(f, w, h->thread, h->time);
        pfo_add(f, w, h->thread, at, (struct prvcut_proof_sum){ h->size, 1 });
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_batch(const struct prvcut_proof_follow *f,
                                      struct prvcut_proof_worker *w, struct prvcut_proof_part *part,
                                      const struct prvcut_batch *batch, struct prvcut_error *err)
{
    enum prvcut_status st = pfo_add_states(f, w, batch, err);

    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &batch->event[i];
        const uint32_t role = PRVCUT_ROLE_BIT(e->role);

        if (role & PRVCUT_ROLES_MPI)
            st = follow_call(f, w, part, e, err);
        else if (role & PRVCUT_ROLES_COUNTED)
            st = follow_counter(f, w, part, e, err);
        /* Regions may be nested: only how often each is entered tells something without looking
           inside. */
        else if (f->regions && e->role == PRVCUT_ROLE_REGION && e->value != 0)
            st = pfo_begin_call(f, w, e, err);
    }
    return st == PRVCUT_OK ? pfo_add_messages(f, w, batch, err) : st;
}

/* ---- from part to part ---- */

enum prvcut_status prvcut_proof_join(const struct prvcut_proof_follow *f,
                                     struct prvcut_proof_worker *w,
                                     struct prvcut_proof_carry *carry,
                                     const struct prvcut_proof_part *part, struct prvcut_error *err)
{
    struct proof_to to = { f, w };
    const enum prvcut_status st =
        prvcut_counted_join(carry->read, &part->counters, pfo_add_counted, &to, err);

    return st == PRVCUT_OK ? prvcut_follow_join(&carry->calls, &part->calls, &call_rules, &to, err)
                           : st;
}

enum prvcut_status prvcut_proof_end(const struct prvcut_proof_follow *f,
                                    struct prvcut_proof_worker *w, struct prvcut_proof_carry *carry,
                                    uint64_t end, struct prvcut_error *err)
{
    struct proof_to to = { f, w };

    return prvcut_follow_run_ends(&carry->calls, end, &call_rules, &to, err);
}
