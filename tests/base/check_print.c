#include "runner.h"

#include "base/print.h"
#include "scratch.h"

START_TEST(test_print_numbers_exactly)
{
    static const char want[] = "0 18446744073709551615 -9223372036854775808 -1 7"
                               " 0.000000001 18446744073.709551615 12.000";
    struct prvcut_error err = { 0 };
    struct prvcut_print p;
    uint64_t size = 0;

    ck_assert_int_eq(prvcut_print_open(&p, "x", false, &err), PRVCUT_OK);
    prvcut_print_u64(&p, 0);
    prvcut_print_text(&p, " ");
    prvcut_print_u64(&p, UINT64_MAX);
    prvcut_print_text(&p, " ");
    prvcut_print_i64(&p, INT64_MIN);
    prvcut_print_text(&p, " ");
    prvcut_print_i64(&p, -1);
    prvcut_print_text(&p, " ");
    prvcut_print_i64(&p, 7);
    prvcut_print_text(&p, " ");
    prvcut_print_decimal(&p, 1, 9);
    prvcut_print_text(&p, " ");
    prvcut_print_decimal(&p, UINT64_MAX, 9);
    prvcut_print_text(&p, " ");
    prvcut_print_decimal(&p, 12000, 3);
    ck_assert_int_eq(prvcut_print_commit(&p, &size, &err), PRVCUT_OK);
    ck_assert_uint_eq(size, sizeof want - 1);
    scratch_expect("x", want, sizeof want - 1);
}
END_TEST

/* Pieces of all sizes, also beyond what is held back. */
START_TEST(test_print_long_texts_whole)
{
    const size_t count = 300000;
    char *text = scratch_text(count);
    struct prvcut_error err = { 0 };
    struct prvcut_print p;
    size_t at = 0, step = 1;

    ck_assert_int_eq(prvcut_print_open(&p, "x", false, &err), PRVCUT_OK);
    while (at < count) {
        const size_t now = step < count - at ? step : count - at;

        prvcut_print_bytes(&p, text + at, now);
        at += now;
        step = step * 3 % 150001;
    }
    ck_assert_int_eq(prvcut_print_commit(&p, NULL, &err), PRVCUT_OK);
    scratch_expect("x", text, count);
    free(text);
}
END_TEST

START_TEST(test_print_failure_stays)
{
    struct prvcut_error err = { 0 };
    struct prvcut_print p;

    if (access("/dev/full", W_OK) != 0)
        return;
    ck_assert_int_eq(prvcut_print_open(&p, "/dev/full", false, &err), PRVCUT_OK);
    for (int i = 0; i < 1000000; i++)
        prvcut_print_u64(&p, UINT64_MAX);
    ck_assert_int_eq(prvcut_print_state(&p, &err), PRVCUT_EIO);
    ck_assert_int_eq(prvcut_print_commit(&p, NULL, &err), PRVCUT_EIO);
    ck_assert_str_ne(err.text, "");
}
END_TEST

static Suite *print_suite(void)
{
    Suite *suite = suite_create("print");
    TCase *tests = tcase_create("print");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_print_numbers_exactly);
    tcase_add_test(tests, test_print_long_texts_whole);
    tcase_add_test(tests, test_print_failure_stays);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(print_suite());
}
