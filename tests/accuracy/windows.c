/*
 * Are the iterations that are cut typical ones? A judge that knows the true iterations, reads the
 * trace's text and shares no code with what chooses: it measures all windows of two iterations on
 * all threads, and what the threads keep beside these.
 *
 * usage   accuracy_windows [--full] [NAME...]   all traces, or these only; without a word a few
 *                                               small ones; with WINDOWS_THREADS set, too, what
 *                                               each thread keeps
 * exit    1 where a limit does not hold; 0 also where there are no traces
 */
#include "runner.h"
#include "traces.h"
#include "window_anchor.h"
#include "window_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 0.03 /* beside the accepted periods */
#define HAIR 0.01 /* of what is still usual: as near as borders can be told */
#define LIST 8192

/* What holds today, of all traces; it may only become better. */
static const struct limits {
    unsigned placed;  /* at least, where none is left out */
    unsigned holds;   /* at least, of them: with a typical window and the right loop */
    double typical;   /* at least, of those */
    unsigned unusual; /* at most, of the same */
    double equal;     /* at least, of those with the right loop */
    unsigned apart;   /* threads, at most */
} of_all = { 114, 84, 0.95, 0, 0.96, 0 }, of_few = { 14, 14, 1, 0, 1, 0 };

/* Small ones of each kind, of which each is right in all. */
static const char *const few[] = {
    "paraver bt.S.4",          /* first and last rank's marks: borders by calls */
    "paraver cg.W.4.sampling", /* calls told by what they send */
    "paraver comd.8.ctl",      /* found tenfold; borders by marks alone */
    "paraver is.W.8",          /* collectives */
    "paraver q.omp.2",         /* marks of each rank, threads that do not call */
    "paraver q.adapt.4",       /* iterations of several kinds */
    "paraver q.rma.4",         /* one-sided calls */
    "paraver q.ckpt.4",        /* found 25-fold; windows that begin at a step */
    "paraver q.nbr.4",         /* the same, fivefold */
    "otf2 bt.S.4",             /* skewed clocks */
    "otf2 cg.S.16",            /* 16 processes */
    "otf2 lu.S.4",             /* a pipeline */
    "otf2 q.omp.2",            /* a clock far off */
    "otf2 mpipth.4",           /* no marks */
};

static const char *const folders[] = { "", "apps", "lots", "more" };

/* Traces that are named: not placed, too few windows, not typical, told otherwise. */
enum { ASIDE, TOO_FEW, ORDINARY, UNUSUAL, OTHERWISE, LISTS };

/* What became of all traces. */
struct sum {
    unsigned all, left_out, failed, placed, right, few; /* few: windows, to tell what is typical */
    unsigned holds, typical, ordinary, unusual, hair;
    unsigned equal, threads, apart, traces_apart, late;
    char names[LISTS][LIST];
};

static void name(char *list, const struct truth *t, const char *more)
{
    const size_t length = strlen(list);

    snprintf(list + length, LIST - length, " %s%s%s%s", t->name,
             strcmp(t->format, "paraver") == 0 ? "" : " (OTF2)", *more ? ": " : "", more);
    if (strlen(list) + 2 < LIST)
        strcat(list, ";");
}

static bool same_verdict(enum window_verdict judged, enum prvcut_chop_verdict told)
{
    static const enum prvcut_chop_verdict as[] = { PRVCUT_CHOP_IS_TYPICAL, PRVCUT_CHOP_IS_ORDINARY,
                                                   PRVCUT_CHOP_IS_UNUSUAL, PRVCUT_CHOP_IS_FEW };

    return as[judged] == told;
}

/* --- One trace -------------------------------------------------------------------------------- */

static bool can_read(const struct truth *t)
{
#ifdef WINDOWS_ARCHIVES
    return strcmp(t->format, "paraver") == 0 || traces_shell("command -v otf2-print >/dev/null");
#else
    return strcmp(t->format, "paraver") == 0;
#endif
}

/* Threads of both go by number in Paraver, by name in archives; times become prvcut's. */
static void join(struct window_trace *t, const struct window_asked *a, bool numbered)
{
    for (size_t i = 0; i < t->lanes; i++) {
        struct window_lane *l = &t->lane[i];

        for (uint32_t k = 0; k < a->threads && l->thread == UINT32_MAX; k++)
            if (numbered ? k == i : strcmp(a->kept[k].name, l->name) == 0)
                l->thread = k;
        if (l->thread != UINT32_MAX)
            window_lane_shift(l, a->kept[l->thread].off);
    }
}

/* Without marks: the calls of the first thread, as many as there are iterations. */
static void mark_by_calls(struct window_marks *m, const struct window_trace *t,
                          const struct truth *truth)
{
    const size_t iterations = (size_t)truth->iterations;
    double *at = calloc(iterations + 2, sizeof *at);

    if (at && t->lanes > 0) {
        const size_t count = window_anchor_even(&t->lane[0], iterations, at);

        /* Marks are in the time that was recorded. */
        for (size_t i = 0; i < count; i++)
            at[i] -= t->lane[0].off;
        window_marks_take(m, at, count);
    }
    free(at);
}

static bool judge(struct window_found *f, const struct truth *t, const char *path,
                  const struct window_asked *a)
{
    const bool numbered = strcmp(t->format, "paraver") == 0;
    struct window_trace trace;
    struct window_borders borders;
    struct window_marks marks;
    bool placed = false;

    *f = (struct window_found){ .why = "cannot be read" };
    if (numbered ? window_read_paraver(&trace, path) : window_read_archive(&trace, path)) {
        join(&trace, a, numbered);
        window_marks_read(&marks, t, path);
        if (marks.runs == 0)
            mark_by_calls(&marks, &trace, t);
        snprintf(f->why, sizeof f->why, "borders of the iterations are unknown");
        if (window_borders_find(&borders, &trace, &marks, t, &a->answer))
            placed = window_judge(f, &trace, &borders, a);
        window_borders_fini(&borders);
        window_marks_fini(&marks);
    }
    window_trace_fini(&trace);
    return placed;
}

static void print_row(const struct truth *t, const struct window_found *f,
                      const struct window_asked *a, bool right)
{
    printf("%-8s%-18s%4zu windows, %3.0f %% typical; %.2f at %.2f: %s: %s %.4g, usually %.4g "
           "(%.3f); told %s",
           t->format, t->name, f->windows, 100 * (double)f->typical / (double)f->windows, f->held,
           f->place, window_verdict_text(f->verdict), f->worst, f->value, f->usual, f->off,
           prvcut_chop_verdict_text(a->verdict));
    if (a->windows > 0)
        printf(" of %zu: %s %.4g, usually %.4g", a->windows, a->worst, a->value, a->usual);
    printf("; nearest %s%s", window_verdict_text(f->nearest), right ? "" : "; OTHER LOOP");
    if (f->apart > 0)
        printf("; %u of %u threads APART", f->apart, f->threads);
    if (f->late > 0)
        printf("; %u late", f->late);
    if (f->loose > 0)
        printf("; %u threads by others' marks", f->loose);
    printf("\n");
    fflush(stdout);
}

static void count_verdict(struct sum *s, const struct truth *t, const struct window_found *f)
{
    char more[128];

    s->holds++;
    s->typical += f->verdict == WINDOW_TYPICAL;
    s->ordinary += f->verdict == WINDOW_ORDINARY;
    s->unusual += f->verdict == WINDOW_UNUSUAL;
    s->hair += f->verdict != WINDOW_TYPICAL && f->off <= 1 + HAIR;
    snprintf(more, sizeof more, "%s %.3f", f->worst, f->off);
    if (f->verdict != WINDOW_TYPICAL)
        name(s->names[f->verdict == WINDOW_UNUSUAL ? UNUSUAL : ORDINARY], t, more);
}

static void count(struct sum *s, const struct truth *t, const struct window_found *f,
                  const struct window_asked *a, bool right)
{
    char more[128];

    s->placed++;
    s->threads += f->threads;
    s->apart += f->apart;
    s->late += f->late;
    s->traces_apart += f->apart > 0;
    if (!right)
        return;
    s->right++;
    snprintf(more, sizeof more, "%s, told %s", window_verdict_text(f->verdict),
             prvcut_chop_verdict_text(a->verdict));
    if (same_verdict(f->verdict, a->verdict))
        s->equal++;
    else
        name(s->names[OTHERWISE], t, more);
    s->few += f->verdict == WINDOW_FEW;
    if (f->verdict == WINDOW_FEW && f->otherwise != WINDOW_TYPICAL)
        name(s->names[TOO_FEW], t, window_verdict_text(f->otherwise));
    if (f->typical > 0 && f->verdict != WINDOW_FEW)
        count_verdict(s, t, f);
}

static void measure(struct sum *s, const char *folder, const struct truth *t)
{
    struct window_asked a = { .cut = false };
    struct window_found f;
    char path[4096];

    s->all++;
    if (!can_read(t)) {
        test_leaves_out("archives cannot be read");
        s->left_out++;
        return;
    }
    if (!truth_unpack(folder, t, path, sizeof path) || !window_ask(&a, path)) {
        printf("%-8s%-18s FAILED: %s\n", t->format, t->name, a.answer.why);
        s->failed++;
    } else if (!a.cut) {
        printf("%-8s%-18s not cut: %s\n", t->format, t->name, a.answer.why);
        name(s->names[ASIDE], t, "not cut");
    } else if (!judge(&f, t, path, &a)) {
        printf("%-8s%-18s not placed: %s\n", t->format, t->name, f.why);
        name(s->names[ASIDE], t, f.why);
    } else {
        const bool right = answer_is_right(t, &a.answer, ROOM);

        print_row(t, &f, &a, right);
        count(s, t, &f, &a, right);
    }
    window_asked_fini(&a);
}

/* --- All -------------------------------------------------------------------------------------- */

static bool judged(const struct truth *t)
{
    return (strcmp(t->format, "paraver") == 0 || strcmp(t->format, "otf2") == 0) &&
           (t->kind == TRUTH_PERIODIC || (t->kind == TRUTH_MIXED && t->loops > 0));
}

static bool wanted(const struct truth *t, bool full, int names, char **list)
{
    char both[128];

    snprintf(both, sizeof both, "%s %s", t->format, t->name);
    for (int i = 0; i < names; i++)
        if (strcmp(list[i], t->name) == 0 || strcmp(list[i], both) == 0)
            return true;
    for (size_t i = 0; names == 0 && !full && i < sizeof few / sizeof *few; i++)
        if (strcmp(few[i], both) == 0)
            return true;
    return names == 0 && full;
}

static void measure_folder(struct sum *s, const char *folder, bool full, int names, char **list)
{
    char path[4096];
    struct truth *truth;
    size_t all;

    snprintf(path, sizeof path, "%s/%s", traces_folder(), folder);
    truth = truth_read(path, &all);
    if (!truth)
        test_leaves_out("there are no traces of a folder");
    for (size_t i = 0; truth && i < all; i++)
        if (judged(&truth[i]) && wanted(&truth[i], full, names, list))
            measure(s, folder, &truth[i]);
    free(truth);
}

static double percent(unsigned part, unsigned all)
{
    return all > 0 ? 100.0 * part / all : 100;
}

static void print_sum(const struct sum *s)
{
    printf("\n%u traces, %u placed; not:%s\n", s->all, s->placed, s->names[ASIDE]);
    printf("the right loop in %u of these; %u have too few windows (typical but for:%s)\n",
           s->right, s->few, s->names[TOO_FEW]);
    printf("%u of the others hold a typical window: %u cuts are typical (%.1f %%), %u ordinary, "
           "%u unusual; %u are by less than a hundredth not typical\n",
           s->holds, s->typical, percent(s->typical, s->holds), s->ordinary, s->unusual, s->hair);
    printf("ordinary:%s\nunusual:%s\n", s->names[ORDINARY], s->names[UNUSUAL]);
    printf("verdicts as told: %u of %u (%.1f %%); not:%s\n", s->equal, s->right,
           percent(s->equal, s->right), s->names[OTHERWISE]);
    printf("threads more than half an iteration from the others: %u of %u, in %u traces; "
           "%u more in time alone, in the same iteration\n",
           s->apart, s->threads, s->traces_apart, s->late);
}

static bool limit(bool good, const char *what)
{
    if (!good)
        printf("DOES NOT HOLD: %s\n", what);
    return good;
}

static bool holds(const struct sum *s, const struct limits *l)
{
    bool good = limit(s->failed == 0, "no trace fails");

    if (s->left_out == 0) {
        good = limit(s->placed >= l->placed, "traces that are placed") && good;
        good = limit(s->holds >= l->holds, "traces with a typical window") && good;
    }
    good = limit(s->typical >= l->typical * s->holds - 1e-6, "typical cuts") && good;
    good = limit(s->unusual <= l->unusual, "unusual cuts") && good;
    good = limit(s->equal >= l->equal * s->right - 1e-6, "verdicts") && good;
    return limit(s->apart <= l->apart, "threads that keep the same iterations") && good;
}

int main(int argc, char **argv)
{
    const bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
    const int names = argc - 1 - full;
    struct sum *s;
    bool good;

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    s = calloc(1, sizeof *s);
    if (!s)
        return EXIT_FAILURE;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        measure_folder(s, folders[i], full, names, argv + 1 + full);
    print_sum(s);
    good = names > 0 || holds(s, full ? &of_all : &of_few);
    free(s);
    return test_status(good);
}
