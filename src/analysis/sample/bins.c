#include "analysis/sample/bins.h"

#include "analysis/counted.h"
#include "analysis/proof_keys.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/rows.h"
#include "pass/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counters at most. */
#define COUNTERS_MOST 256

/* Parts of a count, which are whole numbers, too: so sums do not depend on their order. */
#define PARTS 4294967296.0

/* What was counted in a bin. */
struct bin_sum {
    uint64_t whole, parts;
};

/* What one counter counted. */
struct bin_counter {
    uint32_t type; /* of its events; 0: it is known by its role */
    uint8_t role;
    struct bin_sum *at; /* [bins]; owned */
};

/* What a worker, or all, counted. */
struct bin_sums {
    struct bin_counter *counter; /* [counters]; owned */
    size_t counters, room;
    uint64_t ns, wide, wide_ns;
};

struct bin_reader {
    const uint64_t *edge; /* [bins + 1], ns */
    size_t bins;
    uint32_t threads;
    struct bin_sums all;              /* where parts are joined; at last of all workers */
    struct prvcut_counted_read *read; /* [threads] */
};

struct bin_worker {
    struct prvcut_rows rows;
    struct bin_sums sums;
};

static void bin_sums_fini(struct bin_sums *s)
{
    for (size_t i = 0; i < s->counters; i++)
        free(s->counter[i].at);
    free(s->counter);
    memset(s, 0, sizeof *s);
}

/* NULL: no memory, or too many. */
static struct bin_sum *bin_counter_at(struct bin_sums *s, size_t bins, uint32_t type, uint8_t role,
                                      struct prvcut_error *err)
{
    struct bin_counter *c;

    type = role == PRVCUT_ROLE_COUNTER ? type : 0;
    for (size_t i = 0; i < s->counters; i++)
        if (s->counter[i].type == type && s->counter[i].role == role)
            return s->counter[i].at;
    if (s->counters == COUNTERS_MOST) {
        prvcut_fail(err, PRVCUT_ELIMIT, "more than %d counters", COUNTERS_MOST);
        return NULL;
    }
    if (prvcut_grow((void **)&s->counter, &s->room, s->counters + 1, sizeof *s->counter, err) < 0)
        return NULL;
    c = &s->counter[s->counters];
    *c = (struct bin_counter){ type, role, prvcut_zeroed(bins, sizeof *c->at, "bins", err) };
    s->counters += c->at != NULL;
    return c->at;
}

/* The bin that an instant within all of them lies in. */
static size_t bin_of(const struct bin_reader *r, uint64_t time)
{
    const double length = (double)(r->edge[r->bins] - r->edge[0]);
    size_t i = (size_t)((double)(time - r->edge[0]) / length * (double)r->bins);

    i = i < r->bins ? i : r->bins - 1;
    while (i > 0 && r->edge[i] > time)
        i--;
    while (i + 1 < r->bins && r->edge[i + 1] <= time)
        i++;
    return i;
}

/* The part of a value that was counted up to an instant. */
static double bin_part(const struct prvcut_counted *c, uint64_t upto)
{
    if (upto >= c->span.end)
        return (double)c->value;
    return (double)c->value * (double)(upto - c->span.start) /
           (double)(c->span.end - c->span.start);
}

static enum prvcut_status bin_add(const struct bin_reader *r, struct bin_sums *s,
                                  const struct prvcut_counted *c, struct prvcut_error *err)
{
    const uint64_t low = r->edge[0], high = r->edge[r->bins];
    const uint64_t from = c->span.start > low ? c->span.start : low;
    struct bin_sum *at;
    double before;

    if (c->span.end <= low || c->span.start >= high || c->span.end <= c->span.start)
        return PRVCUT_OK;
    at = bin_counter_at(s, r->bins, c->type, c->role, err);
    if (!at)
        return err ? err->status : PRVCUT_ENOMEM;
    s->ns += c->span.end - c->span.start;
    if ((double)(c->span.end - c->span.start) * (double)r->bins > (double)(high - low)) {
        s->wide++;
        s->wide_ns += c->span.end - c->span.start;
    }
    before = bin_part(c, from);
    for (size_t i = bin_of(r, from); i < r->bins && r->edge[i] < c->span.end; i++) {
        const double upto = bin_part(c, r->edge[i + 1]), whole = floor(upto - before);

        at[i].whole += (uint64_t)whole;
        at[i].parts += (uint64_t)((upto - before - whole) * PARTS);
        before = upto;
    }
    return PRVCUT_OK;
}

/* --- The listener ----------------------------------------------------------------------------- */

static enum prvcut_status bin_worker_init(void *ctx, void *room, struct prvcut_error *err)
{
    const struct bin_reader *r = ctx;

    return prvcut_rows_init(&((struct bin_worker *)room)->rows, r->threads, err);
}

static void bin_worker_fini(void *room)
{
    struct bin_worker *w = room;

    prvcut_rows_fini(&w->rows);
    bin_sums_fini(&w->sums);
}

static enum prvcut_status bin_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    (void)ctx, (void)part, (void)number, (void)err;
    prvcut_rows_begin(&((struct bin_worker *)worker)->rows);
    return PRVCUT_OK;
}

static enum prvcut_status bin_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct bin_worker *w = worker;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st >= 0; i++) {
        struct prvcut_counted c;

        if (!(PRVCUT_ROLES_COUNTED >> b->event[i].role & 1))
            continue;
        st = prvcut_counted_step(&w->rows, part, &b->event[i], false, &c, err);
        if (st == PRVCUT_OK)
            st = bin_add(ctx, &w->sums, &c, err);
    }
    return st < 0 ? st : PRVCUT_OK;
}

static enum prvcut_status bin_told(void *ctx, const struct prvcut_counted *c,
                                   struct prvcut_error *err)
{
    struct bin_reader *r = ctx;

    return bin_add(r, &r->all, c, err);
}

static enum prvcut_status bin_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct bin_reader *r = ctx;

    return prvcut_counted_join(r->read, part, bin_told, r, err);
}

static void bin_clear(void *part)
{
    prvcut_counted_part_clear(part);
}

static void bin_part_fini(void *part)
{
    prvcut_counted_part_fini(part);
}

static enum prvcut_status bin_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct bin_reader *r = ctx;
    const struct bin_sums *s = &((struct bin_worker *)worker)->sums;

    r->all.ns += s->ns;
    r->all.wide += s->wide;
    r->all.wide_ns += s->wide_ns;
    for (size_t k = 0; k < s->counters; k++) {
        struct bin_sum *at =
            bin_counter_at(&r->all, r->bins, s->counter[k].type, s->counter[k].role, err);

        if (!at)
            return err ? err->status : PRVCUT_ENOMEM;
        for (size_t i = 0; i < r->bins; i++) {
            at[i].whole += s->counter[k].at[i].whole;
            at[i].parts += s->counter[k].at[i].parts;
        }
    }
    return PRVCUT_OK;
}

static enum prvcut_status bin_pass(struct bin_reader *r, struct prvcut_trace *t,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_listener listener = {
        .roles = PRVCUT_ROLES_COUNTED,
        .ctx = r,
        .worker = { sizeof(struct bin_worker), "workers", bin_worker_init, bin_worker_fini },
        .part = { sizeof(struct prvcut_counted_part), "a part", NULL, bin_part_fini },
        .begin = bin_begin,
        .batch = bin_batch,
        .join = bin_join,
        .clear = bin_clear,
        .merge = bin_merge,
    };

    return prvcut_pass_run(t, run, NULL, (const struct prvcut_listener *[]){ &listener }, 1, NULL,
                           err);
}

/* --- The series ------------------------------------------------------------------------------- */

static int bin_compare(const void *a, const void *b)
{
    const struct bin_counter *x = a, *y = b;

    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

static enum prvcut_status bin_column(struct prvcut_series *s, const struct bin_counter *c,
                                     size_t bins, const struct prvcut_dictionary *names,
                                     struct prvcut_error *err)
{
    const struct prvcut_proof_key key = prvcut_proof_key_counter(c->type, c->role);
    char text[256];
    const size_t column =
        prvcut_series_column(s, prvcut_proof_key_text(text, sizeof text, &key, names), err);

    if (column == SIZE_MAX)
        return err ? err->status : PRVCUT_ENOMEM;
    for (size_t i = 0; i < bins; i++)
        s->at[column][i] = (double)c->at[i].whole + (double)c->at[i].parts / PARTS;
    return PRVCUT_OK;
}

static enum prvcut_status bin_series(struct prvcut_bins_found *f, struct bin_reader *r,
                                     struct prvcut_trace *t, struct prvcut_error *err)
{
    struct prvcut_dictionary names = { 0 };
    enum prvcut_status st = t->reader->describe(t, &names, err);

    f->ns = r->all.ns;
    f->wide = r->all.wide;
    f->wide_ns = r->all.wide_ns;
    if (r->all.counters > 0)
        qsort(r->all.counter, r->all.counters, sizeof *r->all.counter, bin_compare);
    for (size_t i = 0; i < r->bins && st == PRVCUT_OK; i++)
        st = prvcut_series_row(&f->series, err);
    for (size_t i = 0; i < r->all.counters && st == PRVCUT_OK; i++)
        st = bin_column(&f->series, &r->all.counter[i], r->bins, &names, err);
    prvcut_dictionary_fini(&names);
    return st;
}

enum prvcut_status prvcut_bins_read(struct prvcut_bins_found *f, struct prvcut_trace *t,
                                    const struct prvcut_run *run, const struct prvcut_span *span,
                                    size_t bins, struct prvcut_error *err)
{
    struct bin_reader r = { .bins = bins, .threads = t->objects.threads };
    uint64_t *edge = prvcut_zeroed(bins + 1, sizeof *edge, "bins", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    memset(f, 0, sizeof *f);
    r.read = prvcut_zeroed(r.threads, sizeof *r.read, "threads", err);
    if (edge && r.read) {
        for (size_t i = 0; i <= bins; i++)
            edge[i] = span->start +
                      (uint64_t)((double)(span->end - span->start) * (double)i / (double)bins);
        r.edge = edge;
        st = bin_pass(&r, t, run, err);
    }
    if (st == PRVCUT_OK)
        st = bin_series(f, &r, t, err);
    bin_sums_fini(&r.all);
    free(r.read);
    free(edge);
    return st;
}

void prvcut_bins_found_fini(struct prvcut_bins_found *f)
{
    prvcut_series_fini(&f->series);
}
