#include "report/diff.h"

#include "model/diff_cause.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Causes, where others are meanwhile counted as one, and other changes, that a sentence has; the
   table and the JSON have all. */
#define DSN_CAUSES  2
#define DSN_CHANGES 2
/* Of what the means changed: medians that did less are as before. */
#define DSN_NOTHING 0.1
/* Room for who it was. */
#define DSN_WHO 128
/* Of a length: others that differ by less are told as the same. */
#define DSN_EVEN 0.01
/* Of a length: a mean that changed by so much more than the median is told, too. */
#define DSN_APART 0.1
/* Of a change: another one that is so near to it is the same. */
#define DSN_TWICE 0.1

/* --- Words ------------------------------------------------------------------------------------ */

const char *report_diff_unit(enum prvcut_diff_quantity quantity)
{
    switch (quantity) {
    case PRVCUT_DIFF_LENGTH:
    case PRVCUT_DIFF_COMPUTING:
    case PRVCUT_DIFF_CALLS:
    case PRVCUT_DIFF_FLUSHING:
    case PRVCUT_DIFF_OFF:
    case PRVCUT_DIFF_CALL:
    case PRVCUT_DIFF_WAITING:
        return "ns";
    case PRVCUT_DIFF_BYTES:
    case PRVCUT_DIFF_COLLECTIVE_BYTES:
        return "B";
    case PRVCUT_DIFF_FREQUENCY:
        return "GHz";
    case PRVCUT_DIFF_ITERATIONS:
    case PRVCUT_DIFF_ENTERED:
    case PRVCUT_DIFF_MESSAGES:
    case PRVCUT_DIFF_INSTRUCTIONS:
    case PRVCUT_DIFF_IPC:
        break;
    }
    return "";
}

char *report_diff_value(char out[32], enum prvcut_diff_quantity quantity, double x)
{
    const char *unit = report_diff_unit(quantity);

    if (isnan(x))
        snprintf(out, 32, "-");
    else if (strcmp(unit, "ns") == 0)
        prvcut_time_text(out, x);
    else if (strcmp(unit, "B") == 0)
        prvcut_size_text(out, x);
    else if (quantity == PRVCUT_DIFF_ITERATIONS && x == floor(x))
        report_count(out, (uint64_t)x);
    else
        report_number(out, x);
    if (!isnan(x) && strcmp(unit, "GHz") == 0)
        strcat(out, " GHz");
    return out;
}

char *report_diff_share(char out[32], double share, double b)
{
    char number[32];

    if (isnan(share))
        snprintf(out, 32, "%s", b > 0 ? "new" : "");
    else if (share <= -1)
        snprintf(out, 32, "gone");
    else
        snprintf(out, 32, "%s %%", report_signed(number, 100 * share));
    return out;
}

double report_diff_mean_share(const struct prvcut_diff *d)
{
    const struct prvcut_diff_row *r = prvcut_diff_row(d, 0);

    return r && r->mean[0] > 0 ? r->mean[1] / r->mean[0] - 1 : 0;
}

bool report_diff_by_mean(const struct prvcut_diff *d)
{
    const struct prvcut_diff_row *r = prvcut_diff_row(d, 0);
    const double share = report_diff_mean_share(d);

    if (!r || !(fabs(share) > DSN_EVEN) || r->way == PRVCUT_DIFF_MEAN || isnan(r->share))
        return false;
    return r->likely || (r->way == PRVCUT_DIFF_SAME ? fabs(share) >= fabs(r->share)
                                                    : fabs(share - r->share) > DSN_APART);
}

static bool dsn_ranks(const struct prvcut_diff *d)
{
    return d->tasks[0] == d->threads[0] && d->tasks[1] == d->threads[1];
}

static const char *dsn_word(const struct prvcut_diff *d)
{
    return dsn_ranks(d) ? "rank" : "thread";
}

/* "rank 3"; where ranks have several threads, "rank 3 (thread 1.4.2)". */
static char *dsn_thread(char out[DSN_WHO], const struct prvcut_diff *d, uint32_t thread)
{
    uint32_t rank;
    const char *name = dsn_ranks(d) ? NULL : prvcut_diff_thread(d, thread, &rank);

    if (name)
        snprintf(out, DSN_WHO, "rank %" PRIu32 " (%s%s)", rank,
                 made_diff_of(d)->by_number ? "thread " : "", name);
    else
        snprintf(out, DSN_WHO, "%s %" PRIu32, dsn_word(d), dsn_ranks(d) ? thread : thread + 1);
    return out;
}

char *report_diff_who(char out[REPORT_CELL], const struct prvcut_diff *d,
                      const struct prvcut_diff_row *r)
{
    const double change = r->of_thread[1] - r->of_thread[0];
    const char *name = dsn_ranks(d) ? NULL : prvcut_diff_thread(d, r->thread, NULL);
    char one[DSN_WHO], value[32];

    out[0] = '\0';
    if (r->thread == UINT32_MAX)
        return out;
    dsn_thread(one, d, r->thread);
    if (r->threads == 1)
        snprintf(out, REPORT_CELL, "%.26s", one);
    else
        snprintf(out, REPORT_CELL, "%" PRIu32 " of %" PRIu32 " %ss, %.12s", r->threads,
                 d->threads[0], dsn_word(d), name ? name : strchr(one, ' ') + 1);
    snprintf(out + strlen(out), REPORT_CELL - strlen(out), " %c%s", change < 0 ? '-' : '+',
             report_diff_value(value, r->quantity, fabs(change)));
    return out;
}

/* --- Causes ----------------------------------------------------------------------------------- */

/* "all 4 ranks", "3 of 4 ranks"; "" where they are not compared one by one. */
static char *dsn_many(char out[DSN_WHO], const struct prvcut_diff *d,
                      const struct prvcut_slow_cause *c)
{
    out[0] = '\0';
    if (!d->by_thread)
        return out;
    if (c->threads <= 1)
        dsn_thread(out, d, c->thread);
    else if (c->threads == d->threads[0])
        snprintf(out, DSN_WHO, "all %" PRIu32 " %ss", c->threads, dsn_word(d));
    else
        snprintf(out, DSN_WHO, "%" PRIu32 " of %" PRIu32 " %ss", c->threads, d->threads[0],
                 dsn_word(d));
    return out;
}

/* Where the length is told by medians, what is no median says so. */
static const char *dsn_average(const struct prvcut_diff *d, const struct prvcut_slow_cause *c)
{
    const struct prvcut_diff_row *r = made_diff_cause_row(made_diff_of(d), c);

    return r && r->way == PRVCUT_DIFF_MEAN && prvcut_diff_row(d, 0)->way == PRVCUT_DIFF_MEDIAN
               ? " on average"
               : "";
}

/* ", rank 3 most": where it concerns several. */
static void dsn_put_most(struct report_lines *l, const struct prvcut_diff *d,
                         const struct prvcut_slow_cause *c)
{
    char one[DSN_WHO];

    if (d->by_thread && c->threads > 1)
        report_put(l, ", %s most", dsn_thread(one, d, c->thread));
}

static void dsn_put_computing(struct report_lines *l, const struct prvcut_diff *d,
                              const struct prvcut_slow_cause *c)
{
    static const char *const slower[] = { [PRVCUT_SLOW_INSTRUCTIONS] = ", with more instructions",
                                          [PRVCUT_SLOW_IPC] = ", with fewer instructions a cycle",
                                          [PRVCUT_SLOW_CLOCK] = ", with fewer cycles a second",
                                          [PRVCUT_SLOW_COMPUTING] = "" };
    static const char *const faster[] = { [PRVCUT_SLOW_INSTRUCTIONS] = ", with fewer instructions",
                                          [PRVCUT_SLOW_IPC] = ", with more instructions a cycle",
                                          [PRVCUT_SLOW_CLOCK] = ", with more cycles a second",
                                          [PRVCUT_SLOW_COMPUTING] = "" };
    const struct made_diff *made = made_diff_of(d);
    const bool one = d->by_thread && c->threads <= 1, in_a_row = made->in_a_row[c - made->cause];
    char many[DSN_WHO], ns[32];

    report_put(l, "%s compute%s %s%s %s%s%s%s",
               d->by_thread   ? dsn_many(many, d, c)
               : dsn_ranks(d) ? "ranks"
                              : "threads",
               one ? "s" : "", d->by_thread && !one ? "up to " : "", prvcut_time_text(ns, c->ns),
               d->slower ? "longer" : "less", dsn_average(d, c),
               (d->slower ? slower : faster)[c->what], in_a_row ? ", one after the other" : "");
    dsn_put_most(l, d, c);
}

/* Who does not hold the calls cannot say which of them takes longer. */
static void dsn_put_unknown(struct report_lines *l, const struct prvcut_diff *d)
{
    const char *missing = NULL;

    for (size_t i = 0; i < d->rows; i++)
        if (prvcut_diff_row(d, i)->quantity == PRVCUT_DIFF_CALLS)
            missing = prvcut_diff_row(d, i)->reason;
    if (missing)
        report_put(l, "why cannot be known, as %s", missing);
    else
        report_put(l, "no single %s or call explains half of it", dsn_word(d));
}

static void dsn_put_cause(struct report_lines *l, const struct prvcut_diff *d,
                          const struct prvcut_slow_cause *c)
{
    char many[DSN_WHO], ns[32];

    prvcut_time_text(ns, c->ns);
    switch (c->what) {
    case PRVCUT_SLOW_UNKNOWN:
    case PRVCUT_SLOW_ORDER: /* that is of an iteration */
        dsn_put_unknown(l, d);
        break;
    case PRVCUT_SLOW_FLUSH:
        report_put(l, "the tracer writes its buffers for %s %s", ns, d->slower ? "more" : "less");
        break;
    case PRVCUT_SLOW_OFF:
        report_put(l, "tracing is off for %s %s", ns, d->slower ? "more" : "less");
        break;
    case PRVCUT_SLOW_CALL:
        report_put_foreign(l, c->call ? c->call : "calls");
        report_put(l, " %s%c%s%s%s%s", d->by_thread && c->threads > 1 ? "up to " : "",
                   d->slower ? '+' : '-', ns, dsn_average(d, c), d->by_thread ? " on " : "",
                   dsn_many(many, d, c));
        dsn_put_most(l, d, c);
        return;
    case PRVCUT_SLOW_PREEMPTION:
    case PRVCUT_SLOW_INSTRUCTIONS:
    case PRVCUT_SLOW_IPC:
    case PRVCUT_SLOW_CLOCK:
    case PRVCUT_SLOW_COMPUTING:
        dsn_put_computing(l, d, c);
        return;
    }
    if (c->what != PRVCUT_SLOW_UNKNOWN && d->by_thread)
        report_put(l, " on %s", dsn_many(many, d, c));
}

/* --- Changes ---------------------------------------------------------------------------------- */

static double dsn_value(const struct prvcut_diff_row *r, unsigned side)
{
    if (!r->overall)
        return r->of_thread[side];
    return r->way == PRVCUT_DIFF_MEAN ? r->mean[side] : r->median[side];
}

/* " on rank 3": where the average did not change, the values are of that one; else who of them
   most, unless all are told as one. */
static void dsn_put_where(struct report_lines *l, const struct prvcut_diff *d,
                          const struct prvcut_diff_row *r)
{
    const double change = r->of_thread[1] - r->of_thread[0];
    char one[DSN_WHO], value[32];

    if (r->thread == UINT32_MAX)
        return;
    report_put(l, "%s%s", r->overall ? ", " : " on ", dsn_thread(one, d, r->thread));
    if (r->overall)
        report_put(l, "%s %c%s", r->threads > 1 ? " most" : "", change < 0 ? '-' : '+',
                   report_diff_value(value, r->quantity, fabs(change)));
}

/* What stands around a value; of one, where that takes no s. */
struct dsn_words {
    const char *before, *behind;
};

/* "1 message", "2 messages", by the number as it is printed. */
static const char *dsn_plural(const char *word, const char *number)
{
    return word[0] != '\0' && strcmp(number, "1") != 0 ? "s" : "";
}

static const struct dsn_words dsn_words[] = {
    [PRVCUT_DIFF_LENGTH] = { "an iteration takes ", "" },
    [PRVCUT_DIFF_ITERATIONS] = { "the loop runs ", " time" },
    [PRVCUT_DIFF_COMPUTING] = { "computing takes ", "" },
    [PRVCUT_DIFF_CALLS] = { "calls take ", "" },
    [PRVCUT_DIFF_FLUSHING] = { "writing trace buffers takes ", "" },
    [PRVCUT_DIFF_OFF] = { "tracing is off for ", "" },
    [PRVCUT_DIFF_CALL] = { " takes ", "" },
    [PRVCUT_DIFF_ENTERED] = { " is called ", " time" },
    [PRVCUT_DIFF_MESSAGES] = { "a rank sends ", " message" },
    [PRVCUT_DIFF_BYTES] = { "a rank sends ", "" },
    [PRVCUT_DIFF_INSTRUCTIONS] = { "", " instruction" },
    [PRVCUT_DIFF_IPC] = { "an IPC of ", "" },
    [PRVCUT_DIFF_FREQUENCY] = { "", "" },
    [PRVCUT_DIFF_WAITING] = { "waiting in calls takes ", "" },
    [PRVCUT_DIFF_COLLECTIVE_BYTES] = { "the collectives of a rank carry ", "" },
};

/* "MPI_Send is called 46 times instead of 45 (+2.2 %)" */
static void dsn_put_instead(struct report_lines *l, const struct prvcut_diff_row *r)
{
    const struct dsn_words *w = &dsn_words[r->quantity];
    const double a = dsn_value(r, 0), b = dsn_value(r, 1);
    char text[32];

    report_diff_value(text, r->quantity, b);
    report_put(l, "%s%s%s%s%s", w->before, text, w->behind, dsn_plural(w->behind, text),
               r->way == PRVCUT_DIFF_MEAN ? " on average" : "");
    report_put(l, " instead of %s", report_diff_value(text, r->quantity, a));
    if (a > 0)
        report_put(l, " (%s)", report_diff_share(text, b / a - 1, b));
}

/* "MPI_Barrier is new, 2 times", "MPI_Send is no longer called" */
static void dsn_put_calls(struct report_lines *l, const struct prvcut_diff_row *r)
{
    const double a = dsn_value(r, 0), b = dsn_value(r, 1);
    char text[32];

    if (b > 0 && a > 0) {
        dsn_put_instead(l, r);
        return;
    }
    report_number(text, b > 0 ? b : a);
    if (b > 0)
        report_put(l, " is new: %s call%s", text, dsn_plural("call", text));
    else
        report_put(l, " is no longer called, before %s time%s", text, dsn_plural("time", text));
}

static void dsn_put_change(struct report_lines *l, const struct prvcut_diff *d,
                           const struct prvcut_diff_row *r)
{
    if (r->call)
        report_put_foreign(l, r->call);
    if (r->quantity == PRVCUT_DIFF_ENTERED)
        dsn_put_calls(l, r);
    else
        dsn_put_instead(l, r);
    dsn_put_where(l, d, r);
}

/* Beside its length: what is no time, for causes tell of that; all where the length is as it was.
 */
static bool dsn_is_beside(const struct prvcut_diff_row *r, bool longer)
{
    if (r->quantity == PRVCUT_DIFF_LENGTH)
        return false;
    return !longer || (strcmp(report_diff_unit(r->quantity), "ns") != 0 &&
                       r->quantity != PRVCUT_DIFF_INSTRUCTIONS && r->quantity != PRVCUT_DIFF_IPC &&
                       r->quantity != PRVCUT_DIFF_FREQUENCY);
}

/* The length and its causes tell that of a quantity. */
static bool dsn_is_told(const struct prvcut_diff *d, const struct prvcut_diff_row *r)
{
    const struct prvcut_slow_cause *c;

    if (r->quantity == PRVCUT_DIFF_LENGTH)
        return true;
    for (size_t i = 0; d->slower && (c = prvcut_diff_cause(d, i)) != NULL; i++)
        if (made_diff_cause_row(made_diff_of(d), c) == r ||
            (c->what == PRVCUT_SLOW_INSTRUCTIONS && r->quantity == PRVCUT_DIFF_INSTRUCTIONS))
            return true;
    return false;
}

/* How much more it is: of the average, or of the thread that changed most. */
static double dsn_more(const struct prvcut_diff_row *r)
{
    return dsn_value(r, 1) - dsn_value(r, 0);
}

/* Does a change of one call tell that of all calls, or of waiting in them? It is all of that. */
static bool dsn_tells(const struct prvcut_diff_row *one, const struct prvcut_diff_row *all)
{
    const double part = dsn_more(one) / dsn_more(all);

    if (one->quantity != PRVCUT_DIFF_CALL || part < 1 - DSN_TWICE)
        return false;
    return all->quantity == PRVCUT_DIFF_WAITING ||
           (one->overall == all->overall && part <= 1 + DSN_TWICE);
}

/* Another change tells the same: of the time of a call that is new, or gone, that it is. */
static bool dsn_is_twice(const struct prvcut_diff *d, const struct prvcut_diff_row *r)
{
    const bool all = r->quantity == PRVCUT_DIFF_CALLS || r->quantity == PRVCUT_DIFF_WAITING;
    const bool one = r->quantity == PRVCUT_DIFF_CALL && !(r->mean[0] > 0 && r->mean[1] > 0);
    const struct prvcut_diff_row *o;

    for (size_t i = 0; (all || one) && (o = prvcut_diff_change(d, i)) != NULL; i++)
        if (all ? dsn_tells(o, r)
                : o->quantity == PRVCUT_DIFF_ENTERED && strcmp(o->call, r->call) == 0)
            return true;
    return false;
}

/* What costs more comes first, and what costs most is among them: a test may have failed by it. */
static size_t dsn_pick(const struct prvcut_diff *d, bool longer,
                       const struct prvcut_diff_row *pick[DSN_CHANGES])
{
    const struct prvcut_diff_row *worst = NULL, *r;
    size_t n = 0;

    for (size_t i = 0; !worst && d->worst > 0 && (r = prvcut_diff_change(d, i)) != NULL; i++)
        worst = r->worse >= d->worst ? r : NULL;
    if (worst && dsn_is_told(d, worst))
        worst = NULL;
    for (unsigned costs = 2; costs-- > 0;)
        for (size_t i = 0; n < DSN_CHANGES && (r = prvcut_diff_change(d, i)) != NULL; i++)
            if ((r->worse > 0) == (costs > 0) && (dsn_is_beside(r, longer) || r == worst) &&
                !dsn_is_twice(d, r))
                pick[n++] = r;
    for (size_t i = 0; i < n && worst; i++)
        worst = pick[i] == worst ? NULL : worst;
    if (worst)
        pick[n - 1] = worst;
    return n;
}

static void dsn_put_changes(struct report_lines *l, const struct prvcut_diff *d, bool longer)
{
    const struct prvcut_diff_row *pick[DSN_CHANGES];
    const size_t picked = dsn_pick(d, longer, pick);

    for (size_t i = 0; i < picked; i++) {
        report_put(l, "%s", longer || i > 0 ? "; " : ", but ");
        dsn_put_change(l, d, pick[i]);
    }
}

/* Is something told of one run only? */
static bool dsn_is_partial(const struct prvcut_diff *d)
{
    for (size_t i = 0; i < d->rows; i++) {
        const struct prvcut_diff_row *r = prvcut_diff_row(d, i);

        if (r->quantity != PRVCUT_DIFF_OFF && isnan(r->median[0]) != isnan(r->median[1]))
            return true;
    }
    return false;
}

/* --- The sentence ----------------------------------------------------------------------------- */

/* What medians did of what the means changed. */
static const char *dsn_median(const struct prvcut_diff_row *r)
{
    return fabs(r->median[1] - r->median[0]) < DSN_NOTHING * fabs(r->mean[1] - r->mean[0])
               ? "; the median is as before"
               : "";
}

/* "7.54ms on average instead of 6.35ms (+19 %), which is hardly chance" */
static void dsn_put_mean(struct report_lines *l, const struct prvcut_diff *d, const char *before)
{
    const struct prvcut_diff_row *r = prvcut_diff_row(d, 0);
    char a[32], b[32], share[32];

    report_put(l, "%s%s on average instead of %s (%s%s), which %s chance", before,
               report_diff_value(b, r->quantity, r->mean[1]),
               report_diff_value(a, r->quantity, r->mean[0]),
               report_diff_share(share, report_diff_mean_share(d), r->mean[1]),
               r->way == PRVCUT_DIFF_SAME ? dsn_median(r) : "", r->likely ? "is hardly" : "may be");
}

/* ": rank 3 computes 750us longer; MPI_Send ..." */
static void dsn_put_causes(struct report_lines *l, const struct prvcut_diff *d)
{
    unsigned told = 0;

    for (size_t i = 0; i < d->causes && told < DSN_CAUSES; i++) {
        const struct prvcut_slow_cause *c = prvcut_diff_cause(d, i), *next;
        const bool goes_on = i > 0 && c->meanwhile && prvcut_diff_cause(d, i - 1)->meanwhile;

        report_put(l, "%s%s", i > 0 ? "; " : ": ",
                   goes_on        ? "and "
                   : c->meanwhile ? "meanwhile "
                                  : "");
        dsn_put_cause(l, d, c);
        next = prvcut_diff_cause(d, i + 1);
        told += !c->meanwhile || !next || !next->meanwhile;
    }
}

static void dsn_put_length(struct report_lines *l, const struct prvcut_diff *d,
                           const struct prvcut_diff_row *r)
{
    char a[32], b[32], share[32];

    report_put(l, "%s takes %s%s instead of %s (%s%s)", d->whole ? "the run" : "an iteration",
               report_diff_value(b, r->quantity, dsn_value(r, 1)),
               r->way == PRVCUT_DIFF_MEAN ? " on average" : "",
               report_diff_value(a, r->quantity, dsn_value(r, 0)),
               report_diff_share(share, r->share, dsn_value(r, 1)),
               r->way == PRVCUT_DIFF_MEAN ? dsn_median(r) : "");
    dsn_put_causes(l, d);
    if (report_diff_by_mean(d))
        dsn_put_mean(l, d, "; it takes ");
}

/* As long as before, or by no more than chance longer or shorter. */
static void dsn_put_same_length(struct report_lines *l, const struct prvcut_diff *d,
                                const struct prvcut_diff_row *r)
{
    char a[32], b[32];

    report_diff_value(a, r->quantity, r->median[0]);
    report_diff_value(b, r->quantity, r->median[1]);
    report_put(l, "%s takes ", d->whole ? "the run" : "an iteration");
    if (report_diff_by_mean(d)) {
        dsn_put_mean(l, d, "");
        dsn_put_causes(l, d);
    } else if (fabs(r->difference) <= DSN_EVEN * r->median[0])
        report_put(l, "as long as before, %s", b);
    else
        report_put(l, "%s instead of %s, which may be chance", b, a);
}

/* Whether by chance or not. */
static bool dsn_may_differ(const struct prvcut_diff *d)
{
    return report_diff_by_mean(d) || fabs(prvcut_diff_row(d, 0)->share) > DSN_EVEN;
}

enum prvcut_status report_diff_sentence(const struct prvcut_diff *d, char **text,
                                        struct prvcut_error *err)
{
    const struct prvcut_diff_row *r = prvcut_diff_row(d, 0);
    struct report_lines l = { .err = err };
    char a[64];

    if (!r) {
        report_put(&l, "nothing was compared");
    } else if (d->unlike) {
        report_put(&l, "the loops are not the same: %s", d->unlike);
    } else if (d->changes == 0 && !dsn_may_differ(d)) {
        report_put(&l, "nothing %schanged: %s takes %s in A",
                   dsn_is_partial(d) ? "that both runs tell " : "",
                   d->whole ? "the run" : "an iteration",
                   report_length(a, r->median[0], r->spread[0], r->mean[0]));
        report_put(&l, ", %s in B", report_length(a, r->median[1], r->spread[1], r->mean[1]));
    } else if (r->way == PRVCUT_DIFF_SAME) {
        dsn_put_same_length(&l, d, r);
        dsn_put_changes(&l, d, d->causes > 0);
    } else {
        dsn_put_length(&l, d, r);
        dsn_put_changes(&l, d, true);
    }
    return report_take(&l, text);
}
