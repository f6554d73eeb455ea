#include "api/locate.h"

#include "runner.h"
#include "tests/base/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files and folders (ending in '/') of one test each, what is asked for, and what is found. */
static const struct {
    const char *made[6];
    const char *asked, *found; /* found NULL: an error that says: */
    const char *says;
} cases[] = {
    { { "app.prv" }, "app.prv", "app.prv", NULL },
    { { "log/", "log/eztrace.otf2", "log/eztrace.def", "log/eztrace/" },
      "log",
      "log/eztrace.otf2",
      NULL },
    { { "a_trace/", "a_trace/b/", "a_trace/b/t.otf2" }, "a_trace/", "a_trace/b/t.otf2", NULL },
    { { "traces.otf2", "traces/", "traces/0.evt" }, "traces", "traces.otf2", NULL },
    { { "traces.otf2", "traces/", "traces/0.evt" }, "traces/0.evt", "traces.otf2", NULL },
    { { "traces.otf2", "traces.def" }, "traces.def", "traces.otf2", NULL },
    { { "v.otf", "v.0.def", "v.1.events.z" }, "v.1.events.z", "v.otf", NULL },
    { { "v.otf", "v.0.def" }, "v.0.def", "v.otf", NULL },
    { { "v.otf", "v.0.def" }, "v", "v.otf", NULL },
    { { "x/", "x/a.prv", "x/b.prv.gz" }, "x", NULL, "holds 2 traces (a.prv, b.prv.gz)" },
    { { "x/", "x/a.otf2", "x/a.chop1.otf2" }, "x", "x/a.otf2", NULL },
    { { "x/", "x/notes.txt" }, "x", NULL, "is a folder without a trace" },
    { { "x/", "x/main.pallas", "x/archive_0/" }, "x", NULL, "is a Pallas trace" },
    { { "main.pallas" }, "main.pallas", NULL, "is a Pallas trace" },
    { { NULL }, "nothing.prv", "nothing.prv", NULL },
    { { NULL }, "nothing.def", "nothing.def", NULL },
};

static void make(const char *name)
{
    FILE *f;

    if (name[strlen(name) - 1] == '/') {
        ck_assert_int_eq(mkdir(name, 0777), 0);
        return;
    }
    f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
}

START_TEST(test_locate_trace_by_what_a_user_names)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *found = NULL;

    for (size_t i = 0; i < 6 && cases[_i].made[i]; i++)
        make(cases[_i].made[i]);
    if (cases[_i].found) {
        ck_assert_int_eq(prvcut_trace_locate(&found, cases[_i].asked, &err), PRVCUT_OK);
        ck_assert_str_eq(found, cases[_i].found);
    } else {
        /* Which of several is for the user to say. */
        ck_assert_int_eq(prvcut_trace_locate(&found, cases[_i].asked, &err),
                         strstr(cases[_i].says, "holds") ? PRVCUT_EUSAGE : PRVCUT_ENOTRACE);
        ck_assert_ptr_null(found);
        ck_assert_msg(strstr(err.text, cases[_i].says), "'%s'", err.text);
    }
    free(found);
}
END_TEST

START_TEST(test_locate_standard_input_is_left_alone)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *found = NULL;

    make("-.prv");
    ck_assert_int_eq(prvcut_trace_locate(&found, "-", &err), PRVCUT_OK);
    ck_assert_str_eq(found, "-");
    free(found);
}
END_TEST

static Suite *locate_suite(void)
{
    Suite *s = suite_create("locate");
    TCase *t = tcase_create("locate");

    scratch_fixtures(t);
    tcase_add_loop_test(t, test_locate_trace_by_what_a_user_names, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_test(t, test_locate_standard_input_is_left_alone);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(locate_suite());
}
