#include "report/called.h"
#include "report/chop.h"
#include "report/clear.h"
#include "report/cut.h"
#include "report/efficiency.h"
#include "report/json.h"
#include "report/loop.h"
#include "report/structure.h"

#include <math.h>

static json_t *red_input(const struct made_reduction *r)
{
    const struct report_field fields[] = {
        { "path", report_json_text(r->is.path) },
        { "name", report_json_text(report_called(r)) },
        { "format", report_json_text(r->is.format) },
        { "bytes", report_json_integer(r->is.bytes) },
        { "text_bytes", report_json_integer(r->is.text_bytes) },
        { "records", report_json_integer(r->is.records) },
        { "states", report_json_integer(r->is.states) },
        { "events", report_json_integer(r->is.events) },
        { "messages", report_json_integer(r->is.messages) },
        { "skipped", report_json_integer(r->is.skipped) },
        { "duration_ns", report_json_integer(r->is.end_ns) },
        { "applications", report_json_integer(r->is.applications) },
        { "tasks", report_json_integer(r->is.tasks) },
        { "threads", report_json_integer(r->is.threads) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *red_clocks(const struct prvcut_clock_report *c)
{
    const struct report_field fields[] = {
        { "skewed", json_boolean(c->skewed) },
        { "spread_ns", report_json_integer(c->spread_ns) },
        { "doubt_ns", report_json_integer(c->doubt_ns) },
        { "residual_ns", report_json_integer(c->residual_ns) },
        { "unknown", report_json_integer(c->unknown) },
        { "source", report_json_text(prvcut_clock_source_text(c->source)) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *red_phase(const struct made_region *p)
{
    const bool periodic = p->is.iterations > 0;
    const struct report_field fields[] = {
        { "kind", report_json_text(prvcut_region_kind_text(p->is.kind)) },
        { "start_ns", report_json_integer(p->is.span.start) },
        { "end_ns", report_json_integer(p->is.span.end) },
        { "iterations", periodic ? report_json_real(p->is.iterations) : json_null() },
        { "period_ns", report_json_rounded(p->is.period_ns) },
        { "cause", report_json_text(prvcut_cause_text(p->is.cause)) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Pieces of the run; what is inside an iteration stands in the structure, and what further groups
   of threads do. */
static json_t *red_phases(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->structure.is.regions; i++)
        if (r->structure.region[i].is.level <= 1 && r->structure.region[i].is.group == 0)
            bad |= json_array_append_new(list, red_phase(&r->structure.region[i]));
    return report_json_keep(list, bad);
}

static json_t *red_notes(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (unsigned i = 0; i < r->is.notes; i++)
        bad |= json_array_append_new(list, report_json_text(r->note[i]));
    return report_json_keep(list, bad);
}

/* A number about the period; null where there is no period. */
static json_t *red_found(bool found, double x, json_t *(*value)(double))
{
    return found ? value(x) : json_null();
}

/* Rounded, also if it is 0; null: unknown. */
static json_t *red_whole(double x)
{
    return isnan(x) ? json_null() : report_json_integer((uint64_t)fmin(round(x), 1e18));
}

static json_t *red_kind(const struct prvcut_kind *k)
{
    const struct report_field fields[] = {
        { "iterations", report_json_integer(k->iterations) },
        { "weight", report_json_integer(k->iterations) },
        { "share", report_json_real(k->share) },
        { "shortest_ns", red_whole(k->shortest_ns) },
        { "median_ns", report_json_rounded(k->median_ns) },
        { "longest_ns", red_whole(k->longest_ns) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Of the loop that is cut, as its cuts number them; else of the run's. */
static json_t *red_kinds(const struct made_reduction *r, struct report_loop loop)
{
    json_t *list = json_array();
    int bad = 0;

    if (r->is.kinds == 0)
        report_loop_kinds(&loop, r);
    for (size_t i = 0; i < (r->is.kinds > 0 ? r->is.kinds : loop.kinds); i++)
        bad |= json_array_append_new(list, red_kind(r->is.kinds > 0 ? &r->kind[i] : &loop.kind[i]));
    return report_json_keep(list, bad);
}

static json_t *red_total(const struct prvcut_total *t)
{
    const struct report_field fields[] = {
        { "name", report_json_text(t->name) },
        { "unit", report_json_text(prvcut_total_unit_text(t->unit)) },
        { "estimate", red_whole(t->estimate) },
        { "low", red_whole(t->low) },
        { "high", red_whole(t->high) },
        { "measured", red_whole(t->measured) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *red_totals(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.totals; i++)
        bad |= json_array_append_new(list, red_total(&r->total[i]));
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_reduction_json(const struct prvcut_reduction *view, char **text,
                                         struct prvcut_error *err)
{
    const struct made_reduction *r = made_reduction_of(view);
    const bool is = r->is.periodic, cut = r->is.chops > 0;
    const struct prvcut_cut_summary none = { .files = 0 };
    const struct report_clear clear = report_clear_of(r);
    const struct report_loop loop = report_loop_main(r);
    const struct prvcut_cut_summary *first = cut ? &r->chop[0].cut : &none;
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-reduction"),
        { "input", red_input(r) },
        { "clocks", red_clocks(&r->clocks) },
        { "period_ns", red_found(is, r->is.period_ns, report_json_rounded) },
        { "median_ns", red_found(is, r->is.median_ns, report_json_rounded) },
        { "spread_ns", red_found(is, r->is.spread_ns, report_json_rounded) },
        { "kinds", red_kinds(r, loop) },
        { "totals", red_totals(r) },
        { "kinds_of_clear", json_boolean(r->is.kinds_of_clear) },
        { "iterations_in_phase", red_found(is, r->is.iterations, report_json_real) },
        { "loop_iterations", red_found(is, loop.iterations, report_json_real) },
        { "iterations_clear", red_found(is, clear.iterations, report_json_real) },
        { "period_clear_ns",
          red_found(is && clear.period_ns > 0, clear.period_ns, report_json_rounded) },
        { "calls_per_iteration", red_found(is, r->is.calls_per_iteration, report_json_rounded) },
        { "phase", is ? report_json_span(&r->is.phase) : json_null() },
        { "confidence", red_found(is, r->is.confidence, report_json_real) },
        { "given_ns", r->is.given_ns > 0 ? report_json_integer(r->is.given_ns) : json_null() },
        { "set", report_json_text(r->structure.is.set) },
        { "reason", report_json_text(r->is.reason ? r->is.reason : "") },
        { "metrics", report_json_votes(r->vote, r->is.votes) },
        { "masked", report_json_masks(&r->structure) },
        { "phases", red_phases(r) },
        { "window", cut ? report_json_window(r, &r->chop[0]) : json_null() },
        { "cut", cut ? report_json_cut(first) : json_null() },
        { "output", report_json_output(first) },
        { "structure", report_json_structure(&r->structure) },
        { "chops", report_json_chops(r) },
        { "efficiency",
          r->efficiency && r->efficiency->is.runs > 0
              ? report_efficiency_run_json(&r->efficiency->is, &r->efficiency->run[0].is, false)
              : json_null() },
        { "page", report_json_text(r->is.page) },
        { "archive", report_json_text(r->is.archive) },
        { "dry_run", json_boolean(r->is.dry_run) },
        { "notes", red_notes(r) },
        { "elapsed_s", report_json_real(r->is.elapsed_s) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
