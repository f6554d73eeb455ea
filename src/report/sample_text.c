#include "model/made.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Intervals that a line names. */
#define NAMED_MOST 8

static const struct prvcut_sample_choice *stx_choice(const struct prvcut_sample *s, size_t i, int t)
{
    return prvcut_sample_choice(s, i, (enum prvcut_technique)t);
}

static void stx_error(char cell[REPORT_CELL], const struct prvcut_sample_choice *c)
{
    char text[32];

    if (c)
        snprintf(cell, REPORT_CELL, "%s %%", report_number(text, c->error_percent));
    else
        report_set(cell, "-");
}

/* "n.prv: 180 bins of 87.4ms, 9 iterations; ..." */
static void stx_title(struct report_lines *l, const struct prvcut_sample *s)
{
    char text[32], bins[32];

    report_put_foreign(l, s->name);
    if (s->reason) {
        report_put(l, ": nothing to choose by: %s; 'prvcut --kinds' chooses by length\n",
                   s->reason);
        return;
    }
    report_put(l, ": %s %s", report_count(bins, s->bins), s->bin_ns > 0 ? "bins" : "intervals");
    if (s->bin_ns > 0)
        report_put(l, " of %s", prvcut_time_text(text, s->bin_ns));
    if (s->no_loop) {
        report_put(l, "; no loop was found: %s\n", s->no_loop);
        return;
    }
    report_put(l, ", %s an iteration%s; ", report_number(text, s->period),
               s->period_given ? ", as given" : "");
    report_put_foreign(l, s->predict);
    report_put(l, " an instruction: %s\n", report_number(text, s->whole));
}

static void stx_table(struct report_lines *l, const struct prvcut_sample *s)
{
    struct report_table t = { .align = "rrrrr" };
    char(*row)[REPORT_CELL] = report_row(&t), text[32];

    report_put(l, "How far one choice of intervals is off, by their length; chosen by ");
    report_put_foreign(l, s->choose_by);
    report_put(l, ":\n");
    report_set(row[0], "Length");
    report_set(row[1], "Intervals");
    for (int k = 0; k < MADE_TECHNIQUES; k++)
        report_set(row[2 + k], prvcut_technique_text((enum prvcut_technique)k));
    for (size_t i = 0; i < s->lengths; i++) {
        const struct prvcut_sample_length *at = prvcut_sample_length(s, i);

        row = report_row(&t);
        if (!row) {
            report_put_table(l, &t);
            t = (struct report_table){ .align = t.align };
            row = report_row(&t);
        }
        snprintf(row[0], REPORT_CELL, "%s %%", report_number(text, 100 * at->periods));
        report_set(row[1], report_count(text, at->intervals));
        for (int k = 0; k < MADE_TECHNIQUES; k++)
            stx_error(row[2 + k], stx_choice(s, i, k));
    }
    report_put_table(l, &t);
}

/* "intervals 4 (weight 0.4), 3 (0.2)"; of a trace "5.582s to 7.33s (weight 0.4)" */
static void stx_picks(struct report_lines *l, const struct prvcut_sample *s, size_t i, int t)
{
    const struct prvcut_sample_pick *pick = prvcut_sample_picks(s, i, (enum prvcut_technique)t);
    const size_t picks = stx_choice(s, i, t)->picks;
    const struct report_clock clock = report_clock_for(s->span.end, s->bin_ns > 0 ? s->bin_ns : 1);
    char weight[32], from[40], to[40];

    report_put(l, prvcut_sample_window(s, i, 0).end > 0 ? ""
                  : picks == 1                          ? " interval"
                                                        : " intervals");
    for (size_t k = 0; k < picks && k < NAMED_MOST; k++) {
        const struct prvcut_span w = prvcut_sample_window(s, i, pick[k].interval);

        report_put(l, k > 0 ? ", " : " ");
        if (w.end > 0)
            report_put(l, "%s to %s", report_clock_time(from, &clock, w.start, clock.exact),
                       report_clock_time(to, &clock, w.end, clock.exact));
        else
            report_put(l, "%" PRIu64, pick[k].interval);
        report_put(l, " (%s%s)", k == 0 ? "weight " : "", report_number(weight, pick[k].weight));
    }
    if (picks > NAMED_MOST)
        report_put(l, " and %zu more: --json lists them", picks - NAMED_MOST);
    report_put(l, "\n");
}

static void stx_best(struct report_lines *l, const struct prvcut_sample *s)
{
    char text[32], off[32];

    for (int t = 0; t < MADE_TECHNIQUES; t++) {
        const size_t i = prvcut_sample_best(s, (enum prvcut_technique)t);

        if (i == SIZE_MAX)
            continue;
        report_put(l,
                   "%s: best at %s %%, %s %% off:", prvcut_technique_text((enum prvcut_technique)t),
                   report_number(text, 100 * prvcut_sample_length(s, i)->periods),
                   report_number(off, stx_choice(s, i, t)->error_percent));
        stx_picks(l, s, i, t);
    }
}

static void stx_number(char cell[REPORT_CELL], double x)
{
    char text[32];

    report_set(cell, isnan(x) ? "-" : report_number(text, x));
}

static void stx_plan(struct report_lines *l, const struct prvcut_sample *s)
{
    const struct prvcut_sample_plan *first = prvcut_sample_plan(s, 0);
    const struct prvcut_sample_plan *last = prvcut_sample_plan(s, s->planned - 1);
    struct report_table t = { .align = "lrrrrr" };
    char(*row)[REPORT_CELL] = report_row(&t), text[32], runs[32];
    const char *uncounted = NULL;

    if (!first)
        return;
    report_put(l, "Plan: %zu group%s of counters, an iteration each: %s in place of %s\n",
               s->groups, s->groups == 1 ? "" : "s",
               prvcut_time_text(text, (double)last->window.end),
               prvcut_time_text(runs, (double)s->groups * (double)s->end_ns));
    report_set(row[0], "Counter");
    report_set(row[1], "Group");
    report_set(row[2], "Counted");
    report_set(row[3], "Run");
    report_set(row[4], "Measured");
    report_set(row[5], "Off");
    for (size_t i = 0; i < s->planned; i++) {
        const struct prvcut_sample_plan *p = prvcut_sample_plan(s, i);

        row = report_row(&t);
        if (!row) {
            report_put_table(l, &t);
            t = (struct report_table){ .align = t.align };
            row = report_row(&t);
        }
        report_set(row[0], p->counter);
        snprintf(row[1], REPORT_CELL, "%zu", p->group + 1);
        stx_number(row[2], p->counted);
        stx_number(row[3], p->run);
        stx_number(row[4], p->real);
        uncounted = uncounted ? uncounted : isnan(p->counted) ? p->counter : NULL;
        if (isnan(p->error_percent))
            report_set(row[5], "-");
        else
            snprintf(row[5], REPORT_CELL, "%s %%", report_number(text, p->error_percent));
    }
    report_put_table(l, &t);
    if (uncounted) {
        report_put(l, "note: -: the trace has no counter ");
        report_put_foreign(l, uncounted);
        report_put(l, "\n");
    }
}

enum prvcut_status prvcut_sample_text(const struct prvcut_sample *s, char **text,
                                      struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    stx_title(&l, s);
    if (!s->no_loop && !s->reason) {
        stx_table(&l, s);
        stx_best(&l, s);
        stx_plan(&l, s);
    }
    for (size_t i = 0; i < s->lengths; i++)
        if (prvcut_sample_length(s, i)->reason) {
            report_put(&l, "note: -: %s\n", prvcut_sample_length(s, i)->reason);
            break;
        }
    for (size_t i = 0; i < s->warnings; i++)
        report_put(&l, "warning: %s\n", prvcut_sample_warning(s, i));
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
