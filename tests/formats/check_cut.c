#include "records.h"

#include "base/source.h"
#include "paraver/paraver.h"
#include "prvcut/inspect.h"
#include "prvcut/reduce.h"
#include "runner.h"
#include "tests/base/packed.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <stdarg.h>

/* PRVGEN, PRVBRUTE: paths of the generator and of the reference cut. */

static struct prvcut_error error;

static bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

static void generate(const char *options)
{
    ck_assert(shell(PRVGEN " --tasks 5 --iterations 20 %s g", options));
}

static struct prvcut_trace *open_scanned(const char *path)
{
    struct prvcut_trace *t;
    struct records r = { 0 };

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &error), PRVCUT_OK);
    records_scan(&r, t, &(struct records_how){ .threads = 2 });
    ck_assert_str_eq(r.err.text, "");
    ck_assert_int_eq(r.status, PRVCUT_OK);
    records_fini(&r);
    return t;
}

static enum prvcut_status cut_trace(struct prvcut_trace *t, const struct prvcut_window *w,
                                    const struct prvcut_cut_options *o,
                                    struct prvcut_cut_summary *sum)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_cut_options with = *o;

    if (!with.path)
        with.path = "cut.prv";
    memset(&error, 0, sizeof error);
    memset(sum, 0, sizeof *sum);
    return t->reader->cut(t, &run, w, &with, sum, &error);
}

/* Cut that must succeed, over what is there. */
static void cut_well(struct prvcut_trace *t, const struct prvcut_window *w,
                     const struct prvcut_cut_options *o, struct prvcut_cut_summary *sum)
{
    struct prvcut_cut_options with = *o;

    with.force = true;
    with.command = "prvcut test";
    ck_assert_int_eq(cut_trace(t, w, &with, sum), PRVCUT_OK);
    ck_assert_str_eq(error.text, "");
}

static struct prvcut_cut_summary cut_path(const char *path, uint64_t from, uint64_t to,
                                          struct prvcut_cut_options options)
{
    struct prvcut_trace *t = open_scanned(path);
    struct prvcut_cut_summary sum;

    cut_well(t, &(struct prvcut_window){ .from = from, .to = to }, &options, &sum);
    prvcut_trace_close(t);
    return sum;
}

/* A sound trace: it reads, in order where the original was, within its header's end. */
static void expect_sound(const char *path, const struct prvcut_cut_summary *sum, bool sorted)
{
    struct records r = records_read(path, (struct records_how){ .threads = 1 });

    ck_assert_str_eq(r.err.text, "");
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert(!sorted || r.counts.unsorted == 0);
    ck_assert_uint_eq(r.counts.beyond_end, 0);
    ck_assert_uint_eq(r.counts.states, sum->states);
    ck_assert_uint_eq(r.counts.messages, sum->messages);
    ck_assert_uint_eq(r.counts.bytes, sum->bytes);
    records_fini(&r);
}

/* prvcut check finds no damage. */
static void expect_checked(const char *path)
{
    const struct prvcut_run run = { .threads = 1 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_check(path, &run, NULL, false, &text, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s", text ? text : error.text);
    free(text);
}

static void expect_reference(const char *trace, const char *window)
{
    ck_assert(traces_same_cut(PRVBRUTE, window, trace, "cut.prv", "scratch"));
}

/* Messages that the reference dropped at the borders of the same window. */
static uint64_t reference_dropped(const char *trace, const char *window)
{
    unsigned long long n;
    FILE *file;

    ck_assert(shell(PRVBRUTE " %s %s 2>words >/dev/null", window, trace));
    file = fopen("words", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "dropped communications: %llu", &n), 1);
    fclose(file);
    return n;
}

/* --- Straight windows and one per thread, on all that the generator makes --------------------- */

static const char *const modes[] = {
    "",
    "--inner 4,3,2,2 --iterations 4",
    "--skew-ns 200000 --every-k 5",
    "--pipeline --inner 3",
    "--aperiodic",
    "--flush-every 300 --flush-ns 3000000",
    "--preempt 3 --counters",
    "--counters --threads-per-task 3 --flush-every 300",
    "--no-states",
    "--no-calls",
    "--burst-mode",
    "--microseconds --counters",
    "--crlf",
    "--applications 3 --nodes 2 --threads-per-task 2",
    "--microseconds --threads-per-task 2 --clog 2",
};

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

/* A time on a microsecond, so that it is one on a tick of every trace. */
static uint64_t draw(uint64_t *seed, uint64_t end)
{
    return scratch_random(seed) * 1000003 % (end / 1000) * 1000;
}

START_TEST(test_cut_straight_as_reference)
{
    struct prvcut_trace *t;
    uint64_t seed = (uint64_t)_i + 77;
    char window[128];

    generate(modes[_i]);
    /* The reference knows fewer of OpenMP's types by number alone. */
    if (_i % 3 == 1 && !strstr(modes[_i], "threads-per-task"))
        ck_assert_int_eq(unlink("g.pcf"), 0);
    t = open_scanned("g.prv");
    for (int i = 0; i < 5; i++) {
        const uint64_t from = i == 0 ? 0 : draw(&seed, t->end_ns);
        const uint64_t length = (draw(&seed, t->end_ns - from) >> (i % 4 * 2)) / 1000 * 1000;
        const bool keep = i % 2 == 1;
        const struct prvcut_window w = { .from = from, .to = from + length + 1000 };
        struct prvcut_cut_summary sum, dry;

        snprintf(window, sizeof window, "%s--from %" PRIu64 " --to %" PRIu64,
                 keep ? "--keep-time " : "", w.from, w.to);
        cut_well(t, &w, &(struct prvcut_cut_options){ .keep_time = keep }, &sum);
        expect_reference("g.prv", window);
        expect_sound("cut.prv", &sum, true);
        if (sum.states + sum.events + sum.messages > 0)
            expect_checked("cut.prv");
        ck_assert_uint_eq(sum.dropped_messages, reference_dropped("g.prv", window));
        cut_well(t, &w, &(struct prvcut_cut_options){ .keep_time = keep, .dry_run = true }, &dry);
        ck_assert_uint_eq(dry.bytes, sum.bytes);
        ck_assert_uint_eq(dry.states, sum.states);
        ck_assert_uint_eq(dry.events, sum.events);
        ck_assert_uint_eq(dry.size, 0);
        prvcut_cut_summary_fini(&sum);
        prvcut_cut_summary_fini(&dry);
    }
    prvcut_trace_close(t);
}
END_TEST

/* A border of its own for each thread; one thread in five is left out. */
struct borders {
    struct prvcut_window window;
    uint64_t *from, *to;
};

static struct borders draw_borders(const struct prvcut_trace *t, uint64_t *seed)
{
    const uint64_t middle = draw(seed, t->end_ns), wide = t->end_ns / 20;
    struct borders b = { .from = calloc(t->objects.threads, sizeof *b.from),
                         .to = calloc(t->objects.threads, sizeof *b.to) };
    FILE *file = fopen("windows", "w");

    ck_assert(b.from && b.to && file);
    b.window = (struct prvcut_window){ .from = UINT64_MAX };
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        if (i % 5 == 3)
            continue;
        b.from[i] = middle + draw(seed, wide);
        b.to[i] = middle + wide / 1000 * 1000 + draw(seed, wide);
        fprintf(file, "%u %" PRIu64 " %" PRIu64 "\n", i, b.from[i], b.to[i]);
        b.window.from = b.from[i] < b.window.from ? b.from[i] : b.window.from;
        b.window.to = b.to[i] > b.window.to ? b.to[i] : b.window.to;
    }
    fclose(file);
    b.window.thread_from = b.from;
    b.window.thread_to = b.to;
    return b;
}

START_TEST(test_cut_per_thread_as_reference)
{
    struct prvcut_trace *t;
    uint64_t seed = (uint64_t)_i + 1;

    generate(modes[_i]);
    t = open_scanned("g.prv");
    for (int i = 0; i < 3; i++) {
        struct borders b = draw_borders(t, &seed);
        struct prvcut_cut_summary sum;

        cut_well(t, &b.window, &(struct prvcut_cut_options){ 0 }, &sum);
        expect_reference("g.prv", "--windows windows");
        expect_sound("cut.prv", &sum, true);
        if (sum.states + sum.events + sum.messages > 0)
            expect_checked("cut.prv");
        prvcut_cut_summary_fini(&sum);
        cut_well(t, &b.window, &(struct prvcut_cut_options){ .keep_messages = true }, &sum);
        expect_sound("cut.prv", &sum, true);
        prvcut_cut_summary_fini(&sum);
        free(b.from);
        free(b.to);
    }
    prvcut_trace_close(t);
}
END_TEST

/* --- Real traces ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    double from, part; /* of the duration */
} real[] = {
    { "lu.S.8.flush", 0.3, 0.05 },    { "lu.S.8.flush", 0, 1 },   { "bt.W.4.hwc", 0.5, 0.02 },
    { "cg.W.4.sampling", 0.61, 0.1 }, { "comd.8.ctl", 0.1, 0.7 }, { "sp.W.9.burst", 0.4, 0.05 },
    { "lulesh.8.omp", 0.5, 0.0005 },  { "bt.S.4", 0.85, 0.1 },
};

START_TEST(test_cut_real_trace_as_reference)
{
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;
    struct prvcut_window w;
    char path[4096], window[128];

    if (!traces_unpack(real[_i].name, path, sizeof path)) {
        printf("skipped: no trace %s\n", real[_i].name);
        return;
    }
    t = open_scanned(path);
    w.from = (uint64_t)((double)t->end_ns * real[_i].from);
    w.to = w.from + (uint64_t)((double)t->end_ns * real[_i].part);
    w.thread_from = w.thread_to = NULL;
    snprintf(window, sizeof window, "--from %" PRIu64 " --to %" PRIu64, w.from, w.to);
    cut_well(t, &w, &(struct prvcut_cut_options){ 0 }, &sum);
    expect_reference(path, window);
    expect_sound("cut.prv", &sum, true);
    ck_assert_uint_gt(sum.events, 0);
    prvcut_cut_summary_fini(&sum);
    prvcut_trace_close(t);
}
END_TEST

/* --- What is inside a thread's window: time per state and per call -----------------------------
 */

enum { OBJECTS = 64, STATES = 64, CALLS = 256, CALL_TYPES = 3 };

struct profile {
    uint64_t state[OBJECTS][STATES];
    uint64_t call[OBJECTS][CALL_TYPES][CALLS];
};

/* Where each thread is at a time, by type of call. */
struct inside {
    uint64_t since[OBJECTS][CALL_TYPES];
    uint64_t value[OBJECTS][CALL_TYPES];
};

static uint64_t overlap(uint64_t begin, uint64_t end, uint64_t from, uint64_t to)
{
    begin = begin < from ? from : begin;
    end = end > to ? to : end;
    return end > begin ? end - begin : 0;
}

static void profile_event(struct profile *p, struct inside *in, char *line, uint64_t from,
                          uint64_t to)
{
    uint64_t field[64], time;
    size_t n = 0;

    for (char *at = strtok(line, ":\r\n"); at && n < 64; at = strtok(NULL, ":\r\n"))
        field[n++] = strtoull(at, NULL, 10);
    time = field[5];
    for (size_t i = 6; i + 1 < n; i += 2) {
        const uint64_t type = field[i] - 50000001, task = field[3];

        if (type >= CALL_TYPES)
            continue;
        ck_assert(task < OBJECTS && field[i + 1] < CALLS);
        p->call[task][type][in->value[task][type]] +=
            overlap(in->since[task][type], time, from, to);
        in->since[task][type] = time;
        in->value[task][type] = field[i + 1];
    }
}

/* One thread a task; in the window [from, to). */
static void profile_read(struct profile *p, const char *path, uint64_t from, uint64_t to)
{
    struct inside *in = calloc(1, sizeof *in);
    char line[8192];
    FILE *file = fopen(path, "r");

    ck_assert(in && file);
    memset(p, 0, sizeof *p);
    while (fgets(line, sizeof line, file)) {
        unsigned task, state;
        uint64_t begin, end;

        if (sscanf(line, "1:%*u:%*u:%u:%*u:%" SCNu64 ":%" SCNu64 ":%u", &task, &begin, &end,
                   &state) == 4)
            p->state[task][state] += overlap(begin, end, from, to);
        else if (line[0] == '2')
            profile_event(p, in, line, from, to);
    }
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < CALL_TYPES; k++)
            p->call[i][k][in->value[i][k]] += overlap(in->since[i][k], to, from, to);
    fclose(file);
    free(in);
}

static void expect_same_profile(const char *path, uint64_t end, uint64_t seed)
{
    struct profile *a = malloc(sizeof *a), *b = malloc(sizeof *b);

    ck_assert(a && b);
    for (int i = 0; i < 3; i++) {
        const uint64_t from = draw(&seed, end), to = from + 1000 + draw(&seed, end - from);
        struct prvcut_cut_summary sum = cut_path(path, from, to, (struct prvcut_cut_options){ 0 });

        profile_read(a, path, from, to);
        profile_read(b, "cut.prv", 0, to - from);
        ck_assert_mem_eq(a, b, sizeof *a);
        prvcut_cut_summary_fini(&sum);
    }
    free(a);
    free(b);
}

START_TEST(test_cut_keeps_time_per_state_and_call)
{
    struct prvcut_trace *t;

    generate("--inner 3 --counters --flush-every 500 --pipeline");
    t = open_scanned("g.prv");
    expect_same_profile("g.prv", t->end_ns, 5);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_cut_keeps_time_per_state_and_call_of_real_trace)
{
    static const char *const name[] = { "lu.S.8.flush", "bt.S.4", "bt.W.4.hwc" };
    struct prvcut_trace *t;
    char path[4096];

    if (!traces_unpack(name[_i], path, sizeof path)) {
        printf("skipped: no trace %s\n", name[_i]);
        return;
    }
    t = open_scanned(path);
    expect_same_profile(path, t->end_ns, (uint64_t)_i + 1);
    prvcut_trace_close(t);
}
END_TEST

/* --- By hand ---------------------------------------------------------------------------------- */

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(3):1:3(1:1,1:1,1:1),1\n"
#define COMM "c:1:1:3:1:2:3\n"

static void write_trace(const char *body)
{
    FILE *file = fopen("x.prv", "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, HEAD COMM "# before\n%s", body);
    fclose(file);
}

/* What stands behind the provenance lines of the cut. */
static void expect_records(const char *want)
{
    char have[8192] = "";
    size_t count;
    FILE *file;

    ck_assert(shell("grep '^[1-3]:' cut.prv >records; true"));
    file = fopen("records", "r");
    ck_assert_ptr_nonnull(file);
    count = fread(have, 1, sizeof have - 1, file);
    have[count] = '\0';
    fclose(file);
    ck_assert_str_eq(have, want);
}

static const char by_hand[] = "1:1:1:1:1:0:600:1\n"
                              "1:2:1:2:1:0:100:1\n"
                              "1:3:1:3:1:0:1000:7\n"
                              "2:1:1:1:1:50:50000001:4:70000001:9:42000050:77\n"
                              "1:2:1:2:1:100:900:3\n"
                              "3:2:1:2:1:120:130:1:1:1:1:50:410:64:1\n"
                              "2:2:1:2:1:150:60000001:1:1000:5\n"
                              "2:2:1:2:1:160:50000001:1\n"
                              "2:2:1:2:1:170:60000001:0\n"
                              "2:3:1:3:1:200:50000002:8\n"
                              "2:3:1:3:1:210:50000002:0\n"
                              "3:1:1:1:1:320:330:2:1:2:1:300:400:18446744073709551:-7\n"
                              "2:1:1:1:1:420:50000001:0:42000050:5:42000059:6\n"
                              "2:1:1:1:1:430:1234:-9:42000050:8:42000059:9:42000000:3\n"
                              "2:2:1:2:1:450:50000001:0:999999:1\n"
                              "3:1:1:1:1:470:480:2:1:2:1:460:500:1:1\n"
                              "3:1:1:1:1:471:481:2:1:2:1:460:501:1:1\n"
                              "2:3:1:3:1:490:50000001:1:50000001:5\n"
                              "3:3:1:3:1:480:500:2:1:2:1:460:490:2:2\n"
                              "3:3:1:3:1:500:500:2:1:2:1:460:490:3:3\n"
                              "2:3:1:3:1:500:50000001:0\n"
                              "1:1:1:1:1:600:1000:1\n";

START_TEST(test_cut_by_hand_line_by_line)
{
    struct prvcut_cut_summary sum;

    write_trace(by_hand);
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ 0 });
    expect_records("1:1:1:1:1:0:200:1\n"
                   "2:1:1:1:1:0:50000001:4:70000001:9\n"
                   "1:2:1:2:1:0:200:3\n"
                   "2:2:1:2:1:0:50000001:1\n"
                   "1:3:1:3:1:0:200:7\n"
                   "3:1:1:1:1:20:30:2:1:2:1:0:100:18446744073709551:-7\n"
                   "2:1:1:1:1:120:50000001:0:42000050:0:42000059:0\n"
                   "2:1:1:1:1:130:1234:-9:42000050:8:42000059:9:42000000:0\n"
                   "2:2:1:2:1:150:50000001:0:999999:1\n"
                   "3:1:1:1:1:170:180:2:1:2:1:160:200:1:1\n"
                   "2:3:1:3:1:190:50000001:1:50000001:5\n"
                   "3:3:1:3:1:180:200:2:1:2:1:160:190:2:2\n"
                   "2:3:1:3:1:200:50000001:0\n");
    ck_assert(shell("head -n 1 cut.prv | grep -qF '#Paraver (20/11/2026 at 11:44):200_ns:1(3):'"));
    ck_assert(shell("sed -n 2p cut.prv | grep -qxF 'c:1:1:3:1:2:3'"));
    ck_assert(shell("sed -n 3p cut.prv | grep -qxF '# before'"));
    ck_assert(shell("sed -n 4p cut.prv |"
                    " grep -qxF '#20261120114400:CUTTER:ORIGINAL:\"x.prv\":300:300:500'"));
    ck_assert_uint_eq(sum.states, 3);
    ck_assert_uint_eq(sum.clipped_states, 3);
    ck_assert_uint_eq(sum.reopened, 2);
    ck_assert_uint_eq(sum.closed, 1);
    ck_assert_uint_eq(sum.zeroed_counters, 3);
    ck_assert_uint_eq(sum.messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 3);
    ck_assert_uint_eq(sum.files, 1);
    expect_sound("cut.prv", &sum, true);
    prvcut_cut_summary_fini(&sum);
}
END_TEST

/* What one line opened and another one opened again comes back once, where it was opened last. */
START_TEST(test_cut_reopens_each_region_once)
{
    struct prvcut_cut_summary sum;

    write_trace("2:1:1:1:1:10:50000001:4:60000001:1:70000001:9\n"
                "2:1:1:1:1:20:50000001:4:70000001:8\n"
                "2:2:1:2:1:30:50000001:4:50000001:0:60000001:2\n"
                "2:3:1:3:1:40:50000001:4\n"
                "2:3:1:3:1:50:50000001:0\n"
                "2:1:1:1:1:200:50000001:0:60000001:0\n");
    sum = cut_path("x.prv", 100, 200, (struct prvcut_cut_options){ 0 });
    expect_records("2:1:1:1:1:0:60000001:1:70000001:9\n"
                   "2:1:1:1:1:0:50000001:4:70000001:8\n"
                   "2:2:1:2:1:0:60000001:2\n"
                   "2:1:1:1:1:100:50000001:0:60000001:0\n"
                   "2:2:1:2:1:100:60000001:0\n");
    ck_assert_uint_eq(sum.reopened, 3);
    ck_assert_uint_eq(sum.closed, 2);
    prvcut_cut_summary_fini(&sum);
}
END_TEST

/* No record, and not even a line end: still a header, then the provenance. */
START_TEST(test_cut_header_only_is_sound)
{
    static const char *const text[] = { HEAD, "#Paraver (20/11/2026 at 11:44):1000_ns:0:1:1(1:0)" };
    struct prvcut_cut_summary sum;

    scratch_write("x.prv", text[_i], strlen(text[_i]));
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ 0 });
    expect_sound("cut.prv", &sum, true);
    ck_assert(shell("sed -n 2p cut.prv | grep -q '^#20261120114400:CUTTER:'"));
    prvcut_cut_summary_fini(&sum);
}
END_TEST

/* An end outside moves to the border; every time of the cut is inside. */
START_TEST(test_cut_keeps_messages_with_ends_moved)
{
    struct prvcut_cut_summary sum;

    write_trace(by_hand);
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ .keep_messages = true });
    ck_assert_uint_eq(sum.messages, 6);
    ck_assert_uint_eq(sum.kept_messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 0);
    ck_assert(shell("grep -qxF '3:2:1:2:1:0:0:1:1:1:1:0:110:64:1' cut.prv"));
    ck_assert(shell("grep -qxF '3:1:1:1:1:171:181:2:1:2:1:160:200:1:1' cut.prv"));
    expect_sound("cut.prv", &sum, true);
    prvcut_cut_summary_fini(&sum);
}
END_TEST

START_TEST(test_cut_keeps_messages_inside_window)
{
    uint64_t seed = 9;
    struct prvcut_trace *t;

    generate("--clog 3 --pipeline --inner 2");
    t = open_scanned("g.prv");
    for (int i = 0; i < 4; i++) {
        const uint64_t from = draw(&seed, t->end_ns);
        const struct prvcut_window w = { .from = from, .to = from + t->end_ns / 30 };
        struct prvcut_cut_summary sum, dropped;

        cut_well(t, &w, &(struct prvcut_cut_options){ .dry_run = true }, &dropped);
        cut_well(t, &w, &(struct prvcut_cut_options){ .keep_messages = true }, &sum);
        ck_assert_uint_eq(sum.kept_messages, dropped.dropped_messages);
        ck_assert_uint_eq(sum.messages, dropped.messages + dropped.dropped_messages);
        expect_sound("cut.prv", &sum, true);
        prvcut_cut_summary_fini(&sum);
        prvcut_cut_summary_fini(&dropped);
    }
    prvcut_trace_close(t);
}
END_TEST

/* --- Collectives of which only some calls are inside ------------------------------------------ */

#define ENTER(task, time) "2:" #task ":1:" #task ":1:" #time ":50000002:8:50100004:1:50100001:0\n"
#define LEAVE(task, time) "2:" #task ":1:" #task ":1:" #time ":50000002:0\n"
#define BARRIER1          ENTER(1, 100) ENTER(2, 140) ENTER(3, 190) LEAVE(3, 200) LEAVE(2, 201) LEAVE(1, 202)
#define BARRIER2          ENTER(2, 300) ENTER(1, 310) ENTER(3, 390) LEAVE(1, 400) LEAVE(2, 401) LEAVE(3, 450)
#define BARRIER3          ENTER(3, 500) ENTER(1, 550) ENTER(2, 590) LEAVE(1, 600) LEAVE(2, 601) LEAVE(3, 602)

static const struct {
    const char *what;
    uint64_t from, to, split;
} splits[] = {
    { "whole ones", 50, 700, 0 },
    { "borders between them", 250, 470, 0 },
    { "right border: two tasks have entered", 250, 560, 1 },
    { "right border: one task has entered", 250, 520, 1 },
    { "right border: all have entered", 250, 595, 0 },
    { "left border: one task has left", 401, 470, 1 },
    { "left border: two tasks have left", 420, 700, 1 },
    { "both borders", 402, 560, 2 },
    { "left border: all inside it", 395, 700, 0 },
    { "inside one, nobody has left", 392, 399, 0 },
};

START_TEST(test_count_split_collectives)
{
    struct prvcut_cut_summary sum;

    write_trace(BARRIER1 BARRIER2 BARRIER3);
    sum = cut_path("x.prv", splits[_i].from, splits[_i].to, (struct prvcut_cut_options){ 0 });
    ck_assert_msg(sum.split_collectives == splits[_i].split, "%s: %" PRIu64, splits[_i].what,
                  sum.split_collectives);
    prvcut_cut_summary_fini(&sum);
}
END_TEST

/* --- Far back --------------------------------------------------------------------------------- */

/* A state, a call and a message that began many blocks before the window. */
START_TEST(test_cut_finds_what_began_far_back)
{
    FILE *file = fopen("x.prv", "w");
    struct prvcut_cut_summary sum;

    ck_assert_ptr_nonnull(file);
    fputs("#Paraver (20/11/2026 at 11:44):2000000_ns:1(3):1:3(1:1,1:1,1:1),1\n" COMM
          "1:2:1:2:1:0:1999999:1\n"
          "2:3:1:3:1:5:50000001:3:70000001:8:60000001:1\n"
          "2:2:1:2:1:6:50000003:31\n"
          "2:2:1:2:1:7:50000003:0\n"
          "3:2:1:2:1:10:20:3:1:3:1:5:1999000:4:4\n",
          file);
    for (unsigned i = 100; i < 400000; i++)
        fprintf(file, "2:%d:1:%d:1:%u:%u:%u\n", i == 120000 ? 3 : 1, i == 120000 ? 3 : 1, i,
                i == 120000 ? 60000001U : 50000001U, i == 120000 ? 0 : i % 2);
    fputs("2:3:1:3:1:1999990:50000001:0\n", file);
    fclose(file);
    for (int i = 0; i < 3; i++) {
        static const char *const window[] = { "--from 399000 --to 1999995",
                                              "--from 150000 --to 150100", "--from 8 --to 200" };
        uint64_t from, to;

        ck_assert_int_eq(sscanf(window[i], "--from %" SCNu64 " --to %" SCNu64, &from, &to), 2);
        sum = cut_path("x.prv", from, to, (struct prvcut_cut_options){ 0 });
        expect_reference("x.prv", window[i]);
        expect_sound("cut.prv", &sum, true);
        ck_assert_uint_eq(sum.dropped_messages, reference_dropped("x.prv", window[i]));
        prvcut_cut_summary_fini(&sum);
    }
}
END_TEST

/* A damaged line that is skipped opens and closes nothing, wherever the search starts. */
START_TEST(test_cut_lenient_ignores_damaged_lines)
{
    static const char *const damaged[] = { "2:3:1:3:1:150000:50000001:0:x\n",
                                           "2:3:1:3:1:150000:50000001:7:1\n" };
    const struct prvcut_open_options lenient = { .lenient = true };
    const struct prvcut_window w = { .from = 390000, .to = 390010 };
    FILE *file = fopen("x.prv", "w");
    struct prvcut_cut_summary sum;
    struct records r = { 0 };
    struct prvcut_trace *t;

    ck_assert_ptr_nonnull(file);
    fputs("#Paraver (20/11/2026 at 11:44):400000_ns:1(3):1:3(1:1,1:1,1:1),1\n" COMM
          "2:3:1:3:1:5:50000001:3:70000001:8\n",
          file);
    for (unsigned i = 100; i < 400000; i++) {
        fprintf(file, "2:1:1:1:1:%u:50000001:%u\n", i, i % 2);
        if (i == 150000)
            fputs(damaged[_i], file);
    }
    fclose(file);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", &lenient, &error), PRVCUT_OK);
    records_scan(&r, t, &(struct records_how){ .threads = 2 });
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.skipped, 1);
    records_fini(&r);
    cut_well(t, &w, &(struct prvcut_cut_options){ 0 }, &sum);
    ck_assert(shell("grep -qx '2:3:1:3:1:0:50000001:3:70000001:8' cut.prv"));
    prvcut_cut_summary_fini(&sum);
    prvcut_trace_close(t);
}
END_TEST

enum { MANY = 40000 };

/* So many threads that snapshots of what is open are thinned out: all is found again. */
START_TEST(test_cut_reopens_with_thinned_snapshots)
{
    uint16_t *value = calloc(MANY, sizeof *value), *wanted = calloc(MANY, sizeof *wanted);
    const unsigned events = 700000, from = 500000 + (unsigned)_i * 97331;
    FILE *file = fopen("x.prv", "w");
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;
    uint64_t seed = 4;
    char line[256];

    ck_assert(file && value && wanted);
    fprintf(file, "#Paraver (20/11/2026 at 11:44):%u_ns:1(%u):1:%u(", events + 1, MANY, MANY);
    for (int i = 0; i < MANY; i++)
        fprintf(file, "%s1:1", i > 0 ? "," : "");
    fputs(")\n", file);
    for (unsigned i = 0; i < events; i++) {
        const unsigned thread = (unsigned)(scratch_random(&seed) % MANY);

        if (i == from)
            memcpy(wanted, value, MANY * sizeof *value);
        value[thread] = value[thread] ? 0 : (uint16_t)(1 + scratch_random(&seed) % 50);
        fprintf(file, "2:%u:1:%u:1:%u:50000001:%u\n", thread + 1, thread + 1, i, value[thread]);
    }
    fclose(file);
    t = open_scanned("x.prv");
    ck_assert_uint_gt(((struct prv_trace *)t)->index.stride, 1);
    cut_well(t, &(struct prvcut_window){ .from = from, .to = from + 1 },
             &(struct prvcut_cut_options){ 0 }, &sum);
    prvcut_trace_close(t);
    file = fopen("cut.prv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        unsigned thread, v;

        /* What opens again at 0; the window's only own event may follow it. */
        if (sscanf(line, "2:%*u:1:%u:1:0:50000001:%u", &thread, &v) != 2 || v == 0 ||
            wanted[thread - 1] != v)
            continue;
        wanted[thread - 1] = 0;
        sum.reopened--;
    }
    fclose(file);
    for (int i = 0; i < MANY; i++)
        ck_assert_uint_eq(wanted[i], 0);
    ck_assert_uint_eq(sum.reopened, 0);
    prvcut_cut_summary_fini(&sum);
    free(value);
    free(wanted);
}
END_TEST

/* Lines in any order, also those of one thread: the same records are inside. */
START_TEST(test_cut_unsorted_trace_as_reference)
{
    uint64_t seed = 11;
    struct prvcut_trace *t;
    char window[128];

    generate("--inner 3 --threads-per-task 2");
    ck_assert(shell("{ grep -v '^[123]:' g.prv;"
                    " grep '^[123]:' g.prv | awk '{ print (NR * 7919) %% 4001, NR, $0 }' |"
                    " sort -k1,1n -k2,2n | cut -d' ' -f3-; } >u.prv && cp g.pcf u.pcf"));
    t = open_scanned("u.prv");
    for (int i = 0; i < 4; i++) {
        const uint64_t from = draw(&seed, t->end_ns);
        const struct prvcut_window w = { .from = from, .to = from + 1000 + t->end_ns / 50 };
        struct prvcut_cut_summary sum;

        snprintf(window, sizeof window, "--from %" PRIu64 " --to %" PRIu64, w.from, w.to);
        cut_well(t, &w, &(struct prvcut_cut_options){ 0 }, &sum);
        expect_reference("u.prv", window);
        expect_sound("cut.prv", &sum, false);
        prvcut_cut_summary_fini(&sum);
    }
    prvcut_trace_close(t);
}
END_TEST

/* --- In and out of other files ------------------------------------------------------------------
 */

#define FROM 1100000000
#define TO   1150000000
#define BIG  "--size 4000000 --tasks 16 --iterations 100 --counters --init-ns 1000000000"

START_TEST(test_cut_packed_trace_as_plain)
{
    struct prvcut_cut_summary sum;

    generate(BIG);
    sum = cut_path("g.prv", FROM, TO, (struct prvcut_cut_options){ .path = "plain.prv" });
    ck_assert_uint_gt(sum.events, 300);
    prvcut_cut_summary_fini(&sum);
    ck_assert(shell("mkdir p && cp g.pcf g.row p && gzip -c g.prv >p/g.prv.gz"));
    sum = cut_path("p/g.prv.gz", FROM, TO, (struct prvcut_cut_options){ .path = "gz.prv" });
    prvcut_cut_summary_fini(&sum);
    ck_assert(shell("rm p/g.prv.gz && zstd -qc g.prv >p/g.prv.zst"));
    sum = cut_path("p/g.prv.zst", FROM, TO, (struct prvcut_cut_options){ .path = "zst.prv" });
    prvcut_cut_summary_fini(&sum);
    ck_assert(shell("for i in plain gz zst; do grep -v CUTTER $i.prv >$i.text; done &&"
                    " cmp plain.text gz.text && cmp plain.text zst.text &&"
                    " cmp gz.pcf g.pcf && cmp zst.row g.row"));
}
END_TEST

START_TEST(test_cut_into_packed_file_the_same)
{
    struct prvcut_cut_summary sum;

    generate("--counters");
    sum = cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "p.prv" });
    ck_assert_uint_eq(sum.files, 3);
    ck_assert_str_eq(sum.file[0], "p.prv");
    prvcut_cut_summary_fini(&sum);
    sum =
        cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "q.prv.gz" });
    ck_assert_str_eq(sum.file[0], "q.prv.gz");
    prvcut_cut_summary_fini(&sum);
    sum =
        cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "r.prv.zst" });
    prvcut_cut_summary_fini(&sum);
    ck_assert(shell("gzip -dc q.prv.gz | cmp - p.prv && zstd -dqc r.prv.zst | cmp - p.prv"));
    ck_assert(shell("for i in p q r; do cmp $i.pcf g.pcf && cmp $i.row g.row || exit 1; done"));
}
END_TEST

/* What is cut out of a cut is what would have been cut out of the original. */
START_TEST(test_cut_of_cut_as_of_original)
{
    struct prvcut_cut_summary sum;

    generate("--counters --inner 3 --threads-per-task 2");
    sum = cut_path("g.prv", 150000000, 350000000, (struct prvcut_cut_options){ .path = "a.prv" });
    prvcut_cut_summary_fini(&sum);
    sum = cut_path("a.prv", 33333333, 77777777, (struct prvcut_cut_options){ .path = "b.prv" });
    prvcut_cut_summary_fini(&sum);
    sum = cut_path("g.prv", 183333333, 227777777, (struct prvcut_cut_options){ .path = "c.prv" });
    prvcut_cut_summary_fini(&sum);
    ck_assert(shell("for i in b c; do grep '^[123]:' $i.prv | LC_ALL=C sort >$i.text; done;"
                    " cmp b.text c.text && test -s b.text"));
    ck_assert(shell("test $(grep -c CUTTER b.prv) = 2 && test $(grep -c CUTTER c.prv) = 1"));
}
END_TEST

/* --- What goes wrong leaves nothing behind ------------------------------------------------------
 */

static void expect_refused(struct prvcut_trace *t, const struct prvcut_cut_options *o,
                           enum prvcut_status status)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const size_t before = scratch_count();
    struct prvcut_cut_summary sum;

    ck_assert_int_eq(cut_trace(t, &w, o, &sum), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_str_ne(error.text, "");
    ck_assert_uint_eq(scratch_count(), before);
    prvcut_cut_summary_fini(&sum);
}

START_TEST(test_cut_never_over_existing_file)
{
    static const char *const name[] = { "cut.prv", "cut.pcf", "cut.row" };
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;

    generate("");
    t = open_scanned("g.prv");
    scratch_write(name[_i], "mine", 4);
    expect_refused(t, &(struct prvcut_cut_options){ 0 }, PRVCUT_EEXIST);
    ck_assert_ptr_nonnull(strstr(error.text, name[_i]));
    scratch_expect(name[_i], "mine", 4);
    cut_well(t, &(struct prvcut_window){ .from = 120000000, .to = 150000000 },
             &(struct prvcut_cut_options){ 0 }, &sum);
    ck_assert(shell("cmp cut.pcf g.pcf && cmp cut.row g.row"));
    expect_sound("cut.prv", &sum, true);
    prvcut_cut_summary_fini(&sum);
    prvcut_trace_close(t);
}
END_TEST

static bool cut_into_locked_folder(void)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const struct prvcut_cut_options o = { .path = "locked/cut.prv" };
    struct prvcut_trace *t = open_scanned("g.prv");
    struct prvcut_cut_summary sum;
    const bool refused = cut_trace(t, &w, &o, &sum) == PRVCUT_EIO && error.text[0] != '\0';

    prvcut_trace_close(t);
    return refused;
}

START_TEST(test_cut_into_unwritable_place_leaves_nothing)
{
    struct prvcut_trace *t;

    generate("");
    t = open_scanned("g.prv");
    expect_refused(t, &(struct prvcut_cut_options){ .path = "nowhere/cut.prv" }, PRVCUT_EIO);
    ck_assert_int_eq(mkdir("cut.prv", 0755), 0);
    expect_refused(t, &(struct prvcut_cut_options){ .force = true }, PRVCUT_EIO);
    prvcut_trace_close(t);
    ck_assert_int_eq(mkdir("locked", 0555), 0);
    ck_assert_int_eq(chmod("g.prv", 0644), 0);
    ck_assert(scratch_as_nobody(cut_into_locked_folder));
    ck_assert_int_eq(rmdir("locked"), 0);
}
END_TEST

static bool stop_at_once(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(test_cut_that_is_stopped_leaves_nothing)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const struct prvcut_run run = { .threads = 2, .stop = stop_at_once };
    const struct prvcut_cut_options o = { .path = "cut.prv" };
    struct prvcut_cut_summary sum = { 0 };
    struct prvcut_trace *t;
    size_t before;

    generate("");
    t = open_scanned("g.prv");
    before = scratch_count();
    ck_assert_int_eq(t->reader->cut(t, &run, &w, &o, &sum, &error), PRVCUT_EINTERRUPTED);
    ck_assert_uint_eq(scratch_count(), before);
    prvcut_trace_close(t);
}
END_TEST

/* Truncated between scan and cut: an error, no cut of what is left. */
START_TEST(test_cut_of_changed_file_is_refused)
{
    struct prvcut_trace *t;

    generate("--size 3000000 --iterations 100");
    t = open_scanned("g.prv");
    ck_assert_int_eq(truncate("g.prv", _i == 0 ? 100000 : 1500), 0);
    expect_refused(t, &(struct prvcut_cut_options){ 0 }, PRVCUT_EIO);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_cut_by_hand_refuses_senseless_window)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_cut_options o = { .path = "cut.prv" };
    const struct prvcut_span empty = { 100, 100 }, late = { 1000, 2000 };
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;

    write_trace(by_hand);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_cut(t, &run, &empty, &o, &sum, &error), PRVCUT_EUSAGE);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_cut(t, &run, &late, &o, &sum, &error), PRVCUT_EUSAGE);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_trace_close(t);
}
END_TEST

static void add_windows(TCase *t)
{
    tcase_add_loop_test(t, test_cut_straight_as_reference, 0, COUNT_OF(modes));
    tcase_add_loop_test(t, test_cut_per_thread_as_reference, 0, COUNT_OF(modes));
    tcase_add_loop_test(t, test_cut_real_trace_as_reference, 0, COUNT_OF(real));
    tcase_add_test(t, test_cut_keeps_time_per_state_and_call);
    tcase_add_loop_test(t, test_cut_keeps_time_per_state_and_call_of_real_trace, 0, 3);
    tcase_add_test(t, test_cut_by_hand_line_by_line);
    tcase_add_test(t, test_cut_reopens_each_region_once);
    tcase_add_loop_test(t, test_cut_header_only_is_sound, 0, 2);
    tcase_add_test(t, test_cut_keeps_messages_with_ends_moved);
    tcase_add_test(t, test_cut_keeps_messages_inside_window);
    tcase_add_loop_test(t, test_count_split_collectives, 0, COUNT_OF(splits));
    tcase_add_test(t, test_cut_finds_what_began_far_back);
    tcase_add_loop_test(t, test_cut_lenient_ignores_damaged_lines, 0, 2);
    tcase_add_loop_test(t, test_cut_reopens_with_thinned_snapshots, 0, 2);
    tcase_add_test(t, test_cut_unsorted_trace_as_reference);
}

static Suite *cut_suite(void)
{
    Suite *s = suite_create("cut");
    TCase *t = tcase_create("cut");

    scratch_fixtures(t);
    add_windows(t);
    tcase_add_test(t, test_cut_packed_trace_as_plain);
    tcase_add_test(t, test_cut_into_packed_file_the_same);
    tcase_add_test(t, test_cut_of_cut_as_of_original);
    tcase_add_loop_test(t, test_cut_never_over_existing_file, 0, 3);
    tcase_add_test(t, test_cut_into_unwritable_place_leaves_nothing);
    tcase_add_test(t, test_cut_that_is_stopped_leaves_nothing);
    tcase_add_loop_test(t, test_cut_of_changed_file_is_refused, 0, 2);
    tcase_add_test(t, test_cut_by_hand_refuses_senseless_window);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(cut_suite());
}
