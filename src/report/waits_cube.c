#include "report/waits_cube.h"

#include "analysis/waits/waits_kinds.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"
#include "model/calls.h"
#include "model/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND 1e9 /* ns */

/* Where the values of a metric come from. */
enum wcu_source { WCU_WAITS, WCU_COUNT, WCU_TIME, WCU_VISITS, WCU_DELAY, WCU_CRITICAL };

/* Which calls' time is meant: those of a type, of MPI, or all there is. */
enum { WCU_ALL, WCU_MPI };

#define BIT(wait) (UINT64_C(1) << PRVCUT_WAIT_##wait)
#define ROOT      -1

/* What there may be; a parent stands before its parts. */
static const struct wcu_line {
    const char *unique, *display, *unit, *text;
    int parent;
    enum wcu_source source;
    uint64_t which; /* bits of waits; a type, or WCU_; a kind of delay, and 8 for what goes on */
} wcu_line[] = {
    { "time", "Time", "sec", "Of all threads, from their first call to the end of the last", ROOT,
      WCU_TIME, WCU_ALL },
    { "execution", "Execution", "sec", "Time in which threads execute", 0, WCU_TIME, WCU_ALL },
    { "mpi", "MPI", "sec", "Time in MPI calls", 1, WCU_TIME, WCU_MPI },
    { "mpi_init_completion", "Init completion", "sec", NULL, 2, WCU_WAITS, BIT(INIT_COMPLETION) },
    { "mpi_finalize_wait", "Wait at finalize", "sec", NULL, 2, WCU_WAITS, BIT(FINALIZE) },
    { "mpi_barrier_wait", "Wait at barrier", "sec", NULL, 2, WCU_WAITS, BIT(BARRIER) },
    { "mpi_barrier_completion", "Barrier completion", "sec", NULL, 2, WCU_WAITS,
      BIT(BARRIER_COMPLETION) },
    { "mpi_point2point", "Point-to-point", "sec",
      "Time in calls that send, receive and complete messages", 2, WCU_TIME, PRVCUT_TYPE_MPI_P2P },
    { "mpi_latesender", "Late sender", "sec", NULL, 7, WCU_WAITS, BIT(LATE_SENDER) },
    { "mpi_latesender_wo", "Messages in wrong order", "sec", NULL, 8, WCU_WAITS,
      BIT(WRONG_ORDER_DIFF) | BIT(WRONG_ORDER_SAME) },
    { "mpi_lswo_different", "From different sources", "sec", NULL, 9, WCU_WAITS,
      BIT(WRONG_ORDER_DIFF) },
    { "mpi_lswo_same", "From same source", "sec", NULL, 9, WCU_WAITS, BIT(WRONG_ORDER_SAME) },
    { "mpi_latereceiver", "Late receiver", "sec", NULL, 7, WCU_WAITS, BIT(LATE_RECEIVER) },
    { "mpi_collective", "Collective", "sec", "Time in collectives", 2, WCU_TIME,
      PRVCUT_TYPE_MPI_COLLECTIVE },
    { "mpi_earlyreduce", "Early reduce", "sec", NULL, 13, WCU_WAITS, BIT(EARLY_REDUCE) },
    { "mpi_earlyscan", "Early scan", "sec", NULL, 13, WCU_WAITS, BIT(EARLY_SCAN) },
    { "mpi_latebroadcast", "Late broadcast", "sec", NULL, 13, WCU_WAITS, BIT(LATE_BCAST) },
    { "mpi_wait_nxn", "Wait at N x N", "sec", NULL, 13, WCU_WAITS, BIT(NXN) },
    { "mpi_nxn_completion", "N x N completion", "sec", NULL, 13, WCU_WAITS, BIT(NXN_COMPLETION) },
    { "visits", "Visits", "occ", "How often a call is entered", ROOT, WCU_VISITS, 0 },
    { "mpi_cls_count", "Late senders", "occ", "Calls that wait for a late sender", ROOT, WCU_COUNT,
      BIT(LATE_SENDER) },
    { "mpi_clr_count", "Late receivers", "occ", "Calls that wait for a late receiver", ROOT,
      WCU_COUNT, BIT(LATE_RECEIVER) },
    { "prvcut_wait_nxn_v", "Wait at Alltoallv, at most", "sec", NULL, ROOT, WCU_WAITS, BIT(NXN_V) },
    { "prvcut_nb_barrier_wait", "Wait for Ibarrier", "sec", NULL, ROOT, WCU_WAITS,
      BIT(NB_BARRIER) },
    { "prvcut_nb_wait_nxn", "Wait for nonblocking N x N", "sec", NULL, ROOT, WCU_WAITS,
      BIT(NB_NXN) },
    { "prvcut_nb_latebroadcast", "Wait for Ibcast", "sec", NULL, ROOT, WCU_WAITS,
      BIT(NB_LATE_BCAST) },
    { "prvcut_nb_earlyreduce", "Wait for Ireduce", "sec", NULL, ROOT, WCU_WAITS,
      BIT(NB_EARLY_REDUCE) },
    { "prvcut_omp_fork", "OpenMP fork", "sec", NULL, ROOT, WCU_WAITS, BIT(OMP_FORK) },
    { "prvcut_omp_ibarrier_wait", "OpenMP implicit barrier", "sec", NULL, ROOT, WCU_WAITS,
      BIT(OMP_IBARRIER) },
    { "prvcut_omp_ebarrier_wait", "OpenMP explicit barrier", "sec", NULL, ROOT, WCU_WAITS,
      BIT(OMP_EBARRIER) },
    { "prvcut_omp_idle", "OpenMP idle threads", "sec", NULL, ROOT, WCU_WAITS, BIT(OMP_IDLE) },
    { "prvcut_omp_critical_wait", "OpenMP critical section", "sec", NULL, ROOT, WCU_WAITS,
      BIT(OMP_CRITICAL) },
    { "prvcut_omp_lock_wait", "OpenMP lock", "sec", NULL, ROOT, WCU_WAITS, BIT(OMP_LOCK) },
    { "delay_latesender", "Late sender: delay costs", "sec", NULL, ROOT, WCU_DELAY,
      PRVCUT_DELAY_LATE_SENDER },
    { "delay_latesender_longterm", "Late sender: delay costs that go on", "sec", NULL, ROOT,
      WCU_DELAY, 8 + PRVCUT_DELAY_LATE_SENDER },
    { "delay_latereceiver", "Late receiver: delay costs", "sec", NULL, ROOT, WCU_DELAY,
      PRVCUT_DELAY_LATE_RECEIVER },
    { "delay_latereceiver_longterm", "Late receiver: delay costs that go on", "sec", NULL, ROOT,
      WCU_DELAY, 8 + PRVCUT_DELAY_LATE_RECEIVER },
    { "delay_barrier", "Barrier: delay costs", "sec", NULL, ROOT, WCU_DELAY, PRVCUT_DELAY_BARRIER },
    { "delay_barrier_longterm", "Barrier: delay costs that go on", "sec", NULL, ROOT, WCU_DELAY,
      8 + PRVCUT_DELAY_BARRIER },
    { "delay_n2n", "N x N: delay costs", "sec", NULL, ROOT, WCU_DELAY, PRVCUT_DELAY_N2N },
    { "delay_n2n_longterm", "N x N: delay costs that go on", "sec", NULL, ROOT, WCU_DELAY,
      8 + PRVCUT_DELAY_N2N },
    { "delay_12n", "1 x N: delay costs", "sec", NULL, ROOT, WCU_DELAY, PRVCUT_DELAY_12N },
    { "delay_12n_longterm", "1 x N: delay costs that go on", "sec", NULL, ROOT, WCU_DELAY,
      8 + PRVCUT_DELAY_12N },
    { "delay_n21", "N x 1: delay costs", "sec", NULL, ROOT, WCU_DELAY, PRVCUT_DELAY_N21 },
    { "delay_n21_longterm", "N x 1: delay costs that go on", "sec", NULL, ROOT, WCU_DELAY,
      8 + PRVCUT_DELAY_N21 },
    { "critical_path", "Critical path", "sec", "What the length of the run depends on", ROOT,
      WCU_CRITICAL, 0 },
};

#define LINES (sizeof wcu_line / sizeof *wcu_line)

/* A function or call that has a region of its own. */
struct wcu_region {
    uint64_t type; /* the key */
    int64_t value;
    uint32_t region;
};

struct wcu_maker {
    const struct report_waits_cube *of;
    struct report_cube_metric *metric; /* [LINES and a program's own] */
    uint32_t *line;                    /* of a metric; from LINES on the program's own */
    char (*own)[64];                   /* their unique names */
    struct report_cube_region *region;
    char (*name)[48]; /* [regions] of those without a name */
    struct report_cube_path *path;
    struct report_cube_cell *cell;
    size_t cells, room;
    struct report_cube cube;
};

/* --- Metrics ---------------------------------------------------------------------------------- */

/* Is it told, and is it of any use? What few programs have is left out where this one has not. */
static bool wcu_told(const struct report_waits_cube *r, const struct wcu_line *l)
{
    if (l->source == WCU_DELAY) {
        const enum prvcut_delay kind = (enum prvcut_delay)(l->which & 7);

        return r->causes && r->found->sum[prvcut_waits_of_delay(kind)].told;
    }
    if (l->source == WCU_CRITICAL)
        return r->critical && !r->found->no_path[0];
    for (int i = 0; i < PRVCUT_WAITS && (l->source == WCU_WAITS || l->source == WCU_COUNT); i++)
        if (l->which >> i & 1 &&
            (!r->found->sum[i].told || (i >= PRVCUT_WAIT_NXN_V && r->found->sum[i].ns == 0)))
            return false;
    return true;
}

static const char *wcu_text(const struct wcu_line *l)
{
    for (int i = 0; i < PRVCUT_WAITS && l->source == WCU_WAITS && !l->text; i++)
        if (l->which == UINT64_C(1) << i)
            return prvcut_waits_metric_names[i].help;
    return l->text;
}

/* A program's own metrics, beside all others: what they are a part of is the program's word. */
static void wcu_own_metrics(struct wcu_maker *m)
{
    const struct prvcut_waits_patterns *p = m->of->own;

    for (size_t i = 0; p && i < p->metrics; i++) {
        if (!m->of->found->sum[PRVCUT_WAITS + i].told)
            continue;
        snprintf(m->own[i], sizeof *m->own, "own_%s", p->metric[i].name);
        m->line[m->cube.metrics] = (uint32_t)(LINES + i);
        m->metric[m->cube.metrics++] = (struct report_cube_metric){ m->own[i], p->metric[i].title,
                                                                    "sec", NULL, PRVCUT_NOBODY };
    }
}

static enum prvcut_status wcu_metrics(struct wcu_maker *m, struct prvcut_error *err)
{
    const size_t own = m->of->own ? m->of->own->metrics : 0;
    uint32_t id[LINES];

    m->metric = prvcut_zeroed(LINES + own, sizeof *m->metric, "metrics", err);
    m->line = prvcut_zeroed(LINES + own, sizeof *m->line, "metrics", err);
    m->own = prvcut_zeroed(own + 1, sizeof *m->own, "metrics", err);
    if (!m->metric || !m->line || !m->own)
        return PRVCUT_ENOMEM;

    for (uint32_t i = 0; i < LINES; i++) {
        const struct wcu_line *l = &wcu_line[i];
        const uint32_t parent = l->parent == ROOT ? PRVCUT_NOBODY : id[l->parent];

        id[i] = PRVCUT_NOBODY;
        if (!wcu_told(m->of, l) || (l->parent != ROOT && parent == PRVCUT_NOBODY))
            continue;
        id[i] = (uint32_t)m->cube.metrics;
        m->line[m->cube.metrics] = i;
        m->metric[m->cube.metrics++] =
            (struct report_cube_metric){ l->unique, l->display, l->unit, wcu_text(l), parent };
    }
    wcu_own_metrics(m);
    m->cube.metric = m->metric;
    return PRVCUT_OK;
}

/* --- Values ----------------------------------------------------------------------------------- */

static enum prvcut_status wcu_put(struct wcu_maker *m, uint32_t metric, uint64_t path,
                                  uint64_t thread, double value, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&m->cell, &m->room, m->cells + 1, sizeof *m->cell, err) < 0)
        return PRVCUT_ENOMEM;
    m->cell[m->cells++] =
        (struct report_cube_cell){ metric, (uint32_t)path, (uint32_t)thread, value };
    return PRVCUT_OK;
}

static const char *wcu_name(const struct wcu_maker *m, const struct prvcut_waits_node *n)
{
    return prvcut_value_text(m->of->names, (uint32_t)n->type, n->value);
}

static bool wcu_is_barrier(const struct wcu_maker *m, const struct prvcut_waits_node *n)
{
    return wts_kind_of((uint32_t)n->type, n->value, wcu_name(m, n)) & WTS_BARRIER;
}

static bool wcu_is_of(const struct wcu_maker *m, const struct wcu_line *l,
                      const struct prvcut_waits_cell *c)
{
    const uint64_t type = m->of->found->node[c->path].type;

    if (l->source == WCU_WAITS || l->source == WCU_COUNT)
        return c->metric < PRVCUT_WAITS && l->which >> c->metric & 1;
    if (c->metric != PRVCUT_WAITS_TIME || (l->source == WCU_VISITS && c->path == 0))
        return false;
    /* A barrier is no part of the collectives; what it waits is beside them. */
    if (l->source == WCU_TIME && l->which == PRVCUT_TYPE_MPI_COLLECTIVE &&
        wcu_is_barrier(m, &m->of->found->node[c->path]))
        return false;
    return l->source == WCU_VISITS || l->which == WCU_ALL ||
           (l->which == WCU_MPI ? c->path != 0 : type == l->which);
}

static enum prvcut_status wcu_cells(struct wcu_maker *m, uint32_t metric, const struct wcu_line *l,
                                    struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = m->of->found;
    const bool counts = l->source == WCU_COUNT || l->source == WCU_VISITS;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->cells && st == PRVCUT_OK; i++)
        if (wcu_is_of(m, l, &f->cell[i]))
            st = wcu_put(m, metric, f->cell[i].path, f->cell[i].thread,
                         counts ? (double)f->cell[i].count : (double)f->cell[i].ns / SECOND, err);
    return st;
}

static enum prvcut_status wcu_delays(struct wcu_maker *m, uint32_t metric, const struct wcu_line *l,
                                     struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = m->of->found;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->delays && st == PRVCUT_OK; i++) {
        const struct prvcut_waits_delay_cell *c = &f->delayed[i];
        const double ns = l->which & 8 ? c->longer : c->shorter;

        if (c->kind == (l->which & 7) && ns > 0)
            st = wcu_put(m, metric, c->path, c->thread, ns / SECOND, err);
    }
    return st;
}

static enum prvcut_status wcu_critical(struct wcu_maker *m, uint32_t metric,
                                       struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = m->of->found;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->on_paths && st == PRVCUT_OK; i++)
        st = wcu_put(m, metric, f->on_path[i].path, f->on_path[i].thread,
                     (double)f->on_path[i].ns / SECOND, err);
    return st;
}

static enum prvcut_status wcu_own_cells(struct wcu_maker *m, uint32_t metric, size_t which,
                                        struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = m->of->found;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->cells && st == PRVCUT_OK; i++)
        if (f->cell[i].metric == PRVCUT_WAITS + which)
            st = wcu_put(m, metric, f->cell[i].path, f->cell[i].thread,
                         (double)f->cell[i].ns / SECOND, err);
    return st;
}

static enum prvcut_status wcu_give(void *ctx, uint32_t metric, struct report_cube_cell **cell,
                                   size_t *cells, struct prvcut_error *err)
{
    struct wcu_maker *m = ctx;
    const uint32_t line = m->line[metric];
    const struct wcu_line *l = line < LINES ? &wcu_line[line] : NULL;
    enum prvcut_status st;

    m->cells = 0;
    if (!l)
        st = wcu_own_cells(m, metric, line - LINES, err);
    else if (l->source == WCU_DELAY)
        st = wcu_delays(m, metric, l, err);
    else
        st =
            l->source == WCU_CRITICAL ? wcu_critical(m, metric, err) : wcu_cells(m, metric, l, err);
    *cell = m->cell;
    *cells = m->cells;
    return st;
}

/* --- Call paths ------------------------------------------------------------------------------- */

static struct report_cube_region wcu_region(struct wcu_maker *m, size_t place,
                                            const struct prvcut_waits_node *n)
{
    const bool mpi = n->type >= PRVCUT_TYPE_MPI_P2P && n->type <= PRVCUT_TYPE_MPI_IO;
    const char *name = wcu_name(m, n);

    snprintf(m->name[place], sizeof *m->name, "%" PRIu64 ":%" PRId64, n->type, n->value);
    return (struct report_cube_region){ name ? name : m->name[place], NULL, mpi ? "mpi" : "user" };
}

static enum prvcut_status wcu_paths(struct wcu_maker *m, struct prvcut_error *err)
{
    const struct prvcut_waits_found *f = m->of->found;
    struct prvcut_table known = PRVCUT_TABLE(struct wcu_region, region, "calls");

    m->region = prvcut_zeroed(f->nodes + 1, sizeof *m->region, "calls", err);
    m->name = prvcut_zeroed(f->nodes + 1, sizeof *m->name, "calls", err);
    m->path = prvcut_zeroed(f->nodes + 1, sizeof *m->path, "call paths", err);
    if (!m->region || !m->name || !m->path)
        return PRVCUT_ENOMEM;
    m->region[0] = (struct report_cube_region){ m->of->of, NULL, "user" };
    m->path[0] = (struct report_cube_path){ 0, PRVCUT_NOBODY };
    m->cube.regions = 1;
    for (size_t i = 1; i < f->nodes; i++) {
        const struct wcu_region key = { .type = f->node[i].type, .value = f->node[i].value };
        struct wcu_region *r = prvcut_table_make(&known, &key, err);

        if (!r) {
            prvcut_table_fini(&known);
            return PRVCUT_ENOMEM;
        }
        if (r->region == 0) {
            r->region = (uint32_t)m->cube.regions++;
            m->region[r->region] = wcu_region(m, r->region, &f->node[i]);
        }
        m->path[i] = (struct report_cube_path){ r->region, (uint32_t)f->node[i].parent };
    }
    prvcut_table_fini(&known);
    m->cube.region = m->region;
    m->cube.path = m->path;
    m->cube.paths = f->nodes;
    return PRVCUT_OK;
}

enum prvcut_status report_waits_cube(const struct report_waits_cube *r, enum report_cube_form form,
                                     const char *path, bool force, struct prvcut_error *err)
{
    struct wcu_maker m = { .of = r };
    enum prvcut_status st;

    m.cube.of = r->of;
    m.cube.give = wcu_give;
    m.cube.ctx = &m;
    report_cube_who_set(&m.cube, r->who);
    st = wcu_metrics(&m, err);
    if (st == PRVCUT_OK)
        st = wcu_paths(&m, err);
    if (st == PRVCUT_OK)
        st = report_cube_write(&m.cube, form, path, force, err);
    free(m.metric);
    free(m.line);
    free(m.own);
    free(m.region);
    free(m.name);
    free(m.path);
    free(m.cell);
    return st;
}
