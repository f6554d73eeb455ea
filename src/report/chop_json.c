#include "report/chop.h"
#include "report/cut.h"
#include "report/efficiency.h"
#include "report/json.h"
#include "report/proof.h"
#include "report/quantity.h"
#include "report/regions.h"
#include "report/stands.h"
#include "report/why.h"
#include "report/why_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool cjs_typical(const struct made_chop *c)
{
    return c->is.kind != PRVCUT_CHOP_OUTLIER;
}

json_t *report_json_window(const struct made_reduction *r, const struct made_chop *c)
{
    char why[160];
    const struct prvcut_span *w = &c->cut.window;
    const struct report_field fields[] = {
        { "start_ns", report_json_integer(w->start) },
        { "end_ns", report_json_integer(w->end) },
        { "iterations", report_json_integer(c->is.iterations) },
        { "why", report_json_text(report_chop_why(why, r, c)) },
        { "similarity", cjs_typical(c) ? report_json_real(c->is.similarity) : json_null() },
        { "align", report_json_text(
                       c->is.align == PRVCUT_ALIGN_AUTO ? "" : prvcut_align_text(c->is.align)) },
        { "align_why", report_json_text(prvcut_align_why_text(c->is.align_why)) },
        { "crossing_messages", report_json_integer(c->is.crossing) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Each thread's window, in the order in which the trace lists them; null: the chop's own for all.
 */
static json_t *cjs_threads(const struct made_chop *c)
{
    json_t *list;
    int bad = 0;

    if (!c->is.thread)
        return json_null();
    list = json_array();
    for (uint32_t i = 0; i < c->is.threads; i++)
        bad |= json_array_append_new(list, report_json_span(&c->is.thread[i]));
    return report_json_keep(list, bad);
}

/* Number of an iteration of the cut, from 1 through the whole loop. */
static json_t *cjs_iteration(const struct made_chop *c, unsigned further)
{
    return c->is.iteration > 0 ? report_json_integer(c->is.iteration + further) : json_null();
}

static json_t *cjs_better(const struct made_chop *c)
{
    const struct report_field fields[] = {
        { "iterations", report_json_integer(c->is.better) },
        { "verdict", report_json_text(prvcut_chop_verdict_text(c->is.better_verdict)) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* What differs most from the usual among all windows. */
static json_t *cjs_worst(const struct made_chop *c)
{
    const struct report_field fields[] = {
        { "quantity", report_json_text(prvcut_quantity_text(c->is.worst)) },
        { "call", report_json_text(c->is.worst_call) },
        { "value", report_json_real(c->is.value) },
        { "usual", report_json_real(c->is.usual) },
        { "percentile", report_json_real(c->is.percentile) },
        { "callers", report_worst_callers(c) > 0 ? report_json_integer(report_worst_callers(c))
                                                 : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Why its iteration is slow; null where nobody asked. */
static json_t *cjs_why(const struct made_reduction *r, const struct made_chop *c)
{
    char text[REPORT_WHY];

    if (c->is.causes == 0)
        return json_null();
    const struct report_field fields[] = {
        { "excess_ns", report_json_rounded(c->is.excess_ns) },
        { "beside_kind",
          c->is.excess_kind > 0 ? report_json_integer(c->is.excess_kind) : json_null() },
        { "text", report_json_text(report_why_text(text, r, c)) },
        { "causes", report_causes_json(r, c->cause, c->is.causes) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* The kinds that its iterations are of. */
static json_t *cjs_held(const struct made_chop *c)
{
    json_t *list = json_array();
    int bad = 0;

    for (unsigned i = 0; i < MADE_KINDS; i++)
        if (c->kinds_held >> i & 1)
            bad |= json_array_append_new(list, report_json_integer(i + 1));
    return report_json_keep(list, bad);
}

static json_t *cjs_chop(const struct made_reduction *r, size_t i)
{
    const struct made_chop *c = &r->chop[i];
    const enum prvcut_chop_verdict stands = report_stands(r, c);
    char name[64], region[32];

    snprintf(region, sizeof region, "%u.%u", c->is.level, c->is.number);
    const struct report_field fields[] = {
        { "name", report_json_text(report_chop_name(name, r, i)) },
        { "kind", report_json_text(prvcut_chop_kind_text(c->is.kind)) },
        { "level", report_json_integer(c->is.level) },
        { "number", report_json_integer(c->is.number) },
        { "region", report_json_text(region) },
        { "stands_for", report_json_text(c->is.of_kind > 0 || report_chop_of_loop(r, c)
                                             ? report_chop_stands_for(r, c)
                                             : region) },
        { "of_kind", c->is.of_kind > 0 ? report_json_integer(c->is.of_kind) : json_null() },
        { "holds_kinds", cjs_held(c) },
        { "beside_kind", c->beside_kind > 0 ? report_json_integer(c->beside_kind) : json_null() },
        { "weight", c->is.weight > 0 ? report_json_integer(c->is.weight) : json_null() },
        { "share", report_json_real(c->is.weight > 0 ? c->is.share : NAN) },
        { "verdict", report_json_text(
                         stands == PRVCUT_CHOP_UNASKED ? NULL : prvcut_chop_verdict_text(stands)) },
        { "windows", report_json_integer(c->is.windows) },
        { "worst", c->is.windows > 0 && c->is.verdict != PRVCUT_CHOP_IS_UNKNOWN ? cjs_worst(c)
                                                                                : json_null() },
        { "why", cjs_why(r, c) },
        { "efficiency", c->efficiency > 0
                            ? report_efficiency_run_json(
                                  &r->efficiency->is, &r->efficiency->run[c->efficiency].is, false)
                            : json_null() },
        { "longer", report_json_real(report_longer_there(r, c)) },
        { "mpi_share", report_json_real(report_mpi_share(c)) },
        { "times_smaller", report_json_real(report_times_smaller(r, c)) },
        { "better", c->is.better > 0 ? cjs_better(c) : json_null() },
        { "first_iteration", cjs_iteration(c, 0) },
        { "last_iteration", cjs_iteration(c, c->is.iterations - 1) },
        { "inside", json_boolean(c->is.inside) },
        { "window", report_json_window(r, c) },
        { "followers", report_json_integer(c->is.follow) },
        { "sound", json_boolean(!r->structure.is.apart) },
        { "threads", cjs_threads(c) },
        { "cut", report_json_cut(&c->cut) },
        { "output", report_json_output(&c->cut) },
        { "proof", report_json_proof(&c->proof) },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_json_chops(const struct made_reduction *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.chops; i++)
        bad |= json_array_append_new(list, cjs_chop(r, i));
    return report_json_keep(list, bad);
}
