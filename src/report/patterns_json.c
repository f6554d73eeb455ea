#include "report/patterns.h"

#include "analysis/patterns/points.h"
#include "report/json.h"

#include <inttypes.h>

static json_t *ptj_tree(const struct pat_tree *t, size_t body);

/* A call by its name; what goes round as an object. */
static json_t *ptj_node(const struct pat_tree *t, const struct pat_node *n)
{
    const bool exact = n->least == n->most;
    json_t *body;

    if (!n->loop && n->most == 1)
        return report_json_text(t->name[n->inner]);
    body = n->loop ? ptj_tree(t, n->inner)
                   : report_json_texts((const char *const *)&t->name[n->inner], 1);
    const struct report_field field[] = {
        { "body", body },
        { "count", report_json_integer(n->most) },
        { "least", exact ? NULL : report_json_integer(n->least) },
    };

    return report_json_object(field, exact ? 2 : 3);
}

/* A nest as arrays of names, and of loops. */
static json_t *ptj_tree(const struct pat_tree *t, size_t body)
{
    const struct pat_tree_body *b = t->bodies > 0 ? &t->body[body] : NULL;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; b && i < b->length; i++)
        bad |= json_array_append_new(list, ptj_node(t, &t->node[b->first + i]));
    return report_json_keep(list, bad);
}

/* Threads from 1. */
static json_t *ptj_threads(const uint32_t *thread, size_t threads)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < threads; i++)
        bad |= json_array_append_new(list, report_json_integer((uint64_t)thread[i] + 1));
    return report_json_keep(list, bad);
}

/* The iteration that most are like. */
static json_t *ptj_usual(const struct prvcut_pattern_class *c)
{
    const struct report_field field[] = {
        { "nest", report_json_text(c->usual) },
        { "count", report_json_integer(c->usual_count) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *ptj_outermost(const struct prvcut_pattern_class *c)
{
    const struct report_field field[] = {
        { "count", report_json_integer(c->count) },
        { "calls", report_json_integer(c->iteration_calls) },
        { "cover", report_json_real(c->cover) },
        { "time_share", report_json_real(c->time_share) },
        { "median_ns", report_json_integer(c->median_ns) },
        { "first_ns", report_json_integer(c->span.start) },
        { "end_ns", report_json_integer(c->span.end) },
        { "usual", c->usual ? ptj_usual(c) : json_null() },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *ptj_classes(const struct prvcut_patterns *p)
{
    const struct pat_found *f = made_patterns_of(p)->found;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < p->classes; i++) {
        const struct prvcut_pattern_class *c = prvcut_patterns_class(p, i);
        const struct pat_tree *t = &f->class[i].tree;
        const size_t told = t->bodies > 0 ? t->bodies - 1 : 0;
        const struct report_field field[] = {
            { "threads", ptj_threads(f->class[i].thread, c->threads) },
            { "calls", report_json_integer(c->calls) },
            { "regions", json_boolean(c->regions) },
            { "source", report_json_text(prvcut_nest_source_text(c->source)) },
            { "outermost", c->count > 0 ? ptj_outermost(c) : json_null() },
            { "no_loop", report_json_text(c->no_loop) },
            { "depth", report_json_integer(c->depth) },
            { "size", report_json_integer(c->size) },
            { "unfolded", report_json_integer(c->unfolded) },
            { "nest", report_json_text(c->nest) },
            { "arguments", report_json_text(c->arguments) },
            { "tree", ptj_tree(t, t->exact > 0 ? t->exact - 1 : told) },
            { "tolerant", t->exact > 0 ? ptj_tree(t, told) : json_null() },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *ptj_peaks(const struct prvcut_patterns *p, size_t pattern)
{
    const size_t peaks = prvcut_patterns_pattern(p, pattern)->peaks;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < peaks; i++) {
        const struct prvcut_pattern_peak *k = prvcut_patterns_peak(p, pattern, i);
        const struct report_field field[] = {
            { "centre_ns", report_json_integer(k->centre_ns) },
            { "count", report_json_integer(k->count) },
            { "first_iteration", report_json_integer(k->first) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *ptj_functions(const struct prvcut_patterns *p, size_t pattern)
{
    const size_t functions = prvcut_patterns_pattern(p, pattern)->functions;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < functions; i++) {
        const struct prvcut_pattern_function *k = prvcut_patterns_function(p, pattern, i);
        const struct report_field field[] = {
            { "name", report_json_text(k->name) },
            { "count", report_json_integer(k->count) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *ptj_patterns(const struct prvcut_patterns *p)
{
    const struct pat_found *f = made_patterns_of(p)->found;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < p->patterns; i++) {
        const struct prvcut_pattern *k = prvcut_patterns_pattern(p, i);
        const struct report_field field[] = {
            { "pattern", report_json_integer(i + 1) },
            { "body", report_json_text(k->body) },
            { "arguments", report_json_text(k->arguments) },
            { "level", report_json_integer(k->level) },
            { "calls", report_json_integer(k->calls) },
            { "threads", ptj_threads(f->pattern[i].thread, k->threads) },
            { "occurrences", report_json_integer(k->occurrences) },
            { "total_ns", report_json_integer(k->total_ns) },
            { "share", report_json_real(k->share) },
            { "median_ns", report_json_integer(k->median_ns) },
            { "least_ns", report_json_integer(k->least_ns) },
            { "most_ns", report_json_integer(k->most_ns) },
            { "peaks", ptj_peaks(p, i) },
            { "outside", report_json_integer(k->outside) },
            { "functions", ptj_functions(p, i) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *ptj_cause(const struct prvcut_point *k)
{
    const struct report_field field[] = {
        { "kind", report_json_text(prvcut_point_cause_text(k->cause)) },
        { "thread", report_json_integer((uint64_t)k->cause_thread + 1) },
        { "excess_ns", report_json_integer(k->excess_ns) },
        { "mask", k->mask != PRVCUT_CAUSE_NONE ? report_json_text(prvcut_cause_text(k->mask))
                                               : json_null() },
        { "peer", k->peer != UINT32_MAX ? report_json_integer((uint64_t)k->peer + 1)
                                                  : json_null() },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *ptj_points(const struct prvcut_patterns *p)
{
    json_t *list = p->pointed ? json_array() : NULL;
    int bad = 0;

    if (!p->pointed)
        return json_null();
    for (size_t i = 0; i < p->points; i++) {
        const struct prvcut_point *k = prvcut_patterns_point(p, i);
        const struct report_field field[] = {
            { "place", report_json_integer(i + 1) },
            { "kind", report_json_text(k->outlier ? "outlier" : "peak") },
            { "iteration", k->iteration > 0 ? report_json_integer(k->iteration) : json_null() },
            { "structure_first", k->first > 0 ? report_json_integer(k->first) : json_null() },
            { "structure_last", k->last > 0 ? report_json_integer(k->last) : json_null() },
            { "start_ns", report_json_integer(k->start_ns) },
            { "length_ns", report_json_integer(k->length_ns) },
            { "median_ns", report_json_integer(k->median_ns) },
            { "factor", report_json_real(k->factor) },
            { "alike", report_json_integer(k->alike) },
            { "thread", report_json_integer((uint64_t)k->thread + 1) },
            { "calls", report_json_integer(k->calls) },
            { "median_calls", report_json_integer(k->median_calls) },
            { "call", report_json_text(k->call) },
            { "cause", k->cause != PRVCUT_POINT_UNTOLD ? ptj_cause(k) : json_null() },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *ptj_reduction(const struct prvcut_patterns *p)
{
    const struct report_field field[] = {
        { "calls", report_json_integer(p->calls) },
        { "kept", report_json_integer(p->kept) },
    };

    return REPORT_JSON_OBJECT(field);
}

/* Threads with calls that are in no point. */
static json_t *ptj_left_out(const struct prvcut_patterns *p)
{
    const struct made_patterns *m = made_patterns_of(p);
    const struct pat_points *c = m->chosen;

    if (!c || c->iterations == 0 || !c->left)
        return json_null();
    const struct report_field field[] = {
        { "threads", ptj_threads(c->left, c->lefts) },
        { "share",
          report_json_real(m->found->span_ns > 0 ? (double)c->left_ns / (double)m->found->span_ns
                                                 : 0) },
    };

    return REPORT_JSON_OBJECT(field);
}

enum prvcut_status prvcut_patterns_json(const struct prvcut_patterns *p, char **text,
                                        struct prvcut_error *err)
{
    const struct report_field field[] = {
        REPORT_JSON_HEAD("prvcut-patterns"),
        { "name", report_json_text(p->name) },
        { "threads", report_json_integer(p->threads) },
        { "calls", report_json_integer(p->calls) },
        { "end_ns", report_json_integer(p->end_ns) },
        { "symbols", report_json_text(prvcut_symbols_text(p->symbols)) },
        { "source", report_json_text(prvcut_nest_source_text(p->source)) },
        { "unfolded", report_json_integer(p->unfolded) },
        { "uncalled", report_json_integer(p->uncalled) },
        { "skipped", report_json_integer(p->skipped) },
        { "classes", ptj_classes(p) },
        { "patterns", ptj_patterns(p) },
        { "reduction", ptj_reduction(p) },
        { "iterations",
          p->pointed && p->iterations > 0 ? report_json_integer(p->iterations) : json_null() },
        { "left_out", ptj_left_out(p) },
        { "numbering", p->pointed && p->iterations > 0
                           ? report_json_text(prvcut_numbering_text(p->numbering))
                           : json_null() },
        { "structure_iterations",
          p->structured > 0 ? report_json_integer(p->structured) : json_null() },
        { "no_points", report_json_text(p->no_points) },
        { "pattern", p->pointed ? report_json_text(p->pattern) : json_null() },
        { "points_all", p->pointed ? report_json_integer(p->points_all) : json_null() },
        { "points", ptj_points(p) },
        { "repeats_left", p->repeated ? report_json_integer(p->repeats_left) : json_null() },
        { "repeats", report_repeats_json(p) },
    };

    return report_json_take(REPORT_JSON_OBJECT(field), text, err);
}

/* --- CSV -------------------------------------------------------------------------------------- */

/* 0: none */
static void ptj_csv_number(struct report_lines *l, uint64_t number)
{
    if (number > 0)
        report_put(l, "%" PRIu64, number);
    report_put(l, ",");
}

static void ptj_csv_point(struct report_lines *l, const struct prvcut_patterns *p, size_t i)
{
    const struct prvcut_point *k = prvcut_patterns_point(p, i);
    const bool told = k->cause != PRVCUT_POINT_UNTOLD;

    report_put(l, "%zu,%s,", i + 1, k->outlier ? "outlier" : "peak");
    ptj_csv_number(l, k->iteration);
    report_put(l, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", k->start_ns, k->length_ns, k->median_ns);
    report_put_exact(l, k->factor, "");
    report_put(l, ",%" PRIu64 ",%" PRIu32 ",", k->alike, k->thread + 1);
    if (told) {
        report_put_value(l, k->call ? k->call : "");
        report_put(l, ",%s,%" PRIu32 ",%" PRIu64 ",%s,",
                   k->cause != PRVCUT_POINT_UNCALLED ? prvcut_point_cause_text(k->cause) : "",
                   k->cause_thread + 1, k->excess_ns, prvcut_cause_text(k->mask));
    } else {
        report_put(l, ",,,,,");
    }
    ptj_csv_number(l, k->first);
    ptj_csv_number(l, k->last);
    report_put(l, "%" PRIu64 ",%" PRIu64 ",", k->calls, k->median_calls);
    if (k->peer != UINT32_MAX)
        report_put(l, "%" PRIu32, k->peer + 1);
    report_put(l, "\n");
}

static void ptj_csv_pattern(struct report_lines *l, const struct prvcut_patterns *p, size_t i)
{
    const struct prvcut_pattern *k = prvcut_patterns_pattern(p, i);

    report_put(l, "%zu,%u,%" PRIu64 ",%zu,%" PRIu64 ",%" PRIu64 ",", i + 1, k->level, k->calls,
               k->threads, k->occurrences, k->total_ns);
    report_put_exact(l, k->share, "");
    report_put(l, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", k->median_ns, k->least_ns, k->most_ns);
    report_put_value(l, k->body);
    report_put(l, ",");
    report_put_value(l, k->arguments);
    report_put(l, "\n");
}

enum prvcut_status prvcut_patterns_csv(const struct prvcut_patterns *p, char **text,
                                       struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    if (p->repeated && !p->pointed) {
        report_repeats_csv(&l, p);
        return report_take(&l, text);
    }
    if (p->pointed)
        report_put(&l, "place,kind,iteration,start_ns,length_ns,median_ns,factor,alike,thread,call,"
                       "cause,cause_thread,excess_ns,mask,structure_first,structure_last,calls,"
                       "median_calls,peer\n");
    else
        report_put(&l, "pattern,level,calls,threads,occurrences,total_ns,share,median_ns,least_ns,"
                       "most_ns,body,arguments\n");
    for (size_t i = 0; p->pointed && i < p->points; i++)
        ptj_csv_point(&l, p, i);
    for (size_t i = 0; !p->pointed && i < p->patterns; i++)
        ptj_csv_pattern(&l, p, i);
    return report_take(&l, text);
}
