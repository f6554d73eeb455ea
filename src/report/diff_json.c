#include "report/diff.h"

#include "report/clocks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- A row ------------------------------------------------------------------------------------ */

/* Times are whole ns, in fields that say so. */
static bool djs_time(const struct prvcut_diff_row *r)
{
    return strcmp(report_diff_unit(r->quantity), "ns") == 0;
}

static json_t *djs_number(const struct prvcut_diff_row *r, double x)
{
    if (isnan(x))
        return json_null();
    return djs_time(r) ? json_integer((json_int_t)llround(x)) : report_json_real(x);
}

static struct report_field djs_field(const struct prvcut_diff_row *r, const char *name,
                                     const char *name_ns, double x)
{
    return (struct report_field){ djs_time(r) ? name_ns : name, djs_number(r, x) };
}

static json_t *djs_values(const struct prvcut_diff_row *r, unsigned side)
{
    const struct report_field fields[] = {
        djs_field(r, "median", "median_ns", r->median[side]),
        djs_field(r, "spread", "spread_ns", r->spread[side]),
        djs_field(r, "mean", "mean_ns", r->mean[side]),
        djs_field(r, "total", "total_ns", r->total[side]),
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Fields are made only to go into an object. */
static json_t *djs_thread(const struct prvcut_diff *d, const struct prvcut_diff_row *r)
{
    if (r->thread == UINT32_MAX)
        return json_null();
    const struct report_field fields[] = {
        { "rank", report_json_integer(r->rank) },
        { "thread", report_json_text(prvcut_diff_thread(d, r->thread, NULL)) },
        { "threads", report_json_integer(r->threads) },
        djs_field(r, "a", "a_ns", r->of_thread[0]),
        djs_field(r, "b", "b_ns", r->of_thread[1]),
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *djs_row(const struct prvcut_diff *d, const struct prvcut_diff_row *r)
{
    const bool known = !isnan(r->difference);
    const struct report_field fields[] = {
        { "quantity", report_json_text(prvcut_diff_quantity_text(r->quantity)) },
        { "call", report_json_text(r->call) },
        { "unit", report_json_text(report_diff_unit(r->quantity)) },
        { "changed", known ? report_json_text(prvcut_diff_way_text(r->way)) : json_null() },
        { "turn", known ? report_json_text(prvcut_diff_turn_text(r->turn)) : json_null() },
        { "worse", known ? report_json_real(r->worse) : json_null() },
        { "likely", json_boolean(r->likely) },
        { "a", djs_values(r, 0) },
        { "b", djs_values(r, 1) },
        djs_field(r, "difference", "difference_ns", r->difference),
        { "share", report_json_real(r->share) },
        { "of_length", report_json_real(r->of_length) },
        djs_field(r, "least", "least_ns", r->least),
        { "overall", json_boolean(r->overall) },
        { "most", djs_thread(d, r) },
        { "reason", report_json_text(r->reason) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *djs_rows(const struct prvcut_diff *d, size_t count,
                        const struct prvcut_diff_row *(*row)(const struct prvcut_diff *, size_t))
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad |= json_array_append_new(list, djs_row(d, row(d, i)));
    return report_json_keep(list, bad);
}

/* --- All else --------------------------------------------------------------------------------- */

static json_t *djs_side(const struct prvcut_diff *d, unsigned side)
{
    const bool loop = d->region[side];
    const struct report_field fields[] = {
        { "name", report_json_text(d->name[side]) },
        { "tasks", report_json_integer(d->tasks[side]) },
        { "threads", report_json_integer(d->threads[side]) },
        { "region", report_json_text(d->region[side]) },
        { "loop", loop ? report_json_integer(d->loop[side]) : json_null() },
        { "regions", loop ? report_json_integer(d->regions[side]) : json_null() },
        { "iterations", loop ? report_json_integer(d->iterations[side]) : json_null() },
        { "looked_at", loop && !d->whole ? report_json_integer(d->looked_at[side]) : json_null() },
        { "disturbed", loop && !d->whole ? report_json_integer(d->disturbed[side]) : json_null() },
        { "together", report_json_integer(d->together[side]) },
        { "no_loop", report_json_text(d->no_loop[side]) },
        { "clock",
          report_clocks_json(prvcut_diff_clock(d, side), prvcut_diff_clock(d, side)->checked > 0) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *djs_causes(const struct prvcut_diff *d)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < d->causes; i++) {
        const struct prvcut_slow_cause *c = prvcut_diff_cause(d, i);
        const bool known = c->what != PRVCUT_SLOW_UNKNOWN;
        uint32_t rank;
        const char *thread = known ? prvcut_diff_thread(d, c->thread, &rank) : NULL;
        const struct report_field fields[] = {
            { "what", report_json_text(prvcut_slow_text(c->what)) },
            { "rank", thread ? report_json_integer(rank) : json_null() },
            { "thread", report_json_text(thread) },
            { "threads", thread ? report_json_integer(c->threads) : json_null() },
            { "call", report_json_text(c->call) },
            { "ns", known ? report_json_rounded(c->ns) : json_null() },
            { "share", known ? report_json_real(c->share) : json_null() },
            { "meanwhile", json_boolean(c->meanwhile) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *djs_notes(const struct prvcut_diff *d)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < d->notes; i++) {
        const struct prvcut_diff_note *n = prvcut_diff_note(d, i);
        const struct report_field fields[] = {
            { "what", report_json_text(n->what) },
            { "text", report_json_text(n->text) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_diff_json(const struct prvcut_diff *d, char **text,
                                    struct prvcut_error *err)
{
    char *sentence = NULL;
    enum prvcut_status st = report_diff_sentence(d, &sentence, err);

    if (st < 0)
        return st;
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-diff"),
        { "sentence", report_json_text(sentence) },
        { "compared", d->rows == 0 ? json_null()
                                   : report_json_text(d->unlike  ? "nothing"
                                                      : d->whole ? "runs"
                                                                 : "iterations") },
        { "a", djs_side(d, 0) },
        { "b", djs_side(d, 1) },
        { "by_thread", json_boolean(d->by_thread) },
        { "computing", report_json_text(d->computing) },
        { "fail_above", d->limited ? report_json_real(d->above) : json_null() },
        { "worst", d->rows > 0 ? report_json_real(d->worst) : json_null() },
        { "exceeded", d->limited && !d->unlike ? json_boolean(d->exceeded) : json_null() },
        { "slower", d->causes > 0 ? report_json_text(d->slower ? "b" : "a") : json_null() },
        { "causes", djs_causes(d) },
        { "changes", djs_rows(d, d->changes, prvcut_diff_change) },
        { "rows", djs_rows(d, d->rows, prvcut_diff_row) },
        { "notes", djs_notes(d) },
    };

    free(sentence);
    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void djs_csv_number(struct report_lines *l, double x)
{
    report_put(l, ",");
    if (!isnan(x))
        report_put(l, x == floor(x) ? "%.0f" : "%.9f", x);
}

static void djs_csv_row(struct report_lines *l, const struct prvcut_diff *d,
                        const struct prvcut_diff_row *r)
{
    const bool known = !isnan(r->difference);
    const double number[] = { r->median[0],
                              r->median[1],
                              r->mean[0],
                              r->mean[1],
                              r->total[0],
                              r->total[1],
                              r->spread[0],
                              r->spread[1],
                              r->difference,
                              r->share,
                              r->of_length,
                              r->least,
                              known ? r->worse : (double)NAN };

    report_put(l, "%s,", prvcut_diff_quantity_text(r->quantity));
    report_put_value(l, r->call ? r->call : "");
    report_put(l, ",%s,%s,%s", report_diff_unit(r->quantity),
               known ? prvcut_diff_way_text(r->way) : "",
               known ? prvcut_diff_turn_text(r->turn) : "");
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        djs_csv_number(l, number[i]);
    if (r->thread == UINT32_MAX)
        report_put(l, ",,,,,\n");
    else {
        report_put(l, ",%" PRIu32 ",", r->rank);
        report_put_value(l, prvcut_diff_thread(d, r->thread, NULL));
        report_put(l, ",%" PRIu32, r->threads);
        djs_csv_number(l, r->of_thread[0]);
        djs_csv_number(l, r->of_thread[1]);
        report_put(l, "\n");
    }
}

enum prvcut_status prvcut_diff_csv(const struct prvcut_diff *d, char **text,
                                   struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l,
               "quantity,call,unit,changed,turn,a_median,b_median,a_mean,b_mean,a_total,b_total,"
               "a_spread,b_spread,difference,share,of_length,least,worse,rank,thread,threads,"
               "a_thread,b_thread\n");
    for (size_t i = 0; i < d->rows; i++)
        djs_csv_row(&l, d, prvcut_diff_row(d, i));
    return report_take(&l, text);
}
