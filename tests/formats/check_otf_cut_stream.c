/* Lines of a stream on their way out: times and processes where they change, in order of time. */
#include "otf/cut_track.h"
#include "otf_archive.h"

#include "runner.h"

enum { PROCESSES = 3, LINES = 400 };

static struct otf_span span[PROCESSES];
static struct otf_cutter cutter;
static struct otf_stream_cut cut;
static struct otf_cut_track track[PROCESSES];
static struct archive folder;
static struct prvcut_error err;

static void setup(void)
{
    char path[256];

    memset(span, 0, sizeof span);
    err = (struct prvcut_error){ 0 };
    cutter = (struct otf_cutter){ .span = span };
    cut = (struct otf_stream_cut){ .cutter = &cutter };
    for (uint32_t i = 0; i < PROCESSES; i++)
        track[i] = (struct otf_cut_track){ .process = 0x1a + i, .thread = i };
    archive_make(&folder);
    snprintf(path, sizeof path, "%s/a.1.events", folder.folder);
    ck_assert_int_eq(otf_out_open(&cut.out, strdup(path), false, &err), PRVCUT_OK);
}

static void teardown(void)
{
    otf_out_close(&cut.out);
    prvcut_buffer_fini(&cut.late_text);
    free(cut.late);
    archive_remove(&folder);
}

static void put(uint32_t process, uint64_t tick, const char *text)
{
    otf_cut_put(&cut, &track[process], tick, text, strlen(text));
}

/* So little text has not gone to the file yet. */
static void expect(const char *text)
{
    ck_assert_int_eq(cut.out.st, PRVCUT_OK);
    ck_assert_uint_eq(cut.out.text.count, strlen(text));
    ck_assert_mem_eq(cut.out.text.at, text, strlen(text));
}

/* The process stands behind each new time, also where it is the same one; the first line has both,
   also at time 0. */
START_TEST(test_put_tells_times_and_processes_where_they_change)
{
    put(0, 0, "E1\n");
    put(0, 0, "E2\n");
    put(1, 0, "E3\n");
    put(1, 0x20, "L3\n");
    put(1, 0x21, "E4\n");
    put(0, 0x21, "L2\n");
    otf_cut_put_late(&cut);
    expect("0\n*1a\nE1\nE2\n*1b\nE3\n20\n*1b\nL3\n21\n*1b\nE4\n*1a\nL2\n");
}
END_TEST

/* Each process by its own shift, all back by the base, none below 0. */
START_TEST(test_put_moves_times)
{
    cutter.base = 0x100;
    span[1].shift = 5;
    put(0, 0xf0, "E1\n");
    put(0, 0x110, "E2\n");
    put(1, 0x110, "E3\n");
    expect("0\n*1a\nE1\n10\n*1a\nE2\n15\n*1b\nE3\n");
}
END_TEST

/* Where processes are shifted differently all waits for the end; what is of one time stays in its
   order, over several processes. */
START_TEST(test_put_late_is_in_order_of_time)
{
    cut.sorted = true;
    span[1].shift = 8;
    put(0, 0x10, "E1\n");
    put(1, 0x09, "E2\n");
    put(1, 0x08, "E3\n");
    put(0, 0x11, "L1\n");
    put(1, 0x08, "L3\n");
    put(0, 0x10, "E4\n");
    ck_assert_uint_eq(cut.out.text.count, 0);
    otf_cut_put_late(&cut);
    expect("10\n*1a\nE1\n*1b\nE3\nL3\n*1a\nE4\n11\n*1b\nE2\n*1a\nL1\n");
}
END_TEST

/* As many lines as no first room holds: none is lost, none changes places with one of its time. */
START_TEST(test_put_late_keeps_all_lines)
{
    unsigned long number, last = 0;
    char line[32], *at;
    size_t lines = 0;
    uint64_t time = 0, now;

    srand((unsigned)_i + 1);
    cut.sorted = true;
    for (unsigned i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, "E%u\n", i + 1);
        put((uint32_t)rand() % PROCESSES, (uint64_t)rand() % 20, line);
    }
    otf_cut_put_late(&cut);
    ck_assert_int_eq(prvcut_buffer_append(&cut.out.text, "", 1, &err), PRVCUT_OK);
    for (at = strtok(cut.out.text.at, "\n"); at; at = strtok(NULL, "\n")) {
        if (*at == '*')
            continue;
        if (*at != 'E') {
            now = strtoull(at, NULL, 16);
            ck_assert(lines == 0 || now > time);
            time = now;
            last = 0;
            continue;
        }
        number = strtoul(at + 1, NULL, 10);
        ck_assert_uint_gt(number, last);
        last = number;
        lines++;
    }
    ck_assert_uint_eq(lines, LINES);
}
END_TEST

/* What could not be written before is not gone on with. */
START_TEST(test_put_stops_where_something_failed)
{
    cut.sorted = _i == 1;
    put(0, 1, "E1\n");
    cut.out.st = PRVCUT_EIO;
    put(0, 2, "E2\n");
    otf_cut_put_late(&cut);
    ck_assert_int_eq(cut.out.st, PRVCUT_EIO);
    ck_assert_uint_eq(cut.lates, _i == 1);
    ck_assert_uint_eq(cut.out.text.count, _i == 1 ? 0 : strlen("1\n*1a\nE1\n"));
}
END_TEST

static Suite *otf_cut_stream_suite(void)
{
    Suite *s = suite_create("otf_cut_stream");
    TCase *t = tcase_create("put");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_put_tells_times_and_processes_where_they_change);
    tcase_add_test(t, test_put_moves_times);
    tcase_add_test(t, test_put_late_is_in_order_of_time);
    tcase_add_loop_test(t, test_put_late_keeps_all_lines, 0, 5);
    tcase_add_loop_test(t, test_put_stops_where_something_failed, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(otf_cut_stream_suite());
}
