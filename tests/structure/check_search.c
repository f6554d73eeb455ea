#include "structure/search.h"

#include "runner.h"
#include "structure/whole.h"

#include <stdlib.h>

/* A thread without calls has no array, and its part none either. */
START_TEST(test_search_takes_threads_without_calls)
{
    const struct prvcut_call_sequence none[2] = { { .thread = 0 }, { .thread = 1 } };
    const size_t bounds[2] = { 0, 0 };
    const struct prvcut_search_input in = { .span = { 0, 1000000 },
                                            .calls = true,
                                            .sequence = none,
                                            .sequences = 2,
                                            .from = bounds,
                                            .to = bounds };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_search found;

    ck_assert_int_eq(prvcut_search_find(&found, &in, &run, &err), PRVCUT_OK);
    ck_assert(!found.loop.found);
    prvcut_search_fini(&found);
}
END_TEST

/* Calls that are sure of a loop, and separators that are sure of one, too. */
static struct prvcut_search searched(double calls, double separators)
{
    const struct prvcut_loop loop = {
        .found = true, .iterations = calls, .period_ns = 1000, .median_ns = 1000, .strength = 0.9
    };
    struct prvcut_search s = {
        .witness = { { .name = "calls", .calls = true, .loop = loop } },
        .witnesses = 1,
        .calls = { .loop = loop },
        .separation = { .looked = true,
                        .probability = 0.95,
                        .constant = 1,
                        .iterations = separators,
                        .calls = { .loop = loop } },
        .verdict = { .found = true, .chosen = 0, .confidence = 0.9 },
        .loop = loop,
        .confidence = 0.9,
    };

    s.separation.calls.loop.iterations = separators;
    return s;
}

static double joined(struct prvcut_search *s)
{
    prvcut_search_join(s);
    ck_assert(s->verdict.found);
    ck_assert_double_eq(s->confidence, s->verdict.confidence);
    return s->confidence;
}

START_TEST(test_search_is_not_sure_within_a_loop_of_two) /* 30: instead of the witnesses' loop */
{
    struct prvcut_search s = searched(100, _i == 0 ? 100 : 30), within = s;

    within.separation.within = true;
    ck_assert_double_ge(joined(&s), 0.95);
    ck_assert_double_le(joined(&within), 0.5);
}
END_TEST

/* One of the two is the outermost: both cannot be likely. */
START_TEST(test_search_is_as_unsure_as_a_loop_around_is_likely)
{
    struct prvcut_search s = searched(100, _i == 0 ? 100 : 30);

    s.separation.outer = 0.6;
    ck_assert_double_le(joined(&s), 0.4);
}
END_TEST

START_TEST(test_search_is_not_sure_of_iterations_far_from_their_median)
{
    struct prvcut_search s = searched(100, 100), uneven = s;

    s.loop.period_ns = 3000;
    uneven.loop.period_ns = 5000;
    ck_assert_double_ge(joined(&s), 0.95);
    ck_assert_double_le(joined(&uneven), 0.5);
}
END_TEST

/* Calls that miss some of few iterations are not around them. */
START_TEST(test_search_takes_the_calls_where_they_are_around)
{
    struct prvcut_search around = searched(8, 100), few = searched(8, 12);

    joined(&around);
    ck_assert_double_eq(around.loop.iterations, 8);
    joined(&few);
    ck_assert_double_eq(few.loop.iterations, 12);
}
END_TEST

/* Iterations that are alike call by call, and separators that are hardly likely, because partners
   are told of other calls each time: these would lose or merge some. */
START_TEST(test_search_keeps_sure_calls_beside_unlikely_separators)
{
    const double separators = _i == 0 ? 35 : 26;
    struct prvcut_search s = searched(36, separators), likely;

    s.confidence = s.verdict.confidence = 0.99;
    s.separation.probability = 0.6;
    s.separation.constant = 0.2;
    s.separation.calls.spread = 0.3;
    s.separation.calls.loop.period_ns = 36 / separators * 1000;
    likely = s;
    likely.separation.probability = 0.95;
    joined(&s);
    ck_assert_double_eq(s.loop.iterations, 36);
    joined(&likely);
    ck_assert_double_eq(likely.loop.iterations, separators);
}
END_TEST

/* Steps that hold the same calls, tries in them that are alike, and surely told. */
START_TEST(test_search_takes_steps_with_the_same_calls_for_no_tries) /* %: that hold the same */
{
    struct prvcut_search s = searched(36, 26);

    s.confidence = s.verdict.confidence = 0.99;
    s.separation.probability = 0.84;
    s.separation.constant = 0.2;
    s.separation.held = _i / 100.0;
    s.separation.calls.spread = 0.3;
    s.separation.calls.loop.period_ns = 36 / 26.0 * 1000;
    joined(&s);
    ck_assert_double_eq(s.loop.iterations, _i == 100 ? 26 : 36);
}
END_TEST

/* As many iterations, of which the calls' are more even, but leave out what is between them. */
START_TEST(test_search_takes_iterations_without_holes) /* ms that the separators' span */
{
    struct prvcut_search s = searched(10, 10);

    s.witness[0].loop.span = (struct prvcut_span){ 1000000, 11000000 };
    s.loop.span = s.calls.loop.span = s.witness[0].loop.span;
    s.separation.held = 1;
    s.separation.calls.spread = 0.4;
    s.separation.calls.loop.period_ns = 1e6;
    s.separation.calls.loop.span =
        (struct prvcut_span){ 1000000, 1000000 + (uint64_t)_i * 1000000 };
    joined(&s);
    ck_assert_uint_eq(s.loop.span.end - s.loop.span.start, (_i > 10 ? (uint64_t)_i : 10) * 1000000);
}
END_TEST

/* A loop around the separators' that is hardly sure, and leaves out more than one of its own. */
START_TEST(test_search_takes_the_separators_that_go_on) /* ms that these span */
{
    struct prvcut_search s = searched(4, 40), sure;

    s.confidence = s.verdict.confidence = 0.7;
    s.separation.probability = 0.8;
    s.witness[0].loop.period_ns = 1e6;
    s.witness[0].loop.span = (struct prvcut_span){ 1000000, 5000000 };
    s.loop.span = s.calls.loop.span = s.witness[0].loop.span;
    s.separation.calls.loop.span =
        (struct prvcut_span){ 1000000, 1000000 + (uint64_t)_i * 1000000 };
    sure = s;
    sure.confidence = sure.verdict.confidence = 0.9;
    joined(&s);
    ck_assert_double_eq(s.loop.iterations, _i > 4 ? 40 : 4);
    joined(&sure);
    ck_assert_double_eq(sure.loop.iterations, 4);
}
END_TEST

/* Both see three iterations; those that span more leave less of the run out. */
START_TEST(test_search_takes_the_wider_of_as_many_iterations) /* ms that the separators' span */
{
    struct prvcut_search s = searched(3, 3);

    s.witness[0].loop.span = (struct prvcut_span){ 1000000, 31000000 };
    s.loop.span = s.calls.loop.span = s.witness[0].loop.span;
    s.separation.calls.loop.span =
        (struct prvcut_span){ 2000000, 2000000 + (uint64_t)_i * 1000000 };
    joined(&s);
    ck_assert_uint_eq(s.loop.span.end - s.loop.span.start, (_i > 30 ? (uint64_t)_i : 30) * 1000000);
}
END_TEST

#define TASKS 64

/* Workers that happen to do as many tasks of any length have no iteration in common; in step, they
   have. */
START_TEST(test_search_leaves_tasks_of_workers) /* in step? */
{
    static const uint32_t takes[] = { 900, 300, 1400, 700, 1700, 500 };
    struct prvcut_search s = searched(TASKS, TASKS);
    struct prvcut_error err = { .status = PRVCUT_OK };
    uint64_t now[2] = { 0, 0 };

    s.calls.sequences = 2;
    s.calls.border = calloc(2, sizeof *s.calls.border);
    s.calls.borders = calloc(2, sizeof *s.calls.borders);
    for (unsigned t = 0; t < 2; t++) {
        s.calls.borders[t] = TASKS + 1;
        s.calls.border[t] = calloc(TASKS + 1, sizeof **s.calls.border);
        for (unsigned k = 0; k <= TASKS; k++) {
            s.calls.border[t][k] = now[t];
            now[t] += takes[(k * (_i == 1 ? 1 : t + 1) + k * k / 7 * (_i == 1 ? 0 : t)) % 6];
        }
    }
    ck_assert_int_eq(prvcut_search_leave_apart(&s, &err), PRVCUT_OK);
    ck_assert_int_eq(s.calls.loop.found, _i == 1);
    if (_i == 0)
        ck_assert_str_eq(s.calls.loop.why, "no iteration is common to the threads");
    /* The separators' loop has no followers here: nothing speaks against it. */
    ck_assert(s.separation.calls.loop.found);
    prvcut_call_loop_fini(&s.calls);
}
END_TEST

#define LENGTH 1000000 /* ns of an iteration */
#define FIRST  50000

/* A loop that no call follows: its calls come in the first part of each iteration. */
static const struct open_loop {
    size_t iterations, calls;
    double share; /* of the iteration from its first call to its last */
    bool goes_on; /* the run goes on to the end of the last iteration */
} open_loops[] = {
    { 30, 5, 0.65, true }, { 30, 5, 0.65, false }, { 30, 5, 0.85, true }, { 30, 3, 0.4, true },
    { 30, 3, 0.4, false }, { 5, 5, 0.65, true },   { 4, 5, 0.65, false }, { 3, 5, 0.65, true },
    { 12, 2, 0.1, true },  { 30, 1, 0, true },
};

#define OPEN_LOOPS (sizeof open_loops / sizeof *open_loops)

static size_t make_open(struct prvcut_call *at, const struct open_loop *o)
{
    size_t n = 0;

    at[n++] = (struct prvcut_call){ .time = 1000, .call = 99, .size = 1 };
    for (size_t i = 0; i < o->iterations; i++)
        for (size_t k = 0; k < o->calls; k++) {
            const double part = o->calls > 1 ? (double)k / (double)(o->calls - 1) : 0;

            at[n++] = (struct prvcut_call){ .time = FIRST + i * LENGTH +
                                                    (uint64_t)(o->share * part * LENGTH),
                                            .call = (uint32_t)k + 1,
                                            .size = 8 };
        }
    return n;
}

/* Every iteration is told for which there is time; what ends with its last call is not known. */
START_TEST(test_search_keeps_the_last_iteration_that_nothing_follows)
{
    const struct open_loop *o = &open_loops[_i];
    struct prvcut_call at[2][1 + 30 * 5];
    struct prvcut_call_sequence s[2];
    struct prvcut_search_input in = {
        .calls = true, .separate = true, .sequence = s, .sequences = 2, .to_end = true
    };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_search found;

    for (uint32_t i = 0; i < 2; i++)
        s[i] =
            (struct prvcut_call_sequence){ .thread = i, .at = at[i], .count = make_open(at[i], o) };
    in.span.end = o->goes_on ? FIRST + o->iterations * LENGTH : at[0][s[0].count - 1].time + 2000;
    ck_assert_int_eq(prvcut_search_find(&found, &in, &run, &err), PRVCUT_OK);
    ck_assert(found.loop.found);
    ck_assert_int_eq(prvcut_search_whole(&found, 0, &err), PRVCUT_OK);
    ck_assert_double_eq(found.loop.iterations, (double)(o->iterations - !o->goes_on));
    ck_assert_uint_eq(found.loop.span.start, FIRST);
    ck_assert_uint_eq(found.loop.span.end, FIRST + (o->iterations - !o->goes_on) * LENGTH);
    prvcut_search_fini(&found);
}
END_TEST

/* Behind a window that ends before the run does, more calls may follow. */
START_TEST(test_search_of_a_window_leaves_an_open_iteration_out)
{
    const struct open_loop o = { 20, 5, 0.65, true };
    struct prvcut_call at[1 + 20 * 5];
    struct prvcut_call_sequence s = { .at = at, .count = make_open(at, &o) };
    const struct prvcut_search_input in = { .span = { 0, FIRST + 20 * LENGTH },
                                            .calls = true,
                                            .separate = true,
                                            .sequence = &s,
                                            .sequences = 1 };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_search found;

    ck_assert_int_eq(prvcut_search_find(&found, &in, &run, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_search_whole(&found, 0, &err), PRVCUT_OK);
    ck_assert_double_eq(found.loop.iterations, 19);
    prvcut_search_fini(&found);
}
END_TEST

/* What lacks calls of an iteration is none. */
START_TEST(test_search_leaves_a_piece_of_an_iteration_at_the_end_out)
{
    const struct open_loop o = { 20, 5, 0.65, true };
    struct prvcut_call at[1 + 20 * 5];
    struct prvcut_call_sequence s = { .at = at, .count = make_open(at, &o) - 3 };
    const struct prvcut_search_input in = { .span = { 0, FIRST + 20 * LENGTH },
                                            .calls = true,
                                            .separate = true,
                                            .sequence = &s,
                                            .sequences = 1,
                                            .to_end = true };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_search found;

    ck_assert_int_eq(prvcut_search_find(&found, &in, &run, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_search_whole(&found, 0, &err), PRVCUT_OK);
    ck_assert_double_eq(found.loop.iterations, 19);
    prvcut_search_fini(&found);
}
END_TEST

/* A loop of known borders, as separators find it: iterations of any length. */
static double whole_iterations(const uint32_t *calls, const uint64_t *length, size_t n,
                               bool separated)
{
    struct prvcut_search s = { .by_calls = true };
    struct prvcut_error err = { .status = PRVCUT_OK };
    uint64_t *border = malloc((n + 1) * sizeof *border);
    uint32_t *start = malloc((n + 1) * sizeof *start);
    size_t borders = n + 1;
    double left;

    ck_assert(border && start);
    border[0] = FIRST;
    start[0] = 0;
    for (size_t k = 0; k < n; k++) {
        border[k + 1] = border[k] + length[k];
        start[k + 1] = start[k] + calls[k];
    }
    s.loop = (struct prvcut_loop){ .found = true, .iterations = (double)n };
    s.calls = (struct prvcut_call_loop){
        .border = &border, .borders = &borders, .start = &start, .sequences = 1, .separated = separated
    };
    ck_assert_int_eq(prvcut_search_whole(&s, 0, &err), PRVCUT_OK);
    left = s.loop.iterations;
    free(border);
    free(start);
    return left;
}

/* Of iterations that make any number of calls the shortest may come last; of others it is a piece.
 */
START_TEST(test_search_keeps_a_last_iteration_of_few_calls)
{
    const uint32_t any[] = { 90, 140, 60, 110, 50 }, even[] = { 90, 90, 90, 90, 90 };
    const uint64_t length[] = { 9000, 14000, 6000, 11000, 5000 };
    const uint64_t usual[] = { 9000, 8800, 9100, 9000, 5000 };

    ck_assert_double_eq(whole_iterations(any, length, 5, true), 5);
    ck_assert_double_eq(whole_iterations(even, usual, 5, true), 4);
    ck_assert_double_eq(whole_iterations(even, usual, 5, false), 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *t = tcase_create("calls");

    tcase_add_test(t, test_search_takes_threads_without_calls);
    tcase_add_loop_test(t, test_search_is_not_sure_within_a_loop_of_two, 0, 2);
    tcase_add_loop_test(t, test_search_is_as_unsure_as_a_loop_around_is_likely, 0, 2);
    tcase_add_test(t, test_search_is_not_sure_of_iterations_far_from_their_median);
    tcase_add_test(t, test_search_takes_the_calls_where_they_are_around);
    tcase_add_loop_test(t, test_search_keeps_sure_calls_beside_unlikely_separators, 0, 2);
    tcase_add_loop_test(t, test_search_takes_steps_with_the_same_calls_for_no_tries, 90, 92);
    tcase_add_loop_test(t, test_search_takes_steps_with_the_same_calls_for_no_tries, 100, 101);
    tcase_add_loop_test(t, test_search_takes_iterations_without_holes, 10, 12);
    tcase_add_loop_test(t, test_search_takes_the_separators_that_go_on, 4, 6);
    tcase_add_loop_test(t, test_search_leaves_tasks_of_workers, 0, 2);
    tcase_add_loop_test(t, test_search_takes_the_wider_of_as_many_iterations, 29, 32);
    tcase_add_test(t, test_search_keeps_a_last_iteration_of_few_calls);
    tcase_add_loop_test(t, test_search_keeps_the_last_iteration_that_nothing_follows, 0,
                        OPEN_LOOPS);
    tcase_add_test(t, test_search_of_a_window_leaves_an_open_iteration_out);
    tcase_add_test(t, test_search_leaves_a_piece_of_an_iteration_at_the_end_out);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
