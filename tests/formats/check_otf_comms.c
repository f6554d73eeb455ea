#include "otf/otf.h"

#include "otf_archive.h"
#include "runner.h"

#define DEFINITIONS                                                                                \
    "DV1.c.5\"salmon\"\nDTR3b9aca00\nDP1NM\"rank 0\"\nDP2NM\"rank 1\"\nDP3NM\"rank 2\"\n"          \
    "DFG1NM\"MPI\"\nDF1G1NM\"MPI_Send\"\n"

static struct archive a;
static char *text[4];
static size_t size[4];
static FILE *stream[4]; /* by process */
static unsigned length; /* of messages */
static bool lengths;    /* what is expected of any_length */

static void setup(void)
{
    archive_make(&a);
    length = 16;
    lengths = false;
    for (unsigned p = 1; p <= 3; p++) {
        stream[p] = open_memstream(&text[p], &size[p]);
        fprintf(stream[p], "64\n*%x\nPB\n", p);
    }
}

static void teardown(void)
{
    archive_remove(&a);
}

static void message(char end, unsigned process, unsigned peer, unsigned tag, unsigned comm)
{
    fprintf(stream[process], "%c%xL%xT%xC%x\n", end, peer, length, tag, comm);
}

/* `count` messages; their ends name these communicators. */
static void messages(unsigned count, unsigned from, unsigned to, unsigned sent, unsigned received)
{
    for (unsigned k = 0; k < count; k++) {
        message('S', from, to, 7, sent);
        message('R', to, from, 7, received);
    }
}

/* What is found, once when it is opened and once more. */
static void expect_any(bool want)
{
    struct prvcut_error err = { 0 };
    struct otf_trace *t;

    archive_text(&a, "a.otf", "1:1\n2:2\n3:3\n");
    archive_text(&a, "a.0.def", DEFINITIONS);
    for (unsigned p = 1; p <= 3; p++) {
        char name[32];

        fprintf(stream[p], "c8\nPE\n");
        ck_assert_int_eq(fclose(stream[p]), 0);
        snprintf(name, sizeof name, "a.%x.events", p);
        archive_put(&a, name, text[p], size[p]);
        free(text[p]);
    }
    t = (struct otf_trace *)open_otf(a.path, NULL, &err);
    ck_assert_msg(t != NULL, "%s", err.text);
    ck_assert_int_eq(t->any_comm, want);
    ck_assert_int_eq(t->any_length, lengths);
    t->any_comm = !want;
    ck_assert_int_eq(otf_comms_find(t, &err), PRVCUT_OK);
    ck_assert_int_eq(t->any_comm, want);
    otf_close(&t->base);
}

/* 4097 channels in place of one, but not more. */
START_TEST(test_comms_lengths_tell_apart_where_they_are_few)
{
    for (int k = 0; k < 4097 + _i; k++) {
        length = (unsigned)k;
        messages(1, 1, 2, 1, 1);
    }
    lengths = _i > 0;
    expect_any(false);
}
END_TEST

/* One in 64 ends may lack its like for the length, here two of 128, but not four. */
START_TEST(test_comms_lengths_tell_nothing_where_ends_differ)
{
    messages(63 - (unsigned)_i, 1, 2, 1, 1);
    for (int k = 0; k <= _i; k++) {
        length = 16;
        message('S', 1, 2, 7, 1);
        length = 32;
        message('R', 2, 1, 7, 1);
    }
    lengths = _i > 0;
    expect_any(false);
}
END_TEST

START_TEST(test_comms_count_where_there_are_no_messages)
{
    expect_any(false);
}
END_TEST

START_TEST(test_comms_count_where_both_ends_name_the_same)
{
    messages(10, 1, 2, 1, 1);
    messages(10, 2, 3, 2, 2);
    expect_any(false);
}
END_TEST

START_TEST(test_comms_do_not_count_where_ends_differ)
{
    messages(10, 1, 2, 2, 1);
    expect_any(true);
}
END_TEST

/* It takes more than one end of twenty: 10 of 190 here, or of 210. */
START_TEST(test_comms_count_where_few_ends_differ)
{
    messages(_i ? 100 : 90, 1, 2, 1, 1);
    messages(5, 2, 3, 2, 1);
    expect_any(_i == 0);
}
END_TEST

/* Sends that were never received are alone with and without a communicator. */
START_TEST(test_comms_count_where_ends_are_missing)
{
    for (unsigned k = 0; k < 10; k++)
        message('S', 1, 2, 7, 1);
    expect_any(false);
}
END_TEST

/* More must be alone for their communicators than are alone without. */
START_TEST(test_comms_count_where_more_ends_are_missing_than_differ)
{
    messages(5, 1, 2, 2, 1);
    for (int k = 0; k < _i; k++)
        message('S', 2, 3, 7, 1);
    expect_any(_i < 10);
}
END_TEST

/* The other tag, direction or partner is another channel, whatever the communicator. */
START_TEST(test_comms_compare_ends_of_one_channel)
{
    for (unsigned k = 0; k < 10; k++) {
        message('S', 1, 2, 7, 1);
        message('R', 2, 1, 8, 1);
        message('R', 3, 1, 7, 1);
        message('S', 2, 1, 7, 2);
    }
    expect_any(false);
}
END_TEST

/* Both communicators have both ends, but no tag has. */
START_TEST(test_comms_compare_ends_of_one_tag)
{
    for (unsigned k = 0; k < 10; k++) {
        message('S', 1, 2, 7, 1);
        message('R', 2, 1, 7, 2);
        message('S', 1, 2, 8, 2);
        message('R', 2, 1, 8, 1);
    }
    expect_any(true);
}
END_TEST

/* The other end of a process that has no stream is not looked at. */
START_TEST(test_comms_pass_over_who_does_not_record)
{
    messages(3, 1, 2, 1, 1);
    for (unsigned k = 0; k < 10; k++) {
        message('S', 1, 9, 7, 1);
        message('R', 2, 0, 7, 2);
    }
    expect_any(false);
}
END_TEST

static Suite *comms_suite(void)
{
    Suite *s = suite_create("otf_comms");
    TCase *t = tcase_create("comms");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_comms_count_where_there_are_no_messages);
    tcase_add_loop_test(t, test_comms_lengths_tell_apart_where_they_are_few, 0, 2);
    tcase_add_loop_test(t, test_comms_lengths_tell_nothing_where_ends_differ, 0, 2);
    tcase_add_test(t, test_comms_count_where_both_ends_name_the_same);
    tcase_add_test(t, test_comms_do_not_count_where_ends_differ);
    tcase_add_loop_test(t, test_comms_count_where_few_ends_differ, 0, 2);
    tcase_add_test(t, test_comms_count_where_ends_are_missing);
    tcase_add_loop_test(t, test_comms_count_where_more_ends_are_missing_than_differ, 9, 11);
    tcase_add_test(t, test_comms_compare_ends_of_one_channel);
    tcase_add_test(t, test_comms_compare_ends_of_one_tag);
    tcase_add_test(t, test_comms_pass_over_who_does_not_record);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(comms_suite());
}
