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

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *t = tcase_create("calls");

    tcase_add_test(t, test_search_takes_threads_without_calls);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
