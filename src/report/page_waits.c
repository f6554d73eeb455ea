#include "report/page_data.h"

#include "analysis/waits/waits.h"
#include "base/memory.h"
#include "report/json.h"
#include "report/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frames of a call path, the innermost ones. */
#define FRAMES_MOST 24

/** Names of call paths that are shown, each once. */
struct pwa_names {
    const struct prvcut_wait_states *w;
    size_t *place; /* [frames] of a node's name in the list, from 1; 0: it is not there; owned */
    json_t *list;
    size_t count;
    int bad;
};

/* --- Ranks ------------------------------------------------------------------------------------ */

static uint32_t pwa_each(const struct prvcut_wait_states *w)
{
    return w->ranks / PAGE_FIELDS + (w->ranks % PAGE_FIELDS > 0);
}

/* The sum of each group of ranks. */
static json_t *pwa_ranks(const struct prvcut_wait_states *w, const uint64_t *ns)
{
    const uint32_t each = pwa_each(w);
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < w->ranks; i += each) {
        uint64_t sum = 0;

        for (uint32_t k = i; k < w->ranks && k - i < each; k++)
            sum += ns[k];
        bad |= json_array_append_new(list, report_json_integer(sum));
    }
    return report_json_keep(list, bad);
}

/* --- Call paths ------------------------------------------------------------------------------- */

static size_t pwa_depth(const struct made_wait_states *made, size_t path)
{
    size_t depth = 0;

    for (; path > 0; path = made->frame[path].parent)
        depth++;
    return depth;
}

static int pwa_name(struct pwa_names *n, size_t node)
{
    const struct made_wait_states *made = made_wait_states_of(n->w);

    if (n->place[node] > 0)
        return 0;
    n->place[node] = ++n->count;
    return json_array_append_new(n->list, report_json_text(made->frame[node].name));
}

/* Places of its names, the outermost first; the root has none. */
static json_t *pwa_path(struct pwa_names *n, size_t path)
{
    const struct made_wait_states *made = made_wait_states_of(n->w);
    const size_t depth = pwa_depth(made, path);
    json_t *list = json_array();
    size_t node = path;
    int bad = 0;

    for (size_t i = 0; i < depth && i < FRAMES_MOST; i++) {
        n->bad |= pwa_name(n, node);
        bad |= json_array_insert_new(list, 0, report_json_integer(n->place[node] - 1));
        node = made->frame[node].parent;
    }
    return report_json_keep(list, bad);
}

static json_t *pwa_paths(struct pwa_names *n, size_t metric)
{
    json_t *list = json_array();
    const struct prvcut_waits_path *p;
    int bad = 0;

    for (size_t k = 0; k < PAGE_PATHS && (p = prvcut_waits_path(n->w, metric, k)) != NULL; k++) {
        const struct report_field field[] = {
            { "path", pwa_path(n, p->path) },
            { "severity_ns", report_json_integer(p->severity_ns) },
            { "instances", report_json_integer(p->instances) },
            { "ranks_ns", pwa_ranks(n->w, p->rank_ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

/* --- Metrics ---------------------------------------------------------------------------------- */

static const char *pwa_group(enum prvcut_wait wait)
{
    if (wait <= PRVCUT_WAIT_LATE_RECEIVER)
        return "Messages";
    if (wait == PRVCUT_WAIT_INIT_COMPLETION || wait == PRVCUT_WAIT_FINALIZE)
        return "Start and end";
    return wait >= PRVCUT_WAIT_OMP_FORK ? "OpenMP" : "Collectives";
}

static json_t *pwa_length(double ns)
{
    return isnan(ns) ? json_null() : report_json_real(ns);
}

static json_t *pwa_metric(struct pwa_names *n, size_t i)
{
    const struct prvcut_waits_metric *m = prvcut_waits_metric(n->w, i);
    const struct report_field field[] = {
        { "name", report_json_text(m->name) },
        { "title", report_json_text(m->title) },
        { "help", m->wait < PRVCUT_WAITS ? report_json_text(prvcut_waits_metric_names[m->wait].help)
                                         : json_null() },
        { "group", report_json_text(pwa_group(m->wait)) },
        { "part_of", m->of ? report_json_text(m->of->name) : json_null() },
        { "at_most", json_boolean(m->wait == PRVCUT_WAIT_NXN_V) },
        { "severity_ns", report_json_integer(m->severity_ns) },
        { "instances", report_json_integer(m->instances) },
        { "share", report_json_real(m->share) },
        { "mean_ns", pwa_length(m->mean_ns) },
        { "median_ns", pwa_length(m->median_ns) },
        { "most_ns", m->most_ns > 0 ? report_json_integer(m->most_ns) : json_null() },
        { "ranks_ns", pwa_ranks(n->w, m->rank_ns) },
        { "paths", pwa_paths(n, i) },
        { "paths_all", report_json_integer(m->paths) },
    };

    return REPORT_JSON_OBJECT(field);
}

/* Those that anybody loses time in. */
static json_t *pwa_metrics(struct pwa_names *n)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < n->w->metrics; i++)
        if (prvcut_waits_metric(n->w, i)->severity_ns > 0)
            bad |= json_array_append_new(list, pwa_metric(n, i));
    return report_json_keep(list, bad);
}

static json_t *pwa_longest(struct pwa_names *n)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < n->w->instances; i++) {
        const struct prvcut_waits_instance *s = prvcut_waits_instance(n->w, i);
        const bool caused = s->cause != UINT32_MAX;
        const struct report_field field[] = {
            { "metric", report_json_text(prvcut_wait_text(s->wait)) },
            { "severity_ns", report_json_integer(s->severity_ns) },
            { "rank", report_json_integer(s->rank) },
            { "begin_ns", report_json_integer(s->call.start) },
            { "end_ns", report_json_integer(s->call.end) },
            { "cause_rank", caused ? report_json_integer(s->cause) : json_null() },
            { "path", pwa_path(n, s->path) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

/* --- Causes ----------------------------------------------------------------------------------- */

/* Rows of the two tables, the greatest. */
#define CAUSES 10

static json_t *pwa_delay(const struct prvcut_waits_delay *d)
{
    const struct report_field field[] = {
        { "metric", report_json_text(prvcut_wait_text(prvcut_waits_of_delay(d->kind))) },
        { "short_ns", report_json_real(d->short_ns) },
        { "long_ns", report_json_real(d->long_ns) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *pwa_delays(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->delays; i++) {
        const struct prvcut_waits_delay *d = prvcut_waits_delay(w, i);

        if (!d->reason && d->short_ns + d->long_ns > 0)
            bad |= json_array_append_new(list, pwa_delay(d));
    }
    return report_json_keep(list, bad);
}

static json_t *pwa_costs(struct pwa_names *n)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < n->w->costs && i < CAUSES; i++) {
        const struct prvcut_waits_cost *c = prvcut_waits_cost(n->w, i);
        const struct report_field field[] = {
            { "metric", report_json_text(prvcut_wait_text(prvcut_waits_of_delay(c->kind))) },
            { "rank", report_json_integer(c->rank) },
            { "short_ns", report_json_real(c->short_ns) },
            { "long_ns", report_json_real(c->long_ns) },
            { "path", pwa_path(n, c->path) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

/* How much of a call path's part is more than ranks have in the mean; null: nothing. */
static json_t *pwa_over(const struct prvcut_wait_states *w, size_t path)
{
    const struct prvcut_waits_imbalance *m;

    for (size_t i = 0; (m = prvcut_waits_imbalance(w, i)) != NULL; i++)
        if (m->path == path)
            return report_json_real(m->over_ns);
    return json_null();
}

static json_t *pwa_critical(struct pwa_names *n)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < n->w->stretches && i < CAUSES && !n->w->no_path; i++) {
        const struct prvcut_waits_stretch *s = prvcut_waits_stretch(n->w, i);
        const struct report_field field[] = {
            { "ns", json_integer((json_int_t)s->ns) },
            { "rank", report_json_integer(s->rank) },
            { "over_ns", pwa_over(n->w, s->path) },
            { "path", pwa_path(n, s->path) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    const struct report_field field[] = {
        { "ns", n->w->no_path ? json_null() : json_integer((json_int_t)n->w->critical_ns) },
        { "steps", report_json_integer(n->w->steps) },
        { "reason", report_json_text(n->w->no_path) },
        { "parts", report_json_keep(list, bad) },
        { "parts_all", report_json_integer(n->w->stretches) },
    };

    return REPORT_JSON_OBJECT(field);
}

/* --- Iterations ------------------------------------------------------------------------------- */

/* Iterations that one column stands for: as many as follow each other, `each` at most. */
static size_t pwa_column(const struct prvcut_wait_states *w, size_t from, size_t each)
{
    const struct prvcut_waits_part *first = prvcut_waits_part(w, from), *p;
    size_t n = 1;

    while (n < each && (p = prvcut_waits_part(w, from + n)) != NULL &&
           p->iteration == first->iteration + n && p->disturbed == first->disturbed)
        n++;
    return n;
}

static json_t *pwa_severities(const struct prvcut_wait_states *w, size_t metric, size_t each)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0, n; i < w->parts; i += n) {
        uint64_t sum = 0;

        n = pwa_column(w, i, each);
        for (size_t k = i; k < i + n; k++)
            sum += prvcut_waits_part(w, k)->severity_ns[metric];
        bad |= json_array_append_new(list, report_json_integer(sum));
    }
    return report_json_keep(list, bad);
}

/* Of each metric of calls; OpenMP's are of the run alone. */
static json_t *pwa_by_metric(const struct prvcut_wait_states *w, size_t each)
{
    json_t *object = json_object();
    int bad = 0;

    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        if (m->severity_ns > 0 && m->wait < PRVCUT_WAIT_OMP_FORK)
            bad |= json_object_set_new(object, m->name, pwa_severities(w, i, each));
    }
    return report_json_keep(object, bad);
}

/* Three numbers a column: its first and last iteration, and whether they are disturbed. */
static json_t *pwa_columns(const struct prvcut_wait_states *w, size_t each)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0, n; i < w->parts; i += n) {
        const struct prvcut_waits_part *p = prvcut_waits_part(w, i);

        n = pwa_column(w, i, each);
        bad |= json_array_append_new(list, report_json_integer(p->iteration));
        bad |= json_array_append_new(list, report_json_integer(p->iteration + n - 1));
        bad |= json_array_append_new(list, report_json_integer(p->disturbed));
    }
    return report_json_keep(list, bad);
}

/* How many iterations share a column, so that there are few enough. */
static size_t pwa_share(const struct prvcut_wait_states *w)
{
    size_t each = 1, columns;

    do {
        columns = 0;
        for (size_t i = 0; i < w->parts; i += pwa_column(w, i, each))
            columns++;
        each *= 2;
    } while (columns > PAGE_WAIT_COLUMNS && each < 2 * w->parts);
    return each / 2;
}

static json_t *pwa_iterations(const struct prvcut_wait_states *w)
{
    const size_t each = pwa_share(w);
    const struct report_field field[] = {
        { "each", report_json_integer(each) },
        { "number", pwa_columns(w, each) },
        { "ns", pwa_by_metric(w, each) },
    };
    json_t *o = REPORT_JSON_OBJECT(field);

    if (w->parts > 0)
        return o;
    json_decref(o);
    return json_null();
}

/* --- All of it -------------------------------------------------------------------------------- */

/* What to call each metric in a sentence, also those that nothing waits in. */
static json_t *pwa_titles(const struct prvcut_wait_states *w)
{
    json_t *object = json_object();
    int bad = 0;

    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        bad |= json_object_set_new(object, m->name, report_json_text(m->title));
    }
    return report_json_keep(object, bad);
}

/* The answer and the notes, as the text has them. */
static json_t *pwa_said(const struct prvcut_wait_states *w, enum prvcut_status *st,
                        struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char *text = NULL;
    json_t *said;

    report_waits_title(&l, w);
    report_waits_none(&l, w);
    report_waits_notes(&l, w);
    *st = report_take(&l, &text);
    said = report_json_text(text);
    free(text);
    return said;
}

json_t *page_waits(const struct prvcut_wait_states *w, enum prvcut_status *st,
                   struct prvcut_error *err)
{
    struct pwa_names names = { .w = w };
    json_t *metrics, *longest, *costs, *critical, *o;
    uint64_t all;

    if (!w || *st != PRVCUT_OK)
        return json_null();
    names.place =
        prvcut_zeroed(made_wait_states_of(w)->frames + 1, sizeof *names.place, "call paths", err);
    if (!names.place) {
        *st = PRVCUT_ENOMEM;
        return NULL;
    }
    names.list = json_array();
    metrics = pwa_metrics(&names);
    longest = pwa_longest(&names);
    costs = pwa_costs(&names);
    critical = pwa_critical(&names);
    report_waits_most(w, &all);
    const struct report_field field[] = {
        { "ranks", report_json_integer(w->ranks) },
        { "ranks_each", report_json_integer(pwa_each(w)) },
        { "start_ns", report_json_integer(w->span.start) },
        { "all_ns", report_json_integer(all) },
        { "said", pwa_said(w, st, err) },
        { "titles", pwa_titles(w) },
        { "metrics", metrics },
        { "longest", longest },
        { "delays", pwa_delays(w) },
        { "costs", costs },
        { "critical", critical },
        { "iterations", pwa_iterations(w) },
        { "names", report_json_keep(names.list, names.bad) },
    };

    o = REPORT_JSON_OBJECT(field);
    free(names.place);
    return o;
}
