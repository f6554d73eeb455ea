#include "report/efficiency.h"

#include "report/json.h"

#include <string.h>

#define FIELDS_MOST 40

static json_t *ejs_number(uint64_t value)
{
    return value == PRVCUT_EFFICIENCY_UNTOLD ? json_null() : report_json_integer(value);
}

/* Whole where it is: the mean of borders may not be. */
static json_t *ejs_real(double x)
{
    if (x >= 0 && x < 0x1p63 && x == floor(x))
        return report_json_integer((uint64_t)x);
    return report_json_real(x);
}

static json_t *ejs_factors(const struct prvcut_efficiency_run *r)
{
    struct report_field field[PRVCUT_POPS];

    for (unsigned i = 0; i < PRVCUT_POPS; i++) {
        const enum prvcut_pop f = (enum prvcut_pop)i;

        field[i] = (struct report_field){ prvcut_pop_text(f),
                                          report_json_real(prvcut_efficiency_factor(r, f)) };
    }
    return REPORT_JSON_OBJECT(field);
}

static bool ejs_has_reason(const struct prvcut_efficiency_run *r, const char *what)
{
    for (size_t i = 0; i < r->reasons; i++)
        if (strcmp(prvcut_efficiency_reason(r, i)->what, what) == 0)
            return true;
    return false;
}

static json_t *ejs_reason(const char *what, const char *text)
{
    const struct report_field fields[] = {
        { "what", report_json_text(what) },
        { "text", report_json_text(text) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Those of the run itself, then of what it is not, or cannot be, compared in. */
static json_t *ejs_reasons(const struct prvcut_efficiency *e, const struct prvcut_efficiency_run *r)
{
    const char *text = report_efficiency_of_parts(e)       ? "parts of one run are not compared"
                       : made_efficiency_run_of(r)->unlike ? made_efficiency_run_of(r)->unlike
                       : made_efficiency_of(e)->alone
                           ? "the run is compared with no other"
                           : "the run that it is compared with does not tell it";
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->reasons; i++) {
        const struct prvcut_efficiency_reason *a = prvcut_efficiency_reason(r, i);

        bad |= json_array_append_new(list, ejs_reason(a->what, a->text));
    }
    for (unsigned i = 0; i < PRVCUT_POPS; i++) {
        const char *what = prvcut_pop_text((enum prvcut_pop)i);

        if (isnan(prvcut_efficiency_factor(r, (enum prvcut_pop)i)) && !ejs_has_reason(r, what))
            bad |= json_array_append_new(list, ejs_reason(what, text));
    }
    return report_json_keep(list, bad);
}

static json_t *ejs_notes(const struct prvcut_efficiency *e, const struct prvcut_efficiency_run *r)
{
    const size_t run = (size_t)(made_efficiency_run_of(r) - made_efficiency_of(e)->run);
    const char *const of_report[] = { report_efficiency_unlike(e, run),
                                      made_efficiency_run_of(r)->loops,
                                      report_efficiency_above(e, run) };
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < sizeof of_report / sizeof *of_report; i++)
        if (of_report[i])
            bad |= json_array_append_new(list, report_json_text(of_report[i]));

    for (size_t i = 0; i < r->notes; i++)
        bad |= json_array_append_new(list, report_json_text(prvcut_efficiency_note(r, i)));
    return report_json_keep(list, bad);
}

static json_t *ejs_counts(const struct prvcut_efficiency_run *r)
{
    const struct report_field fields[] = {
        { "released", report_json_integer(r->released) },
        { "acausal", report_json_integer(r->acausal) },
        { "callless", report_json_integer(r->callless) },
        { "late", report_json_integer(r->late) },
        { "crossing", report_json_integer(r->crossing) },
        { "alone", report_json_integer(r->alone) },
        { "started", report_json_integer(r->started) },
        { "groupless", report_json_integer(r->groupless) },
        { "unended", report_json_integer(r->unended) },
        { "lost", report_json_integer(r->lost) },
        { "queued", report_json_integer(r->queued) },
        { "skipped", report_json_integer(r->skipped) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *ejs_rank(const struct prvcut_efficiency_rank *k)
{
    const struct report_field fields[] = {
        { "rank", report_json_integer(k->rank) },
        { "thread", report_json_text(k->name) },
        { "recorded_ns", report_json_integer(k->recorded_ns) },
        { "computing_ns", ejs_number(k->computing_ns) },
        { "calls_ns", report_json_integer(k->calls_ns) },
        { "rest_ns", ejs_number(k->rest_ns) },
        { "of_most", report_json_real(k->of_most) },
        { "waits_ns", ejs_real(k->waits_ns) },
        { "ideal_waits_ns", ejs_real(k->ideal_waits_ns) },
        { "instructions", ejs_real(k->instructions) },
        { "cycles", ejs_real(k->cycles) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *ejs_ranks(const struct prvcut_efficiency_run *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->ranks; i++)
        bad |= json_array_append_new(list, ejs_rank(prvcut_efficiency_rank(r, i)));
    return report_json_keep(list, bad);
}

json_t *report_efficiency_run_json(const struct prvcut_efficiency *e,
                                   const struct prvcut_efficiency_run *r, bool ranks)
{
    struct report_field f[FIELDS_MOST];
    size_t n = 0;

    f[n++] = (struct report_field){ "name", report_json_text(r->name) };
    if (report_efficiency_of_parts(e)) {
        f[n++] = (struct report_field){ "region", report_json_text(r->region) };
        f[n++] = (struct report_field){ "disturbed", json_boolean(r->disturbed) };
    }
    if (e->by == PRVCUT_EFFICIENCY_BY_ITERATION)
        f[n++] = (struct report_field){ "iteration", report_json_integer(r->iteration) };
    f[n++] = (struct report_field){ "start_ns", report_json_integer(r->span.start) };
    f[n++] = (struct report_field){ "end_ns", report_json_integer(r->span.end) };
    f[n++] = (struct report_field){ "application", report_json_integer(r->application) };
    f[n++] = (struct report_field){ "applications", report_json_integer(r->applications) };
    f[n++] = (struct report_field){ "tasks", report_json_integer(r->tasks) };
    f[n++] = (struct report_field){ "threads", report_json_integer(r->threads) };
    f[n++] = (struct report_field){ "computing", report_json_text(r->computing) };
    f[n++] = (struct report_field){ "own_starts", json_boolean(r->own_starts) };
    f[n++] = (struct report_field){ "lower_bound",
                                    json_boolean(made_efficiency_run_of(r)->unstated > 0) };
    f[n++] = (struct report_field){ "runtime_ns", ejs_real(r->runtime_ns) };
    f[n++] = (struct report_field){ "ideal_ns", ejs_real(r->ideal_ns) };
    f[n++] = (struct report_field){ "computing_ns", ejs_number(r->computing_ns) };
    f[n++] = (struct report_field){ "most_ns", ejs_number(r->most_ns) };
    f[n++] = (struct report_field){ "outside_most_ns", ejs_number(r->outside_most_ns) };
    f[n++] = (struct report_field){ "instructions", ejs_real(r->instructions) };
    f[n++] = (struct report_field){ "cycles", ejs_real(r->cycles) };
    f[n++] = (struct report_field){ "factors", ejs_factors(r) };
    f[n++] = (struct report_field){ "counts", ejs_counts(r) };
    f[n++] = (struct report_field){ "reasons", ejs_reasons(e, r) };
    f[n++] = (struct report_field){ "notes", ejs_notes(e, r) };
    if (ranks && !report_efficiency_of_parts(e))
        f[n++] = (struct report_field){ "ranks", ejs_ranks(r) };
    return report_json_object(f, n);
}

static json_t *ejs_group(const struct prvcut_efficiency_group *g)
{
    json_t *runs = json_array();
    int bad = 0;

    for (size_t i = g->first; i < g->first + g->runs; i++)
        bad |= json_array_append_new(runs, report_json_integer(i));
    const struct report_field fields[] = {
        { "name", report_json_text(g->name) },
        { "runs", report_json_keep(runs, bad) },
        { "base", g->runs > 0 ? report_json_integer(g->base) : json_null() },
        { "scaling", report_json_text(report_efficiency_scaling(g->scaling)) },
        { "scaling_guessed", json_boolean(g->scaling_guessed) },
        { "speedup", report_json_real(g->speedup) },
        { "best", json_boolean(g->best) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *ejs_groups(const struct prvcut_efficiency *e)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < e->groups; i++)
        bad |= json_array_append_new(list, ejs_group(prvcut_efficiency_group(e, i)));
    return report_json_keep(list, bad);
}

static json_t *ejs_threads(uint32_t threads)
{
    return threads > 0 ? report_json_integer(threads) : json_null();
}

enum prvcut_status prvcut_efficiency_json(const struct prvcut_efficiency *e, bool ranks,
                                          char **text, struct prvcut_error *err)
{
    static const char *const by[] = { "run", "region", "iteration" };
    const bool several = e->by == PRVCUT_EFFICIENCY_BY_RUN && e->groups < 2;
    json_t *runs = json_array();
    int bad = 0;

    for (size_t i = 0; i < e->runs; i++)
        bad |= json_array_append_new(
            runs, report_efficiency_run_json(e, prvcut_efficiency_run(e, i), ranks));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-efficiency"),
        { "by", report_json_text(by[e->by]) },
        { "no_loop", report_json_text(e->no_loop) },
        { "model", report_json_text(report_efficiency_waits(e->waits)) },
        { "eager_bytes", report_json_integer(e->eager) },
        { "ideal_computing",
          report_json_text(e->ideal_computing == PRVCUT_COMPUTING_OUTSIDE ? "outside"
                                                                          : "running") },
        { "form", report_json_text(report_efficiency_form(e->form)) },
        { "scaling",
          several ? report_json_text(report_efficiency_scaling(e->scaling)) : json_null() },
        { "scaling_guessed", json_boolean(several && e->scaling_guessed) },
        { "base", several ? report_json_integer(e->base) : json_null() },
        { "groups", ejs_groups(e) },
        { "from_threads", ejs_threads(e->from_threads) },
        { "to_threads", ejs_threads(e->to_threads) },
        { "not_compared", report_json_text(e->not_compared) },
        { "runs", report_json_keep(runs, bad) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
