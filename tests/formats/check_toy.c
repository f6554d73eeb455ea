#include "prvcut/convert.h"
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
    tcase_add_test(tests, test_name_all_that_is_read);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(toy_suite());
}
