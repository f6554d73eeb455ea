#include "api/names.h"

#include "model/formats.h"
#include "runner.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *path, *tag, *compress, *name;
} cases[] = {
    { "app.prv", "chop1", NULL, "app.chop1.prv" },
    { "app.prv.gz", "chop1", NULL, "app.chop1.prv.gz" },
    { "app.prv.zst", "cut", NULL, "app.cut.prv.zst" },
    { "app.prv.zst", "cut", "none", "app.cut.prv" },
    { "app.prv", "cut", "gz", "app.cut.prv.gz" },
    { "app.prv.gz", "cut", "zst", "app.cut.prv.zst" },
    { "app", "chop1", NULL, "app.chop1.prv" },
    { ".prv", "chop1", NULL, ".prv.chop1.prv" },
    { "./app.prv", "chop1", NULL, "./app.chop1.prv" },
    { "/app.prv", "chop1", NULL, "/app.chop1.prv" },
    { "/no/such/folder/app.prv", "chop1", NULL, "app.chop1.prv" },
    { "no/app.prv.zst", "chop1", "none", "app.chop1.prv" },
};

START_TEST(test_name_output_follows_the_trace)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *name = NULL;

    ck_assert_int_eq(prvcut_output_name(&name, &prvcut_paraver_reader, cases[_i].path,
                                        cases[_i].tag, cases[_i].compress, &err),
                     PRVCUT_OK);
    ck_assert_str_eq(name, cases[_i].name);
    free(name);
}
END_TEST

START_TEST(test_name_output_refuses_unknown_compression)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *name = NULL;

    ck_assert_int_eq(
        prvcut_output_name(&name, &prvcut_paraver_reader, "app.prv", "cut", "xz", &err),
        PRVCUT_EUSAGE);
    ck_assert_ptr_null(name);
    ck_assert_str_eq(err.text, "compression 'xz' is none of: none gz zst");
}
END_TEST

/* Beside the archive's folder, where that is known by its name; else beside the main file. */
START_TEST(test_name_output_of_an_archive_is_a_folder)
{
    static const char *const names[][2] = {
        { "eztrace/eztrace_log.otf2", "eztrace.cut/eztrace_log.otf2" },
        { "app/app.otf2", "app.cut/app.otf2" },
        { "./app.otf2", "./app.cut/app.otf2" },
        { "/no/such/run/app.otf2", "app.cut/app.otf2" },
        { "/no/such/run/traces.otf2", "run.cut/traces.otf2" },
    };
    const struct prvcut_reader archive = { .format = &prvcut_otf2_format };
    struct prvcut_error err = { .status = PRVCUT_OK };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = NULL;

        ck_assert_int_eq(prvcut_output_name(&name, &archive, names[i][0], "cut", NULL, &err),
                         PRVCUT_OK);
        ck_assert_str_eq(name, names[i][1]);
        free(name);
    }
}
END_TEST

START_TEST(test_name_output_of_an_archive_is_never_compressed)
{
    const struct prvcut_reader archive = { .format = &prvcut_otf2_format };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *name = NULL;

    ck_assert_int_eq(prvcut_output_name(&name, &archive, "log.otf2", "chop1", NULL, &err),
                     PRVCUT_OK);
    ck_assert_str_eq(name, "log.chop1/log.otf2");
    free(name);
    ck_assert_int_eq(prvcut_output_name(&name, &archive, "log.otf2", "chop1", "none", &err),
                     PRVCUT_OK);
    free(name);
    ck_assert_int_eq(prvcut_output_name(&name, &archive, "log.otf2", "chop1", "zst", &err),
                     PRVCUT_EUSAGE);
    ck_assert_ptr_null(name);
}
END_TEST

/* Wherever it is: only names beside the trace give way to the present folder. */
START_TEST(test_name_sibling_stays_in_its_folder)
{
    static const char *const names[][2] = {
        { "out.prv", "out.1.2.prv" },
        { "/no/such/folder/out.prv.zst", "/no/such/folder/out.1.2.prv.zst" },
        { "out", "out.1.2.prv" },
        { "d.prv/out.txt", "d.prv/out.txt.1.2.prv" },
    };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *name = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(
            prvcut_output_sibling(&name, &prvcut_paraver_reader, names[i][0], "1.2", NULL, &err),
            PRVCUT_OK);
        ck_assert_str_eq(name, names[i][1]);
        free(name);
    }
}
END_TEST

static Suite *names_suite(void)
{
    Suite *s = suite_create("names");
    TCase *t = tcase_create("output");

    tcase_add_loop_test(t, test_name_output_follows_the_trace, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_test(t, test_name_output_refuses_unknown_compression);
    tcase_add_test(t, test_name_output_of_an_archive_is_a_folder);
    tcase_add_test(t, test_name_output_of_an_archive_is_never_compressed);
    tcase_add_test(t, test_name_sibling_stays_in_its_folder);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(names_suite());
}
