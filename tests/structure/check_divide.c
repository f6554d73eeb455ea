#include "structure/levels.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, ROOM = 20000 };

/** A program of two threads that only call; the second one is a little later. */
struct program {
    struct prvcut_call_sequence sequence[THREADS];
    uint64_t now; /* ns */
    unsigned seed;
};

static struct program program; /* of the test that runs */
static const struct prvcut_run one = { .threads = 1 };
static struct prvcut_error error;

static unsigned draw(unsigned below)
{
    program.seed = program.seed * 1664525u + 1013904223u;
    return (program.seed >> 8) % below;
}

/* All threads call, then compute for about that long. */
static void call(unsigned which, uint64_t ns)
{
    for (unsigned i = 0; i < THREADS; i++) {
        struct prvcut_call_sequence *s = &program.sequence[i];

        ck_assert_uint_lt(s->count, ROOM);
        s->at[s->count++] = (struct prvcut_call){ .time = program.now + 300 * i,
                                                  .call = 1 + which,
                                                  .peer = 11 * which + i,
                                                  .size = 1000 + 7 * which,
                                                  .site = 5000 + which };
    }
    program.now += ns - ns / 50 + draw((unsigned)(ns / 25) + 1);
}

static void noise(unsigned calls)
{
    while (calls-- > 0)
        call(900 + draw(4000), 20000 + draw(400000));
}

/* Iterations of six calls, from call `first` on. */
static void loop(unsigned first, unsigned iterations, uint64_t period)
{
    while (iterations-- > 0)
        for (unsigned k = 0; k < 6; k++)
            call(first + k, period / 6);
}

/* Iterations that hold a loop of `inner` iterations of four calls, between two calls each side. */
static void nested(unsigned iterations, unsigned inner)
{
    while (iterations-- > 0) {
        call(50, 400000);
        call(51, 300000);
        for (unsigned i = 0; i < inner; i++)
            for (unsigned k = 0; k < 4; k++)
                call(60 + k, 50000);
        call(52, 500000);
        call(53, 300000);
    }
}

/** A program divided. */
struct divided {
    struct prvcut_division parts;
    struct prvcut_known_loops known;
    struct made_structure s;
    struct prvcut_masks masks;
    struct prvcut_mask mask[4];
    struct prvcut_span span[4];
    struct prvcut_divide_input in;
};

static struct divided divided; /* that program */

static void input(void)
{
    static const struct prvcut_signal none[PRVCUT_SIGNALS];

    divided.in = (struct prvcut_divide_input){ .where = { .span = { 0, program.now + 100000 },
                                                          .signal = none,
                                                          .calls = true,
                                                          .sequence = program.sequence,
                                                          .sequences = THREADS,
                                                          .mask = divided.span },
                                               .masks = &divided.masks,
                                               .level = 1,
                                               .useful = 2 };
    divided.masks.at = divided.mask;
}

static void add_mask(enum prvcut_cause cause, uint64_t start, uint64_t end)
{
    divided.mask[divided.masks.count] =
        (struct prvcut_mask){ .cause = cause, .span = { start, end } };
    divided.span[divided.masks.count++] = (struct prvcut_span){ start, end };
}

static void divide(void)
{
    struct prvcut_search first;

    divided.in.where.masks = divided.masks.count;
    ck_assert_int_eq(prvcut_search_find(&first, &divided.in.where, &one, &error), PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_divide(&divided.parts, &divided.known, &divided.in, &first, &one, &error),
        PRVCUT_OK);
    prvcut_search_fini(&first);
}

static void begin(void)
{
    memset(&program, 0, sizeof program);
    memset(&divided, 0, sizeof divided);
    program.seed = 7;
    for (unsigned i = 0; i < THREADS; i++) {
        program.sequence[i].thread = i;
        program.sequence[i].at = calloc(ROOM, sizeof *program.sequence[i].at);
        ck_assert_ptr_nonnull(program.sequence[i].at);
    }
}

static void finish(void)
{
    prvcut_division_fini(&divided.parts);
    prvcut_known_loops_fini(&divided.known);
    for (size_t i = 0; i < divided.s.is.regions; i++)
        prvcut_region_fini(&divided.s.region[i]);
    free(divided.s.region);
    for (unsigned i = 0; i < THREADS; i++)
        free(program.sequence[i].at);
}

static bool is(const struct made_region *r, enum prvcut_region_kind kind)
{
    return r->is.kind == kind;
}

/* What holds of any division: complete, in order, no overlap, no mask inside a periodic region,
   nothing in two pieces that is one. */
static void assert_laws(void)
{
    const struct prvcut_division *p = &divided.parts;
    uint64_t reached = divided.in.where.span.start;

    ck_assert_uint_gt(p->regions, 0);
    for (size_t i = 0; i < p->regions; i++) {
        const struct made_region *r = &p->region[i];

        ck_assert_uint_eq(r->is.span.start, reached);
        ck_assert_uint_gt(r->is.span.end, r->is.span.start);
        ck_assert((p->loop[i] != SIZE_MAX) == is(r, PRVCUT_REGION_PERIODIC));
        ck_assert((r->is.loop > 0) == is(r, PRVCUT_REGION_PERIODIC));
        ck_assert((r->is.cause != PRVCUT_CAUSE_NONE) == is(r, PRVCUT_REGION_MASKED));
        for (size_t m = 0; is(r, PRVCUT_REGION_PERIODIC) && m < divided.masks.count; m++)
            ck_assert(divided.span[m].end <= r->is.span.start ||
                      divided.span[m].start >= r->is.span.end);
        if (r->is.border)
            ck_assert_uint_eq(r->is.borders, (size_t)r->is.iterations + 1);
        if (i > 0 && !is(r, PRVCUT_REGION_PERIODIC))
            ck_assert_uint_ne(r->is.kind, p->region[i - 1].is.kind);
        reached = r->is.span.end;
    }
    ck_assert_uint_eq(reached, divided.in.where.span.end);
}

static const struct made_region *periodic(size_t which)
{
    for (size_t i = 0; i < divided.parts.regions; i++)
        if (is(&divided.parts.region[i], PRVCUT_REGION_PERIODIC) && which-- == 0)
            return &divided.parts.region[i];
    ck_abort_msg("too few periodic regions");
    return NULL;
}

static size_t count(enum prvcut_region_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < divided.parts.regions; i++)
        n += is(&divided.parts.region[i], kind);
    return n;
}

START_TEST(test_divide_run_names_what_is_around_the_loop)
{
    const struct made_region *r;

    noise(40);
    loop(10, 30, 1200000);
    noise(30);
    input();
    divide();
    assert_laws();
    ck_assert_uint_eq(divided.parts.regions, 3);
    ck_assert_uint_eq(divided.parts.region[0].is.kind, PRVCUT_REGION_INITIALISATION);
    ck_assert_uint_eq(divided.parts.region[2].is.kind, PRVCUT_REGION_END);
    r = periodic(0);
    ck_assert_double_eq_tol(r->is.iterations, 30, 0.5);
    ck_assert_double_eq_tol(r->is.period_ns, 1200000, 0.02 * 1200000);
    ck_assert_double_eq_tol(r->is.median_ns, 1200000, 0.02 * 1200000);
    ck_assert_uint_eq(r->is.followers, THREADS);
    ck_assert_int_eq(r->is.found_by, PRVCUT_FOUND_BY_CALLS);
}
END_TEST

START_TEST(test_divide_run_without_loop_is_one_aperiodic_piece)
{
    noise(300);
    input();
    divide();
    assert_laws();
    ck_assert_uint_eq(divided.parts.regions, 1);
    ck_assert_uint_eq(divided.parts.region[0].is.kind, PRVCUT_REGION_APERIODIC);
    ck_assert_uint_eq(divided.known.count, 0);
}
END_TEST

START_TEST(test_divide_loop_that_comes_again_keeps_its_number)
{
    noise(20);
    loop(10, 40, 1200000);
    noise(60);
    loop(30, 30, 700000);
    noise(60);
    loop(10, 25, 1200000);
    input();
    divide();
    assert_laws();
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 3);
    ck_assert_uint_eq(count(PRVCUT_REGION_APERIODIC), 2);
    ck_assert_uint_eq(periodic(0)->is.loop, periodic(2)->is.loop);
    ck_assert_uint_ne(periodic(0)->is.loop, periodic(1)->is.loop);
    ck_assert_double_eq_tol(periodic(1)->is.iterations, 30, 1);
    ck_assert_double_eq_tol(periodic(2)->is.iterations, 25, 1);
}
END_TEST

START_TEST(test_divide_masks_cut_a_loop_between_iterations)
{
    uint64_t start;

    noise(20);
    start = program.now;
    loop(10, 60, 1200000);
    input();
    /* Ten and a half iterations in, two long; then less than an iteration to the next. */
    add_mask(PRVCUT_CAUSE_FLUSHING, start + 12600000, start + 15000000);
    add_mask(PRVCUT_CAUSE_PREEMPTION, start + 39000000, start + 40000000);
    add_mask(PRVCUT_CAUSE_FLUSHING, start + 41000000, start + 42000000);
    divide();
    assert_laws();
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 3);
    ck_assert_uint_eq(periodic(0)->is.loop, periodic(1)->is.loop);
    ck_assert_uint_eq(periodic(0)->is.loop, periodic(2)->is.loop);
    ck_assert_double_eq_tol(periodic(0)->is.iterations, 10, 1);
    ck_assert_double_eq_tol(periodic(1)->is.iterations, 20, 1.5);
    ck_assert_double_eq_tol(periodic(2)->is.iterations, 25, 1.5);
    ck_assert_uint_eq(count(PRVCUT_REGION_MASKED), 2);
    for (size_t i = 0; i < divided.parts.regions; i++)
        if (is(&divided.parts.region[i], PRVCUT_REGION_MASKED))
            ck_assert_uint_eq(divided.parts.region[i].is.cause, PRVCUT_CAUSE_FLUSHING);
}
END_TEST

/* Of 40 iterations of 1.2 ms the tenth takes twice as long and stands alone between two masks, the
   thirtieth takes half as long again among clear ones. */
static void divide_odd_ones(bool alone)
{
    uint64_t odd;

    noise(20);
    loop(10, 9, 1200000);
    odd = program.now;
    loop(10, 1, 2400000);
    loop(10, 19, 1200000);
    loop(10, 1, 1800000);
    loop(10, 10, 1200000);
    input();
    if (alone) {
        add_mask(PRVCUT_CAUSE_FLUSHING, odd - 700000, odd - 500000);
        add_mask(PRVCUT_CAUSE_FLUSHING, odd + 2800000, odd + 3000000);
    }
    divide();
    assert_laws();
}

static void expect_long(const struct prvcut_outlier *o, uint64_t iteration, double ms)
{
    ck_assert_uint_eq(o->iteration, iteration);
    ck_assert_double_eq_tol((double)(o->span.end - o->span.start), ms * 1e6, 0.05e6 * ms);
    ck_assert_double_gt(o->deviation, 3);
    ck_assert_uint_eq(o->why, PRVCUT_OUTLIER_LONG);
}

START_TEST(test_divide_judges_lonely_iteration_by_those_beyond_masks)
{
    divide_odd_ones(true);
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 3);
    ck_assert_uint_eq(periodic(0)->is.outliers_seen, 0);
    ck_assert_uint_eq(periodic(1)->is.borders, 2);
    ck_assert_uint_eq(periodic(1)->is.outliers_seen, 1);
    ck_assert_uint_eq(periodic(1)->is.outliers, 1);
    expect_long(periodic(1)->outlier, 0, 2.4);
    ck_assert_uint_eq(periodic(2)->is.outliers_seen, 1);
    expect_long(periodic(2)->outlier, 18, 1.8);
}
END_TEST

START_TEST(test_divide_judges_clear_loop_as_one)
{
    divide_odd_ones(false);
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 1);
    ck_assert_uint_eq(periodic(0)->is.outliers, 2);
    expect_long(&periodic(0)->outlier[0], 9, 2.4);
    expect_long(&periodic(0)->outlier[1], 29, 1.8);
}
END_TEST

/* A loop of 40 iterations of 1.2 ms whose first two and last three are spoilt, then noise. */
static uint64_t divide_spoilt_ends(void)
{
    uint64_t start, end;

    noise(20);
    start = program.now;
    loop(10, 40, 1200000);
    end = program.now;
    noise(20);
    input();
    add_mask(PRVCUT_CAUSE_FLUSHING, start + 900000, start + 1500000);
    add_mask(PRVCUT_CAUSE_FLUSHING, end - 3000000, end - 2800000);
    add_mask(PRVCUT_CAUSE_CLOGGED, end - 1700000, end - 1000000);
    divide();
    assert_laws();
    return end;
}

START_TEST(test_divide_last_iterations_masked_then_end_once)
{
    const uint64_t end = divide_spoilt_ends();
    const struct made_region *r = divided.parts.region;

    ck_assert_uint_eq(divided.parts.regions, 5);
    ck_assert_uint_eq(r[0].is.kind, PRVCUT_REGION_INITIALISATION);
    ck_assert_uint_eq(r[2].is.kind, PRVCUT_REGION_PERIODIC);
    ck_assert_double_eq_tol(r[2].is.iterations, 35, 1e-9);
    ck_assert_uint_eq(r[3].is.kind, PRVCUT_REGION_MASKED);
    ck_assert_uint_eq(r[3].is.cause, PRVCUT_CAUSE_FLUSHING);
    /* The last call of the loop, or the one after it, is where it ends. */
    ck_assert_uint_ge(r[3].is.span.end, end - 300000);
    ck_assert_uint_le(r[3].is.span.end, end + 300000);
    ck_assert_uint_eq(r[4].is.kind, PRVCUT_REGION_END);
}
END_TEST

START_TEST(test_divide_first_iterations_masked_after_initialisation)
{
    const struct made_region *r;

    divide_spoilt_ends();
    r = divided.parts.region;
    ck_assert_uint_eq(r[0].is.kind, PRVCUT_REGION_INITIALISATION);
    ck_assert_uint_eq(r[1].is.kind, PRVCUT_REGION_MASKED);
    ck_assert_uint_lt(r[1].is.span.start, divided.span[0].start - 600000);
    ck_assert_uint_eq(r[1].is.span.end, r[2].is.border[0]);
}
END_TEST

START_TEST(test_divide_masks_in_every_iteration_divide_nothing)
{
    uint64_t start;

    noise(20);
    start = program.now;
    loop(10, 4, 1200000);
    input();
    for (unsigned i = 0; i < 4; i++)
        add_mask(PRVCUT_CAUSE_CLOGGED, start + i * 1200000 + 500000, start + i * 1200000 + 600000);
    divided.in.where.masks = divided.masks.count;
    {
        struct prvcut_search first;

        ck_assert_int_eq(prvcut_search_find(&first, &divided.in.where, &one, &error), PRVCUT_OK);
        ck_assert(first.loop.found);
        ck_assert_int_eq(
            prvcut_divide(&divided.parts, &divided.known, &divided.in, &first, &one, &error),
            PRVCUT_OK);
        prvcut_search_fini(&first);
    }
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 1);
    ck_assert_double_gt(periodic(0)->is.median_ns, 0);
}
END_TEST

/* The same calls at another pace: one loop, told in two places. */
START_TEST(test_divide_change_of_period_makes_two_regions)
{
    noise(20);
    loop(10, 40, 1200000);
    loop(10, 40, 3000000);
    input();
    divide();
    assert_laws();
    ck_assert_uint_eq(count(PRVCUT_REGION_PERIODIC), 2);
    ck_assert_double_eq_tol(periodic(0)->is.iterations, 40, 1);
    ck_assert_double_eq_tol(periodic(0)->is.period_ns, 1200000, 0.03 * 1200000);
    ck_assert_double_eq_tol(periodic(1)->is.period_ns, 3000000, 0.03 * 3000000);
    ck_assert_uint_eq(periodic(0)->is.loop, periodic(1)->is.loop);
}
END_TEST

static void find_levels(unsigned levels)
{
    struct prvcut_trace trace = { .seekable = false };
    const struct prvcut_levels_input in = {
        .trace = &trace, .run = &one, .top = &divided.in, .levels = levels
    };

    ck_assert_int_eq(prvcut_levels_find(&divided.s, &divided.known, &divided.parts, &in, &error),
                     PRVCUT_OK);
    ck_assert_uint_eq(divided.parts.regions, 0);
}

START_TEST(test_find_levels_divides_one_iteration)
{
    const struct made_region *outer = NULL, *inner = NULL;
    uint64_t reached = 0;

    noise(30);
    nested(20, 15);
    noise(10);
    input();
    divide();
    find_levels(0);
    ck_assert_uint_eq(divided.s.is.levels, 2);
    ck_assert_uint_eq(divided.s.is.loops, 2);
    for (size_t i = 0; i < divided.s.is.regions; i++) {
        const struct made_region *r = &divided.s.region[i];

        ck_assert((r->is.number > 0) == (divided.known.of_region[i] != SIZE_MAX));
        if (r->is.loop > 0 && r->is.level == 1)
            outer = r;
        if (r->is.level != 2)
            continue;
        /* The parts follow the region whose iteration they divide, and cover it. */
        ck_assert_ptr_nonnull(outer);
        ck_assert_ptr_eq(&divided.s.region[r->is.parent], outer);
        ck_assert_uint_eq(r->is.span.start, reached > 0 ? reached : outer->is.example.start);
        reached = r->is.span.end;
        inner = r->is.loop > 0 ? r : inner;
    }
    ck_assert_ptr_nonnull(inner);
    ck_assert_uint_eq(reached, outer->is.example.end);
    ck_assert_double_eq_tol(outer->is.iterations, 20, 1);
    ck_assert_double_eq_tol(inner->is.iterations, 15, 1);
    ck_assert_double_eq_tol(inner->is.period_ns, 200000, 0.05 * 200000);
    ck_assert_uint_eq(outer->is.votes, 1);
    ck_assert_uint_eq(inner->is.votes, 1);
}
END_TEST

START_TEST(test_find_levels_stops_where_asked)
{
    nested(20, 15);
    input();
    divide();
    find_levels(1);
    ck_assert_uint_eq(divided.s.is.levels, 1);
    for (size_t i = 0; i < divided.s.is.regions; i++) {
        ck_assert_uint_eq(divided.s.region[i].is.level, 1);
        ck_assert_uint_eq(divided.s.region[i].is.example.end, 0);
    }
}
END_TEST

START_TEST(test_find_levels_ends_where_nothing_repeats)
{
    loop(10, 30, 1200000);
    input();
    divide();
    find_levels(0);
    ck_assert_uint_eq(divided.s.is.levels, 1);
    ck_assert_uint_eq(divided.s.is.loops, 1);
}
END_TEST

START_TEST(test_split_known_loop_keeps_all_iterations)
{
    size_t a, b;
    const uint64_t *first, *second;

    noise(10);
    loop(10, 30, 1200000);
    input();
    divide();
    ck_assert_uint_eq(divided.known.count, 1);
    ck_assert_int_eq(prvcut_known_loops_split(&divided.known, 0, 12, &error), PRVCUT_OK);
    ck_assert_uint_eq(divided.known.count, 2);
    first = prvcut_known_loop_borders(&divided.known.at[0], &a);
    second = prvcut_known_loop_borders(&divided.known.at[1], &b);
    ck_assert_uint_eq(a, 13);
    ck_assert_uint_eq(a + b, 32);
    ck_assert_uint_eq(first[a - 1], second[0]);
    ck_assert_double_eq_tol(divided.known.at[0].loop.iterations, 12, 1e-9);
    ck_assert_uint_eq(divided.known.at[0].loop.span.end, divided.known.at[1].loop.span.start);
}
END_TEST

static Suite *divide_suite(void)
{
    Suite *suite = suite_create("divide");
    TCase *t = tcase_create("divide");

    tcase_add_checked_fixture(t, begin, finish);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_divide_run_names_what_is_around_the_loop);
    tcase_add_test(t, test_divide_run_without_loop_is_one_aperiodic_piece);
    tcase_add_test(t, test_divide_loop_that_comes_again_keeps_its_number);
    tcase_add_test(t, test_divide_masks_cut_a_loop_between_iterations);
    tcase_add_test(t, test_divide_judges_lonely_iteration_by_those_beyond_masks);
    tcase_add_test(t, test_divide_judges_clear_loop_as_one);
    tcase_add_test(t, test_divide_last_iterations_masked_then_end_once);
    tcase_add_test(t, test_divide_first_iterations_masked_after_initialisation);
    tcase_add_test(t, test_divide_masks_in_every_iteration_divide_nothing);
    tcase_add_test(t, test_divide_change_of_period_makes_two_regions);
    tcase_add_test(t, test_find_levels_divides_one_iteration);
    tcase_add_test(t, test_find_levels_stops_where_asked);
    tcase_add_test(t, test_find_levels_ends_where_nothing_repeats);
    tcase_add_test(t, test_split_known_loop_keeps_all_iterations);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return run_suite(divide_suite());
}
