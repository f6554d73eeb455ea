#include "runner.h"

#include "paraver/date.h"

#include <string.h>

static const struct {
    const char *text;
    int64_t seconds;
} dates[] = {
    { "01/01/1970 at 00:00", 0 },          { "02/01/1970 at 00:01", 86460 },
    { "31/12/1969 at 23:59", -60 },        { "29/02/2000 at 12:00", 951825600 },
    { "28/02/2100 at 23:59", 4107542340 }, { "01/03/2100 at 00:00", 4107542400 },
    { "14/11/2023 at 22:13", 1699999980 }, { "31/12/9999 at 23:59", 253402300740 },
    { "01/01/2026 at 12:00", 1767268800 },
};

START_TEST(test_read_date_and_write_it_again)
{
    char text[PRV_DATE_ROOM];

    ck_assert_int_eq(prv_date_parse(dates[_i].text, strlen(dates[_i].text)), dates[_i].seconds);
    ck_assert_str_eq(prv_date_text(text, dates[_i].seconds), dates[_i].text);
    /* The format has no seconds. */
    ck_assert_str_eq(prv_date_text(text, dates[_i].seconds + 59), dates[_i].text);
}
END_TEST

START_TEST(test_read_date_with_two_digits_of_the_year)
{
    ck_assert_int_eq(prv_date_parse("01/01/70 at 00:00", 17), 0);
    ck_assert_int_eq(prv_date_parse("14/11/23 at 22:13", 17), 1699999980);
    ck_assert_int_eq(prv_date_parse("1/1/26 at 12:00", 15), 1767268800);
}
END_TEST

START_TEST(test_read_date_refuses_what_is_none)
{
    static const char *const text[] = {
        "",
        "once upon a time",
        "00/01/2026 at 12:00",
        "32/01/2026 at 12:00",
        "29/02/2026 at 12:00",
        "29/02/1900 at 12:00",
        "01/00/2026 at 12:00",
        "01/13/2026 at 12:00",
        "01/01/2026 at 24:00",
        "01/01/2026 at 12:60",
        "01/01/2026 at 12:00 o'clock",
        "01/01/2026 12:00",
        "01/01/20260 at 12:00",
        "-1/01/2026 at 12:00",
        "01/01/2026 at 12:00                                                              ",
    };
    char out[PRV_DATE_ROOM];

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        ck_assert_msg(prv_date_parse(text[i], strlen(text[i])) == INT64_MIN, "%s", text[i]);
    /* Nor is it taken further than told. */
    ck_assert_int_eq(prv_date_parse("01/01/2026 at 12:00", 18), 1767268800);
    ck_assert_str_eq(prv_date_text(out, INT64_MAX), "01/01/1970 at 00:00");
    ck_assert_str_eq(prv_date_text(out, INT64_MIN), "01/01/1970 at 00:00");
    ck_assert_str_eq(prv_date_text(out, 253402300800), "01/01/1970 at 00:00");
}
END_TEST

static Suite *paraver_date_suite(void)
{
    Suite *suite = suite_create("paraver_date");
    TCase *c = tcase_create("paraver_date");

    tcase_add_loop_test(c, test_read_date_and_write_it_again, 0,
                        (int)(sizeof dates / sizeof *dates));
    tcase_add_test(c, test_read_date_with_two_digits_of_the_year);
    tcase_add_test(c, test_read_date_refuses_what_is_none);
    suite_add_tcase(suite, c);
    return suite;
}

int main(void)
{
    return run_suite(paraver_date_suite());
}
