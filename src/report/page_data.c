#include "report/page_data.h"
#include "report/brief.h"

#include "analysis/kinds.h"
#include "report/efficiency.h"
#include "report/json.h"
#include "report/size.h"
#include "report/structure.h"
#include "report/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Regions whose calls are told, and bytes of each. */
#define NESTS_MOST 40
#define NESTS_LONG ((size_t)160)

const struct made_region *page_main(const struct prvcut_page *page)
{
    const struct made_structure *s = &page->reduction->structure;

    return page->reduction->is.periodic && s->is.main < s->is.regions ? &s->region[s->is.main]
                                                                      : NULL;
}

/* The longest period that anything gave for a loop. */
static double dat_longest(const struct made_reduction *r, const struct made_region *region)
{
    const bool main = r->is.periodic && r->structure.is.main < r->structure.is.regions &&
                      r->structure.region[r->structure.is.main].is.loop == region->is.loop;
    const struct prvcut_vote *vote = main ? r->vote : region->vote;
    const size_t votes = main ? r->is.votes : region->is.votes;
    double longest = 0;

    for (size_t i = 0; i < votes; i++)
        if (isfinite(vote[i].period_ns))
            longest = fmax(longest, vote[i].period_ns);
    return longest;
}

static json_t *dat_search(const struct prvcut_page *page, const struct prvcut_page_search *s,
                          enum prvcut_status *st, struct prvcut_error *err)
{
    const struct made_region *r = &page->reduction->structure.region[s->region];
    struct prvcut_curve likeness = { .count = 0 };
    double *own = NULL;
    json_t *o = NULL;

    *st = page_likeness(page, s, dat_longest(page->reduction, r), &likeness, &own, err);
    if (*st == PRVCUT_OK) {
        const struct report_field fields[] = {
            { "region", report_json_integer(s->region) },
            { "curve", page_curve(&s->signal, PAGE_COLUMNS, page_ceiling(&s->signal, r)) },
            { "likeness", page_curve(&likeness, PAGE_COLUMNS / 3, INFINITY) },
        };

        o = REPORT_JSON_OBJECT(fields);
    }
    free(own);
    return o;
}

static json_t *dat_searches(const struct prvcut_page *page, enum prvcut_status *st,
                            struct prvcut_error *err)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < page->searches && i < PAGE_SEARCHES && *st == PRVCUT_OK; i++)
        if (page->search[i].region < page->reduction->structure.is.regions)
            bad |= json_array_append_new(list, dat_search(page, &page->search[i], st, err));
    return report_json_keep(list, bad);
}

static size_t dat_timelines_of(const struct prvcut_page *page)
{
    size_t most = page->timelines < PAGE_TIMELINES ? page->timelines : PAGE_TIMELINES;

    return most < page->reduction->is.chops ? most : page->reduction->is.chops;
}

static size_t dat_picks_of(const struct prvcut_page *page)
{
    return page->picks < PAGE_PICKS ? page->picks : PAGE_PICKS;
}

static json_t *dat_timelines(const struct prvcut_page *page)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < dat_timelines_of(page); i++) {
        const struct prvcut_chop *c = &page->reduction->chop[i].is;
        const struct page_drawing d = { &page->timeline[i], c->thread, c->threads,
                                        dat_timelines_of(page) + dat_picks_of(page) };

        bad |= json_array_append_new(list, page_timeline(&d));
    }
    return report_json_keep(list, bad);
}

static json_t *dat_pick(const struct prvcut_page *page, const struct prvcut_page_pick *p)
{
    const struct page_drawing d = { &p->timeline, p->thread, p->threads,
                                    dat_timelines_of(page) + dat_picks_of(page) };
    const struct report_field fields[] = {
        { "iteration", report_json_integer(p->iteration) },
        { "kind", p->kind > 0 ? report_json_integer(p->kind) : json_null() },
        { "usual", json_boolean(p->usual) },
        { "slowest", json_boolean(p->slowest) },
        { "disturbed", json_boolean(p->disturbed) },
        { "timeline", page_timeline(&d) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Iterations that are drawn though they were not cut. */
static json_t *dat_picks(const struct prvcut_page *page)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < dat_picks_of(page); i++)
        bad |= json_array_append_new(list, dat_pick(page, &page->pick[i]));
    return report_json_keep(list, bad);
}

/* Two numbers each, from iteration 1 on: a kind, 0 where none is known, and how many are of it. */
static json_t *dat_kinds(const struct prvcut_page *page)
{
    json_t *list = json_array();
    uint64_t told = 0;
    int bad = 0;

    for (size_t i = 0; i < page->kinds && page->kinds <= PAGE_ITERATIONS; i++) {
        const struct prvcut_page_kind *k = &page->kind[i];

        if (k->first > told + 1) {
            bad |= json_array_append_new(list, report_json_integer(0));
            bad |= json_array_append_new(list, report_json_integer(k->first - told - 1));
        }
        bad |= json_array_append_new(list, report_json_integer(k->kind));
        bad |= json_array_append_new(list, report_json_integer(k->last - k->first + 1));
        told = k->last;
    }
    return report_json_keep(list, bad);
}

/* Source lines that call, or functions with the lines in which they begin. */
static json_t *dat_lines(const struct prvcut_profile *p)
{
    const bool functions = p->by & PRVCUT_PROFILE_BY_FUNCTION;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < p->rows && i < PAGE_LINES; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);
        const struct report_field fields[] = {
            { "name", report_json_text(r->name) },
            { "entered", report_json_integer(r->entered) },
            { "ns", report_json_integer(r->ns) },
            { "share", report_json_real((double)r->ns / (double)(r->window_ns + !r->window_ns)) },
            { "file", report_json_text(r->file) },
            { "line", r->line > 0 ? report_json_integer(r->line) : json_null() },
            { "inclusive_ns", r->inclusive_ns != PRVCUT_PROFILE_UNTOLD
                                  ? report_json_integer(r->inclusive_ns)
                                  : json_null() },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    const struct report_field fields[] = {
        { "all", report_json_integer(p->rows_all) },
        { "functions", json_boolean(functions) },
        { "line", report_json_keep(list, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/** Iterations that follow each other, from the first to the last. */
struct dat_stretch {
    uint64_t first;
    const uint64_t *border;
    size_t borders;
};

/* Of groups of iterations the whole time, the shortest and the longest; of single ones the length.
 */
static json_t *dat_lengths(const struct dat_stretch *s, size_t group)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i + 1 < s->borders; i += group) {
        const size_t end = i + group < s->borders - 1 ? i + group : s->borders - 1;
        uint64_t least = UINT64_MAX, most = 0;

        for (size_t k = i; k < end; k++) {
            const uint64_t length = s->border[k + 1] - s->border[k];

            least = length < least ? length : least;
            most = length > most ? length : most;
        }
        bad |= json_array_append_new(list, report_json_integer(s->border[end] - s->border[i]));
        if (group > 1) {
            bad |= json_array_append_new(list, report_json_integer(least));
            bad |= json_array_append_new(list, report_json_integer(most));
        }
    }
    return report_json_keep(list, bad);
}

static json_t *dat_stretch(const struct dat_stretch *s, size_t group)
{
    const struct report_field fields[] = {
        { "first", report_json_integer(s->first) },
        { "start_ns", report_json_integer(s->border[0]) },
        { "count", report_json_integer(s->borders - 1) },
        { "lengths_ns", dat_lengths(s, group) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static bool dat_is_main(const struct made_region *m, unsigned loop, unsigned level,
                        const struct made_region *of)
{
    return m && loop == m->is.loop && level == m->is.level &&
           (!of || of->is.parent == m->is.parent);
}

/* The k-th stretch of the main loop; regions stand in where no stretch is known. */
static bool dat_stretch_at(const struct prvcut_page *page, size_t k, struct dat_stretch *out)
{
    const struct made_structure *s = &page->reduction->structure;
    const struct made_region *m = page_main(page);
    size_t seen = 0, stretches = 0;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (!dat_is_main(m, t->loop, t->level, NULL) || t->borders < 2)
            continue;
        stretches++;
        if (seen++ == k) {
            *out = (struct dat_stretch){ t->first, t->border, t->borders };
            return true;
        }
    }
    for (size_t i = 0; i < s->is.regions && stretches == 0; i++) {
        const struct made_region *r = &s->region[i];

        if (!dat_is_main(m, r->is.loop, r->is.level, r) || !r->is.border || r->is.borders < 2)
            continue;
        if (seen++ == k) {
            *out = (struct dat_stretch){ r->is.first > 0 ? r->is.first : 1, r->is.border,
                                         r->is.borders };
            return true;
        }
    }
    return false;
}

/* Three numbers each: the first and the last iteration of a region of the loop, and its number;
   what lies between them is disturbed. */
static json_t *dat_clear(const struct prvcut_page *page)
{
    const struct made_structure *s = &page->reduction->structure;
    const struct made_region *m = page_main(page);
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];
        const size_t count =
            r->is.border ? r->is.borders - 1 : (size_t)fmin(fmax(r->is.iterations, 1), 1e15);

        if (!dat_is_main(m, r->is.loop, r->is.level, r) || r->is.first == 0)
            continue;
        bad |= json_array_append_new(list, report_json_integer(r->is.first));
        bad |= json_array_append_new(list, report_json_integer(r->is.first + count - 1));
        bad |= json_array_append_new(list, report_json_integer(r->is.number));
    }
    return report_json_keep(list, bad);
}

static json_t *dat_iterations(const struct prvcut_page *page)
{
    json_t *list = json_array();
    struct dat_stretch s;
    size_t all = 0, group;
    int bad = 0;

    for (size_t k = 0; dat_stretch_at(page, k, &s); k++)
        all += s.borders;
    group = all / PAGE_ITERATIONS + 1;
    for (size_t k = 0; dat_stretch_at(page, k, &s); k++)
        bad |= json_array_append_new(list, dat_stretch(&s, group));
    const struct report_field fields[] = {
        { "group", report_json_integer(group) },
        { "stretches", report_json_keep(list, bad) },
        { "clear", dat_clear(page) },
        { "kinds", dat_kinds(page) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Numbers of the first and the last iteration of each cut; null where they are not known. */
static json_t *dat_cuts(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.chops; i++) {
        const struct made_chop *c = &r->chop[i];
        const struct report_field fields[] = {
            { "first", report_json_integer(c->is.iteration) },
            { "last", report_json_integer(c->is.iteration + c->is.iterations - 1) },
        };
        json_t *numbers = REPORT_JSON_OBJECT(fields);

        if (c->is.iteration == 0) {
            json_decref(numbers);
            numbers = json_null();
        }
        bad |= json_array_append_new(list, numbers);
    }
    return report_json_keep(list, bad);
}

/* What each cut takes on disk, as the report's first lines say it. */
static json_t *dat_sizes(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.chops; i++) {
        const struct report_sizes s = report_sizes_of(r, &r->chop[i]);
        const struct report_field fields[] = {
            { "bytes", report_json_integer((uint64_t)(s.after + 0.5)) },
            { "about", json_boolean(s.about) },
            { "uncompressed", json_boolean(s.uncompressed) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

/* How long each row computed in each column, in thousandths of the greatest; null: not known. */
static json_t *dat_heat(const struct made_reduction *r)
{
    const struct made_heat *h = &r->heat;
    json_t *number = json_array(), *values = json_array(), *heat;
    double most = 0;
    int bad = 0;

    for (size_t i = 0; i < h->rows * h->columns; i++)
        most = fmax(most, h->ns[i]);
    for (size_t i = 0; i < 2 * h->columns; i++)
        bad |= json_array_append_new(number, report_json_integer(h->number[i]));
    for (size_t i = 0; i < h->rows * h->columns; i++)
        bad |= json_array_append_new(
            values, json_integer((json_int_t)llround(most > 0 ? 1000 * h->ns[i] / most : 0)));
    const struct report_field fields[] = {
        { "by_rank", json_boolean(report_by_rank(r)) },
        { "threads", report_json_integer(h->threads) },
        { "threads_each", report_json_integer(h->threads_each) },
        { "iterations", report_json_integer(h->iterations) },
        { "iterations_each", report_json_integer(h->iterations_each) },
        { "most_ns", report_json_real(most) },
        { "number", report_json_keep(number, bad) },
        { "values", report_json_keep(values, bad) },
    };

    heat = REPORT_JSON_OBJECT(fields);
    if (h->columns > 0 && most > 0)
        return heat;
    json_decref(heat);
    return json_null();
}

/* What threads call in each region, as the tree of structure tells it. */
static json_t *dat_nest(const struct prvcut_region *r, size_t region, enum prvcut_status *st,
                        struct prvcut_error *err)
{
    struct report_lines nest = { .err = err }, differs = { .err = err };
    char *said = NULL, *note = NULL;
    json_t *o;

    report_region_nest(&nest, r, NESTS_LONG);
    if (r->nest_differs)
        report_region_differs(&differs, r);
    *st = report_take(&nest, &said);
    if (*st == PRVCUT_OK && r->nest_differs)
        *st = report_take(&differs, &note);
    const struct report_field fields[] = {
        { "region", report_json_integer(region) },
        { "said", report_json_text(said) },
        { "note", report_json_text(note) },
    };

    o = REPORT_JSON_OBJECT(fields);
    free(said);
    free(note);
    return o;
}

static json_t *dat_nests(const struct made_structure *s, enum prvcut_status *st,
                         struct prvcut_error *err)
{
    json_t *list = json_array();
    size_t told = 0;
    int bad = 0;

    for (size_t i = 0; i < s->is.regions && told < NESTS_MOST && *st == PRVCUT_OK; i++) {
        const struct prvcut_region *r = &s->region[i].is;

        if (!r->nest || *r->nest == '\0')
            continue;
        told++;
        bad |= json_array_append_new(list, dat_nest(r, i, st, err));
    }
    return report_json_keep(list, bad);
}

/* How well applications use processors that do not repeat the loop. */
static json_t *dat_others(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = r->efficiency_others; r->efficiency && i < r->efficiency->is.runs; i++)
        bad |= json_array_append_new(
            list, report_efficiency_run_json(&r->efficiency->is, &r->efficiency->run[i].is, false));
    return report_json_keep(list, bad);
}

json_t *page_data(const struct prvcut_page *page, enum prvcut_status *st, struct prvcut_error *err)
{
    const struct made_region *m = page_main(page);
    const double ceiling = m ? page_ceiling(&page->run, m) : INFINITY;
    const struct report_field fields[] = {
        { "trace", report_json_text(page->trace) },
        { "options", report_json_text(page->options ? page->options : "") },
        { "calls_are", report_json_text(page->reduction->is.calls_are) },
        { "viewer", report_json_text(page->reduction->is.viewer) },
        { "numbered", json_boolean(page->reduction->is.numbered) },
        { "own_colours", json_boolean(page->own_colours) },
        { "leader", report_json_text(page->reduction->leader) },
        { "iterations", dat_iterations(page) },
        { "cuts", dat_cuts(page->reduction) },
        { "run", page_curve(&page->run, PAGE_COLUMNS, ceiling) },
        { "searches", dat_searches(page, st, err) },
        { "sizes", dat_sizes(page->reduction) },
        { "timelines", dat_timelines(page) },
        { "picks", dat_picks(page) },
        { "heat", dat_heat(page->reduction) },
        { "lines", page->lines ? dat_lines(page->lines) : json_null() },
        { "calls", page->calls ? dat_lines(page->calls) : json_null() },
        { "nests", dat_nests(&page->reduction->structure, st, err) },
        { "kinds_differ",
          json_boolean(prvcut_kinds_differ(page->reduction->kind, page->reduction->is.kinds)) },
        { "clear_most", json_real(CLEAR_MOST) },
        { "others_efficiency", dat_others(page->reduction) },
        { "comm", page_comm(page->comm, st, err) },
        { "waits", page_waits(page->waits, st, err) },
    };

    return REPORT_JSON_OBJECT(fields);
}
