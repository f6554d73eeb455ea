#include "base/error.h"
#include "tests/support/runner.h"

#include <errno.h>
#include <string.h>

START_TEST(test_fail_error_keeps_first)
{
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_fail(&err, PRVCUT_EIO, "first %d", 1), PRVCUT_EIO);
    ck_assert_int_eq(prvcut_fail(&err, PRVCUT_EFORMAT, "second"), PRVCUT_EFORMAT);
    errno = ENOENT;
    ck_assert_int_eq(prvcut_fail_errno(&err, PRVCUT_ENOMEM, "third"), PRVCUT_ENOMEM);
    ck_assert_int_eq(err.status, PRVCUT_EIO);
    ck_assert_str_eq(err.text, "first 1");
}
END_TEST

START_TEST(test_fail_error_accepts_null)
{
    ck_assert_int_eq(prvcut_fail(NULL, PRVCUT_ELIMIT, "x"), PRVCUT_ELIMIT);
    ck_assert_int_eq(prvcut_fail_errno(NULL, PRVCUT_EIO, "x"), PRVCUT_EIO);
}
END_TEST

START_TEST(test_fail_error_escapes_controls)
{
    struct prvcut_error err = { 0 };

    prvcut_fail(&err, PRVCUT_EIO, "%s", "a\n\x1b[31m\x7f\t\xc2\x9b.\\");
    ck_assert_str_eq(err.text, "a\\x0a\\x1b[31m\\x7f\\x09\\xc2\\x9b.\\");
}
END_TEST

START_TEST(test_fail_error_keeps_high_bytes)
{
    struct prvcut_error err = { 0 };

    prvcut_fail(&err, PRVCUT_EIO, "%s", "\xc3\xa9 \xe9 \x9b \xc2\xa0 \xc2");
    ck_assert_str_eq(err.text, "\xc3\xa9 \xe9 \x9b \xc2\xa0 \xc2");
}
END_TEST

START_TEST(test_fail_errno_appends_reason)
{
    struct prvcut_error err = { 0 };

    errno = ENOENT;
    ck_assert_int_eq(prvcut_fail_errno(&err, PRVCUT_EIO, "%s", "f"), PRVCUT_EIO);
    ck_assert_str_eq(err.text, "f: No such file or directory");
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(test_fail_errno_keeps_reason_after_long_name)
{
    struct prvcut_error err = { 0 };
    char name[5000];
    const char *reason = ": Is a directory";

    memset(name, '\n', sizeof name);
    name[sizeof name - 1] = '\0';
    errno = EISDIR;
    prvcut_fail_errno(&err, PRVCUT_EIO, "%s", name);
    ck_assert_uint_lt(strlen(err.text), sizeof err.text);
    ck_assert_uint_gt(strlen(err.text), sizeof err.text - 8);
    ck_assert_str_eq(err.text + strlen(err.text) - strlen(reason), reason);
}
END_TEST

START_TEST(test_fail_errno_names_unknown_number)
{
    struct prvcut_error err = { 0 };

    errno = 99999;
    prvcut_fail_errno(&err, PRVCUT_EIO, "f");
    ck_assert_ptr_nonnull(strstr(err.text, "99999"));
}
END_TEST

/* Every room: characters of one to four bytes stay whole. */
START_TEST(test_quote_cuts_between_characters)
{
    static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t whole[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };
    const size_t room = (size_t)_i + 1;
    char out[64];

    prvcut_quote(out, room, text, strlen(text));
    ck_assert_uint_eq(strlen(out), whole[_i]);
    ck_assert_int_eq(strncmp(out, text, strlen(out)), 0);
}
END_TEST

/* Every room: the text is ended, and no escape is cut in two. */
START_TEST(test_quote_text_fits_any_room)
{
    static const char whole[] = "ab\\x01c\\x00\\xc2\\x80d";
    const size_t room = (size_t)_i;
    char out[64];

    memset(out, '#', sizeof out);
    ck_assert_ptr_eq(prvcut_quote(out, room,
                                  "ab\x01"
                                  "c\0\xc2\x80"
                                  "d",
                                  8),
                     out);
    ck_assert_int_eq(out[room], '#');
    if (room == 0)
        return;
    ck_assert_uint_lt(strlen(out), room);
    ck_assert_int_eq(strncmp(out, whole, strlen(out)), 0);
    ck_assert(strlen(out) == room - 1 || strlen(out) == 2 || strlen(out) == 7 ||
              strlen(out) == 11 || strlen(out) == sizeof whole - 1);
}
END_TEST

static Suite *error_suite(void)
{
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");

    tcase_add_test(tests, test_fail_error_keeps_first);
    tcase_add_test(tests, test_fail_error_accepts_null);
    tcase_add_test(tests, test_fail_error_escapes_controls);
    tcase_add_test(tests, test_fail_error_keeps_high_bytes);
    tcase_add_test(tests, test_fail_errno_appends_reason);
    tcase_add_test(tests, test_fail_errno_keeps_reason_after_long_name);
    tcase_add_test(tests, test_fail_errno_names_unknown_number);
    tcase_add_loop_test(tests, test_quote_cuts_between_characters, 0, 13);
    tcase_add_loop_test(tests, test_quote_text_fits_any_room, 0, 40);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(error_suite());
}
