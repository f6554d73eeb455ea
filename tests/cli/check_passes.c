/* The passes that a command line asks for, and the time that is left over all of them. */
#include "passes.h"

#include "runner.h"

#include <string.h>

static const struct cli_pass three[] = { { PRVCUT_PHASE_READING, 10 },
                                         { PRVCUT_PHASE_CUTTING, 5 },
                                         { PRVCUT_PHASE_COMPARING, 5 } };

static double left(struct cli_progress_state s)
{
    return cli_passes_left(three, 3, &s);
}

START_TEST(test_estimate_counts_the_passes_to_come)
{
    /* Half of 10 s are done; the others take half as long each. */
    const double seen = left((struct cli_progress_state){ .at = 0, .share = 0.5, .seconds = 5 });

    ck_assert_double_eq_tol(seen, 5 + 5 + 5, 1e-9);
}
END_TEST

START_TEST(test_estimate_goes_on_at_the_border_of_passes)
{
    const double end = left((struct cli_progress_state){ .at = 0, .share = 1, .seconds = 10 });
    const double begin = left((struct cli_progress_state){
        .at = 1, .share = 0, .seconds = 0, .before = 10, .before_weight = 10 });

    ck_assert_double_eq_tol(end, 10, 1e-9);
    ck_assert_double_eq_tol(begin, end, 1e-9);
}
END_TEST

START_TEST(test_estimate_without_share_is_what_is_expected)
{
    struct cli_progress_state s = {
        .at = 1, .share = -1, .seconds = 2, .before = 20, .before_weight = 10
    };

    ck_assert_double_eq_tol(left(s), 10 - 2 + 10, 1e-9);
    /* It takes longer than expected: what comes is left all the same. */
    s.seconds = 30;
    ck_assert_double_eq_tol(left(s), 10, 1e-9);
}
END_TEST

START_TEST(test_estimate_takes_own_speed_of_the_pass)
{
    /* The cut is 4 times as slow as its weight says, and so may be what follows. */
    const double seen = left((struct cli_progress_state){
        .at = 1, .share = 0.25, .seconds = 5, .before = 10, .before_weight = 10 });

    ck_assert_double_eq_tol(seen, 15 + 5 * (10 + 20) / 15.0, 1e-9);
}
END_TEST

START_TEST(test_estimate_skips_passes_that_did_not_come)
{
    /* An index spares the reading: only the cut tells how fast it goes. */
    const double seen = left((struct cli_progress_state){ .at = 1, .share = 0.5, .seconds = 3 });

    ck_assert_double_eq_tol(seen, 3 + 6, 1e-9);
}
END_TEST

START_TEST(test_estimate_is_none_before_it_means_anything)
{
    ck_assert_double_lt(left((struct cli_progress_state){ .share = 0.5, .seconds = 0.1 }), 0);
    ck_assert_double_lt(left((struct cli_progress_state){ .share = 0, .seconds = 3 }), 0);
    ck_assert_double_lt(left((struct cli_progress_state){ .share = -1, .seconds = 3 }), 0);
}
END_TEST

START_TEST(test_seconds_are_whole)
{
    static const struct {
        double seconds;
        const char *text;
    } rows[] = { { 0.035, "1s" },      { 2.946, "3s" }, { 4, "4s" },           { 119.2, "2min 0s" },
                 { 125.3, "2min 6s" }, { 0, "0s" },     { 7200, "120min 0s" }, { 119, "119s" } };
    char out[32];

    ck_assert_str_eq(cli_whole_seconds(out, rows[_i].seconds), rows[_i].text);
}
END_TEST

static void phases(char *out, size_t room, const struct cli *c)
{
    struct cli_pass pass[CLI_PASSES_MOST];
    const unsigned n = cli_passes(c, pass);

    *out = '\0';
    ck_assert_uint_le(n, CLI_PASSES_MOST);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_double_gt(pass[i].weight, 0);
        snprintf(out + strlen(out), room - strlen(out), "%s%s", i > 0 ? " " : "",
                 prvcut_phase_text(pass[i].phase));
    }
}

START_TEST(test_plan_has_the_passes_of_the_command_line)
{
    const struct {
        struct cli c;
        unsigned command;
        const char *phases;
    } rows[] = {
        { { 0 }, CLI_REDUCE, "reading analysing choosing cutting" },
        { { .no_proof = true }, CLI_REDUCE, "reading analysing cutting" },
        { { .quick = true }, CLI_REDUCE, "reading analysing cutting" },
        { { .quick = true, .report = "x" },
          CLI_REDUCE,
          "reading analysing choosing cutting comparing drawing" },
        { { .report = "x", .dry_run = true },
          CLI_REDUCE,
          "reading analysing choosing cutting comparing" },
        { { .archive = "x" },
          CLI_REDUCE,
          "reading analysing choosing cutting comparing drawing checksum" },
        { { .from = "1s" }, CLI_CUT, "reading cutting" },
        { { .region = "1.1" }, CLI_CUT, "reading analysing cutting" },
        { { .iteration = { 2, 3 } }, CLI_SIGNAL, "reading analysing reading" },
        { { 0 }, CLI_SIGNAL, "reading" },
        { { 0 }, CLI_CONVERT, "reading writing" },
        { { 0 }, CLI_FILTER, "filtering" },
        { { 0 }, CLI_MARK, "reading analysing marking" },
        { { 0 }, CLI_CSV, "reading analysing marking" },
        { { 0 }, CLI_STRUCTURE, "reading analysing" },
        { { 0 }, CLI_INDEX, "reading analysing choosing" },
        { { 0 }, CLI_INFO, "reading" },
        { { 0 }, CLI_CHECK, "checking" },
        { { 0 }, CLI_VERIFY, "checksum" },
    };
    char seen[200];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cli_command command = { .bit = rows[i].command };
        struct cli c = rows[i].c;

        c.command = &command;
        phases(seen, sizeof seen, &c);
        ck_assert_msg(strcmp(seen, rows[i].phases) == 0, "row %zu: %s", i, seen);
    }
}
END_TEST

START_TEST(test_phase_leads_on_never_back)
{
    const struct cli_pass cut[] = { { PRVCUT_PHASE_READING, 1 },
                                    { PRVCUT_PHASE_ANALYSING, 1 },
                                    { PRVCUT_PHASE_READING, 1 } };

    ck_assert_uint_eq(cli_passes_at(cut, 3, 0, PRVCUT_PHASE_READING), 0);
    ck_assert_uint_eq(cli_passes_at(cut, 3, 0, PRVCUT_PHASE_ANALYSING), 1);
    ck_assert_uint_eq(cli_passes_at(cut, 3, 1, PRVCUT_PHASE_FOCUSING), 1);
    ck_assert_uint_eq(cli_passes_at(cut, 3, 1, PRVCUT_PHASE_READING), 2);
    ck_assert_uint_eq(cli_passes_at(cut, 3, 2, PRVCUT_PHASE_ANALYSING), 2);
}
END_TEST

static Suite *passes_suite(void)
{
    Suite *suite = suite_create("passes");
    TCase *tests = tcase_create("passes");

    tcase_add_test(tests, test_estimate_counts_the_passes_to_come);
    tcase_add_test(tests, test_estimate_goes_on_at_the_border_of_passes);
    tcase_add_test(tests, test_estimate_without_share_is_what_is_expected);
    tcase_add_test(tests, test_estimate_takes_own_speed_of_the_pass);
    tcase_add_test(tests, test_estimate_skips_passes_that_did_not_come);
    tcase_add_test(tests, test_estimate_is_none_before_it_means_anything);
    tcase_add_loop_test(tests, test_seconds_are_whole, 0, 8);
    tcase_add_test(tests, test_plan_has_the_passes_of_the_command_line);
    tcase_add_test(tests, test_phase_leads_on_never_back);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(passes_suite());
}
