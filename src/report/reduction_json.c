#include "report/called.h"
#include "report/chop.h"
#include "report/clear.h"
#include "report/cut.h"
#include "report/json.h"
#include "report/loop.h"
#include "report/structure.h"

static json_t *red_input(const struct prvcut_reduction *r)
{
    const struct report_field fields[] = {
        { "path", report_json_text(r->path) },
        { "name", report_json_text(report_called(r)) },
        { "format", report_json_text(r->format) },
        { "bytes", report_json_integer(r->bytes) },
        { "text_bytes", report_json_integer(r->text_bytes) },
        { "records", report_json_integer(r->records) },
        { "states", report_json_integer(r->states) },
        { "events", report_json_integer(r->events) },
        { "messages", report_json_integer(r->messages) },
        { "skipped", report_json_integer(r->skipped) },
        { "duration_ns", report_json_integer(r->end_ns) },
        { "applications", report_json_integer(r->applications) },
        { "tasks", report_json_integer(r->tasks) },
        { "threads", report_json_integer(r->threads) },
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
        { "source", report_json_text(c->source ? c->source : "") },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *red_phase(const struct prvcut_region *p)
{
    const bool periodic = p->iterations > 0;
    const struct report_field fields[] = {
        { "kind", report_json_text(p->kind) },
        { "start_ns", report_json_integer(p->span.start) },
        { "end_ns", report_json_integer(p->span.end) },
        { "iterations", periodic ? report_json_real(p->iterations) : json_null() },
        { "period_ns", report_json_rounded(p->period_ns) },
        { "cause", report_json_text(p->cause ? p->cause : "") },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Pieces of the run; what is inside an iteration stands in the structure. */
static json_t *red_phases(const struct prvcut_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->structure.regions; i++)
        if (r->structure.region[i].level <= 1)
            bad |= json_array_append_new(list, red_phase(&r->structure.region[i]));
    return report_json_keep(list, bad);
}

static json_t *red_notes(const struct prvcut_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (unsigned i = 0; i < r->notes; i++)
        bad |= json_array_append_new(list, report_json_text(r->note[i]));
    return report_json_keep(list, bad);
}

/* A number about the period; null where there is no period. */
static json_t *red_found(bool found, double x, json_t *(*value)(double))
{
    return found ? value(x) : json_null();
}

enum prvcut_status prvcut_reduction_json(const struct prvcut_reduction *r, char **text,
                                         struct prvcut_error *err)
{
    const bool is = r->periodic, cut = r->chops > 0;
    const struct prvcut_cut_summary none = { .files = 0 };
    const struct report_clear clear = report_clear_of(r);
    const struct report_loop loop = report_loop_main(r);
    const struct prvcut_cut_summary *first = cut ? &r->chop[0].cut : &none;
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-reduction"),
        { "input", red_input(r) },
        { "clocks", red_clocks(&r->clocks) },
        { "period_ns", red_found(is, r->period_ns, report_json_rounded) },
        { "median_ns", red_found(is, r->median_ns, report_json_rounded) },
        { "spread_ns", red_found(is, r->spread_ns, report_json_rounded) },
        { "iterations_in_phase", red_found(is, r->iterations, report_json_real) },
        { "loop_iterations", red_found(is, loop.iterations, report_json_real) },
        { "iterations_clear", red_found(is, clear.iterations, report_json_real) },
        { "period_clear_ns",
          red_found(is && clear.period_ns > 0, clear.period_ns, report_json_rounded) },
        { "calls_per_iteration", red_found(is, r->calls_per_iteration, report_json_rounded) },
        { "phase", is ? report_json_span(&r->phase) : json_null() },
        { "confidence", report_json_real(r->confidence) },
        { "given_ns", r->given_ns > 0 ? report_json_integer(r->given_ns) : json_null() },
        { "reason", report_json_text(r->reason ? r->reason : "") },
        { "metrics", report_json_votes(r->vote, r->votes) },
        { "masked", report_json_masks(&r->structure) },
        { "phases", red_phases(r) },
        { "window", cut ? report_json_window(r, &r->chop[0]) : json_null() },
        { "cut", cut ? report_json_cut(first) : json_null() },
        { "output", report_json_output(first) },
        { "structure", report_json_structure(&r->structure) },
        { "chops", report_json_chops(r) },
        { "page", report_json_text(r->page) },
        { "archive", report_json_text(r->archive) },
        { "dry_run", json_boolean(r->dry_run) },
        { "notes", red_notes(r) },
        { "elapsed_s", report_json_real(r->elapsed_s) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
