#include "report/called.h"
#include "report/chop.h"
#include "report/clear.h"
#include "report/loop.h"
#include "report/structure.h"
#include "report/why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Long lists are cut short for a person; the JSON has all of them. */
#define MASKS_SHOWN   6
#define PHASES_SHOWN  8
#define THREADS_SHOWN 4

/* A count and its noun. */
static void txt_put_number(struct report_lines *l, uint64_t n, const char *noun)
{
    char text[32];

    report_put(l, ", %s %s%s", report_count(text, n), noun, n == 1 ? "" : "s");
}

static void txt_put_input(struct report_lines *l, const struct made_reduction *r)
{
    char text[32];

    report_head(l, "Trace");
    report_put_foreign(l, report_called(r));
    report_put(l, ", %s", prvcut_size_text(text, (double)r->is.bytes));
    if (r->is.text_bytes > r->is.bytes)
        report_put(l, " (%s uncompressed)", prvcut_size_text(text, (double)r->is.text_bytes));
    txt_put_number(l, r->is.records, "record");
    txt_put_number(l, r->is.threads, "thread");
    report_put(l, ", %s\n", prvcut_time_text(text, (double)r->is.end_ns));
    if (r->is.skipped > 0)
        report_put(l, "%-12s%s damaged and skipped\n", "", report_count(text, r->is.skipped));
}

static void txt_put_clocks(struct report_lines *l, const struct prvcut_clock_report *c)
{
    char text[32];

    if (!c->skewed)
        return;
    report_head(l, "Clocks");
    report_put(l, "of the ranks were up to %s apart", prvcut_time_text(text, (double)c->spread_ns));
    report_put(l, "; brought together by their %s, to", prvcut_clock_source_text(c->source));
    report_put(l, " within %s\n", prvcut_time_text(text, (double)c->doubt_ns));
    if (c->residual_ns > 0)
        report_put(l, "%-12srecords that still contradict each other: by up to %s\n", "",
                   prvcut_time_text(text, (double)c->residual_ns));
    if (c->unknown > 0)
        report_put(l, "%-12sclocks tied to no other: %s\n", "", report_count(text, c->unknown));
}

static void txt_put_trust(struct report_lines *l, double confidence)
{
    if (isnan(confidence))
        report_put(l, "given by --period\n");
    else
        report_put(l, "%s (%.2f)%s\n", report_sure_word(confidence), confidence,
                   confidence < 0.5 ? ": look at the trace before you rely on it" : "");
}

/* How the iterations add up, where masks touch some. */
static void txt_put_masked(struct report_lines *l, const struct report_loop *loop,
                           const struct report_clear *c)
{
    char count[32], text[32];

    if (loop->disturbed == 0)
        return;
    report_head(l, "");
    if (c->all) {
        report_put(l, "%s undisturbed in %zu region%s", report_tenths(count, c->iterations),
                   c->regions, c->regions == 1 ? "" : "s");
        if (c->differs)
            report_put(l, ", mean %s", prvcut_time_text(text, c->period_ns));
        report_put(l, "%s ", c->differs ? ";" : ",");
    }
    report_put(l, "%s%s disturbed", report_tenths(count, (double)loop->disturbed),
               c->all ? "" : " of them");
    if (c->differs && !c->all)
        report_put(l, "; %s in the undisturbed ones", prvcut_time_text(text, c->period_ns));
    report_put(l, "\n");
}

static void txt_put_period(struct report_lines *l, const struct made_reduction *r,
                           const struct report_clock *c)
{
    const struct report_clear clear = report_clear_of(r);
    const struct report_loop loop = report_loop_main(r);
    char length[64], count[32], from[40], to[40];

    report_head(l, "Loop");
    if (!r->is.periodic) {
        report_put(l, "none found: %s\n", r->is.reason ? r->is.reason : "");
        return;
    }
    report_put(l, "%s iteration%s of %s", report_tenths(count, loop.iterations),
               loop.iterations == 1 ? "" : "s",
               report_length(length, loop.median_ns, loop.spread_ns, loop.period_ns));
    if (loop.stretches > 1)
        report_put(l, ", in %u stretches", loop.stretches);
    report_put(l, ", from %s to %s%s\n", report_clock_time(from, c, loop.span.start, c->places),
               report_clock_time(to, c, loop.span.end, c->places),
               clear.all && loop.disturbed > 0 ? ":" : "");
    txt_put_masked(l, &loop, &clear);
    report_head(l, "Sure");
    txt_put_trust(l, r->is.confidence);
}

static void txt_set_span(char (*cell)[REPORT_CELL], const struct report_clock *c,
                         const struct prvcut_span *span)
{
    char text[32];

    report_set(cell[0], report_clock_text(text, c, span->start, c->places));
    report_set(cell[1], report_clock_text(text, c, span->end, c->places));
}

/* Heads of a table of spans: the unit stands there once. */
static void txt_set_span_heads(struct report_table *t, const char *first,
                               const struct report_clock *c)
{
    char(*cell)[REPORT_CELL] = report_row(t);

    report_set(cell[0], first);
    snprintf(cell[1], REPORT_CELL, "Start (%s)", c->unit);
    snprintf(cell[2], REPORT_CELL, "End (%s)", c->unit);
}

static void txt_set_phase(struct report_table *t, const struct report_clock *c,
                          const struct made_structure *s, const struct report_fold *f)
{
    const double length = (double)(f->span.end - f->span.start);
    char(*cell)[REPORT_CELL] = report_row(t), text[32];

    report_set(cell[0], s->region[f->first].is.group > 0 ? "other loop"
                        : f->period_ns > 0               ? "loop"
                                           : report_region_kind(&s->region[f->first]));
    txt_set_span(cell + 1, c, &f->span);
    if (f->period_ns > 0) {
        report_set(cell[3], prvcut_time_text(text, f->period_ns));
        report_set(cell[4], report_tenths(text, f->all));
    }
    if (f->masked > 0)
        snprintf(cell[5], REPORT_CELL, "%s (%.0f %%)", report_tenths(text, f->all - f->iterations),
                 100 * (double)f->masked / length);
}

/* Pieces of the same kind that only masked regions part are one; those are told apart. */
static void txt_put_phases(struct report_lines *l, const struct made_reduction *r,
                           const struct report_clock *c)
{
    struct report_table t = { .align = "lrrrrr" };
    struct report_fold phase;
    size_t at = 0, more = 0;

    txt_set_span_heads(&t, "Part", c);
    report_set(t.cell[0][3], "Mean");
    report_set(t.cell[0][4], "Iterations");
    while (report_fold_next(&r->structure, SIZE_MAX, false, &at, &phase)) {
        if (r->structure.region[phase.first].is.kind == PRVCUT_REGION_MASKED)
            continue;
        if (t.rows > PHASES_SHOWN)
            more++;
        else
            txt_set_phase(&t, c, &r->structure, &phase);
    }
    for (unsigned i = 1; i < t.rows; i++)
        if (t.cell[i][5][0])
            report_set(t.cell[0][5], "Disturbed");
    if (t.rows < 2)
        return;
    report_put(l, "\n");
    report_put_table(l, &t);
    if (more > 0)
        report_put(l, "and %zu more parts; --json has them all\n", more);
}

/* "3 of 8: 1 4 6": ranks from 0, or threads from 1 as the trace lists them. */
static void txt_set_threads(char cell[REPORT_CELL], const struct prvcut_mask *m,
                            const struct made_reduction *r)
{
    const uint32_t first = report_by_rank(r) ? 0 : 1;
    int n;

    if (m->affected == 0) {
        report_set(cell, "-");
        return;
    }
    n = snprintf(cell, REPORT_CELL, "%u of %u", m->affected, r->is.threads);
    if (m->affected != m->threads || m->threads > THREADS_SHOWN)
        return;
    for (uint32_t i = 0; i < m->threads && n > 0 && n < REPORT_CELL; i++)
        n += snprintf(cell + n, (size_t)(REPORT_CELL - n), "%s%u", i == 0 ? ": " : " ",
                      m->thread[i] + first);
}

static void txt_put_masks(struct report_lines *l, const struct made_reduction *r,
                          const struct report_clock *c)
{
    struct report_table t = { .align = "lrrrl" };
    char text[32];

    if (r->structure.is.masks == 0)
        return;
    txt_set_span_heads(&t, "Disturbed", c);
    report_set(t.cell[0][3], "Length");
    report_set(t.cell[0][4], report_by_rank(r) ? "Ranks" : "Threads");
    for (size_t i = 0; i < r->structure.is.masks && i < MASKS_SHOWN; i++) {
        const struct prvcut_mask *m = &r->structure.mask[i];
        char(*cell)[REPORT_CELL] = report_row(&t);

        report_set(cell[0], report_cause(m->cause));
        txt_set_span(cell + 1, c, &m->span);
        report_set(cell[3], prvcut_time_text(text, (double)(m->span.end - m->span.start)));
        txt_set_threads(cell[4], m, r);
    }
    report_put(l, "\n");
    report_put_table(l, &t);
    if (report_by_rank(r) && r->is.numbered)
        report_put(l, "ranks from 0: rank 0 is thread 1.1.1, rank %u thread 1.%u.1\n",
                   r->is.threads - 1, r->is.threads);
    if (r->structure.is.masks <= MASKS_SHOWN)
        return;
    report_put_mask_sums(l, &r->structure);
    report_put(l, "; --json lists them\n");
}

enum prvcut_status prvcut_reduction_text(const struct prvcut_reduction *view, char **text,
                                         struct prvcut_error *err)
{
    const struct made_reduction *r = made_reduction_of(view);
    struct report_lines l = { .err = err };
    const struct report_clock c =
        report_clock_for(r->is.end_ns, r->is.periodic ? r->is.period_ns : 0);
    char time[32];

    txt_put_input(&l, r);
    txt_put_clocks(&l, &r->clocks);
    txt_put_period(&l, r, &c);
    report_put_votes(&l, "Signal", r->vote, r->is.votes);
    txt_put_phases(&l, r, &c);
    txt_put_masks(&l, r, &c);
    report_put_levels(&l, &r->structure, 2);
    report_put_chops(&l, r);
    report_put_totals(&l, r);
    report_put(&l, "\n");
    if (r->is.archive) {
        report_head(&l, "Archive");
        report_put_foreign(&l, r->is.archive);
        report_put(&l, ", %s\n", prvcut_size_text(time, (double)r->is.archive_bytes));
    }
    if (r->is.page) {
        report_head(&l, "Page");
        report_put_foreign(&l, r->is.page);
        report_put(&l, "\n");
    }
    for (unsigned i = 0; i < r->is.notes; i++) {
        report_head(&l, i == 0 ? "Notes" : "");
        report_put(&l, "%s\n", r->note[i] ? r->note[i] : "");
    }
    report_head(&l, "Took");
    report_put(&l, "%s\n", prvcut_time_text(time, r->is.elapsed_s * 1e9));
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
