/*
 * How often is the reported period right? Every real trace whose truth is known, by default and by
 * each metric alone; a table to standard output.
 *
 * usage   accuracy [--full] [--default-only] [NAME...]
 *         --full: also cut each periodic trace, check the cut, compare it with the reference and
 *         with another number of workers. --default-only: no metric alone. NAME: these only
 * exit    1 where a limit (see LIMITS) does not hold; 0 also where there are no traces
 */
#include "traces.h"
#include "truth.h"

#include "prvcut/inspect.h"
#include "prvcut/reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LIMITS */
#define LEAST_RIGHT         0.95 /* of the periodic traces, by default */
#define LEAST_RIGHT_SIGNALS 0.70 /* the same, signals without calls */
#define MOST_CONFIDENT      0.5  /* of a wrong one */
#define ROOM                0.03 /* beside the accepted periods */
#define WINDOW_ROOM         0.15 /* of the iterations asked for */

#define ASKED               2 /* iterations */

/* What is asked; the first one by default. */
static const struct column {
    const char *title, *metrics;
} columns[] = {
    { "default", NULL },
    { "bursts", "bursts" },
    { "computing", "computing" },
    { "p2p", "p2p" },
    { "collective", "collective" },
    { "inflight", "inflight" },
    { "calls", "calls" },
    { "signals", "bursts,computing,p2p,collective,inflight" },
};

#define COLUMNS (sizeof columns / sizeof *columns)
#define DEFAULT 0
#define SIGNALS (COLUMNS - 1)

enum verdict { RIGHT, WRONG, NONE, FAILED, NOT_JUDGED, VERDICTS };

static const char *const verdict_names[VERDICTS] = { "right", "WRONG", "none", "FAILED", "-" };

struct answer {
    enum verdict verdict;
    bool periodic;
    double period, iterations, confidence;
    unsigned factor; /* of the accepted multiple that it is */
    struct prvcut_span window;
    char text[512]; /* of a failure, or why there is no period */
};

struct result {
    struct truth truth;
    struct answer answer[COLUMNS];
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
    else if (t->kind == TRUTH_MIXED)
        a->verdict = NOT_JUDGED;
    else if (t->kind == TRUTH_APERIODIC)
        a->verdict = st == PRVCUT_END ? RIGHT : WRONG;
    else if (st == PRVCUT_END)
        a->verdict = NONE;
    else
        a->verdict = (a->factor = factor_of(t, a->period, a->iterations)) > 0 ? RIGHT : WRONG;
}

static enum prvcut_status reduce(const char *path, int threads,
                                 const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction *r, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    memset(r, 0, sizeof *r);
    if (st < 0)
        return st;
    st = prvcut_reduce(trace, &run, options, r, err);
    prvcut_trace_close(trace);
    return st;
}

static void ask(struct answer *a, const struct truth *t, const char *path, const char *metrics)
{
    const struct prvcut_reduce_options options = { .iterations = ASKED,
                                                   .metrics = metrics,
                                                   .cut = { .dry_run = true } };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction r;
    const enum prvcut_status st = reduce(path, 0, &options, &r, &err);

    *a = (struct answer){ .periodic = st == PRVCUT_OK };
    if (st == PRVCUT_OK) {
        a->period = r.period_ns;
        a->iterations = r.iterations;
        a->confidence = r.confidence;
        a->window = r.cut.window;
    }
    snprintf(a->text, sizeof a->text, "%.500s",
             st < 0             ? err.text
             : st == PRVCUT_END ? r.reason
                                : "");
    judge(a, t, st);
    prvcut_reduction_fini(&r);
}

/* Does the window hold what was asked for? */
static void judge_window(struct result *r, const char *path)
{
    const struct answer *a = &r->answer[DEFAULT];
    const double wanted = ASKED * (double)a->factor;
    struct marks marks;

    if (r->truth.kind != TRUTH_PERIODIC || a->verdict != RIGHT)
        return;
    marks_read(&marks, path);
    if (marks.count > 1)
        r->held = marks_between(&marks, (double)a->window.start, (double)a->window.end);
    else
        r->held = (double)(a->window.end - a->window.start) / a->period * a->factor;
    r->window_bad = fabs(r->held - wanted) > WINDOW_ROOM * wanted;
    marks_free(&marks);
}

/* --- Cuts ----------------------------------------------------------------------------------- */

static enum prvcut_status make_cut(const char *path, const char *out, int threads,
                                   struct prvcut_span *window, struct prvcut_error *err)
{
    const struct prvcut_reduce_options options = { .iterations = ASKED,
                                                   .cut = { .path = out, .force = true } };
    struct prvcut_reduction r;
    const enum prvcut_status st = reduce(path, threads, &options, &r, err);

    *window = r.cut.window;
    prvcut_reduction_fini(&r);
    return st;
}

static bool is_sound(const char *path)
{
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_check(path, &run, NULL, false, &text, &err);

    if (st != PRVCUT_OK)
        printf("%s\n", text ? text : err.text);
    free(text);
    return st == PRVCUT_OK;
}

static bool same_bytes(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    bool same = x && y;
    int c = 0;

    while (same && c != EOF) {
        c = getc(x);
        same = c == getc(y);
    }
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return same;
}

static const char *judge_cut(const char *path)
{
    static char one[4200], two[4200], scratch[4200], window[128];
    struct prvcut_error err = { 0 };
    struct prvcut_span w1, w2;
    const char *wrong = "";

    snprintf(one, sizeof one, "%s.one.prv", path);
    snprintf(two, sizeof two, "%s.two.prv", path);
    snprintf(scratch, sizeof scratch, "%s.scratch", path);
    if (make_cut(path, one, 1, &w1, &err) != PRVCUT_OK ||
        make_cut(path, two, 2, &w2, &err) != PRVCUT_OK)
        wrong = "was not made";
    snprintf(window, sizeof window, "--from %llu --to %llu", (unsigned long long)w1.start,
             (unsigned long long)w1.end);
    if (!*wrong && !same_bytes(one, two))
        wrong = "depends on the number of workers";
    if (!*wrong && !is_sound(one))
        wrong = "is not sound";
    if (!*wrong && !traces_same_cut(PRVBRUTE, window, path, one, scratch))
        wrong = "differs from the reference's";
    for (int i = 0; i < 2; i++) {
        static const char *const suffix[] = { "prv", "pcf", "row" };
        char *name = i == 0 ? one : two;

        for (int k = 0; k < 3; k++) {
            memcpy(name + strlen(name) - 3, suffix[k], 3);
            unlink(name);
        }
    }
    return wrong;
}

/* --- The table ------------------------------------------------------------------------------ */

static void print_time(double ns)
{
    char text[32];

    printf("%10s", ns > 0 ? prvcut_time_text(text, ns) : "-");
}

static void print_row(const struct result *r)
{
    const struct answer *a = &r->answer[DEFAULT];

    printf("%-18s", r->truth.name);
    print_time(r->truth.low);
    print_time(a->period);
    printf("%8.3f", r->truth.low > 0 ? a->period / r->truth.low : 0);
    printf("%7.0f%8.1f%6.2f  %-7s", r->truth.iterations, a->iterations, a->confidence,
           verdict_names[a->verdict]);
    if (r->held > 0)
        printf("%6.2f%s", r->held / a->factor, r->window_bad ? "!" : " ");
    else
        printf("%7s", "");
    for (size_t c = 1; c < COLUMNS; c++) {
        const struct answer *o = &r->answer[c];

        if (o->verdict == WRONG && r->truth.kind == TRUTH_PERIODIC)
            printf(" x%-9.3g", o->period / r->truth.low);
        else
            printf(" %-10s", verdict_names[o->verdict]);
    }
    printf("%s%s\n", r->cut && *r->cut ? " cut " : "", r->cut ? r->cut : "");
    fflush(stdout);
}

static void print_head(void)
{
    printf("%-18s%10s%10s%8s%7s%8s%6s  %-7s%7s", "trace", "expected", "reported", "ratio", "iter",
           "report", "conf", "verdict", "window");
    for (size_t c = 1; c < COLUMNS; c++)
        printf(" %-10s", columns[c].title);
    printf("\n");
}

static void print_misses(const struct result *r, size_t asked)
{
    for (size_t c = 0; c < asked; c++) {
        const struct answer *a = &r->answer[c];
        char period[32];

        if (a->verdict == RIGHT || a->verdict == NOT_JUDGED)
            continue;
        printf("  %-10s %-18s %-6s", columns[c].title, r->truth.name, verdict_names[a->verdict]);
        if (a->verdict == WRONG)
            printf(" %s, %.1f iterations, confidence %.2f\n", prvcut_time_text(period, a->period),
                   a->iterations, a->confidence);
        else
            printf(" %s\n", a->text);
    }
    if (r->window_bad)
        printf("  %-10s %-18s holds %.2f iterations, not %u\n", "window", r->truth.name, r->held,
               ASKED * r->answer[DEFAULT].factor);
    if (r->cut && *r->cut)
        printf("  %-10s %-18s %s\n", "cut", r->truth.name, r->cut);
}

/* Share of right answers among the periodic traces. */
static double share(const struct result *r, size_t count, size_t column, unsigned *right,
                    unsigned *all)
{
    *right = *all = 0;
    for (size_t i = 0; i < count; i++) {
        if (r[i].truth.kind != TRUTH_PERIODIC)
            continue;
        *right += r[i].answer[column].verdict == RIGHT;
        ++*all;
    }
    return *all > 0 ? (double)*right / *all : 1;
}

static bool limit(bool holds, const char *what)
{
    printf("%s: %s\n", holds ? "holds" : "DOES NOT HOLD", what);
    return holds;
}

static bool totals(const struct result *r, size_t count, size_t asked)
{
    bool confident = true, aperiodic = true, read = true, windows = true, cuts = true;
    double part[COLUMNS] = { 0 };
    unsigned right, all;
    bool good;

    printf("\nright of the periodic ones:");
    for (size_t c = 0; c < asked; c++) {
        part[c] = share(r, count, c, &right, &all);
        printf("  %s %u/%u (%.0f %%)", columns[c].title, right, all, 100 * part[c]);
    }
    printf("\n\nmisses:\n");
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &r[i].answer[DEFAULT];

        print_misses(&r[i], asked);
        confident = confident && !(a->verdict == WRONG && a->confidence > MOST_CONFIDENT);
        aperiodic = aperiodic && (r[i].truth.kind != TRUTH_APERIODIC || a->verdict == RIGHT);
        windows = windows && !r[i].window_bad;
        cuts = cuts && (!r[i].cut || !*r[i].cut);
        for (size_t c = 0; c < asked; c++)
            read = read && r[i].answer[c].verdict != FAILED;
    }
    printf("\n");
    good = limit(part[DEFAULT] >= LEAST_RIGHT, "by default right on 95 % of the periodic traces");
    good &= limit(confident, "nothing wrong with a confidence above 0.5");
    good &= limit(aperiodic, "no period where there is none");
    good &= limit(windows, "the window holds the iterations asked for, within 15 %");
    good &= limit(read, "every trace is read");
    good &= limit(cuts, "cuts are sound and as the reference makes them");
    if (asked == COLUMNS)
        good &= limit(part[SIGNALS] >= LEAST_RIGHT_SIGNALS, "signals alone right on 70 %");
    return good;
}

/* --- The program ---------------------------------------------------------------------------- */

struct settings {
    bool full;
    size_t asked; /* columns */
    char **name;
    int names;
};

static bool wanted(const struct settings *s, const char *name)
{
    for (int i = 0; i < s->names; i++)
        if (strcmp(s->name[i], name) == 0)
            return true;
    return s->names == 0;
}

static bool measure(const struct settings *s, const struct truth *t, struct result *r)
{
    char path[4096];

    *r = (struct result){ .truth = *t };
    if (!traces_unpack(t->name, path, sizeof path)) {
        printf("%-18s cannot be unpacked\n", t->name);
        return false;
    }
    for (size_t c = 0; c < s->asked; c++)
        ask(&r->answer[c], t, path, columns[c].metrics);
    for (size_t c = s->asked; c < COLUMNS; c++)
        r->answer[c].verdict = NOT_JUDGED;
    judge_window(r, path);
    if (s->full && r->answer[DEFAULT].periodic)
        r->cut = judge_cut(path);
    print_row(r);
    return true;
}

static bool measure_all(const struct settings *s, const struct truth *truth, size_t count)
{
    struct result *result = calloc(count + 1, sizeof *result);
    size_t done = 0;
    bool good = result != NULL;

    print_head();
    for (size_t i = 0; good && i < count; i++) {
        if (!wanted(s, truth[i].name))
            continue;
        good = measure(s, &truth[i], &result[done]);
        done += good;
    }
    good = good && totals(result, done, s->asked);
    free(result);
    return good;
}

int main(int argc, char **argv)
{
    struct settings s = { .asked = COLUMNS };
    const char *folder = traces_folder();
    struct truth *truth;
    size_t count;
    bool good;

    for (argv++; argc > 1 && strncmp(*argv, "--", 2) == 0; argv++, argc--) {
        if (strcmp(*argv, "--full") == 0)
            s.full = true;
        else if (strcmp(*argv, "--default-only") == 0)
            s.asked = 1;
        else
            return 2;
    }
    s.name = argv;
    s.names = argc - 1;
    truth = folder ? truth_read(folder, &count) : NULL;
    if (!truth) {
        printf("skipped: no traces (PRVCUT_TRACES names their folder)\n");
        return EXIT_SUCCESS;
    }
    good = measure_all(&s, truth, count);
    free(truth);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
