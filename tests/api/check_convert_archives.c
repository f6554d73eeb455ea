#include "prvcut/convert.h"
#include "prvcut/inspect.h"

#include "tests/base/scratch.h"

#include "built.h"
#include "runner.h"

/* Three ranks, a broadcast from rank 2 and one from rank 0, a reduction to rank 1, a barrier. */
#define HEADER "#Paraver (01/01/2024 at 00:00):1000_ns:1(3):1:3(1:1,1:1,1:1),1\nc:1:1:3:1:2:3\n"
#define CALL(rank, begin, value, root)                                                             \
    "2:" #rank ":1:" #rank ":1:" #begin ":50000002:" #value ":50100001:8:50100002:8" root          \
    ":50100004:1\n2:" #rank ":1:" #rank ":1:" #begin "9:50000002:0\n"
#define AT_ROOT ":50100003:1"
#define TRACE                                                                                      \
    HEADER CALL(1, 10, 7, "") CALL(2, 10, 7, "") CALL(3, 10, 7, AT_ROOT) CALL(1, 20, 8, "")        \
        CALL(2, 20, 8, "") CALL(3, 20, 8, "") CALL(1, 30, 7, AT_ROOT) CALL(2, 30, 7, "")           \
            CALL(3, 30, 7, "") CALL(1, 40, 9, "") CALL(2, 40, 9, AT_ROOT) CALL(3, 40, 9, "")
#define ROW "LEVEL NODE SIZE 1\nn\n\nLEVEL THREAD SIZE 3\nTHREAD 1.1.1\nthe second\nTHREAD 1.3.1\n"

static void convert(const char *from, struct prvcut_convert_options o, bool lenient)
{
    const struct prvcut_open_options open = { .lenient = lenient };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, from, &open, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_convert(t, &run, &o, &sum, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

static void expect_sound(const char *path)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_msg(prvcut_check(path, &run, NULL, PRVCUT_FULL_TEXT, &text, &err) == PRVCUT_OK,
                  "%s: %s%s", path, err.text, text ? text : "");
    free(text);
}

static void put_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static void write_trace(void)
{
    put_text("t.prv", TRACE);
    put_text("t.row", ROW);
}

static void shell(const char *command)
{
    ck_assert_msg(system(command) == 0, "%s", command);
}

START_TEST(test_convert_over_otf2_keeps_row_names)
{
    if (!test_writes("otf2"))
        return;
    write_trace();
    convert("t.prv", (struct prvcut_convert_options){ .path = "a.otf2" }, false);
    convert("a.otf2", (struct prvcut_convert_options){ .path = "back.prv" }, false);
    shell("cmp t.row back.row");
    shell("otf2-print -G a.otf2 | grep -q '^LOCATION .*\"THREAD 1.3.1\"'");
    shell("otf2-print -G a.otf2 | grep -q '^LOCATION .*\"the second\"'");
}
END_TEST

/* Scalasca knows MPI's regions by their source file. */
START_TEST(test_convert_to_otf2_names_the_file_of_mpi)
{
    if (!test_writes("otf2"))
        return;
    write_trace();
    convert("t.prv", (struct prvcut_convert_options){ .path = "a.otf2" }, false);
    shell(
        "test 3 = $(otf2-print -G a.otf2 | grep -c '^REGION .*Paradigm: \"MPI\".*File: \"MPI\"')");
}
END_TEST

/* Ranks in the order of the calls; a barrier has no root. */
START_TEST(test_convert_tells_the_root_at_every_member)
{
    if (!test_writes("otf2"))
        return;
    write_trace();
    convert("t.prv", (struct prvcut_convert_options){ .path = "a.otf2" }, false);
    for (unsigned rank = 0; rank < 3; rank++) {
        char command[256];

        snprintf(command, sizeof command,
                 "test '2 NONE 0 1 ' = \"$(otf2-print -L %u a.otf2 | sed -n "
                 "'s/.*_END.*Root: \\([^ ,]*\\).*/\\1/p' | tr '\\n' ' ')\"",
                 rank);
        shell(command);
    }
    /* Some of the ranks: the root is told by its new number, or not at all where it is left out. */
    convert("t.prv", (struct prvcut_convert_options){ .path = "b.otf2", .tasks = "2-3" }, false);
    shell("test '1 NONE NONE 0 ' = \"$(otf2-print -L 0 b.otf2 | sed -n "
          "'s/.*_END.*Root: \\([^ ,]*\\).*/\\1/p' | tr '\\n' ' ')\"");
    convert("t.prv",
            (struct prvcut_convert_options){
                .path = "c.otf",
            },
            false);
    for (unsigned process = 1; process <= 3; process++) {
        char command[256];

        snprintf(command, sizeof command,
                 "test '3 0 1 2 ' = \"$(sed -n 's/^COPB.*RT\\([0-9a-f]*\\)S.*/\\1/p' "
                 "c.%u.events | tr '\\n' ' ')\"",
                 process);
        shell(command);
    }
}
END_TEST

/* A window that begins in the barrier counts from the run's start, and begins with it. */
START_TEST(test_convert_window_tells_the_right_roots)
{
    if (!test_writes("otf2"))
        return;
    write_trace();
    convert("t.prv", (struct prvcut_convert_options){ .path = "a.otf2", .only = { 25, 1000 } },
            false);
    shell("test 'NONE 0 1 ' = \"$(otf2-print -L 1 a.otf2 | sed -n "
          "'s/.*_END.*Root: \\([^ ,]*\\).*/\\1/p' | tr '\\n' ' ')\"");
}
END_TEST

/* Paths and names are told in an archive: each in a folder of its own. */
START_TEST(test_convert_to_otf2_is_the_same_bit_for_bit)
{
    if (!test_writes("otf2"))
        return;
    write_trace();
    ck_assert_int_eq(mkdir("x", 0755) | mkdir("y", 0755), 0);
    convert("t.prv", (struct prvcut_convert_options){ .path = "x/a.otf2" }, false);
    convert("t.prv", (struct prvcut_convert_options){ .path = "y/a.otf2" }, false);
    shell("diff -r x y");
    /* Other content, another identifier. */
    shell("sed -i 's/:50100001:8:/:50100001:9:/' t.prv");
    convert("t.prv", (struct prvcut_convert_options){ .path = "y/a.otf2", .force = true }, false);
    shell("! cmp -s x/a.otf2 y/a.otf2");
}
END_TEST

/* What is left while a collective inside goes on: both are closed, and the archive is sound. */
START_TEST(test_convert_crossed_collective_is_sound)
{
    const char *const out[] = { "a.otf2", "a.otf" };

    put_text("t.prv", HEADER "2:1:1:1:1:10:60000019:1\n"
                             "2:1:1:1:1:20:50000002:10:50100001:8:50100002:8:50100004:1\n"
                             "2:1:1:1:1:30:60000019:0\n2:1:1:1:1:40:50000002:0\n");
    put_text("t.pcf", "EVENT_TYPE\n9 60000019 User function\nVALUES\n0 End\n1 main\n");
    for (size_t i = 0; i < 2; i++) {
        if (!test_writes(strchr(out[i], '.') + 1))
            continue;
        convert("t.prv", (struct prvcut_convert_options){ .path = out[i] }, false);
        expect_sound(out[i]);
    }
}
END_TEST

static Suite *convert_archives_suite(void)
{
    Suite *suite = suite_create("convert_archives");
    TCase *tests = tcase_create("convert_archives");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_convert_over_otf2_keeps_row_names);
    tcase_add_test(tests, test_convert_to_otf2_names_the_file_of_mpi);
    tcase_add_test(tests, test_convert_tells_the_root_at_every_member);
    tcase_add_test(tests, test_convert_window_tells_the_right_roots);
    tcase_add_test(tests, test_convert_to_otf2_is_the_same_bit_for_bit);
    tcase_add_test(tests, test_convert_crossed_collective_is_sound);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(convert_archives_suite());
}
