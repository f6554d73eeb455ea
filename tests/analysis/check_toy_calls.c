#include "tests/analysis/toy_calls.h"
#include "tests/support/runner.h"

#include <string.h>

#define TRACE SAMPLE_FILES "/lu.S.8.prv.zst"

static void count(struct prvcut_table *rows, int threads)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    ck_assert_int_eq(prvcut_trace_open(&t, TRACE, NULL, &err), PRVCUT_OK);
    ck_assert_msg(toy_count(rows, t, &(struct prvcut_run){ .threads = threads }, &err) == PRVCUT_OK,
                  "%s", err.text);
    prvcut_trace_close(t);
}

START_TEST(test_count_calls_with_any_number_of_workers)
{
    struct prvcut_table one, four;
    uint64_t sends = 0, barriers = 0;

    count(&one, 1);
    count(&four, 4);
    ck_assert_uint_gt(one.count, 8);
    ck_assert_uint_eq(one.count, four.count);
    ck_assert_mem_eq(one.at, four.at, one.count * sizeof(struct toy_row));
    for (size_t i = 0; i < one.count; i++) {
        const struct toy_row *r = (const struct toy_row *)one.at + i;

        sends += r->type == 50000001 && r->value == 1 ? r->calls : 0;
        barriers += r->type == 50000002 && r->value == 8 ? r->calls : 0;
    }
    /* zstd -dc lu.S.8.prv.zst | grep -c '^2:.*:50000001:1\(:\|$\)', and so on */
    ck_assert_uint_eq(sends, 11298);
    ck_assert_uint_eq(barriers, 16);
    prvcut_table_fini(&one);
    prvcut_table_fini(&four);
}
END_TEST

static Suite *toy_suite(void)
{
    Suite *suite = suite_create("toy_calls");
    TCase *tests = tcase_create("toy_calls");

    tcase_add_test(tests, test_count_calls_with_any_number_of_workers);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(toy_suite());
}
