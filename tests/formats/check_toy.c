#include "prvcut/convert.h"
#include "prvcut/cut.h"
#include "prvcut/structure.h"
#include "tests/formats/toy.h"
#include "tests/support/runner.h"

#include <stdio.h>

/* --- What works with it ------------------------------------------------------------------------
 */

/* Thirty iterations of 1 ms on each of four threads, after a start of its own. */
static void toy_write(const char *path)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fprintf(f, "toy 4 33000000\n");
    for (int thread = 1; thread <= 4; thread++)
        for (int i = 0; i < 30; i++)
            for (int call = 0; call < CALLS; call++) {
                const long begin = 2000000 + 1000000L * i + 400000L * call + 1000L * thread;

                fprintf(f, "%d %ld %ld %s\n", thread, begin, begin + 50000, call_names[call]);
            }
    fclose(f);
}

static struct prvcut_trace *toy_opened(const char *path)
{
    struct prvcut_trace *t = NULL;
    struct prvcut_error err = { 0 };

    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

START_TEST(test_find_the_loop_of_a_toy)
{
    struct prvcut_structure *found;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    toy_write("loop.toy");
    t = toy_opened("loop.toy");
    ck_assert_msg(prvcut_structure_find(t, &(struct prvcut_run){ .threads = 3 },
                                        &(struct prvcut_structure_options){ 0 }, &found,
                                        &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_eq((unsigned)prvcut_structure_region(found, found->main)->iterations, 30);
    prvcut_structure_free(found);
    prvcut_trace_close(t);
    remove("loop.toy");
}
END_TEST

START_TEST(test_convert_a_toy)
{
    const struct prvcut_convert_options options = { .path = "toy-out.prv", .force = true };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    toy_write("convert.toy");
    t = toy_opened("convert.toy");
    ck_assert_msg(prvcut_convert(t, &(struct prvcut_run){ 0 }, &options, &sum, &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_eq(sum->written.regions, 4 * 30 * CALLS);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
    ck_assert_int_eq(remove("toy-out.prv") + remove("toy-out.pcf") + remove("toy-out.row"), 0);
    remove("convert.toy");
}
END_TEST

static void toy_write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void toy_check_text(const char *path, const char *text)
{
    char got[512] = "";
    FILE *f = fopen(path, "r");

    ck_assert_ptr_nonnull(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    fclose(f);
    ck_assert_str_eq(got, text);
}

static const char toy_small[] = "toy 2 100\n"
                                "1 10 30 halo\n"
                                "1 40 60 solve\n"
                                "2 20 50 norm\n"
                                "2 50 70 halo\n";

START_TEST(test_cut_a_toy)
{
    struct prvcut_cut_options options = { .path = "toy-cut.toy", .dry_run = true };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    toy_write_text("cut.toy", toy_small);
    t = toy_opened("cut.toy");
    for (int i = 0; i < 2; i++, options.dry_run = false) {
        ck_assert_msg(prvcut_cut(t, &(struct prvcut_run){ .threads = 2 },
                                 &(struct prvcut_span){ 20, 45 }, &options, &sum,
                                 &err) == PRVCUT_OK,
                      "%s", err.text);
        ck_assert_uint_eq(sum->events, 6);
        ck_assert_uint_eq(sum->reopened, 1);
        ck_assert_uint_eq(sum->closed, 2);
        prvcut_cut_summary_free(sum);
    }
    prvcut_trace_close(t);
    toy_check_text("toy-cut.toy", "toy 2 25\n1 0 10 halo\n1 20 25 solve\n2 0 25 norm\n");
    t = toy_opened("toy-cut.toy");
    options.path = "cut.toy";
    ck_assert_int_eq(prvcut_cut(t, &(struct prvcut_run){ 0 }, &(struct prvcut_span){ 0, 5 },
                                &options, &sum, &err),
                     PRVCUT_EEXIST);
    prvcut_trace_close(t);
    toy_check_text("cut.toy", toy_small);
    remove("toy-cut.toy");
    remove("cut.toy");
}
END_TEST

START_TEST(test_convert_into_a_toy)
{
    const struct prvcut_convert_options options = { .path = "toy-again.toy" };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    toy_write_text("again.toy", toy_small);
    t = toy_opened("again.toy");
    ck_assert_msg(prvcut_convert(t, &(struct prvcut_run){ 0 }, &options, &sum, &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_eq(sum->written.regions, 4);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
    toy_check_text("toy-again.toy", toy_small);
    remove("toy-again.toy");
    remove("again.toy");
}
END_TEST

START_TEST(test_name_all_that_is_read)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;
    FILE *f = fopen("no.toy", "w");

    fputs("toys\n", f);
    fclose(f);
    ck_assert_int_eq(prvcut_trace_open(&t, "no.toy", NULL, &err), PRVCUT_ENOTRACE);
    ck_assert_str_eq(err.text,
                     "no.toy: is not a trace of a known format (a toy starts with 'toy ', "
                     "a Paraver .prv starts with '#Paraver (')");
    remove("no.toy");
}
END_TEST

static Suite *toy_suite(void)
{
    Suite *suite = suite_create("toy");
    TCase *tests = tcase_create("toy");

    tcase_add_test(tests, test_find_the_loop_of_a_toy);
    tcase_add_test(tests, test_convert_a_toy);
    tcase_add_test(tests, test_cut_a_toy);
    tcase_add_test(tests, test_convert_into_a_toy);
    tcase_add_test(tests, test_name_all_that_is_read);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(toy_suite());
}
