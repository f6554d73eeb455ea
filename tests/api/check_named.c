/* OTF2 and OTF traces are told in their own names; clocks are judged over the whole run. */
#include "prvcut/convert.h"
#include "prvcut/inspect.h"
#include "prvcut/cut.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct prvcut_run run = { .threads = 2, .columns = 500 };
static struct prvcut_error error;

static char *info(const char *path, enum prvcut_form form, bool raw)
{
    const struct prvcut_open_options options = { .raw_clocks = raw };
    struct prvcut_trace *t;
    char *text = NULL;

    ck_assert_msg(prvcut_trace_open(&t, path, &options, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_info(t, &run, form, &text, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(t);
    return text;
}

/* Eight digits in a row, as Paraver's event types have: "50000001". */
static bool has_type_number(const char *text)
{
    for (size_t digits = 0; *text; text++) {
        digits = isdigit((unsigned char)*text) ? digits + 1 : 0;
        if (digits == 8 && !isdigit((unsigned char)text[1]) && text[-7] >= '4' && text[-7] <= '8' &&
            text[-6] == '0')
            return true;
    }
    return false;
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;

    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

/* Archives of one format. */
static FILE *list(const char *format)
{
    char command[4096];
    FILE *names;

    snprintf(command, sizeof command, "ls '%s/%s'/*.tar.zst", traces_folder(), format);
    names = popen(command, "r");
    ck_assert_ptr_nonnull(names);
    return names;
}

START_TEST(test_info_of_archives_has_no_number_of_paraver)
{
    static const char *const formats[] = { "otf2", "otf" };
    char path[4096];
    FILE *names;
    unsigned read = 0;
    int number = 0;

    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return;
    }
    if (!test_reads(formats[_i]))
        return;
    names = list(formats[_i]);
    while (fgets(path, sizeof path, names)) {
        char *text;

        path[strcspn(path, "\n")] = '\0';
        if (!traces_turn(number++))
            continue;
        text = info(path, PRVCUT_FULL_TEXT, false);
        ck_assert_msg(!has_type_number(text), "%s: %s", path, text);
        ck_assert_ptr_nonnull(strstr(text, "\nFunction "));
        free(text);
        text = info(path, PRVCUT_TEXT, false);
        ck_assert_msg(!has_type_number(text) && lines_of(text) <= 10, "%s: %s", path, text);
        /* Not what every run's files are called. */
        ck_assert_msg(strncmp(text, "eztrace_log", 11) != 0 && strncmp(text, "traces.", 7) != 0,
                      "%s: %s", path, text);
        free(text);
        read++;
    }
    pclose(names);
    ck_assert_uint_gt(read, 0);
}
END_TEST

static json_t *clocks_of(const char *path, bool raw)
{
    char *text = info(path, PRVCUT_JSON, raw);
    json_t *all = json_loads(text, 0, NULL), *clocks = json_incref(json_object_get(all, "clocks"));

    free(text);
    json_decref(all);
    ck_assert_ptr_nonnull(clocks);
    return clocks;
}

static long long clock_number(const json_t *clocks, const char *name)
{
    return (long long)json_integer_value(json_object_get(clocks, name));
}

/* Reference: every message and collective of the trace, compared by another program. */
START_TEST(test_info_counts_contradictions_of_the_whole_run)
{
    char path[4096];
    json_t *clocks;

    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return;
    }
    if (!test_reads("otf2"))
        return;
    snprintf(path, sizeof path, "%s/otf2/lu.S.4.tar.zst", traces_folder());
    clocks = clocks_of(path, true);
    ck_assert_int_ge(clock_number(clocks, "contradictions"), 2249);
    ck_assert_int_le(clock_number(clocks, "contradictions"), 2341);
    ck_assert_int_eq(clock_number(clocks, "worst_ns"), 24456645);
    json_decref(clocks);
    clocks = clocks_of(path, false);
    ck_assert_int_eq(clock_number(clocks, "contradictions"), 0);
    ck_assert_int_gt(clock_number(clocks, "checked"), 4500);
    json_decref(clocks);
}
END_TEST

/* Clocks that agree at the start and drift: what one offset a process cannot undo is told. */
START_TEST(test_info_tells_of_clocks_that_drift)
{
    char path[4096], *text;
    json_t *clocks;

    if (traces_folder())
        snprintf(path, sizeof path, "%s/../analyses/waits-data/lu.S.4.drift.tar.zst",
                 traces_folder());
    if (!traces_folder() || access(path, R_OK) != 0) {
        test_leaves_out("no trace with clocks that drift");
        return;
    }
    if (!test_reads("otf2"))
        return;
    clocks = clocks_of(path, false);
    ck_assert_int_gt(clock_number(clocks, "contradictions"), 900);
    ck_assert_int_lt(clock_number(clocks, "contradictions"), 950);
    ck_assert_int_eq(clock_number(clocks, "worst_ns"), 116470);
    json_decref(clocks);
    text = info(path, PRVCUT_TEXT, false);
    ck_assert_ptr_nonnull(strstr(text, " messages and collectives contradict the clocks, by up to "
                                       "116us\n"));
    free(text);
}
END_TEST

static long long worst_of_cut(const char *path, bool own, const char *to)
{
    const struct prvcut_cut_options options = { .path = to, .own_clocks = own, .force = true };
    const struct prvcut_span window = { 600000000, 900000000 };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_trace *t;
    json_t *clocks;
    long long worst;

    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_cut(t, &run, &window, &options, &sum, &error) == PRVCUT_OK, "%s",
                  error.text);
    ck_assert_uint_eq(sum->notes, 1);
    ck_assert_ptr_nonnull(strstr(sum->note[0], "clocks of the ranks "));
    ck_assert(own == !strstr(sum->note[0], "--own-clocks"));
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(t);
    clocks = clocks_of(to, true);
    worst = clock_number(clocks, "worst_ns");
    json_decref(clocks);
    return worst;
}

/* A cut has the clocks brought together, as far as they can be, unless it is told otherwise. */
START_TEST(test_cut_brings_drifting_clocks_together)
{
    char path[4096], folder[] = "/tmp/prvcut-named.XXXXXX", to[100];
    long long together, own;

    if (traces_folder())
        snprintf(path, sizeof path, "%s/../analyses/waits-data/lu.S.4.drift.tar.zst",
                 traces_folder());
    if (!traces_folder() || access(path, R_OK) != 0) {
        test_leaves_out("no trace with clocks that drift");
        return;
    }
    if (!test_reads("otf2"))
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(to, sizeof to, "%s/cut.otf2", folder);
    together = worst_of_cut(path, false, to);
    own = worst_of_cut(path, true, to);
    ck_assert(traces_shell("rm -rf '%s'", folder));
    ck_assert_int_gt(own, 1000000);
    ck_assert_int_lt(together, 120000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("named");
    TCase *tests = tcase_create("named");

    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, test_info_of_archives_has_no_number_of_paraver, 0, 2);
    tcase_add_test(tests, test_info_counts_contradictions_of_the_whole_run);
    tcase_add_test(tests, test_info_tells_of_clocks_that_drift);
    tcase_add_test(tests, test_cut_brings_drifting_clocks_together);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
