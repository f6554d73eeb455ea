#include "report/waits.h"

#include "base/memory.h"
#include "prvcut/waits.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void report_waits_path(struct report_lines *l, const struct prvcut_wait_states *w, size_t path)
{
    const char *name;

    for (size_t k = 0; (name = prvcut_waits_frame(w, path, k)) != NULL; k++) {
        if (k > 0)
            report_put(l, "/");
        report_put_foreign(l, name);
    }
}

const char *report_waits_name(const struct prvcut_wait_states *w, enum prvcut_wait wait)
{
    for (size_t i = 0; i < w->metrics; i++)
        if (prvcut_waits_metric(w, i)->wait == wait)
            return prvcut_waits_metric(w, i)->name;
    return NULL;
}

static int wait_most_first(const void *a, const void *b)
{
    const struct report_waits_row *x = a, *y = b;

    if (x->path->severity_ns != y->path->severity_ns)
        return x->path->severity_ns > y->path->severity_ns ? -1 : 1;
    if (x->metric->wait != y->metric->wait)
        return x->metric->wait < y->metric->wait ? -1 : 1;
    return (x->path->path > y->path->path) - (x->path->path < y->path->path);
}

enum prvcut_status report_waits_rows(struct report_waits_row **out, size_t *rows,
                                     const struct prvcut_wait_states *w, bool whole,
                                     struct prvcut_error *err)
{
    size_t most = 0, n = 0;

    for (size_t i = 0; i < w->metrics; i++)
        most += prvcut_waits_metric(w, i)->paths;
    *out = prvcut_zeroed(most + 1, sizeof **out, "call paths", err);
    if (!*out)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        for (size_t k = 0; k < m->paths && !(whole && m->of); k++)
            (*out)[n++] = (struct report_waits_row){ m, prvcut_waits_path(w, i, k) };
    }
    qsort(*out, n, sizeof **out, wait_most_first);
    *rows = n;
    return PRVCUT_OK;
}

/* --- CSV -------------------------------------------------------------------------------------- */

static double wait_seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

static void wait_csv_path(struct report_lines *l, const struct prvcut_wait_states *w, size_t path)
{
    struct report_lines own = { .err = l->err };
    char *text = NULL;

    report_waits_path(&own, w, path);
    if (report_take(&own, &text) == PRVCUT_OK)
        report_put_value(l, text);
    free(text);
}

static void wait_csv_metrics(struct report_lines *l, const struct prvcut_wait_states *w)
{
    report_put(l, "metric,severity_s,share,instances,worst_rank,worst_rank_s,worst_path,"
                  "worst_path_s,mean_s,median_s,most_s,reason,partial\n");
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        report_put(l, "%s,", m->name);
        if (m->reason) {
            report_put(l, ",,,,,,,,,,");
            report_put_value(l, m->reason);
            report_put(l, ",\n");
            continue;
        }
        report_put(l, "%.9f,%.6f,%" PRIu64 ",", wait_seconds(m->severity_ns), m->share,
                   m->instances);
        if (m->worst_rank != UINT32_MAX)
            report_put(l, "%" PRIu32 ",%.9f,", m->worst_rank,
                       wait_seconds(m->rank_ns[m->worst_rank]));
        else
            report_put(l, ",,");
        if (m->worst_path != SIZE_MAX)
            wait_csv_path(l, w, m->worst_path);
        report_put(l, ",%.9f,", wait_seconds(m->worst_path_ns));
        if (isnan(m->mean_ns))
            report_put(l, ",,,,");
        else
            report_put(l, "%.9f,%.10f,%.9f,,", m->mean_ns / 1e9, m->median_ns / 1e9,
                       wait_seconds(m->most_ns));
        if (m->partial)
            report_put_value(l, m->partial);
        report_put(l, "\n");
    }
}

static void wait_csv_names(struct report_lines *l, const struct prvcut_wait_states *w)
{
    for (size_t i = 0; i < w->metrics; i++)
        report_put(l, ",%s_s", prvcut_waits_metric(w, i)->name);
    report_put(l, "\n");
}

static void wait_csv_ranks(struct report_lines *l, const struct prvcut_wait_states *w)
{
    report_put(l, "rank");
    wait_csv_names(l, w);
    for (uint32_t r = 0; r < w->ranks; r++) {
        if (w->looked && !w->looked[r])
            continue;
        report_put(l, "%" PRIu32, r);
        for (size_t i = 0; i < w->metrics; i++) {
            const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

            report_put(l, ",");
            if (!m->reason)
                report_put(l, "%.9f", wait_seconds(m->rank_ns[r]));
        }
        report_put(l, "\n");
    }
}

/* Nothing of a rank that is not looked at. */
static void wait_csv_rank(struct report_lines *l, const struct prvcut_wait_states *w,
                          const uint64_t *ns, uint32_t rank)
{
    report_put(l, ",");
    if (!w->looked || w->looked[rank])
        report_put(l, "%.9f", wait_seconds(ns[rank]));
}

static void wait_csv_paths(struct report_lines *l, const struct prvcut_wait_states *w)
{
    struct report_waits_row *row = NULL;
    size_t rows = 0;

    l->st = l->st == PRVCUT_OK ? report_waits_rows(&row, &rows, w, false, l->err) : l->st;
    report_put(l, "path,metric,severity_s,instances");
    for (uint32_t r = 0; r < w->ranks; r++)
        report_put(l, ",rank%" PRIu32 "_s", r);
    report_put(l, "\n");
    for (size_t i = 0; i < rows && l->st == PRVCUT_OK; i++) {
        wait_csv_path(l, w, row[i].path->path);
        report_put(l, ",%s,%.9f,%" PRIu64, row[i].metric->name,
                   wait_seconds(row[i].path->severity_ns), row[i].path->instances);
        for (uint32_t r = 0; r < w->ranks; r++)
            wait_csv_rank(l, w, row[i].path->rank_ns, r);
        report_put(l, "\n");
    }
    free(row);
}

static void wait_csv_parts(struct report_lines *l, const struct prvcut_wait_states *w)
{
    report_put(l, "region,iteration,start_ns,end_ns,disturbed");
    wait_csv_names(l, w);
    for (size_t i = 0; i < w->parts; i++) {
        const struct prvcut_waits_part *p = prvcut_waits_part(w, i);

        if (p->region)
            report_put(l, "%s", p->region);
        report_put(l, ",");
        if (p->iteration > 0)
            report_put(l, "%" PRIu64, p->iteration);
        report_put(l, ",%" PRIu64 ",%" PRIu64 ",%d", p->span.start, p->span.end, p->disturbed);
        for (size_t m = 0; m < w->metrics; m++) {
            report_put(l, ",");
            if (!prvcut_waits_metric(w, m)->reason)
                report_put(l, "%.9f", wait_seconds(p->severity_ns[m]));
        }
        report_put(l, "\n");
    }
}

enum prvcut_status prvcut_waits_csv(const struct prvcut_wait_states *w, char **text,
                                    struct prvcut_error *err)
{
    static void (*const rows[])(struct report_lines *, const struct prvcut_wait_states *) = {
        [PRVCUT_WAITS_BY_METRIC] = wait_csv_metrics,
        [PRVCUT_WAITS_BY_RANK] = wait_csv_ranks,
        [PRVCUT_WAITS_BY_PATH] = wait_csv_paths,
        [PRVCUT_WAITS_BY_REGION] = wait_csv_parts,
        [PRVCUT_WAITS_BY_ITERATION] = wait_csv_parts
    };
    struct report_lines l = { .err = err };

    rows[w->by](&l, w);
    return report_take(&l, text);
}
