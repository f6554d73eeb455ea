#include "structure/choose.h"

#include "prvcut/reduce.h"
#include "tests/structure/generated.h"

#include "runner.h"

#include <math.h>

#define MS UINT64_C(1000000)
/* Iterations of a hand-made loop and threads that follow it, at most. */
#define MOST    200
#define THREADS 8

static struct prvcut_error error;

/* A loop with its borders, for some threads. */
struct made {
    struct prvcut_loop loop;
    struct prvcut_call_loop calls;
    uint64_t border[THREADS][MOST + 1];
    uint64_t *borders[THREADS];
    size_t count[THREADS];
    struct prvcut_signal signal;
    double *at;
};

static struct prvcut_loop loop_of(double start, double period, double iterations)
{
    return (
        struct prvcut_loop){ .found = true,
                             .period_ns = period,
                             .median_ns = period,
                             .span = { (uint64_t)start, (uint64_t)(start + period * iterations) },
                             .iterations = iterations,
                             .strength = 0.9 };
}

/* Iterations of these lengths; each thread begins `skew` after the one before it. */
static void make(struct made *m, const uint64_t *length, size_t count, size_t threads,
                 uint64_t skew)
{
    uint64_t sum = 0;

    memset(m, 0, sizeof *m);
    for (size_t k = 0; k < count; k++)
        sum += length[k];
    m->loop = loop_of((double)(100 * MS), (double)sum / (double)count, (double)count);
    m->calls = (struct prvcut_call_loop){ .loop = m->loop,
                                          .followers = threads,
                                          .border = m->borders,
                                          .borders = m->count,
                                          .sequences = threads };
    for (size_t i = 0; i < threads; i++) {
        uint64_t t = 100 * MS + i * skew;

        m->borders[i] = m->border[i];
        m->count[i] = count + 1;
        for (size_t k = 0; k <= count; k++) {
            m->border[i][k] = t;
            t += k < count ? length[k] : 0;
        }
    }
}

static void make_equal(struct made *m, size_t count, size_t threads, uint64_t skew)
{
    uint64_t length[MOST];

    for (size_t k = 0; k < count; k++)
        length[k] = 20 * MS;
    make(m, length, count, threads, skew);
}

/* A signal that is high in the second half of each iteration of the first thread. */
static void make_signal(struct made *m, uint64_t width)
{
    const uint64_t start = m->loop.span.start, end = m->border[0][m->count[0] - 1];
    const size_t bins = (size_t)((end + 50 * MS) / width);
    size_t k = 0;

    m->at = calloc(bins, sizeof *m->at);
    ck_assert_ptr_nonnull(m->at);
    for (size_t i = 0; i < bins; i++) {
        const uint64_t t = i * width;

        while (k + 1 < m->count[0] && m->border[0][k + 1] <= t)
            k++;
        if (t >= start && k + 1 < m->count[0])
            m->at[i] = sin(2 * acos(-1) * (double)(t - m->border[0][k]) /
                           (double)(m->border[0][k + 1] - m->border[0][k]));
    }
    m->signal = (struct prvcut_signal){ .width = width, .at = m->at, .bins = bins };
}

static struct prvcut_choice_input input(const struct made *m, unsigned iterations)
{
    return (struct prvcut_choice_input){ .loop = &m->loop,
                                         .calls = &m->calls,
                                         .signal = m->at ? &m->signal : NULL,
                                         .iterations = iterations };
}

static struct prvcut_choice choose(const struct prvcut_choice_input *in)
{
    struct prvcut_choice c;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_choose(&c, in, &error) == PRVCUT_OK, "%s", error.text);
    if (!c.found)
        return c;
    ck_assert_double_ge(c.similarity, -1);
    ck_assert_double_le(c.similarity, 1);
    ck_assert_uint_lt(c.window.start, c.window.end);
    ck_assert_uint_le(c.left.start, c.window.start);
    ck_assert_uint_ge(c.left.end, c.window.start);
    ck_assert_uint_le(c.right.start, c.window.end);
    ck_assert_uint_ge(c.right.end, c.window.end);
    ck_assert_uint_lt(c.left.end, c.right.start);
    return c;
}

/* Number of the iteration that begins at a time, on the first thread. */
static size_t number(const struct made *m, uint64_t time)
{
    for (size_t k = 0; k < m->count[0]; k++)
        if (m->border[0][k] == time)
            return k;
    ck_abort_msg("%" PRIu64 " is no border", time);
    return 0;
}

static bool meets(const struct prvcut_span *a, const struct prvcut_span *b)
{
    return a->start < b->end && b->start < a->end;
}

START_TEST(test_choose_holds_exactly_n_iterations)
{
    static struct made m;
    struct prvcut_choice_input in;

    make_equal(&m, 40, 3, MS / 10);
    for (unsigned n = 1; n <= 40; n++) {
        struct prvcut_choice c;

        in = input(&m, n);
        c = choose(&in);
        ck_assert(c.found);
        ck_assert_uint_eq(number(&m, c.window.end) - number(&m, c.window.start), n);
    }
}
END_TEST

START_TEST(test_choose_more_iterations_than_there_are_is_refused)
{
    static struct made m;
    struct prvcut_choice_input in;

    make_equal(&m, 5, 2, 0);
    for (unsigned by_calls = 0; by_calls < 2; by_calls++) {
        in = input(&m, 6);
        in.calls = by_calls ? &m.calls : NULL;
        ck_assert(!choose(&in).found);
        ck_assert_int_eq(choose(&in).why, PRVCUT_CHOP_WHY_UNKNOWN);
        in.iterations = UINT32_MAX;
        ck_assert(!choose(&in).found);
        in.iterations = 5;
        ck_assert(choose(&in).found);
    }
}
END_TEST

START_TEST(test_choose_without_calls_takes_borders_from_period)
{
    const struct prvcut_loop loop = loop_of(7e6, 10.5e6, 12.3);
    struct prvcut_choice_input in = { .loop = &loop };

    for (in.iterations = 1; in.iterations <= 12; in.iterations++) {
        const struct prvcut_choice c = choose(&in);
        const double k = ((double)c.window.start - 7e6) / 10.5e6;

        ck_assert(c.found);
        ck_assert_double_eq_tol(k, round(k), 1e-6);
        ck_assert_double_eq_tol((double)(c.window.end - c.window.start), 10.5e6 * in.iterations,
                                1.1);
        ck_assert_uint_le(c.window.end, loop.span.end);
    }
    ck_assert(!choose(&in).found);
}
END_TEST

/* The calls know better than the mean period where a drifting iteration begins. */
START_TEST(test_choose_with_calls_takes_borders_from_calls)
{
    static struct made m;
    uint64_t length[50];
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    for (size_t k = 0; k < 50; k++)
        length[k] = 10 * MS + k * MS / 5;
    make(&m, length, 50, 4, MS / 20);
    in = input(&m, 3);
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_uint_eq(number(&m, c.window.end) - number(&m, c.window.start), 3);
    /* The freedom spans what the threads' borders span. */
    ck_assert_uint_ge(c.left.end, c.window.start + 3 * MS / 20);
}
END_TEST

/* --- Masks -------------------------------------------------------------------------------------
 */

START_TEST(test_choose_window_lies_in_longest_clear_region)
{
    static struct made m;
    /* Clear iterations: 0..9, 13..29, 32..39. */
    const struct prvcut_span mask[] = { { 301 * MS, 355 * MS }, { 700 * MS, 740 * MS } };
    struct prvcut_choice_input in;

    make_equal(&m, 40, 3, MS / 10);
    make_signal(&m, MS / 2);
    for (unsigned n = 1; n <= 17; n++) {
        struct prvcut_choice c;

        in = input(&m, n);
        in.mask = mask;
        in.masks = 2;
        in.signal = n & 1 ? &m.signal : NULL;
        c = choose(&in);
        ck_assert(c.found);
        ck_assert_uint_ge(c.window.start, 360 * MS);
        ck_assert_uint_le(c.window.end, 700 * MS);
        /* Nor may it be moved into a mask later. */
        for (unsigned i = 0; i < 2; i++) {
            ck_assert(!meets(&c.left, &mask[i]));
            ck_assert(!meets(&c.right, &mask[i]));
        }
    }
    free(m.at);
}
END_TEST

START_TEST(test_choose_without_clear_region_takes_from_all)
{
    static struct made m;
    const struct prvcut_span mask[] = { { 0, 10000 * MS } };
    struct prvcut_choice_input in;
    struct prvcut_choice c, clear;

    make_equal(&m, 10, 2, 0);
    in = input(&m, 2);
    clear = choose(&in);
    in.mask = mask;
    in.masks = 1;
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_int_ne(c.why, clear.why);
}
END_TEST

/* Any masks: where N iterations in a row are clear, the window is. */
START_TEST(test_choose_window_never_touches_a_mask)
{
    static struct made m;
    uint64_t state = (uint64_t)_i + 1;

    for (unsigned round = 0; round < 300; round++) {
        struct prvcut_span mask[12];
        size_t masks = 0, run = 0, longest = 0;
        uint64_t length[60], t = 0;
        struct prvcut_choice_input in;
        struct prvcut_choice c;

        for (size_t k = 0; k < 60; k++)
            length[k] = 15 * MS + scratch_random(&state) % (10 * MS);
        make(&m, length, 60, 1, 0);
        while (masks < 12 && (t += scratch_random(&state) % (400 * MS)) < 1500 * MS) {
            mask[masks].start = t;
            mask[masks++].end = t += 1 + scratch_random(&state) % (60 * MS);
        }
        for (size_t k = 0; k < 60; k++) {
            const struct prvcut_span one = { m.border[0][k], m.border[0][k + 1] };
            bool hit = false;

            for (size_t i = 0; i < masks; i++)
                hit |= meets(&one, &mask[i]);
            run = hit ? 0 : run + 1;
            longest = run > longest ? run : longest;
        }
        in = input(&m, 1 + (unsigned)(scratch_random(&state) % 8));
        in.mask = mask;
        in.masks = masks;
        c = choose(&in);
        ck_assert(c.found);
        ck_assert_uint_eq(number(&m, c.window.end) - number(&m, c.window.start), in.iterations);
        for (size_t i = 0; i < masks && longest >= in.iterations; i++) {
            ck_assert(!meets(&c.window, &mask[i]));
            ck_assert(!meets(&c.left, &mask[i]));
            ck_assert(!meets(&c.right, &mask[i]));
        }
    }
}
END_TEST

/* --- Usual iterations --------------------------------------------------------------------------
 */

/* Also where a long and a short one make up for each other. */
START_TEST(test_choose_leaves_out_unusual_iterations)
{
    static struct made m;
    uint64_t length[30];
    struct prvcut_choice_input in;

    for (size_t k = 0; k < 30; k++)
        length[k] = 20 * MS;
    for (size_t k = 0; k < 20; k += 4) {
        length[k] = 35 * MS;
        length[k + 1] = 5 * MS;
    }
    make(&m, length, 30, 2, 0);
    for (unsigned n = 1; n <= 4; n++) {
        size_t k;
        struct prvcut_choice c;

        in = input(&m, n);
        c = choose(&in);
        ck_assert(c.found);
        k = number(&m, c.window.start);
        for (size_t i = k; i < k + n; i++)
            ck_assert_uint_eq(length[i], 20 * MS);
    }
}
END_TEST

START_TEST(test_choose_unusual_iteration_like_a_sine_is_left_out)
{
    static struct made m;
    uint64_t length[30];
    struct prvcut_choice_input in;

    for (size_t k = 0; k < 30; k++)
        length[k] = 20 * MS + k % 3 * MS / 10;
    length[17] = 30 * MS;
    make(&m, length, 30, 1, 0);
    make_signal(&m, MS / 2);
    /* All others are flat. */
    for (size_t i = 0; i < m.signal.bins; i++) {
        const uint64_t t = i * m.signal.width;

        if (t < m.border[0][17] || t >= m.border[0][18])
            m.at[i] = (double)(i * 7 % 5);
    }
    in = input(&m, 1);
    ck_assert_uint_ne(number(&m, choose(&in).window.start), 17);
    free(m.at);
}
END_TEST

START_TEST(test_choose_takes_iterations_most_like_a_sine)
{
    static struct made m;
    uint64_t state = 5;
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    make_equal(&m, 30, 1, 0);
    make_signal(&m, MS / 4);
    for (size_t i = 0; i < m.signal.bins; i++) {
        const uint64_t t = i * m.signal.width;

        if (t < m.border[0][11] || t >= m.border[0][13])
            m.at[i] = (double)(scratch_random(&state) % 1000) / 500;
    }
    in = input(&m, 2);
    c = choose(&in);
    /* The sine may begin just before the border. */
    ck_assert_uint_ge(number(&m, c.window.start), 10);
    ck_assert_uint_le(number(&m, c.window.start), 11);
    ck_assert_double_gt(c.similarity, 0.9);
    free(m.at);
}
END_TEST

/* --- Threads -----------------------------------------------------------------------------------
 */

START_TEST(test_choose_odd_thread_does_not_decide)
{
    static struct made m;
    struct prvcut_choice_input in;
    struct prvcut_choice c, usual;

    make_equal(&m, 20, 5, MS / 10);
    in = input(&m, 2);
    usual = choose(&in);
    /* One sees fewer borders, one none, one is far away. */
    m.count[0] = 4;
    m.borders[3] = NULL;
    m.count[3] = 0;
    for (size_t k = 0; k <= 20; k++)
        m.border[4][k] += 15 * MS;
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.end - c.window.start, usual.window.end - usual.window.start);
    ck_assert_uint_lt(c.left.end - c.left.start, 5 * MS);
}
END_TEST

START_TEST(test_choose_borders_of_unlike_threads_stay_in_order)
{
    static struct made m;
    uint64_t state = (uint64_t)_i + 77;

    for (unsigned round = 0; round < 200; round++) {
        uint64_t length[40];
        struct prvcut_choice_input in;

        for (size_t k = 0; k < 40; k++)
            length[k] = 1 + scratch_random(&state) % (40 * MS);
        make(&m, length, 40, 6, 3 * MS);
        for (size_t i = 0; i < 6; i++) {
            uint64_t t = 100 * MS;

            for (size_t k = 0; k <= 40; k++)
                m.border[i][k] = t += 1 + scratch_random(&state) % (40 * MS);
        }
        in = input(&m, 1 + (unsigned)(scratch_random(&state) % 4));
        /* A window of any length, but one that ends after it begins. */
        memset(&error, 0, sizeof error);
        {
            struct prvcut_choice c;

            ck_assert_int_eq(prvcut_choose(&c, &in, &error), PRVCUT_OK);
            ck_assert(c.found);
            ck_assert_uint_le(c.window.start, c.window.end);
            ck_assert_uint_lt(c.window.end, 100 * MS + 41 * 40 * MS);
        }
    }
}
END_TEST

/* --- Refining ----------------------------------------------------------------------------------
 */

#define OPEN_ROOM ((size_t)1 << 20)

/* What is open over a span of time, and what it costs to cut it. */
struct open {
    uint64_t begin, end;
    unsigned cost;
};

struct opens {
    struct open *at;
    size_t count;
};

static void open_add(struct opens *o, uint64_t begin, uint64_t end, unsigned cost)
{
    ck_assert_uint_lt(o->count, OPEN_ROOM);
    o->at[o->count++] = (struct open){ begin, end, cost };
}

/* Calls of one thread and type: begin, or 0. */
static void open_event(struct opens *o, char *line, uint64_t *since, uint64_t unit)
{
    char *field = strtok(line, ":");
    uint64_t value[5], time;

    for (unsigned i = 0; i < 5; i++) {
        value[i] = strtoull(field, NULL, 10);
        field = strtok(NULL, ":");
    }
    time = strtoull(field, NULL, 10) * unit;
    while ((field = strtok(NULL, ":"))) {
        const uint64_t type = strtoull(field, NULL, 10);
        uint64_t *open = &since[((value[2] * 8 + value[3]) * 16 + value[4]) * 8 + type % 8];
        const uint64_t call = strtoull(strtok(NULL, ":"), NULL, 10);

        if (type < 50000001 || type > 50000003)
            continue;
        if (call == 0 && *open > 0)
            open_add(o, *open - 1, time, type == 50000002 ? 8 : 1);
        *open = call == 0 ? 0 : time + 1;
    }
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct opens opens_read(const char *path, uint64_t unit)
{
    struct opens o = { malloc(OPEN_ROOM * sizeof *o.at), 0 };
    uint64_t *since = calloc(64 * 8 * 16 * 8, sizeof *since), s[2], r[2];
    FILE *file = fopen(path, "r");
    char line[4096];

    ck_assert_ptr_nonnull(file);
    ck_assert(o.at && since);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line,
                   "3:%*u:%*u:%*u:%*u:%" SCNu64 ":%" SCNu64 ":%*u:%*u:%*u:%*u:%" SCNu64 ":%" SCNu64,
                   &s[0], &s[1], &r[0], &r[1]) == 4)
            open_add(&o, lesser(s[0], r[0]) * unit, (s[1] > r[1] ? s[1] : r[1]) * unit, 1);
        else if (strncmp(line, "2:", 2) == 0)
            open_event(&o, line, since, unit);
    }
    fclose(file);
    free(since);
    return o;
}

/* What a border at this time cuts in two. */
static unsigned cost_at(const struct opens *o, uint64_t time)
{
    unsigned cost = 0;

    for (size_t i = 0; i < o->count; i++)
        if (o->at[i].begin < time && time < o->at[i].end)
            cost += o->at[i].cost;
    return cost;
}

static enum prvcut_status nothing(void *ctx, unsigned worker, void *state,
                                  const struct prvcut_batch *batch, struct prvcut_error *err)
{
    (void)ctx;
    (void)worker;
    (void)state;
    (void)batch;
    (void)err;
    return PRVCUT_OK;
}

static struct prvcut_trace *open_scanned(const char *path)
{
    const struct prvcut_consumer k = { .messages = true, .batch = nothing };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *t;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(t->reader->scan(t, &run, &k, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

static const char *const refined[] = {
    "--tasks 6 --iterations 20",
    "--tasks 6 --iterations 20 --skew-ns 400000",
    "--tasks 6 --iterations 20 --jitter 0.2 --inner 4",
    "--tasks 6 --iterations 20 --pipeline --inner 3",
    "--tasks 6 --iterations 20 --microseconds --period-ns 400000 --inner 3",
    "--tasks 6 --iterations 20 --microseconds --period-ns 20000 --inner 3 --init-ns 1000000",
    "--tasks 8 --iterations 20 --imbalance 0.4 --every-k 3",
    "--tasks 4 --iterations 20 --no-calls",
};

#define REFINED ((int)(sizeof refined / sizeof *refined))

/* Borders anywhere, freedom of any size: never worse than before, never outside. */
START_TEST(test_refine_cuts_no_more_than_before)
{
    const struct prvcut_run run = { .threads = 2 };
    uint64_t state = (uint64_t)_i + 1;
    struct prvcut_trace *t;
    struct truth *truth;
    struct opens opens;
    uint64_t before = 0, after = 0;

    generated_make(refined[_i], "a");
    truth = truth_read("a");
    t = open_scanned("a.prv");
    opens = opens_read("a.prv", t->unit_ns);
    for (unsigned n = 0; n < 60; n++) {
        const uint64_t p = (uint64_t)truth->mean, free_ns = 1 + p / (1u << (2 + n % 8));
        struct prvcut_choice c = { .found = true };
        struct prvcut_span w;

        c.window.start = truth->loop_start + scratch_random(&state) % (10 * p);
        c.window.end = c.window.start + 2 * p + scratch_random(&state) % p;
        c.left = (struct prvcut_span){ c.window.start - scratch_random(&state) % free_ns,
                                       c.window.start + scratch_random(&state) % free_ns };
        c.right = (struct prvcut_span){ c.window.end - scratch_random(&state) % free_ns,
                                        c.window.end + scratch_random(&state) % free_ns };
        w = c.window;
        ck_assert_msg(prvcut_choice_refine(&c, t, &run, &error) == PRVCUT_OK, "%s", error.text);
        ck_assert_uint_ge(c.window.start, c.left.start);
        ck_assert_uint_le(c.window.start, c.left.end);
        ck_assert_uint_ge(c.window.end, c.right.start);
        ck_assert_uint_le(c.window.end, c.right.end);
        ck_assert_uint_le(cost_at(&opens, c.window.start), cost_at(&opens, w.start));
        ck_assert_uint_le(cost_at(&opens, c.window.end), cost_at(&opens, w.end));
        before += cost_at(&opens, w.start) + cost_at(&opens, w.end);
        after += cost_at(&opens, c.window.start) + cost_at(&opens, c.window.end);
    }
    ck_assert(opens.count == 0 || after < before);
    free(opens.at);
    free(truth);
    prvcut_trace_close(t);
}
END_TEST

/* The best place of all is found where the freedom is wide. */
START_TEST(test_refine_finds_the_cheapest_place)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_trace *t;
    struct truth *truth;
    struct opens opens;

    generated_make("--tasks 5 --iterations 12 --skew-ns 300000", "a");
    truth = truth_read("a");
    t = open_scanned("a.prv");
    opens = opens_read("a.prv", 1);
    for (unsigned n = 1; n < 9; n++) {
        const uint64_t p = (uint64_t)truth->mean;
        struct prvcut_choice c = { .found = true };
        unsigned least = UINT32_MAX;

        c.window = (struct prvcut_span){ truth->first[n], truth->first[n + 2] };
        c.left = (struct prvcut_span){ c.window.start - p / 4, c.window.start + p / 4 };
        c.right = (struct prvcut_span){ c.window.end, c.window.end };
        ck_assert_int_eq(prvcut_choice_refine(&c, t, &run, &error), PRVCUT_OK);
        for (size_t i = 0; i < opens.count; i++)
            if (opens.at[i].begin >= c.left.start && opens.at[i].begin <= c.left.end) {
                const unsigned cost = cost_at(&opens, opens.at[i].begin);

                least = cost < least ? cost : least;
            }
        ck_assert_uint_eq(cost_at(&opens, c.window.start), least);
    }
    free(opens.at);
    free(truth);
    prvcut_trace_close(t);
}
END_TEST

/*
 * Calls of no time at 100 cannot be cut: that place costs as much as all others within the
 * second thread's long call, and the begin at 130 is the only one where nothing is open.
 */
START_TEST(test_refine_is_not_misled_by_calls_without_time)
{
    static const char text[] = "#Paraver (20/11/2026 at 11:44):1000_ns:1(2):1:2(1:1,1:1)\n"
                               "2:2:1:2:1:20:50000001:1\n"
                               "2:1:1:1:1:100:50000001:1\n"
                               "2:1:1:1:1:100:50000001:0\n"
                               "2:1:1:1:1:100:50000001:2\n"
                               "2:1:1:1:1:100:50000001:0\n"
                               "2:2:1:2:1:120:50000001:0\n"
                               "2:2:1:2:1:130:50000001:1\n"
                               "2:2:1:2:1:140:50000001:0\n"
                               "2:1:1:1:1:700:50000001:2\n"
                               "2:1:1:1:1:701:50000001:0\n";
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_choice c = {
        .found = true, .window = { 105, 700 }, .left = { 10, 150 }, .right = { 700, 700 }
    };
    struct prvcut_trace *t;

    scratch_write("a.prv", text, sizeof text - 1);
    t = open_scanned("a.prv");
    /* The long call's begin is as free: only the distance decides. */
    ck_assert_int_eq(prvcut_choice_refine(&c, t, &run, &error), PRVCUT_OK);
    ck_assert_uint_eq(c.window.start, 130);
    ck_assert_uint_eq(c.window.end, 700);
    prvcut_trace_close(t);
}
END_TEST

/* Only iterations whose middle lies in the span are to be had. */
START_TEST(test_choose_keeps_within_a_span)
{
    struct made m;
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    make_equal(&m, 40, 3, 0);
    in = input(&m, 2);
    in.within = (struct prvcut_span){ m.border[0][30] - 3 * MS, m.border[0][33] + 3 * MS };
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.start, m.border[0][30]);
    ck_assert_uint_eq(c.window.end, m.border[0][32]);
    in.iterations = 3;
    ck_assert(choose(&in).found);
    in.iterations = 4;
    ck_assert(!choose(&in).found);
    in.within = (struct prvcut_span){ 1, 2 };
    in.iterations = 1;
    ck_assert(!choose(&in).found);
}
END_TEST

/* What is usual elsewhere does not matter. */
START_TEST(test_choose_within_a_span_takes_what_is_usual_there)
{
    uint64_t length[60];
    struct made m;
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    for (size_t k = 0; k < 60; k++)
        length[k] = k < 40 ? 20 * MS : k == 40 ? 20 * MS : 30 * MS;
    make(&m, length, 60, 2, 0);
    in = input(&m, 1);
    in.within = (struct prvcut_span){ m.border[0][40], m.border[0][60] };
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.end - c.window.start, 30 * MS);
}
END_TEST

/* Where the calls tell nothing, a signal's own borders are better than equal steps. */
START_TEST(test_choose_takes_borders_that_a_signal_followed)
{
    uint64_t border[] = { 100 * MS, 120 * MS, 150 * MS, 170 * MS, 190 * MS, 210 * MS };
    struct made m;
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    make_equal(&m, 5, 1, 0);
    in = input(&m, 2);
    in.calls = NULL;
    in.borders = (struct prvcut_signal_borders){ border, 6 };
    c = choose(&in);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.start, 150 * MS);
    ck_assert_uint_eq(c.window.end, 190 * MS);
}
END_TEST

START_TEST(test_choose_given_takes_the_borders_next_to_it)
{
    const struct prvcut_span wanted[] = { { 163 * MS, 178 * MS }, { 161 * MS, 165 * MS } };
    struct made m;
    struct prvcut_choice_input in;
    struct prvcut_choice c;

    make_equal(&m, 20, 2, 0);
    in = input(&m, 1);
    ck_assert_int_eq(prvcut_choose_given(&c, &in, wanted[0], &error), PRVCUT_OK);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.start, 160 * MS);
    ck_assert_uint_eq(c.window.end, 180 * MS);
    /* Too far away from any iteration: as given. */
    ck_assert_int_eq(prvcut_choose_given(&c, &in, wanted[1], &error), PRVCUT_OK);
    ck_assert(c.found);
    ck_assert_uint_eq(c.window.start, wanted[1].start);
    ck_assert_uint_eq(c.window.end, wanted[1].end);
    ck_assert_uint_le(c.left.start, c.window.start);
    ck_assert_uint_ge(c.right.end, c.window.end);
}
END_TEST

static Suite *choose_suite(void)
{
    Suite *s = suite_create("choose");
    TCase *t = tcase_create("choose"), *r = tcase_create("refine");

    tcase_add_test(t, test_choose_holds_exactly_n_iterations);
    tcase_add_test(t, test_choose_more_iterations_than_there_are_is_refused);
    tcase_add_test(t, test_choose_without_calls_takes_borders_from_period);
    tcase_add_test(t, test_choose_with_calls_takes_borders_from_calls);
    tcase_add_test(t, test_choose_window_lies_in_longest_clear_region);
    tcase_add_test(t, test_choose_without_clear_region_takes_from_all);
    tcase_add_loop_test(t, test_choose_window_never_touches_a_mask, 0, 4);
    tcase_add_test(t, test_choose_leaves_out_unusual_iterations);
    tcase_add_test(t, test_choose_unusual_iteration_like_a_sine_is_left_out);
    tcase_add_test(t, test_choose_takes_iterations_most_like_a_sine);
    tcase_add_test(t, test_choose_odd_thread_does_not_decide);
    tcase_add_loop_test(t, test_choose_borders_of_unlike_threads_stay_in_order, 0, 3);
    tcase_add_test(t, test_choose_keeps_within_a_span);
    tcase_add_test(t, test_choose_within_a_span_takes_what_is_usual_there);
    tcase_add_test(t, test_choose_takes_borders_that_a_signal_followed);
    tcase_add_test(t, test_choose_given_takes_the_borders_next_to_it);
    suite_add_tcase(s, t);
    scratch_fixtures(r);
    tcase_add_loop_test(r, test_refine_cuts_no_more_than_before, 0, REFINED);
    tcase_add_test(r, test_refine_finds_the_cheapest_place);
    tcase_add_test(r, test_refine_is_not_misled_by_calls_without_time);
    suite_add_tcase(s, r);
    return s;
}

int main(void)
{
    return run_suite(choose_suite());
}
