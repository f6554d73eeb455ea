/* Proofs against the same values computed naively from the text of the trace. */
#include "analysis/proof.h"
#include "prvcut/convert.h"
#include "tests/analysis/brute_proof.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PRVGEN: the generator, SAMPLES: folder of the samples; given by the build. */

static struct prvcut_error error;

/* Removed by the runner, so that a test that fails leaves nothing behind, either. */
static char folder[200];

static void make_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/prvcut-proof.XXXXXX", base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    ck_assert(traces_shell("rm -rf '%s'", folder));
}

/* ---- regions and chops ---- */

enum { REGIONS = 3, CHOPS = 8, MASKS = 4096 };

struct plan {
    struct prvcut_proof_region region[REGIONS];
    struct prvcut_proof_chop chop[CHOPS];
    struct prvcut_span mask[MASKS];
    struct brute_span brute_mask[MASKS];
    size_t masks;
    uint64_t *from[CHOPS], *to[CHOPS];
    uint64_t end;
    uint32_t threads;
    bool no_traffic; /* the text lacks messages that the trace has */
};

static uint64_t part(const struct plan *p, double share)
{
    return (uint64_t)((double)p->end * share);
}

static void set_region(struct plan *p, size_t r, double from, double to, double iterations)
{
    struct prvcut_proof_region *g = &p->region[r];

    g->window = (struct prvcut_window){ .from = part(p, from), .to = part(p, to) };
    g->iterations = iterations;
    g->mask = p->mask;
    g->masks = p->masks;
}

static void set_chop(struct plan *p, size_t c, size_t region, double from, double to)
{
    const struct prvcut_proof_region *g = &p->region[region];
    const double length = (double)(g->window.to - g->window.from) / g->iterations;

    p->chop[c].region = region;
    p->chop[c].window = (struct prvcut_window){ .from = part(p, from), .to = part(p, to) };
    p->chop[c].iterations =
        1 + (unsigned)((double)(p->chop[c].window.to - p->chop[c].window.from) / length);
}

/* A chop's threads follow each other with that delay, and stay longer and longer; ns. */
static void set_threads(struct plan *p, size_t c, uint64_t delay, uint64_t longer)
{
    struct prvcut_window *w = &p->chop[c].window;

    p->from[c] = calloc(p->threads, sizeof *p->from[c]);
    p->to[c] = calloc(p->threads, sizeof *p->to[c]);
    for (uint32_t i = 0; i < p->threads; i++) {
        p->from[c][i] = w->from + i * delay;
        p->to[c][i] = w->to + i * (delay + longer);
    }
    w->thread_from = p->from[c];
    w->thread_to = p->to[c];
    if (p->threads > 1)
        w->to = p->to[c][p->threads - 1];
}

static void plan_init(struct plan *p, uint64_t end, uint32_t threads)
{
    const uint64_t step = end / 1000 / threads;

    p->end = end;
    p->threads = threads;
    set_region(p, 0, 0.2, 0.9, 50);
    set_region(p, 1, 0.5, 0.56, 7);
    set_region(p, 2, 0.92, 0.97, 3.5);
    set_chop(p, 0, 0, 0.3, 0.34);
    set_chop(p, 1, 0, 0.44, 0.5);
    set_chop(p, 2, 0, 0.5, 0.55);
    set_threads(p, 2, step, step / 7);
    /* One thread takes no part. */
    if (threads > 2)
        p->to[2][1] = p->from[2][1];
    set_chop(p, 3, 1, 0.5, 0.56);
    p->chop[3].iterations = 7;
    set_chop(p, 4, 1, 0.51, 0.54);
    set_threads(p, 4, 3 * step, 0);
    set_chop(p, 5, 2, 0.93, 0.94);
    /* Reaches out of its region at both ends. */
    set_chop(p, 6, 2, 0.9, 0.98);
    set_threads(p, 6, 10 * step, step);
    set_chop(p, 7, 0, 0.2, 0.9);
    p->chop[7].iterations = 50;
}

static void add_mask(struct plan *p, uint64_t from, uint64_t to)
{
    ck_assert_uint_lt(p->masks, MASKS);
    p->brute_mask[p->masks] = (struct brute_span){ (int64_t)from, (int64_t)to };
    p->mask[p->masks++] = (struct prvcut_span){ from, to };
}

static void plan_fini(struct plan *p)
{
    for (size_t i = 0; i < CHOPS; i++) {
        free(p->from[i]);
        free(p->to[i]);
    }
    free(p);
}

/* ---- both ways ---- */

static void make(struct made_proof out[CHOPS], const char *path, int threads, const struct plan *p)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;

    memset(&error, 0, sizeof error);
    memset(out, 0, CHOPS * sizeof *out);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_proofs_make(out, trace, &run, p->region, REGIONS, p->chop, CHOPS, NULL,
                                     &error) == PRVCUT_OK,
                  "%s", error.text);
    prvcut_trace_close(trace);
}

static void release(struct made_proof out[CHOPS])
{
    for (size_t i = 0; i < CHOPS; i++)
        prvcut_proof_fini(&out[i]);
}

static void fill_brute(struct brute_proof *b, const struct plan *p)
{
    for (size_t i = 0; i < REGIONS + CHOPS; i++) {
        const struct prvcut_proof_region *r =
            &p->region[i < REGIONS ? i : p->chop[i - REGIONS].region];
        const struct prvcut_window *w = i < REGIONS ? &r->window : &p->chop[i - REGIONS].window;
        struct brute_slot *s =
            brute_proof_slot(b, (struct brute_span){ (int64_t)w->from, (int64_t)w->to });

        s->mask = p->brute_mask;
        s->masks = p->masks;
        s->iterations = i < REGIONS ? r->iterations : p->chop[i - REGIONS].iterations;
        for (uint32_t t = 0; w->thread_from && t < p->threads; t++)
            s->window[t] =
                (struct brute_span){ (int64_t)w->thread_from[t], (int64_t)w->thread_to[t] };
    }
    brute_proof_fill(b, (int64_t)p->end);
    /* Masked time is no part of an iteration. */
    for (size_t i = 0; i < b->slots; i++) {
        double left = 0, all = 0;

        for (uint32_t t = 0; t < p->threads; t++) {
            const struct brute_span s = b->slot[i].window[t];

            left += b->slot[i].length[t];
            all += s.start < s.end ? (double)(s.end - s.start) : 0;
        }
        b->slot[i].iterations *= all > 0 ? left / all : 0;
    }
}

static const struct prvcut_proof_row *row_of(const struct made_proof *p, const char *group,
                                             const char *name, const char *unit)
{
    for (size_t i = 0; i < p->is.rows; i++)
        if (strcmp(prvcut_proof_group_text(p->row[i].group), group) == 0 &&
            strcmp(p->row[i].name, name) == 0 &&
            strcmp(prvcut_proof_unit_text(p->row[i].unit), unit) == 0)
            return &p->row[i];
    return NULL;
}

static bool near(double a, double b, double room)
{
    return fabs(a - b) <= 1e-9 * fabs(b) + 1e-12 + room;
}

/* Is the row there with these values, give or take the room, and only where there are any? */
static size_t expect_near(const struct made_proof *p, const char *group, const char *name,
                          const char *unit, const double want[2], double room)
{
    const struct prvcut_proof_row *r = row_of(p, group, name, unit);

    if (want[0] <= 0 && want[1] <= 0) {
        ck_assert_msg(!r, "%s %s %s", group, name, unit);
        return 0;
    }
    ck_assert_msg(r, "no %s %s %s", group, name, unit);
    ck_assert_msg(near(r->chop, want[0], room), "%s %s %s: chop %.12g, not %.12g", group, name,
                  unit, r->chop, want[0]);
    ck_assert_msg(near(r->region, want[1], room), "%s %s %s: region %.12g, not %.12g", group, name,
                  unit, r->region, want[1]);
    ck_assert(r->error == (r->region > 0 ? r->chop / r->region - 1 : (double)INFINITY));
    return 1;
}

static size_t expect(const struct made_proof *p, const char *group, const char *name,
                     const char *unit, const double want[2])
{
    return expect_near(p, group, name, unit, want, 0);
}

static double of(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* The rows of one sum of either slot. */
static size_t expect_sum(const struct made_proof *p, const struct brute_slot *s[2],
                         const double time[2], char kind, const char *name, double room)
{
    double amount[2], count[2], share[2], each[2], counts[2];
    size_t n = 0;

    for (int i = 0; i < 2; i++) {
        amount[i] = brute_of(s[i], kind, name, false);
        count[i] = brute_of(s[i], kind, name, true);
        share[i] = of(amount[i], time[i]);
        each[i] = of(amount[i], s[i]->iterations);
        counts[i] = of(count[i], s[i]->iterations);
    }
    if (kind == 's')
        n += expect(p, "state", name, "share", share);
    if (kind == 'c') {
        n += expect(p, "call", name, "share", share);
        n += expect(p, "call", name, "1/iteration", counts);
    }
    if (kind == 'm') {
        n += expect(p, "traffic", "messages", "1/iteration", counts);
        n += expect(p, "traffic", "bytes", "B/iteration", each);
    }
    /* A counter's value that a border divides stays whole: off by one on either side. */
    if (kind == 'k')
        n += expect_near(p, "counter", name, "1/iteration", each, room);
    return n;
}

static size_t expect_calls(const struct made_proof *p, const struct brute_slot *s[2],
                           const double time[2], uint32_t threads)
{
    double share[2], outside[2], calls[2];

    for (int i = 0; i < 2; i++) {
        double mpi = 0, count = 0;

        for (uint32_t t = 0; t < threads; t++) {
            mpi += s[i]->mpi[t];
            count += s[i]->calls[t];
        }
        share[i] = of(mpi, time[i]);
        outside[i] = of(time[i] - mpi, time[i]);
        calls[i] = of(count, s[i]->iterations);
    }
    if (share[0] <= 0 && share[1] <= 0)
        return 0;
    return expect(p, "call", "all MPI calls", "share", share) +
           expect(p, "call", "outside MPI", "share", outside) +
           expect(p, "call", "all MPI calls", "1/iteration", calls);
}

static size_t expect_ratios(const struct made_proof *p, const struct brute_slot *s[2],
                            const struct brute_proof *b)
{
    static const char *const name[3] = { "parallel efficiency", "load balance",
                                         "communication efficiency" };
    double e[2][3], ipc[2];
    size_t n;

    for (int i = 0; i < 2; i++) {
        brute_efficiency(b, s[i], s[1 - i], e[i]);
        ipc[i] =
            of(brute_of(s[i], 'k', "instructions", false), brute_of(s[i], 'k', "cycles", false));
    }
    n = expect_near(p, "counter", "IPC", "instr/cycle", ipc, 1e-4);
    for (int k = 0; k < 3; k++)
        n += expect(p, "efficiency", name[k], "share", (double[2]){ e[0][k], e[1][k] });
    return n;
}

static size_t count_rows(const struct made_proof *p, const char *group)
{
    size_t n = 0;

    for (size_t i = 0; i < p->is.rows; i++)
        n += strcmp(prvcut_proof_group_text(p->row[i].group), group) == 0;
    return n;
}

static void compare(const struct made_proof *p, const struct brute_proof *b, size_t chop,
                    const struct plan *plan)
{
    const size_t region = plan->chop[chop].region;
    const struct brute_slot *s[2] = { &b->slot[REGIONS + chop], &b->slot[region] };
    const double time[2] = { brute_time(b, s[0], s[1]), brute_time(b, s[1], s[0]) };
    const double borders = (double)(b->trace.threads * (s[0]->masks + 1) * 2);
    const double room = borders / fmin(s[0]->iterations, s[1]->iterations);
    size_t n = expect_calls(p, s, time, (uint32_t)b->trace.threads);

    n += expect_ratios(p, s, b);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < s[i]->sums; k++) {
            const struct brute_sum *sum = &s[i]->sum[k];

            if (sum->kind == 'm' && plan->no_traffic)
                continue;
            /* Those of both slots have been looked at with the first. */
            if (i == 1 && (brute_of(s[0], sum->kind, sum->name, false) > 0 ||
                           brute_of(s[0], sum->kind, sum->name, true) > 0))
                continue;
            n += expect_sum(p, s, time, sum->kind, sum->name, room);
        }
    n += plan->no_traffic ? count_rows(p, "traffic") : 0;
    ck_assert_uint_eq(n, p->is.rows);
    ck_assert_uint_gt(n, 0);
    ck_assert(near(p->is.iterations_region, s[1]->iterations, 0));
}

static void compare_all(const char *prv, const char *path, struct plan *p, int threads)
{
    struct made_proof proof[CHOPS];
    struct brute_proof b;

    brute_proof_read(&b, prv);
    fill_brute(&b, p);
    make(proof, path, threads, p);
    for (size_t i = 0; i < CHOPS; i++)
        compare(&proof[i], &b, i, p);
    brute_proof_fini(&b);
    release(proof);
}

static struct plan *plan_of(const char *path)
{
    struct plan *p = calloc(1, sizeof *p);
    struct prvcut_trace *trace;

    ck_assert_ptr_nonnull(p);
    ck_assert(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK);
    p->end = trace->end_ns;
    p->threads = trace->objects.threads;
    prvcut_trace_close(trace);
    return p;
}

/* ---- tests ---- */

static const char *const traces[] = { "lu.S.4",       "cg.W.8",       "bt.W.4.hwc",
                                      "lulesh.8.omp", "sp.W.9.burst", "comd.8.ctl" };

START_TEST(test_prove_real_trace_equals_brute_force)
{
    char path[4096];
    struct plan *p;

    if (!traces_folder() || !traces_wanted("paraver", traces[_i]))
        return;
    ck_assert(traces_unpack(traces[_i], path, sizeof path));
    p = plan_of(path);
    add_mask(p, part(p, 0.1), part(p, 0.11));
    add_mask(p, part(p, 0.4), part(p, 0.45));
    add_mask(p, part(p, 0.52), part(p, 0.5234));
    add_mask(p, part(p, 0.6), part(p, 0.61));
    plan_init(p, p->end, p->threads);
    compare_all(path, path, p, 2);
    plan_fini(p);
}
END_TEST

static void unpack_sample(char *path, size_t room)
{
    ck_assert(
        traces_shell("cp '%s'/lu.S.8.* '%s' && zstd -dq '%s'/*.zst", SAMPLES, folder, folder));
    snprintf(path, room, "%s/lu.S.8.prv", folder);
}

START_TEST(test_prove_sample_equals_brute_force)
{
    char path[300];
    struct plan *p;

    unpack_sample(path, sizeof path);
    p = plan_of(path);
    if (_i > 0)
        add_mask(p, part(p, 0.3), part(p, 0.47));
    plan_init(p, p->end, p->threads);
    compare_all(path, path, p, 1 + _i);
    plan_fini(p);
}
END_TEST

static int by_start(const void *a, const void *b)
{
    const struct prvcut_span *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Every time in which some thread flushes. */
static void mask_flushes(struct plan *p, const char *path)
{
    struct brute_proof b;
    struct prvcut_span *found = NULL;
    size_t count = 0;

    brute_proof_read(&b, path);
    for (size_t i = 0; i < b.trace.records; i++) {
        int64_t f[8];

        brute_numbers(b.trace.record[i].text, f, 8);
        if (f[0] != 1 || f[7] != 12)
            continue;
        found = brute_room(found, count + 1, sizeof *found);
        found[count++] = (struct prvcut_span){ (uint64_t)(f[5] * b.trace.unit),
                                               (uint64_t)(f[6] * b.trace.unit) };
    }
    if (count > 0)
        qsort(found, count, sizeof *found, by_start);
    for (size_t i = 0; i < count; i++) {
        struct prvcut_span *last = p->masks > 0 ? &p->mask[p->masks - 1] : NULL;

        if (last && found[i].start <= last->end) {
            last->end = found[i].end > last->end ? found[i].end : last->end;
            p->brute_mask[p->masks - 1].end = (int64_t)last->end;
        } else {
            add_mask(p, found[i].start, found[i].end);
        }
    }
    free(found);
    brute_proof_fini(&b);
}

static const char *const generated[] = {
    "--tasks 8 --iterations 60 --inner 3 --flush-every 2000 --flush-ns 5000000 --counters",
    "--tasks 4 --threads-per-task 3 --iterations 60 --counters --skew-ns 300000",
    "--tasks 6 --iterations 50 --microseconds --pipeline",
    "--tasks 6 --iterations 50 --no-states",
    "--tasks 5 --iterations 50 --no-calls",
    "--tasks 5 --iterations 50 --burst-mode",
    "--tasks 5 --iterations 50 --silent 2 --short-lived 3",
    "--tasks 5 --applications 2 --iterations 40 --crlf",
};

static void generate(const char *options, char *path, size_t room)
{
    ck_assert(traces_shell("cd '%s' && '%s' %s a", folder, PRVGEN, options));
    snprintf(path, room, "%s/a.prv", folder);
}

START_TEST(test_prove_generated_trace_equals_brute_force)
{
    char path[300];
    struct plan *p;

    generate(generated[_i], path, sizeof path);
    p = plan_of(path);
    mask_flushes(p, path);
    ck_assert(p->masks > 0 || !strstr(generated[_i], "--flush"));
    plan_init(p, p->end, p->threads);
    compare_all(path, path, p, 2);
    plan_fini(p);
}
END_TEST

START_TEST(test_prove_region_itself_finds_no_error)
{
    struct made_proof proof[CHOPS];
    char path[300];
    struct plan *p;

    generate(generated[0], path, sizeof path);
    p = plan_of(path);
    mask_flushes(p, path);
    plan_init(p, p->end, p->threads);
    make(proof, path, 2, p);
    for (size_t c = 3; c <= 7; c += 4) {
        ck_assert_uint_gt(proof[c].is.rows, 10);
        for (size_t i = 0; i < proof[c].is.rows; i++)
            ck_assert_double_eq_tol(proof[c].row[i].error, 0, 1e-12);
        ck_assert_double_eq_tol(proof[c].is.worst, 0, 1e-12);
        ck_assert_uint_eq(proof[c].is.verdict, PRVCUT_FAITH_FAITHFUL);
        ck_assert_uint_eq(proof[c].is.unlike, 0);
        ck_assert_uint_eq(proof[c].is.threads, 8);
    }
    release(proof);
    plan_fini(p);
}
END_TEST

static void same_proof(const struct made_proof *a, const struct made_proof *b)
{
    ck_assert_uint_eq(a->is.rows, b->is.rows);
    for (size_t i = 0; i < a->is.rows; i++) {
        ck_assert_uint_eq(a->row[i].group, b->row[i].group);
        ck_assert_str_eq(a->row[i].name, b->row[i].name);
        ck_assert_uint_eq(a->row[i].unit, b->row[i].unit);
        ck_assert(a->row[i].chop == b->row[i].chop);
        ck_assert(a->row[i].region == b->row[i].region);
        ck_assert(a->row[i].error == b->row[i].error);
        ck_assert(a->row[i].weight == b->row[i].weight);
    }
    ck_assert(a->is.worst == b->is.worst);
    ck_assert_uint_eq(a->is.verdict, b->is.verdict);
    ck_assert_uint_eq(a->is.threads, b->is.threads);
    ck_assert_uint_eq(a->is.unlike, b->is.unlike);
    ck_assert_uint_eq(a->is.unlike_threads, b->is.unlike_threads);
    for (uint32_t i = 0; i < a->is.unlike_threads; i++)
        ck_assert_uint_eq(a->is.unlike_thread[i], b->is.unlike_thread[i]);
}

START_TEST(test_prove_by_many_workers_is_the_same)
{
    struct made_proof one[CHOPS], many[CHOPS];
    char path[300];
    struct plan *p;

    generate("--tasks 12 --iterations 400 --inner 3 --counters --flush-every 3000", path,
             sizeof path);
    p = plan_of(path);
    mask_flushes(p, path);
    plan_init(p, p->end, p->threads);
    make(one, path, 1, p);
    for (int threads = 2; threads <= 7; threads += 5) {
        make(many, path, threads, p);
        for (size_t i = 0; i < CHOPS; i++)
            same_proof(&one[i], &many[i]);
        release(many);
    }
    release(one);
    plan_fini(p);
}
END_TEST

START_TEST(test_prove_rows_come_worst_first)
{
    struct made_proof proof[CHOPS];
    char path[300];
    struct plan *p;

    generate(generated[0], path, sizeof path);
    p = plan_of(path);
    plan_init(p, p->end, p->threads);
    make(proof, path, 2, p);
    for (size_t c = 0; c < CHOPS; c++) {
        double before = INFINITY;

        for (size_t i = 0; i < proof[c].is.rows; i++) {
            const struct prvcut_proof_row *r = &proof[c].row[i];
            const double score = (isinf(r->error) ? 1 : fabs(r->error)) * r->weight;

            ck_assert(score <= before);
            ck_assert(r->weight >= 0 && r->weight <= 1);
            if (i == 0)
                ck_assert_double_eq(score, proof[c].is.worst);
            before = score;
        }
        ck_assert_uint_eq(proof[c].is.verdict, proof[c].is.worst <= 0.05   ? PRVCUT_FAITH_FAITHFUL
                                               : proof[c].is.worst <= 0.15 ? PRVCUT_FAITH_FAIR
                                                                           : PRVCUT_FAITH_DOUBTFUL);
    }
    release(proof);
    plan_fini(p);
}
END_TEST

/* A thread that is left out of the chop is unlike; so is one that calls twice as often there. */
START_TEST(test_prove_names_threads_that_are_unlike)
{
    struct made_proof proof[CHOPS];
    char path[300];
    struct plan *p;

    generate("--tasks 6 --iterations 100 --lean --jitter 0", path, sizeof path);
    p = plan_of(path);
    plan_init(p, p->end, p->threads);
    make(proof, path, 2, p);
    ck_assert_uint_eq(proof[2].is.threads, 6);
    ck_assert_uint_ge(proof[2].is.unlike, 1);
    for (uint32_t i = 0; i < proof[2].is.unlike_threads; i++)
        if (proof[2].is.unlike_thread[i] == 1)
            break;
        else
            ck_assert_uint_lt(i + 1, proof[2].is.unlike_threads);
    ck_assert_uint_eq(proof[7].is.unlike, 0);
    release(proof);
    plan_fini(p);
}
END_TEST

/* ---- by hand ---- */

static void write_trace(const char *path, const char *records)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    ck_assert_int_gt(
        fprintf(f, "#Paraver (01/01/2026 at 10:00):1000_ns:1(2):1:2(1:1,1:1)\n%s", records), 0);
    ck_assert_int_eq(fclose(f), 0);
}

/* Of [200, 800), 2 iterations, and 1 iteration in a window of it. */
static void prove_window(struct made_proof *out, const char *records,
                         const struct prvcut_window *window)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_proof_region region = { .window = { .from = 200, .to = 800 },
                                                .iterations = 2 };
    const struct prvcut_proof_chop chop = { .window = *window, .iterations = 1 };
    struct prvcut_trace *trace;
    char path[300];

    snprintf(path, sizeof path, "%s/hand.prv", folder);
    write_trace(path, records);
    memset(out, 0, sizeof *out);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_proofs_make(out, trace, &run, &region, 1, &chop, 1, NULL, &error) ==
                      PRVCUT_OK,
                  "%s", error.text);
    prvcut_trace_close(trace);
}

static void prove_hand(struct made_proof *out, const char *records)
{
    prove_window(out, records, &(struct prvcut_window){ .from = 350, .to = 650 });
}

/* One thread computes all of a long window, the other half of a short one: as efficiency has it. */
START_TEST(test_prove_threads_of_different_lengths_have_their_mean_as_runtime)
{
    const uint64_t from[2] = { 300, 400 }, to[2] = { 700, 500 };
    const struct prvcut_window window = {
        .from = 300, .to = 700, .thread_from = from, .thread_to = to
    };
    struct made_proof p;
    size_t n = 0;

    prove_window(&p,
                 "1:1:1:1:1:0:1000:1\n"
                 "1:2:1:2:1:0:450:1\n"
                 "1:2:1:2:1:450:1000:3\n",
                 &window);
    n += expect(&p, "efficiency", "parallel efficiency", "share",
                (double[2]){ 450 / 500., (600 + 250) / 1200. });
    n += expect(&p, "efficiency", "load balance", "share",
                (double[2]){ 450 / 800., (600 + 250) / 1200. });
    n +=
        expect(&p, "efficiency", "communication efficiency", "share", (double[2]){ 400 / 250., 1 });
    ck_assert_uint_eq(n, 3);
    prvcut_proof_fini(&p);
}
END_TEST

/* Damaged records that overlap add up to more than the time there is. */
START_TEST(test_prove_overlapping_states_never_beyond_all)
{
    struct made_proof p;

    prove_hand(&p, "1:1:1:1:1:0:1000:1\n"
                   "1:1:1:1:1:0:1000:1\n"
                   "1:2:1:2:1:0:1000:3\n");
    ck_assert_uint_eq(
        expect(&p, "efficiency", "communication efficiency", "share", (double[2]){ 1, 1 }), 1);
    prvcut_proof_fini(&p);
}
END_TEST

START_TEST(test_prove_small_trace_by_hand)
{
    struct made_proof p;
    size_t n = 0;

    prove_hand(&p, "1:1:1:1:1:0:300:1\n"
                   "1:2:1:2:1:0:400:1\n"
                   "2:1:1:1:1:100:42000050:5\n"
                   "1:1:1:1:1:300:500:3\n"
                   "2:1:1:1:1:300:50000001:2:42000050:40\n"
                   "1:2:1:2:1:400:600:4\n"
                   "2:2:1:2:1:400:50000001:1\n"
                   "3:2:1:2:1:400:400:1:1:1:1:300:500:64:7\n"
                   "1:1:1:1:1:500:1000:1\n"
                   "2:1:1:1:1:500:50000001:0:42000050:7\n"
                   "1:2:1:2:1:600:1000:1\n"
                   "2:2:1:2:1:600:50000001:0\n"
                   "2:1:1:1:1:900:42000050:80\n");
    n += expect(&p, "state", "Running", "share", (double[2]){ 250 / 600., 800 / 1200. });
    n += expect(&p, "state", "Waiting a message", "share", (double[2]){ 150 / 600., 200 / 1200. });
    n += expect(&p, "state", "Blocking Send", "share", (double[2]){ 200 / 600., 200 / 1200. });
    n += expect(&p, "call", "MPI_Recv", "share", (double[2]){ 150 / 600., 200 / 1200. });
    n += expect(&p, "call", "MPI_Send", "share", (double[2]){ 200 / 600., 200 / 1200. });
    n += expect(&p, "call", "all MPI calls", "share", (double[2]){ 350 / 600., 400 / 1200. });
    n += expect(&p, "call", "outside MPI", "share", (double[2]){ 250 / 600., 800 / 1200. });
    n += expect(&p, "call", "MPI_Recv", "1/iteration", (double[2]){ 0, 0.5 });
    n += expect(&p, "call", "MPI_Send", "1/iteration", (double[2]){ 1, 0.5 });
    n += expect(&p, "call", "all MPI calls", "1/iteration", (double[2]){ 1, 1 });
    n += expect(&p, "traffic", "messages", "1/iteration", (double[2]){ 1, 0.5 });
    n += expect(&p, "traffic", "bytes", "B/iteration", (double[2]){ 64, 32 });
    /* 7 are divided at 350: 1 before, 6 behind. */
    n += expect(&p, "counter", "instructions", "1/iteration",
                (double[2]){ 6 + 30, (20 + 7 + 60) / 2. });
    n += expect(&p, "efficiency", "parallel efficiency", "share",
                (double[2]){ 250 / 600., 800 / 1200. });
    n += expect(&p, "efficiency", "load balance", "share", (double[2]){ 250 / 300., 1 });
    n += expect(&p, "efficiency", "communication efficiency", "share",
                (double[2]){ 0.5, 400 / 600. });
    ck_assert_uint_eq(n, p.is.rows);
    ck_assert_double_eq(p.is.worst, 1);
    ck_assert_str_eq(p.row[0].name, "bytes");
    ck_assert_str_eq(p.row[1].name, "messages");
    ck_assert_uint_eq(p.is.verdict, PRVCUT_FAITH_DOUBTFUL);
    ck_assert_double_eq(p.is.iterations_region, 2);
    ck_assert_uint_eq(p.is.threads, 2);
    ck_assert_uint_eq(p.is.unlike, 0);
    prvcut_proof_fini(&p);
}
END_TEST

/* The lines of one instant stand in two blocks of the file: both count from the reading before. */
START_TEST(test_prove_counters_read_across_blocks_belong_together)
{
    static const char pad[] = "2:2:1:2:1:300:1000:1\n";
    static char records[(3 << 20) / 2];
    const char *const after = "2:1:1:1:1:300:42000059:100\n"
                              "2:1:1:1:1:500:42000050:7:42000059:30\n";
    struct made_proof p;
    char *at = records + sprintf(records, "2:1:1:1:1:100:42000050:5\n"
                                          "2:1:1:1:1:300:42000050:40\n");

    while (at + sizeof pad + strlen(after) < records + sizeof records) {
        memcpy(at, pad, sizeof pad);
        at += sizeof pad - 1;
    }
    memcpy(at, after, strlen(after) + 1);
    prove_hand(&p, records);
    expect(&p, "counter", "instructions", "1/iteration", (double[2]){ 6, (20 + 7) / 2. });
    expect(&p, "counter", "cycles", "1/iteration", (double[2]){ 30 - 7, (50 + 30) / 2. });
    prvcut_proof_fini(&p);
}
END_TEST

/* A trace without labels: the values of a type are counted together. */
START_TEST(test_prove_counts_regions_where_there_is_no_mpi)
{
    struct made_proof p;
    size_t n = 0;

    prove_hand(&p, "2:1:1:1:1:210:60000001:1\n"
                   "2:1:1:1:1:220:60000001:0\n"
                   "2:1:1:1:1:350:60000001:1\n"
                   "2:1:1:1:1:360:60000018:5\n"
                   "2:1:1:1:1:370:60000018:0\n"
                   "2:1:1:1:1:380:60000001:0\n"
                   "2:1:1:1:1:640:60000001:1\n"
                   "2:1:1:1:1:650:60000001:0\n"
                   "2:1:1:1:1:660:60000001:1\n"
                   "2:1:1:1:1:670:60000001:0\n");
    n += expect(&p, "call", "all regions", "1/iteration", (double[2]){ 3, 2.5 });
    n += expect(&p, "call", "Parallel (OMP), other", "1/iteration", (double[2]){ 2, 2 });
    n += expect(&p, "call", "Executed OpenMP parallel function, other", "1/iteration",
                (double[2]){ 1, 0.5 });
    ck_assert_uint_eq(n, p.is.rows);
    prvcut_proof_fini(&p);
}
END_TEST

START_TEST(test_prove_call_that_never_ends_lasts_to_the_end)
{
    struct made_proof p;

    prove_hand(&p, "2:1:1:1:1:640:50000001:2\n");
    expect(&p, "call", "MPI_Recv", "share", (double[2]){ 10 / 300., 160 / 600. });
    expect(&p, "call", "MPI_Recv", "1/iteration", (double[2]){ 1, 0.5 });
    prvcut_proof_fini(&p);
}
END_TEST

START_TEST(test_prove_empty_regions_finds_nothing)
{
    struct made_proof p;

    prove_hand(&p, "1:1:1:1:1:0:200:1\n"
                   "2:1:1:1:1:100:50000001:2\n"
                   "2:1:1:1:1:190:50000001:0\n"
                   "1:1:1:1:1:800:1000:1\n");
    ck_assert_uint_eq(p.is.rows, 0);
    ck_assert_uint_eq(p.is.verdict, PRVCUT_FAITH_UNKNOWN);
    ck_assert_uint_eq(p.is.threads, 0);
    prvcut_proof_fini(&p);
}
END_TEST

/* What is between two pieces might as well be masked; where threads have times of their own, too.
 */
START_TEST(test_prove_pieces_equal_a_window_without_what_is_between)
{
    enum { THREADS = 4 };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_proof_region region[2];
    struct prvcut_proof_chop chop[2];
    struct prvcut_window piece[2];
    struct prvcut_span between;
    uint64_t from[2][THREADS], to[2][THREADS];
    struct made_proof p[2] = { { .row = NULL } };
    struct prvcut_trace *trace;
    char path[300];

    generate("--tasks 4 --iterations 8 --init-ns 1000000", path, sizeof path);
    ck_assert(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK);
    between = (struct prvcut_span){ trace->end_ns / 2, trace->end_ns / 2 + trace->end_ns / 16 };
    for (uint32_t i = 0; i < THREADS; i++) {
        from[0][i] = trace->end_ns / 5 + 1000 * i;
        to[0][i] = between.start;
        from[1][i] = between.end;
        to[1][i] = trace->end_ns - 777 * i;
    }
    for (size_t i = 0; i < 2; i++) {
        piece[i] = (struct prvcut_window){ .thread_from = from[i], .thread_to = to[i] };
        chop[i] = (struct prvcut_proof_chop){
            .region = i, .window = { .from = between.end, .to = trace->end_ns }, .iterations = 2
        };
    }
    region[0] = (struct prvcut_proof_region){ .piece = piece, .pieces = 2, .iterations = 5 };
    region[1] =
        (struct prvcut_proof_region){ .window = { .thread_from = from[0], .thread_to = to[1] },
                                      .iterations = 5,
                                      .mask = &between,
                                      .masks = 1 };
    ck_assert(prvcut_proofs_make(p, trace, &run, region, 2, chop, 2, NULL, &error) == PRVCUT_OK);
    ck_assert_uint_gt(p[0].is.rows, 4);
    ck_assert_uint_eq(p[0].is.rows, p[1].is.rows);
    for (size_t i = 0; i < p[0].is.rows; i++) {
        const struct prvcut_proof_row *r = &p[0].row[i];
        const struct prvcut_proof_row *same = row_of(&p[1], prvcut_proof_group_text(r->group),
                                                     r->name, prvcut_proof_unit_text(r->unit));
        const bool each = r->unit == PRVCUT_PROOF_IN_COUNT || r->unit == PRVCUT_PROOF_IN_BYTES;

        ck_assert_ptr_nonnull(same);
        /* Masked time takes its part of the iterations away. */
        ck_assert(each || fabs(r->region - same->region) < 1e-9);
        ck_assert_double_eq(r->chop, same->chop);
    }
    prvcut_proof_fini(&p[0]);
    prvcut_proof_fini(&p[1]);
    prvcut_trace_close(trace);
}
END_TEST

/* So many chops of so many threads that these are not told apart: totals stay as they are. */
START_TEST(test_prove_beyond_its_memory_keeps_totals)
{
    enum { MANY = 1100 };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_proof_region region;
    static struct prvcut_proof_chop chop[MANY];
    static struct made_proof few[1], many[MANY];
    struct prvcut_trace *trace;
    char path[300];

    /* What it adds up is the same with sanitizers, and takes long. */
    if (traces_take() == TRACES_LEAST)
        return;
    generate("--tasks 2048 --iterations 2 --lean --init-ns 1000000", path, sizeof path);
    ck_assert(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK);
    region =
        (struct prvcut_proof_region){ .window = { .from = trace->end_ns / 5, .to = trace->end_ns },
                                      .iterations = 4 };
    for (size_t i = 0; i < MANY; i++)
        chop[i] = (struct prvcut_proof_chop){
            .window = { .from = trace->end_ns / 3 + i, .to = trace->end_ns / 2 }, .iterations = 1
        };
    ck_assert(prvcut_proofs_make(few, trace, &run, &region, 1, chop, 1, NULL, &error) == PRVCUT_OK);
    ck_assert(prvcut_proofs_make(many, trace, &run, &region, 1, chop, MANY, NULL, &error) ==
              PRVCUT_OK);
    ck_assert_uint_gt(few[0].is.threads, 0);
    ck_assert_uint_eq(many[0].is.threads, 0);
    ck_assert_ptr_nonnull(row_of(&few[0], "efficiency", "load balance", "share"));
    ck_assert_ptr_null(row_of(&many[0], "efficiency", "load balance", "share"));
    ck_assert_uint_eq(many[0].is.rows + 3, few[0].is.rows);
    for (size_t i = 0; i < many[0].is.rows; i++) {
        const struct prvcut_proof_row *r = &many[0].row[i];
        const struct prvcut_proof_row *same = row_of(&few[0], prvcut_proof_group_text(r->group),
                                                     r->name, prvcut_proof_unit_text(r->unit));

        ck_assert_ptr_nonnull(same);
        ck_assert_double_eq(r->region, same->region);
        ck_assert_double_eq(r->chop, same->chop);
    }
    prvcut_proof_fini(&few[0]);
    for (size_t i = 0; i < MANY; i++)
        prvcut_proof_fini(&many[i]);
    prvcut_trace_close(trace);
}
END_TEST

/* A trace whose threads are recorded apart, against what it looks like as a .prv. */
static void compare_converted(const char *path)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_convert_options options = { 0 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_trace *trace;
    char prv[300];
    struct plan *p;

    snprintf(prv, sizeof prv, "%s/c.prv", folder);
    options.path = prv;
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_convert(trace, &run, &options, &sum, &error) == PRVCUT_OK, "%s",
                  error.text);
    prvcut_trace_close(trace);
    p = plan_of(prv);
    /* Sends without their receives are in no .prv. */
    p->no_traffic = sum->unmatched > 0;
    prvcut_convert_summary_free(sum);
    add_mask(p, part(p, 0.4), part(p, 0.45));
    plan_init(p, p->end, p->threads);
    compare_all(prv, path, p, 2);
    plan_fini(p);
}

START_TEST(test_prove_sample_archive_equals_brute_force_on_its_conversion)
{
    char path[300];

    if (!test_reads("otf2"))
        return;
    ck_assert(traces_shell("zstd -dcq '%s/lu.S.4-eztrace.tar.zst' | tar -x -f - -C '%s' &&"
                           " mv \"$(find '%s' -type d -name '*_trace')\" '%s/t'",
                           SAMPLES, folder, folder, folder));
    snprintf(path, sizeof path, "%s/t/eztrace_log.otf2", folder);
    compare_converted(path);
}
END_TEST

static const struct {
    const char *format, *name;
} archives[] = {
    { "otf2", "bt.W.4" },   { "otf2", "lulesh.8" }, { "otf2", "scorep-ping-pong-otf2-papi" },
    { "otf2", "mpipth.4" }, { "otf", "lu.S.4" },    { "otf", "luleshomp.8-z" },
};

START_TEST(test_prove_archive_equals_brute_force_on_its_conversion)
{
    char path[4096];

    if (!traces_folder() || !test_reads(archives[_i].format) ||
        !traces_wanted(archives[_i].format, archives[_i].name))
        return;
    ck_assert(traces_unpack_archive(archives[_i].format, archives[_i].name, path, sizeof path));
    compare_converted(path);
}
END_TEST

static Suite *proof_suite(void)
{
    Suite *suite = suite_create("proof");
    TCase *tests = tcase_create("proof");

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, test_prove_real_trace_equals_brute_force, 0,
                        (int)(sizeof traces / sizeof *traces));
    tcase_add_loop_test(tests, test_prove_sample_equals_brute_force, 0, 2);
    tcase_add_loop_test(tests, test_prove_generated_trace_equals_brute_force, 0,
                        (int)(sizeof generated / sizeof *generated));
    tcase_add_test(tests, test_prove_region_itself_finds_no_error);
    tcase_add_test(tests, test_prove_by_many_workers_is_the_same);
    tcase_add_test(tests, test_prove_rows_come_worst_first);
    tcase_add_test(tests, test_prove_names_threads_that_are_unlike);
    tcase_add_test(tests, test_prove_small_trace_by_hand);
    tcase_add_test(tests, test_prove_threads_of_different_lengths_have_their_mean_as_runtime);
    tcase_add_test(tests, test_prove_overlapping_states_never_beyond_all);
    tcase_add_test(tests, test_prove_counters_read_across_blocks_belong_together);
    tcase_add_test(tests, test_prove_counts_regions_where_there_is_no_mpi);
    tcase_add_test(tests, test_prove_call_that_never_ends_lasts_to_the_end);
    tcase_add_test(tests, test_prove_empty_regions_finds_nothing);
    tcase_add_test(tests, test_prove_pieces_equal_a_window_without_what_is_between);
    tcase_add_test(tests, test_prove_beyond_its_memory_keeps_totals);
    tcase_add_test(tests, test_prove_sample_archive_equals_brute_force_on_its_conversion);
    tcase_add_loop_test(tests, test_prove_archive_equals_brute_force_on_its_conversion, 0,
                        (int)(sizeof archives / sizeof *archives));
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(proof_suite());
}
