#include "signal/asked.h"

#include "base/memory.h"
#include "follow/part.h"
#include "model/roles.h"
#include "signal/counters.h"

#include <math.h>
#include <stdlib.h>

#define BIT(which) (UINT32_C(1) << (which))
/* Followed by type where one is in one thing at a time; beyond them types count as nested. */
#define SINGLES 31

/* Which integral stands for a kind: the sums are a metric's own, so that any would do. */
#define THREADS PRVCUT_SUM_RUNNING
#define RATE    PRVCUT_WIDE_INSTRUCTIONS
#define LEVEL   PRVCUT_WIDE_RUNNING

static const double fraction = (double)(UINT64_C(1) << PRVCUT_FRACTION);

/* What a metric needs: nothing of the others is ever made. */
enum use { USE_EVENTS, USE_COUNTER, USE_LEVEL, USE_STATES, USE_REGION, USE_GIVEN };

struct prvcut_asked_sums {
    const struct prvcut_trace *trace;
    struct prvcut_listener listener;
    struct prvcut_grid grid;
    struct prvcut_sums sums[PRVCUT_ASKED_MOST]; /* of what crosses parts, and at last of all */
    enum use use[PRVCUT_ASKED_MOST];
    unsigned wanted[PRVCUT_ASKED_MOST]; /* [metrics] numbers of the trace's metrics */
    unsigned metrics;
    uint32_t single[SINGLES]; /* [singles] event types of which one value holds at a time */
    unsigned singles;
    struct prvcut_counters_carry counters[PRVCUT_ASKED_MOST];
    struct prvcut_follow_carry nested, one, levels;
};

struct asked_worker {
    struct prvcut_sums sums[PRVCUT_ASKED_MOST];
    struct prvcut_rows counters[PRVCUT_ASKED_MOST];
    struct prvcut_rows nested, one, levels;
};

struct asked_part {
    struct prvcut_counters_part counters[PRVCUT_ASKED_MOST];
    struct prvcut_follow_part nested, one, levels;
};

/* Where what has ended is added. */
struct asked_to {
    const struct prvcut_asked_sums *of;
    struct prvcut_sums *sums;
};

static const struct prvcut_asked_metric *asked_metric(const struct prvcut_asked_sums *a, unsigned i)
{
    return &a->trace->asked->at[a->wanted[i]];
}

static void asked_add_region(const struct asked_to *to, uint32_t type, int64_t value,
                             const struct prvcut_followed *f)
{
    if (f->no_begin || f->span.end <= f->span.start)
        return;
    for (unsigned i = 0; i < to->of->metrics; i++)
        if (to->of->use[i] == USE_REGION &&
            prvcut_rule_list_has(&asked_metric(to->of, i)->of, type, value))
            prvcut_sums_add(&to->sums[i], THREADS, f->span.start, f->span.end);
}

static enum prvcut_status asked_nested_closed(void *ctx, const struct prvcut_followed *f,
                                              struct prvcut_error *err)
{
    (void)err;
    asked_add_region(ctx, f->type, f->value, f);
    return PRVCUT_OK;
}

static enum prvcut_status asked_one_closed(void *ctx, const struct prvcut_followed *f,
                                           struct prvcut_error *err)
{
    const struct asked_to *to = ctx;

    (void)err;
    asked_add_region(to, to->of->single[f->type], f->value, f);
    return PRVCUT_OK;
}

static enum prvcut_status asked_level_closed(void *ctx, const struct prvcut_followed *f,
                                             struct prvcut_error *err)
{
    const struct asked_to *to = ctx;

    (void)err;
    if (!f->no_begin && f->value > 0 && f->span.end > f->span.start)
        prvcut_sums_add_wide(&to->sums[f->type], LEVEL, f->span.start, f->span.end,
                             (uint64_t)f->value);
    return PRVCUT_OK;
}

static const struct prvcut_follow_rules asked_nested = { .how = PRVCUT_FOLLOW_NESTED,
                                                         .closed = asked_nested_closed };
static const struct prvcut_follow_rules asked_one = { .how = PRVCUT_FOLLOW_VALUES,
                                                      .closed = asked_one_closed };
static const struct prvcut_follow_rules asked_levels = { .how = PRVCUT_FOLLOW_VALUES,
                                                         .closed = asked_level_closed };

/* --- A part ---------------------------------------------------------------------------------- */

static enum prvcut_status asked_begin(void *ctx, void *worker, void *part, uint64_t number,
                                      struct prvcut_error *err)
{
    const struct prvcut_asked_sums *a = ctx;
    struct asked_worker *w = worker;

    (void)part, (void)number, (void)err;
    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_rows_begin(&w->counters[i]);
    prvcut_rows_begin(&w->nested);
    prvcut_rows_begin(&w->one);
    prvcut_rows_begin(&w->levels);
    return PRVCUT_OK;
}

/* An end is none: what begins counts. */
static void asked_count(const struct prvcut_asked_sums *a, struct asked_worker *w, unsigned i,
                        const struct prvcut_event *e)
{
    const struct prvcut_asked_metric *m = asked_metric(a, i);

    if (e->value == 0 && prvcut_role_is_region(e->role) && m->of.at[0].values == 0)
        return;
    if (prvcut_rule_list_has(&m->of, e->type, e->value))
        prvcut_sums_add_wide(&w->sums[i], RATE, e->time, e->time + 1,
                             UINT64_C(1) << PRVCUT_FRACTION);
}

static bool asked_has_type(const struct prvcut_rule_list *l, uint32_t type)
{
    for (size_t i = 0; i < l->count; i++)
        if (type >= l->at[i].first && type <= l->at[i].last)
            return true;
    return false;
}

static unsigned asked_single(const struct prvcut_asked_sums *a, uint32_t type)
{
    unsigned i = 0;

    while (i < a->singles && a->single[i] != type)
        i++;
    return i;
}

/* All values of a type are followed: any of them may end what was asked for. */
static enum prvcut_status asked_follow(const struct prvcut_asked_sums *a, struct asked_worker *w,
                                       struct asked_part *p, const struct prvcut_event *e,
                                       struct prvcut_error *err)
{
    const unsigned single = asked_single(a, e->type);
    struct asked_to to = { a, w->sums };
    struct prvcut_step step = prvcut_step_of(e);

    if (single == a->singles)
        return prvcut_follow_step(&w->nested, &p->nested, &asked_nested, &to, &step, err);
    step.type = single;
    return prvcut_follow_step(&w->one, &p->one, &asked_one, &to, &step, err);
}

static enum prvcut_status asked_event(const struct prvcut_asked_sums *a, struct asked_worker *w,
                                      struct asked_part *p, const struct prvcut_event *e,
                                      struct prvcut_error *err)
{
    struct asked_to to = { a, w->sums };
    struct prvcut_event counted = *e;
    struct prvcut_step step = prvcut_step_of(e);
    enum prvcut_status st = PRVCUT_OK;
    bool followed = false;

    counted.role = PRVCUT_ROLE_INSTRUCTIONS;
    for (unsigned i = 0; i < a->metrics && st == PRVCUT_OK; i++) {
        if (a->use[i] == USE_STATES || !asked_has_type(&asked_metric(a, i)->of, e->type))
            continue;
        if (a->use[i] == USE_EVENTS) {
            asked_count(a, w, i, e);
        } else if (a->use[i] == USE_COUNTER) {
            st =
                prvcut_counters_event(&w->counters[i], &p->counters[i], &w->sums[i], &counted, err);
        } else if (a->use[i] == USE_LEVEL) {
            step.type = i;
            st = prvcut_follow_step(&w->levels, &p->levels, &asked_levels, &to, &step, err);
        } else if (!followed) {
            followed = true;
            st = asked_follow(a, w, p, e, err);
        }
    }
    return st;
}

static enum prvcut_status asked_batch(void *ctx, void *worker, void *part,
                                      const struct prvcut_batch *batch, struct prvcut_error *err)
{
    const struct prvcut_asked_sums *a = ctx;
    struct asked_worker *w = worker;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < a->metrics; i++)
        for (size_t k = 0; a->use[i] == USE_STATES && k < batch->states; k++) {
            const struct prvcut_state *s = &batch->state[k];

            if (prvcut_rule_list_has(&asked_metric(a, i)->of, s->number, 0))
                prvcut_sums_add(&w->sums[i], THREADS, s->begin, s->end);
        }
    for (size_t k = 0; a->listener.roles && k < batch->events && st == PRVCUT_OK; k++)
        if (a->listener.roles >> batch->event[k].role & 1)
            st = asked_event(a, w, part, &batch->event[k], err);
    return st;
}

static enum prvcut_status asked_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_asked_sums *a = ctx;
    struct asked_part *p = part;
    struct asked_to to = { a, a->sums };
    enum prvcut_status st = prvcut_follow_join(&a->nested, &p->nested, &asked_nested, &to, err);

    if (st == PRVCUT_OK)
        st = prvcut_follow_join(&a->one, &p->one, &asked_one, &to, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_join(&a->levels, &p->levels, &asked_levels, &to, err);
    for (unsigned i = 0; i < a->metrics; i++)
        if (a->use[i] == USE_COUNTER)
            prvcut_counters_join(&a->counters[i], &p->counters[i], &a->sums[i]);
    return st;
}

static void asked_clear(void *part)
{
    struct asked_part *p = part;

    for (unsigned i = 0; i < PRVCUT_ASKED_MOST; i++)
        p->counters[i].count = 0;
    prvcut_follow_part_clear(&p->nested);
    prvcut_follow_part_clear(&p->one);
    prvcut_follow_part_clear(&p->levels);
}

static void asked_part_fini(void *part)
{
    struct asked_part *p = part;

    for (unsigned i = 0; i < PRVCUT_ASKED_MOST; i++)
        free(p->counters[i].seen);
    prvcut_follow_part_fini(&p->nested);
    prvcut_follow_part_fini(&p->one);
    prvcut_follow_part_fini(&p->levels);
}

static enum prvcut_status asked_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct prvcut_asked_sums *a = ctx;
    struct asked_to to = { a, a->sums };
    enum prvcut_status st = prvcut_follow_run_ends(&a->nested, end_ns, &asked_nested, &to, err);

    if (st == PRVCUT_OK)
        st = prvcut_follow_run_ends(&a->one, end_ns, &asked_one, &to, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_run_ends(&a->levels, end_ns, &asked_levels, &to, err);
    for (unsigned i = 0; i < a->metrics; i++)
        if (a->use[i] == USE_COUNTER)
            prvcut_counters_end(&a->counters[i], &a->sums[i]);
    return st;
}

static enum prvcut_status asked_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct prvcut_asked_sums *a = ctx;
    struct asked_worker *w = worker;

    (void)err;
    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_sums_merge(&a->sums[i], &w->sums[i]);
    return PRVCUT_OK;
}

/* --- Its making ------------------------------------------------------------------------------ */

static enum prvcut_status asked_sums_init(const struct prvcut_asked_sums *a, struct prvcut_sums *s,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < a->metrics && st == PRVCUT_OK; i++) {
        const bool threads =
            a->use[i] == USE_STATES || a->use[i] == USE_REGION || a->use[i] == USE_GIVEN;
        const uint32_t wide = a->use[i] == USE_LEVEL ? BIT(LEVEL) : BIT(RATE);

        st = prvcut_sums_init(&s[i], &a->grid, threads ? BIT(THREADS) : 0, threads ? 0 : wide, err);
    }
    return st;
}

static enum prvcut_status asked_worker_init(void *ctx, void *room, struct prvcut_error *err)
{
    const struct prvcut_asked_sums *a = ctx;
    const uint32_t threads = a->trace->objects.threads;
    struct asked_worker *w = room;
    enum prvcut_status st = asked_sums_init(a, w->sums, err);

    for (unsigned i = 0; i < a->metrics && st == PRVCUT_OK; i++)
        st = prvcut_rows_init(&w->counters[i], threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->nested, threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->one, threads, err);
    return st == PRVCUT_OK ? prvcut_rows_init(&w->levels, threads, err) : st;
}

static void asked_worker_fini(void *room)
{
    struct asked_worker *w = room;

    for (unsigned i = 0; i < PRVCUT_ASKED_MOST; i++) {
        prvcut_sums_fini(&w->sums[i]);
        prvcut_rows_fini(&w->counters[i]);
    }
    prvcut_rows_fini(&w->nested);
    prvcut_rows_fini(&w->one);
    prvcut_rows_fini(&w->levels);
}

static void asked_put(void *ctx, struct prvcut_put *out)
{
    const struct prvcut_asked_sums *a = ctx;

    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_counters_carry_put(out, &a->counters[i]);
    prvcut_follow_carry_put(out, &a->nested);
    prvcut_follow_carry_put(out, &a->one);
    prvcut_follow_carry_put(out, &a->levels);
}

static void asked_get(void *ctx, struct prvcut_get *in)
{
    struct prvcut_asked_sums *a = ctx;

    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_counters_carry_get(in, &a->counters[i]);
    prvcut_follow_carry_get(in, &a->nested);
    prvcut_follow_carry_get(in, &a->one);
    prvcut_follow_carry_get(in, &a->levels);
}

static void asked_sums_put(void *ctx, struct prvcut_put *out)
{
    const struct prvcut_asked_sums *a = ctx;

    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_sums_put(out, &a->sums[i]);
}

static void asked_sums_get(void *ctx, struct prvcut_get *in)
{
    struct prvcut_asked_sums *a = ctx;

    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_sums_get(in, &a->sums[i]);
}

static void asked_sums_clear(void *ctx)
{
    struct prvcut_asked_sums *a = ctx;

    for (unsigned i = 0; i < a->metrics; i++)
        prvcut_sums_clear(&a->sums[i]);
}

static const struct prvcut_pass_share asked_share = {
    .put = asked_put,
    .get = asked_get,
    .sums = { .put = asked_sums_put, .add = asked_sums_get, .clear = asked_sums_clear },
};

static enum use asked_use(const struct prvcut_asked_metric *m)
{
    static const enum use of_kind[PRVCUT_ASKED_KINDS] = { [PRVCUT_ASKED_EVENT] = USE_EVENTS,
                                                          [PRVCUT_ASKED_COUNTER] = USE_COUNTER,
                                                          [PRVCUT_ASKED_STATE] = USE_STATES,
                                                          [PRVCUT_ASKED_REGION] = USE_REGION };

    if (m->kind == PRVCUT_ASKED_GIVEN)
        return USE_GIVEN;
    return m->kind == PRVCUT_ASKED_COUNTER && m->level ? USE_LEVEL : of_kind[m->kind];
}

/* Calls and flushes that lost their ends do not pile up. */
static void asked_find_singles(struct prvcut_asked_sums *a, const struct prvcut_asked_metric *m)
{
    for (size_t i = 0; i < m->of.count; i++) {
        const uint32_t type = m->of.at[i].first;
        const struct prvcut_label *label = a->trace->type;
        size_t k = 0;

        while (k < a->trace->types && label[k].number != type)
            k++;
        if (k < a->trace->types && !prvcut_role_nests(label[k].role) && a->singles < SINGLES &&
            asked_single(a, type) == a->singles)
            a->single[a->singles++] = type;
    }
}

static void asked_want(struct prvcut_asked_sums *a, uint32_t wanted)
{
    for (unsigned i = 0; i < PRVCUT_ASKED_MOST; i++) {
        const struct prvcut_asked_metric *m;

        if (!(wanted >> i & 1))
            continue;
        m = &a->trace->asked->at[i];
        a->wanted[a->metrics] = i;
        a->use[a->metrics] = asked_use(m);
        if (a->use[a->metrics] == USE_REGION)
            asked_find_singles(a, m);
        a->listener.states = a->listener.states || a->use[a->metrics] == USE_STATES;
        a->listener.roles |= m->roles;
        a->metrics++;
    }
}

enum prvcut_status prvcut_asked_sums_new(struct prvcut_asked_sums **out,
                                         const struct prvcut_trace *t, uint32_t wanted,
                                         const struct prvcut_grid *grid, struct prvcut_error *err)
{
    struct prvcut_asked_sums *a = *out = prvcut_zeroed(1, sizeof *a, "signals", err);
    const uint32_t threads = t->objects.threads;
    enum prvcut_status st;

    if (!a)
        return PRVCUT_ENOMEM;
    a->trace = t;
    a->grid = *grid;
    a->listener = (struct prvcut_listener){
        .ctx = a,
        .worker = { sizeof(struct asked_worker), "workers", asked_worker_init, asked_worker_fini },
        .part = { sizeof(struct asked_part), "a part", NULL, asked_part_fini },
        .begin = asked_begin,
        .batch = asked_batch,
        .join = asked_join,
        .clear = asked_clear,
        .end = asked_end,
        .merge = asked_merge,
        .share = &asked_share,
    };
    asked_want(a, wanted);
    st = asked_sums_init(a, a->sums, err);
    for (unsigned i = 0; i < a->metrics && st == PRVCUT_OK; i++)
        st = prvcut_counters_carry_init(&a->counters[i], threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_carry_init(&a->nested, threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_carry_init(&a->one, threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_carry_init(&a->levels, threads, err);
    if (st < 0) {
        prvcut_asked_sums_free(a);
        *out = NULL;
    }
    return st;
}

const struct prvcut_listener *prvcut_asked_sums_listener(const struct prvcut_asked_sums *a)
{
    return &a->listener;
}

void prvcut_asked_sums_lay(struct prvcut_asked_sums *a, const struct prvcut_grid *grid)
{
    a->grid = *grid;
}

static unsigned asked_place(const struct prvcut_asked_sums *a, unsigned number)
{
    unsigned i = 0;

    while (a->wanted[i] != number)
        i++;
    return i;
}

/* The mean of a given signal over each bin; 0 where it tells nothing. */
static enum prvcut_status asked_given(const struct prvcut_asked_sums *a, unsigned i,
                                      struct prvcut_signal *out, struct prvcut_error *err)
{
    const struct prvcut_signal *in = asked_metric(a, i)->given;
    const double wide = (double)in->width;
    size_t bin = 0;

    *out = (struct prvcut_signal){ .name = asked_metric(a, i)->name,
                                   .unit = in->unit,
                                   .start = a->grid.start,
                                   .width = a->grid.width,
                                   .bins = a->grid.bins,
                                   .note = in->note };
    out->at = prvcut_zeroed(a->grid.bins + 1, sizeof *out->at, "a signal", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < out->bins; k++) {
        const double from = (double)(out->start + k * out->width), to = from + (double)out->width;

        while (bin < in->bins && (double)(in->start + (bin + 1) * in->width) <= from)
            bin++;
        for (size_t b = bin; b < in->bins; b++) {
            const double begin = (double)(in->start + b * in->width);

            if (begin >= to)
                break;
            out->at[k] += in->at[b] * (fmin(to, begin + wide) - fmax(from, begin));
        }
        out->at[k] /= (double)out->width;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_asked_signal(struct prvcut_asked_sums *a, unsigned number,
                                       struct prvcut_signal *out, struct prvcut_error *err)
{
    static const char *const unit[] = { [USE_EVENTS] = "1/ns",
                                        [USE_COUNTER] = "1/ns",
                                        [USE_LEVEL] = "",
                                        [USE_STATES] = "threads",
                                        [USE_REGION] = "threads" };
    static const char *const absent[] = { [USE_EVENTS] = "no such event",
                                          [USE_COUNTER] = "the counter was not read twice",
                                          [USE_LEVEL] = "the counter was not read",
                                          [USE_STATES] = "no thread is ever in that state",
                                          [USE_REGION] = "no thread is ever inside it" };
    const unsigned i = asked_place(a, number);
    const enum use use = a->use[i];
    struct prvcut_sums *s = &a->sums[i];
    const bool threads = s->at[THREADS] != NULL;
    const enum prvcut_wide_sum wide = use == USE_LEVEL ? LEVEL : RATE;
    const double scale = (double)a->grid.width * (use == USE_LEVEL || threads ? 1 : fraction);

    if (use == USE_GIVEN)
        return asked_given(a, i, out, err);
    *out = (struct prvcut_signal){ .name = asked_metric(a, i)->name,
                                   .unit = unit[use],
                                   .start = a->grid.start,
                                   .width = a->grid.width,
                                   .bins = a->grid.bins };
    if ((threads ? s->count[THREADS] : s->wide_count[wide]) == 0) {
        out->absent = absent[use];
        return PRVCUT_OK;
    }
    prvcut_sums_finish(s, &a->grid);
    out->at = prvcut_unset(a->grid.bins + 1, sizeof *out->at, "a signal", err);
    for (size_t k = 0; out->at && k < a->grid.bins; k++)
        out->at[k] = (threads ? (double)s->at[THREADS][k] : (double)s->wide[wide][k]) / scale;
    return out->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_asked_sums_free(struct prvcut_asked_sums *a)
{
    for (unsigned i = 0; a && i < PRVCUT_ASKED_MOST; i++) {
        prvcut_sums_fini(&a->sums[i]);
        free(a->counters[i].at);
    }
    if (a) {
        prvcut_follow_carry_fini(&a->nested);
        prvcut_follow_carry_fini(&a->one);
        prvcut_follow_carry_fini(&a->levels);
    }
    free(a);
}
