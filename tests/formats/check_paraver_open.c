/* What threads are in at a border, and the lines that began it: each rule by hand. */
#include "opening.h"

static void say(uint32_t thread, uint64_t time, const char *pairs)
{
    struct line l = line_of(thread, time, pairs);

    take(&l, NULL);
}

/* The values that a thread is in, outermost first, and the times of the lines that are kept. */
static void expect_open(uint32_t thread, const char *values, size_t lines)
{
    const struct prvcut_stack *s = &cutter.open.stack[thread];
    char have[256] = "";

    for (size_t i = 0; i < s->count; i++) {
        const size_t at = strlen(have);
        const struct prv_open_line *line = &cutter.open.line[s->at[i].note];

        snprintf(have + at, sizeof have - at, "%s%" PRId64, at > 0 ? " " : "", s->at[i].value);
        ck_assert_ptr_nonnull(line->text);
        ck_assert_uint_gt(line->used, 0);
    }
    ck_assert_str_eq(have, values);
    ck_assert_uint_eq(cutter.open.used, lines);
}

START_TEST(test_open_region_index_finds_types)
{
    for (unsigned r = 0; r < TYPES; r++)
        ck_assert_uint_eq(prv_region_index(&cutter.plan, types[r]), r);
    ck_assert_uint_eq(prv_region_index(&cutter.plan, OTHER), TYPES);
    ck_assert_uint_eq(prv_region_index(&cutter.plan, 0), TYPES);
}
END_TEST

START_TEST(test_open_ends_the_innermost_of_its_type)
{
    say(0, 10, "60000019:1");
    say(0, 20, "60000019:2");
    say(0, 30, "60000018:3");
    say(1, 30, "60000019:9");
    expect_open(0, "1 2 3", 4);
    say(0, 40, "60000019:0");
    expect_open(0, "1 3", 3);
    say(0, 50, "60000019:0");
    say(0, 60, "60000019:0");
    expect_open(0, "3", 2);
    expect_open(1, "9", 2);
    say(0, 70, "70000000:5");
    say(0, 80, "60000018:0");
    expect_open(0, "", 1);
}
END_TEST

/* One that lost its end gives way to the next. */
START_TEST(test_open_call_is_never_inside_itself)
{
    say(0, 10, "60000019:1");
    say(0, 20, "50000001:2");
    say(0, 30, "50000001:3");
    expect_open(0, "1 3", 2);
    say(0, 40, "50000001:0");
    expect_open(0, "1", 1);
}
END_TEST

/* Each of them keeps it; what begins and ends in one line keeps none. */
START_TEST(test_open_regions_of_one_line_share_it)
{
    say(0, 10, "60000019:1:70000000:8:60000018:2:60000019:3");
    expect_open(0, "1 2 3", 1);
    ck_assert_uint_eq(cutter.open.line[cutter.open.stack[0].at[1].note].used, 3);
    ck_assert(has_text(cutter.open.stack[0].at[1].note,
                       "2:1:1:1:1:10:60000019:1:70000000:8:60000018:2:60000019:3"));
    say(0, 20, "60000019:0:60000018:0");
    expect_open(0, "1", 1);
    say(0, 30, "60000018:5:60000018:0");
    expect_open(0, "1", 1);
    say(0, 40, "60000019:0:60000019:6");
    expect_open(0, "6", 1);
    say(0, 50, "60000019:0");
    expect_open(0, "", 0);
}
END_TEST

/* Places of lines that nobody needs any more are used again. */
START_TEST(test_open_lines_take_the_place_of_those_that_went)
{
    for (unsigned i = 0; i < 500; i++) {
        say(0, 10 * i, "60000019:1");
        say(1, 10 * i, "60000019:2");
        say(2, 10 * i + 3, "60000018:3:60000019:4");
        say(0, 10 * i + 5, "60000019:0");
        say(2, 10 * i + 5, "60000019:0:60000018:0");
        say(1, 10 * i + 6, "60000019:0");
    }
    ck_assert_uint_eq(cutter.open.used, 0);
    ck_assert_uint_le(cutter.open.lines, 4);
}
END_TEST

/* In a trace that is in order, what says to be earlier than the latest line on a type is not. */
START_TEST(test_open_latest_line_of_a_type_counts)
{
    say(0, 20, "60000019:1");
    say(0, 10, "60000019:2");
    say(0, 10, "60000018:3");
    say(0, 20, "60000019:4");
    expect_open(0, "1 3 4", 3);
    say(0, 19, "60000019:0");
    expect_open(0, "1 3 4", 3);
}
END_TEST

/* Where as many lines are kept as may be, what begins is counted, and so are its ends. */
START_TEST(test_open_keeps_so_many_lines)
{
    say(0, 10, "60000019:1");
    cutter.open.used += PRV_OPEN_LINES - 1;
    say(0, 20, "60000019:2:60000018:3");
    expect_open(0, "1", PRV_OPEN_LINES);
    say(0, 30, "60000018:0");
    say(0, 40, "60000019:0");
    expect_open(0, "1", PRV_OPEN_LINES);
    say(0, 50, "60000019:0");
    expect_open(0, "", PRV_OPEN_LINES - 1);
    /* Of one that is kept, all. */
    say(0, 60, "60000019:4:60000018:5");
    expect_open(0, "4 5", PRV_OPEN_LINES);
    cutter.open.used -= PRV_OPEN_LINES - 1;
}
END_TEST

/* --- Blocks before the window ----------------------------------------------------------------- */

/* What an earlier block opened is ended by what the snapshot has seen, not by the block. */
START_TEST(test_open_of_a_block_does_not_end_what_was_before)
{
    const struct prv_run one = { .row = prv_index_row(TYPES, 0, 2), .block = 1, .count = 1 };
    struct prv_open_only only = { .run = &one, .runs = 1 };
    struct line l[] = { line_of(0, 10, "60000019:1"), line_of(0, 20, "60000019:0"),
                        line_of(0, 30, "60000019:2:60000018:7"), line_of(0, 40, "60000019:3"),
                        line_of(1, 50, "60000019:4") };

    take(&l[0], NULL);
    only.order = cutter.order;
    for (size_t i = 1; i < 5; i++)
        take(&l[i], &only);
    expect_open(0, "1 2 3", 3);
    prv_open_only_end(&cutter, &only);
    /* The outermost so many of the block; nothing of the types and threads that are not told. */
    expect_open(0, "1 2", 2);
    expect_open(1, "", 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paraver_open");
    TCase *t = tcase_create("paraver_open");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_open_region_index_finds_types);
    tcase_add_test(t, test_open_ends_the_innermost_of_its_type);
    tcase_add_test(t, test_open_call_is_never_inside_itself);
    tcase_add_test(t, test_open_regions_of_one_line_share_it);
    tcase_add_test(t, test_open_lines_take_the_place_of_those_that_went);
    tcase_add_test(t, test_open_latest_line_of_a_type_counts);
    tcase_add_test(t, test_open_keeps_so_many_lines);
    tcase_add_test(t, test_open_of_a_block_does_not_end_what_was_before);
    suite_add_tcase(s, t);
    return run_suite(s);
}
