#include "analysis/profile/profile_add.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"
#include "model/calls.h"
#include "signal/grid.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_profile_adder_init(struct prvcut_profile_adder *a,
                                             const struct prvcut_profile_found *f,
                                             struct prvcut_error *err)
{
    const size_t threads = (size_t)f->threads + 1;

    *a = (struct prvcut_profile_adder){
        .cell = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
        .bin = PRVCUT_TABLE(struct prvcut_profile_bin, count, "lengths of calls"),
        .rest = PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums"),
    };
    a->place = prvcut_zeroed(threads, sizeof *a->place, "threads", err);
    a->slot = prvcut_zeroed(threads, (f->cells.deepest + 1) * sizeof *a->slot, "threads", err);
    a->latests = f->threads < PRVCUT_PROFILE_LATEST ? f->threads : 1;
    a->depths = f->cells.deepest > 1 ? 2 : 1;
    a->latest =
        prvcut_zeroed(a->depths * (a->latests + (size_t)1), sizeof *a->latest, "threads", err);
    a->reach = prvcut_zeroed(threads, sizeof *a->reach, "threads", err);
    a->mark = prvcut_zeroed(f->cells.slots + 1, sizeof *a->mark, "stretches of the run", err);
    return a->place && a->slot && a->mark && a->reach && a->latest ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_profile_adder_fini(struct prvcut_profile_adder *a)
{
    prvcut_table_fini(&a->cell);
    prvcut_table_fini(&a->bin);
    prvcut_table_fini(&a->rest);
    free(a->place);
    free(a->slot);
    free(a->mark);
    free(a->reach);
    free(a->latest);
    free(a->share);
    memset(a, 0, sizeof *a);
}

/* --- Places ----------------------------------------------------------------------------------- */

/* The place that holds a time below UINT64_MAX; its slots stand in pad_slots. */
static inline const struct prvcut_proof_place *pad_find(struct prvcut_profile_adder *a,
                                                        const struct prvcut_profile_found *f,
                                                        uint32_t thread, uint64_t time)
{
    struct prvcut_proof_place *p = &a->place[thread];

    if (time - p->lo >= p->hi - p->lo)
        prvcut_proof_cells_find(&f->cells, thread, time, p, a->slot + thread * f->cells.deepest);
    return p;
}

static inline const uint32_t *pad_slots(const struct prvcut_profile_adder *a,
                                        const struct prvcut_profile_found *f, uint32_t thread)
{
    return a->slot + thread * f->cells.deepest;
}

static inline uint32_t *pad_numbered(uint32_t *cell, uint32_t cells, int64_t number)
{
    return &cell[number >= 0 && number < cells ? number : 0];
}

/* nth: 0 in the first slot of a place, which is often that of all of the run; else 1 */
static inline struct prvcut_profile_latest *pad_latest(const struct prvcut_profile_adder *a,
                                                       uint32_t thread, uint32_t nth)
{
    return &a->latest[a->depths * (thread < a->latests ? thread : 0) + (a->depths > 1 ? nth : 0)];
}

/* The latest cell of a thread's state or call of that number: a guess. */
static inline uint32_t *pad_guess(struct prvcut_profile_latest *l,
                                  const struct prvcut_proof_key *of)
{

    switch (of->kind) {
    case PRVCUT_PROOF_STATE:
        return pad_numbered(l->state, PRVCUT_PROFILE_STATES, of->type);
    case PRVCUT_PROOF_CALL:
        return pad_numbered(l->call, PRVCUT_PROFILE_CALLS, of->value);
    case PRVCUT_PROOF_MESSAGE:
        return of->type == PRVCUT_PROFILE_SENT ? &l->sent : &l->received;
    case PRVCUT_PROOF_COUNTER:
        break;
    }
    return pad_numbered(l->counter, PRVCUT_PROFILE_COUNTERS, of->value);
}

/* Field by field: a key that was just put together in pieces would be waited for. */
static inline bool pad_same(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->kind == b->kind && a->type == b->type && a->value == b->value;
}

/* Cells, and the guesses where one of them is: in the first slot of a place, and in others. */
struct pad_cells {
    struct prvcut_table *table;
    uint32_t *latest[2];
};

static inline struct pad_cells pad_all(struct prvcut_profile_adder *a, uint32_t thread,
                                       const struct prvcut_proof_key *of)
{
    return (struct pad_cells){ &a->cell,
                               { pad_guess(pad_latest(a, thread, 0), of),
                                 pad_guess(pad_latest(a, thread, 1), of) } };
}

static struct prvcut_profile_cell *pad_look(struct prvcut_table *in,
                                            const struct prvcut_profile_found *f,
                                            struct prvcut_profile_key key, uint32_t *latest,
                                            struct prvcut_error *err)
{
    struct prvcut_profile_cell *c = prvcut_table_look(in, &key, sizeof key, sizeof *c);

    if (!c) {
        prvcut_proof_key_settle(&key.of, &f->names);
        c = prvcut_table_make(in, &key, err);
    }
    if (c)
        *latest = (uint32_t)(c - (struct prvcut_profile_cell *)in->at);
    return c;
}

/* nth: among the slots of the place */
static inline struct prvcut_profile_cell *pad_cell(const struct pad_cells *in,
                                                   const struct prvcut_profile_found *f,
                                                   uint32_t slot, uint32_t nth, uint32_t thread,
                                                   struct prvcut_proof_key of,
                                                   struct prvcut_error *err)
{
    const uint32_t who = f->apart ? thread : PRVCUT_NOBODY;
    uint32_t *latest = in->latest[nth > 0];
    struct prvcut_profile_cell *c = (struct prvcut_profile_cell *)in->table->at + *latest;

    if (*latest < in->table->count && c->key.slot == slot && c->key.thread == who &&
        pad_same(&c->key.of, &of))
        return c;
    return pad_look(in->table, f, (struct prvcut_profile_key){ slot, who, of }, latest, err);
}

static inline enum prvcut_status pad_spend(struct prvcut_profile_adder *a,
                                           const struct pad_cells *in,
                                           const struct prvcut_profile_found *f, uint32_t thread,
                                           struct prvcut_proof_key key, struct prvcut_span span,
                                           struct prvcut_error *err)
{
    while (span.start < span.end) {
        const struct prvcut_proof_place *p = pad_find(a, f, thread, span.start);
        const uint32_t *slot = pad_slots(a, f, thread);
        const uint64_t stop = span.end < p->hi ? span.end : p->hi;

        for (uint32_t i = 0; i < p->slots; i++) {
            struct prvcut_profile_cell *c = pad_cell(in, f, slot[i], i, thread, key, err);

            if (!c)
                return PRVCUT_ENOMEM;
            c->amount += stop - span.start;
        }
        span.start = stop;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_spend(struct prvcut_profile_adder *a,
                                        const struct prvcut_profile_found *f, uint32_t thread,
                                        struct prvcut_proof_key key, struct prvcut_span span,
                                        struct prvcut_error *err)
{
    const struct pad_cells in = pad_all(a, thread, &key);

    return pad_spend(a, &in, f, thread, key, span, err);
}

enum prvcut_status prvcut_profile_rests(struct prvcut_profile_adder *a,
                                        const struct prvcut_profile_found *f, uint32_t thread,
                                        uint32_t state, struct prvcut_span span,
                                        struct prvcut_error *err)
{
    const struct pad_cells in = {
        &a->rest,
        { pad_numbered(pad_latest(a, thread, 0)->rest, PRVCUT_PROFILE_STATES, state),
          pad_numbered(pad_latest(a, thread, 1)->rest, PRVCUT_PROFILE_STATES, state) }
    };

    return pad_spend(a, &in, f, thread, (struct prvcut_proof_key){ PRVCUT_PROOF_STATE, state, 0 },
                     span, err);
}

enum prvcut_status prvcut_profile_happen(struct prvcut_profile_adder *a,
                                         const struct prvcut_profile_found *f, uint32_t thread,
                                         struct prvcut_proof_key key, uint64_t time,
                                         uint64_t amount, struct prvcut_error *err)
{
    const struct pad_cells in = pad_all(a, thread, &key);
    const struct prvcut_proof_place *p = pad_find(a, f, thread, time);
    const uint32_t *slot = pad_slots(a, f, thread);

    for (uint32_t i = 0; i < p->slots; i++) {
        struct prvcut_profile_cell *c = pad_cell(&in, f, slot[i], i, thread, key, err);

        if (!c)
            return PRVCUT_ENOMEM;
        prvcut_add_most(&c->amount, amount);
        c->count++;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_divide(struct prvcut_profile_adder *a,
                                         const struct prvcut_profile_found *f, uint32_t thread,
                                         struct prvcut_proof_key key, struct prvcut_span span,
                                         uint64_t amount, struct prvcut_error *err)
{
    const struct pad_cells in = pad_all(a, thread, &key);
    uint64_t at = span.start, done = 0;

    /* What is read twice at one instant, or with a time that goes back, was counted there. */
    if (span.start >= span.end)
        return prvcut_profile_happen(a, f, thread, key, span.end, amount, err);
    while (at < span.end) {
        const struct prvcut_proof_place *p = pad_find(a, f, thread, at);
        const uint32_t *slot = pad_slots(a, f, thread);
        const uint64_t stop = span.end < p->hi ? span.end : p->hi;
        const uint64_t upto =
            stop == span.end
                ? amount
                : (uint64_t)((prvcut_wide)amount * (stop - span.start) / (span.end - span.start));

        for (uint32_t i = 0; i < p->slots; i++) {
            struct prvcut_profile_cell *c = pad_cell(&in, f, slot[i], i, thread, key, err);

            if (!c)
                return PRVCUT_ENOMEM;
            c->amount += upto - done;
        }
        done = upto;
        at = stop;
    }
    return PRVCUT_OK;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static enum prvcut_status pad_share(struct prvcut_profile_adder *a, uint32_t slot, uint64_t ns,
                                    struct prvcut_error *err)
{
    if (a->mark[slot] > 0) {
        a->share[a->mark[slot] - 1].ns += ns;
        return PRVCUT_OK;
    }
    if (a->shares == a->room &&
        prvcut_grow((void **)&a->share, &a->room, a->shares + 1, sizeof *a->share, err) < 0)
        return PRVCUT_ENOMEM;
    a->share[a->shares++] = (struct prvcut_profile_share){ slot, ns };
    a->mark[slot] = a->shares;
    return PRVCUT_OK;
}

/* How much of a call lies in each slot; one that takes no time lies where it begins. */
static enum prvcut_status pad_shares(struct prvcut_profile_adder *a,
                                     const struct prvcut_profile_found *f, uint32_t thread,
                                     struct prvcut_span span, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    a->shares = 0;
    do {
        const struct prvcut_proof_place *p = pad_find(a, f, thread, span.start);
        const uint32_t *slot = pad_slots(a, f, thread);
        const uint64_t stop = span.end < p->hi ? span.end : p->hi;

        for (uint32_t i = 0; i < p->slots && st == PRVCUT_OK; i++)
            st = pad_share(a, slot[i], stop - span.start, err);
        span.start = stop;
    } while (span.start < span.end && st == PRVCUT_OK);
    for (size_t i = 0; i < a->shares; i++)
        a->mark[a->share[i].slot] = 0;
    return st;
}

static struct prvcut_profile_bin *pad_look_bin(struct prvcut_profile_adder *a,
                                               const struct prvcut_profile_bin *want,
                                               uint32_t *latest, struct prvcut_error *err)
{
    struct prvcut_profile_bin *b =
        prvcut_table_look(&a->bin, &want->key, sizeof want->key, sizeof *b);

    b = b ? b : prvcut_table_make(&a->bin, &want->key, err);
    if (b)
        *latest = (uint32_t)(b - (struct prvcut_profile_bin *)a->bin.at);
    return b;
}

static enum prvcut_status pad_bins(struct prvcut_profile_adder *a, uint32_t slot,
                                   const struct prvcut_proof_key *of, uint64_t ns,
                                   struct prvcut_error *err)
{
    const uint32_t bin = prvcut_profile_bin_of(ns);
    const uint64_t number = ((uint64_t)slot << 32 ^ (uint64_t)of->value) << 12 ^ bin;
    uint32_t *latest = &a->length[prvcut_table_place(number, PRVCUT_PROFILE_LENGTHS_BITS)];
    struct prvcut_profile_bin *b = (struct prvcut_profile_bin *)a->bin.at + *latest;

    if (*latest >= a->bin.count || b->key.slot != slot || b->key.bin != bin ||
        !pad_same(&b->key.of, of))
        b = pad_look_bin(a, &(struct prvcut_profile_bin){ .key = { slot, bin, *of } }, latest, err);
    if (!b)
        return PRVCUT_ENOMEM;
    b->count++;
    return PRVCUT_OK;
}

static void pad_part(struct prvcut_profile_cell *c, uint64_t ns)
{
    c->least = c->parts == 0 || ns < c->least ? ns : c->least;
    c->most = ns > c->most ? ns : c->most;
    c->parts++;
}

/* What lies of a call in a slot, the nth of its place. */
static enum prvcut_status pad_put(struct prvcut_profile_adder *a,
                                  const struct prvcut_profile_found *f,
                                  const struct prvcut_profile_call *call, uint32_t nth,
                                  struct prvcut_profile_share share, bool entered,
                                  struct prvcut_error *err)
{
    const struct prvcut_proof_key of = { PRVCUT_PROOF_CALL, call->type, call->value };
    const struct pad_cells in = pad_all(a, call->thread, &of);
    struct prvcut_profile_cell *c = pad_cell(&in, f, share.slot, nth, call->thread, of, err);

    if (!c)
        return PRVCUT_ENOMEM;
    c->count += entered;
    c->amount += call->by_part ? 0 : share.ns;
    c->open += call->open;
    pad_part(c, share.ns);
    return share.slot < f->binned ? pad_bins(a, share.slot, &c->key.of, share.ns, err) : PRVCUT_OK;
}

/* A call that borders divide: it is entered in the slots of its begin. */
static enum prvcut_status pad_divided(struct prvcut_profile_adder *a,
                                      const struct prvcut_profile_found *f,
                                      const struct prvcut_profile_call *call,
                                      struct prvcut_span span, struct prvcut_error *err)
{
    const size_t entered = pad_find(a, f, call->thread, span.start)->slots;
    enum prvcut_status st = pad_shares(a, f, call->thread, span, err);

    /* Its slots come first. */
    for (size_t i = 0; i < a->shares && st == PRVCUT_OK; i++)
        st = pad_put(a, f, call, (uint32_t)i, a->share[i], i < entered && !call->before, err);
    return st;
}

enum prvcut_status prvcut_profile_call(struct prvcut_profile_adder *a,
                                       const struct prvcut_profile_found *f,
                                       const struct prvcut_profile_call *call,
                                       struct prvcut_error *err)
{
    const uint64_t begin = call->span.start;
    const struct prvcut_span span = { begin, call->span.end < begin ? begin : call->span.end };
    const struct prvcut_proof_place *p = pad_find(a, f, call->thread, begin);
    const uint32_t *slot = pad_slots(a, f, call->thread);
    enum prvcut_status st = PRVCUT_OK;

    a->any |= PRVCUT_PROFILE_ANY_CALL;
    if (!(a->any & PRVCUT_PROFILE_ANY_INSIDE) && prvcut_mpi_call_bound(prvcut_mpi_call_by_value(
                                                     call->type, call->value)) == PRVCUT_MPI_INSIDE)
        a->any |= PRVCUT_PROFILE_ANY_INSIDE;
    if (!a->reach[call->thread].calls || begin < a->reach[call->thread].begins)
        a->reach[call->thread].begins = begin;
    a->reach[call->thread].calls = true;
    prvcut_profile_seen(a, f, call->thread, begin, span.end);
    if (span.end > p->hi)
        return pad_divided(a, f, call, span, err);
    for (uint32_t i = 0; i < p->slots && st == PRVCUT_OK; i++)
        st = pad_put(a, f, call, i, (struct prvcut_profile_share){ slot[i], span.end - begin },
                     !call->before, err);
    return st;
}

/* --- Together --------------------------------------------------------------------------------- */

static void pad_merge_reach(struct prvcut_profile_reach *to,
                            const struct prvcut_profile_reach *from)
{
    if (from->seen && (!to->seen || from->first < to->first))
        to->first = from->first;
    if (from->calls && (!to->calls || from->begins < to->begins))
        to->begins = from->begins;
    if (from->ends)
        prvcut_profile_lost(to, from->lost, from->type);
    to->last = from->last > to->last ? from->last : to->last;
    to->inside = from->inside > to->inside ? from->inside : to->inside;
    to->seen |= from->seen;
    to->calls |= from->calls;
}

enum prvcut_status prvcut_profile_merge_cells(struct prvcut_table *cell, struct prvcut_table *more,
                                              struct prvcut_error *err)
{
    const struct prvcut_table none = *cell;

    /* The first ones, of which there may be very many, are taken as they are. */
    if (cell->count == 0) {
        *cell = *more;
        *more = none;
    }
    for (size_t i = 0; i < more->count; i++) {
        const struct prvcut_profile_cell *from = (const struct prvcut_profile_cell *)more->at + i;
        struct prvcut_profile_cell *to = prvcut_table_make(cell, &from->key, err);

        if (!to)
            return PRVCUT_ENOMEM;
        if (from->parts > 0 && (to->parts == 0 || from->least < to->least))
            to->least = from->least;
        to->most = from->most > to->most ? from->most : to->most;
        prvcut_add_most(&to->amount, from->amount);
        to->count += from->count;
        to->parts += from->parts;
        to->open += from->open;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_merge(struct prvcut_profile_found *f,
                                        struct prvcut_profile_adder *a, struct prvcut_error *err)
{
    f->any |= a->any;
    prvcut_causality_add(&f->order, &a->order);
    for (uint32_t i = 0; i < f->threads; i++)
        if (a->reach[i].seen || a->reach[i].ends)
            pad_merge_reach(&f->reach[i], &a->reach[i]);
    if (prvcut_profile_merge_cells(&f->cell, &a->cell, err) < 0 ||
        prvcut_profile_merge_cells(&f->rest, &a->rest, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < a->bin.count; i++) {
        const struct prvcut_profile_bin *from = (const struct prvcut_profile_bin *)a->bin.at + i;
        struct prvcut_profile_bin *to = prvcut_table_make(&f->bin, &from->key, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->count += from->count;
    }
    return PRVCUT_OK;
}
