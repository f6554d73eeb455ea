#include "records.h"

#include "built.h"
#include "runner.h"
#include "tests/base/scratch.h"

/* Two applications: tasks of 2 and 1 threads, a task of 1 thread; four cpus on two nodes. */
#define HEAD "#Paraver (20/11/2026 at 11:44):1000000_ns:2(2,2):2:2(2:1,1:2):1(1:2),1\n"
#define COMM "c:1:1:2:1:2\n"

static const char golden[] =
    HEAD COMM "1:1:1:1:1:0:100:1\n"
              "1:4:2:1:1:0:1000000:7\n"
              "2:1:1:1:1:100:50000001:1\n"
              "3:1:1:1:1:100:110:3:1:2:1:90:130:8:5\n"
              "# a comment\n"
              "2:3:1:2:1:120:50000002:10:50100001:8:50100004:1:42000050:17:70000001:3:30000000:4\n"
              "\n"
              "2:2:1:1:2:140:60000001:1:1000:-9223372036854775808:4294967295:9223372036854775807\n"
              "1:1:1:1:1:150:150:2147483647\n"
              "3:3:1:2:1:500:510:4:2:1:1:480:530:9223372036854775807:-3\n"
              "2:4:2:1:1:900:40000003:1\n";

static const char golden_states[] = "0 0-100 1 running\n3 0-1000000 7\n0 150-150 2147483647\n";
static const char golden_events[] = "0 100 50000001=1 role 1\n"
                                    "2 120 50000002=10 role 2\n"
                                    "+ 2 120 50100001=8 role 14\n"
                                    "+ 2 120 50100004=1 role 16\n"
                                    "+ 2 120 42000050=17 role 7\n"
                                    "+ 2 120 70000001=3 role 11\n"
                                    "+ 2 120 30000000=4 role 13\n"
                                    "1 140 60000001=1 role 6\n"
                                    "+ 1 140 1000=-9223372036854775808 role 0\n"
                                    "+ 1 140 4294967295=9223372036854775807 role 0\n"
                                    "3 900 40000003=1 role 4\n";
static const char golden_messages[] = "0>2 100 110 90 130 size 8 tag 5\n"
                                      "2>3 500 510 480 530 size 9223372036854775807 tag -3\n";

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static struct records read_text(const char *text, struct records_how how)
{
    write_text("x.prv", text);
    return records_read("x.prv", how);
}

START_TEST(test_read_golden_trace_as_written)
{
    struct records r = read_text(golden, (struct records_how){ .threads = 1 });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_str_eq(r.kind[RECORD_STATES].at, golden_states);
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, golden_events);
    ck_assert_str_eq(r.kind[RECORD_MESSAGES].at, golden_messages);
    ck_assert_uint_eq(r.counts.states, 3);
    ck_assert_uint_eq(r.counts.events, 4);
    ck_assert_uint_eq(r.counts.pairs, 11);
    ck_assert_uint_eq(r.counts.messages, 2);
    ck_assert_uint_eq(r.counts.comments, 2);
    ck_assert_uint_eq(r.counts.skipped, 0);
    ck_assert_uint_eq(r.counts.lines, 13);
    ck_assert_uint_eq(r.counts.bytes, sizeof golden - 1);
    ck_assert_uint_eq(r.counts.first_ns, 0);
    ck_assert_uint_eq(r.counts.last_ns, 1000000);
    ck_assert_uint_eq(r.counts.unsorted, 0);
    ck_assert_uint_eq(r.counts.beyond_end, 0);
    ck_assert(!r.counts.no_last_newline);
    records_fini(&r);
}
END_TEST

START_TEST(test_read_without_role_leaves_its_pairs_out)
{
    const struct records_how how = { .without = PRVCUT_ROLE_BIT(PRVCUT_ROLE_COLLECTIVE) |
                                                PRVCUT_ROLE_BIT(PRVCUT_ROLE_OTHER) };
    struct records r = read_text(golden, how);

    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 100 50000001=1 role 1\n"
                                               "2 120 50100001=8 role 14\n"
                                               "+ 2 120 50100004=1 role 16\n"
                                               "+ 2 120 42000050=17 role 7\n"
                                               "+ 2 120 70000001=3 role 11\n"
                                               "+ 2 120 30000000=4 role 13\n"
                                               "1 140 60000001=1 role 6\n"
                                               "3 900 40000003=1 role 4\n");
    ck_assert_uint_eq(r.counts.pairs, 11);
    records_fini(&r);
}
END_TEST

/* Detail roles are delivered for the chosen threads only. */
START_TEST(test_read_detail_of_chosen_threads)
{
    const struct prvcut_run run = { .threads = 2 };
    const uint8_t detail[4] = { 0, 1, 0, 0 };
    struct records r = { 0 };
    const struct prvcut_consumer consumer = { .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_P2P),
                                              .detail_roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_OTHER),
                                              .detail = detail,
                                              .ctx = &r,
                                              .begin = records_begin,
                                              .batch = records_batch,
                                              .join = records_join,
                                              .discard = records_discard };
    struct prvcut_trace *t;

    write_text("x.prv", golden);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &r.err), PRVCUT_OK);
    ck_assert_int_eq(t->reader->scan(t, &run, &consumer, NULL, &r.err), PRVCUT_OK);
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 100 50000001=1 role 1\n"
                                               "1 140 1000=-9223372036854775808 role 0\n"
                                               "+ 1 140 4294967295=9223372036854775807 role 0\n");
    ck_assert_str_eq(r.kind[RECORD_STATES].at, "");
    ck_assert_str_eq(r.kind[RECORD_MESSAGES].at, "");
    prvcut_trace_close(t);
    records_fini(&r);
}
END_TEST

/* Of lines only their first pair, whatever it is; of an unplain line as well. */
START_TEST(test_read_heads_of_lines)
{
    static const char text[] = HEAD COMM "2:1:1:1:1:100:1000:7:50000001:1:1000:8\n"
                                         "2:1:1:1:1:120:50000001:0:1000:9\n"
                                         "2:1:1:1:1:130:1000:7:2000:-5:50000001:2:50000001:0\n";
    const struct prvcut_run run = { .threads = 1 };
    struct records r = { 0 };
    const struct prvcut_consumer consumer = { .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_P2P),
                                              .head_roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
                                              .ctx = &r,
                                              .begin = records_begin,
                                              .batch = records_batch,
                                              .join = records_join,
                                              .discard = records_discard };
    struct prvcut_trace *t;

    write_text("x.prv", text);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &r.err), PRVCUT_OK);
    ck_assert_int_eq(t->reader->scan(t, &run, &consumer, NULL, &r.err), PRVCUT_OK);
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 100 1000=7 role 0\n"
                                               "+ 0 100 50000001=1 role 1\n"
                                               "0 120 50000001=0 role 1\n"
                                               "0 130 1000=7 role 0\n"
                                               "+ 0 130 50000001=2 role 1\n"
                                               "+ 0 130 50000001=0 role 1\n");
    prvcut_trace_close(t);
    records_fini(&r);
}
END_TEST

/* --- Malformed fields ------------------------------------------------------------------------ */

/* One damaged line between sound ones: refused by line, or skipped and counted. */
static void expect_fault(const char *line, const char *message)
{
    char text[4096], want[2048];
    struct records r;

    snprintf(text, sizeof text, HEAD COMM "1:1:1:1:1:0:100:1\n%s\n2:1:1:1:1:100:50000001:1\n",
             line);
    snprintf(want, sizeof want, "x.prv:4: %s", message);
    r = read_text(text, (struct records_how){ .threads = 2 });
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_str_eq(r.err.text, want);
    ck_assert_uint_eq(r.err.line, 4);
    records_fini(&r);

    r = read_text(text, (struct records_how){ .lenient = true });
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.skipped, 1);
    ck_assert_str_eq(r.kind[RECORD_STATES].at, "0 0-100 1 running\n");
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 100 50000001=1 role 1\n");
    ck_assert_str_eq(r.kind[RECORD_MESSAGES].at, "");
    records_fini(&r);
}

enum sign { NOT_NEGATIVE, RANGED, SIGNED };

static const struct field {
    const char *name, *good;
    enum sign sign;
    const char *range; /* of what is RANGED */
} state_fields[] = {
    { "cpu", "1", NOT_NEGATIVE, NULL },
    { "application", "1", NOT_NEGATIVE, NULL },
    { "task", "1", NOT_NEGATIVE, NULL },
    { "thread", "2", NOT_NEGATIVE, NULL },
    { "begin time", "10", NOT_NEGATIVE, NULL },
    { "end time", "20", NOT_NEGATIVE, NULL },
    { "state", "3", RANGED, "0 to 2147483647" },
    { NULL, NULL, SIGNED, NULL },
}, event_fields[] = {
    { "cpu", "1", NOT_NEGATIVE, NULL },
    { "application", "1", NOT_NEGATIVE, NULL },
    { "task", "1", NOT_NEGATIVE, NULL },
    { "thread", "2", NOT_NEGATIVE, NULL },
    { "event time", "10", NOT_NEGATIVE, NULL },
    { "event type", "50000001", RANGED, "0 to 4294967295" },
    { "event value", "3", SIGNED, NULL },
    { "event type", "42000050", RANGED, "0 to 4294967295" },
    { "event value", "4", SIGNED, NULL },
    { NULL, NULL, SIGNED, NULL },
}, message_fields[] = {
    { "cpu", "1", NOT_NEGATIVE, NULL },
    { "application", "1", NOT_NEGATIVE, NULL },
    { "task", "1", NOT_NEGATIVE, NULL },
    { "thread", "2", NOT_NEGATIVE, NULL },
    { "logical send time", "10", NOT_NEGATIVE, NULL },
    { "physical send time", "11", NOT_NEGATIVE, NULL },
    { "cpu", "4", NOT_NEGATIVE, NULL },
    { "application", "2", NOT_NEGATIVE, NULL },
    { "task", "1", NOT_NEGATIVE, NULL },
    { "thread", "1", NOT_NEGATIVE, NULL },
    { "logical receive time", "12", NOT_NEGATIVE, NULL },
    { "physical receive time", "13", NOT_NEGATIVE, NULL },
    { "message size", "8", SIGNED, NULL },
    { "message tag", "9", SIGNED, NULL },
    { NULL, NULL, SIGNED, NULL },
};

static const struct field *const record_fields[] = { state_fields, event_fields, message_fields };

/* A record with one field replaced, or without that field and all behind it (with == NULL). */
static void spoil(char *out, int kind, int field, const char *with)
{
    const struct field *f = record_fields[kind];

    out += sprintf(out, "%d", kind + 1);
    for (int i = 0; f[i].name && (with || i < field); i++)
        out += sprintf(out, ":%s", i == field ? with : f[i].good);
}

/* May the field have been written without a sign? */
static bool is_unsigned(const char *name)
{
    return strcmp(name, "event value") == 0 || strcmp(name, "message size") == 0 ||
           strcmp(name, "message tag") == 0;
}

/* Every field of a kind of record with every fault that it can have. */
START_TEST(test_read_malformed_field_names_it)
{
    static const char *const no_number[] = { "abc", "+", "++1", "1 1", "1.5", "0x1", "1e3", "--1" };
    const struct field *f = record_fields[_i];
    char line[512], want[512];
    const char *limit;

    for (int i = 0; f[i].name; i++) {
        for (size_t k = 0; k < sizeof no_number / sizeof *no_number; k++) {
            spoil(line, _i, i, no_number[k]);
            snprintf(want, sizeof want, "%s '%s' is not a number", f[i].name, no_number[k]);
            expect_fault(line, want);
        }
        spoil(line, _i, i, "");
        snprintf(want, sizeof want, "%s is empty", f[i].name);
        expect_fault(line, want);
        spoil(line, _i, i, "-");
        expect_fault(line, want);
        limit = is_unsigned(f[i].name) ? "18446744073709551616" : "9223372036854775808";
        spoil(line, _i, i, limit);
        snprintf(want, sizeof want, "%s %s is beyond 64 bits", f[i].name, limit);
        expect_fault(line, want);
        spoil(line, _i, i, "100000000000000000000000000000000000000001");
        snprintf(want, sizeof want, "%s 10000000000000000000000000000000 is beyond 64 bits",
                 f[i].name);
        expect_fault(line, want);
        if (f[i].sign == SIGNED || strcmp(f[i].name, "cpu") == 0)
            continue;
        spoil(line, _i, i, "-5");
        snprintf(want, sizeof want, "%s -5 is%s%s", f[i].name,
                 f[i].range ? " not within " : " negative", f[i].range ? f[i].range : "");
        expect_fault(line, want);
    }
}
END_TEST

START_TEST(test_read_missing_field_names_it)
{
    const struct field *f = record_fields[_i];
    char line[512], want[512];

    for (int i = 0; f[i].name; i++) {
        const bool pair = strcmp(f[i].name, "event type") == 0;

        /* Pairs may end anywhere but in the middle, and there is one at least. */
        if (pair && i > 5)
            continue;
        spoil(line, _i, i, NULL);
        snprintf(want, sizeof want, "%s is missing: the record has too few fields", f[i].name);
        if (i == 0)
            snprintf(want, sizeof want,
                     "record '%d' is none of 1: (state), 2: (event), 3: (communication)", _i + 1);
        else if (pair)
            snprintf(want, sizeof want, "event has no type and value");
        expect_fault(line, want);
        strcat(line, ":");
        snprintf(want, sizeof want, "%s is empty", f[i].name);
        if (pair)
            snprintf(want, sizeof want, "event has no type and value");
        expect_fault(line, want);
    }
}
END_TEST

static const struct {
    const char *line, *message;
} faults[] = {
    { "1:1:0:1:1:0:1:1", "application 0 is not among the header's 1 to 2" },
    { "1:1:3:1:1:0:1:1", "application 3 is not among the header's 1 to 2" },
    { "1:1:1:0:1:0:1:1", "task 0 is not among the header's 1 to 2" },
    { "1:1:1:3:1:0:1:1", "task 3 is not among the header's 1 to 2" },
    { "1:1:2:2:1:0:1:1", "task 2 is not among the header's 1 to 1" },
    { "1:1:1:1000000000:1:0:1:1", "task 1000000000 is not among the header's 1 to 2" },
    { "1:1:1:1:0:0:1:1", "thread 0 is not among the header's 1 to 2" },
    { "1:1:1:1:3:0:1:1", "thread 3 is not among the header's 1 to 2" },
    { "1:1:1:2:2:0:1:1", "thread 2 is not among the header's 1 to 1" },
    { "2:1:1:2:2:0:1:1", "thread 2 is not among the header's 1 to 1" },
    { "3:1:1:1:1:0:1:3:1:9:1:4:5:6:7", "task 9 is not among the header's 1 to 2" },
    { "1:1:1:1:1:1152921504606846977:1152921504606846978:1",
      "begin time 1152921504606846977 is beyond the limit of 1152921504606846976" },
    { "1:1:1:1:1:0:1152921504606846977:1",
      "end time 1152921504606846977 is beyond the limit of 1152921504606846976" },
    { "2:1:1:1:1:9223372036854775807:1:1",
      "event time 9223372036854775807 is beyond the limit of 1152921504606846976" },
    { "1:1:1:1:1:20:-2:1", "end time -2 is negative" },
    { "1:1:1:1:1:10:20:2147483648", "state 2147483648 is not within 0 to 2147483647" },
    { "1:1:1:1:1:10:20:10000000000000001",
      "state 10000000000000001 is not within 0 to 2147483647" },
    { "2:1:1:1:1:10:4294967296:1", "event type 4294967296 is not within 0 to 4294967295" },
    { "2:1:1:1:1:10:50000001:1:1:x", "event value 'x' is not a number" },
    { "2:1:1:1:1:10:50000001:1::", "event type is empty" },
    { "2:1:1:1:1:10:50000001:1:2:-9223372036854775809",
      "event value -9223372036854775809 is beyond 64 bits" },
    { "5:1:1:1:1:10:20:1",
      "record '5:1:1:1:1:10:20:1' is none of 1: (state), 2: (event), 3: (communication)" },
    { "11:1:1:1:1:10:20:1",
      "record '11:1:1:1:1:10:20:1' is none of 1: (state), 2: (event), 3: (communication)" },
    { " 1:1:1:1:1:10:20:1",
      "record ' 1:1:1:1:1:10:20:1' is none of 1: (state), 2: (event), 3: (communication)" },
    { "an unexpected line of text that is longer than what is shown of it",
      "record 'an unexpected line of text that ' is none of 1: (state), 2: (event), 3: "
      "(communication)" },
};

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

START_TEST(test_read_value_out_of_range_gives_limit)
{
    expect_fault(faults[_i].line, faults[_i].message);
}
END_TEST

/* A skipped line counts for nothing: neither its pairs nor the regions that it opens. */
START_TEST(test_read_lenient_skips_whole_line)
{
    struct records r = read_text(HEAD "2:1:1:1:1:10:50000001:1:2:x\n2:1:1:1:1:20:50000001:0\n",
                                 (struct records_how){ .lenient = true });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.skipped, 1);
    ck_assert_uint_eq(r.counts.pairs, 1);
    ck_assert_uint_eq(r.counts.events, 1);
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 20 50000001=0 role 1\n");
    records_fini(&r);
}
END_TEST

/* Each is taken as the same trace without it, or as what the text says. */
static const struct {
    const char *body, *states, *events, *messages;
} oddities[] = {
    { "1:1:1:1:1:0:100:1:\n", "0 0-100 1 running\n", "", "" },
    { "1:1:1:1:1:0:100:1:extra:fields\n", "0 0-100 1 running\n", "", "" },
    { "1:01:1:1:1:000000000000000000000000:0100:01\n", "0 0-100 1 running\n", "", "" },
    { "1:1:1:1:1:5:-1:2\n", "0 5-1000000 2\n", "", "" },
    { "1:1:1:1:1:2000000:-1:2\n", "0 2000000-2000000 2\n", "", "" },
    { "1:0:1:1:1:0:100:1\n", "0 0-100 1 running\n", "", "" },
    { "2:1:1:1:1:7:8:9:\n", "", "0 7 8=9 role 0\n", "" },
    { "2:1:1:1:1:7:0050000001:0000000000000000000000000001\n", "", "0 7 50000001=1 role 1\n", "" },
    { "2:1:1:1:1:7:8:-0\n", "", "0 7 8=0 role 0\n", "" },
    { "2:1:1:1:1:1152921504606846976:8:9\n", "", "0 1152921504606846976 8=9 role 0\n", "" },
    { "3:1:1:1:1:1:2:4:2:1:1:3:4:-5:-6\n", "", "", "0>3 1 2 3 4 size 0 tag -6\n" },
    { "3:1:1:1:1:1:2:4:2:1:1:3:4:5:6:7\n", "", "", "0>3 1 2 3 4 size 5 tag 6\n" },
    { "4:whatever\nc:1:2:1:1\ni:1:2:1:1\nC:\nI:\n#\n\n\r\n", "", "", "" },
    { "1:1:1:1:1:0:100:0", "0 0-100 0\n", "", "" },
    { "1:9:1:1:1:0:100:1\n", "0 0-100 1 running\n", "", "" },
    { "1:1:1:1:1:100:50:1\n", "0 100-100 1 running\n", "", "" },
    { "1:1:1:1:1:+0: 100:1 \n", "0 0-100 1 running\n", "", "" },
    { "2:1:1:1:1:7:8:18446744073709551615\n", "", "0 7 8=-1 role 0\n", "" },
    { "2:1:1:1:1:9999999999999999:8:9999999999999999\n", "",
      "0 9999999999999999 8=9999999999999999 role 0\n", "" },
    { "2:1:1:1:1:10000000000000001:8:10000000000000001\n", "",
      "0 10000000000000001 8=10000000000000001 role 0\n", "" },
    { "2:1:1:1:1:5:8:10000000000000001\n", "", "0 5 8=10000000000000001 role 0\n", "" },
    { "1:1:1:1:1:0:1:00000000000000001\n", "0 0-1 1 running\n", "", "" },
    { "3:1:1:1:1:1:2:4:2:1:1:3:4:10000000000000001:5\n", "", "",
      "0>3 1 2 3 4 size 10000000000000001 tag 5\n" },
    { "3:1:1:1:1:1:2:4:2:1:1:3:4:5:10000000000000001\n", "", "",
      "0>3 1 2 3 4 size 5 tag 10000000000000001\n" },
    { "2:1:1:1:1:99999999:99999999:99999999\n", "", "0 99999999 99999999=99999999 role 0\n", "" },
    { "2:1:1:1:1:100000001:100000001:100000001\n", "", "0 100000001 100000001=100000001 role 0\n",
      "" },
    { "1:1:1:1:1:10000000000000001:10000000000000002:999999999\n",
      "0 10000000000000001-10000000000000002 999999999\n", "", "" },
    { "3:1:1:1:1:1:2:4:2:1:1:3:4:10000000000000001:10000000000000002\n", "", "",
      "0>3 1 2 3 4 size 10000000000000001 tag 10000000000000002\n" },
    { "1:1:1:1:1:0:100:1\r\n2:1:1:1:1:7:8:9\r\n", "0 0-100 1 running\n", "0 7 8=9 role 0\n", "" },
};

START_TEST(test_read_oddity_as_paraver_does)
{
    char text[1024];
    struct records r;

    snprintf(text, sizeof text, HEAD "%s", oddities[_i].body);
    r = read_text(text, (struct records_how){ 0 });
    ck_assert_str_eq(r.err.text, "");
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_str_eq(r.kind[RECORD_STATES].at, oddities[_i].states);
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, oddities[_i].events);
    ck_assert_str_eq(r.kind[RECORD_MESSAGES].at, oddities[_i].messages);
    ck_assert(r.counts.no_last_newline == (text[strlen(text) - 1] != '\n'));
    records_fini(&r);
}
END_TEST

/* --- Cut anywhere, and rubbish ---------------------------------------------------------------- */

/* An end or a named fault, never a record too many. */
START_TEST(test_read_truncated_trace_ends_or_fails)
{
    const size_t count = (size_t)_i;
    struct records r;

    scratch_write("x.prv", golden, count);
    r = records_read("x.prv", (struct records_how){ .threads = 2 });
    if (count <= strlen(HEAD) - 1)
        ck_assert(r.status != PRVCUT_OK || count >= strlen(HEAD) - 3);
    ck_assert_uint_le(r.counts.states, 3);
    ck_assert_uint_le(r.counts.events, 4);
    ck_assert_uint_le(r.counts.messages, 2);
    if (r.status == PRVCUT_OK && count > strlen(HEAD COMM))
        ck_assert(r.counts.no_last_newline == (golden[count - 1] != '\n'));
    records_fini(&r);
}
END_TEST

static void expect_open_fails(const char *path, enum prvcut_status status, const char *message)
{
    struct records r = records_read(path, (struct records_how){ 0 });

    ck_assert_int_eq(r.status, status);
    ck_assert_str_eq(r.err.text, message);
    records_fini(&r);
}

START_TEST(test_read_no_trace_is_refused)
{
    const char *otf2 = test_has_reader("otf2") ? ", an OTF2 anchor is called NAME.otf2" : "";
    char words[300];

    write_text("empty.prv", "");
    expect_open_fails("empty.prv", PRVCUT_ENOTRACE, "empty.prv: is empty");
    ck_assert_int_eq(mkdir("folder.prv", 0755), 0);
    expect_open_fails("folder.prv", PRVCUT_ENOTRACE,
                      "folder.prv: is a folder without a trace (.otf2, .otf, .prv)");
    write_text("text.prv", "Dear reader,\n");
    snprintf(words, sizeof words,
             "text.prv: is not a trace of a known format (a Paraver .prv starts with "
             "'#Paraver ('%s, an OTF master NAME.otf)",
             otf2);
    expect_open_fails("text.prv", PRVCUT_ENOTRACE, words);
}
END_TEST

/* Where an archive's format is not built in, that is said, and what shows which are. */
START_TEST(test_read_format_left_out_is_named)
{
    static const char anchor[] = "\x03"
                                 "BOTF2\x02\x01\x00 and more";
    struct records r;

    scratch_write("a.otf2", anchor, sizeof anchor);
    r = records_read("a.otf2", (struct records_how){ 0 });
    ck_assert_int_lt(r.status, PRVCUT_OK);
    ck_assert(test_has_reader("otf2") == !strstr(r.err.text, "built without the OTF2 library"));
    ck_assert(test_has_reader("otf2") == (strcmp(r.err.instead, "prvcut formats") != 0));
    records_fini(&r);
}
END_TEST

START_TEST(test_read_header_only_is_no_record)
{
    struct records r = read_text(HEAD COMM, (struct records_how){ 0 });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.lines, 2);
    ck_assert_uint_eq(r.counts.states + r.counts.events + r.counts.messages, 0);
    ck_assert_uint_eq(r.counts.last_ns, 0);
    records_fini(&r);
}
END_TEST

/* Random bytes behind a header: a fault, or lines that are skipped; NUL bytes are no digits. */
START_TEST(test_read_binary_rubbish_is_refused)
{
    const size_t room = 300000;
    char *bytes = malloc(room);
    uint64_t state = (uint64_t)_i + 1;
    struct records r;

    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, HEAD, strlen(HEAD));
    for (size_t i = strlen(HEAD); i < room; i++)
        bytes[i] = (char)(scratch_random(&state) >> (i % 3));
    bytes[strlen(HEAD)] = '2';
    scratch_write("x.prv", bytes, room);
    r = records_read("x.prv", (struct records_how){ .threads = 2 });
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_int_eq(strncmp(r.err.text, "x.prv:2: ", 9), 0);
    records_fini(&r);
    r = records_read("x.prv", (struct records_how){ .lenient = true });
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_gt(r.counts.skipped, 500);
    records_fini(&r);
    free(bytes);
}
END_TEST

START_TEST(test_read_zero_byte_is_no_digit)
{
    static const char body[] = "2:1:1:1:1:1\0:8:9\n2:1:1:1:1:7:8\0009:9\n1:1:1:1:1:0:\0:1\n\0\n";
    char text[256];
    struct records r;

    memcpy(text, HEAD, strlen(HEAD));
    memcpy(text + strlen(HEAD), body, sizeof body - 1);
    scratch_write("x.prv", text, strlen(HEAD) + sizeof body - 1);
    r = records_read("x.prv", (struct records_how){ .lenient = true });
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.skipped, 4);
    ck_assert_uint_eq(r.counts.events + r.counts.states, 0);
    records_fini(&r);
}
END_TEST

/* --- Order, time, applications ---------------------------------------------------------------- */

START_TEST(test_count_unsorted_lines_and_name_first)
{
    struct records r = read_text(HEAD "1:1:1:1:1:10:20:1\n"
                                      "2:1:1:1:1:20:8:9\n"
                                      "2:1:1:1:1:19:8:9\n"
                                      "3:1:1:1:1:0:20:4:2:1:1:0:1:5:6\n"
                                      "3:1:1:1:1:25:15:4:2:1:1:30:40:5:6\n"
                                      "1:1:1:1:1:20:21:1\n",
                                 (struct records_how){ 0 });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.unsorted, 2);
    ck_assert_uint_eq(r.counts.first_unsorted, 4);
    ck_assert_uint_eq(r.counts.unsorted_ns, 5);
    records_fini(&r);
}
END_TEST

START_TEST(test_count_records_beyond_end)
{
    struct records r = read_text(HEAD "1:1:1:1:1:10:1000000:1\n"
                                      "2:1:1:1:1:1000000:8:9\n"
                                      "2:1:1:1:1:1000001:8:9\n"
                                      "1:1:1:1:1:1000001:1000002:1\n",
                                 (struct records_how){ 0 });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.beyond_end, 2);
    ck_assert_uint_eq(r.counts.last_ns, 1000002);
    records_fini(&r);
}
END_TEST

/* No unit in the header means microseconds; the model has ns always. */
START_TEST(test_read_microseconds_as_ns)
{
    struct records r = read_text("#Paraver (20/11/26 at 11:44):1000:0:1:1(1:0)\n"
                                 "1:0:1:1:1:1:20:1\n"
                                 "2:0:1:1:1:20:8:9:\n"
                                 "3:0:1:1:1:1:2:0:1:1:1:3:4:5:6\n"
                                 "1:0:1:1:1:30:-1:2\n",
                                 (struct records_how){ 0 });

    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_str_eq(r.kind[RECORD_STATES].at, "0 1000-20000 1 running\n0 30000-1000000 2\n");
    ck_assert_str_eq(r.kind[RECORD_EVENTS].at, "0 20000 8=9 role 0\n");
    ck_assert_str_eq(r.kind[RECORD_MESSAGES].at, "0>0 1000 2000 3000 4000 size 5 tag 6\n");
    records_fini(&r);
    r = read_text("#Paraver (20/11/26 at 11:44):1000:0:1:1(1:0)\n"
                  "2:0:1:1:1:1152921504606847:8:9\n",
                  (struct records_how){ 0 });
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_str_eq(r.err.text, "x.prv:2: event time 1152921504606847 is beyond the limit of "
                                 "1152921504606846");
    records_fini(&r);
}
END_TEST

static void add_fields(TCase *t)
{
    tcase_add_loop_test(t, test_read_malformed_field_names_it, 0, 3);
    tcase_add_loop_test(t, test_read_missing_field_names_it, 0, 3);
    tcase_add_loop_test(t, test_read_value_out_of_range_gives_limit, 0, COUNT_OF(faults));
    tcase_add_test(t, test_read_lenient_skips_whole_line);
    tcase_add_loop_test(t, test_read_oddity_as_paraver_does, 0, COUNT_OF(oddities));
    tcase_add_loop_test(t, test_read_truncated_trace_ends_or_fails, 0, (int)sizeof golden - 1);
    tcase_add_test(t, test_read_no_trace_is_refused);
    tcase_add_test(t, test_read_format_left_out_is_named);
    tcase_add_test(t, test_read_header_only_is_no_record);
    tcase_add_loop_test(t, test_read_binary_rubbish_is_refused, 0, 4);
    tcase_add_test(t, test_read_zero_byte_is_no_digit);
}

static Suite *reader_suite(void)
{
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("reader");

    scratch_fixtures(t);
    tcase_add_test(t, test_read_golden_trace_as_written);
    tcase_add_test(t, test_read_without_role_leaves_its_pairs_out);
    tcase_add_test(t, test_read_detail_of_chosen_threads);
    add_fields(t);
    tcase_add_test(t, test_read_heads_of_lines);
    tcase_add_test(t, test_count_unsorted_lines_and_name_first);
    tcase_add_test(t, test_count_records_beyond_end);
    tcase_add_test(t, test_read_microseconds_as_ns);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(reader_suite());
}
