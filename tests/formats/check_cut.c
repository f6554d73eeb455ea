#include "api/answers.h"
#include "cutting.h"

#include "paraver/paraver.h"
#include "runner.h"

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

/* How many windows of each mode: with sanitizers fewer than without. */
static int windows(int all)
{
    return traces_take() > TRACES_LEAST ? all : (all + 2) / 3;
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
    for (int i = 0; i < windows(5); i++) {
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
        api_cut_fini(&sum);
        api_cut_fini(&dry);
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
    for (int i = 0; i < windows(3); i++) {
        struct borders b = draw_borders(t, &seed);
        struct prvcut_cut_summary sum;

        cut_well(t, &b.window, &(struct prvcut_cut_options){ 0 }, &sum);
        expect_reference("g.prv", "--windows windows");
        expect_sound("cut.prv", &sum, true);
        if (sum.states + sum.events + sum.messages > 0)
            expect_checked("cut.prv");
        api_cut_fini(&sum);
        cut_well(t, &b.window, &(struct prvcut_cut_options){ .keep_messages = true }, &sum);
        expect_sound("cut.prv", &sum, true);
        api_cut_fini(&sum);
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
    { "bt.S.4", 0.85, 0.1 },          { "lulesh.8.omp", 0.5, 0.0005 },
};

START_TEST(test_cut_real_trace_as_reference)
{
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;
    struct prvcut_window w;
    char path[4096], window[128];

    if (!traces_turn(_i))
        return;
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
    api_cut_fini(&sum);
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
        api_cut_fini(&sum);
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

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(3):1:3(1:1,1:1,1:1),1\n"
#define COMM "c:1:1:3:1:2:3\n"

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
        api_cut_fini(&sum);
    }
}
END_TEST

/* Functions inside each other that begin and end blocks apart, of two types, some in one line; in
   order, and with lines of a thread that stand a little too late. */
START_TEST(test_cut_reopens_what_nests_over_blocks)
{
    enum { LINES = 90000, WINDOWS = 2 };
    FILE *file = fopen("x.prv", "w");
    uint64_t seed = 40 + (uint64_t)_i;
    const bool late = _i > 0;

    ck_assert_ptr_nonnull(file);
    fprintf(file, "#Paraver (20/11/2026 at 11:44):%d_ns:1(3):1:3(1:1,1:1,1:1)\n", LINES * 10 + 100);
    for (unsigned i = 0; i < LINES; i++) {
        const unsigned thread = 1 + (unsigned)(scratch_random(&seed) % 3);
        const unsigned time = i * 10 + (late ? (unsigned)(scratch_random(&seed) % 60) : 0);

        fprintf(file, "2:%u:1:%u:1:%u", thread, thread, time);
        for (unsigned k = 1 + (unsigned)(scratch_random(&seed) % 3); k > 0; k--) {
            const uint64_t value = scratch_random(&seed) % 60;

            fprintf(file, ":%u:%u", scratch_random(&seed) % 4 ? 60000001U : 60000018U,
                    value < 30 ? 0 : (unsigned)value);
        }
        fputc('\n', file);
    }
    fclose(file);
    for (int i = 0; i < WINDOWS; i++) {
        const uint64_t from = draw(&seed, LINES * 10), to = from + 1 + draw(&seed, LINES);
        struct prvcut_cut_summary sum;
        char window[128];

        snprintf(window, sizeof window, "--from %" PRIu64 " --to %" PRIu64, from, to);
        sum = cut_path("x.prv", from, to, (struct prvcut_cut_options){ 0 });
        expect_reference("x.prv", window);
        expect_sound("cut.prv", &sum, !late);
        api_cut_fini(&sum);
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
    api_cut_fini(&sum);
    prvcut_trace_close(t);
}
END_TEST

enum { MANY = 200000 };

/* So many threads that snapshots of what is open are thinned out: all is found again. */
START_TEST(test_cut_reopens_with_thinned_snapshots)
{
    uint16_t *value = calloc(MANY, sizeof *value), *wanted = calloc(MANY, sizeof *wanted);
    const unsigned events = 700000, from = 597331;
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
    api_cut_fini(&sum);
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
        api_cut_fini(&sum);
    }
    prvcut_trace_close(t);
}
END_TEST

static Suite *cut_suite(void)
{
    Suite *s = suite_create("cut");
    TCase *t = tcase_create("cut");

    scratch_fixtures(t);
    tcase_add_loop_test(t, test_cut_straight_as_reference, 0, COUNT_OF(modes));
    tcase_add_loop_test(t, test_cut_per_thread_as_reference, 0, COUNT_OF(modes));
    tcase_add_loop_test(t, test_cut_real_trace_as_reference, 0, COUNT_OF(real));
    tcase_add_test(t, test_cut_keeps_time_per_state_and_call);
    tcase_add_loop_test(t, test_cut_keeps_time_per_state_and_call_of_real_trace, 0, 3);
    tcase_add_test(t, test_cut_finds_what_began_far_back);
    tcase_add_loop_test(t, test_cut_reopens_what_nests_over_blocks, 0, 2);
    tcase_add_loop_test(t, test_cut_lenient_ignores_damaged_lines, 0, 2);
    tcase_add_test(t, test_cut_reopens_with_thinned_snapshots);
    tcase_add_test(t, test_cut_unsorted_trace_as_reference);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(cut_suite());
}
