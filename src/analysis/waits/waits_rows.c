#include "analysis/waits/waits_rows.h"

#include "analysis/waits/waits_own.h"
#include "base/memory.h"
#include "base/sorter.h"
#include "model/regions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets of clocks that are told. */
#define OFFSETS_MOST 4096

struct wrw_rows {
    struct made_wait_states *out;
    const struct prvcut_waits_found *f;
    const struct prvcut_dictionary *names;
    const struct prvcut_waits_patterns *own; /* NULL: none */
    uint64_t *next;                          /* of the room for ranks */
};

/* --- Call paths ------------------------------------------------------------------------------- */

static enum prvcut_status wrw_name(struct wrw_rows *r, size_t i, struct prvcut_error *err)
{
    const struct prvcut_waits_node *n = &r->f->node[i];
    const char *name = prvcut_value_text(r->names, (uint32_t)n->type, n->value);
    char text[64];

    snprintf(text, sizeof text, "%" PRIu64 ":%" PRId64, n->type, n->value);
    r->out->frame[i].name = prvcut_copied_text(name ? name : text, "names", err);
    r->out->frame[i].parent = n->parent;
    return r->out->frame[i].name ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status wrw_names(struct wrw_rows *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    r->out->frame = prvcut_zeroed(r->f->nodes + 1, sizeof *r->out->frame, "call paths", err);
    if (!r->out->frame)
        return PRVCUT_ENOMEM;
    r->out->frames = r->f->nodes;
    for (size_t i = 1; i < r->f->nodes && st == PRVCUT_OK; i++)
        st = wrw_name(r, i, err);
    return st;
}

/* --- Metrics ---------------------------------------------------------------------------------- */

static int wrw_most_first(const void *a, const void *b)
{
    const struct prvcut_waits_path *x = a, *y = b;

    if (x->severity_ns != y->severity_ns)
        return x->severity_ns > y->severity_ns ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

static uint32_t wrw_rank(const struct wrw_rows *r, uint32_t thread)
{
    return r->f->objects->thread_task[thread];
}

/* The cells of a metric stand together, by path. */
static size_t wrw_paths(const struct prvcut_waits_cell *c, size_t cells)
{
    size_t paths = 0;

    for (size_t i = 0; i < cells; i++)
        paths += i == 0 || c[i].path != c[i - 1].path;
    return paths;
}

static enum prvcut_status wrw_take_paths(struct wrw_rows *r, size_t metric,
                                         const struct prvcut_waits_cell *c, size_t cells,
                                         struct prvcut_error *err)
{
    struct prvcut_waits_metric *m = &r->out->metric[metric].is;
    struct prvcut_waits_path *p;
    uint64_t *ranks = r->next;
    size_t n = 0;

    m->paths = wrw_paths(c, cells);
    p = r->out->metric[metric].path = prvcut_zeroed(m->paths + 1, sizeof *p, "call paths", err);
    if (!p)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < cells; i++) {
        if (i > 0 && c[i].path != c[i - 1].path)
            n++;
        p[n].path = c[i].path;
        p[n].severity_ns += c[i].ns;
        p[n].instances += c[i].count;
        p[n].rank_ns = ranks + n * r->f->objects->tasks;
        ranks[n * r->f->objects->tasks + wrw_rank(r, c[i].thread)] += c[i].ns;
        r->out->metric[metric].rank_ns[wrw_rank(r, c[i].thread)] += c[i].ns;
    }
    r->next += m->paths * r->f->objects->tasks;
    qsort(p, m->paths, sizeof *p, wrw_most_first);
    return PRVCUT_OK;
}

static void wrw_worst(struct wrw_rows *r, size_t metric)
{
    struct prvcut_waits_metric *m = &r->out->metric[metric].is;
    uint64_t most = 0;

    m->worst_rank = PRVCUT_NOBODY;
    m->worst_path = SIZE_MAX;
    for (uint32_t i = 0; i < r->f->objects->tasks; i++)
        if (m->rank_ns[i] > most) {
            most = m->rank_ns[i];
            m->worst_rank = i;
        }
    if (m->paths > 0) {
        m->worst_path = r->out->metric[metric].path[0].path;
        m->worst_path_ns = r->out->metric[metric].path[0].severity_ns;
    }
}

/* What it is called, and the metric that it is a part of. */
static enum prvcut_status wrw_called(struct wrw_rows *r, size_t metric, struct prvcut_error *err)
{
    const struct prvcut_waits_metric_name *built_in =
        metric < PRVCUT_WAITS ? &prvcut_waits_metric_names[metric] : NULL;
    const struct wow_metric *own = built_in ? NULL : &r->own->metric[metric - PRVCUT_WAITS];
    const int of = built_in ? built_in->parent : own->of;
    struct made_waits_metric *to = &r->out->metric[metric];

    to->is.of = of < 0 ? NULL : &r->out->metric[of].is;
    if (built_in) {
        to->is.name = prvcut_wait_text((enum prvcut_wait)metric);
        to->is.title = built_in->title;
        return PRVCUT_OK;
    }
    to->is.name = to->name = prvcut_copied_text(own->name, "metrics", err);
    to->is.title = to->title = prvcut_copied_text(own->title, "metrics", err);
    return to->name && to->title ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status wrw_metric(struct wrw_rows *r, size_t metric,
                                     const struct prvcut_waits_cell *c, size_t cells,
                                     struct prvcut_error *err)
{
    const struct prvcut_waits_sum *s = &r->f->sum[metric];
    struct made_waits_metric *to = &r->out->metric[metric];
    struct prvcut_waits_metric *m = &r->out->metric[metric].is;
    const struct prvcut_span *span = &r->out->is.span;
    const double time = (double)(span->end - span->start) * r->out->is.threads;

    *m = (struct prvcut_waits_metric){ .wait = prvcut_waits_number(metric),
                                       .severity_ns = s->ns,
                                       .instances = s->count,
                                       .share = time > 0 ? (double)s->ns / time : 0,
                                       .rank_ns = to->rank_ns,
                                       .mean_ns =
                                           s->count > 0 ? (double)s->ns / (double)s->count : NAN,
                                       .median_ns = s->count > 0 ? (double)s->median2 / 2 : NAN,
                                       .most_ns = s->most };
    memcpy(to->why, s->why, sizeof s->why);
    to->absent = s->absent;
    if (s->why[0] && !s->told)
        m->reason = to->why;
    else if (s->why[0])
        m->partial = to->why;
    if (wrw_called(r, metric, err) < 0)
        return PRVCUT_ENOMEM;
    /* OpenMP's are sums, not instances. */
    if (metric >= PRVCUT_WAIT_OMP_FORK && metric < PRVCUT_WAITS)
        m->mean_ns = m->median_ns = NAN;
    if (wrw_take_paths(r, metric, c, m->reason ? 0 : cells, err) < 0)
        return PRVCUT_ENOMEM;
    wrw_worst(r, metric);
    return PRVCUT_OK;
}

static enum prvcut_status wrw_metrics(struct wrw_rows *r, struct prvcut_error *err)
{
    const size_t tasks = r->f->objects->tasks, metrics = r->f->metrics;
    size_t from = 0, paths = 0;
    enum prvcut_status st = PRVCUT_OK;

    paths = wrw_paths(r->f->cell, r->f->cells) + metrics;
    r->out->room =
        prvcut_zeroed((paths + metrics) * tasks + 1, sizeof *r->out->room, "severities", err);
    r->out->metric = prvcut_zeroed(metrics, sizeof *r->out->metric, "metrics", err);
    if (!r->out->room || !r->out->metric)
        return PRVCUT_ENOMEM;
    r->out->is.metrics = metrics;
    for (size_t i = 0; i < metrics; i++)
        r->out->metric[i].rank_ns = r->out->room + i * tasks;
    r->next = r->out->room + metrics * tasks;
    for (size_t m = 0; m < metrics && st == PRVCUT_OK; m++) {
        size_t to = from;

        while (to < r->f->cells && r->f->cell[to].metric == m)
            to++;
        st = wrw_metric(r, m, r->f->cell + from, to - from, err);
        from = to;
    }
    return st;
}

/* --- Instances -------------------------------------------------------------------------------- */

static void wrw_instances(struct wrw_rows *r)
{
    for (size_t i = 0; i < r->f->longests; i++) {
        const struct prvcut_waits_long *l = &r->f->longest[i];

        if (!r->f->sum[l->metric].told)
            continue;
        r->out->instance[r->out->is.instances++] = (struct prvcut_waits_instance){
            .wait = prvcut_waits_number(l->metric),
            .rank = wrw_rank(r, l->thread),
            .thread = l->thread,
            .path = l->path,
            .call = { l->begin, l->end },
            .severity_ns = l->ns,
            .cause = l->cause == PRVCUT_NOBODY ? PRVCUT_NOBODY : wrw_rank(r, l->cause),
            .cause_ns = l->cause_begin,
        };
    }
}

/* --- Causes ----------------------------------------------------------------------------------- */

/* Where waits are not told, their causes are not. */
static const char *wrw_no_delay(const struct wrw_rows *r, size_t kind)
{
    return r->out->metric[prvcut_waits_of_delay((enum prvcut_delay)kind)].is.reason;
}

static void wrw_delays(struct wrw_rows *r)
{
    struct made_wait_states *out = r->out;

    for (size_t i = 0; out->is.causes && i < PRVCUT_DELAYS; i++)
        out->delay[i] = (struct prvcut_waits_delay){ .kind = (enum prvcut_delay)i,
                                                     .short_ns = r->f->delay[i].shorter,
                                                     .long_ns = r->f->delay[i].longer,
                                                     .reason = wrw_no_delay(r, i) };
    out->is.delays = out->is.causes ? PRVCUT_DELAYS : 0;
    out->is.costs = out->is.causes ? r->f->delays : 0;
    for (size_t i = 0; i < out->is.costs; i++) {
        const struct prvcut_waits_delay_cell *c = &r->f->delayed[i];

        out->cost[i] = (struct prvcut_waits_cost){ .kind = (enum prvcut_delay)c->kind,
                                                   .rank = wrw_rank(r, c->thread),
                                                   .thread = c->thread,
                                                   .path = c->path,
                                                   .short_ns = c->shorter,
                                                   .long_ns = c->longer };
    }
    out->is.unexplained_ns = r->f->unexplained;
}

static enum prvcut_status wrw_causes(struct wrw_rows *r, struct prvcut_error *err)
{
    struct made_wait_states *out = r->out;

    out->cost = prvcut_zeroed(r->f->delays + 1, sizeof *out->cost, "delays", err);
    out->stretch = prvcut_zeroed(r->f->on_paths + 1, sizeof *out->stretch, "call paths", err);
    out->imbalance = prvcut_zeroed(r->f->unevens + 1, sizeof *out->imbalance, "call paths", err);
    if (!out->cost || !out->stretch || !out->imbalance)
        return PRVCUT_ENOMEM;
    wrw_delays(r);
    out->is.stretches = out->is.critical ? r->f->on_paths : 0;
    for (size_t i = 0; i < out->is.stretches; i++) {
        const struct prvcut_waits_critical_cell *c = &r->f->on_path[i];

        out->stretch[i] = (struct prvcut_waits_stretch){ .rank = wrw_rank(r, (uint32_t)c->thread),
                                                         .thread = (uint32_t)c->thread,
                                                         .path = c->path,
                                                         .ns = c->ns };
    }
    out->is.imbalances = out->is.critical && !r->f->no_path[0] ? r->f->unevens : 0;
    for (size_t i = 0; i < out->is.imbalances; i++)
        out->imbalance[i] = (struct prvcut_waits_imbalance){ .path = r->f->uneven[i].path,
                                                             .ns = r->f->uneven[i].ns,
                                                             .over_ns = r->f->uneven[i].over };
    out->is.critical_ns = r->f->critical;
    out->is.steps = r->f->steps;
    out->is.no_path = out->is.critical && r->f->no_path[0] ? out->no_path : NULL;
    memcpy(out->no_path, r->f->no_path, sizeof out->no_path);
    memcpy(out->unsought, r->f->unsought, sizeof out->unsought);
    return PRVCUT_OK;
}

static void wrw_counts(struct wrw_rows *r)
{
    struct prvcut_wait_states *w = &r->out->is;
    const struct prvcut_waits_found *f = r->f;

    w->ranks = f->objects->tasks;
    w->threads = f->threads;
    w->end_ns = f->end_ns;
    w->messages = f->messages;
    w->no_receive = f->no_receive;
    w->no_send = f->no_send;
    w->bad_rank = f->bad_rank;
    w->collectives = f->collectives;
    w->incomplete = f->incomplete;
    w->unlike = f->unlike;
    r->out->clock = prvcut_causality_clock(&f->order,
                                           f->drift.knots > 0 ? "piecewise"
                                           : f->offset        ? "constant"
                                                              : "as recorded",
                                           f->doubt);
}

/* Which ranks are looked at; threads that are not are no part of the time. */
static enum prvcut_status wrw_looked(struct wrw_rows *r, const uint8_t *thread,
                                     struct prvcut_error *err)
{
    struct prvcut_wait_states *w = &r->out->is;

    w->lookeds = w->ranks;
    if (!thread)
        return PRVCUT_OK;
    w->looked = r->out->looked = prvcut_zeroed((size_t)w->ranks + 1, 1, "ranks", err);
    if (!w->looked)
        return PRVCUT_ENOMEM;
    w->threads = w->lookeds = 0;
    for (uint32_t i = 0; i < r->f->threads; i++) {
        w->threads += thread[i] != 0;
        w->lookeds += thread[i] && !w->looked[wrw_rank(r, i)];
        r->out->looked[wrw_rank(r, i)] |= thread[i] != 0;
    }
    return PRVCUT_OK;
}

/* Offsets that are told of each rank: of many every so manieth. */
static size_t wrw_stride(const struct prvcut_waits_found *f)
{
    return 1 + f->drift.knots * f->objects->tasks / OFFSETS_MOST;
}

static enum prvcut_status wrw_offsets(struct wrw_rows *r, struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = r->f;
    const size_t stride = wrw_stride(f), knots = f->drift.knots > 0 ? f->drift.knots : 1;
    struct made_wait_states *out = r->out;
    size_t n = 0;

    if (f->drift.knots == 0 && !f->constant)
        return PRVCUT_OK;
    out->offset =
        prvcut_zeroed((knots / stride + 2) * f->objects->tasks, sizeof *out->offset, "clocks", err);
    if (!out->offset)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < f->objects->tasks; i++)
        for (size_t k = 0; k < knots; k += stride)
            out->offset[n++] = (struct prvcut_waits_offset){
                .rank = i,
                .at_ns = f->drift.knots > 0 ? f->drift.at[k] : 0,
                .offset_ns = (f->drift.knots > 0 ? f->drift.offset[k * f->drift.tasks + i] : 0) +
                             (f->constant ? f->constant[i] : 0),
            };
    out->clock.offsets = n;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_waits_rows_make(struct made_wait_states *out,
                                          const struct prvcut_waits_found *f,
                                          const struct prvcut_waits_asked *asked,
                                          const struct prvcut_dictionary *names,
                                          struct prvcut_error *err)
{
    struct wrw_rows r = { .out = out, .f = f, .names = names, .own = asked->patterns };
    enum prvcut_status st;

    wrw_counts(&r);
    st = wrw_looked(&r, asked->thread, err);
    if (st == PRVCUT_OK)
        st = wrw_offsets(&r, err);
    if (st == PRVCUT_OK)
        st = wrw_names(&r, err);
    if (st == PRVCUT_OK)
        st = wrw_metrics(&r, err);
    if (st == PRVCUT_OK)
        wrw_instances(&r);
    return st == PRVCUT_OK ? wrw_causes(&r, err) : st;
}

void prvcut_waits_rows_fini(struct made_wait_states *w)
{
    for (size_t i = 0; i < w->frames; i++)
        free(w->frame[i].name);
    for (size_t i = 0; i < w->is.metrics; i++) {
        free(w->metric[i].path);
        free(w->metric[i].name);
        free(w->metric[i].title);
    }
    free(w->metric);
    for (size_t i = 0; i < w->is.parts; i++)
        free(w->region[i]);
    free(w->frame);
    free(w->room);
    free(w->part);
    free(w->part_ns);
    free(w->region);
    free(w->offset);
    free(w->cost);
    free(w->stretch);
    free(w->imbalance);
    prvcut_waits_marks_free(w->mark, w->marked);
    prvcut_sorter_free(w->each);
    free(w->called);
    free(w->looked);
    free(w->no_loop);
}
