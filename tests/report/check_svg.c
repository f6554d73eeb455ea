#include "model/made.h"
#include "prvcut/signals.h"
#include "report/plot.h"

#include "runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *taken(struct report_lines *l)
{
    char *text = NULL;

    ck_assert_int_eq(report_take(l, &text), PRVCUT_OK);
    return text;
}

static void expect_text(const char *in, const char *out)
{
    struct prvcut_error err = { 0 };
    struct report_lines l = { .err = &err };
    char *text;

    svg_put_text(&l, in);
    text = taken(&l);
    ck_assert_str_eq(text, out);
    free(text);
}

START_TEST(test_escape_text_leaves_no_markup)
{
    expect_text("<a href=\"x\" b='&amp;'>", "&lt;a href=&quot;x&quot; b=&#39;&amp;amp;&#39;&gt;");
    expect_text("", "");
    expect_text("tab\there\r\n", "tab here  ");
}
END_TEST

START_TEST(test_escape_text_keeps_only_utf8)
{
    expect_text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_text("caf\xe9", "caf\xef\xbf\xbd");
    /* Cut short, overlong, a surrogate, beyond the last, C1 control, no character for XML. */
    expect_text("\xc3", "\xef\xbf\xbd");
    expect_text("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
    expect_text("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_text("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_text("\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd");
    expect_text("\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_text("\x01\x1b\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}
END_TEST

START_TEST(test_shorten_text_counts_characters)
{
    struct prvcut_error err = { 0 };
    struct report_lines l = { .err = &err };
    char *text;

    svg_put_short(&l, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4);
    svg_put_short(&l, "|abcdef", 4);
    text = taken(&l);
    ck_assert_str_eq(text, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9|ab\xe2\x80\xa6");
    free(text);
}
END_TEST

START_TEST(test_print_numbers_without_locale)
{
    char text[32];

    ck_assert_str_eq(svg_fixed(text, 1.005, 1), "1.0");
    ck_assert_str_eq(svg_fixed(text, -0.04, 1), "0.0");
    ck_assert_str_eq(svg_fixed(text, -2.55, 1), "-2.6");
    ck_assert_str_eq(svg_fixed(text, 12345678901.0, 0), "12345678901");
    ck_assert_str_eq(svg_fixed(text, NAN, 2), "0.00");
    ck_assert_uint_lt(strlen(svg_fixed(text, INFINITY, 6)), 32);
    ck_assert_uint_lt(strlen(svg_fixed(text, -1e300, 6)), 32);
}
END_TEST

START_TEST(test_print_json_closes_no_script)
{
    struct prvcut_error err = { 0 };
    struct report_lines l = { .err = &err };
    char *text;

    svg_put_json(&l, "{\"a\":\"</script><!--\"}");
    text = taken(&l);
    ck_assert_str_eq(text, "{\"a\":\"\\u003c/script>\\u003c!--\"}");
    free(text);
}
END_TEST

START_TEST(test_place_ticks_at_round_values)
{
    static const double ranges[][2] = {
        { 0, 1 }, { 0, 0.9 }, { -3.2, 17 }, { 1e9, 1e9 + 7 }, { 0.000123, 0.000129 }, { 0, 4e17 },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (unsigned most = 2; most <= 20; most++) {
            const struct plot_ticks t = plot_ticks(ranges[i][0], ranges[i][1], most);
            const double lead = t.step / pow(10, floor(log10(t.step) + 1e-9));

            ck_assert_uint_le(t.count, most + 1);
            ck_assert(t.first >= ranges[i][0] - t.step * 1e-6);
            ck_assert(t.first + (t.count - 1) * t.step <= ranges[i][1] + t.step * 1e-6);
            ck_assert_msg(fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6,
                          "a step of %g", t.step);
        }
}
END_TEST

START_TEST(test_place_time_ticks_in_fitting_unit)
{
    ck_assert_str_eq(plot_time_ticks(0, 5e9, 10).unit, "s");
    ck_assert_str_eq(plot_time_ticks(0, 5e8, 10).unit, "ms");
    ck_assert_str_eq(plot_time_ticks(0, 999, 10).unit, "ns");
    /* A deep look at a late time: as many decimals as the marks need. */
    ck_assert_int_eq(plot_time_ticks(2e9, 2e9 + 1e5, 10).decimals, 5);
}
END_TEST

/* The least and the greatest y of the first curve's path. */
static void extremes(const char *svg, double *least, double *greatest)
{
    const char *path = strstr(svg, " d=\"");

    ck_assert_ptr_nonnull(path);
    *least = INFINITY;
    *greatest = -INFINITY;
    for (size_t i = 4; path[i] && path[i] != '"'; i++) {
        const char *d = &path[i], *y = *d == 'V' ? d + 1 : *d == 'M' ? strchr(d, ' ') : NULL;

        if (!y)
            continue;
        *least = fmin(*least, strtod(y, NULL));
        *greatest = fmax(*greatest, strtod(y, NULL));
    }
}

static struct prvcut_signal signal_of(double *at, size_t bins)
{
    return (struct prvcut_signal){
        .name = "computing", .unit = "threads", .start = 0, .width = 1000, .at = at, .bins = bins
    };
}

/* Not inlined: gcc 12 then takes the text for its pointer and warns that it dangles. */
__attribute__((noinline)) static char *svg_of(struct prvcut_signal *s, size_t count,
                                              const char *title)
{
    const struct made_signals all = { .is = { .count = count }, .at = s };
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_signals_svg(&all.is, title, &text, &err), PRVCUT_OK);
    return text;
}

/* One bin of a hundred thousand is a hundredth of a pixel wide: it must be seen all the same. */
START_TEST(test_draw_curve_loses_no_peak)
{
    const size_t bins = 100000;
    double *at = calloc(bins, sizeof *at), least, greatest;
    struct prvcut_signal s;
    char *text;

    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < bins; i++)
        at[i] = 1;
    at[(size_t)_i] = 8;
    s = signal_of(at, bins);
    text = svg_of(&s, 1, "peak");
    extremes(text, &least, &greatest);
    /* The axis ends 5 % above the peak, the drawing is 170 px high. */
    ck_assert_double_eq_tol(least, 170 * (1 - 1 / 1.05), 0.2);
    ck_assert_double_eq_tol(greatest, 170 * (1 - 1 / 8.4), 0.2);
    free(text);
    free(at);
}
END_TEST

START_TEST(test_draw_signals_bounds_the_text)
{
    const size_t bins = 1000000;
    double *at = calloc(bins, sizeof *at);
    struct prvcut_signal s[2];
    char *text;

    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < bins; i++)
        at[i] = (double)(i * 7919 % 1000) / 7;
    s[0] = signal_of(at, bins);
    s[1] = signal_of(NULL, 0);
    s[1].name = "ipc";
    s[1].absent = "the trace has no <cycle> counter";
    text = svg_of(s, 2, "a \"<title>\" & more");
    ck_assert_uint_lt(strlen(text), 100000);
    ck_assert_ptr_nonnull(strstr(text, "ipc: the trace has no &lt;cycle&gt; counter"));
    ck_assert_ptr_nonnull(strstr(text, "<title>a &quot;&lt;title&gt;&quot; &amp; more</title>"));
    ck_assert_ptr_nonnull(strstr(text, "computing (threads)"));
    ck_assert_ptr_nonnull(strstr(text, "Time (s)"));
    free(text);
    free(at);
}
END_TEST

START_TEST(test_draw_signals_survives_odd_values)
{
    double at[] = { NAN, INFINITY, -INFINITY, 0, 1e308, -1e308, 1e-308 };
    double flat[] = { 0, 0, 0 };
    struct prvcut_signal s[3] = { signal_of(at, 7), signal_of(flat, 3), signal_of(flat, 0) };
    char *text = svg_of(s, 3, "");

    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    free(text);
}
END_TEST

static Suite *svg_suite(void)
{
    Suite *s = suite_create("svg");
    TCase *t = tcase_create("svg");

    tcase_add_test(t, test_escape_text_leaves_no_markup);
    tcase_add_test(t, test_escape_text_keeps_only_utf8);
    tcase_add_test(t, test_shorten_text_counts_characters);
    tcase_add_test(t, test_print_numbers_without_locale);
    tcase_add_test(t, test_print_json_closes_no_script);
    tcase_add_test(t, test_place_ticks_at_round_values);
    tcase_add_test(t, test_place_time_ticks_in_fitting_unit);
    tcase_add_loop_test(t, test_draw_curve_loses_no_peak, 0, 3);
    tcase_add_loop_test(t, test_draw_curve_loses_no_peak, 49998, 50003);
    tcase_add_loop_test(t, test_draw_curve_loses_no_peak, 99998, 100000);
    tcase_add_test(t, test_draw_signals_bounds_the_text);
    tcase_add_test(t, test_draw_signals_survives_odd_values);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(svg_suite());
}
