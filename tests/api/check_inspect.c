#include "prvcut/inspect.h"

#include "runner.h"
#include "tests/base/packed.h"
#include "tests/base/scratch.h"

#include <jansson.h>

static struct prvcut_error error;

#define HEAD                                                                                       \
    "#Paraver (20/11/2026 at 11:44):1000_ns:2(2,1):1:3(1:1,1:1,1:2),2\n"                           \
    "c:1:1:3:1:2:3\n"                                                                              \
    "c:1:2:1:2\n"

static const char pcf[] = "STATES\n1 Running\n12 I/O\n13 Group Communication\n"
                          "EVENT_TYPE\n9 50000001 MPI Point-to-point\n"
                          "EVENT_TYPE\n7 42000050 PAPI_TOT_INS [Instr completed]\n"
                          "EVENT_TYPE\n9 40000003 Flushing Traces\n"
                          "EVENT_TYPE\n9 7 My\tnumber\n";
static const char row[] = "LEVEL CPU SIZE 3\n1.a\n2.a\n3.b\n\nLEVEL NODE SIZE 2\na\nb\n\n"
                          "LEVEL THREAD SIZE 3\nTHREAD 1.1.1\nTHREAD 1.2.1\nTHREAD 1.3.1\n";

/* Thread 1 flushes in the middle and at its end, thread 2 at its end only, 3 before its call. */
static const char sound[] = HEAD "1:1:1:1:1:0:400:1\n"
                                 "1:2:1:2:1:0:1000:1\n"
                                 "# a comment\n"
                                 "2:1:1:1:1:100:50000001:1:42000050:77\n"
                                 "2:3:1:3:1:150:40000003:1\n"
                                 "2:3:1:3:1:155:40000003:0\n"
                                 "2:1:1:1:1:200:50000001:0:42000050:0:7:-5\n"
                                 "2:3:1:3:1:250:50000001:1\n"
                                 "2:3:1:3:1:255:50000001:0\n"
                                 "2:1:1:1:1:300:40000003:1\n"
                                 "2:1:1:1:1:350:40000003:0\n"
                                 "1:1:1:1:1:400:900:13\n"
                                 "3:1:1:1:1:410:420:3:1:3:1:400:450:100:-1\n"
                                 "3:1:1:1:1:411:421:3:1:3:1:400:450:5:-1\n"
                                 "3:1:1:1:1:412:422:3:1:3:1:400:450:3000:-1\n"
                                 "2:1:1:1:1:500:50000001:2:42000050:9\n"
                                 "2:1:1:1:1:600:50000001:0:42000050:9\n"
                                 "2:1:1:1:1:900:40000003:1\n"
                                 "1:1:1:1:1:900:1000:12\n"
                                 "2:2:1:2:1:980:40000003:1\n"
                                 "2:1:1:1:1:1000:40000003:0\n"
                                 "2:2:1:2:1:1000:40000003:0\n";

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static void write_files(const char *prv)
{
    write_text("x.prv", prv);
    write_text("x.pcf", pcf);
    write_text("x.row", row);
}

static char *info(const char *path, enum prvcut_form form, int threads)
{
    const struct prvcut_run run = { .threads = threads, .columns = 132 };
    struct prvcut_trace *trace;
    char *text = NULL;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_info(trace, &run, form, &text, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(trace);
    ck_assert_ptr_nonnull(text);
    return text;
}

static json_t *parse(char *text)
{
    json_error_t at;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &at);

    ck_assert_msg(value != NULL, "%s: %s", at.text, text);
    free(text);
    return value;
}

/* What stands at "a.b.0.c". */
static json_t *at(json_t *value, const char *path)
{
    char copy[256];
    char *rest = copy;

    snprintf(copy, sizeof copy, "%s", path);
    while (value && rest) {
        char *key = rest;

        rest = strchr(rest, '.');
        if (rest)
            *rest++ = '\0';
        value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                     : json_object_get(value, key);
    }
    ck_assert_msg(value != NULL, "no %s", path);
    return value;
}

static void assert_number(json_t *value, const char *path, long long wanted)
{
    ck_assert_msg(json_is_integer(at(value, path)), "%s is no whole number", path);
    ck_assert_msg(json_integer_value(at(value, path)) == wanted, "%s is %lld, not %lld", path,
                  (long long)json_integer_value(at(value, path)), wanted);
}

static void assert_text(json_t *value, const char *path, const char *wanted)
{
    ck_assert_msg(json_is_string(at(value, path)), "%s is no text", path);
    ck_assert_str_eq(json_string_value(at(value, path)), wanted);
}

START_TEST(test_tell_info_of_sound_trace)
{
    static const char wanted[] =
        "x.prv: Paraver, 705 B, 1.00us, 3 MPI ranks on 2 nodes, labels found (.pcf, .row)\n"
        "Records     4 states, 14 events (19 values), 3 messages; 25 lines, 1 comment\n"
        "Time        47 % computing, 33 % in no recorded state, 17 % Group Communication, 3 % "
        "I/O\n"
        "Duration    1.00us by the header, in steps of 1ns; records from 0.000us to 1.000us\n"
        "Objects     1 application, 3 tasks, 3 threads, 2 nodes, 3 cpus\n"
        "            tasks 1-2: 1 thread each, on node 1\n"
        "            task 3: 1 thread, on node 2\n"
        "Groups      2 communicators: 1 of 3 tasks, 1 of 1 task\n"
        "Messages    3, 3.10 kB in all; 5 B to 3.00 kB, half of them up to 127 B\n"
        "Flushes     4 on 3 threads, 175ns in all, the longest 100ns; 2 of them at the end of "
        "the run, 120ns\n"
        "Counters    42000050 (PAPI_TOT_INS [Instr completed])\n"
        "\n"
        "Call      entered   time   share\n"
        "MPI_Send        2  105ns  3.50 %\n"
        "MPI_Recv        1  100ns  3.33 %\n"
        "\n"
        "State                        count    time    share\n"
        "    1  Running                   2  1.40us  46.67 %\n"
        "   13  Group Communication       1   500ns  16.67 %\n"
        "   12  I/O                       1   100ns   3.33 %\n"
        "       in no recorded state         1.00us  33.33 %\n"
        "\n"
        "Event type                                  role          count  not 0\n"
        "  40000003  Flushing Traces                 flush             8      4\n"
        "  50000001  MPI Point-to-point              p2p               6      3\n"
        "  42000050  PAPI_TOT_INS [Instr completed]  instructions      4      3\n"
        "         7  My\\x09number                    other             1      1\n";
    char *text;

    write_files(sound);
    text = info("x.prv", PRVCUT_FULL_TEXT, 2);
    ck_assert_str_eq(text, wanted);
    free(text);
}
END_TEST

START_TEST(test_tell_info_answers_on_one_screen)
{
    static const char wanted[] =
        "x.prv: Paraver, 705 B, 1.00us, 3 MPI ranks on 2 nodes, labels found (.pcf, .row)\n"
        "Records     4 states, 14 events, 3 messages (3.10 kB sent); counters PAPI_TOT_INS\n"
        "Time        47 % computing, 33 % in no recorded state, 17 % Group Communication, 3 % "
        "I/O\n"
        "Calls       MPI_Send 105ns in 2, MPI_Recv 100ns in 1\n"
        "Watch out   4 flushes of the trace buffer (counted per thread), 2 at the end of the "
        "run, 175ns of flushing in all, the "
        "longest 100ns\n"
        "Next        look for a loop to cut: prvcut x.prv      all event types and states: prvcut "
        "info -v x.prv\n";
    char *text;

    write_files(sound);
    text = info("x.prv", PRVCUT_TEXT, 2);
    ck_assert_str_eq(text, wanted);
    free(text);
}
END_TEST

START_TEST(test_list_info_of_sound_trace)
{
    json_t *v;

    write_files(sound);
    v = parse(info("x.prv", PRVCUT_JSON, 1));
    assert_text(v, "schema", "prvcut-info");
    assert_number(v, "version", 2);
    assert_text(v, "input.path", "x.prv");
    assert_text(v, "input.format", "paraver");
    ck_assert(json_is_null(at(v, "input.compression")));
    assert_number(v, "input.bytes", (long long)strlen(sound));
    assert_number(v, "input.text_bytes", (long long)strlen(sound));
    assert_text(v, "input.companions.0.path", "x.pcf");
    assert_text(v, "input.companions.1.suffix", ".row");
    ck_assert(json_is_null(at(v, "input.companions.0.damaged_line")));
    assert_number(v, "time.duration_ns", 1000);
    assert_number(v, "time.last_ns", 1000);
    assert_number(v, "objects.threads", 3);
    assert_number(v, "objects.task_groups.0.last_task", 2);
    assert_number(v, "objects.task_groups.1.node", 2);
    assert_number(v, "communicators.count", 2);
    assert_number(v, "communicators.list.1.tasks.0", 2);
    assert_number(v, "records.states", 4);
    assert_number(v, "records.events", 14);
    assert_number(v, "records.values", 19);
    assert_number(v, "records.messages", 3);
    assert_number(v, "records.comments", 1);
    assert_number(v, "records.unsorted", 0);
    assert_number(v, "messages.bytes", 3105);
    assert_number(v, "messages.least_bytes", 5);
    assert_number(v, "messages.most_bytes", 3000);
    assert_number(v, "messages.sizes.2.count", 1);
    assert_number(v, "flushes.count", 4);
    assert_number(v, "flushes.time_ns", 175);
    assert_number(v, "flushes.at_end_count", 2);
    assert_number(v, "flushes.at_end_time_ns", 120);
    assert_number(v, "states.0.number", 1);
    assert_number(v, "states.0.time_ns", 1400);
    ck_assert(json_is_true(at(v, "states.0.running")));
    ck_assert_double_eq_tol(json_real_value(at(v, "states.0.share")), 1400 / 3000., 1e-9);
    assert_number(v, "event_types.0.type", 7);
    assert_number(v, "event_types.0.nonzero", 1);
    assert_number(v, "event_types.2.type", 42000050);
    assert_number(v, "event_types.2.nonzero", 3);
    ck_assert(json_is_true(at(v, "event_types.2.counter")));
    ck_assert(json_is_false(at(v, "event_types.3.counter")));
    assert_text(v, "event_types.3.role", "p2p");
    assert_number(v, "values_not_listed", 0);
    json_decref(v);
}
END_TEST

/* Nothing but a header, no .pcf: every number is 0 and nothing is divided by it. */
START_TEST(test_tell_info_of_empty_trace)
{
    json_t *v;
    char *text;

    write_text("e.prv", HEAD);
    text = info("e.prv", PRVCUT_FULL_TEXT, 2);
    ck_assert_ptr_nonnull(strstr(text, ", no .pcf, no .row\n"));
    ck_assert_ptr_nonnull(strstr(text, "0 states, 0 events (0 values), 0 messages"));
    ck_assert_ptr_null(strstr(text, "nan"));
    free(text);
    v = parse(info("e.prv", PRVCUT_JSON, 2));
    ck_assert(json_is_null(at(v, "messages.most_bytes")));
    ck_assert(json_is_null(at(v, "input.companions.0.path")));
    json_decref(v);
}
END_TEST

START_TEST(test_tell_info_names_what_is_odd)
{
    char *text;

    write_files(HEAD "1:1:1:1:1:500:600:1\n"
                     "1:1:1:1:1:100:200:1\n"
                     "1:1:1:1:1:90:95:1\n"
                     "1:1:1:1:1:600:1700:0");
    write_text("x.pcf", "STATES\nnumber label\n");
    text = info("x.prv", PRVCUT_FULL_TEXT, 2);
    ck_assert_ptr_nonnull(strstr(text, "2 lines out of order, the first one in line 5\n"));
    ck_assert_ptr_nonnull(strstr(text, "1 record beyond the header's duration\n"));
    ck_assert_ptr_nonnull(strstr(text, "the last line has no line end"));
    ck_assert_ptr_nonnull(strstr(text, "(.pcf damaged, first in line 2, .row)\n"));
    free(text);
}
END_TEST

static char *slurp(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");
    char *bytes;
    long size;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    ck_assert_int_gt(size, 0);
    rewind(file);
    *count = (size_t)size;
    bytes = malloc(*count + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *count, file), *count);
    bytes[*count] = '\0';
    fclose(file);
    return bytes;
}

/* Several blocks of events; the generator's own counts and a plain count of one type. */
START_TEST(test_list_info_of_generated_trace_counts_all)
{
    long long calls = 0, flushes = 0, bytes = 0;
    json_t *v, *truth, *type;
    size_t count, i;
    char *text;

    ck_assert_int_eq(system(PRVGEN " --counters --size 3000000 --tasks 8 --flush-every 300 g"), 0);
    text = slurp("g.prv", &count);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line == '2')
            for (const char *c = line; *c && *c != '\n'; c++)
                calls += strncmp(c, ":50000001:", 10) == 0,
                    flushes += strncmp(c, ":40000003:1", 11) == 0;
        if (*line == '3') {
            const char *end = strchr(line, '\n');

            while (*--end != ':')
                ;
            while (*--end != ':')
                ;
            bytes += strtoll(end + 1, NULL, 10);
        }
    }
    free(text);
    truth = parse(slurp("g.truth.json", &count));
    v = parse(info("g.prv", PRVCUT_JSON, 2));
    assert_number(v, "records.states", json_integer_value(at(truth, "records.states")));
    assert_number(v, "records.events", json_integer_value(at(truth, "records.events")));
    assert_number(v, "records.messages", json_integer_value(at(truth, "records.communications")));
    assert_number(v, "messages.bytes", bytes);
    ck_assert_int_gt(flushes, 8);
    assert_number(v, "flushes.count", flushes);
    json_array_foreach(at(v, "event_types"), i, type)
    {
        if (json_integer_value(at(type, "type")) != 50000001)
            continue;
        assert_number(type, "count", calls);
        assert_number(type, "nonzero", calls / 2);
        calls = 0;
    }
    ck_assert_int_eq(calls, 0);
    json_decref(v);
    json_decref(truth);
}
END_TEST

/* The same text for any number of threads; only the name and the size of the file tell it apart. */
START_TEST(test_tell_info_same_everywhere)
{
    struct packed zst = { 0 }, gz = { 0 };
    char *one, *other, *text;
    size_t count;

    ck_assert_int_eq(system(PRVGEN " --counters --size 2500000 --tasks 8 --flush-every 2000 g"), 0);
    text = slurp("g.prv", &count);
    packed_zstd(&zst, text, count, true);
    packed_gzip(&gz, text, count);
    free(text);
    one = info("g.prv", PRVCUT_FULL_TEXT, 1);
    other = info("g.prv", PRVCUT_FULL_TEXT, 3);
    ck_assert_str_eq(one, other);
    free(other);
    scratch_write("g.prv.zst", zst.at, zst.count);
    other = info("g.prv.zst", PRVCUT_FULL_TEXT, 2);
    ck_assert_ptr_nonnull(strstr(other, " (zstd, "));
    ck_assert_str_eq(strchr(one, '\n'), strchr(other, '\n'));
    free(other);
    scratch_write("g.prv.gz", gz.at, gz.count);
    other = info("g.prv.gz", PRVCUT_FULL_TEXT, 2);
    ck_assert_ptr_nonnull(strstr(other, " (gzip, "));
    ck_assert_str_eq(strchr(one, '\n'), strchr(other, '\n'));
    free(other);
    ck_assert_int_eq(mkfifo("p.prv", 0600), 0);
    ck_assert_int_eq(rename("g.pcf", "p.pcf"), 0);
    ck_assert_int_eq(system("cat g.prv >p.prv &"), 0);
    other = info("p.prv", PRVCUT_FULL_TEXT, 2);
    ck_assert_ptr_nonnull(strstr(other, "p.prv: Paraver, "));
    ck_assert_ptr_nonnull(strstr(other, " labels found (.pcf), no .row\n"));
    ck_assert_str_eq(strstr(one, "\nDuration"), strstr(other, "\nDuration"));
    free(other);
    free(one);
    free(zst.at);
    free(gz.at);
}
END_TEST

/* More event types than are kept apart: the rest is counted, whatever the number of threads. */
START_TEST(test_list_info_limits_event_types)
{
    const int types = 80000;
    FILE *file = fopen("m.prv", "w");
    char *one, *two;
    json_t *v;

    ck_assert_ptr_nonnull(file);
    fputs(HEAD, file);
    for (int i = 0; i < types; i++)
        fprintf(file, "2:1:1:1:1:%d:%d:1:50000001:0\n", i / 100, 1000 + i);
    ck_assert_int_eq(fclose(file), 0);
    one = info("m.prv", PRVCUT_JSON, 1);
    two = info("m.prv", PRVCUT_JSON, 2);
    ck_assert_str_eq(one, two);
    free(two);
    v = parse(one);
    ck_assert_uint_le(json_array_size(at(v, "event_types")), 65536);
    ck_assert_uint_gt(json_array_size(at(v, "event_types")), 20000);
    ck_assert_int_eq((long long)json_array_size(at(v, "event_types")) - 1 +
                         json_integer_value(at(v, "values_not_listed")),
                     types);
    json_decref(v);
}
END_TEST

static enum prvcut_status check(const char *path, enum prvcut_form form, char **text)
{
    const struct prvcut_run run = { .threads = 2 };

    memset(&error, 0, sizeof error);
    return prvcut_check(path, &run, NULL, form, text, &error);
}

START_TEST(test_check_sound_trace_is_sound)
{
    char *text;
    json_t *v;

    write_files(sound);
    ck_assert_int_eq(check("x.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_OK);
    ck_assert_msg(strcmp(text, "x.prv: sound, 21 records\n") == 0, "%s", text);
    free(text);
    ck_assert_int_eq(check("x.prv", PRVCUT_JSON, &text), PRVCUT_OK);
    v = parse(text);
    assert_text(v, "schema", "prvcut-check");
    assert_number(v, "version", 2);
    assert_text(v, "verdict", "sound");
    assert_number(v, "records.events", 14);
    ck_assert_uint_eq(json_array_size(at(v, "findings")), 0);
    json_decref(v);
}
END_TEST

static const char damaged[] = HEAD "1:1:1:1:1:500:400:1\n"
                                   "1:9:9:9:9:0:100:1\n"
                                   "2:1:1:1:1:510:50000001:0\n"
                                   "2:1:1:1:1:520:50000001:0\n"
                                   "2:1:1:1:1:100:4711:1\n"
                                   "rubbish\n"
                                   "3:1:1:1:1:600:600:3:1:3:1:600:2000:100:-1\n"
                                   "1:1:1:1:1:700:800";

START_TEST(test_check_damaged_trace_lists_findings)
{
    json_t *v, *finding;
    char *text;
    size_t i;

    write_files(damaged);
    write_text("x.row", "LEVEL NODE SIZE 7\na\n");
    ck_assert_int_eq(check("x.prv", PRVCUT_JSON, &text), PRVCUT_UNSOUND);
    v = parse(text);
    assert_text(v, "verdict", "damaged");
    ck_assert_uint_gt(json_array_size(at(v, "findings")), 6);
    json_array_foreach(at(v, "findings"), i, finding)
    {
        ck_assert_int_gt(json_integer_value(at(finding, "count")), 0);
        ck_assert_uint_gt(json_string_length(at(finding, "summary")), 0);
        ck_assert_uint_gt(json_string_length(at(finding, "example")), 0);
        ck_assert_msg(json_string_length(at(finding, "advice")) > 0, "what to do about %s?",
                      json_string_value(at(finding, "name")));
    }
    json_decref(v);
    ck_assert_int_eq(check("x.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_UNSOUND);
    ck_assert_ptr_nonnull(strstr(text, "note    state-backward"));
    ck_assert_ptr_nonnull(strstr(text, "note    type-unlabelled"));
    ck_assert_ptr_nonnull(strstr(text, "lines 6, 7:"));
    ck_assert_ptr_nonnull(strstr(text, ".row line"));
    ck_assert_ptr_nonnull(strstr(text, "\n          advice: "));
    /* Damage comes before what is only worth knowing; the verdict before all. */
    ck_assert(strstr(text, "\n  damage  last-line") < strstr(text, "\n  note    type-unlabelled"));
    ck_assert_int_eq(strncmp(text, "x.prv: damaged, ", strlen("x.prv: damaged, ")), 0);
    free(text);
}
END_TEST

/* The verdict, what to do about damage, and no more lines than one sees at once. */
START_TEST(test_check_tells_damage_first_and_shortly)
{
    char *text;
    unsigned lines = 0;

    write_files(damaged);
    ck_assert_int_eq(check("x.prv", PRVCUT_TEXT, &text), PRVCUT_UNSOUND);
    ck_assert_int_eq(strncmp(text, "x.prv: damaged, ", strlen("x.prv: damaged, ")), 0);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    ck_assert_uint_le(lines, 10);
    ck_assert_ptr_nonnull(strstr(text, "\n          advice: "));
    ck_assert_ptr_nonnull(strstr(text, " more kinds (-v lists all)\n"));
    free(text);
}
END_TEST

START_TEST(test_check_folds_habits_of_writers)
{
    char *text;

    write_files(HEAD "1:1:1:1:1:0:500:1\n1:1:1:1:1:500:400:1\n1:1:1:1:1:500:1000:1\n");
    ck_assert_int_eq(check("x.prv", PRVCUT_TEXT, &text), PRVCUT_OK);
    ck_assert_ptr_nonnull(
        strstr(text, "\n  1 known habit of tracers, harmless here (-v lists it)\n"));
    ck_assert_ptr_null(strstr(text, "state-backward"));
    free(text);
    ck_assert_int_eq(check("x.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "note    state-backward"));
    free(text);
}
END_TEST

START_TEST(test_check_note_alone_is_sound)
{
    char *text;

    write_text("x.prv", sound);
    ck_assert_int_eq(check("x.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "note    pcf-missing"));
    ck_assert_int_eq(strncmp(text, "x.prv: sound, ", strlen("x.prv: sound, ")), 0);
    free(text);
}
END_TEST

/* A pipe is read but once, and compressed traces are as good as plain ones. */
START_TEST(test_check_reads_pipes_and_compressed_traces)
{
    struct packed zst = { 0 };
    char *text;

    write_files(sound);
    packed_zstd(&zst, sound, strlen(sound), true);
    scratch_write("x.prv.zst", zst.at, zst.count);
    ck_assert_int_eq(check("x.prv.zst", PRVCUT_FULL_TEXT, &text), PRVCUT_OK);
    ck_assert_str_eq(text, "x.prv.zst: sound, 21 records\n");
    free(text);
    ck_assert_int_eq(mkfifo("x.fifo", 0600), 0);
    ck_assert_int_eq(system("cat x.prv >x.fifo &"), 0);
    ck_assert_int_eq(check("x.fifo", PRVCUT_FULL_TEXT, &text), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "x.fifo: sound, 21 records\n"));
    free(text);
    free(zst.at);
}
END_TEST

/* What stands before the damage is judged all the same. */
START_TEST(test_check_finds_cut_compressed_stream)
{
    struct packed zst = { 0 };
    char *text, *prv;
    size_t count;

    ck_assert_int_eq(system(PRVGEN " --size 2500000 --tasks 8 g"), 0);
    prv = slurp("g.prv", &count);
    packed_zstd(&zst, prv, count, true);
    scratch_write("g.prv.zst", zst.at, zst.count / 2);
    ck_assert_int_eq(check("g.prv.zst", PRVCUT_FULL_TEXT, &text), PRVCUT_UNSOUND);
    ck_assert_ptr_nonnull(strstr(text, "damage  stream"));
    ck_assert_int_eq(strncmp(text, "g.prv.zst: damaged, ", strlen("g.prv.zst: damaged, ")), 0);
    free(text);
    free(prv);
    free(zst.at);
}
END_TEST

START_TEST(test_check_refuses_what_is_no_trace)
{
    char *text;

    ck_assert_int_eq(check("none.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_EIO);
    ck_assert_ptr_null(text);
    write_text("empty.prv", "");
    ck_assert_int_eq(check("empty.prv", PRVCUT_FULL_TEXT, &text), PRVCUT_ENOTRACE);
    write_text("other.prv", "not a trace\n");
    ck_assert_int_eq(check("other.prv", PRVCUT_JSON, &text), PRVCUT_ENOTRACE);
    ck_assert_ptr_null(text);
    ck_assert_ptr_nonnull(strstr(error.text, "other.prv"));
    write_text("header.prv", "#Paraver (20/11/2026 at 11:44):x_ns:1(1):1:1(1:1)\n");
    ck_assert_int_eq(check("header.prv", PRVCUT_JSON, &text), PRVCUT_EFORMAT);
}
END_TEST

START_TEST(test_tell_version_names_libraries_and_formats)
{
    static const char *const names[] = { "FFTW ",    "zstd ",    "zlib ",
                                         "jansson ", "libxml2 ", "libarchive ",
                                         "nettle ",  "paraver ", "perfetto " };
    const char *text = prvcut_built_with();

    char header[64];

    snprintf(header, sizeof header, "%d.%d.%d", PRVCUT_VERSION_MAJOR, PRVCUT_VERSION_MINOR,
             PRVCUT_VERSION_PATCH);
    ck_assert_str_eq(prvcut_version(), header);
    ck_assert_str_eq(prvcut_version(), PRVCUT_VERSION);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(strstr(text, names[i]) != NULL, "no %s in %s", names[i], text);
    ck_assert_ptr_nonnull(strstr(text, ZSTD_versionString()));
    ck_assert_ptr_nonnull(strstr(text, zlibVersion()));
    ck_assert_ptr_eq(text, prvcut_built_with());
    ck_assert_str_eq(text + strlen(text) - 1, "\n");
}
END_TEST

static Suite *inspect_suite(void)
{
    Suite *suite = suite_create("inspect");
    TCase *tests = tcase_create("inspect");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_tell_info_of_sound_trace);
    tcase_add_test(tests, test_tell_info_answers_on_one_screen);
    tcase_add_test(tests, test_list_info_of_sound_trace);
    tcase_add_test(tests, test_tell_info_of_empty_trace);
    tcase_add_test(tests, test_tell_info_names_what_is_odd);
    tcase_add_test(tests, test_list_info_of_generated_trace_counts_all);
    tcase_add_test(tests, test_tell_info_same_everywhere);
    tcase_add_test(tests, test_list_info_limits_event_types);
    tcase_add_test(tests, test_check_sound_trace_is_sound);
    tcase_add_test(tests, test_check_damaged_trace_lists_findings);
    tcase_add_test(tests, test_check_tells_damage_first_and_shortly);
    tcase_add_test(tests, test_check_folds_habits_of_writers);
    tcase_add_test(tests, test_check_note_alone_is_sound);
    tcase_add_test(tests, test_check_reads_pipes_and_compressed_traces);
    tcase_add_test(tests, test_check_finds_cut_compressed_stream);
    tcase_add_test(tests, test_check_refuses_what_is_no_trace);
    tcase_add_test(tests, test_tell_version_names_libraries_and_formats);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(inspect_suite());
}
