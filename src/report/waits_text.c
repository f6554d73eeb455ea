#include "report/clocks.h"
#include "report/marked.h"
#include "report/waits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Metrics that stand side by side. */
#define BESIDE 6
/* Causes, and stretches of the critical path, that are told. */
#define CAUSES 5

static const struct prvcut_waits_metric *wtx_metric(const struct prvcut_wait_states *w, size_t i)
{
    return prvcut_waits_metric(w, i);
}

static void wtx_time(char cell[REPORT_CELL], double ns)
{
    char text[32];

    report_set(cell, isnan(ns) ? "-" : prvcut_time_text(text, ns));
}

/* --- The answer ------------------------------------------------------------------------------- */

const struct prvcut_waits_metric *report_waits_most(const struct prvcut_wait_states *w,
                                                    uint64_t *all)
{
    const struct prvcut_waits_metric *most = NULL;

    *all = 0;
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = wtx_metric(w, i);

        if (m->of || m->wait == PRVCUT_WAIT_NXN_V)
            continue;
        *all += m->severity_ns;
        if (m->severity_ns > (most ? most->severity_ns : 0))
            most = m;
    }
    return most;
}

/* What few programs have; what a program finds for itself is none of it. */
static bool wtx_is_rare(const struct prvcut_waits_metric *m)
{
    return m->wait >= PRVCUT_WAIT_NB_BARRIER && m->wait < PRVCUT_WAIT_OWN;
}

static bool wtx_any_told(const struct prvcut_wait_states *w)
{
    for (size_t i = 0; i < w->metrics; i++)
        if (!wtx_metric(w, i)->reason)
            return true;
    return false;
}

/* Of time that may be waiting and is not told as such, this much counts: per mille of all. */
#define UNSOUGHT 5

static bool wtx_is_unsought(const struct prvcut_wait_states *w, size_t i)
{
    const struct made_unsought *u = &made_wait_states_of(w)->unsought[i];
    const double time = (double)(w->span.end - w->span.start) * w->threads;

    return u->name[0] && 1000 * (double)u->ns >= UNSOUGHT * time;
}

/* Is a kind of waiting that most programs have not told at all? Then all the rest is not all. */
static bool wtx_is_more(const struct prvcut_wait_states *w)
{
    if (wtx_is_unsought(w, 0))
        return true;
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = wtx_metric(w, i);

        if (m->reason && !wtx_is_rare(m) && m->wait != PRVCUT_WAIT_INIT_COMPLETION &&
            m->wait != PRVCUT_WAIT_FINALIZE)
            return true;
    }
    return false;
}

void report_waits_title(struct report_lines *l, const struct prvcut_wait_states *w)
{
    uint64_t all;
    const struct prvcut_waits_metric *most = report_waits_most(w, &all);
    const double time = (double)(w->span.end - w->span.start) * w->threads;
    char text[32], part[32];

    report_put_foreign(l, w->name);
    report_put(l, ": %" PRIu32 "%s rank%s", w->lookeds, w->looked ? " chosen" : "",
               w->lookeds == 1 ? "" : "s");
    if (!wtx_any_told(w)) {
        report_put(l, "; the trace tells no wait states\n");
        return;
    }
    report_put(l, " wait%s %s%s", w->lookeds == 1 ? "s" : "", wtx_is_more(w) ? "at least " : "",
               prvcut_time_text(text, (double)all));
    if (time > 0)
        report_put(l, ", %.1f %% of the time", 100 * (double)all / time);
    if (most)
        report_put(l, "; most of it: %s %s", most->name,
                   prvcut_time_text(part, (double)most->severity_ns));
    if (most && most->worst_rank != UINT32_MAX)
        report_put(l, ", worst on rank %" PRIu32, most->worst_rank);
    if (most && most->worst_path != SIZE_MAX && prvcut_waits_frame(w, most->worst_path, 0)) {
        report_put(l, ", at ");
        report_waits_path(l, w, most->worst_path);
    }
    report_put(l, "\n");
}

/* --- By metric -------------------------------------------------------------------------------- */

/* Another row; a full table is printed and begun again. */
static char (*wtx_row(struct report_lines *l, struct report_table *t))[REPORT_CELL]
{
    char(*row)[REPORT_CELL] = report_row(t);

    if (row)
        return row;
    report_put_table(l, t);
    *t = (struct report_table){ .align = t->align };
    return report_row(t);
}

static void wtx_metric_row(char (*row)[REPORT_CELL], const struct prvcut_waits_metric *m)
{
    char text[32];

    snprintf(row[0], REPORT_CELL, "%s%s", m->of ? "  " : "", m->name);
    wtx_time(row[1], (double)m->severity_ns);
    snprintf(row[2], REPORT_CELL, "%.1f %%", 100 * m->share);
    report_set(row[3], report_count(text, m->instances));
    if (m->worst_rank != UINT32_MAX) {
        snprintf(row[4], REPORT_CELL, "%" PRIu32, m->worst_rank);
        snprintf(row[5], REPORT_CELL, "%.0f %%",
                 100 * (double)m->rank_ns[m->worst_rank] / (double)m->severity_ns);
    }
    wtx_time(row[6], m->mean_ns);
    wtx_time(row[7], m->median_ns);
    wtx_time(row[8], m->most_ns > 0 ? (double)m->most_ns : NAN);
}

static void wtx_metrics(struct report_lines *l, const struct prvcut_wait_states *w)
{
    static const char *const head[] = { "Waits", "Time", "Share",  "Calls", "Rank",
                                        "Part",  "Mean", "Median", "Most" };
    struct report_table t = { .align = "lrrrrrrrr" };
    char(*row)[REPORT_CELL] = report_row(&t);
    bool any = false;

    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        report_set(row[i], head[i]);
    for (size_t i = 0; i < w->metrics; i++)
        if (wtx_metric(w, i)->severity_ns > 0) {
            wtx_metric_row(wtx_row(l, &t), wtx_metric(w, i));
            any = true;
        }
    if (any)
        report_put_table(l, &t);
}

/* Why it is not told, or not wholly; NULL: it is. */
static const char *wtx_why(const struct prvcut_waits_metric *m)
{
    return m->reason ? m->reason : m->partial;
}

/* What is told wholly, and is not there. */
void report_waits_none(struct report_lines *l, const struct prvcut_wait_states *w)
{
    bool any = false;

    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = wtx_metric(w, i);

        if (wtx_why(m) || m->severity_ns > 0 || wtx_is_rare(m))
            continue;
        report_put(l, "%s%s", any ? ", " : "none: ", m->name);
        any = true;
    }
    if (any)
        report_put(l, "\n");
}

/* --- Where and when --------------------------------------------------------------------------- */

static void wtx_paths(struct report_lines *l, const struct prvcut_wait_states *w, size_t most)
{
    struct report_waits_row *row = NULL;
    size_t rows = 0;
    char text[32];

    if (l->st != PRVCUT_OK)
        return;
    l->st = report_waits_rows(&row, &rows, w, true, l->err);
    for (size_t i = 0; i < rows && i < most && l->st == PRVCUT_OK; i++) {
        const struct report_waits_row *r = &row[i];
        uint32_t worst = 0;

        for (uint32_t k = 1; k < w->ranks; k++)
            worst = r->path->rank_ns[k] > r->path->rank_ns[worst] ? k : worst;
        report_put(l, "%8s  %-18s  rank %" PRIu32 " %.0f %%  ",
                   prvcut_time_text(text, (double)r->path->severity_ns), r->metric->name, worst,
                   100 * (double)r->path->rank_ns[worst] / (double)r->path->severity_ns);
        if (prvcut_waits_frame(w, r->path->path, 0))
            report_waits_path(l, w, r->path->path);
        else
            report_put(l, "-");
        report_put(l, "\n");
    }
    if (rows > most)
        report_put(l, "and %zu more: --top %zu prints all\n", rows - most, rows);
    free(row);
}

static void wtx_instances(struct report_lines *l, const struct prvcut_wait_states *w)
{
    const struct report_clock clock = report_clock_for(w->end_ns, 1000);
    char text[32], at[40];

    for (size_t i = 0; i < w->instances; i++) {
        const struct prvcut_waits_instance *n = prvcut_waits_instance(w, i);

        report_put(l, "%8s  %-18s  rank %" PRIu32 " at %s",
                   prvcut_time_text(text, (double)n->severity_ns), report_waits_name(w, n->wait),
                   n->rank, report_clock_time(at, &clock, n->call.start, clock.places));
        if (n->cause != UINT32_MAX)
            report_put(l, " for rank %" PRIu32, n->cause);
        report_put(l, "  ");
        report_waits_path(l, w, n->path);
        report_put(l, "\n");
    }
}

/* Where most is lost, and the longest waits, if there are any. */
static void wtx_where(struct report_lines *l, const struct prvcut_wait_states *w)
{
    uint64_t all;

    if (report_waits_most(w, &all)) {
        report_put(l, "where:\n");
        wtx_paths(l, w, w->top < 5 ? w->top : 5);
    }
    if (w->instances > 0) {
        report_put(l, "longest:\n");
        wtx_instances(l, w);
    }
}

/* --- Rows of other views ---------------------------------------------------------------------- */

/* The metrics with the most, in their order; returns how many. */
static size_t wtx_choose(const struct prvcut_wait_states *w, size_t chosen[BESIDE])
{
    size_t n = 0;

    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = wtx_metric(w, i);
        size_t above = 0;

        for (size_t k = 0; k < w->metrics; k++)
            above += wtx_metric(w, k)->severity_ns > m->severity_ns ||
                     (wtx_metric(w, k)->severity_ns == m->severity_ns && k < i);
        if (m->severity_ns > 0 && above < BESIDE)
            chosen[n++] = i;
    }
    return n;
}

static void wtx_beside_head(char (*row)[REPORT_CELL], const struct prvcut_wait_states *w,
                            const char *first, const size_t *chosen, size_t count)
{
    report_set(row[0], first);
    for (size_t i = 0; i < count; i++)
        report_set(row[1 + i], wtx_metric(w, chosen[i])->name);
}

static void wtx_ranks(struct report_lines *l, const struct prvcut_wait_states *w)
{
    struct report_table t = { .align = "rrrrrrr" };
    size_t chosen[BESIDE];
    const size_t count = wtx_choose(w, chosen);

    wtx_beside_head(report_row(&t), w, "Rank", chosen, count);
    for (uint32_t r = 0; r < w->ranks; r++) {
        char(*row)[REPORT_CELL] = w->looked && !w->looked[r] ? NULL : wtx_row(l, &t);

        if (!row)
            continue;
        snprintf(row[0], REPORT_CELL, "%" PRIu32, r);
        for (size_t i = 0; i < count; i++)
            wtx_time(row[1 + i], (double)wtx_metric(w, chosen[i])->rank_ns[r]);
    }
    report_put_table(l, &t);
}

static void wtx_parts(struct report_lines *l, const struct prvcut_wait_states *w)
{
    const bool iterations = w->by == PRVCUT_WAITS_BY_ITERATION;
    struct report_table t = { .align = "rrrrrrr" };
    size_t chosen[BESIDE];
    const size_t count = wtx_choose(w, chosen);

    wtx_beside_head(report_row(&t), w, iterations ? "Iteration" : "Region", chosen, count);
    for (size_t p = 0; p < w->parts; p++) {
        const struct prvcut_waits_part *part = prvcut_waits_part(w, p);
        char(*row)[REPORT_CELL] = wtx_row(l, &t);

        if (iterations)
            snprintf(row[0], REPORT_CELL, "%" PRIu64 "%s", part->iteration,
                     part->disturbed ? "*" : "");
        else
            report_set(row[0], part->region);
        for (size_t i = 0; i < count; i++)
            wtx_time(row[1 + i], (double)part->severity_ns[chosen[i]]);
    }
    report_put_table(l, &t);
}

/* --- Causes ----------------------------------------------------------------------------------- */

static void wtx_place(struct report_lines *l, const struct prvcut_wait_states *w, size_t path)
{
    if (prvcut_waits_frame(w, path, 0))
        report_waits_path(l, w, path);
    else
        report_put(l, "outside of calls");
}

/* "816ms  late_sender  481ms by what others did, 335ms by what made these wait" */
static void wtx_delays(struct report_lines *l, const struct prvcut_wait_states *w)
{
    char all[32], shorter[32], longer[32];

    for (size_t i = 0; i < w->delays; i++) {
        const struct prvcut_waits_delay *d = prvcut_waits_delay(w, i);

        if (d->short_ns + d->long_ns > 0)
            report_put(l, "%8s  %-18s  %s by what others did, %s by what made these wait\n",
                       prvcut_time_text(all, d->short_ns + d->long_ns), prvcut_delay_text(d->kind),
                       prvcut_time_text(shorter, d->short_ns),
                       prvcut_time_text(longer, d->long_ns));
    }
    if (w->unexplained_ns > 0)
        report_put(l, "%8s  nobody is to blame\n", prvcut_time_text(all, w->unexplained_ns));
}

/* Causes, and the critical path, are of the whole run all the same. */
static bool wtx_is_part(const struct prvcut_wait_states *w)
{
    return w->span.start > 0 || w->span.end < w->end_ns;
}

static void wtx_causes(struct report_lines *l, const struct prvcut_wait_states *w)
{
    char text[32];

    if (!w->causes || (w->costs == 0 && w->unexplained_ns <= 0))
        return;
    report_put(l, "causes%s:\n", wtx_is_part(w) ? ", of the whole run" : "");
    wtx_delays(l, w);
    for (size_t i = 0; i < w->costs && i < CAUSES; i++) {
        const struct prvcut_waits_cost *c = prvcut_waits_cost(w, i);

        report_put(l, "%8s  %-18s  rank %" PRIu32 "  ",
                   prvcut_time_text(text, c->short_ns + c->long_ns), prvcut_delay_text(c->kind),
                   c->rank);
        wtx_place(l, w, c->path);
        report_put(l, "\n");
    }
}

static void wtx_critical(struct report_lines *l, const struct prvcut_wait_states *w)
{
    char text[32], all[32];

    if (!w->critical)
        return;
    if (w->no_path) {
        report_put(l, "critical path: -, %s\n", w->no_path);
        return;
    }
    report_put(l, "critical path%s: %s, %" PRIu64 " step%s between ranks\n",
               wtx_is_part(w) ? " of the whole run" : "",
               prvcut_time_text(text, (double)w->critical_ns), w->steps, w->steps == 1 ? "" : "s");
    for (size_t i = 0; i < w->stretches && i < CAUSES; i++) {
        const struct prvcut_waits_stretch *s = prvcut_waits_stretch(w, i);

        report_put(l, "%8s  %4.1f %%  rank %" PRIu32 "  ", prvcut_time_text(text, (double)s->ns),
                   w->critical_ns > 0 ? 100 * (double)s->ns / (double)w->critical_ns : 0.0,
                   s->rank);
        wtx_place(l, w, s->path);
        report_put(l, "\n");
    }
    if (w->imbalances > 0)
        report_put(l, "imbalance on it, more than ranks have in the mean:\n");
    for (size_t i = 0; i < w->imbalances && i < CAUSES; i++) {
        const struct prvcut_waits_imbalance *m = prvcut_waits_imbalance(w, i);

        report_put(l, "%8s  of %s  ", prvcut_time_text(text, m->over_ns),
                   prvcut_time_text(all, (double)m->ns));
        wtx_place(l, w, m->path);
        report_put(l, "\n");
    }
}

/* --- Notes ------------------------------------------------------------------------------------ */

/* What few programs have, and this one has not, need not be told. */
static bool wtx_needs_reason(const struct prvcut_waits_metric *m)
{
    const struct made_waits_metric *made = (const struct made_waits_metric *)(const void *)m;

    return wtx_why(m) && !(m->reason && made->absent);
}

static bool wtx_same_reason(const struct prvcut_waits_metric *a,
                            const struct prvcut_waits_metric *b)
{
    return wtx_needs_reason(a) && wtx_needs_reason(b) &&
           (a->reason != NULL) == (b->reason != NULL) && strcmp(wtx_why(a), wtx_why(b)) == 0;
}

/* Those of the same reason together; all of MPI have one where it has no calls. */
static void wtx_reasons(struct report_lines *l, const struct prvcut_wait_states *w)
{
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = wtx_metric(w, i);
        size_t before = 0, alike = 0, all = 0;

        for (size_t k = 0; k < w->metrics; k++) {
            const bool same = wtx_same_reason(wtx_metric(w, k), m);

            before += same && k < i;
            alike += same;
            all += !wtx_is_rare(wtx_metric(w, k));
        }
        if (alike == 0 || before > 0)
            continue;
        report_put(l, "note: %s", alike == all ? "all waits in MPI" : m->name);
        for (size_t k = i + 1; k < w->metrics && alike < all; k++)
            if (wtx_same_reason(wtx_metric(w, k), m))
                report_put(l, ", %s", wtx_metric(w, k)->name);
        report_put(l, "%s: %s\n", m->reason ? "" : " in part", wtx_why(m));
    }
}

static void wtx_unsought(struct report_lines *l, const struct prvcut_wait_states *w)
{
    char text[32];

    for (size_t i = 0; i < MADE_UNSOUGHT && wtx_is_unsought(w, i); i++) {
        const struct made_unsought *u = &made_wait_states_of(w)->unsought[i];

        report_put(l, "%s %s (%s in all)", i == 0 ? "note: no waits are looked for in" : ",",
                   u->name, prvcut_time_text(text, (double)u->ns));
    }
    if (wtx_is_unsought(w, 0))
        report_put(l, "\n");
}

/* The k-th sent is the k-th received: of a channel that lost ends those behind them meet wrong
 * ones.
 */
static void wtx_lost(struct report_lines *l, const struct prvcut_wait_states *w)
{
    const struct prvcut_waits_clock *c = prvcut_waits_clock(w);

    if (c->violations > c->matching && w->no_receive + w->no_send > 0)
        report_put(l, "note: ends of messages that are lost may tie others wrongly together, which "
                      "looks like clocks that contradict each other\n");
}

void report_waits_notes(struct report_lines *l, const struct prvcut_wait_states *w)
{
    if (!w->no_loop)
        report_put_counted_from(l, made_wait_states_of(w)->counted_from);
    wtx_reasons(l, w);
    wtx_unsought(l, w);
    report_put_clocks(l, "", prvcut_waits_clock(w), w->messages, true);
    wtx_lost(l, w);
    report_put_skipped(l, w->skipped);
    report_put_sorted(l, w->unsorted, w->first_unsorted, w->unsorted_ns);
}

enum prvcut_status prvcut_waits_text(const struct prvcut_wait_states *w, char **text,
                                     struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_waits_title(&l, w);
    report_wrap(&l, REPORT_WIDTH);
    if (w->by == PRVCUT_WAITS_BY_METRIC) {
        wtx_metrics(&l, w);
        report_waits_none(&l, w);
        wtx_where(&l, w);
    } else if (w->by == PRVCUT_WAITS_BY_RANK) {
        wtx_ranks(&l, w);
    } else if (w->by == PRVCUT_WAITS_BY_PATH) {
        wtx_paths(&l, w, w->top);
    } else {
        wtx_parts(&l, w);
    }
    wtx_causes(&l, w);
    wtx_critical(&l, w);
    if (w->no_loop)
        report_put(&l, "no loop was found: %s\n", w->no_loop);
    report_waits_notes(&l, w);
    return report_take(&l, text);
}

enum prvcut_status prvcut_waits_marked_text(const struct prvcut_marking *m, char **text,
                                            struct prvcut_error *err)
{
    return report_marked(m, PRVCUT_MARK_WAIT_TYPE, text, err);
}
