#include "report/clocks.h"
#include "report/command.h"
#include "report/diff.h"
#include "report/structure.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of a table that a person looks at first: the longest; those that changed come, too. */
#define DTX_CALLS 6

/* A text from outside, wrapped under itself. */
static void dtx_put_wrapped(struct report_lines *l, const char *text, size_t before)
{
    struct report_lines safe = { .err = l->err };
    char *clean = NULL;

    report_put_foreign(&safe, text);
    l->st = report_take(&safe, &clean) < 0 ? PRVCUT_ENOMEM : l->st;
    report_put_tail(l, clean ? clean : "", before);
    report_put(l, "\n");
    free(clean);
}

/* --- Who is compared -------------------------------------------------------------------------- */

static void dtx_count(struct report_lines *l, uint64_t n, const char *word)
{
    char text[32];

    report_put(l, "%s %s%s", report_count(text, n), word, n == 1 ? "" : "s");
}

/* "A  lu.prv: 4 ranks, region 1.1: 250 iterations, 2.53s in all": of a loop that runs in several
   regions all are compared. */
static void dtx_put_side(struct report_lines *out, const struct prvcut_diff *d, unsigned side)
{
    const struct prvcut_diff_row *r = prvcut_diff_row(d, 0);
    struct report_lines l = { .err = out->err };
    char text[64], *line = NULL;

    report_put(&l, "%s: ", d->name[side]);
    dtx_count(&l, d->threads[side], d->tasks[side] == d->threads[side] ? "rank" : "thread");
    if (!d->whole && d->region[side]) {
        if (d->regions[side] > 1)
            report_put(&l, ", loop %s: ", report_loop_letter(text, d->loop[side]));
        else
            report_put(&l, ", region %s: ", d->region[side]);
        dtx_count(&l, d->iterations[side], "iteration");
        if (d->regions[side] > 1)
            report_put(&l, " in %s regions", report_count(text, d->regions[side]));
    }
    if (r)
        report_put(&l, ", %s in all", report_diff_value(text, PRVCUT_DIFF_LENGTH, r->total[side]));
    if (d->disturbed[side] > 0)
        report_put(&l, ", %s disturbed", report_count(text, d->disturbed[side]));
    if (report_take(&l, &line) < 0) {
        out->st = PRVCUT_ENOMEM;
        return;
    }
    report_put(out, "%c  ", "AB"[side]);
    dtx_put_wrapped(out, line, 3);
    free(line);
}

/* --- The table -------------------------------------------------------------------------------- */

static void dtx_name(char cell[REPORT_CELL], const struct prvcut_diff *d,
                     const struct prvcut_diff_row *r)
{
    static const char *const name[] = { [PRVCUT_DIFF_LENGTH] = "Iteration",
                                        [PRVCUT_DIFF_ITERATIONS] = "Iterations",
                                        [PRVCUT_DIFF_COMPUTING] = "Computing",
                                        [PRVCUT_DIFF_CALLS] = "In MPI calls",
                                        [PRVCUT_DIFF_FLUSHING] = "Trace buffer",
                                        [PRVCUT_DIFF_OFF] = "Tracing off",
                                        [PRVCUT_DIFF_CALL] = "",
                                        [PRVCUT_DIFF_ENTERED] = "",
                                        [PRVCUT_DIFF_MESSAGES] = "Messages sent",
                                        [PRVCUT_DIFF_BYTES] = "Bytes sent",
                                        [PRVCUT_DIFF_INSTRUCTIONS] = "Instructions",
                                        [PRVCUT_DIFF_IPC] = "IPC",
                                        [PRVCUT_DIFF_FREQUENCY] = "Frequency",
                                        [PRVCUT_DIFF_WAITING] = "Waiting in them",
                                        [PRVCUT_DIFF_COLLECTIVE_BYTES] = "Collective bytes" };

    if (r->call)
        snprintf(cell, REPORT_CELL, "%.32s%s", r->call,
                 r->quantity == PRVCUT_DIFF_ENTERED ? " calls" : "");
    else
        report_set(cell, d->whole && r->quantity == PRVCUT_DIFF_LENGTH ? "Run" : name[r->quantity]);
    for (char *at = cell; *at; at++)
        *at = iscntrl((unsigned char)*at) ? '?' : *at;
}

/* "+2.3ms", "-4" */
static void dtx_difference(char cell[REPORT_CELL], const struct prvcut_diff_row *r, double x)
{
    char text[32];

    if (isnan(x))
        report_set(cell, "-");
    else if (x == 0)
        report_set(cell, "=");
    else
        snprintf(cell, REPORT_CELL, "%c%s", x < 0 ? '-' : '+',
                 report_diff_value(text, r->quantity, fabs(x)));
}

static void dtx_heads(struct report_table *t, const struct prvcut_diff *d, bool full)
{
    char(*cell)[REPORT_CELL] = report_row(t);

    snprintf(cell[0], REPORT_CELL, "%s a %s", d->whole ? "All of" : "An iteration of",
             d->tasks[0] == d->threads[0] && d->tasks[1] == d->threads[1] ? "rank" : "thread");
    report_set(cell[1], "A");
    report_set(cell[2], "B");
    report_set(cell[3], "Change");
    if (full) {
        report_set(cell[4], "Beyond");
        report_set(cell[5], "A in all");
        report_set(cell[6], "B in all");
    }
    report_set(cell[full ? 7 : 5], d->by_thread ? "Where" : "");
}

/* "MPI_Send, 64 calls": how often each is made stands behind it, or in a row of its own. */
static void dtx_add_calls(char cell[REPORT_CELL], const struct prvcut_diff_row *r,
                          const struct prvcut_diff_row *entered)
{
    const size_t n = strlen(cell);
    char text[32];

    if (r->quantity == PRVCUT_DIFF_CALL && entered && entered->quantity == PRVCUT_DIFF_ENTERED &&
        entered->way == PRVCUT_DIFF_SAME && entered->median[1] > 0)
        snprintf(cell + n, REPORT_CELL - n, ", %s call%s", report_number(text, entered->median[1]),
                 entered->median[1] == 1 ? "" : "s");
}

/* What changed, who most, and how it was judged. */
static void dtx_change(char (*cell)[REPORT_CELL], const struct prvcut_diff *d,
                       const struct prvcut_diff_row *r, bool full)
{
    const double b = r->way == PRVCUT_DIFF_MEAN ? r->mean[1] : r->median[1];
    char text[32];

    if (isnan(r->difference))
        report_set(cell[3], "-");
    else if (r->overall || full)
        dtx_difference(cell[3], r, r->difference);
    if (full)
        report_set(cell[4], report_diff_value(text, r->quantity, r->least));
    else if (r->way != PRVCUT_DIFF_SAME && r->overall)
        report_set(cell[4], report_diff_share(text, r->share, b));
    if (r->way != PRVCUT_DIFF_SAME && r->thread != UINT32_MAX)
        report_diff_who(cell[full ? 7 : 5], d, r);
}

/* Medians; what the means tell stands below, with these. */
static void dtx_row(struct report_table *t, const struct prvcut_diff *d,
                    const struct prvcut_diff_row *r, bool full, const struct prvcut_diff_row *next)
{
    char(*cell)[REPORT_CELL] = report_row(t);
    char text[32];

    dtx_name(cell[0], d, r);
    if (!full && !d->unlike)
        dtx_add_calls(cell[0], r, next);
    for (unsigned s = 0; s < 2; s++)
        report_set(cell[1 + s], report_diff_value(text, r->quantity, r->median[s]));
    for (unsigned s = 0; s < 2 && full; s++)
        report_set(cell[5 + s], report_diff_value(text, r->quantity, r->total[s]));
    if (r->way != PRVCUT_DIFF_MEAN)
        dtx_change(cell, d, r, full);
    if (r->way != PRVCUT_DIFF_MEAN &&
        (r->quantity != PRVCUT_DIFF_LENGTH || !report_diff_by_mean(d)))
        return;
    cell = report_row(t);
    report_set(cell[0], "  mean");
    for (unsigned s = 0; s < 2; s++)
        report_set(cell[1 + s], report_diff_value(text, r->quantity, r->mean[s]));
    if (r->way == PRVCUT_DIFF_MEAN)
        dtx_change(cell, d, r, full);
}

/* Neither run has any of it. */
static bool dtx_is_empty(const struct prvcut_diff_row *r)
{
    return !(r->total[0] > 0) && !(r->total[1] > 0);
}

/* What most iterations have nothing of. */
static bool dtx_is_rare(const struct prvcut_diff_row *r)
{
    return !(r->median[0] > 0) && !(r->median[1] > 0);
}

static bool dtx_is_shown(const struct prvcut_diff_row *r, bool full, size_t *calls)
{
    if (dtx_is_empty(r))
        return false;
    if (full || r->way != PRVCUT_DIFF_SAME || (!r->call && !dtx_is_rare(r))) {
        *calls += r->call && r->quantity == PRVCUT_DIFF_CALL;
        return true;
    }
    return r->quantity == PRVCUT_DIFF_CALL && !dtx_is_rare(r) && (*calls)++ < DTX_CALLS;
}

static void dtx_put_table(struct report_lines *l, const struct prvcut_diff *d, bool full)
{
    size_t calls = 0, left = 0;

    for (size_t i = 0; i < d->rows;) {
        struct report_table t = { .align = full ? "lrrrrrrl" : "lrrrrl" };

        dtx_heads(&t, d, full);
        for (; i < d->rows && t.rows + 1 < REPORT_ROWS; i++) {
            const struct prvcut_diff_row *r = prvcut_diff_row(d, i);

            if (dtx_is_shown(r, full, &calls))
                dtx_row(&t, d, r, full, prvcut_diff_row(d, i + 1));
            else
                left += !dtx_is_empty(r) && r->quantity == PRVCUT_DIFF_CALL;
        }
        if (t.rows > 1)
            report_put_table(l, &t);
    }
    if (left > 0)
        report_put(l, "and %zu more call%s as before: -v tells all\n", left, left == 1 ? "" : "s");
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Why what is worse does not count; where nothing is, that. */
static const char *dtx_uncounted(const struct prvcut_diff *d)
{
    const char *why = "nothing is worse";

    for (size_t i = 0; i < d->changes; i++) {
        const struct prvcut_diff_row *r = prvcut_diff_change(d, i);
        const bool tracer = r->quantity == PRVCUT_DIFF_FLUSHING || r->quantity == PRVCUT_DIFF_OFF;

        if (r->turn != PRVCUT_DIFF_WORSE)
            continue;
        if (!tracer)
            return "for time in calls, IPC and frequency do not count";
        why = "for what the tracer takes does not count";
    }
    return why;
}

/* What is worst; what is told of it. */
static const struct prvcut_diff_row *dtx_worst(const struct prvcut_diff *d, const char **told)
{
    const struct prvcut_diff_row *length = prvcut_diff_row(d, 0), *r;

    *told = "";
    if (d->worst > 0 && length->worse >= d->worst) {
        if (report_diff_by_mean(d))
            *told = ", on average";
        return length;
    }
    for (size_t i = 0; d->worst > 0 && (r = prvcut_diff_change(d, i)) != NULL; i++)
        if (r->worse >= d->worst)
            return r;
    return NULL;
}

/* What is worst, beside what may be. */
static void dtx_put_limit(struct report_lines *l, const struct prvcut_diff *d)
{
    const struct prvcut_diff_row *r;
    char worst[32], above[32], name[REPORT_CELL];
    const char *told;

    if (!d->limited)
        return;
    report_put(l, "worse by more than %s %%: ", report_number(above, 100 * d->above));
    if (d->unlike) {
        report_put(l, "not known\n");
        return;
    }
    if (!d->exceeded && report_diff_by_mean(d) && report_diff_mean_share(d) > d->above) {
        report_put(l, "no, for %s %% on average may be chance\n",
                   report_number(worst, 100 * report_diff_mean_share(d)));
        return;
    }
    r = dtx_worst(d, &told);
    if (r) {
        dtx_name(name, d, r);
        report_put(l, "%s, %s %%%s (%s%s)\n", d->exceeded ? "yes" : "no",
                   report_number(worst, 100 * d->worst), d->exceeded ? "" : " at most", name, told);
        return;
    }
    /* What costs more by itself, or says why. */
    report_put(l, "no, %s\n", dtx_uncounted(d));
}

static bool dtx_has_note(const struct prvcut_diff *d, const char *what)
{
    for (size_t i = 0; i < d->notes; i++)
        if (strcmp(prvcut_diff_note(d, i)->what, what) == 0)
            return true;
    return false;
}

/* Who holds no messages says so once. */
static void dtx_put_notes(struct report_lines *l, const struct prvcut_diff *d)
{
    const bool messages = dtx_has_note(d, "messages");
    struct report_lines clocks = { .err = l->err };
    char *text = NULL;

    for (unsigned i = 0; i < 2; i++)
        report_put_clocks(&clocks, i == 0 ? "A: " : "B: ", prvcut_diff_clock(d, i), 0, true);
    report_wrap(&clocks, REPORT_WIDTH);
    l->st = report_take(&clocks, &text) < 0 ? PRVCUT_ENOMEM : l->st;
    report_put(l, "%s", text ? text : "");
    free(text);

    for (size_t i = 0; i < d->notes; i++) {
        const char *what = prvcut_diff_note(d, i)->what;

        if (strcmp(what, "off") == 0 || (d->unlike && strcmp(what, "unlike") == 0) ||
            (messages && strcmp(what, "waiting") == 0))
            continue;
        report_put(l, "note: ");
        dtx_put_wrapped(l, prvcut_diff_note(d, i)->text, 6);
    }
}

/* What changed, call by call and rank by rank in the slower run; what did not, with all numbers, or
   as a test. */
static void dtx_put_next(struct report_lines *l, const struct prvcut_diff *d, bool full)
{
    const struct made_diff *m = made_diff_of(d);
    const struct prvcut_diff_row *length = prvcut_diff_row(d, 0);
    const bool shorter =
        length && (length->overall ? length->difference < 0
                                   : report_diff_by_mean(d) && report_diff_mean_share(d) < 0);
    const unsigned side = shorter ? 0 : 1;
    struct report_command next = { .name = "profile", .typed = m->typed[side] };
    char own[120], both[3000], command[4000];

    if (!m->typed[0] || !m->typed[1] || !length)
        return;
    report_head(l, "Next");
    if (d->unlike) {
        next = (struct report_command){ .name = "structure",
                                        .own = "",
                                        .without = "region,regions,level",
                                        .typed = m->typed[d->iterations[1] < d->iterations[0]] };
        report_put(l, "its loops: %s\n", report_command(command, sizeof command, m->again, &next));
        return;
    }
    if (d->changes > 0 || report_diff_by_mean(d)) {
        snprintf(own, sizeof own, "--by %s%s%s", d->tasks[side] > 1 ? "call,rank" : "call",
                 d->region[side] && !d->whole ? " --region " : "",
                 d->region[side] && !d->whole ? d->region[side] : "");
        next.own = own;
        next.without = "region,regions,level";
        report_put(l, "its calls: %s\n", report_command(command, sizeof command, m->again, &next));
        return;
    }
    snprintf(both, sizeof both, "%s %s", m->typed[0], m->typed[1]);
    next = (struct report_command){ .name = "diff",
                                    .own = full || d->limited ? "--csv" : "--fail-above 5%",
                                    .typed = both };
    report_put(l, "%s: %s\n", full || d->limited ? "all numbers" : "as a test",
               report_command(command, sizeof command, m->again, &next));
}

enum prvcut_status prvcut_diff_text(const struct prvcut_diff *d, enum prvcut_form form, char **text,
                                    struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char *sentence = NULL;
    enum prvcut_status st = report_diff_sentence(d, &sentence, err);

    if (st < 0)
        return st;
    dtx_put_wrapped(&l, sentence, 0);
    free(sentence);
    dtx_put_limit(&l, d);
    dtx_put_side(&l, d, 0);
    dtx_put_side(&l, d, 1);
    dtx_put_table(&l, d, form == PRVCUT_FULL_TEXT);
    dtx_put_notes(&l, d);
    dtx_put_next(&l, d, form == PRVCUT_FULL_TEXT);
    return report_take(&l, text);
}
