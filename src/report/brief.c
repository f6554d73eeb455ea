#include "report/brief.h"

#include "analysis/kinds.h"
#include "report/called.h"
#include "report/loop.h"
#include "report/regions.h"
#include "report/size.h"
#include "report/structure.h"
#include "signal/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADING  BRIEF_HEADING
#define LEFT_OUT "; left out"
#define SEE      ", see \"Stands for\""
/* Cuts that are named one by one. */
#define CUTS_SHOWN 12
/* Lengths of a kind up to this ratio are told as one. */
#define KIND_ALIKE 1.25

static const char *brf_plural(double n)
{
    return fabs(n - 1) < 0.05 ? "" : "s";
}

/* --- What was written ------------------------------------------------------------------------- */

/* "(27 times smaller; not written)": what goes without saying is left out. */
static void brf_add_smaller(struct brief_text *t, const struct brief *b, double times, bool judged)
{
    const struct made_reduction *r = b->r;
    const bool told =
        !judged && isfinite(times) && times >= SMALLER_LEAST && b->terse < BRIEF_ONE_LINE;
    char text[32];

    if (told)
        brief_add(t, " (%s times smaller%s)",
                  times < 10 ? report_tenths(text, times)
                             : report_count(text, (uint64_t)(times + 0.5)),
                  r->is.dry_run ? "; not written" : "");
    else if (r->is.dry_run)
        brief_add(t, " (not written)");
}

static void brf_put_written(struct brief *b, const struct made_chop *c, bool several)
{
    const struct made_reduction *r = b->r;
    const struct report_sizes sizes = report_sizes_of(r, c);
    const double before = sizes.before, after = sizes.after;
    struct brief_text t = { .count = 0 };
    char text[32], safe[512];
    const char *file = c->cut.files > 0 && c->cut.file[0] ? c->cut.file[0]
                       : c->is.path                       ? c->is.path
                                                          : "";

    brief_add(&t, "%s: ", prvcut_quote(safe, sizeof safe, file, strlen(file)));
    if (several && c->is.iteration > 0)
        brief_add_numbers(&t, c);
    else
        brief_add(&t, "%u", c->is.iterations);
    if (c->is.of_kind > 0 && r->is.kinds > 1)
        brief_add(&t, ", for %" PRIu64, c->is.weight);
    brief_add(&t, " of %s", report_tenths(text, report_loop_of(r, c->is.region).iterations));
    if (!several || c->is.iteration == 0)
        brief_add(&t, " iterations");
    if (c->is.of_kind > 0 && r->is.kinds > 1)
        brief_add(&t, " (%.0f %% of the loop's time)", 100 * c->is.share);
    brief_add(&t, ", %s%s%s", sizes.about ? "about " : "", prvcut_size_text(text, after),
              sizes.uncompressed ? " uncompressed" : "");
    brief_add(&t, " of %s", prvcut_size_text(text, before));
    if (brief_misleads(r, c))
        brief_add(&t, " - NOT typical");
    else if (brief_is_local(r, c))
        brief_add(&t, " - typical of region %u.%u alone", c->is.level, c->is.number);
    if (brief_misleads(r, c) && !several && report_columns(t.at) + strlen(SEE) <= b->width)
        brief_add(&t, SEE);
    brf_add_smaller(&t, b, before / after, brief_misleads(r, c) || brief_is_local(r, c));
    report_put_whole(&b->l, b->width, t.at);
}

static void brf_put_all_written(struct brief *b)
{
    const struct made_reduction *r = b->r;
    size_t shown = r->is.chops > CUTS_SHOWN ? CUTS_SHOWN - 1 : r->is.chops, misleading = 0;

    for (size_t i = 0; i < shown; i++)
        brf_put_written(b, &r->chop[i], r->is.chops > 1);
    for (size_t i = shown; i < r->is.chops; i++)
        misleading += brief_misleads(r, &r->chop[i]);
    if (shown < r->is.chops)
        report_put(&b->l, "and %zu more, %zu of them NOT typical (-v lists all)\n",
                   r->is.chops - shown, misleading);
}

/* --- The loop --------------------------------------------------------------------------------- */

/* Of a loop that is seen twice, what is inside it was cut. */
static void brf_put_loop_of_two(struct brief *b, const struct made_region *inner)
{
    const struct made_reduction *r = b->r;
    const struct report_clock c = report_clock_for(r->is.end_ns, 0);
    struct brief_text t = { .count = 0 };
    char text[64];

    brief_add(&t, "a loop of two: 2 iterations of %s", prvcut_time_text(text, r->is.period_ns));
    brief_add(&t, ", %s", report_clock_time(text, &c, r->is.phase.start, c.places));
    brief_add(&t, " to %s", report_clock_time(text, &c, r->is.phase.end, c.places));
    if (inner) {
        brief_add(&t, "; the cut is of level %u, inside one of them: %s iterations of ",
                  inner->is.level, report_tenths(text, inner->is.iterations));
        brief_add(
            &t, "%s",
            report_length(text, inner->is.median_ns, inner->is.spread_ns, inner->is.period_ns));
    }
    brief_line(b, "Loop", "%s", t.at);
}

/* "97 of 72ms, 57 of 320ms to 540ms" */
static void brf_add_kinds(struct brief_text *t, const struct report_loop *loop, bool medians)
{
    for (size_t i = 0; i < loop->kinds; i++) {
        const struct prvcut_kind *g = &loop->kind[i];
        const bool alike = medians || g->longest_ns <= KIND_ALIKE * g->shortest_ns;
        char count[32], text[40];

        brief_add(t, "%s%s of %s", i > 0 ? ", " : ": ", report_count(count, g->iterations),
                  prvcut_time_text(text, alike ? g->median_ns : g->shortest_ns));
        if (!alike)
            brief_add(t, " to %s", prvcut_time_text(text, g->longest_ns));
    }
}

/* Kinds are told as long as all of them fit, and more than a few iterations are of another. */
static bool brf_tells_kinds(const struct brief *b, const struct brief_text *before,
                            const struct report_loop *loop)
{
    struct brief_text t = *before;

    brf_add_kinds(&t, loop, true);
    return prvcut_kinds_differ(loop->kind, loop->kinds) &&
           (b->terse < BRIEF_ONE_LINE || report_columns(t.at) <= b->width - HEADING);
}

/* ", mean 95.7ms; median of 82 undisturbed 44.3ms (± 0.5)": most are disturbed, and the usual one
   of all is one of them. */
static void brf_add_clear_length(struct brief_text *t, const struct report_loop *loop)
{
    char count[32], text[64];

    brief_add(t, ", mean %s; ", prvcut_time_text(text, loop->period_ns));
    brief_add(t, "median of %s undisturbed %s",
              report_tenths(count, loop->iterations - (double)loop->disturbed),
              report_length(text, loop->median_ns, loop->spread_ns, loop->median_ns));
}

/* How long an iteration is; whether kinds are told. The median, which the line 'Cut' compares with,
   goes before the kinds do. */
static bool brf_add_length(const struct brief *b, struct brief_text *t,
                           const struct report_loop *loop)
{
    const double clear = loop->iterations - (double)loop->disturbed;
    struct brief_text kinds = *t, bare;
    char text[64];

    brief_add(&kinds, ", mean %s", prvcut_time_text(text, loop->period_ns));
    bare = kinds;
    if (report_mean_is_far(loop->median_ns, loop->period_ns))
        brief_add(&kinds, ", median %s", prvcut_time_text(text, loop->median_ns));
    if (!brf_tells_kinds(b, &kinds, loop))
        kinds = bare;
    if (brf_tells_kinds(b, &kinds, loop)) {
        *t = kinds;
        brf_add_kinds(t, loop, b->terse >= BRIEF_MEDIANS);
        return true;
    }
    if (clear > 0 && clear < CLEAR_MOST * loop->iterations &&
        report_mean_is_far(loop->median_ns, loop->period_ns)) {
        brf_add_clear_length(t, loop);
    } else if (loop->spread_ns > 0 || !loop->main) {
        brief_add(t, " of %s",
                  report_length(text, loop->median_ns, loop->spread_ns, loop->period_ns));
    } else {
        brief_add(t, " of %s", prvcut_time_text(text, loop->period_ns));
    }
    return false;
}

static void brf_put_loop(struct brief *b)
{
    const struct made_reduction *r = b->r;
    struct report_loop loop = report_loop_cut(r);
    const struct report_clock c =
        report_clock_for(r->is.end_ns, loop.inner ? (double)(loop.span.end - loop.span.start) : 0);
    struct brief_text t = { .count = 0 };
    bool kinds;
    char text[40];

    if (r->is.given_ns == 0 && fabs(r->is.iterations - 2) < 0.5 &&
        (!loop.inner || loop.region->is.level == 2)) {
        brf_put_loop_of_two(b, loop.inner ? loop.region : NULL);
        return;
    }
    brief_add(&t, "%s iteration%s", report_tenths(text, loop.iterations),
              brf_plural(loop.iterations));
    report_loop_kinds(&loop, r);
    kinds = brf_add_length(b, &t, &loop);
    if (loop.stretches > 1)
        brief_add(&t, ", in %u stretches", loop.stretches);
    if (b->terse < BRIEF_NO_SPAN) {
        brief_add(&t, "%s %s", kinds ? "; from" : ",",
                  report_clock_time(text, &c, loop.span.start, c.places));
        brief_add(&t, " to %s", report_clock_time(text, &c, loop.span.end, c.places));
    }
    if (b->terse < BRIEF_NO_SPAN && !loop.inner &&
        report_columns(t.at) + 4 + strlen(report_clock_time(text, &c, r->is.end_ns, c.places)) <=
            b->width - HEADING)
        brief_add(&t, " of %s", text);
    if (loop.inner)
        brief_add(&t, " (region %u.%u, inside one iteration)", loop.region->is.level,
                  loop.region->is.number);
    brief_line(b, "Loop", "%s", t.at);
}

static const enum prvcut_cause brf_causes[] = { PRVCUT_CAUSE_FLUSHING, PRVCUT_CAUSE_PREEMPTION,
                                                PRVCUT_CAUSE_CLOGGED };
#define BRF_CAUSES (sizeof brf_causes / sizeof *brf_causes)

/* "9 stretches with trace flushes (33ms)", of what lies in the loop. */
static void brf_add_cause(struct brief_text *t, const struct made_reduction *r,
                          const struct prvcut_span *loop, size_t cause, bool *told)
{
    const struct report_stretches in = report_stretches_in(&r->structure, brf_causes[cause], loop);
    char text[32];

    if (in.count == 0)
        return;
    brief_add(t, "%s %s", *told ? "," : ":", report_count(text, in.count));
    if (!*told)
        brief_add(t, " stretch%s", in.count == 1 ? "" : "es");
    brief_add(t, " with %s", report_cause(brf_causes[cause]));
    brief_add(t, " (%s)", prvcut_time_text(text, in.sum_ns));
    *told = true;
}

/* The one that takes most of the time, "5 stretches with slow messages (3.57s), 1 with another
 * cause". */
static void brf_add_main_cause(struct brief_text *t, const struct made_reduction *r,
                               const struct prvcut_span *loop)
{
    size_t main = 0;
    uint64_t all = 0, own = 0;
    double most = -1;
    bool told = false;
    char text[32];

    for (size_t i = 0; i < BRF_CAUSES; i++) {
        const struct report_stretches in = report_stretches_in(&r->structure, brf_causes[i], loop);

        all += in.count;
        if (in.count > 0 && in.sum_ns > most) {
            most = in.sum_ns;
            own = in.count;
            main = i;
        }
    }
    brf_add_cause(t, r, loop, main, &told);
    if (all > own)
        brief_add(t, ", %s with %s", report_count(text, all - own),
                  all - own == 1 ? "another cause" : "other causes");
}

/* "; all in the cut", "; 3 in the cut", "; 2 cuts hold some of them", "; left out" */
static void brf_add_touched(struct brief *b, struct brief_text *t)
{
    const struct made_reduction *r = b->r;
    size_t touched = 0;
    unsigned inside = 0;
    enum brief_touch touch = BRIEF_CLEAR;
    size_t beside = 0;

    for (size_t i = 0; i < r->is.chops; i++) {
        touch = brief_touched(r, &r->chop[i], &inside);
        touched += touch == BRIEF_INSIDE;
        beside += touch == BRIEF_BESIDE;
    }
    if (r->is.chops == 1 && touch == BRIEF_BESIDE)
        brief_add(t, "; one of them overlaps the cut on some ranks");
    else if (r->is.chops == 1 && inside == r->chop[0].is.iterations)
        brief_add(t, inside == 1 ? "; the cut is one of them" : "; all %u in the cut", inside);
    else if (r->is.chops == 1 && inside > 0)
        brief_add(t, "; %u in the cut", inside);
    else if (r->is.chops == 1 && touch == BRIEF_INSIDE)
        brief_add(t, "; some in the cut");
    else if (touched > 0)
        brief_add(t, "; %zu cut%s some of them", touched, touched == 1 ? " holds" : "s hold");
    else if (beside > 0)
        brief_add(t, "; %zu cut%s overlapped on some ranks", beside, beside == 1 ? " is" : "s are");
    else if (report_columns(t->at) + strlen(LEFT_OUT) <= b->width - HEADING)
        brief_add(t, LEFT_OUT);
}

/* "16 of them: 8 stretches with trace flushes (28.5ms); 1 in the cut" */
static void brf_add_disturbed(struct brief *b, struct brief_text *t, const struct report_loop *loop,
                              bool causes)
{
    const struct made_reduction *r = b->r;
    bool told = false;
    char text[32];

    *t = (struct brief_text){ .count = 0 };
    brief_add(t, "%s of them", report_count(text, loop->disturbed));
    if (causes && b->terse >= BRIEF_ONE_CAUSE)
        brf_add_main_cause(t, r, &loop->span);
    for (size_t i = 0; causes && b->terse < BRIEF_ONE_CAUSE && i < BRF_CAUSES; i++)
        brf_add_cause(t, r, &loop->span, i, &told);
    brf_add_touched(b, t);
}

/* What it is to the cut counts for more than what disturbs. */
static void brf_put_disturbed(struct brief *b)
{
    const struct report_loop loop = report_loop_cut(b->r);
    struct brief_text t;

    if (loop.disturbed == 0)
        return;
    brf_add_disturbed(b, &t, &loop, true);
    if (b->terse >= BRIEF_ONE_LINE && report_columns(t.at) > b->width - HEADING)
        brf_add_disturbed(b, &t, &loop, false);
    brief_line(b, "Disturbed", "%s", t.at);
}

/* --- Clocks ------------------------------------------------------------------------------------
 */

static void brf_put_clocks(struct brief *b)
{
    const struct prvcut_clock_report *c = &b->r->clocks;
    char apart[32], within[32];

    if (!c->skewed)
        return;
    brief_line(b, "Clocks", "of the ranks were %s apart; brought together to within %s%s",
               prvcut_time_text(apart, (double)c->spread_ns),
               prvcut_time_text(within, (double)c->doubt_ns),
               b->r->is.own_clocks             ? "; the cut keeps each one's own"
               : b->terse >= BRIEF_NO_WAY_BACK ? ""
                                               : " (--own-clocks keeps them)");
}

static bool brf_is_asked(const struct made_reduction *r, const char *metric)
{
    for (size_t i = 0; i < r->is.votes; i++)
        if (strcmp(r->vote[i].metric, metric) == 0)
            return true;
    return false;
}

/* Of what is searched where --metric names nothing, what it left out. */
static void brf_put_not_asked(struct brief *b, bool calls)
{
    struct brief_text t = { .count = 0 };

    for (size_t i = 0; i < PRVCUT_METRICS; i++) {
        const char *name = prvcut_metric_table[i].name;

        if ((PRVCUT_METRICS_DETECTING >> i & 1) && !brf_is_asked(b->r, name))
            brief_add(&t, "%s%s", t.count > 0 ? ", " : "", name);
    }
    if (!calls)
        brief_add(&t, "%scalls", t.count > 0 ? ", " : "");
    brief_line(b, "Perhaps",
               "what --metric leaves out shows the loop: %s; without it all are searched", t.at);
}

/* --- No loop ---------------------------------------------------------------------------------- */

static void brf_put_none(struct brief *b)
{
    const struct made_reduction *r = b->r;
    size_t asked = 0, absent = 0;
    bool calls = false, callless = false;
    struct brief_text t = { .count = 0 };
    char safe[512], from[32], to[32];
    const char *name = report_called(r);

    report_put(&b->l, "%s: no loop found, nothing written (exit status 4)\n",
               prvcut_quote(safe, sizeof safe, name, strlen(name)));
    if (r->is.records == 0) {
        brief_line(b, "Because", "%s", r->is.reason ? r->is.reason : "");
        return;
    }
    for (size_t i = 0; i < r->is.votes; i++) {
        const bool missing = r->vote[i].status == PRVCUT_STAND_ABSENT;

        if (strcmp(r->vote[i].metric, "calls") == 0) {
            calls = true;
            callless = missing;
        } else if (missing) {
            absent++;
        } else {
            asked++;
        }
    }
    brief_add(
        &t, "%s to %s: %s%zu signal%s", prvcut_time_text(from, (double)r->structure.is.span.start),
        prvcut_time_text(to, (double)r->structure.is.span.end),
        calls && !callless ? "the order of the calls and " : "", asked, asked == 1 ? "" : "s");
    if (callless || absent > 0)
        brief_add(&t, "; the trace has %s", callless ? "no calls" : "");
    if (absent > 0)
        brief_add(&t, "%snothing for %zu more", callless ? ", and " : "", absent);
    brief_line(b, "Looked at", "%s", t.at);
    brief_line(b, "Because", "%s", r->is.reason ? r->is.reason : "");
    /* All that there is votes, unless --metric names some. */
    if (!calls || asked + absent == 0) {
        brf_put_not_asked(b, calls);
        return;
    }
    brief_line(b, "Perhaps",
               "the loop makes no calls, runs fewer than 3 times, or its calls depend on data%s",
               b->terse >= BRIEF_NO_WAY_BACK
                   ? ""
                   : "; --period TIME, if you know how long an iteration takes");
}

/* A loop there is, but not at the level that was asked for. */
static void brf_put_nothing_cut(struct brief *b)
{
    const struct made_reduction *r = b->r;
    char safe[512];
    const char *name = report_called(r);

    report_put(&b->l, "%s: nothing written (exit status 4)\n",
               prvcut_quote(safe, sizeof safe, name, strlen(name)));
    brf_put_loop(b);
}

static void brf_put_notes(struct brief *b)
{
    const struct made_reduction *r = b->r;
    unsigned told = 0, all = 0;

    for (unsigned i = 0; i < r->is.notes; i++)
        all += !(r->asides >> i & 1);
    for (unsigned i = 0; i < r->is.notes; i++) {
        if (r->asides >> i & 1 || (b->terse >= BRIEF_ONE_NOTE && told > 0))
            continue;
        told++;
        brief_line(b, "Note", "%s", r->note[i]);
    }
    if (told < all)
        brief_line(b, "", "and %u more note%s (-v shows all)", all - told,
                   all - told == 1 ? "" : "s");
}

static enum prvcut_status brf_render(struct brief *b, char **text)
{
    const struct made_reduction *r = b->r;

    if (r->is.chops > 0)
        brf_put_all_written(b);
    else if (r->is.periodic)
        brf_put_nothing_cut(b);
    else
        brf_put_none(b);
    if (report_has_regions(r))
        report_put_regions(&b->l, r, CUTS_SHOWN);
    if (r->is.chops > 0)
        brf_put_loop(b);
    if (r->is.periodic) {
        brf_put_disturbed(b);
        brief_put_sure(b);
    }
    brf_put_clocks(b);
    if (r->is.chops == 1)
        brief_put_cut(b, &r->chop[0]);
    for (size_t i = 0; r->is.chops > 1 && i < r->is.chops && i < CUTS_SHOWN; i++)
        brief_put_why(b, &r->chop[i], true);
    brf_put_notes(b);
    brief_put_next(b);
    return report_take(&b->l, text);
}

enum prvcut_status prvcut_reduction_brief(const struct prvcut_reduction *view, unsigned width,
                                          char **text, struct prvcut_error *err)
{
    const struct made_reduction *r = made_reduction_of(view);
    struct brief b = { .l = { .err = err }, .r = r, .width = width < 60 ? 80 : width };
    enum prvcut_status st = brf_render(&b, text);

    while (st == PRVCUT_OK && r->is.chops < 2 && report_count_lines(*text) > REPORT_LINES &&
           b.terse < BRIEF_LEAST) {
        b.terse++;
        free(*text);
        *text = NULL;
        st = brf_render(&b, text);
    }
    return st;
}
