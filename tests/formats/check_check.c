#include "paraver/check.h"

#include "base/buffer.h"
#include "base/output.h"
#include "runner.h"
#include "tests/base/scratch.h"

#include <inttypes.h>

static struct prvcut_error error;
static struct prv_check_result result;

#define HEAD                                                                                       \
    "#Paraver (20/11/2026 at 11:44):100_ns:2(2,1):1:3(1:1,1:1,1:2),1\n"                            \
    "c:1:1:3:1:2:3\n"
/* The last state ends with the trace. */
#define TAIL "1:1:1:1:1:90:100:1\n"

static const char pcf[] = "STATES\n1 Running\n13 Group Communication\n"
                          "EVENT_TYPE\n9 50000001 MPI Point-to-point\n"
                          "9 50000002 MPI Collective Comm\n9 7 My region\n"
                          "VALUES\n0 End\n1 One\n2 Two\n"
                          "EVENT_TYPE\n9 8 My number\n";
static const char row[] = "LEVEL CPU SIZE 3\n1.a\n2.a\n3.b\n\nLEVEL NODE SIZE 2\na\nb\n\n"
                          "LEVEL THREAD SIZE 3\nTHREAD 1.1.1\nTHREAD 1.2.1\nTHREAD 1.3.1\n";

static enum prvcut_status check_files(const char *prv, const char *labels, const char *names)
{
    scratch_write("x.prv", prv, strlen(prv));
    if (labels)
        scratch_write("x.pcf", labels, strlen(labels));
    if (names)
        scratch_write("x.row", names, strlen(names));
    memset(&error, 0, sizeof error);
    return prv_check(&result, "x.prv", NULL, NULL, &error);
}

/* Exactly the findings of the list, "name:count:line", separated by blanks, nothing else. */
static void assert_findings(const char *wanted)
{
    char found[2048] = "";
    bool damaged = false;

    for (int k = 0; k < PRV_FINDINGS; k++) {
        const struct prvcut_finding *f = &result.finding[k];
        size_t used = strlen(found);

        if (f->count == 0) {
            ck_assert_uint_eq(f->lines, 0);
            continue;
        }
        damaged = damaged || prv_finding_infos[k].damage;
        ck_assert_msg(f->example[0] != '\0', "%s has no example", prv_finding_infos[k].name);
        snprintf(found + used, sizeof found - used, "%s%s:%" PRIu64 ":%" PRIu64, used ? " " : "",
                 prv_finding_infos[k].name, f->count, f->line[0]);
    }
    ck_assert_str_eq(found, wanted);
    ck_assert(result.damaged == damaged);
}

static const char sound[] = HEAD "1:1:1:1:1:0:10:1\n"
                                 "# a comment\n"
                                 "1:2:1:2:1:0:40:1\n"
                                 "1:1:1:1:1:10:20:13\n"
                                 "2:1:1:1:1:10:50000002:1:8:-5\n"
                                 "2:1:1:1:1:20:50000002:0\n"
                                 "2:3:1:3:1:20:7:1:8:9223372036854775807\n"
                                 "2:0:1:3:1:25:7:2\n"
                                 "2:3:1:3:1:30:7:0\n"
                                 "2:3:1:3:1:31:7:0\n"
                                 "3:1:1:1:1:21:33:3:1:3:1:20:25:100:-1\n"
                                 "1:2:1:2:1:40:60:1\n" TAIL;

START_TEST(test_check_sound_trace_finds_nothing)
{
    ck_assert_int_eq(check_files(sound, pcf, row), PRVCUT_OK);
    assert_findings("");
    ck_assert_uint_eq(result.counts.states, 5);
    ck_assert_uint_eq(result.counts.events, 6);
    ck_assert_uint_eq(result.counts.pairs, 8);
    ck_assert_uint_eq(result.counts.messages, 1);
    ck_assert_uint_eq(result.counts.comments, 1);
    ck_assert_uint_eq(result.counts.lines, 15);
    ck_assert_uint_eq(result.counts.bytes, strlen(sound));
    ck_assert_uint_eq(result.counts.first_ns, 0);
    ck_assert_uint_eq(result.counts.last_ns, 100);
}
END_TEST

/* One fault each, and what it must be called; the body begins on line 3. */
static const struct {
    const char *body, *findings;
} faults[] = {
    { "1:1:1:1:1:0:10:1\n1:1:1:1:1:5:20:1\n" TAIL, "state-overlap:1:4" },
    { "1:1:1:1:1:0:10:1\n1:2:1:2:1:5:20:1\n" TAIL, "" },
    { "1:1:1:1:1:20:10:1\n" TAIL, "state-backward:1:3" },
    { "1:1:1:1:1:20:20:1\n" TAIL, "state-empty:1:3" },
    { "1:1:1:1:1:20:-1:1\n" TAIL, "state-unfinished:1:3" },
    { "1:1:1:1:1:-5:10:1\n" TAIL, "time-negative:1:3" },
    { "1:1:1:1:1:5:101:1\n", "time-beyond-end:1:3" },
    { "1:1:1:1:1:5:10:1\n", "duration:1:1" },
    { "", "no-records:1:2" },
    { "# only a comment\n", "no-records:1:3" },
    { "2:1:1:1:1:20:8:1\n2:1:1:1:1:19:8:1\n2:1:1:1:1:20:8:1\n" TAIL, "order:1:4" },
    { "1:1:1:1:1:20:30:1\n1:2:1:2:1:19:30:1\n" TAIL, "order:1:4" },
    { "2:1:1:1:1:20:8:1\n3:1:1:1:1:10:19:2:1:2:1:20:25:1:1\n" TAIL, "order:1:4" },
    { "2:1:1:1:1:20:50000001:0\n" TAIL, "call-not-open:1:3" },
    { "2:1:1:1:1:20:50000001:1\n2:1:1:1:1:30:50000001:2\n2:1:1:1:1:40:50000001:0\n" TAIL,
      "call-reopened:1:4" },
    { "2:1:1:1:1:20:50000001:1\n" TAIL, "call-unfinished:1:3" },
    { "2:1:1:1:1:20:50000001:1\n2:2:1:2:1:20:50000001:1\n2:1:1:1:1:30:50000001:0\n" TAIL,
      "call-unfinished:1:4" },
    { "2:1:1:1:1:20:7:0\n" TAIL, "region-not-open:1:3" },
    { "2:1:1:1:1:20:7:1\n" TAIL, "region-unfinished:1:3" },
    { "2:1:1:4:1:20:8:1\n" TAIL, "object:1:3" },
    { "2:1:1:0:1:20:8:1\n" TAIL, "object:1:3" },
    { "2:1:2:1:1:20:8:1\n" TAIL, "object:1:3" },
    { "2:1:1:1:2:20:8:1\n" TAIL, "object:1:3" },
    { "2:1:1:1000000000:1:20:8:1\n" TAIL, "object:1:3" },
    { "2:1:1:4294967297:1:20:8:1\n" TAIL, "object:1:3" },
    { "2:4:1:1:1:20:8:1\n" TAIL, "cpu:1:3" },
    { "2:-1:1:1:1:20:8:1\n" TAIL, "cpu:1:3" },
    { "3:1:1:1:1:10:19:2:1:9:1:20:25:1:1\n" TAIL, "object:1:3" },
    { "3:1:1:1:1:10:19:2:1:2:1:20:101:1:1\n" TAIL, "message-half:1:3" },
    { "3:1:1:1:1:10:19:2:1:2:1:-1:25:1:1\n" TAIL, "time-negative:1:3" },
    { "3:1:1:1:1:20:19:2:1:2:1:20:25:1:1\n" TAIL, "message-logical:1:3" },
    { "3:1:1:1:1:10:19:2:1:2:1:26:25:1:1\n" TAIL, "message-logical:1:3" },
    { "3:1:1:1:1:10:19:2:1:2:1:2:5:1:1\n" TAIL, "message-backward:1:3" },
    { "3:1:1:1:1:10:19:2:1:2:1:12:18:1:1\n" TAIL, "" },
    { "3:1:1:1:1:10:19:2:1:2:1:20:25:1\n" TAIL, "malformed:1:3" },
    { "1:1:1:1:1:20\n" TAIL, "malformed:1:3" },
    { "1:1:1:1:1:20:30:x\n" TAIL, "malformed:1:3" },
    { "1:1:1:1:1:20:+30:1\n" TAIL, "number-form:1:3" },
    { "1:1:1:1:1:20: 30:1\n" TAIL, "number-form:1:3" },
    { "1:1:1:1:1:20:3.0:1\n" TAIL, "malformed:1:3" },
    { "2:1:1:1:1:20\n" TAIL, "malformed:1:3" },
    { "2:1:1:1:1:20:8\n" TAIL, "malformed:1:3" },
    { "2:1:1:1:1:20:8:1:8\n" TAIL, "malformed:1:3" },
    { "2:1:1:1:1:20:8:1:\n" TAIL, "" },
    { "1:1:1:1:1:20:30:1:7\n" TAIL, "extra-fields:1:3" },
    { "2:1:1:1:1:20:8:9223372036854775808\n" TAIL, "value-unsigned:1:3" },
    { "2:1:1:1:1:20:8:18446744073709551616\n" TAIL, "number-range:1:3" },
    { "2:1:1:1:1:20:8:-9223372036854775808\n" TAIL, "" },
    { "2:1:1:1:1:99999999999999999999999:8:1\n" TAIL, "number-range:1:3" },
    { "2:1:1:1:1:20:4294967296:1\n" TAIL, "number-range:1:3" },
    { "1:1:1:1:1:20:30:2147483648\n" TAIL, "number-range:1:3" },
    { "5:1:1:1:1:20:30:1\n" TAIL, "unknown-record:1:3" },
    { " 1:1:1:1:1:20:30:1\n" TAIL, "unknown-record:1:3" },
    { "11:1:1:1:1:20:30:1\n" TAIL, "unknown-record:1:3" },
    { "\x01\xff\n" TAIL, "unknown-record:1:3" },
    { "4:1:1:1:1:20:30:1\n" TAIL, "reserved-record:1:3" },
    { TAIL "c:1:2:1:1\n", "communicator-late:1:4" },
    { "\n\n" TAIL, "" },
    { "1:1:1:1:1:20:30:1\r\n" TAIL, "crlf:1:3" },
    { "1:1:1:1:1:90:100:1", "last-line:1:3" },
    { "2:1:1:1:1:20:99:1:99:1\n2:1:1:1:1:21:99:1:98:1\n" TAIL, "type-unlabelled:2:3" },
    { "1:1:1:1:1:20:30:99\n1:1:1:1:1:30:40:99\n" TAIL, "state-unlabelled:1:3" },
};

START_TEST(test_check_fault_is_found_and_nothing_else)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s", HEAD, faults[_i].body);
    ck_assert_msg(check_files(text, pcf, row) == PRVCUT_OK, "%s", error.text);
    assert_findings(faults[_i].findings);
}
END_TEST

static const struct {
    const char *header, *findings;
} headers[] = {
    { "#Paraver (x):100_ns:1(1):1:1(1:1),1\n", "communicator-count:1:1" },
    { "#Paraver (x):100_ns:1(1):1:1(1:1),1\nc:1:1:1:1\nc:1:2:1:1\n", "communicator-count:1:1" },
    { "#Paraver (x):100_ns:1(1):1:1(1:1)\nc:1:1:1:1\n", "communicator-uncounted:1:1" },
    { "#Paraver (x):100_ns:0:1:1(1:0)\n", "cpu:1:2" },
    { "#Paraver (x):100_ns:1(1):1:1(1:1)\r\n", "crlf:1:1" },
};

START_TEST(test_check_header_fault_is_found)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s", headers[_i].header, TAIL);
    ck_assert_int_eq(check_files(text, pcf, NULL), PRVCUT_OK);
    result.finding[PRV_FIND_ROW_MISSING] = (struct prvcut_finding){ 0 };
    assert_findings(headers[_i].findings);
}
END_TEST

static const struct {
    const char *pcf, *row, *findings;
} companions[] = {
    { NULL, NULL, "pcf-missing:1:0 row-missing:1:0" },
    { "STATES\n1 Running\nrubbish here\n", row, "pcf-damaged:1:3" },
    { "STATES\r\n1 Running\r\n", row, "pcf-crlf:1:0" },
    { pcf, "LEVEL THREAD SIZE 2\na\nb\n", "row-size:1:1" },
    { pcf, "LEVEL THREAD SIZE 4\na\nb\nc\n", "row-size:1:1" },
    { pcf, "LEVEL THREAD SIZE 4\na\nb\nc\nd\n", "row-size:1:1" },
    { pcf, "\nLEVEL NODE SIZE 3\na\nb\n", "row-size:1:2" },
    { pcf, "rubbish\n", "row-damaged:1:1" },
};

START_TEST(test_check_companions_agree)
{
    ck_assert_int_eq(check_files(HEAD TAIL, companions[_i].pcf, companions[_i].row), PRVCUT_OK);
    assert_findings(companions[_i].findings);
}
END_TEST

START_TEST(test_check_first_lines_are_kept)
{
    char text[4096] = HEAD;

    for (int i = 0; i < 40; i++)
        strcat(text, "9\n");
    strcat(text, TAIL);
    ck_assert_int_eq(check_files(text, pcf, row), PRVCUT_OK);
    ck_assert_uint_eq(result.finding[PRV_FIND_UNKNOWN_RECORD].count, 40);
    ck_assert_uint_eq(result.finding[PRV_FIND_UNKNOWN_RECORD].lines, PRVCUT_FINDING_LINES);
    ck_assert_uint_eq(result.finding[PRV_FIND_UNKNOWN_RECORD].line[9], 12);
}
END_TEST

/* What is read next to a line too long must still be right. */
START_TEST(test_check_long_line_is_passed_over)
{
    size_t pairs = _i == 0 ? 300000 : 2000000;
    struct prvcut_buffer text = { 0 };

    prvcut_buffer_printf(&text, NULL, "%s2:1:1:1:1:5", HEAD);
    for (size_t i = 0; i < pairs; i++)
        prvcut_buffer_append(&text, ":8:1", 4, NULL);
    prvcut_buffer_printf(&text, NULL, "\n9\n%s", TAIL);
    ck_assert_int_eq(check_files(text.at, pcf, row), PRVCUT_OK);
    assert_findings("unknown-record:1:4 line-length:1:3");
    ck_assert_uint_eq(result.counts.bytes, text.count);
    prvcut_buffer_fini(&text);
}
END_TEST

/* Many short lines: each border of a read falls somewhere in a line. */
START_TEST(test_check_large_trace_keeps_count_of_lines)
{
    struct prvcut_buffer text = { 0 };
    enum { LINES = 200000 };

    prvcut_buffer_printf(&text, NULL, "#Paraver (x):%d_ns:1(1):1:1(1:1)\n", LINES);
    for (int i = 0; i < LINES; i++)
        prvcut_buffer_printf(&text, NULL, "1:1:1:1:1:%d:%d:1\n", i, i + 1);
    prvcut_buffer_printf(&text, NULL, "9\n");
    ck_assert_int_eq(check_files(text.at, pcf, "LEVEL THREAD SIZE 1\na\n"), PRVCUT_OK);
    assert_findings("unknown-record:1:200002");
    ck_assert_uint_eq(result.counts.states, LINES);
    ck_assert_uint_eq(result.counts.bytes, text.count);
    prvcut_buffer_fini(&text);
}
END_TEST

static const char whole[] = HEAD "1:1:1:1:1:0:10:1\n2:1:1:1:1:10:50000002:1:8:5\n"
                                 "3:1:1:1:1:10:19:2:1:2:1:20:25:1:1\n" TAIL;

/* Cut at any byte: a finding or a named fault; the duration tells even a cut between two lines. */
START_TEST(test_check_truncated_trace_is_noticed)
{
    enum prvcut_status st;

    scratch_write("x.prv", whole, (size_t)_i);
    memset(&error, 0, sizeof error);
    st = prv_check(&result, "x.prv", NULL, NULL, &error);
    if (st == PRVCUT_OK)
        ck_assert(result.damaged || result.finding[PRV_FIND_DURATION].count == 1 ||
                  result.finding[PRV_FIND_NO_RECORDS].count == 1);
    else
        ck_assert(error.status == st && error.text[0] != '\0');
}
END_TEST

START_TEST(test_check_compressed_trace_cut_short_is_found)
{
    struct prvcut_buffer text = { 0 };
    struct prvcut_output *out;
    uint64_t size;
    char *packed;
    FILE *file;

    for (int i = 0; i < 20000; i++)
        prvcut_buffer_printf(&text, NULL, "2:1:1:1:1:%d:8:%d\n", i, i * 7919 % 65537);
    ck_assert_int_eq(prvcut_output_open(&out, "y.prv.zst", PRVCUT_ZSTD, false, &error), PRVCUT_OK);
    prvcut_output_write(out, "#Paraver (x):20000_ns:1(1):1:1(1:1)\n", 36, &error);
    prvcut_output_write(out, text.at, text.count, &error);
    ck_assert_int_eq(prvcut_output_commit(out, &size, &error), PRVCUT_OK);
    packed = malloc(size);
    file = fopen("y.prv.zst", "rb");
    ck_assert_uint_eq(fread(packed, 1, size, file), size);
    fclose(file);
    scratch_write("x.prv.zst", packed, size - 100);
    ck_assert_int_eq(prv_check(&result, "x.prv.zst", NULL, NULL, &error), PRVCUT_OK);
    ck_assert_uint_eq(result.finding[PRV_FIND_STREAM].count, 1);
    ck_assert(result.damaged);
    ck_assert_int_eq(prv_check(&result, "y.prv.zst", NULL, NULL, &error), PRVCUT_OK);
    ck_assert_uint_eq(result.finding[PRV_FIND_STREAM].count, 0);
    ck_assert_uint_eq(result.counts.events, 20000);
    free(packed);
    prvcut_buffer_fini(&text);
}
END_TEST

static bool stop_now(void *ctx)
{
    ++*(int *)ctx;
    return true;
}

START_TEST(test_check_stops_when_asked)
{
    int asked = 0;
    struct prvcut_run run = { .stop = stop_now, .ctx = &asked };
    struct prvcut_buffer text = { 0 };

    prvcut_buffer_printf(&text, NULL, "%s", HEAD);
    for (int i = 0; i < 100000; i++)
        prvcut_buffer_append(&text, "#\n2:1:1:1:1:5:8:1\n", 18, NULL);
    scratch_write("x.prv", text.at, text.count);
    ck_assert_int_eq(prv_check(&result, "x.prv", NULL, &run, &error), PRVCUT_EINTERRUPTED);
    ck_assert_int_eq(asked, 1);
    prvcut_buffer_fini(&text);
}
END_TEST

START_TEST(test_name_findings_all_different)
{
    for (int k = 0; k < PRV_FINDINGS; k++) {
        ck_assert_ptr_nonnull(prv_finding_infos[k].name);
        ck_assert_ptr_nonnull(prv_finding_infos[k].summary);
        for (int i = 0; i < k; i++)
            ck_assert_str_ne(prv_finding_infos[k].name, prv_finding_infos[i].name);
    }
}
END_TEST

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

static Suite *check_suite(void)
{
    Suite *s = suite_create("check");
    TCase *t = tcase_create("check");

    scratch_fixtures(t);
    tcase_add_test(t, test_check_sound_trace_finds_nothing);
    tcase_add_loop_test(t, test_check_fault_is_found_and_nothing_else, 0, COUNT_OF(faults));
    tcase_add_loop_test(t, test_check_header_fault_is_found, 0, COUNT_OF(headers));
    tcase_add_loop_test(t, test_check_companions_agree, 0, COUNT_OF(companions));
    tcase_add_test(t, test_check_first_lines_are_kept);
    tcase_add_loop_test(t, test_check_long_line_is_passed_over, 0, 2);
    tcase_add_test(t, test_check_large_trace_keeps_count_of_lines);
    tcase_add_loop_test(t, test_check_truncated_trace_is_noticed, 0, (int)sizeof whole - 1);
    tcase_add_test(t, test_check_compressed_trace_cut_short_is_found);
    tcase_add_test(t, test_check_stops_when_asked);
    tcase_add_test(t, test_name_findings_all_different);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(check_suite());
}
