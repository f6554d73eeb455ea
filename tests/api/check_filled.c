#include "api/filled.h"

#include "runner.h"

#include <string.h>

/* A struct as it first appeared, as this library has it, and as a later one does. */
struct early {
    size_t size;
    uint64_t bins;
};
struct now {
    size_t size;
    uint64_t bins;
    const char *name;
};
struct later {
    size_t size;
    uint64_t bins;
    const char *name;
    uint64_t more;
};

#define FIRST PRVCUT_FILLED_UP_TO(now, bins)

static enum prvcut_status take(struct now *out, const void *given, struct prvcut_error *err)
{
    memset(out, 0x55, sizeof *out);
    return prvcut_filled_take(out, sizeof *out, FIRST, given, "now", err);
}

/* What stands behind a smaller struct is not the program's word. */
START_TEST(test_take_struct_of_older_program_has_new_fields_zeroed)
{
    struct {
        struct early is;
        const char *behind;
    } program = { { sizeof program.is, 7 }, "behind" };
    struct now out;

    ck_assert_int_eq(take(&out, &program, NULL), PRVCUT_OK);
    ck_assert_uint_eq(out.size, sizeof out);
    ck_assert_uint_eq(out.bins, 7);
    ck_assert_ptr_null(out.name);
}
END_TEST

START_TEST(test_take_struct_without_size_has_first_fields)
{
    const struct now given = { .bins = 7, .name = "not known to have been there" };
    struct now out;

    ck_assert_int_eq(take(&out, &given, NULL), PRVCUT_OK);
    ck_assert_uint_eq(out.bins, 7);
    ck_assert_ptr_null(out.name);
}
END_TEST

START_TEST(test_take_nothing_gives_defaults)
{
    struct now out;

    ck_assert_int_eq(take(&out, NULL, NULL), PRVCUT_OK);
    ck_assert_uint_eq(out.size, sizeof out);
    ck_assert_uint_eq(out.bins, 0);
    ck_assert_ptr_null(out.name);
}
END_TEST

START_TEST(test_take_struct_of_newer_program_is_refused_where_it_asks_for_more)
{
    struct later given = { sizeof given, 7, "x", 0 };
    struct prvcut_error err = { 0 };
    struct now out;

    ck_assert_int_eq(take(&out, &given, &err), PRVCUT_OK);
    ck_assert_str_eq(out.name, "x");
    given.more = UINT64_C(1) << 63;
    ck_assert_int_eq(take(&out, &given, &err), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "struct now"));
    ck_assert_uint_eq(out.bins, 0);
}
END_TEST

START_TEST(test_take_struct_smaller_than_the_first_is_refused)
{
    const struct now given = { .size = FIRST - 1, .bins = 7 };
    struct now out;

    ck_assert_int_eq(take(&out, &given, NULL), PRVCUT_EUSAGE);
    ck_assert_uint_eq(out.bins, 0);
}
END_TEST

static Suite *filled_suite(void)
{
    Suite *s = suite_create("filled");
    TCase *t = tcase_create("take");

    tcase_add_test(t, test_take_struct_of_older_program_has_new_fields_zeroed);
    tcase_add_test(t, test_take_struct_without_size_has_first_fields);
    tcase_add_test(t, test_take_nothing_gives_defaults);
    tcase_add_test(t, test_take_struct_of_newer_program_is_refused_where_it_asks_for_more);
    tcase_add_test(t, test_take_struct_smaller_than_the_first_is_refused);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(filled_suite());
}
