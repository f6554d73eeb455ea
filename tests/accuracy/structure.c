#include "structure.h"

#include "prvcut/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* LIMITS */
#define LEAST_OUTER 1.0  /* share of the outermost loops that are right */
#define LEAST_INNER 1.0  /* of those inside, where they are known */
#define ROOM        0.03 /* of a period */
#define COUNT_ROOM  0.02 /* of a number of iterations, where that is more than 1 */
#define SHOWN       12   /* loops of a trace */

void structure_head(void)
{
    printf("%-28s%6s%12s%12s%9s%11s%6s  %-11s%s\n", "trace", "level", "from", "to", "iter",
           "period", "conf", "source", "expected");
}

static void print_time(int width, double ns)
{
    char text[32];

    printf("%*s", width, prvcut_time_text(text, ns));
}

static void print_loop(const struct prvcut_region *r, const char *name)
{
    printf("%-28s%6u", name, r->level);
    print_time(12, (double)r->span.start);
    print_time(12, (double)r->span.end);
    printf("%9.1f", r->iterations);
    print_time(11, r->period_ns);
    printf("%6.2f  %-11s", r->confidence,
           r->found_by == PRVCUT_FOUND_BY_SIGNAL ? r->metric : prvcut_found_by_text(r->found_by));
}

static bool periodic(const struct prvcut_region *r)
{
    return r->kind == PRVCUT_REGION_PERIODIC;
}

/* In all regions that repeat the same loop. */
static double iterations_of(const struct prvcut_structure *s, const struct prvcut_region *main)
{
    double sum = 0;

    for (size_t i = 0; i < s->regions; i++)
        if (periodic(prvcut_structure_region(s, i)) && prvcut_structure_region(s, i)->level == 1 &&
            prvcut_structure_region(s, i)->loop == main->loop)
            sum += prvcut_structure_region(s, i)->iterations;
    return sum;
}

static bool near_count(double have, double want)
{
    return fabs(have - want) <= 1 + 1e-9 || fabs(have - want) <= COUNT_ROOM * want;
}

/*
 * What masks leave of a loop is of other length than all of it: a region beside a mask is held
 * against the iterations that the program itself marked there.
 */
static double marked_period(const struct marks *m, const struct prvcut_region *r)
{
    const double held = marks_between(m, (double)r->span.start, (double)r->span.end);

    return held > 0 ? (double)(r->span.end - r->span.start) / held : 0;
}

static bool within(double period, double low, double high)
{
    return period >= (1 - ROOM) * low && period <= (1 + ROOM) * high;
}

static bool outer_right(const struct truth *t, const struct prvcut_structure *s,
                        const struct marks *m)
{
    const struct prvcut_region *r;
    double all, masked, local = 0;

    if (s->main == SIZE_MAX)
        return false;
    r = prvcut_structure_region(s, s->main);
    all = iterations_of(s, r);
    masked = (double)s->iterations_masked;
    if (masked > 0)
        local = marked_period(m, r);
    for (unsigned i = 0; i < t->factors; i++) {
        const double f = t->factor[i], want = t->iterations / f;

        if ((within(r->period_ns, t->low * f, t->high * f) ||
             within(r->period_ns, local * f, local * f)) &&
            (near_count(all, want) || near_count(all + masked, want)))
            return true;
    }
    return false;
}

/* A loop in the example of a region of the main loop. */
static bool inner_right(const struct truth *t, const struct prvcut_structure *s)
{
    const unsigned loop = s->main == SIZE_MAX ? 0 : prvcut_structure_region(s, s->main)->loop;

    for (size_t i = 0; loop > 0 && i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i), *parent;
        double part;

        if (!periodic(r) || r->level != 2 || r->parent >= s->regions ||
            prvcut_structure_region(s, r->parent)->loop != loop)
            continue;
        parent = prvcut_structure_region(s, r->parent);
        part = r->period_ns * r->iterations / (double)(parent->example.end - parent->example.start);
        if (r->iterations >= t->inner.least && r->iterations <= t->inner.most &&
            part >= t->inner.part_low && part <= t->inner.part_high)
            return true;
    }
    return false;
}

static void print_expected(const struct truth *t, unsigned level)
{
    if (level == 1 && t->kind == TRUTH_PERIODIC) {
        printf("%.0f of", t->iterations);
        print_time(9, t->low);
        print_time(9, t->high);
    } else if (level == 2 && t->inner.most > 0) {
        printf("%.0f to %.0f", t->inner.least, t->inner.most);
    }
}

static void print_loops(const struct truth *t, const struct prvcut_structure *s, const char *name)
{
    unsigned level = 0, shown = 0, left = 0;

    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);

        if (!periodic(r))
            continue;
        if (shown++ >= SHOWN) {
            left++;
            continue;
        }
        print_loop(r, shown == 1 ? name : "");
        if (r->level != level)
            print_expected(t, r->level);
        level = r->level;
        printf("\n");
    }
    if (left > 0)
        printf("%-28s%6s and %u more\n", "", "", left);
    if (shown == 0)
        printf("%-28s%6s %s\n", name, "none", s->reason);
}

static void add(struct structure_score *score, unsigned level, bool right)
{
    score->all[level]++;
    score->right[level] += right;
    if (!right)
        printf("%-28s%6s level %u is WRONG\n", "", "", level + 1);
}

static void judge(const struct truth *t, const struct prvcut_structure *s, const char *path,
                  struct structure_score *score)
{
    struct marks m;
    bool right;

    if (t->kind == TRUTH_APERIODIC && s->main != SIZE_MAX) {
        printf("%-28s%6s a loop where there is NONE\n", "", "");
        score->failed++;
    }
    if (t->kind != TRUTH_PERIODIC)
        return;
    marks_read(&m, path);
    right = outer_right(t, s, &m);
    marks_free(&m);
    if (!right && s->main != SIZE_MAX)
        printf("%-28s%6s %.0f iterations in all, %.0f masked\n", "", "",
               iterations_of(s, prvcut_structure_region(s, s->main)), (double)s->iterations_masked);
    add(score, 0, right);
    if (right && t->inner.most > 0)
        add(score, 1, inner_right(t, s));
}

void structure_judge(const struct truth *t, const char *name, const char *path,
                     struct structure_score *score)
{
    const struct prvcut_structure_options options = { .levels = 0 };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_structure *s;
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, &err);

    if (st == PRVCUT_OK) {
        st = prvcut_structure_find(trace, &run, &options, &s, &err);
        if (st == PRVCUT_OK || st == PRVCUT_NONE) {
            print_loops(t, s, name);
            judge(t, s, path, score);
        }
        prvcut_structure_free(s);
        prvcut_trace_close(trace);
    }
    if (st < 0) {
        printf("%-28s FAILED: %s\n", name, err.text);
        score->failed++;
    }
    fflush(stdout);
}

bool structure_total(const struct structure_score *score)
{
    static const double least[] = { LEAST_OUTER, LEAST_INNER };
    bool good = score->failed == 0;

    printf("\n");
    for (unsigned level = 0; level < 2; level++) {
        const unsigned right = score->right[level], all = score->all[level];
        const bool holds = (double)right >= least[level] * all - 1e-9;

        printf("%s: level %u right on %u of %u\n", holds ? "holds" : "DOES NOT HOLD", level + 1,
               right, all);
        good = good && holds;
    }
    printf("%s: every trace is read, no loop where there is none\n\n",
           score->failed == 0 ? "holds" : "DOES NOT HOLD");
    return good;
}
