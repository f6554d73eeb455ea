#include "analysis/profile/profile_functions.h"

#include "analysis/profile/profile_left.h"
#include "analysis/profile/profile_pairs.h"
#include "base/memory.h"
#include "follow/follow.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

struct prvcut_profile_functions {
    struct prvcut_profile_found *found;
    struct prvcut_follow *follow; /* of functions */
    struct prvcut_listener callers;
    struct prvcut_follow_carry carry;     /* of calls by their callers */
    struct prvcut_profile_adder joins;    /* callers, where parts are joined */
    struct prvcut_profile_adder closes;   /* functions, at the end */
    struct prvcut_profile_adder whole;    /* functions with all that they call */
    struct prvcut_table function, caller; /* of prvcut_profile_cell */
    struct prvcut_table open;             /* of pfu_open */
    struct prvcut_profile_lefts left, left_whole;
    uint32_t by_type, by_role; /* of what tells who calls */
    bool archive, lines, ending;
    bool calls;                /* functions with the calls that they make are wanted */
    struct prvcut_table named; /* of prvcut_proof_key: functions that make calls; with calls */
};

/* --- Functions -------------------------------------------------------------------------------- */

/* Regions of a Paraver trace may be anything; those of an archive are functions, by their kind. */
static bool pfu_is_function(const struct prvcut_profile_functions *p, uint32_t type, uint32_t role)
{
    return role == PRVCUT_ROLE_REGION && (p->archive || type == PRVCUT_TYPE_USER_FUNCTION);
}

/* How often a thread is in a function, which may call itself. */
struct pfu_open {
    struct {
        uint32_t thread, type;
        int64_t value;
    } key;
    uint64_t times;
    size_t as; /* the one that counts: those without a name are one function */
};

static struct pfu_open *pfu_enters(struct prvcut_profile_functions *p, uint32_t thread,
                                   const struct prvcut_proof_key *of, struct prvcut_error *err)
{
    const struct pfu_open key = { .key = { thread, of->type, of->value } };
    struct pfu_open *open = prvcut_table_find(&p->open, &key.key);
    struct prvcut_proof_key settled = *of;
    size_t at;

    if (open)
        return open;
    open = prvcut_table_make(&p->open, &key.key, err);
    if (!open)
        return NULL;
    at = open->as = p->open.count - 1;
    prvcut_proof_key_settle(&settled, &p->found->names);
    if (settled.type != of->type || settled.value != of->value) {
        const struct pfu_open *same = pfu_enters(p, thread, &settled, err);

        if (!same)
            return NULL;
        ((struct pfu_open *)p->open.at)[at].as = same->as;
    }
    return (struct pfu_open *)p->open.at + at;
}

static bool pfu_is_call(uint32_t role)
{
    return PRVCUT_ROLES_MPI >> role & 1;
}

/* The number of a function whose calls are told. errors: 0: PRVCUT_ENOMEM */
static uint64_t pfu_number(struct prvcut_profile_functions *p, struct prvcut_proof_key of,
                           struct prvcut_error *err)
{
    const struct prvcut_proof_key *found;

    prvcut_proof_key_settle(&of, &p->found->names);
    found = prvcut_table_make(&p->named, &of, err);
    return found ? (uint64_t)(found - (const struct prvcut_proof_key *)p->named.at) + 1 : 0;
}

static enum prvcut_status pfu_opened(void *ctx, void *adder, uint32_t thread,
                                     struct prvcut_frame *in, struct prvcut_error *err)
{
    struct prvcut_profile_functions *p = ctx;
    const struct prvcut_proof_key of = { PRVCUT_PROOF_CALL, in->type, in->value };
    const bool function = pfu_is_function(p, in->type, in->role);
    const struct pfu_open *open = NULL;

    (void)adder;
    if (function && p->calls) {
        in->note = pfu_number(p, of, err);
        return in->note > 0 ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (!function || p->calls)
        return PRVCUT_OK;
    open = pfu_enters(p, thread, &of, err);
    if (!open)
        return PRVCUT_ENOMEM;
    ((struct pfu_open *)p->open.at)[open->as].times++;
    return PRVCUT_OK;
}

/* The outermost of a function has all that is called in it. */
static enum prvcut_status pfu_whole(struct prvcut_profile_functions *p,
                                    const struct prvcut_followed *f, struct prvcut_error *err)
{
    const struct pfu_open key = { .key = { f->thread, f->type, f->value } };
    const struct pfu_open *found = prvcut_table_find(&p->open, &key.key);
    struct pfu_open *open = found ? (struct pfu_open *)p->open.at + found->as : NULL;

    if (!open || open->times == 0 || --open->times > 0)
        return PRVCUT_OK;
    if (f->no_end)
        return prvcut_profile_lefts_call(&p->left_whole, f, err);
    return prvcut_profile_spend(&p->whole, p->found, f->thread,
                                (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, f->type, f->value },
                                f->span, err);
}

/* A call of MPI, by the function around it. */
static enum prvcut_status pfu_pair_closed(struct prvcut_profile_functions *p,
                                          struct prvcut_profile_adder *adder,
                                          const struct prvcut_followed *f, struct prvcut_error *err)
{
    const struct prvcut_proof_key of = prvcut_profile_pair(
        f->note, (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, f->type, f->value },
        &p->found->names);
    struct prvcut_followed pair = *f;

    if (f->no_begin || !pfu_is_call(f->role))
        return PRVCUT_OK;
    pair.type = of.type;
    pair.value = of.value;
    if (f->no_end)
        return prvcut_profile_lefts_call(&p->left, &pair, err);
    return prvcut_profile_call(adder, p->found,
                               &(struct prvcut_profile_call){ .span = pair.span,
                                                              .thread = pair.thread,
                                                              .type = pair.type,
                                                              .value = pair.value,
                                                              .by_part = true },
                               err);
}

static enum prvcut_status pfu_pair_spent(struct prvcut_profile_functions *p,
                                         struct prvcut_profile_adder *adder, uint32_t thread,
                                         const struct prvcut_frame *in, struct prvcut_span span,
                                         struct prvcut_error *err)
{
    const struct prvcut_proof_key of = prvcut_profile_pair(
        in->note, (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, in->type, in->value },
        &p->found->names);
    struct prvcut_frame pair = *in;

    pair.type = of.type;
    pair.value = of.value;
    if (!pfu_is_call(in->role))
        return PRVCUT_OK;
    if (p->ending)
        return prvcut_profile_lefts_spent(&p->left, thread, &pair, span, err);
    return prvcut_profile_spend(adder, p->found, thread, of, span, err);
}

static enum prvcut_status pfu_closed(void *ctx, void *adder, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    struct prvcut_profile_functions *p = ctx;

    if (p->calls)
        return pfu_pair_closed(p, adder, f, err);
    if (f->no_begin || !pfu_is_function(p, f->type, f->role))
        return PRVCUT_OK;
    if (pfu_whole(p, f, err) < 0)
        return PRVCUT_ENOMEM;
    if (f->no_end)
        return prvcut_profile_lefts_call(&p->left, f, err);
    return prvcut_profile_call(adder, p->found,
                               &(struct prvcut_profile_call){ .span = f->span,
                                                              .thread = f->thread,
                                                              .type = f->type,
                                                              .value = f->value,
                                                              .by_part = true },
                               err);
}

static enum prvcut_status pfu_spent(void *ctx, void *adder, uint32_t thread,
                                    const struct prvcut_frame *in, struct prvcut_span span,
                                    struct prvcut_error *err)
{
    struct prvcut_profile_functions *p = ctx;

    if (in && in->value != 0 && p->calls)
        return pfu_pair_spent(p, adder, thread, in, span, err);
    if (!in || in->value == 0 || !pfu_is_function(p, in->type, in->role))
        return PRVCUT_OK;
    if (p->ending)
        return prvcut_profile_lefts_spent(&p->left, thread, in, span, err);
    return prvcut_profile_spend(adder, p->found, thread,
                                (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, in->type, in->value },
                                span, err);
}

static enum prvcut_status pfu_adder(void *ctx, void *adder, struct prvcut_error *err)
{
    return prvcut_profile_adder_init(adder, ((struct prvcut_profile_functions *)ctx)->found, err);
}

static void pfu_adder_fini(void *adder)
{
    prvcut_profile_adder_fini(adder);
}

static enum prvcut_status pfu_merge_functions(void *ctx, void *adder, struct prvcut_error *err)
{
    return prvcut_profile_merge_cells(&((struct prvcut_profile_functions *)ctx)->function,
                                      &((struct prvcut_profile_adder *)adder)->cell, err);
}

/* --- Callers ---------------------------------------------------------------------------------- */

struct pfu_worker {
    struct prvcut_profile_adder adder;
    struct prvcut_rows way;
};

struct pfu_to {
    struct prvcut_profile_functions *p;
    struct prvcut_profile_adder *adder;
    bool last; /* what is open lasts to the thread's last record */
};

static inline enum prvcut_status pfu_call_closed(void *ctx, const struct prvcut_followed *f,
                                                 struct prvcut_error *err)
{
    const struct pfu_to *to = ctx;
    const struct prvcut_profile_found *found = to->p->found;
    const bool open = f->no_end && to->last;

    if (f->no_begin)
        return PRVCUT_OK;
    return prvcut_profile_call(
        to->adder, found,
        &(struct prvcut_profile_call){
            .span = { f->span.start, open ? found->reach[f->thread].last : f->span.end },
            .thread = f->thread,
            .type = to->p->calls ? PRVCUT_PROOF_PAIR : to->p->by_type,
            .value = f->value,
            .open = open },
        err);
}

static const struct prvcut_follow_rules pfu_rules = { .how = PRVCUT_FOLLOW_SINGLE,
                                                      .closed = pfu_call_closed };

/* Who made the call that begins at an event: it stands in the same line. */
static int64_t pfu_caller(const struct prvcut_profile_functions *p, const struct prvcut_batch *b,
                          size_t i)
{
    for (size_t k = i + 1; k < b->events && !b->event[k].head; k++)
        if (b->event[k].role == p->by_role && b->event[k].type == p->by_type)
            return b->event[k].value != 0 ? b->event[k].value : PRVCUT_PROFILE_NAMELESS;
    return PRVCUT_PROFILE_NAMELESS;
}

/* What a call that begins at an event is added up as. */
static int64_t pfu_made_by(const struct prvcut_profile_functions *p, const struct prvcut_batch *b,
                           size_t i)
{
    const struct prvcut_event *e = &b->event[i];
    const struct prvcut_proof_key caller = { PRVCUT_PROOF_CALL, p->by_type, pfu_caller(p, b, i) };

    if (!p->calls)
        return caller.value;
    return prvcut_profile_pair(prvcut_profile_caller_number(caller, &p->found->names),
                               (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, e->type, e->value },
                               &p->found->names)
        .value;
}

static enum prvcut_status pfu_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct pfu_worker *w = worker;
    struct pfu_to to = { ctx, &w->adder, false };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];
        struct prvcut_step step;

        if (!(PRVCUT_ROLES_MPI >> e->role & 1))
            continue;
        step = prvcut_step_of(e);
        step.value = e->value != 0 ? pfu_made_by(ctx, b, i) : 0;
        st = prvcut_follow_step(&w->way, part, &pfu_rules, &to, &step, err);
    }
    return st;
}

static enum prvcut_status pfu_worker(void *ctx, void *room, struct prvcut_error *err)
{
    const struct prvcut_profile_functions *p = ctx;
    struct pfu_worker *w = room;
    enum prvcut_status st = prvcut_profile_adder_init(&w->adder, p->found, err);

    return st == PRVCUT_OK ? prvcut_rows_init(&w->way, p->found->threads, err) : st;
}

static void pfu_worker_fini(void *room)
{
    struct pfu_worker *w = room;

    prvcut_profile_adder_fini(&w->adder);
    prvcut_rows_fini(&w->way);
}

static enum prvcut_status pfu_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    (void)ctx, (void)part, (void)number, (void)err;
    prvcut_rows_begin(&((struct pfu_worker *)worker)->way);
    return PRVCUT_OK;
}

static enum prvcut_status pfu_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_profile_functions *p = ctx;
    struct pfu_to to = { p, &p->joins, false };

    return prvcut_follow_join(&p->carry, part, &pfu_rules, &to, err);
}

static void pfu_clear(void *part)
{
    prvcut_follow_part_clear(part);
}

static void pfu_part_fini(void *part)
{
    prvcut_follow_part_fini(part);
}

/* Before who follows functions is told so. */
static enum prvcut_status pfu_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    (void)end_ns, (void)err;
    ((struct prvcut_profile_functions *)ctx)->ending = true;
    return PRVCUT_OK;
}

static enum prvcut_status pfu_merge_callers(void *ctx, void *worker, struct prvcut_error *err)
{
    return prvcut_profile_merge_cells(&((struct prvcut_profile_functions *)ctx)->caller,
                                      &((struct pfu_worker *)worker)->adder.cell, err);
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_functions_new(struct prvcut_profile_functions **out,
                                                const struct prvcut_trace *t,
                                                struct prvcut_profile_found *f,
                                                const struct prvcut_profile_asked *asked,
                                                struct prvcut_error *err)
{
    const bool lines = asked->lines;
    struct prvcut_profile_functions *p = prvcut_zeroed(1, sizeof *p, "functions", err);
    const struct prvcut_follow_options options = {
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
        .how = PRVCUT_FOLLOW_NESTED,
        .worker = { sizeof(struct prvcut_profile_adder), "workers", pfu_adder, pfu_adder_fini },
        .ctx = p,
        .closed = pfu_closed,
        .opened = pfu_opened,
        .spent = pfu_spent,
        .merge = pfu_merge_functions,
    };
    enum prvcut_status st;

    *out = p;
    if (!p)
        return PRVCUT_ENOMEM;
    p->found = f;
    p->archive = t->reader->by_thread;
    p->lines = lines;
    p->calls = asked->pairs;
    p->by_type = lines ? PRVCUT_TYPE_CALLER_LINE : PRVCUT_TYPE_CALLER;
    p->by_role = lines ? PRVCUT_ROLE_CALLER_LINE : PRVCUT_ROLE_CALLER;
    p->function = p->caller =
        (struct prvcut_table)PRVCUT_TABLE(struct prvcut_profile_cell, amount, "sums");
    p->open = (struct prvcut_table)PRVCUT_TABLE(struct pfu_open, times, "functions");
    p->callers = (struct prvcut_listener){
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(p->by_role),
        .ctx = p,
        .worker = { sizeof(struct pfu_worker), "workers", pfu_worker, pfu_worker_fini },
        .part = { sizeof(struct prvcut_follow_part), "a part", NULL, pfu_part_fini },
        .begin = pfu_begin,
        .batch = pfu_batch,
        .join = pfu_join,
        .clear = pfu_clear,
        .end = pfu_end,
        .merge = pfu_merge_callers,
    };
    p->named = (struct prvcut_table)PRVCUT_TABLE_SET(struct prvcut_proof_key, "functions");
    st = prvcut_follow_carry_init(&p->carry, f->threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_adder_init(&p->joins, f, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_adder_init(&p->closes, f, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_adder_init(&p->whole, f, err);
    return st == PRVCUT_OK ? prvcut_follow_new(&p->follow, t, &options, err) : st;
}

void prvcut_profile_functions_listeners(
    const struct prvcut_profile_functions *p,
    const struct prvcut_listener *out[PRVCUT_PROFILE_FUNCTION_LISTENERS])
{
    out[0] = &p->callers;
    out[1] = prvcut_follow_listener(p->follow);
}

/* Is any caller recorded? */
static bool pfu_any_caller(const struct prvcut_profile_functions *p)
{
    const struct prvcut_profile_cell *c = p->caller.at;

    for (size_t i = 0; i < p->caller.count; i++)
        if (c[i].key.of.value != PRVCUT_PROFILE_NAMELESS)
            return true;
    return false;
}

/* Calls are told by the functions that are recorded, or else by who called. */
static void pfu_pairs_end(struct prvcut_profile_functions *p)
{
    const bool any = p->named.count > 0;
    struct prvcut_table *cells = any ? &p->function : &p->caller;
    const struct prvcut_profile_cell *c = cells->at;
    bool told = any;

    for (size_t i = 0; i < cells->count && !told; i++)
        told = prvcut_profile_pair_function(&c[i].key.of) != PRVCUT_PROFILE_NO_FUNCTION;
    if (!told)
        prvcut_table_clear(cells);
    p->found->callers = true;
    p->found->function = *cells;
    *cells = (struct prvcut_table){ 0 };
    p->found->named = p->named;
    p->named = (struct prvcut_table){ 0 };
}

enum prvcut_status prvcut_profile_functions_end(struct prvcut_profile_functions *p,
                                                struct prvcut_error *err)
{
    struct pfu_to to = { p, &p->joins, true };
    enum prvcut_status st = prvcut_profile_lefts_close(&p->left, &p->closes, p->found, true, err);

    for (size_t i = 0; i < p->left_whole.count; i++)
        p->left_whole.at[i].spent = true;
    if (st == PRVCUT_OK)
        st = prvcut_profile_lefts_close(&p->left_whole, &p->whole, p->found, true, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_merge_cells(&p->function, &p->closes.cell, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_run_ends(&p->carry, 0, &pfu_rules, &to, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_merge_cells(&p->caller, &p->joins.cell, err);
    if (st == PRVCUT_OK && p->calls)
        pfu_pairs_end(p);
    if (st < 0 || p->calls)
        return st;
    p->found->callers = p->lines || p->function.count == 0;
    if (!pfu_any_caller(p))
        prvcut_table_clear(&p->caller);
    prvcut_table_fini(&p->found->function);
    prvcut_table_fini(&p->found->inclusive);
    if (!p->found->callers) {
        p->found->inclusive = p->whole.cell;
        p->whole.cell = (struct prvcut_table){ 0 };
    }
    p->found->function = p->found->callers ? p->caller : p->function;
    *(p->found->callers ? &p->caller : &p->function) = (struct prvcut_table){ 0 };
    return PRVCUT_OK;
}

void prvcut_profile_functions_free(struct prvcut_profile_functions *p)
{
    if (!p)
        return;
    prvcut_follow_free(p->follow);
    prvcut_follow_carry_fini(&p->carry);
    prvcut_profile_adder_fini(&p->joins);
    prvcut_profile_adder_fini(&p->closes);
    prvcut_profile_adder_fini(&p->whole);
    prvcut_table_fini(&p->named);
    prvcut_table_fini(&p->open);
    prvcut_table_fini(&p->function);
    prvcut_table_fini(&p->caller);
    prvcut_profile_lefts_fini(&p->left);
    prvcut_profile_lefts_fini(&p->left_whole);
    free(p);
}
