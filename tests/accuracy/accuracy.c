/*
 * How often is the reported period right? Every real trace whose truth is known, by default; a
 * table to standard output for Paraver and one for archives (OTF2 and OTF).
 *
 * usage   accuracy [--paraver|--archives] [--full] [--structure] [NAME...]
 *         --full: also cut each trace, check the cut (cuts.h).
 *         --structure: only the loops of all levels (structure.h).
 *         NAME: these only; of archives FORMAT/NAME. None: all, or those that long tests take
 * exit    1 where a limit (see LIMITS) does not hold; 0 also where there are no traces
 */
#include "built.h"
#include "cuts.h"
#include "runner.h"
#include "structure.h"
#include "traces.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LIMITS, beside those of the groups */
#define MOST_CONFIDENT 0.5  /* of a wrong one */
#define ROOM           0.03 /* beside the accepted periods */
#define WINDOW_ROOM    0.15 /* of the iterations asked for */

#define ASKED          2 /* iterations */

/* What is judged together. */
static const struct group {
    const char *option, *format[2];
    double least_right; /* of the periodic traces */
} groups[] = {
    { "--paraver", { "paraver", "paraver" }, 0.95 },
    { "--archives", { "otf2", "otf" }, 0.90 },
};

#define GROUPS (sizeof groups / sizeof *groups)

enum verdict { RIGHT, WRONG, NONE, FAILED, NOT_JUDGED, VERDICTS };

static const char *const verdict_names[VERDICTS] = { "right", "WRONG", "none", "FAILED", "-" };

struct answer {
    enum verdict verdict;
    bool periodic;
    double period, iterations, confidence;
    unsigned factor; /* of the accepted multiple that it is */
    struct prvcut_span window, loop;
    char text[512]; /* of a failure, or why there is no period */
};

struct result {
    struct truth truth;
    struct answer answer;
    char name[96];
    double held; /* iterations in the window, in fractions of the local ones */
    bool window_bad;
    const char *cut; /* what is wrong with the cut; "" nothing; NULL not made */
};

/* The accepted multiple that a period is; 0: none. */
static unsigned factor_of(const struct truth *t, double period, double iterations)
{
    for (unsigned i = 0; i < t->factors; i++) {
        const double f = t->factor[i], want = t->iterations / f;

        if (period >= (1 - ROOM) * t->low * f && period <= (1 + ROOM) * t->high * f &&
            (fabs(iterations - want) <= 0.1 * want || fabs(iterations - want) <= 1))
            return t->factor[i];
    }
    return 0;
}

static void judge(struct answer *a, const struct truth *t, enum prvcut_status st)
{
    if (st < 0)
        a->verdict = FAILED;
    else if (t->kind == TRUTH_MIXED || t->kind == TRUTH_ANY)
        a->verdict = NOT_JUDGED;
    else if (t->kind == TRUTH_APERIODIC)
        a->verdict = st == PRVCUT_NONE ? RIGHT : WRONG;
    else if (st == PRVCUT_NONE)
        a->verdict = NONE;
    else
        a->verdict = (a->factor = factor_of(t, a->period, a->iterations)) > 0 ? RIGHT : WRONG;
}

/* Threads that are cut each at its own borders: the mean of these, as the truth is of the ranks. */
static struct prvcut_span mean_window(const struct prvcut_chop *chop)
{
    double start = 0, end = 0, threads = 0;

    for (uint32_t i = 0; chop->thread && i < chop->threads; i++) {
        if (chop->thread[i].start >= chop->thread[i].end)
            continue;
        start += (double)chop->thread[i].start;
        end += (double)chop->thread[i].end;
        threads++;
    }
    if (threads <= 0)
        return chop->cut->window;
    return (struct prvcut_span){ (uint64_t)(start / threads), (uint64_t)(end / threads) };
}

static void ask(struct answer *a, const struct truth *t, const char *path)
{
    const struct prvcut_reduce_options options = {
        .iterations = ASKED, .cut = &(const struct prvcut_cut_options){ .dry_run = true }
    };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    const enum prvcut_status st = cuts_reduce(path, 0, &options, &r, &err);

    *a = (struct answer){ .periodic = st == PRVCUT_OK };
    if (st == PRVCUT_OK) {
        a->period = r->period_ns;
        a->iterations = r->iterations;
        a->confidence = r->confidence;
        a->window = mean_window(prvcut_reduction_chop(r, 0));
        a->loop = r->phase;
    }
    snprintf(a->text, sizeof a->text, "%.500s",
             st < 0              ? err.text
             : st == PRVCUT_NONE ? r->reason
                                 : "");
    judge(a, t, st);
    prvcut_reduction_free(r);
}

/* Does the window hold what was asked for? */
static void judge_held(struct result *r, double least, double most)
{
    const double wanted = ASKED * (double)r->answer.factor;

    r->held = fabs(least - wanted) > fabs(most - wanted) ? least : most;
    r->window_bad = fabs(r->held - wanted) > WINDOW_ROOM * wanted;
}

/* Processes of an archive have clocks and windows of their own: only a cut tells these. */
static void judge_window(struct result *r, const char *path)
{
    const struct answer *a = &r->answer;
    struct marks marks;
    double held;

    if (r->truth.kind != TRUTH_PERIODIC || a->verdict != RIGHT ||
        strcmp(r->truth.format, "paraver") != 0)
        return;
    marks_read(&marks, path);
    if (marks.count > 1)
        held = marks_between(&marks, (double)a->window.start, (double)a->window.end);
    else
        held = (double)(a->window.end - a->window.start) / a->period * a->factor;
    judge_held(r, held, held);
    marks_free(&marks);
}

static void judge_cut(struct result *r, const char *path)
{
    const struct answer *a = &r->answer;
    struct cut_verdict v;

    if (!a->periodic && r->truth.kind != TRUTH_ANY)
        return;
    if (!cuts_judge(&r->truth, path, ASKED, a->factor > 0 ? a->factor : 1, &v)) {
        printf("%-28s no tool reads its cut\n", r->name);
        return;
    }
    r->cut = v.wrong;
    if (a->verdict == RIGHT && v.most > 0)
        judge_held(r, v.least, v.most);
}

/* --- The table ------------------------------------------------------------------------------ */

static void print_time(double ns)
{
    char text[32];

    printf("%10s", ns > 0 ? prvcut_time_text(text, ns) : "-");
}

/* Where a right loop begins and ends beside the truth, in periods. */
static struct truth_ends ends_of(const struct result *r)
{
    const struct answer *a = &r->answer;

    return a->verdict == RIGHT && a->periodic
               ? truth_ends_of(&r->truth, (double)a->loop.start, (double)a->loop.end, a->period)
               : (struct truth_ends){ .known = false };
}

static void print_ends(const struct result *r)
{
    const struct truth_ends e = ends_of(r);

    if (e.known)
        printf("%+7.2f%+7.2f%s", e.start, e.end, e.far ? "!" : " ");
    else
        printf("%15s", "");
}

static void print_row(const struct result *r)
{
    const struct answer *a = &r->answer;

    printf("%-28s", r->name);
    print_time(r->truth.low);
    print_time(a->period);
    printf("%8.3f", r->truth.low > 0 ? a->period / r->truth.low : 0);
    printf("%7.0f%8.1f%6.2f  %-7s", r->truth.iterations, a->iterations, a->confidence,
           verdict_names[a->verdict]);
    if (r->held > 0)
        printf("%6.2f%s", r->held / a->factor, r->window_bad ? "!" : " ");
    else
        printf("%7s", "");
    print_ends(r);
    printf("%s%s\n", r->cut && *r->cut ? " cut " : "", r->cut ? r->cut : "");
    fflush(stdout);
}

static void print_head(void)
{
    printf("%-28s%10s%10s%8s%7s%8s%6s  %-7s%7s%7s%7s\n", "trace", "expected", "reported", "ratio",
           "iter", "report", "conf", "verdict", "window", "start", "end");
}

static void print_misses(const struct result *r)
{
    const struct answer *a = &r->answer;
    const struct truth_ends ends = ends_of(r);
    char period[32];

    if (a->verdict != RIGHT && a->verdict != NOT_JUDGED) {
        printf("  %-10s %-28s %-6s", "period", r->name, verdict_names[a->verdict]);
        if (a->verdict == WRONG)
            printf(" %s, %.1f iterations, confidence %.2f\n", prvcut_time_text(period, a->period),
                   a->iterations, a->confidence);
        else
            printf(" %s\n", a->text);
    }
    if (ends.far)
        printf("  %-10s %-28s begins %+.2f and ends %+.2f periods from the program's\n", "loop",
               r->name, ends.start, ends.end);
    if (r->window_bad)
        printf("  %-10s %-28s holds %.2f iterations, not %u\n", "window", r->name, r->held,
               ASKED * r->answer.factor);
    if (r->cut && *r->cut)
        printf("  %-10s %-28s %s\n", "cut", r->name, r->cut);
}

/* Share of right answers among the periodic traces. */
static double share(const struct result *r, size_t count, unsigned *right, unsigned *all)
{
    *right = *all = 0;
    for (size_t i = 0; i < count; i++) {
        if (r[i].truth.kind != TRUTH_PERIODIC)
            continue;
        *right += r[i].answer.verdict == RIGHT;
        ++*all;
    }
    return *all > 0 ? (double)*right / *all : 1;
}

static bool limit(bool holds, const char *what)
{
    printf("%s: %s\n", holds ? "holds" : "DOES NOT HOLD", what);
    return holds;
}

static bool totals(const struct group *g, const struct result *r, size_t count)
{
    char least[64];
    bool confident = true, aperiodic = true, read = true, windows = true, cuts = true, ends = true;
    unsigned right, all;
    const double part = share(r, count, &right, &all);
    bool good;

    printf("\nright of the periodic ones: %u/%u (%.0f %%)\n\nmisses:\n", right, all, 100 * part);
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &r[i].answer;

        print_misses(&r[i]);
        confident = confident && !(a->verdict == WRONG && a->confidence > MOST_CONFIDENT);
        aperiodic = aperiodic && (r[i].truth.kind != TRUTH_APERIODIC || a->verdict == RIGHT);
        windows = windows && !r[i].window_bad;
        ends = ends && !ends_of(&r[i]).far;
        cuts = cuts && (!r[i].cut || !*r[i].cut);
        read = read && a->verdict != FAILED;
    }
    printf("\n");
    snprintf(least, sizeof least, "right on %.0f %% of the periodic traces", 100 * g->least_right);
    good = limit(part >= g->least_right, least);
    good &= limit(confident, "nothing wrong with a confidence above 0.5");
    good &= limit(aperiodic, "no period where there is none");
    good &= limit(windows, "the window holds the iterations asked for, within 15 %");
    good &= limit(ends, "loops begin and end within 1.5 periods of the program's");
    good &= limit(read, "every trace is read");
    good &= limit(cuts, "cuts are sound and as they should be");
    return good;
}

/* --- The program ---------------------------------------------------------------------------- */

struct settings {
    bool full, structure;
    char **name;
    int names;
};

static bool wanted(const struct settings *s, const struct result *r)
{
    for (int i = 0; i < s->names; i++)
        if (strcmp(s->name[i], r->name) == 0 || strcmp(s->name[i], r->truth.name) == 0)
            return true;
    return s->names == 0 && traces_wanted(r->truth.format, r->truth.name);
}

static bool measure(const struct settings *s, struct result *r)
{
    char path[4096];

    if (!truth_unpack("", &r->truth, path, sizeof path)) {
        printf("%-28s cannot be unpacked\n", r->name);
        return false;
    }
    truth_begin_by_marks(&r->truth, path);
    ask(&r->answer, &r->truth, path);
    judge_window(r, path);
    if (s->full)
        judge_cut(r, path);
    print_row(r);
    return true;
}

static void name_result(struct result *r, const struct truth *t)
{
    const bool paraver = strcmp(t->format, "paraver") == 0;

    *r = (struct result){ .truth = *t };
    snprintf(r->name, sizeof r->name, "%s%s%s", paraver ? "" : t->format, paraver ? "" : "/",
             t->name);
}

/* Is it one of this group's, wanted, and can it be read? */
static bool choose(const struct settings *s, const struct group *g, const struct truth *t,
                   struct result *r)
{
    name_result(r, t);
    return (strcmp(t->format, g->format[0]) == 0 || strcmp(t->format, g->format[1]) == 0) &&
           wanted(s, r) && test_reads(t->format);
}

static bool measure_group(const struct settings *s, const struct group *g,
                          const struct truth *truth, size_t count)
{
    struct result *result = calloc(count + 1, sizeof *result);
    size_t done = 0;
    bool good = result != NULL;

    print_head();
    for (size_t i = 0; good && i < count; i++) {
        if (!choose(s, g, &truth[i], &result[done]))
            continue;
        good = measure(s, &result[done]);
        done += good;
    }
    good = good && totals(g, result, done);
    free(result);
    return good;
}

/* The loops of all levels. */
static bool measure_structure(const struct settings *s, const struct group *g,
                              const struct truth *truth, size_t count)
{
    struct structure_score score = { { 0 }, { 0 }, 0 };

    structure_head();
    for (size_t i = 0; i < count; i++) {
        struct result r;
        char path[4096];

        if (!choose(s, g, &truth[i], &r))
            continue;
        if (!truth_unpack("", &truth[i], path, sizeof path)) {
            printf("%-28s cannot be unpacked\n", r.name);
            return false;
        }
        structure_judge(&truth[i], r.name, path, &score);
    }
    return structure_total(&score);
}

static bool measure_all(const struct settings *s, const bool *group)
{
    const char *folder = traces_folder();
    size_t count;
    struct truth *truth = folder ? truth_read(folder, &count) : NULL;
    bool good = true;

    if (!truth) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return true;
    }
    for (size_t g = 0; g < GROUPS; g++)
        if (group[g])
            good = (s->structure ? measure_structure(s, &groups[g], truth, count)
                                 : measure_group(s, &groups[g], truth, count)) &&
                   good;
    free(truth);
    return good;
}

int main(int argc, char **argv)
{
    struct settings s = { .full = false };
    bool group[GROUPS] = { false }, any = false;

    for (argv++; argc > 1 && strncmp(*argv, "--", 2) == 0; argv++, argc--) {
        bool known = true;

        if (strcmp(*argv, "--full") == 0)
            s.full = true;
        else if (strcmp(*argv, "--structure") == 0)
            s.structure = true;
        else
            known = false;
        for (size_t g = 0; g < GROUPS; g++)
            if (strcmp(*argv, groups[g].option) == 0)
                group[g] = any = known = true;
        if (!known)
            return 2;
    }
    for (size_t g = 0; g < GROUPS; g++)
        group[g] = group[g] || !any;
    s.name = argv;
    s.names = argc - 1;
    return test_status(measure_all(&s, group));
}
