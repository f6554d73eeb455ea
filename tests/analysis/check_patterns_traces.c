/* Nests, patterns and points of interest of real runs, beside what is known of them. Each test
   prints its table. */
#include "prvcut/patterns.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prvcut_error error;

/* The patterns of a trace below the folder of the traces; NULL: it is not there. */
static struct prvcut_patterns *patterns_of(const char *file, struct prvcut_patterns_options o)
{
    struct prvcut_trace *trace = NULL;
    struct prvcut_patterns *p = NULL;
    char path[1024];
    enum prvcut_status st;

    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", traces_folder(), file);
    if (strstr(file, "otf2/") && !test_has_reader("otf2"))
        return NULL;
    error = (struct prvcut_error){ .status = PRVCUT_OK };
    if (prvcut_trace_open(&trace, path, NULL, &error) < 0) {
        test_leaves_out(file);
        return NULL;
    }
    o.size = sizeof o;
    st = prvcut_patterns_make(trace, NULL, &o, &p, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s: %s", file, error.text);
    prvcut_trace_close(trace);
    return p;
}

/* --- A: nests --------------------------------------------------------------------------------- */

struct nest {
    const char *file;
    unsigned truth;  /* iterations; 0: no outermost loop */
    unsigned factor; /* of these in one iteration here */
    const char *symbols;
    unsigned least_calls, most_calls; /* of an iteration, over the classes of MPI threads */
    unsigned classes;                 /* 0: not told */
    unsigned size_most;               /* of the first class; 0: not told */
    double reduction;                 /* % of the calls that can be left out; < 0: not told */
    bool few;                         /* also where not all traces are taken */
};

static const struct nest nests[] = {
    { "paraver/bt.S.4/bt.S.4.prv.zst", 60, 1, "call", 37, 37, 1, 41, -1, true },
    { "paraver/bt.W.4.hwc/bt.W.4.hwc.prv.zst", 200, 1, "call", 37, 37, 1, 41, -1, false },
    { "paraver/bt.W.9/bt.W.9.prv.zst", 200, 1, "call", 61, 61, 1, 45, 99.1, true },
    { "paraver/bt.W.9.flush/bt.W.9.flush.prv.zst", 200, 1, "call", 61, 61, 1, 45, 98.8, false },
    { "paraver/sp.W.9/sp.W.9.prv.zst", 400, 1, "call", 49, 49, 1, 45, 99.4, false },
    { "paraver/sp.A.16/sp.A.16.prv.zst", 400, 1, "call", 67, 67, 1, 45, 99.6, false },
    { "paraver/cg.A.2/cg.A.2.prv.zst", 15, 1, "partner", 315, 315, 1, 40, 98.5, false },
    { "paraver/cg.W.4.sampling/cg.W.4.sampling.prv.zst", 15, 1, "partner", 315, 315, 1, 40, -1,
      false },
    { "paraver/cg.W.8/cg.W.8.prv.zst", 15, 1, "partner", 552, 552, 1, 70, 98.3, true },
    { "paraver/lu.S.4/lu.S.4.prv.zst", 50, 1, "call", 46, 46, 4, 60, -1, false },
    { "paraver/lu.W.4/lu.W.4.prv.zst", 300, 1, "call", 130, 130, 4, 60, 99.8, false },
    { "paraver/lu.S.8.flush/lu.S.8.flush.prv.zst", 50, 1, "call", 46, 69, 6, 60, 96.4, true },
    { "paraver/lu.A.2.preempt/lu.A.2.preempt.prv.zst", 250, 1, "call", 127, 127, 2, 60, -1, false },
    { "paraver/mg.B.8/mg.B.8.prv.zst", 20, 1, "size", 414, 414, 2, 650, 86.3, false },
    { "paraver/mg.W.8/mg.W.8.prv.zst", 4, 1, "size", 360, 360, 2, 0, 74.9, true },
    { "paraver/ft.A.2/ft.A.2.prv.zst", 6, 1, "call", 2, 2, 2, 0, -1, false },
    { "paraver/ft.W.4/ft.W.4.prv.zst", 6, 1, "call", 2, 2, 2, 0, 26.7, false },
    { "paraver/is.W.8/is.W.8.prv.zst", 10, 1, "call", 3, 3, 3, 12, 32.6, true },
    { "paraver/ep.W.4/ep.W.4.prv.zst", 0, 1, NULL, 0, 0, 1, 8, 0, true },
    { "paraver/sp.W.9.burst/sp.W.9.burst.prv.zst", 0, 1, NULL, 0, 0, 1, 2, -1, true },
    { "paraver/comd.8/comd.8.prv.zst", 200, 10, "call", 62, 62, 1, 24, 95.0, false },
    { "paraver/lulesh.8/lulesh.8.prv.zst", 200, 1, "call", 50, 57, 8, 74, 98.5, false },
    { "paraver/lulesh.8.omp/lulesh.8.omp.prv.zst", 60, 1, "call", 50, 57, 12, 74, -1, false },
    { "paraver/lammps.4/lammps.4.prv.zst", 400, 100, "call", 2470, 2470, 1, 130, 97.8, true },
    { "otf2/bt.S.4.tar.zst", 60, 1, "call", 37, 37, 1, 38, -1, false },
    { "otf2/bt.W.4.tar.zst", 200, 1, "call", 37, 37, 1, 38, 98.8, false },
    { "otf2/sp.W.4.tar.zst", 400, 1, "call", 31, 31, 1, 36, -1, false },
    { "otf2/cg.W.4.tar.zst", 15, 1, "partner", 315, 315, 1, 34, 98.0, true },
    { "otf2/cg.S.16.tar.zst", 15, 1, "partner", 552, 552, 1, 58, -1, false },
    { "otf2/lu.S.4.tar.zst", 50, 1, "call", 46, 46, 4, 53, -1, true },
    { "otf2/lu.W.4.tar.zst", 300, 1, "call", 130, 130, 4, 53, 99.7, false },
    { "otf2/mg.A.4.tar.zst", 4, 1, "size", 414, 414, 1, 583, 75.9, false },
    { "otf2/mg.W.4.tar.zst", 4, 1, "size", 360, 360, 1, 509, -1, false },
    { "otf2/ft.W.4.tar.zst", 6, 1, "call", 2, 2, 1, 12, 20.8, false },
    { "otf2/is.W.4.tar.zst", 10, 1, "call", 3, 3, 3, 13, 29.8, false },
    { "otf2/comd.4.tar.zst", 60, 10, "call", 62, 62, 1, 26, -1, false },
    { "otf2/hpcg.4.tar.zst", 35, 1, "call", 5110, 5110, 1, 209, 99.9, false },
    { "otf2/lulesh.8.tar.zst", 100, 1, "call", 41, 48, 8, 51, -1, false },
    { "otf2/mpipth.4.tar.zst", 100, 1, "call", 4, 4, 2, 6, -1, true },
    { "otf2/mpikinds.4.tar.zst", 0, 1, NULL, 0, 0, 0, 0, -1, true },
    { "otf/cg.S.4.tar.zst", 15, 1, "partner", 315, 315, 1, 34, -1, true },
    { "otf/lu.S.4.tar.zst", 50, 1, "call", 46, 46, 4, 53, -1, true },
    { "otf/lu.S.4-long.tar.zst", 50, 1, "call", 46, 46, 4, 53, -1, false },
    { "otf/lu.S.4-aux.tar.zst", 50, 1, "call", 46, 46, 4, 53, -1, false },
    { "otf/gtg-lu.S.4.tar.zst", 50, 1, "call", 46, 46, 4, 53, -1, false },
    { "otf/ft.A.16.tar.zst", 6, 1, "call", 2, 2, 1, 12, -1, false },
    { "otf/comd.16.tar.zst", 40, 10, "call", 122, 122, 1, 27, -1, false },
    { "otf/hpcg.4-2streams.tar.zst", 35, 1, "call", 5110, 5110, 1, 209, -1, false },
    { "otf/lulesh.8.tar.zst", 100, 1, "call", 41, 48, 8, 51, -1, false },
    { "otf/luleshomp.8-z.tar.zst", 20, 1, "call", 41, 48, 13, 49, -1, false },
};

static bool taken(bool few)
{
    return few || traces_take() == TRACES_ALL;
}

/* A loop of 4 holds 400 steps of 100: and may have lost one at its end. */
static bool counts(const struct nest *n, uint64_t count)
{
    const uint64_t truth = n->truth / n->factor;

    return count + 1 >= truth && count <= truth + 1;
}

static void ck_class(const struct nest *n, const struct prvcut_pattern_class *c)
{
    if (c->regions)
        return;
    if (n->truth == 0) {
        ck_assert_msg(c->count == 0, "%s: a loop of %" PRIu64, n->file, c->count);
        return;
    }
    ck_assert_msg(counts(n, c->count), "%s: %" PRIu64 " iterations", n->file, c->count);
    ck_assert_msg(c->iteration_calls >= n->least_calls && c->iteration_calls <= n->most_calls,
                  "%s: %" PRIu64 " calls", n->file, c->iteration_calls);
}

START_TEST(test_nests_of_known_runs)
{
    printf("%-44s %-8s %-14s %7s %6s %9s\n", "A1-A6, B5", "symbols", "outermost", "classes", "size",
           "left out");
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        const struct nest *n = &nests[i];
        struct prvcut_patterns *p =
            taken(n->few) ? patterns_of(n->file, (struct prvcut_patterns_options){ 0 }) : NULL;
        const struct prvcut_pattern_class *c = p ? prvcut_patterns_class(p, 0) : NULL;
        double reduction;

        if (!p)
            continue;
        reduction = 100 - 100 * (double)p->kept / (double)p->calls;
        printf("%-44s %-8s %5" PRIu64 " x %-6" PRIu64 " %7zu %6" PRIu64 " %7.1f %%\n", n->file,
               prvcut_symbols_text(p->symbols), c->count, c->iteration_calls, p->classes, c->size,
               reduction);
        for (size_t k = 0; k < p->classes; k++)
            ck_class(n, prvcut_patterns_class(p, k));
        if (n->symbols)
            ck_assert_msg(strcmp(prvcut_symbols_text(p->symbols), n->symbols) == 0, "%s", n->file);
        if (n->classes > 0)
            ck_assert_msg(p->classes == n->classes, "%s: %zu classes", n->file, p->classes);
        if (n->size_most > 0)
            ck_assert_msg(c->size <= n->size_most, "%s: size %" PRIu64, n->file, c->size);
        if (n->reduction >= 0)
            ck_assert_msg(fabs(reduction - n->reduction) <= (n->truth == 4 ? 5 : 2), "%s", n->file);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* Threads without MPI calls: the one that begins the others has no loop. */
START_TEST(test_nests_of_threads)
{
    struct prvcut_patterns *p =
        patterns_of("otf2/pth.4t.tar.zst", (struct prvcut_patterns_options){ 0 });

    if (!p)
        return;
    ck_assert_uint_eq(p->classes, 2);
    for (size_t k = 0; k < 2; k++) {
        const struct prvcut_pattern_class *c = prvcut_patterns_class(p, k);

        printf("A2, A4 pth.4t: %zu threads, %" PRIu64 " x %" PRIu64 "\n", c->threads, c->count,
               c->iteration_calls);
        ck_assert(c->regions);
        ck_assert_uint_eq(c->threads, k == 0 ? 1 : 4);
        ck_assert_uint_eq(c->count, k == 0 ? 0 : 200);
        ck_assert_uint_eq(c->iteration_calls, k == 0 ? 0 : 3);
    }
    prvcut_patterns_free(p);
}
END_TEST

/* One alphabet alone falls on inner loops. */
START_TEST(test_nests_with_symbols_as_asked)
{
    static const struct {
        const char *file;
        unsigned count, calls;
    } asked[] = { { "paraver/cg.W.8/cg.W.8.prv.zst", 2760, 3 },
                  { "paraver/mg.B.8/mg.B.8.prv.zst", 1380, 6 } };

    for (size_t i = 0; i < 2; i++) {
        struct prvcut_patterns *p = patterns_of(
            asked[i].file, (struct prvcut_patterns_options){ .symbols = PRVCUT_SYMBOLS_CALL });

        if (!p)
            return;
        ck_assert_uint_eq(prvcut_patterns_class(p, 0)->count, asked[i].count);
        ck_assert_uint_eq(prvcut_patterns_class(p, 0)->iteration_calls, asked[i].calls);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* The same program recorded in several formats has the same nests. */
START_TEST(test_nests_are_the_same_in_each_format)
{
    static const char *const same[][2] = {
        { "otf/lu.S.4.tar.zst", "otf2/lu.S.4.tar.zst" },
        { "otf/lu.S.4.tar.zst", "otf/lu.S.4-long.tar.zst" },
        { "otf/lu.S.4.tar.zst", "otf/lu.S.4-aux.tar.zst" },
        { "otf/lu.S.4.tar.zst", "otf/gtg-lu.S.4.tar.zst" },
        { "otf2/lulesh.8.tar.zst", "otf/lulesh.8.tar.zst" },
        { "otf2/hpcg.4.tar.zst", "otf/hpcg.4-2streams.tar.zst" },
    };

    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct prvcut_patterns *a, *b;

        if (!taken(i == 0))
            continue;
        a = patterns_of(same[i][0], (struct prvcut_patterns_options){ 0 });
        b = patterns_of(same[i][1], (struct prvcut_patterns_options){ 0 });
        if (a && b) {
            ck_assert_uint_eq(a->classes, b->classes);
            for (size_t k = 0; k < a->classes; k++)
                ck_assert_str_eq(prvcut_patterns_class(a, k)->nest,
                                 prvcut_patterns_class(b, k)->nest);
            printf("A7 %s and %s: the same %zu nests\n", same[i][0], same[i][1], a->classes);
        }
        prvcut_patterns_free(a);
        prvcut_patterns_free(b);
    }
}
END_TEST

/* --- B: points of interest -------------------------------------------------------------------- */

static const struct prvcut_patterns_options points = { .size = sizeof points, .points = true };

static bool within(double seen, double wanted, double share)
{
    return fabs(seen - wanted) <= share * wanted;
}

static void print_points(const struct prvcut_patterns *p, const char *line, const char *name)
{
    for (size_t i = 0; i < p->points && i < 3; i++) {
        const struct prvcut_point *k = prvcut_patterns_point(p, i);

        printf("%s %-14s %zu: iteration %3" PRIu64 " at %9.2f ms, %7.2f ms, factor %.2f, thread "
               "%u, %s %s +%.1f ms %s\n",
               line, name, i + 1, k->iteration, (double)k->start_ns / 1e6,
               (double)k->length_ns / 1e6, k->factor, k->thread + 1,
               k->cause ? prvcut_point_cause_text(k->cause) : "-", k->call ? k->call : "",
               (double)k->excess_ns / 1e6, prvcut_cause_text(k->mask));
    }
    printf("%s %-14s %zu points\n", line, name, p->points_all);
}

START_TEST(test_points_of_known_runs)
{
    static const struct {
        const char *name;
        unsigned all, off; /* points */
        unsigned first;    /* iteration; 0: not told */
        double start_ms, start_off, factor;
        enum prvcut_point_cause cause;
        bool few;
    } runs[] = {
        { "bt.W.9.flush", 34, 34, 175, 2569.4, 7, 8.57, PRVCUT_POINT_COMPUTATION, true },
        { "lu.S.8.flush", 9, 2, 7, 18.36, 3, 2.82, PRVCUT_POINT_CALL, true },
        { "lu.A.2.preempt", 23, 23, 10, 1538.8, 2, 6.09, PRVCUT_POINT_COMPUTATION, false },
        { "bt.W.9", 14, 3, 179, 1175.5, 7, 2.64, PRVCUT_POINT_COMPUTATION, true },
        { "cg.W.8", 1, 0, 14, 370.4, 20, 1.23, PRVCUT_POINT_UNTOLD, true },
        { "lu.W.4", 6, 2, 0, 0, 0, 0, PRVCUT_POINT_UNTOLD, false },
    };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[200];
        struct prvcut_patterns *p;
        const struct prvcut_point *k;

        snprintf(file, sizeof file, "paraver/%s/%s.prv.zst", runs[i].name, runs[i].name);
        p = taken(runs[i].few) ? patterns_of(file, points) : NULL;
        k = p ? prvcut_patterns_point(p, 0) : NULL;
        if (!p)
            continue;
        print_points(p, "B1-B3", runs[i].name);
        ck_assert_ptr_nonnull(k);
        ck_assert_msg(p->points_all + runs[i].off >= runs[i].all &&
                          p->points_all <= runs[i].all + runs[i].off,
                      "%s", file);
        if (runs[i].first > 0) {
            ck_assert_msg(k->iteration + 1 >= runs[i].first && k->iteration <= runs[i].first + 1,
                          "%s", file);
            ck_assert_msg(fabs((double)k->start_ns / 1e6 - runs[i].start_ms) <= runs[i].start_off,
                          "%s", file);
            ck_assert_msg(within(k->factor, runs[i].factor, 0.1), "%s", file);
        }
        if (runs[i].cause != PRVCUT_POINT_UNTOLD)
            ck_assert_msg(k->cause == runs[i].cause, "%s", file);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* What made the longest iteration of a run long: a flush on its second thread. */
START_TEST(test_points_name_a_flush)
{
    struct prvcut_patterns *p = patterns_of("paraver/bt.W.9.flush/bt.W.9.flush.prv.zst", points);
    const struct prvcut_point *k = p ? prvcut_patterns_point(p, 0) : NULL;

    if (!p)
        return;
    ck_assert(within((double)k->length_ns, 107.3e6, 0.05));
    ck_assert_uint_eq(k->cause_thread, 1);
    ck_assert_str_eq(k->call, "MPI_Irecv");
    ck_assert_int_eq(k->mask, PRVCUT_CAUSE_FLUSHING);
    prvcut_patterns_free(p);
}
END_TEST

START_TEST(test_peaks_of_known_runs)
{
    static const struct {
        const char *name;
        double centre_ms;
        unsigned count, off;
        bool few;
    } runs[] = {
        { "bt.W.9", 6.33, 180, 8, true },
        { "lu.W.4", 6.955, 292, 6, false },
        { "sp.W.9", 7.347, 353, 10, false },
        { "cg.W.8", 20.32, 14, 1, true },
    };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[200];
        struct prvcut_patterns *p;

        snprintf(file, sizeof file, "paraver/%s/%s.prv.zst", runs[i].name, runs[i].name);
        p = taken(runs[i].few) ? patterns_of(file, points) : NULL;
        if (!p)
            continue;
        printf("B6 %-8s %8.3f ms x %" PRIu64 " on thread %u\n", runs[i].name,
               (double)p->typical_ns / 1e6, p->typical, p->typical_thread + 1);
        ck_assert_msg(within((double)p->typical_ns / 1e6, runs[i].centre_ms, 0.02), "%s", file);
        ck_assert_msg(p->typical + runs[i].off >= runs[i].count &&
                          p->typical <= runs[i].count + runs[i].off,
                      "%s", file);
        ck_assert_uint_eq(p->typical_thread, 0);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* Lengths are each thread's own: clocks that are apart change nothing. */
START_TEST(test_points_do_not_depend_on_clocks)
{
    const struct prvcut_open_options raw = { .size = sizeof raw, .raw_clocks = true };
    struct prvcut_patterns *p[2] = { NULL, NULL };
    char path[1024];

    if (!traces_folder() || !test_reads("otf2"))
        return;
    snprintf(path, sizeof path, "%s/otf2/bt.W.4.tar.zst", traces_folder());
    for (int i = 0; i < 2; i++) {
        struct prvcut_trace *trace = NULL;

        ck_assert_int_eq(prvcut_trace_open(&trace, path, i == 0 ? NULL : &raw, &error), PRVCUT_OK);
        ck_assert_int_eq(prvcut_patterns_make(trace, NULL, &points, &p[i], &error), PRVCUT_OK);
        prvcut_trace_close(trace);
    }
    ck_assert_uint_eq(p[0]->points, p[1]->points);
    for (size_t i = 0; i < p[0]->points; i++) {
        const struct prvcut_point *a = prvcut_patterns_point(p[0], i);
        const struct prvcut_point *b = prvcut_patterns_point(p[1], i);

        printf("B8 iteration %3" PRIu64 " and %3" PRIu64 ", factor %.3f and %.3f\n", a->iteration,
               b->iteration, a->factor, b->factor);
        ck_assert_uint_eq(a->iteration, b->iteration);
        ck_assert(within(a->factor, b->factor, 0.01));
    }
    prvcut_patterns_free(p[0]);
    prvcut_patterns_free(p[1]);
}
END_TEST

/* Numbers of a column of NAME.END beside a real trace, from its first line that is none on. */
static size_t column(const char *name, const char *end, unsigned which, double *out, size_t most)
{
    char command[1200], line[500];
    size_t n = 0;
    FILE *in;

    snprintf(command, sizeof command, "zstd -dcfq %s/paraver/%s/%s.%s", traces_folder(), name, name,
             end);
    in = popen(command, "r");
    ck_assert_ptr_nonnull(in);
    while (n < most && fgets(line, sizeof line, in)) {
        char *at = line;

        for (unsigned i = 0; i < which && at; i++) {
            at = strchr(at, '\t');
            at += at != NULL;
        }
        if (line[0] != '#' && at && *at >= '0' && *at <= '9')
            out[n++] = strtod(at, NULL);
    }
    pclose(in);
    return n;
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;

    for (size_t i = 0; i < n; i++) {
        ma += a[i] / (double)n;
        mb += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* The best of the shifts between what the program counts and what the nest does. */
static double best_correlation(const double *a, size_t as, const double *b, size_t bs)
{
    double best = -1;

    for (int shift = -2; shift <= 7; shift++) {
        const size_t skip_a = shift < 0 ? (size_t)-shift : 0;
        const size_t skip_b = shift > 0 ? (size_t)shift : 0;
        const size_t n = as - skip_a < bs - skip_b ? as - skip_a : bs - skip_b;

        if (as > skip_a + 3 && bs > skip_b + 3)
            best = fmax(best, correlation(a + skip_a, b + skip_b, n));
    }
    return best;
}

#define MARKS 600

/* Iterations are as long as the program itself says. */
START_TEST(test_lengths_are_the_programs_own)
{
    static const struct {
        const char *name;
        double least;
        bool few;
    } runs[] = {
        { "bt.W.9", 0.99, true },       { "bt.W.9.flush", 0.99, false },
        { "cg.W.8", 0.99, true },       { "lu.S.4", 0.99, false },
        { "lu.S.8.flush", 0.99, true }, { "lu.A.2.preempt", 0.99, false },
        { "sp.W.9", 0.99, false },      { "mg.B.8", 0.95, false },
        { "lu.W.4", 0.95, false },
    };
    const struct prvcut_patterns_options all = {
        .size = sizeof all, .points = true, .all = true, .tasks = "1"
    };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[200];
        double seen[MARKS] = { 0 }, told[MARKS], best;
        struct prvcut_patterns *p;
        size_t n, least = MARKS, count = 0;

        snprintf(file, sizeof file, "paraver/%s/%s.prv.zst", runs[i].name, runs[i].name);
        p = taken(runs[i].few) ? patterns_of(file, all) : NULL;
        if (!p)
            continue;
        ck_assert_uint_le(p->iterations, MARKS);
        ck_assert_uint_ge(p->points, 1);
        for (size_t k = 0; k < p->points; k++) {
            const struct prvcut_point *at = prvcut_patterns_point(p, k);

            /* The structure may have one that the nest has not. */
            ck_assert_uint_ge(at->iteration, 1);
            ck_assert_uint_le(at->iteration, MARKS);
            seen[at->iteration - 1] = (double)at->length_ns;
            least = at->iteration < least ? at->iteration : least;
            count = at->iteration > count ? at->iteration : count;
        }
        n = column(runs[i].name, "truth.tsv.zst", 4, told, MARKS);
        best = best_correlation(seen + least - 1, count - least + 1, told, n);
        printf("B4 %-16s %.4f\n", runs[i].name, best);
        ck_assert_msg(best >= runs[i].least, "%s", file);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* The first by excess are those in which a thread writes its trace. */
START_TEST(test_first_iterations_hold_flushes)
{
    const struct prvcut_patterns_options all = {
        .size = sizeof all, .points = true, .all = true, .top = 10
    };
    struct prvcut_patterns *p = patterns_of("paraver/lu.S.8.flush/lu.S.8.flush.prv.zst", all);
    double begin[100];
    size_t flushes, held = 0;

    if (!p)
        return;
    flushes = column("lu.S.8.flush", "flush.tsv", 2, begin, 100);
    for (size_t k = 0; k < p->points && k < 10; k++) {
        const struct prvcut_point *at = prvcut_patterns_point(p, k);
        bool in = false;

        for (size_t i = 0; i < flushes; i++)
            in |= begin[i] >= (double)at->start_ns &&
                  begin[i] < (double)(at->start_ns + at->length_ns);
        held += in;
    }
    printf("B2 %zu of the first 10 iterations hold a flush\n", held);
    ck_assert_uint_ge(held, 7);
    prvcut_patterns_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("patterns_traces");
    TCase *c = tcase_create("traces");

    tcase_set_timeout(c, 300);
    tcase_add_test(c, test_nests_of_known_runs);
    tcase_add_test(c, test_nests_of_threads);
    tcase_add_test(c, test_nests_with_symbols_as_asked);
    tcase_add_test(c, test_nests_are_the_same_in_each_format);
    tcase_add_test(c, test_points_of_known_runs);
    tcase_add_test(c, test_points_name_a_flush);
    tcase_add_test(c, test_peaks_of_known_runs);
    tcase_add_test(c, test_points_do_not_depend_on_clocks);
    tcase_add_test(c, test_lengths_are_the_programs_own);
    tcase_add_test(c, test_first_iterations_hold_flushes);
    suite_add_tcase(s, c);
    return run_suite(s);
}
