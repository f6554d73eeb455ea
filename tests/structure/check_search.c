#include "structure/search.h"

#include "runner.h"

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

/* What separators are sure of, as they say it or as inside a loop of two iterations. */
static double joined(bool within, double iterations)
{
    struct prvcut_search s = {
        .witness = { { .name = "calls",
                       .calls = true,
                       .loop = { .found = true, .iterations = 100, .strength = 0.9 } } },
        .witnesses = 1,
        .separation = { .looked = true,
                        .probability = 0.95,
                        .iterations = iterations,
                        .within = within,
                        .calls = { .loop = { .found = true,
                                             .iterations = iterations,
                                             .period_ns = 1000,
                                             .strength = 0.95 } } },
        .verdict = { .found = true, .chosen = 0, .confidence = 0.9 },
        .confidence = 0.9,
    };

    prvcut_search_join(&s);
    ck_assert(s.verdict.found);
    ck_assert_double_eq(s.confidence, s.verdict.confidence);
    return s.confidence;
}

START_TEST(test_search_is_not_sure_within_a_loop_of_two) /* 30: instead of the witnesses' loop */
{
    const double iterations = _i == 0 ? 100 : 30;

    ck_assert_double_ge(joined(false, iterations), 0.95);
    ck_assert_double_le(joined(true, iterations), 0.5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *t = tcase_create("calls");

    tcase_add_test(t, test_search_takes_threads_without_calls);
    tcase_add_loop_test(t, test_search_is_not_sure_within_a_loop_of_two, 0, 2);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
