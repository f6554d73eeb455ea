/* The structure of generated runs, found from their files. */

#include "prvcut/structure.h"

#include "tests/structure/generated.h"

#include "runner.h"

#include <math.h>

static const struct prvcut_run two = { .threads = 2 };
static struct prvcut_error error;

static enum prvcut_status find(const char *path, const struct prvcut_structure_options *o,
                               struct prvcut_structure **out)
{
    struct prvcut_trace *t = NULL;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_structure_find(t, &two, o, out, &error);
    prvcut_trace_close(t);
    return st;
}

static void make(const char *more, const char *name)
{
    char options[512];

    snprintf(options, sizeof options, "--tasks 4 --init-ns 30000000 --seed 5 %s", more);
    generated_make(options, name);
}

static size_t first_of(const struct prvcut_structure *s, unsigned level)
{
    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->level == level &&
            prvcut_structure_region(s, i)->loop > 0)
            return i;
    return SIZE_MAX;
}

START_TEST(test_find_structure_of_nested_loops_tells_every_level)
{
    const struct prvcut_structure_options all = { .levels = 0 };
    struct prvcut_structure *s;
    struct truth *truth;
    const struct prvcut_region *outer;
    size_t inner;

    make("--iterations 30 --inner 8 --period-ns 20000000", "a");
    truth = truth_read("a");
    ck_assert_int_eq(find("a.prv", &all, &s), PRVCUT_OK);
    ck_assert_uint_eq(s->levels, 2);
    ck_assert_uint_lt(s->main, s->regions);
    outer = prvcut_structure_region(s, s->main);
    ck_assert_double_eq_tol(outer->iterations, 30, 1);
    ck_assert_double_eq_tol(outer->period_ns, truth->mean, 0.03 * truth->mean);
    ck_assert_double_gt(outer->confidence, 0.5);
    ck_assert_uint_gt(outer->votes, 1);
    inner = first_of(s, 2);
    ck_assert_uint_lt(inner, s->regions);
    ck_assert_uint_eq(prvcut_structure_region(s, inner)->parent, s->main);
    ck_assert_double_eq_tol(prvcut_structure_region(s, inner)->iterations, 8, 1);
    ck_assert_uint_ge(prvcut_structure_region(s, inner)->span.start, outer->example.start);
    ck_assert_uint_le(prvcut_structure_region(s, inner)->span.end, outer->example.end);
    prvcut_structure_free(s);
    free(truth);
}
END_TEST

START_TEST(test_find_structure_stops_at_the_level_asked_for)
{
    const struct prvcut_structure_options one = { .levels = 1 };
    struct prvcut_structure *s;

    make("--iterations 30 --inner 8 --period-ns 20000000", "a");
    ck_assert_int_eq(find("a.prv", &one, &s), PRVCUT_OK);
    ck_assert_uint_eq(s->levels, 1);
    ck_assert_uint_eq(first_of(s, 2), SIZE_MAX);
    prvcut_structure_free(s);
}
END_TEST

START_TEST(test_find_structure_without_loop_gives_pieces_and_a_reason)
{
    const struct prvcut_structure_options all = { .levels = 0 };
    struct prvcut_structure *s;

    make("--iterations 40 --aperiodic --period-ns 10000000", "a");
    ck_assert_int_eq(find("a.prv", &all, &s), PRVCUT_NONE);
    ck_assert_uint_eq(s->levels, 0);
    ck_assert_uint_eq(s->main, SIZE_MAX);
    ck_assert_str_ne(s->reason, "");
    ck_assert_uint_gt(s->regions, 0);
    ck_assert_uint_eq(prvcut_structure_region(s, 0)->span.start, 0);
    ck_assert_uint_eq(prvcut_structure_region(s, s->regions - 1)->span.end, s->end_ns);
    prvcut_structure_free(s);
}
END_TEST

START_TEST(test_find_structure_of_a_given_period_takes_it)
{
    const struct prvcut_structure_options given = { .levels = 1, .period_ns = 7000000 };
    struct prvcut_structure *s;

    make("--iterations 30 --period-ns 20000000", "a");
    ck_assert_int_eq(find("a.prv", &given, &s), PRVCUT_OK);
    ck_assert_double_eq_tol(prvcut_structure_region(s, s->main)->period_ns, 7000000, 1);
    ck_assert_int_eq(prvcut_structure_region(s, s->main)->found_by, PRVCUT_FOUND_BY_PERIOD);
    prvcut_structure_free(s);
}
END_TEST

/* Calls that repeat as often as was given tell where the iterations are; how sure that is was not
   asked. */
START_TEST(test_find_structure_of_a_period_near_the_calls_takes_their_borders)
{
    const struct prvcut_structure_options given = { .levels = 1, .period_ns = 20500000 };
    struct prvcut_structure *s, *own;

    make("--iterations 30 --period-ns 20000000", "a");
    ck_assert_int_eq(find("a.prv", &(struct prvcut_structure_options){ .levels = 1 }, &own),
                     PRVCUT_OK);
    ck_assert_int_eq(find("a.prv", &given, &s), PRVCUT_OK);
    ck_assert_double_eq(prvcut_structure_region(s, s->main)->iterations,
                        prvcut_structure_region(own, own->main)->iterations);
    ck_assert_double_eq(prvcut_structure_region(s, s->main)->period_ns,
                        prvcut_structure_region(own, own->main)->period_ns);
    ck_assert_int_eq(prvcut_structure_region(s, s->main)->found_by, PRVCUT_FOUND_BY_CALLS);
    ck_assert_double_nan(prvcut_structure_region(s, s->main)->confidence);
    prvcut_structure_free(s);
    prvcut_structure_free(own);
}
END_TEST

START_TEST(test_find_structure_of_a_part_divides_that_part)
{
    struct prvcut_structure_options part = { .levels = 1 };
    struct prvcut_structure *s;
    struct truth *truth;

    make("--iterations 40 --period-ns 10000000", "a");
    truth = truth_read("a");
    part.only = (struct prvcut_span){ truth->first[10], truth->first[30] };
    ck_assert_int_eq(find("a.prv", &part, &s), PRVCUT_OK);
    ck_assert_uint_eq(prvcut_structure_region(s, 0)->span.start, part.only.start);
    ck_assert_uint_eq(prvcut_structure_region(s, s->regions - 1)->span.end, part.only.end);
    ck_assert_double_eq_tol(prvcut_structure_region(s, s->main)->iterations, 20, 1.5);
    prvcut_structure_free(s);
    part.only.end = part.only.start;
    ck_assert_int_eq(find("a.prv", &part, &s), PRVCUT_EUSAGE);
    prvcut_structure_free(s);
    free(truth);
}
END_TEST

START_TEST(test_find_structure_where_only_states_are_recorded)
{
    const struct prvcut_structure_options all = { .levels = 1 };
    struct prvcut_structure *s;
    struct truth *truth;

    make("--iterations 40 --inner 4 --no-calls --period-ns 10000000", "a");
    truth = truth_read("a");
    ck_assert_int_eq(find("a.prv", &all, &s), PRVCUT_OK);
    ck_assert_double_eq_tol(prvcut_structure_region(s, s->main)->period_ns, truth->mean,
                            0.03 * truth->mean);
    ck_assert_double_eq_tol(prvcut_structure_region(s, s->main)->iterations, 40, 2);
    prvcut_structure_free(s);
    free(truth);
}
END_TEST

START_TEST(test_find_structure_is_the_same_for_any_number_of_workers)
{
    const struct prvcut_structure_options all = { .levels = 0 };
    const struct prvcut_run run[] = { { .threads = 1 }, { .threads = 4 } };
    struct prvcut_structure *s[2];

    make("--iterations 25 --inner 5,4 --period-ns 30000000", "a");
    for (unsigned i = 0; i < 2; i++) {
        struct prvcut_trace *t = NULL;

        ck_assert_int_eq(prvcut_trace_open(&t, "a.prv", NULL, &error), PRVCUT_OK);
        ck_assert_int_eq(prvcut_structure_find(t, &run[i], &all, &s[i], &error), PRVCUT_OK);
        prvcut_trace_close(t);
    }
    ck_assert_uint_eq(s[0]->regions, s[1]->regions);
    for (size_t i = 0; i < s[0]->regions; i++) {
        const struct prvcut_region *a = prvcut_structure_region(s[0], i),
                                   *b = prvcut_structure_region(s[1], i);

        ck_assert_uint_eq(a->span.start, b->span.start);
        ck_assert_uint_eq(a->span.end, b->span.end);
        ck_assert_uint_eq(a->loop, b->loop);
        ck_assert_double_eq(a->period_ns, b->period_ns);
        ck_assert_double_eq(a->confidence, b->confidence);
    }
    prvcut_structure_free(s[0]);
    prvcut_structure_free(s[1]);
}
END_TEST

/* Iterations of less than two bins of the whole run, more than are kept of the calls. */
START_TEST(test_find_structure_of_very_many_short_iterations)
{
    const struct prvcut_structure_options all = { .levels = 1 };
    struct prvcut_structure *s;
    double iterations = 0;

    generated_make("--tasks 2 --lean --iterations 400000 --period-ns 20000 --no-states --callers 0",
                   "a");
    ck_assert_int_eq(find("a.prv", &all, &s), PRVCUT_OK);
    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->loop > 0)
            iterations += prvcut_structure_region(s, i)->iterations;
    ck_assert_double_eq_tol(iterations, 400000, 0.05 * 400000);
    ck_assert_double_lt(prvcut_structure_region(s, s->main)->period_ns, 40000);
    prvcut_structure_free(s);
}
END_TEST

static Suite *structure_suite(void)
{
    Suite *suite = suite_create("structure of a run");
    TCase *t = tcase_create("find");

    scratch_fixtures(t);
    tcase_set_timeout(t, 180);
    tcase_add_test(t, test_find_structure_of_nested_loops_tells_every_level);
    tcase_add_test(t, test_find_structure_stops_at_the_level_asked_for);
    tcase_add_test(t, test_find_structure_without_loop_gives_pieces_and_a_reason);
    tcase_add_test(t, test_find_structure_of_a_given_period_takes_it);
    tcase_add_test(t, test_find_structure_of_a_period_near_the_calls_takes_their_borders);
    tcase_add_test(t, test_find_structure_of_a_part_divides_that_part);
    tcase_add_test(t, test_find_structure_where_only_states_are_recorded);
    tcase_add_test(t, test_find_structure_is_the_same_for_any_number_of_workers);
    tcase_add_test(t, test_find_structure_of_very_many_short_iterations);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return run_suite(structure_suite());
}
