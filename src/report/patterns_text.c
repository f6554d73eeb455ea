#include "report/patterns.h"

#include "analysis/patterns/points.h"
#include "report/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Patterns and classes that a person looks at, and characters of a nest. */
#define PATTERNS_SHOWN  10
#define CLASSES_SHOWN   8
#define NEST_SHOWN      400u
#define BODY_SHOWN      160u
#define FUNCTIONS_SHOWN 3
#define RANGES_SHOWN    8 /* of threads, a line */

/* --- Parts ------------------------------------------------------------------------------------ */

/* A text from the trace, cut after whole words. */
static void ptt_short(struct report_lines *l, const char *text, size_t most)
{
    char part[NEST_SHOWN + 1];
    size_t length = strlen(text);

    if (most == 0 || length <= most) {
        report_put_foreign(l, text);
        return;
    }
    for (length = most; length > 0 && text[length] != ' '; length--)
        ;
    memcpy(part, text, length);
    part[length] = '\0';
    report_put_foreign(l, part);
    report_put(l, " ...");
}

/* "1-4,7": threads from 1. */
static void ptt_threads(struct report_lines *l, const struct prvcut_patterns *p, size_t class,
                        bool full)
{
    const size_t threads = prvcut_patterns_class(p, class)->threads;
    char text[32];

    for (size_t i = 0, ranges = 0; i < threads; ranges++) {
        const uint32_t first = prvcut_patterns_class_thread(p, class, i);
        uint32_t last = first;

        if (ranges == RANGES_SHOWN && !full) {
            report_put(l, " and %s more", report_count(text, threads - i));
            return;
        }
        for (i++; i < threads && prvcut_patterns_class_thread(p, class, i) == last + 1; i++)
            last++;
        report_put(l, "%" PRIu32, first + 1);
        if (last > first)
            report_put(l, "-%" PRIu32, last + 1);
        if (i < threads && (full || ranges + 1 < RANGES_SHOWN))
            report_put(l, ",");
    }
}

void report_pattern_thread(struct report_lines *l, const struct prvcut_patterns *p, uint32_t thread)
{
    const struct made_patterns *m = made_patterns_of(p);

    if (m->by_number)
        report_put(l, "rank %" PRIu32 " (thread ", m->rank[thread]);
    report_put_foreign(l, prvcut_patterns_thread_name(p, thread));
    if (m->by_number)
        report_put(l, ")");
}

void report_point_why(struct report_lines *l, const struct prvcut_patterns *p,
                      const struct prvcut_point *point)
{
    const bool other = point->calls != point->median_calls;
    char text[32], usual[32];

    if (point->cause == PRVCUT_POINT_UNTOLD) {
        report_put(l, "not longer than usual");
        return;
    }
    if (other)
        report_put(l, "%s calls, usually %s; ", report_count(text, point->calls),
                   report_count(usual, point->median_calls));
    if (point->cause != PRVCUT_POINT_CALL)
        report_put(l, "%s%s",
                   point->cause == PRVCUT_POINT_COMPUTATION ? "computation"
                                                            : "it is not known what",
                   point->call ? " after " : "");
    if (point->call)
        report_put_foreign(l, point->call);
    report_put(l, " on ");
    report_pattern_thread(l, p, point->cause_thread);
    report_put(l, ", +%s", prvcut_time_text(text, (double)point->excess_ns));
    if (point->mask != PRVCUT_CAUSE_NONE)
        report_put(l, ", %s", prvcut_cause_text(point->mask));
    if (point->peer != UINT32_MAX) {
        report_put(l, ", with ");
        report_pattern_thread(l, p, point->peer);
    }
}

/* "app.prv: 9 threads, 110,637 calls; symbols: call" */
static void ptt_title(struct report_lines *l, const struct prvcut_patterns *p)
{
    char text[32];

    report_put_foreign(l, p->name);
    report_put(l, ": %" PRIu32 " thread%s, %s call%s", p->threads, p->threads == 1 ? "" : "s",
               report_count(text, p->calls), p->calls == 1 ? "" : "s");
    if (p->calls > 0)
        report_put(l, "; symbols: %s", prvcut_symbols_text(p->symbols));
    if (p->source == PRVCUT_NEST_TOLERANT)
        report_put(l, ", tolerant");
    if (p->source == PRVCUT_NEST_STRUCTURE)
        report_put(l, "; iterations as in 'structure'");
    report_put(l, "\n");
}

/* --- Classes ---------------------------------------------------------------------------------- */

static void ptt_loop(struct report_lines *l, const struct prvcut_pattern_class *c)
{
    char text[32], length[32];

    if (c->count == 0) {
        report_put(l, "no outermost loop%s%s\n", c->no_loop ? ": " : "",
                   c->no_loop ? c->no_loop : "");
        return;
    }
    report_put(l, "outermost %s × %s call%s", report_count(text, c->count),
               report_count(length, c->iteration_calls), c->iteration_calls == 1 ? "" : "s");
    report_put(l, ", %.0f %% of the calls, %.0f %% of the time, ", 100 * c->cover,
               100 * c->time_share);
    report_put(l, "%s an iteration", prvcut_time_text(length, (double)c->median_ns));
    if (c->source == PRVCUT_NEST_STRUCTURE)
        report_put(l, " (as in 'structure')");
    else if (c->source == PRVCUT_NEST_TOLERANT && c->usual_count < c->count)
        report_put(l, " (tolerant; %s of them in the nest, the others as in 'structure')",
                   report_count(text, c->usual_count));
    else if (c->source == PRVCUT_NEST_TOLERANT)
        report_put(l, " (tolerant)");
    report_put(l, "\n");
}

static void ptt_class(struct report_lines *l, const struct prvcut_patterns *p, size_t i, bool full)
{
    const struct prvcut_pattern_class *c = prvcut_patterns_class(p, i);
    char head[32], text[32];

    snprintf(head, sizeof head, "Class %zu", i + 1);
    report_head(l, head);
    report_put(l, "%s thread%s: ", report_count(text, c->threads), c->threads == 1 ? "" : "s");
    ptt_threads(l, p, i, full);
    report_put(l, ", %s %s%s%s\n", c->calls > 0 ? report_count(text, c->calls) : "no",
               c->regions ? "region" : "call", c->calls == 1 ? "" : "s",
               c->threads > 1 && c->calls > 0 ? " each" : "");
    if (c->calls == 0)
        return;
    report_head(l, "");
    ptt_loop(l, c);
    if (c->usual) {
        report_head(l, "");
        report_put(l, "%s of them: ", report_count(text, c->usual_count));
        ptt_short(l, c->usual, full ? 0 : NEST_SHOWN);
        report_put(l, "\n");
    }
    report_head(l, "");
    ptt_short(l, c->arguments ? c->arguments : c->nest, full ? 0 : NEST_SHOWN);
    report_put(l, "\n");
}

/* Init and Finalize are all that burst mode records. */
static bool ptt_is_bare(const struct prvcut_patterns *p)
{
    for (size_t i = 0; i < p->classes; i++) {
        const char *nest = prvcut_patterns_class(p, i)->nest;

        if (*nest != '\0' && strcmp(nest, "Init Finalize") != 0 && strcmp(nest, "Init") != 0 &&
            strcmp(nest, "Finalize") != 0)
            return false;
    }
    return true;
}

static void ptt_classes(struct report_lines *l, const struct prvcut_patterns *p, bool full)
{
    const size_t shown = full || p->classes <= CLASSES_SHOWN ? p->classes : CLASSES_SHOWN - 1;
    char text[32];

    for (size_t i = 0; i < shown; i++)
        ptt_class(l, p, i, full);
    if (shown < p->classes) {
        report_head(l, "");
        report_put(l, "%s more classes: -v lists them\n", report_count(text, p->classes - shown));
    }
}

/* --- Patterns --------------------------------------------------------------------------------- */

/* "6×Irecv Waitall; in copy_faces_ 1,800 times" */
static void ptt_body(struct report_lines *l, const struct prvcut_patterns *p, size_t i, bool full)
{
    const struct prvcut_pattern *at = prvcut_patterns_pattern(p, i);
    const size_t shown =
        full || at->functions <= FUNCTIONS_SHOWN ? at->functions : FUNCTIONS_SHOWN - 1;
    const bool arguments = full || strlen(at->arguments) <= BODY_SHOWN;
    unsigned told = 0;
    char text[32];

    ptt_short(l, arguments ? at->arguments : at->body, full ? 0 : BODY_SHOWN);
    for (size_t k = 0; k < shown; k++) {
        const struct prvcut_pattern_function *f = prvcut_patterns_function(p, i, k);

        if (!f->name)
            continue;
        report_put(l, told++ > 0 ? ", " : "; in ");
        report_put_foreign(l, f->name);
        report_put(l, " %s", report_times(text, f->count));
    }
    if (shown < at->functions)
        report_put(l, ", %zu more functions", at->functions - shown);
}

static void ptt_row(char (*row)[REPORT_CELL], size_t number, const struct prvcut_pattern *at)
{
    char text[32];

    snprintf(row[0], REPORT_CELL, "%zu", number);
    snprintf(row[1], REPORT_CELL, "%u", at->level);
    report_set(row[2], report_count(text, at->calls));
    report_set(row[3], report_count(text, at->occurrences));
    snprintf(row[4], REPORT_CELL, "%.1f %%", 100 * at->share);
    report_set(row[5], prvcut_time_text(text, (double)at->median_ns));
    report_set(row[6], prvcut_time_text(text, (double)at->most_ns));
}

/* Rows of a table, with texts behind them. */
struct ptt_table {
    struct report_table t;
    struct report_lines tail[REPORT_ROWS];
};

static void ptt_put_table(struct report_lines *l, struct ptt_table *t)
{
    char *text[REPORT_ROWS] = { NULL };

    for (unsigned i = 0; i < t->t.rows; i++) {
        if (report_take(&t->tail[i], &text[i]) < 0)
            l->st = PRVCUT_ENOMEM;
        t->t.tail[i] = text[i];
    }
    report_put_table(l, &t->t);
    for (unsigned i = 0; i < t->t.rows; i++)
        free(text[i]);
    *t = (struct ptt_table){ .t = { .align = t->t.align } };
}

/* A new row; the table before it is printed where it is full. */
static char (*ptt_new_row(struct report_lines *l, struct ptt_table *t))[REPORT_CELL]
{
    char(*row)[REPORT_CELL] = report_row(&t->t);

    if (!row) {
        ptt_put_table(l, t);
        row = report_row(&t->t);
    }
    t->tail[t->t.rows - 1].err = l->err;
    return row;
}

static void ptt_patterns(struct report_lines *l, const struct prvcut_patterns *p, bool full)
{
    static const char *const title[] = {
        "No.", "Level", "Calls", "Times", "Time", "Median", "Most"
    };
    const size_t shown = full || p->patterns <= PATTERNS_SHOWN ? p->patterns : PATTERNS_SHOWN;
    struct ptt_table t = { .t = { .align = "rrrrrrr" } };
    char(*row)[REPORT_CELL], text[32];

    if (p->patterns == 0)
        return;
    report_put(l, "Patterns, most time first; what is in another one counts in both:\n");
    row = ptt_new_row(l, &t);
    for (size_t k = 0; k < sizeof title / sizeof *title; k++)
        report_set(row[k], title[k]);
    report_put(&t.tail[0], "Pattern");
    for (size_t i = 0; i < shown; i++) {
        ptt_row(ptt_new_row(l, &t), i + 1, prvcut_patterns_pattern(p, i));
        ptt_body(&t.tail[t.t.rows - 1], p, i, full);
    }
    ptt_put_table(l, &t);
    if (shown < p->patterns)
        report_put(l, "%s more patterns: -v lists them\n", report_count(text, p->patterns - shown));
}

/* --- Points ----------------------------------------------------------------------------------- */

/* "numbered as in 'structure' (69 there); " */
static void ptt_numbering(struct report_lines *l, const struct prvcut_patterns *p)
{
    const bool same = p->numbering == PRVCUT_NUMBERING_STRUCTURE;
    char text[32];

    if (p->points == 0)
        return;
    report_put(l, same ? "numbered as in 'structure'" : "numbered by the nest");
    if (p->structured == 0)
        report_put(l, ", as 'structure' tells none");
    else if (!same)
        report_put(l, "; column Structure: as in 'structure'");
    if (p->structured > 0 && p->structured != p->iterations)
        report_put(l, " (%s there)", report_count(text, p->structured));
    report_put(l, "; ");
}

/* "left out: threads 3-4, with other loops, 49 % of the time; " */
static void ptt_left_out(struct report_lines *l, const struct prvcut_patterns *p)
{
    const struct made_patterns *m = made_patterns_of(p);
    const struct pat_points *c = m->chosen;

    if (c->lefts == 0)
        return;
    report_put(l, "left out: ");
    if (c->lefts == 1)
        report_pattern_thread(l, p, c->left[0]);
    for (size_t i = 0; c->lefts > 1 && i < c->lefts && i < RANGES_SHOWN; i++) {
        report_put(l, "%s", i > 0 ? ", " : "threads ");
        report_put_foreign(l, prvcut_patterns_thread_name(p, c->left[i]));
    }
    if (c->lefts > RANGES_SHOWN)
        report_put(l, " and %zu more", c->lefts - RANGES_SHOWN);
    report_put(l, ", with another number of iterations or none, %.0f %% of the time; ",
               100 * (double)c->left_ns / (double)(m->found->span_ns > 0 ? m->found->span_ns : 1));
}

static void ptt_points_title(struct report_lines *l, const struct prvcut_patterns *p)
{
    char text[32], length[32];

    report_head(l, "Points");
    if (p->iterations == 0) {
        report_put(l, "none: %s\n", p->no_points);
        return;
    }
    report_put(l, "%s iterations on %zu thread%s; ", report_count(text, p->iterations), p->iterated,
               p->iterated == 1 ? "" : "s");
    ptt_left_out(l, p);
    ptt_numbering(l, p);
    if (p->typical > 0) {
        report_put(l, "typical %s (", prvcut_time_text(length, (double)p->typical_ns));
        report_put(l, "%s on ", report_count(text, p->typical));
        report_pattern_thread(l, p, p->typical_thread);
        report_put(l, "); ");
    }
    report_put(l, "%zu point%s", p->points_all, p->points_all == 1 ? "" : "s");
    if (p->points < p->points_all)
        report_put(l, ", of which %zu are listed", p->points);
    report_put(l, "; %.1f %% of the calls are like others\n",
               100 - 100 * (double)p->kept / (double)(p->calls > 0 ? p->calls : 1));
}

static void ptt_point(char (*row)[REPORT_CELL], const struct prvcut_patterns *p, size_t i,
                      const struct report_clock *clock)
{
    const struct prvcut_point *at = prvcut_patterns_point(p, i);
    char text[40], count[32], last[32];

    report_set(row[0], at->iteration > 0 ? report_count(count, at->iteration) : "-");
    report_set(row[1], report_clock_time(text, clock, at->start_ns, clock->places));
    report_set(row[2], prvcut_time_text(count, (double)at->length_ns));
    snprintf(row[3], REPORT_CELL, "%.2f", at->factor);
    report_set(row[4], prvcut_patterns_thread_name(p, at->thread));
    report_set(row[5], report_count(count, at->alike));
    if (at->last > at->first)
        snprintf(row[6], REPORT_CELL, "%s-%s", report_count(count, at->first),
                 report_count(last, at->last));
    else
        report_set(row[6], at->first > 0 ? report_count(count, at->first) : "-");
}

/* Is the structure's number another one? */
static bool ptt_has_two_numbers(const struct prvcut_patterns *p)
{
    return p->numbering == PRVCUT_NUMBERING_NEST && p->structured > 0;
}

/* The first point as a cut: by its number, where the cutter has that, else by its times. */
static void ptt_points_next(struct report_lines *l, const struct prvcut_patterns *p)
{
    const struct made_patterns *m = made_patterns_of(p);
    const struct prvcut_point *at = prvcut_patterns_point(p, 0);
    char command[4000], own[100];
    const struct report_command cut = { .name = "cut",
                                        .own = own,
                                        .without = "from,to,region,iteration,level,tasks,top,all",
                                        .typed = m->typed };

    if (!m->typed)
        return;
    if (at->first == 0 || m->part)
        snprintf(own, sizeof own, "--from %" PRIu64 "ns --to %" PRIu64 "ns", at->start_ns,
                 at->start_ns + at->length_ns);
    else if (at->last > at->first)
        snprintf(own, sizeof own, "--iteration %" PRIu64 "-%" PRIu64, at->first, at->last);
    else
        snprintf(own, sizeof own, "--iteration %" PRIu64, at->first);
    report_head(l, "Next");
    report_put(l, "the first as a cut: %s\n",
               report_command(command, sizeof command, m->again_with, &cut));
}

static bool ptt_is_iterated(const struct made_patterns *m, uint32_t task)
{
    for (size_t i = 0; i < m->found->ones; i++)
        for (size_t k = 0; m->found->one[i].task == task && k < m->chosen->tracks; k++)
            if (m->chosen->track[k].thread == m->found->one[i].thread)
                return true;
    return false;
}

/* "3-4,6": tasks, all of whose threads are left out; an empty text: there are none, or too many. */
static void ptt_left_tasks(char *out, size_t room, const struct made_patterns *m)
{
    uint32_t first = UINT32_MAX, last = 0;
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i <= m->chosen->lefts; i++) {
        const bool end = i == m->chosen->lefts;
        uint32_t task = UINT32_MAX;

        for (size_t k = 0; !end && k < m->found->ones; k++)
            if (m->found->one[k].thread == m->chosen->left[i])
                task = m->found->one[k].task;
        if (!end && (task == UINT32_MAX || ptt_is_iterated(m, task)))
            continue;
        if (first != UINT32_MAX && (end || task > last + 1)) {
            used += (size_t)snprintf(out + used, room - used, "%s%" PRIu32, used > 0 ? "," : "",
                                     first + 1);
            if (used < room && last > first)
                used += (size_t)snprintf(out + used, room - used, "-%" PRIu32, last + 1);
            first = UINT32_MAX;
        }
        if (used >= room) {
            *out = '\0';
            return;
        }
        first = first == UINT32_MAX ? task : first;
        last = task;
    }
}

/* Those that go round more or less often have points of their own. */
static void ptt_others_next(struct report_lines *l, const struct prvcut_patterns *p)
{
    const struct made_patterns *m = made_patterns_of(p);
    char command[4000], own[100] = "--poi --tasks ";
    const size_t before = strlen(own);
    const struct report_command others = {
        .name = "patterns", .own = own, .without = "tasks", .typed = m->typed
    };

    if (!m->typed)
        return;
    ptt_left_tasks(own + before, sizeof own - before, m);
    if (own[before])
        report_put(l, "%-12sof the others: %s\n", "",
                   report_command(command, sizeof command, m->again_with, &others));
}

/* Who waits may wait for a thread that was not looked at. */
static void ptt_left_cause(struct report_lines *l, const struct prvcut_patterns *p)
{
    size_t waiting = 0;

    for (size_t i = 0; i < p->points; i++)
        waiting += prvcut_patterns_point(p, i)->cause == PRVCUT_POINT_CALL;
    if (waiting > 0 && made_patterns_of(p)->chosen->lefts > 0)
        report_put(l,
                   "note: a call that waits may wait for what is left out: then the cause is not "
                   "known\n");
}

static void ptt_points(struct report_lines *l, const struct prvcut_patterns *p)
{
    static const char *const title[] = { "Iteration", "Start", "Length",   "Factor",
                                         "Thread",    "Alike", "Structure" };
    const size_t columns = sizeof title / sizeof *title - !ptt_has_two_numbers(p);
    const struct report_clock clock =
        report_clock_for(p->end_ns, p->typical_ns > 0 ? (double)p->typical_ns : 1);
    struct ptt_table t = { .t = { .align = ptt_has_two_numbers(p) ? "rrrrlrr" : "rrrrlr" } };
    char(*row)[REPORT_CELL];

    ptt_points_title(l, p);
    if (p->points == 0)
        return;
    row = ptt_new_row(l, &t);
    for (size_t k = 0; k < columns; k++)
        report_set(row[k], title[k]);
    report_put(&t.tail[0], "Why");
    for (size_t i = 0; i < p->points; i++) {
        ptt_point(ptt_new_row(l, &t), p, i, &clock);
        report_point_why(&t.tail[t.t.rows - 1], p, prvcut_patterns_point(p, i));
    }
    ptt_put_table(l, &t);
    ptt_left_cause(l, p);
    ptt_points_next(l, p);
    ptt_others_next(l, p);
}

static void ptt_uncalled(struct report_lines *l, const struct prvcut_patterns *p)
{
    if (p->uncalled > 0)
        report_put(l,
                   "note: %" PRIu32
                   " thread%s communicate%s where the trace has no calls, as after "
                   "a filter: these are in no nest, and their time is not computation\n",
                   p->uncalled, p->uncalled == 1 ? "" : "s", p->uncalled == 1 ? "s" : "");
}

void report_patterns_notes(struct report_lines *l, const struct prvcut_patterns *p)
{
    ptt_left_cause(l, p);
    ptt_uncalled(l, p);
    report_put_skipped(l, p->skipped);
}

enum prvcut_status prvcut_patterns_report(const struct prvcut_patterns *p, bool full, char **text,
                                          struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    ptt_title(&l, p);
    if (p->pointed) {
        ptt_points(&l, p);
        if (p->iterations > 0)
            report_put_counted_from(&l, made_patterns_of(p)->counted_from);
    } else if (ptt_is_bare(p)) {
        report_put(&l, "no calls%s: nothing can repeat\n",
                   p->calls > 0 ? " but Init and Finalize" : "");
    } else if (p->repeated) {
        report_repeats(&l, p, full);
    } else {
        ptt_classes(&l, p, full);
        ptt_patterns(&l, p, full);
    }
    ptt_uncalled(&l, p);
    report_put_skipped(&l, p->skipped);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
