#include "analysis/profile/profile_pace.h"

#include "analysis/counted.h"
#include "analysis/profile/profile_steps.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * name        value   unit             decides
 */
#define PPC_LONG    100000 /* ns            a reading that tells the full pace is as long */
#define PPC_FULL    0.95   /* of these      so many are at most at the full pace */
#define PPC_WHOLE   0.99   /* of a reading  from here on it lies in a state as a whole */
#define PPC_OCTAVE  16384  /* steps         an octave has, of the full pace */
#define PPC_COARSER 8      /* bits          less in stretches: what is lost at each adds up */
#define PPC_NEVER   (-64 * PPC_OCTAVE) /* the pace of a reading without cycles */

/* What a step is. from, to: of a reading, and of a running state; of a call's begin or end only to;
   amount: cycles, of a reading. */
enum { PPC_READ, PPC_READ_FIRST, PPC_RUNS, PPC_CALLS, PPC_LEAVES };

/* Of a part. */
struct ppc_part {
    struct prvcut_counted_part counted;
    struct prvcut_profile_steps step;
    bool runs; /* a state tells who computes */
};

/* Where a thread computes: in the latest span and in the one before it. */
struct ppc_thread {
    struct prvcut_span now, before;
    uint32_t depth; /* of calls */
    bool runs;      /* a state has told of it: calls need not */
};

struct prvcut_profile_pace {
    struct prvcut_profile_found *found;
    struct prvcut_listener listener;
    struct ppc_thread *thread;        /* [threads] */
    struct prvcut_counted_read *read; /* [threads] */
    struct prvcut_profile_adder adder;
    struct ppc_part *joined; /* while a part is: the one */
    size_t early;            /* while a part is: the step of the latest that was told there */
    bool outside;            /* no states are recorded: what is outside calls is computing, as it
                                is in a trace that could hold states and does not */
    bool nests;              /* calls do */
};

/* --- Parts ------------------------------------------------------------------------------------ */

static enum prvcut_status ppc_counts(struct prvcut_rows *w, struct ppc_part *p,
                                     const struct prvcut_event *e, struct prvcut_error *err)
{
    struct prvcut_counted c;
    const enum prvcut_status st = prvcut_counted_step(w, &p->counted, e, false, &c, err);

    /* Of others it is only of use when they were read. */
    if (st < 0 || (st == PRVCUT_OK && e->role != PRVCUT_ROLE_CYCLES))
        return st < 0 ? st : PRVCUT_OK;
    return prvcut_profile_steps_add(
        &p->step,
        (struct prvcut_profile_step){ .from = c.span.start,
                                      .to = e->time,
                                      .amount = c.value,
                                      .thread = e->thread,
                                      .what = st == PRVCUT_OK ? PPC_READ : PPC_READ_FIRST },
        err);
}

static enum prvcut_status ppc_event(struct prvcut_rows *w, struct ppc_part *p,
                                    const struct prvcut_event *e, struct prvcut_error *err)
{
    if (PRVCUT_ROLES_COUNTED >> e->role & 1)
        return ppc_counts(w, p, e, err);
    if (!p->runs && PRVCUT_ROLES_MPI >> e->role & 1)
        return prvcut_profile_steps_add(
            &p->step,
            (struct prvcut_profile_step){ .to = e->time,
                                          .thread = e->thread,
                                          .what = e->value != 0 ? PPC_CALLS : PPC_LEAVES },
            err);
    return PRVCUT_OK;
}

static enum prvcut_status ppc_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct prvcut_profile_pace *a = ctx;
    enum prvcut_status st = PRVCUT_OK;
    size_t i = 0, k = 0;

    while ((i < b->events || k < b->states) && st == PRVCUT_OK) {
        const struct prvcut_state *s = &b->state[k];

        if (k < b->states && (a->outside || !s->running || s->begin >= s->end)) {
            k++;
        } else if (k == b->states || (i < b->events && b->event[i].time < s->begin)) {
            st = ppc_event(worker, part, &b->event[i], err);
            i++;
        } else {
            ((struct ppc_part *)part)->runs = true;
            st = prvcut_profile_steps_add(
                &((struct ppc_part *)part)->step,
                (struct prvcut_profile_step){
                    .from = s->begin, .to = s->end, .thread = s->thread, .what = PPC_RUNS },
                err);
            k++;
        }
    }
    return st;
}

static enum prvcut_status ppc_worker(void *ctx, void *room, struct prvcut_error *err)
{
    return prvcut_rows_init(room, ((struct prvcut_profile_pace *)ctx)->found->threads, err);
}

static void ppc_worker_fini(void *room)
{
    prvcut_rows_fini(room);
}

static enum prvcut_status ppc_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    (void)ctx, (void)part, (void)number, (void)err;
    prvcut_rows_begin(worker);
    return PRVCUT_OK;
}

static void ppc_clear(void *part)
{
    prvcut_counted_part_clear(&((struct ppc_part *)part)->counted);
    prvcut_profile_steps_clear(&((struct ppc_part *)part)->step);
    ((struct ppc_part *)part)->runs = false;
}

static void ppc_part_fini(void *part)
{
    prvcut_counted_part_fini(&((struct ppc_part *)part)->counted);
    prvcut_profile_steps_fini(&((struct ppc_part *)part)->step);
}

/* --- In order --------------------------------------------------------------------------------- */

static int32_t ppc_pace(uint64_t cycles, uint64_t ns)
{
    return cycles > 0 ? (int32_t)floor(log2((double)cycles / (double)ns) * PPC_OCTAVE) : PPC_NEVER;
}

static struct prvcut_proof_key ppc_key(int32_t pace, bool cycles)
{
    return (struct prvcut_proof_key){ PRVCUT_PROOF_COUNTER,
                                      (uint32_t)((pace - PPC_NEVER) >> PPC_COARSER), cycles };
}

/* Does a reading lie in it? A tracer may begin a state a little after it has read. */
static bool ppc_in(const struct prvcut_span *of, const struct prvcut_span *span)
{
    const uint64_t start = of->start > span->start ? of->start : span->start;
    const uint64_t end = of->end < span->end ? of->end : span->end;

    return end > start && (double)(end - start) >= PPC_WHOLE * (double)(span->end - span->start);
}

/* It was read, and computed since it was read before. */
static enum prvcut_status ppc_reads(struct prvcut_profile_pace *a,
                                    const struct prvcut_profile_step *s, struct prvcut_error *err)
{
    const struct ppc_thread *t = &a->thread[s->thread];
    const struct prvcut_span span = { s->from, s->to };
    struct prvcut_profile_paces of = { .key = { s->thread, 0 } };
    enum prvcut_status st;

    if (span.start >= span.end || (!ppc_in(&t->now, &span) && !ppc_in(&t->before, &span)))
        return PRVCUT_OK;
    of.key.pace = ppc_pace(s->amount, span.end - span.start);
    if (span.end - span.start >= PPC_LONG) {
        struct prvcut_profile_paces *p = prvcut_table_make(&a->found->paces, &of.key, err);

        if (!p)
            return PRVCUT_ENOMEM;
        p->count++;
    }
    st = prvcut_profile_spend(&a->adder, a->found, s->thread, ppc_key(of.key.pace, false), span,
                              err);
    return st == PRVCUT_OK ? prvcut_profile_divide(&a->adder, a->found, s->thread,
                                                   ppc_key(of.key.pace, true), span, s->amount, err)
                           : st;
}

static void ppc_computes(struct ppc_thread *t, struct prvcut_span span)
{
    t->before = t->now;
    t->now = span;
}

/* A state tells it: before the first one nothing did. */
static void ppc_runs(struct ppc_thread *t, struct prvcut_span span)
{
    if (!t->runs)
        t->now = (struct prvcut_span){ 0, 0 };
    t->runs = true;
    ppc_computes(t, span);
}

/* It enters a call, or leaves one. */
static void ppc_calls(const struct prvcut_profile_pace *a, const struct prvcut_profile_step *s)
{
    struct ppc_thread *t = &a->thread[s->thread];

    if (t->runs)
        return;
    if (s->what == PPC_CALLS && t->depth == 0)
        t->now.end = s->to;
    t->depth = s->what == PPC_CALLS       ? (a->nests ? t->depth + 1 : 1)
               : a->nests && t->depth > 0 ? t->depth - 1
                                          : 0;
    if (s->what == PPC_LEAVES && t->depth == 0)
        ppc_computes(t, (struct prvcut_span){ s->to, UINT64_MAX });
}

/* Since when the next of the part's first readings counts. */
static enum prvcut_status ppc_told(void *ctx, const struct prvcut_counted *c,
                                   struct prvcut_error *err)
{
    struct prvcut_profile_pace *a = ctx;

    (void)err;
    while (a->joined->step.at[a->early].what != PPC_READ_FIRST)
        a->early++;
    a->joined->step.at[a->early++].from =
        c->first || c->role != PRVCUT_ROLE_CYCLES ? UINT64_MAX : c->span.start;
    return PRVCUT_OK;
}

static enum prvcut_status ppc_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_profile_pace *a = ctx;
    struct ppc_part *p = part;
    enum prvcut_status st;

    a->joined = p;
    a->early = 0;
    st = prvcut_counted_join(a->read, &p->counted, ppc_told, a, err);
    for (size_t i = 0; i < p->step.count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_step *s = &p->step.at[i];

        if (s->what == PPC_READ || s->what == PPC_READ_FIRST)
            st = ppc_reads(a, s, err);
        else if (s->what == PPC_RUNS)
            ppc_runs(&a->thread[s->thread], (struct prvcut_span){ s->from, s->to });
        else
            ppc_calls(a, s);
    }
    a->joined = NULL;
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_pace_new(struct prvcut_profile_pace **out,
                                           const struct prvcut_trace *t,
                                           struct prvcut_profile_found *f, struct prvcut_error *err)
{
    struct prvcut_profile_pace *a = *out = prvcut_zeroed(1, sizeof *a, "counters", err);

    if (!a)
        return PRVCUT_ENOMEM;
    a->found = f;
    a->outside = f->told;
    a->nests = prvcut_trace_calls_nest(t);
    a->listener = (struct prvcut_listener){
        .roles = PRVCUT_ROLES_COUNTED | PRVCUT_ROLES_MPI,
        .states = !a->outside,
        .running_only = true,
        .ctx = a,
        .worker = { sizeof(struct prvcut_rows), "workers", ppc_worker, ppc_worker_fini },
        .part = { sizeof(struct ppc_part), "a part", NULL, ppc_part_fini },
        .begin = ppc_begin,
        .batch = ppc_batch,
        .join = ppc_join,
        .clear = ppc_clear,
    };
    a->thread = prvcut_zeroed((size_t)f->threads + 1, sizeof *a->thread, "threads", err);
    a->read = prvcut_zeroed((size_t)f->threads + 1, sizeof *a->read, "threads", err);
    for (uint32_t i = 0; a->thread && i < f->threads; i++)
        a->thread[i].now.end = UINT64_MAX;
    return a->thread && a->read ? prvcut_profile_adder_init(&a->adder, f, err) : PRVCUT_ENOMEM;
}

const struct prvcut_listener *prvcut_profile_pace_listener(const struct prvcut_profile_pace *a)
{
    return &a->listener;
}

enum prvcut_status prvcut_profile_pace_end(struct prvcut_profile_pace *a, struct prvcut_error *err)
{
    return prvcut_profile_merge_cells(&a->found->pace, &a->adder.cell, err);
}

void prvcut_profile_pace_free(struct prvcut_profile_pace *a)
{
    if (!a)
        return;
    prvcut_profile_adder_fini(&a->adder);
    free(a->thread);
    free(a->read);
    free(a);
}

/* --- What is taken ---------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_paces_add(struct prvcut_table *to,
                                            const struct prvcut_table *from,
                                            struct prvcut_error *err)
{
    const struct prvcut_profile_paces *at = from->at;

    for (size_t i = 0; i < from->count; i++) {
        struct prvcut_profile_paces *p = prvcut_table_make(to, &at[i].key, err);

        if (!p)
            return PRVCUT_ENOMEM;
        p->count += at[i].count;
    }
    return PRVCUT_OK;
}

/* By thread, then by pace. */
static int ppc_by_pace(const void *a, const void *b)
{
    const struct prvcut_profile_paces *x = a, *y = b;

    if (x->key.thread != y->key.thread)
        return x->key.thread > y->key.thread ? 1 : -1;
    return (x->key.pace > y->key.pace) - (x->key.pace < y->key.pace);
}

static double ppc_cycles_a_ns(int32_t pace)
{
    return pace > PPC_NEVER ? exp2((pace + 0.5) / PPC_OCTAVE) : 0;
}

/* The full pace of each thread. p: in order */
static void ppc_full(double *full, const struct prvcut_profile_paces *p, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t readings = 0, upto = 0;

        for (end = i; end < count && p[end].key.thread == p[i].key.thread; end++)
            readings += p[end].count;
        for (size_t k = i; k < end; k++) {
            upto += p[k].count;
            if ((double)upto > floor(PPC_FULL * (double)readings)) {
                full[p[i].key.thread] = ppc_cycles_a_ns(p[k].key.pace);
                break;
            }
        }
    }
}

/* What readings of one pace, or about one, lack. */
struct ppc_lack {
    struct prvcut_profile_key key; /* of.value is 0 */
    uint64_t ns, cycles;
};

enum prvcut_status prvcut_profile_stolen(const struct prvcut_profile_found *f, double *stolen,
                                         double *full, struct prvcut_error *err)
{
    const struct prvcut_profile_cell *c = f->pace.at;
    struct prvcut_table lack = PRVCUT_TABLE(struct ppc_lack, ns, "counters");
    struct prvcut_table paces = { .at = NULL };
    enum prvcut_status st = prvcut_table_copy(&paces, &f->paces, err);
    size_t count = 0;
    struct prvcut_profile_paces *p = st == PRVCUT_OK ? prvcut_table_take(&paces, &count) : NULL;

    if (count > 0) {
        qsort(p, count, sizeof *p, ppc_by_pace);
        ppc_full(full, p, count);
    }
    free(p);
    for (size_t i = 0; i < f->pace.count && st == PRVCUT_OK; i++) {
        struct prvcut_profile_key key = c[i].key;
        struct ppc_lack *l;

        key.of.value = 0;
        l = prvcut_table_make(&lack, &key, err);
        st = l ? st : PRVCUT_ENOMEM;
        if (l)
            *(c[i].key.of.value != 0 ? &l->cycles : &l->ns) += c[i].amount;
    }
    for (size_t i = 0; i < lack.count && st == PRVCUT_OK; i++) {
        const struct ppc_lack *l = (const struct ppc_lack *)lack.at + i;
        const uint32_t thread = l->key.thread;

        if (thread < f->threads && full[thread] > 0)
            stolen[l->key.slot * (size_t)f->threads + thread] +=
                fmax(0, (double)l->ns - (double)l->cycles / full[thread]);
    }
    prvcut_table_fini(&lack);
    return st;
}
