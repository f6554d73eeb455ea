#include "report/brief.h"

#include "analysis/kinds.h"
#include "report/chop.h"
#include "report/loop.h"
#include "report/proof.h"
#include "report/quantity.h"
#include "report/stands.h"
#include "report/why.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADING BRIEF_HEADING
/* Lengths that differ by more than that are told one by one, so many of them. */
#define UNEQUAL 0.03
#define LENGTHS 2
/* A cut that differs so much from its loop's median may stand for its region alone. */
#define LOCAL_LEAST 0.15
/* Shares that differ by fewer points do not. */
#define POINTS_LEAST 0.05

enum brief_touch brief_touched(const struct made_reduction *r, const struct made_chop *c,
                               unsigned *count)
{
    struct prvcut_span one;
    uint64_t known = 0;

    *count = 0;
    while (known < c->is.iterations && report_cut_iteration(r, c, known, &one)) {
        *count += report_disturbed(&r->structure, &one);
        known++;
    }
    if (*count == 0 && !brief_disturbed(r, c))
        return BRIEF_CLEAR;
    return *count > 0 || known < c->is.iterations ? BRIEF_INSIDE : BRIEF_BESIDE;
}

bool brief_misleads(const struct made_reduction *r, const struct made_chop *c)
{
    const enum prvcut_chop_verdict stands = report_stands(r, c);

    if (c->is.kind == PRVCUT_CHOP_OUTLIER)
        return true;
    if (stands == PRVCUT_CHOP_UNASKED || stands == PRVCUT_CHOP_IS_UNKNOWN)
        return report_length_is_off(r, c);
    return stands == PRVCUT_CHOP_IS_UNUSUAL;
}

bool brief_is_local(const struct made_reduction *r, const struct made_chop *c)
{
    return !report_chop_of_loop(r, c) && !brief_misleads(r, c) &&
           fabs(report_longer(r, c)) > LOCAL_LEAST;
}

/* "2.25ms each", "201ms and 175ms", "1.1ms to 2.3ms" */
static void bct_add_lengths(struct brief_text *t, const struct made_reduction *r,
                            const struct made_chop *c)
{
    struct prvcut_span one;
    double lengths[2], sum;
    char text[32];

    if (!report_cut_lengths(r, c, lengths, &sum)) {
        sum = (double)(c->cut.window.end - c->cut.window.start);
        brief_add(t, "%s%s", c->is.iterations > 1 ? ", in the mean " : ", ",
                  prvcut_time_text(text, sum / c->is.iterations));
    } else if (c->is.iterations == 1 || lengths[1] < (1 + UNEQUAL) * lengths[0]) {
        brief_add(t, ", %s%s", prvcut_time_text(text, sum / c->is.iterations),
                  c->is.iterations > 1 ? " each" : "");
    } else if (c->is.iterations > LENGTHS) {
        brief_add(t, ", %s", prvcut_time_text(text, lengths[0]));
        brief_add(t, " to %s", prvcut_time_text(text, lengths[1]));
    } else {
        for (uint64_t k = 0; k < c->is.iterations && report_cut_iteration(r, c, k, &one); k++)
            brief_add(t, "%s%s", k == 0 ? ", " : " and ",
                      prvcut_time_text(text, (double)(one.end - one.start)));
    }
    if (sum > 0 && report_cut_length(r, c) != sum && !isnan(report_cut_length(r, c)))
        brief_add(t, ", %s in all", prvcut_time_text(text, report_cut_length(r, c)));
}

static void bct_add_longer(struct brief_text *t, double longer, const char *before)
{
    char text[64];

    if (!isnan(longer) && fabs(longer) >= LONGER_LEAST)
        brief_add(t, "%s%s", before, report_longer_text(text, longer));
}

/* Does the trace hold nothing that a border could split? */
static bool bct_nothing_to_split(const struct made_reduction *r)
{
    for (size_t i = 0; r->is.messages == 0 && i < r->is.votes; i++)
        if (strcmp(r->vote[i].metric, "collective") == 0)
            return r->vote[i].status == PRVCUT_STAND_ABSENT;
    return false;
}

/* What is normal is told where there is room. */
static void bct_add_split(struct brief_text *t, const struct made_reduction *r,
                          const struct made_chop *c, size_t room)
{
    static const char none[] = "; no message or collective split";
    const uint64_t messages = c->is.align == PRVCUT_ALIGN_CALLS
                                  ? c->is.crossing
                                  : c->cut.dropped_messages + c->cut.kept_messages;
    char text[32];

    if (messages == 0 && c->cut.split_collectives == 0) {
        if (report_columns(t->at) + strlen(none) <= room && !bct_nothing_to_split(r))
            brief_add(t, "%s", none);
        return;
    }
    brief_add(t, "; ");
    if (messages > 0)
        brief_add(t, "%s message%s", report_count(text, messages), messages == 1 ? "" : "s");
    if (c->cut.split_collectives > 0)
        brief_add(t, "%s%s collective%s", messages > 0 ? " and " : "",
                  report_count(text, c->cut.split_collectives),
                  c->cut.split_collectives == 1 ? "" : "s");
    brief_add(t, " split");
}

/* What lies before a window is not looked at, so its iterations are not counted. */
static void bct_add_origin(struct brief_text *t, const struct made_reduction *r)
{
    const struct prvcut_span *in = &r->structure.is.span;
    const struct report_clock clock = report_clock_for(r->is.end_ns, 0);
    char text[40];

    if (in->start > 0)
        brief_add(t, " (counted from %s)",
                  report_clock_time(text, &clock, in->start, clock.places));
}

/* What has no numbers lies between two times. */
static void bct_add_place(struct brief_text *t, const struct made_reduction *r,
                          const struct made_chop *c)
{
    const struct prvcut_span *w = &c->cut.window;
    const struct report_clock clock = report_clock_for(r->is.end_ns, (double)(w->end - w->start));
    char text[40];

    brief_add(t, ", %s", report_clock_time(text, &clock, w->start, clock.places));
    brief_add(t, " to %s", report_clock_time(text, &clock, w->end, clock.places));
}

static void bct_put_window(struct brief *b, const struct made_chop *c)
{
    struct brief_text t = { .count = 0 };
    char longer[64];

    brief_add_numbers(&t, c);
    if (t.count > 0) {
        bct_add_origin(&t, b->r);
    } else {
        brief_add(&t, "%u iteration%s%s", c->is.iterations, c->is.iterations == 1 ? "" : "s",
                  c->is.inside ? " from inside one" : "");
        bct_add_place(&t, b->r, c);
    }
    bct_add_lengths(&t, b->r, c);
    report_longer_chop(longer, b->r, c, LONGER_LEAST);
    if (*longer)
        brief_add(&t, ", %s", longer);
    if (c->is.align == PRVCUT_ALIGN_STRAIGHT)
        brief_add(&t, ", at one time for all");
    bct_add_split(&t, b->r, c, b->width - HEADING);
    brief_line(b, "Cut", "%s", t.at);
}

/* --- What it stands for ----------------------------------------------------------------------- */

static double bct_points(const struct prvcut_proof_row *r)
{
    return 100 * fabs(r->chop - r->region);
}

static double bct_worst_points(const struct made_proof *p)
{
    double worst = 0;

    for (size_t i = 0; i < p->is.rows; i++)
        if (brief_is_time(&p->row[i]))
            worst = fmax(worst, bct_points(&p->row[i]));
    return worst;
}

/* The efficiency that is furthest off; NULL: there is none. */
static const struct prvcut_proof_row *bct_worst_efficiency(const struct made_proof *p)
{
    const struct prvcut_proof_row *worst = NULL;

    for (size_t i = 0; i < p->is.rows; i++)
        if (p->row[i].group == PRVCUT_PROOF_OF_EFFICIENCY &&
            p->row[i].unit == PRVCUT_PROOF_IN_SHARE &&
            (!worst || bct_points(&p->row[i]) > bct_points(worst)))
            worst = &p->row[i];
    return worst;
}

/* What is off most: an efficiency where it is more than any share of time. */
static void bct_add_worst(struct brief_text *t, const struct made_proof *p)
{
    const double worst = fmax(bct_worst_points(p), 2 * POINTS_LEAST);
    const struct prvcut_proof_row *factor = bct_worst_efficiency(p);

    if (factor && bct_points(factor) >= worst + POINTS_LEAST)
        brief_add(t, "%s is off by %.1f points, no share of time by more than %.1f", factor->name,
                  bct_points(factor), worst);
    else
        brief_add(t, "no share of time is off by more than %.1f points", worst);
}

/* "MPI_Send 24 % here, 41 % there"; the second one is shorter. */
static void bct_add_row(struct brief_text *t, const struct prvcut_proof_row *r, bool first)
{
    const char *middle = first ? " here, " : ", ", *end = first ? " there" : "";
    char safe[64], here[32], there[32];

    brief_add(t, "%s ", prvcut_quote(safe, sizeof safe, r->name, strlen(r->name)));
    if (r->unit == PRVCUT_PROOF_IN_SHARE)
        brief_add(t, "%.0f %%%s%.0f %%%s", 100 * r->chop, middle, 100 * r->region, end);
    else if (r->unit == PRVCUT_PROOF_IN_BYTES)
        brief_add(t, "an iteration %s%s%s%s", prvcut_size_text(here, r->chop), middle,
                  prvcut_size_text(there, r->region), end);
    else
        brief_add(t, "%s%s%s%s%s", r->unit == PRVCUT_PROOF_IN_COUNT ? "an iteration " : "",
                  report_number(here, r->chop), middle, report_number(there, r->region), end);
}

/* Of a share that is neither nothing nor all. */
static double bct_percent(double share)
{
    return fmin(99, fmax(1, 100 * share));
}

/* "the loop", "region 1.6"; one: on one line */
static void bct_add_whole(struct brief_text *t, const struct made_reduction *r,
                          const struct made_chop *c, bool one)
{
    const struct made_region *p = &r->structure.region[c->is.region];
    const double clear = (double)c->clear / (double)p->is.loop_iterations;

    if (c->is.of_kind > 0 && r->is.kinds > 1) {
        brief_add(t, "kind %u", c->is.of_kind);
        return;
    }
    if (c->beside_kind > 0 && c->beside_kind <= r->is.kinds) {
        brief_add(t, "kind %u of %zu (%.0f %% of the time%s)", c->beside_kind, r->is.kinds,
                  bct_percent(r->kind[c->beside_kind - 1].share), one ? "" : ", see --kinds");
        return;
    }
    if (c->of_clear && clear < CLEAR_MOST && report_chop_of_loop(r, c) && !brief_disturbed(r, c))
        brief_add(t, "the clear %.0f %% of the loop", fmax(1, 100 * clear));
    else if (report_chop_of_loop(r, c))
        brief_add(t, brief_disturbed(r, c) ? "the loop, disturbed or not" : "the loop");
    else if (brief_disturbed(r, c))
        brief_add(t, "region %u.%u, disturbed or not", p->is.level, p->is.number);
    else
        brief_add(t, "region %u.%u", p->is.level, p->is.number);
}

/* The lengths first: a cut may spend its time as its loop does, and be ten times as long. */
static bool bct_add_off(struct brief_text *t, const struct made_reduction *r,
                        const struct made_chop *c)
{
    if (!report_length_is_off(r, c))
        return false;
    bct_add_longer(t, report_longer_there(r, c), "");
    if (!report_chop_of_loop(r, c))
        brief_add(t, " there");
    return true;
}

/* What the windows leave unsaid: what adds up over all of the loop may be another thing. */
static void bct_add_sum(struct brief_text *t, const struct made_proof *p)
{
    const struct prvcut_proof_row *row = p->is.rows > 0 ? &p->row[0] : NULL;
    bool balance;

    if (!row || p->is.verdict != PRVCUT_FAITH_DOUBTFUL)
        return;
    brief_add(t, "; the sum of all differs: ");
    bct_add_row(t, row, true);
    balance = strcmp(row->name, "load balance") == 0;
    if (balance && row->region > row->chop)
        brief_add(t, ", the imbalance wanders");
    else if (balance)
        brief_add(t, ", some are less balanced");
}

/* The same in as few words as can be, behind the windows: "; balance 78 %, in all of it 96 %".
   False: there is nothing to say of it, or no room. */
static bool bct_add_sum_short(struct brief_text *t, const struct brief *b,
                              const struct made_proof *p)
{
    const struct prvcut_proof_row *row = p->is.rows > 0 ? &p->row[0] : NULL;
    struct brief_text sum = { .count = 0 };
    char safe[64];

    if (!row || p->is.verdict != PRVCUT_FAITH_DOUBTFUL || row->unit != PRVCUT_PROOF_IN_SHARE)
        return false;
    brief_add(&sum, "; %s %.0f %%, in all of it %.0f %%",
              strcmp(row->name, "load balance") == 0
                  ? "balance"
                  : prvcut_quote(safe, sizeof safe, row->name, strlen(row->name)),
              100 * row->chop, 100 * row->region);
    if (b->terse >= BRIEF_ONE_LINE &&
        report_columns(t->at) + report_columns(sum.at) > b->width - BRIEF_HEADING)
        return false;
    brief_add(t, "%s", sum.at);
    return true;
}

/* "typical of 198 windows: load balance 91 %, usually 90 %" */
static void bct_add_beside(struct brief_text *t, const struct brief *b, const struct made_chop *c)
{
    const struct made_reduction *r = b->terse < BRIEF_ONE_LINE ? b->r : NULL;
    char count[32], worst[160], share[64];

    report_count(count, c->is.windows);
    if (c->is.verdict == PRVCUT_CHOP_IS_FEW)
        brief_add(t, ", with few windows to compare (%s)", count);
    else
        brief_add(t, ", %s %s %s windows", prvcut_chop_verdict_text(c->is.verdict),
                  c->is.verdict == PRVCUT_CHOP_IS_TYPICAL ? "of" : "among", count);
    /* All of a loop has other kinds in it, too: that is said already. */
    if (c->is.verdict != PRVCUT_CHOP_IS_UNUSUAL && c->is.of_kind == 0 && c->beside_kind == 0 &&
        b->terse >= BRIEF_ONE_ROW && bct_add_sum_short(t, b, &c->proof))
        return;
    brief_add(t, ": %s", report_worst_text(worst, r, c));
    if (c->is.verdict == PRVCUT_CHOP_IS_UNUSUAL)
        brief_add(t, " (%s)", report_worst_percentile_text(share, c));
    if (b->terse < BRIEF_ONE_ROW)
        bct_add_sum(t, &c->proof);
}

static void bct_add_verdict(struct brief_text *t, const struct made_reduction *r,
                            const struct made_chop *c, bool one)
{
    const enum prvcut_chop_verdict stands = report_stands(r, c);
    const struct made_proof *p = &c->proof;
    size_t second = 1;

    brief_add(t, ", %s%s: ", prvcut_chop_verdict_text(stands),
              stands == PRVCUT_CHOP_IS_FEW ? " to compare" : "");
    if (bct_add_off(t, r, c)) {
        if (p->is.verdict == PRVCUT_FAITH_FAITHFUL || one)
            return;
        brief_add(t, "; ");
        one = true;
    }
    if (p->is.verdict == PRVCUT_FAITH_FAITHFUL) {
        bct_add_worst(t, p);
        return;
    }
    bct_add_row(t, &p->row[0], true);
    while (second < p->is.rows && brief_same_time(&p->row[0], &p->row[second]))
        second++;
    if (!one && second < p->is.rows && p->is.verdict != PRVCUT_FAITH_FAIR &&
        fabs(p->row[second].error) * p->row[second].weight > 0.05) {
        brief_add(t, "; ");
        bct_add_row(t, &p->row[second], false);
    }
}

/* Behind its first clause: at ", ", "; " or the end. */
static char *bct_clause_end(char *text)
{
    while (*text && !(strchr(",;", *text) && text[1] == ' '))
        text++;
    return text;
}

/* Where one line must do, and what is furthest from the usual does not fit it, its verdict stays.
 */
static void bct_keep_verdict(const struct brief *b, struct brief_text *t)
{
    char *end = strstr(t->at, ": "), *clause = end ? bct_clause_end(end) : NULL;
    const size_t most = b->width - BRIEF_HEADING;
    char between;
    bool fits;

    if (b->terse < BRIEF_ONE_LINE || !end || report_columns(t->at) <= most)
        return;
    between = *clause;
    *clause = '\0';
    fits = report_columns(t->at) <= most;
    *clause = between;
    if (!fits)
        *end = '\0';
}

/* A loop of several kinds is not told by iterations of some. Few others are not worth it. one: all
   of it on one line, of which this must not be what is left out */
static void bct_add_held(struct brief_text *t, const struct made_reduction *r,
                         const struct made_chop *c, bool one)
{
    double share = 0;
    unsigned kinds = 0;
    char list[64] = "";

    for (unsigned i = 0; i < r->is.kinds; i++)
        if (c->kinds_held >> i & 1) {
            const size_t used = strlen(list);

            snprintf(list + used, sizeof list - used, "%s%u", used > 0 ? " and " : "", i + 1);
            share += r->kind[i].share;
            kinds++;
        }
    if (c->is.of_kind > 0 || c->beside_kind > 0 || kinds == 0 || kinds == r->is.kinds ||
        !prvcut_kinds_differ(r->kind, r->is.kinds))
        return;
    if (one)
        brief_add(t, ", of kind%s %s of %zu alone", kinds > 1 ? "s" : "", list, r->is.kinds);
    else
        brief_add(t, "; of kind%s %s of %zu alone (%.0f %% of the time), see --kinds",
                  kinds > 1 ? "s" : "", list, r->is.kinds, bct_percent(share));
}

static void bct_put_stands_for(struct brief *b, const struct made_chop *c)
{
    struct brief_text t = { .count = 0 };

    if (c->is.kind == PRVCUT_CHOP_OUTLIER)
        return;
    if (prvcut_loop_is_all(&b->r->structure.region[c->is.region], c->is.iterations)) {
        brief_add(&t, "the loop, all of which it holds");
    } else if (c->proof.is.verdict && c->proof.is.verdict != PRVCUT_FAITH_UNKNOWN) {
        bct_add_whole(&t, b->r, c, b->terse >= BRIEF_ONE_LINE);
        if (b->terse >= BRIEF_ONE_LINE)
            bct_add_held(&t, b->r, c, true);
        if (c->is.windows > 0 && c->is.verdict != PRVCUT_CHOP_IS_UNKNOWN)
            bct_add_beside(&t, b, c);
        else
            bct_add_verdict(&t, b->r, c, b->terse >= BRIEF_ONE_ROW);
        if (b->terse < BRIEF_ONE_LINE)
            bct_add_held(&t, b->r, c, false);
    } else {
        const double longer = report_longer(b->r, c);

        if (c->proof.unknown)
            brief_add(&t, "unknown: %s", c->proof.unknown);
        else
            brief_add(&t, c->proof.is.verdict ? "unknown: the trace has nothing to compare"
                                              : "not compared, try --proof");
        if (!isnan(longer))
            brief_add(&t, "; its iterations are %s",
                      fabs(longer) < LONGER_LEAST ? "as long as the median" : "");
        bct_add_longer(&t, longer, "");
    }
    bct_keep_verdict(b, &t);
    brief_line(b, "Stands for", "%s", t.at);
}

void brief_put_why(struct brief *b, const struct made_chop *c, bool several)
{
    struct brief_text t = { .count = 0 };
    char why[REPORT_WHY];

    if (c->is.causes == 0)
        return;
    if (several && c->is.iteration > 0) {
        brief_add_numbers(&t, c);
        brief_add(&t, ": ");
    }
    brief_add(&t, "%s", report_why_text(why, b->r, c));
    /* Never cut short: what comes last may be the reason. */
    report_head(&b->l, "Why");
    report_put_wrapped(&b->l, b->width, t.at);
}

void brief_put_cut(struct brief *b, const struct made_chop *c)
{
    bct_put_window(b, c);
    bct_put_stands_for(b, c);
    brief_put_time(b, c);
    brief_put_why(b, c, false);
    brief_put_efficiency(b, c);
}
