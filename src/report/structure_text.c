#include "report/loop.h"
#include "report/structure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Long lists are cut short for a person; the JSON has all of them. */
#define VOTES_SHOWN      20
#define LOOPS_SHOWN      6
#define REGIONS_SHOWN    12
#define OUTLIERS_SHOWN   6
#define DEPARTURES_SHOWN 4

static void stx_set_vote(struct report_table *t, const struct prvcut_vote *v)
{
    char(*cell)[REPORT_CELL] = report_row(t), text[32];
    const bool said = v->period_ns > 0;

    if (!cell)
        return;
    report_set(cell[0], v->metric);
    report_set(cell[1], said ? prvcut_time_text(text, v->period_ns) : "-");
    report_set(cell[2], said ? report_tenths(text, v->iterations) : "-");
    snprintf(cell[3], REPORT_CELL, said ? "%.2f" : "-", v->strength);
    report_set(cell[4], prvcut_stand_text(v->status));
    if (v->why && *v->why)
        t->tail[t->rows - 1] = v->why;
}

void report_put_votes(struct report_lines *l, const char *heading, const struct prvcut_vote *vote,
                      size_t votes)
{
    static const char *const heads[] = { "Repeats every", "Iterations", "Strength", "Says" };
    struct report_table t = { .align = "lrrrl" };
    char(*cell)[REPORT_CELL] = report_row(&t);

    if (votes == 0)
        return;
    report_set(cell[0], heading);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[1 + i], heads[i]);
    for (size_t i = 0; i < votes && i < VOTES_SHOWN; i++)
        stx_set_vote(&t, &vote[i]);
    report_put(l, "\n");
    report_put_table(l, &t);
}

void report_put_mask_sums(struct report_lines *l, const struct made_structure *s)
{
    struct prvcut_span loop;
    const bool known = report_main_span(s, &loop);
    const char *sign = ":";
    char text[32];

    report_put(l, "%zu stretch%s in all", s->is.masks, s->is.masks == 1 ? "" : "es");
    for (size_t i = 0; i < s->is.masks; i++) {
        const enum prvcut_cause cause = s->mask[i].cause;
        const struct report_stretches all = report_stretches_in(s, cause, NULL);
        struct report_stretches inside = all;
        bool before = false;

        for (size_t k = 0; k < i && !before; k++)
            before = s->mask[k].cause == cause;
        if (before)
            continue;
        report_put(l, "%s %zu with %s (%s", sign, all.count, report_cause(cause),
                   prvcut_time_text(text, all.sum_ns));
        if (known)
            inside = report_stretches_in(s, cause, &loop);
        if (inside.count == 0)
            report_put(l, "; none in the loop");
        else if (inside.count < all.count)
            report_put(l, "; %zu in the loop: %s", inside.count,
                       prvcut_time_text(text, inside.sum_ns));
        report_put(l, ")");
        sign = ",";
    }
}

/* A count and its noun. */
static void stx_put_number(struct report_lines *l, const char *before, uint64_t n, const char *noun)
{
    char text[32];

    report_put(l, "%s%s %s%s", before, report_count(text, n), noun, n == 1 ? "" : "s");
}

void report_put_set(struct report_lines *l, const struct made_structure *s)
{
    if (s->is.clock) {
        report_head(l, "Clock");
        report_put(l, "%s of all threads: 1ns is one of them\n", s->is.clock);
    }
    if (!s->is.set)
        return;
    report_head(l, "Set");
    report_put(l, "%s\n", s->is.set);
}

static void stx_put_line(struct report_lines *l, const char *head, const char *text)
{
    if (*text == '\0')
        return;
    report_head(l, head);
    report_put(l, "%s\n", text);
}

/* What the main loop may be instead, and up to where it was counted. */
static void stx_put_doubts(struct report_lines *l, const struct made_structure *s)
{
    const struct made_region *main = s->is.main < s->is.regions ? &s->region[s->is.main] : NULL;
    char rounds[REPORT_ROUNDS], counted[REPORT_COUNTED];

    stx_put_line(l, "Rounds", report_rounds(rounds, main));
    stx_put_line(l, "Counted", report_counted(counted, main));
}

static void stx_put_head(struct report_lines *l, const struct made_structure *s)
{
    const struct report_clock c = report_clock_for(s->is.end_ns, 0);
    char from[40], to[40], all[32];
    size_t periodic = 0;

    report_head(l, "Structure");
    for (size_t i = 0; i < s->is.regions; i++)
        periodic += s->region[i].is.loop > 0;
    if (s->is.loops == 0) {
        report_put(l, "no loop found: %s\n", s->is.reason ? s->is.reason : "");
    } else {
        stx_put_number(l, "", s->is.levels, "level");
        stx_put_number(l, ", ", s->is.loops, "loop");
        stx_put_number(l, ", ", periodic, "region");
        report_put(l, "\n");
    }
    report_head(l, "Span");
    report_put(l, "%s to %s of %s\n", report_clock_time(from, &c, s->is.span.start, c.places),
               report_clock_time(to, &c, s->is.span.end, c.places),
               prvcut_time_text(all, (double)s->is.end_ns));
    report_put_set(l, s);
    stx_put_doubts(l, s);
    if (s->is.masks == 0)
        return;
    report_head(l, "Disturbed");
    report_put_mask_sums(l, s);
    if (s->is.iterations_masked > 0)
        stx_put_number(l, "; they disturb ", s->is.iterations_masked, "iteration");
    report_put(l, "\n");
    for (size_t i = 0, told = 0; i < s->is.masks && !told; i++) {
        told = s->mask[i].cause == PRVCUT_CAUSE_FLUSHING;
        if (told)
            report_put(l,
                       "%-12sa stretch holds all threads' flushes that are near each other, and an "
                       "iteration more\n",
                       "");
    }
}

/* --- Lengths ---------------------------------------------------------------------------------- */

static void stx_set_time(char cell[REPORT_CELL], double ns)
{
    char text[32];

    report_set(cell, ns > 0 ? prvcut_time_text(text, ns) : "-");
}

static void stx_set_lengths(struct report_table *t, const struct made_region *r)
{
    char(*cell)[REPORT_CELL] = report_row(t), text[32];

    if (!cell)
        return;
    snprintf(cell[0], REPORT_CELL, "  %u.%u", r->is.level, r->is.number);
    stx_set_time(cell[1], r->is.first_ns);
    stx_set_time(cell[2], r->is.median_ns);
    stx_set_time(cell[3], r->is.last_ns);
    report_set(cell[4], prvcut_time_text(text, r->is.spread_ns));
    report_set(cell[5], "-");
    if (r->is.calls_per_iteration > 0)
        report_set(cell[5], report_count(text, (uint64_t)llround(r->is.calls_per_iteration)));
    report_set(cell[6], "-");
    if (r->is.examined > 0)
        snprintf(cell[6], REPORT_CELL, "%u of %u", r->is.followers, r->is.examined);
    report_set(cell[7], r->is.alphabet ? r->is.alphabet : "");
}

static void stx_put_lengths(struct report_lines *l, const struct made_structure *s)
{
    static const char *const heads[] = { "Lengths", "First", "Median",  "Last",
                                         "Spread",  "Calls", "Threads", "Compared" };
    struct report_table t = { .align = "lrrrrrrl" };
    char(*cell)[REPORT_CELL] = report_row(&t);
    size_t more = 0;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[i], heads[i]);
    for (unsigned level = 1; level <= s->is.levels; level++)
        for (size_t i = 0; i < s->is.regions; i++) {
            if (s->region[i].is.level != level || s->region[i].is.loop == 0)
                continue;
            if (t.rows > REGIONS_SHOWN)
                more++;
            else
                stx_set_lengths(&t, &s->region[i]);
        }
    report_put(l, "\n");
    report_put_table(l, &t);
    if (more > 0)
        report_put(l, "and %zu more; --json has them all\n", more);
}

/* --- Iterations that stand out, and those with other calls ------------------------------------ */

double report_from_median(const struct made_region *r, const struct prvcut_outlier *o)
{
    const double off = (double)(o->span.end - o->span.start) - r->is.median_ns;

    return r->is.spread_ns > 0 ? off / r->is.spread_ns : off < 0 ? -INFINITY : INFINITY;
}

void report_put_from_median(struct report_lines *l, const struct made_region *r,
                            const struct prvcut_outlier *o)
{
    const double off = report_from_median(r, o);
    char text[32];

    if (isfinite(off))
        report_put(l, ", %s", report_signed(text, off));
    else
        report_put(l, r->is.iterations < 2 ? ", the only one of its region"
                                           : ", the others are equally long");
}

static void stx_put_outliers(struct report_lines *l, const struct made_region *r)
{
    char text[32];

    report_put(l, "  %u.%u: iteration%s", r->is.level, r->is.number,
               r->is.outliers == 1 ? "" : "s");
    for (size_t i = 0; i < r->is.outliers && i < OUTLIERS_SHOWN; i++) {
        const struct prvcut_outlier *o = &r->outlier[i];

        report_put(l, "%s %" PRIu64 " (%s", i > 0 ? "," : "", r->is.first + o->iteration,
                   prvcut_outlier_why_text(o->why));
        report_put_from_median(l, r, o);
        report_put(l, ", %s)", report_signed(text, o->deviation));
    }
    if (r->is.outliers_seen > OUTLIERS_SHOWN)
        report_put(l, " and %s more", report_count(text, r->is.outliers_seen - OUTLIERS_SHOWN));
    report_put(l, "\n");
}

static void stx_put_departure(struct report_lines *l, const struct made_region *r,
                              const struct prvcut_departure *d)
{
    report_put(l, "iteration %" PRIu64, r->is.first + d->first);
    if (d->every > 0)
        report_put(l, " and every %" PRIu64 " from there", d->every);
    else if (d->count > 1)
        report_put(l, " and %" PRIu64 " more", d->count - 1);
    if (d->calls != 0)
        report_put(l, ", %+" PRId64 " call%s", d->calls,
                   d->calls == 1 || d->calls == -1 ? "" : "s");
    else
        report_put(l, ", as many calls");
}

static void stx_put_departures(struct report_lines *l, const struct made_region *r)
{
    report_put(l, "  %u.%u: ", r->is.level, r->is.number);
    for (size_t i = 0; i < r->is.departures && i < DEPARTURES_SHOWN; i++) {
        report_put(l, "%s", i > 0 ? "; " : "");
        stx_put_departure(l, r, &r->departure[i]);
    }
    if (r->is.departures > DEPARTURES_SHOWN)
        report_put(l, "; and %zu more kinds", r->is.departures - DEPARTURES_SHOWN);
    report_put(l, "\n");
}

/* One line a region that has any, under a heading. */
static void stx_put_each(struct report_lines *l, const struct made_structure *s,
                         const char *heading, size_t (*count)(const struct made_region *),
                         void (*put)(struct report_lines *, const struct made_region *))
{
    size_t shown = 0;

    for (unsigned level = 1; level <= s->is.levels; level++)
        for (size_t i = 0; i < s->is.regions; i++) {
            if (s->region[i].is.level != level || count(&s->region[i]) == 0)
                continue;
            if (shown == 0)
                report_put(l, "\n%s\n", heading);
            if (shown++ < REGIONS_SHOWN)
                put(l, &s->region[i]);
        }
    if (shown > REGIONS_SHOWN)
        report_put(l, "and %zu more; --json has them all\n", shown - REGIONS_SHOWN);
}

static size_t stx_outliers(const struct made_region *r)
{
    return r->is.outliers;
}

static size_t stx_departures(const struct made_region *r)
{
    return r->is.departures;
}

/* The region that holds the votes of a loop; NULL: none does. */
static const struct made_region *stx_voted(const struct made_structure *s, unsigned loop)
{
    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.loop == loop && s->region[i].is.votes > 0)
            return &s->region[i];
    return NULL;
}

static void stx_put_all_votes(struct report_lines *l, const struct made_structure *s)
{
    size_t shown = 0;

    for (unsigned loop = 1; loop <= s->is.loops; loop++) {
        const struct made_region *r = stx_voted(s, loop);
        char heading[32], letter[16];

        if (!r || shown++ >= LOOPS_SHOWN)
            continue;
        snprintf(heading, sizeof heading, "Loop %s", report_loop_letter(letter, loop));
        report_put_votes(l, heading, r->vote, r->is.votes);
    }
    if (shown > LOOPS_SHOWN)
        report_put(l, "and %zu more loops; --json has them all\n", shown - LOOPS_SHOWN);
}

enum prvcut_status prvcut_structure_text(const struct prvcut_structure *view, char **text,
                                         struct prvcut_error *err)
{
    const struct made_structure *s = made_structure_of(view);
    struct report_lines l = { .err = err };

    stx_put_head(&l, s);
    report_put_levels(&l, s, 1);
    if (s->is.loops > 0)
        stx_put_lengths(&l, s);
    stx_put_each(&l, s, "Unusual (spreads from the median; from what is usual around it)",
                 stx_outliers, stx_put_outliers);
    report_put_causes(&l, s, REPORT_CAUSES);
    report_put_unexplained(&l, s);
    stx_put_each(&l, s, "Other calls than usual", stx_departures, stx_put_departures);
    stx_put_all_votes(&l, s);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
