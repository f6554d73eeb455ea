#include "prvcut/signals.h"

#include "brute_signals.h"
#include "runner.h"
#include "tests/base/packed.h"
#include "tests/base/scratch.h"

#include <inttypes.h>
#include <math.h>
#include <sys/types.h>

static struct prvcut_error error;

#define HEAD(duration, threads)                                                                    \
    "#Paraver (20/11/2026 at 11:44):" duration "_ns:1(" threads "):1:" threads
#define TWO HEAD("100", "2") "(1:1,1:1)\n"

static const char all_metrics[] =
    "bursts,computing,p2p,collective,inflight,ipc,instructions,flops,flushing,clock,clogged";

static enum prvcut_status try_compute(const char *path, const char *metrics,
                                      const struct prvcut_span *window, size_t bins, int threads,
                                      struct prvcut_signals **out)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    memset(out, 0, sizeof *out);
    st = prvcut_trace_open(&trace, path, NULL, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    st = prvcut_signals_compute(trace, &run, metrics, window, bins, out, &error);
    prvcut_trace_close(trace);
    return st;
}

static struct prvcut_signals *compute(const char *path, const char *metrics, uint64_t from,
                                      uint64_t to, size_t bins)
{
    const struct prvcut_span window = { from, to };
    struct prvcut_signals *out;

    ck_assert_msg(try_compute(path, metrics, &window, bins, 2, &out) == PRVCUT_OK, "%s",
                  error.text);
    return out;
}

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static void assert_near(double seen, double wanted)
{
    ck_assert_msg(fabs(seen - wanted) <= 1e-9 * (1 + fabs(wanted)), "%.12g, not %.12g", seen,
                  wanted);
}

/* One metric of a text over [0, 100) in 4 bins. */
static void assert_four(const char *text, const char *metric, const double wanted[4])
{
    struct prvcut_signals *s;

    write_text("x.prv", text);
    s = compute("x.prv", metric, 0, 100, 4);
    ck_assert_uint_eq(s->count, 1);
    ck_assert_str_eq(prvcut_signals_at(s, 0)->name, metric);
    ck_assert_msg(prvcut_signals_at(s, 0)->at != NULL, "%s is absent: %s", metric,
                  prvcut_signals_at(s, 0)->absent);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->bins, 4);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width, 25);
    for (size_t i = 0; i < 4; i++)
        assert_near(prvcut_signals_at(s, 0)->at[i], wanted[i]);
    prvcut_signals_free(s);
}

/* Values over the four bins [0,25) [25,50) [50,75) [75,100), worked out by hand. */
static const struct {
    const char *metric, *body;
    double wanted[4];
} by_hand[] = {
    /* 30 ns of weight 30: 15 of them in bin 0, 15 in bin 1; 10 ns of weight 10 in bin 3. */
    { "bursts",
      "1:1:1:1:1:10:40:1\n1:1:1:1:1:40:80:8\n1:2:1:2:1:80:90:1\n",
      { 30 * 15 / 25., 30 * 15 / 25., 0, 10 * 10 / 25. } },
    { "computing",
      "1:1:1:1:1:0:50:1\n1:2:1:2:1:20:60:1\n1:2:1:2:1:60:100:3\n",
      { 1 + 5 / 25., 2, 10 / 25., 0 } },
    { "p2p",
      "2:1:1:1:1:10:50000001:1\n2:2:1:2:1:20:50000001:2:70000001:5\n2:1:1:1:1:30:50000001:0\n"
      "2:1:1:1:1:40:50000002:8\n2:1:1:1:1:60:50000002:0\n2:2:1:2:1:75:50000001:0\n",
      { (15 + 5) / 25., (5 + 25) / 25., 1, 0 } },
    { "collective",
      "2:1:1:1:1:10:50000001:1\n2:1:1:1:1:30:50000001:0\n2:1:1:1:1:40:50000002:8\n"
      "2:1:1:1:1:60:50000002:0\n2:2:1:2:1:90:50000002:8\n2:2:1:2:1:95:50000002:0\n",
      { 0, 10 / 25., 10 / 25., 5 / 25. } },
    /* From the logical send to the physical receive. */
    { "inflight",
      "3:1:1:1:1:10:12:2:1:2:1:5:35:100:7\n3:2:1:2:1:20:21:1:1:1:1:22:95:1:7\n",
      { (15 + 5) / 25., (10 + 25) / 25., 1, 20 / 25. } },
    /* [0,20) is the work before call 1; what the call's end reads is no burst. */
    { "ipc",
      "2:1:1:1:1:0:42000050:0:42000059:0\n2:1:1:1:1:20:50000001:1:42000050:40:42000059:20\n"
      "2:1:1:1:1:30:50000001:0\n2:1:1:1:1:30:42000050:990:42000059:990\n"
      "2:1:1:1:1:75:50000001:1:42000050:45:42000059:90\n2:1:1:1:1:80:50000001:0\n",
      { 2, 0.5, 0.5, 0 } },
    { "clock",
      "2:1:1:1:1:0:42000050:0:42000059:0\n2:1:1:1:1:20:50000001:1:42000050:40:42000059:50\n"
      "2:1:1:1:1:30:50000001:0\n2:1:1:1:1:30:42000050:990:42000059:990\n"
      "2:1:1:1:1:75:50000001:1:42000050:45:42000059:90\n2:1:1:1:1:80:50000001:0\n",
      { 2.5, 2, 2, 0 } },
    /* Calls count, too: 40 over [0,20), 990 over [20,30), 45 over [30,75). */
    { "instructions",
      "2:1:1:1:1:0:42000050:0\n2:1:1:1:1:20:50000001:1:42000050:40\n"
      "2:1:1:1:1:30:50000001:0\n2:1:1:1:1:30:42000050:990\n"
      "2:1:1:1:1:75:50000001:1:42000050:45\n2:1:1:1:1:80:50000001:0\n",
      { (40 + 99 * 5) / 25., (99 * 5 + 20) / 25., 1, 0 } },
    { "flushing",
      "2:1:1:1:1:20:40000003:1\n2:2:1:2:1:30:40000003:1\n2:1:1:1:1:40:40000003:0\n"
      "2:2:1:2:1:40:40000003:0\n2:1:1:1:1:90:40000003:1\n2:1:1:1:1:100:40000003:0\n",
      { 5 / 25., (15 + 10) / 25., 0, 10 / 25. } },
    /* 1 message of 200 B over 50 ns: 4 B/ns; then two at once, 4 + 1 B/ns. */
    { "clogged",
      "3:1:1:1:1:25:25:2:1:2:1:25:75:200:7\n3:2:1:2:1:50:50:1:1:1:1:50:100:50:7\n",
      { 0, 1 / 4e9, 2 / 5e9, 1 / 1e9 } },
};

START_TEST(test_compute_metric_by_hand_is_exact)
{
    char text[2048];

    snprintf(text, sizeof text, "%s%s", TWO, by_hand[_i].body);
    assert_four(text, by_hand[_i].metric, by_hand[_i].wanted);
}
END_TEST

/* A counter whose label the .pcf gives; the same numbers as instructions. */
START_TEST(test_compute_flops_by_label_is_exact)
{
    static const char pcf[] = "EVENT_TYPE\n7  42000100 PAPI_FP_OPS [Floating point operations]\n";
    const double wanted[4] = { 0, 0, 2, 2 };

    write_text("x.pcf", pcf);
    assert_four(TWO "2:1:1:1:1:50:42000100:9\n2:1:1:1:1:100:42000100:100\n", "flops", wanted);
}
END_TEST

/* What a trace calls its things, over the same four bins. */
static const struct {
    const char *metric, *body;
    double wanted[4];
} asked[] = {
    /* One event of the type in bin 0, two in bin 2, whatever their values. */
    { "event:7700",
      "2:1:1:1:1:24:7700:3\n2:1:1:1:1:50:7700:0\n2:2:1:2:1:74:7700:-4\n",
      { 1 / 25., 0, 2 / 25., 0 } },
    { "event:7700=3/-4",
      "2:1:1:1:1:24:7700:3\n2:1:1:1:1:50:7700:0\n2:2:1:2:1:74:7700:-4\n",
      { 1 / 25., 0, 1 / 25., 0 } },
    { "event:Step", "2:1:1:1:1:99:7800:3\n2:1:1:1:1:100:7800:0\n", { 0, 0, 0, 1 / 25. } },
    /* Begins count, ends do not. */
    { "event:50000001",
      "2:1:1:1:1:10:50000001:1\n2:1:1:1:1:30:50000001:0\n",
      { 1 / 25., 0, 0, 0 } },
    { "state:Running", "1:1:1:1:1:10:40:1\n1:2:1:2:1:75:100:3\n", { 15 / 25., 15 / 25., 0, 0 } },
    { "state:3", "1:1:1:1:1:10:40:1\n1:2:1:2:1:75:100:3\n", { 0, 0, 0, 1 } },
    /* 40 of the second function; the first one inside it takes nothing away. */
    { "region:solve, the rest",
      "2:1:1:1:1:20:60000019:2\n2:1:1:1:1:30:60000019:1\n2:1:1:1:1:40:60000019:0\n"
      "2:1:1:1:1:60:60000019:0\n",
      { 5 / 25., 1, 10 / 25., 0 } },
    { "region:setup",
      "2:1:1:1:1:20:60000019:2\n2:1:1:1:1:30:60000019:1\n2:1:1:1:1:40:60000019:0\n"
      "2:1:1:1:1:60:60000019:0\n",
      { 0, 10 / 25., 0, 0 } },
    /* A call whose end was lost ends where the next one begins. */
    { "region:MPI_Send",
      "2:1:1:1:1:10:50000001:1\n2:1:1:1:1:30:50000001:2\n2:1:1:1:1:60:50000001:0\n",
      { 15 / 25., 5 / 25., 0, 0 } },
    { "counter:PAPI_TOT_INS",
      "2:1:1:1:1:0:42000050:0\n2:1:1:1:1:20:50000001:1:42000050:40\n"
      "2:1:1:1:1:30:50000001:0\n2:1:1:1:1:30:42000050:990\n"
      "2:1:1:1:1:75:50000001:1:42000050:45\n2:1:1:1:1:80:50000001:0\n",
      { (40 + 99 * 5) / 25., (99 * 5 + 20) / 25., 1, 0 } },
    { "counter:PAPI_L1_DCM",
      "2:1:1:1:1:25:42000000:7\n2:1:1:1:1:75:42000000:100\n",
      { 0, 2, 2, 0 } },
};

static const char asked_pcf[] =
    "STATES\n0 Idle\n1 Running\n3 Waiting a message\n\nEVENT_TYPE\n"
    "9  50000001 MPI Point-to-point\nVALUES\n2 MPI_Recv\n1 MPI_Send\n0 Outside MPI\n\n"
    "EVENT_TYPE\n0  60000019 User function\nVALUES\n0 End\n1 setup\n2 solve, the rest\n\n"
    "EVENT_TYPE\n0  7800 Step\n\n"
    "EVENT_TYPE\n7  42000000 PAPI_L1_DCM [L1D cache misses]\n"
    "7  42000050 PAPI_TOT_INS [Instr completed]\n";

START_TEST(test_compute_asked_by_hand_is_exact)
{
    char text[2048], metric[64];
    struct prvcut_signals *s;

    write_text("x.pcf", asked_pcf);
    snprintf(text, sizeof text, "%s%s", TWO, asked[_i].body);
    write_text("x.prv", text);
    if (!strchr(asked[_i].metric, ','))
        assert_four(text, asked[_i].metric, asked[_i].wanted);
    /* In quotes and behind another one it is the same. */
    snprintf(metric, sizeof metric, "p2p,\"%s\"", asked[_i].metric);
    s = compute("x.prv", metric, 0, 100, 4);
    ck_assert_uint_eq(s->count, 2);
    ck_assert_str_eq(prvcut_signals_at(s, 1)->name, asked[_i].metric);
    for (size_t i = 0; i < 4; i++)
        assert_near(prvcut_signals_at(s, 1)->at[i], asked[_i].wanted[i]);
    prvcut_signals_free(s);
}
END_TEST

static const struct {
    const char *metric, *why;
} asked_in_vain[] = {
    { "event:Stop", "no event type of the trace" },
    { "event:7800=go", "no value of event type 7800" },
    { "counter:PAPI_TOT", "no counter of the trace; there are: " },
    { "counter:Stop", "no counter of the trace" },
    { "state:Flying", "no state of the trace; there are: Idle, Running" },
    { "region:solve", "no region of the trace" },
    { "region:Step", "no region of the trace" },
    { "region:", "no metric 'region:'" },
    { "thread:1", "no metric 'thread:1'" },
    { "\"region:setup", "a quote in '\"region:setup' is not closed" },
    { "event:1,event:2,event:3,event:4,event:5,event:6,event:7,event:8,event:9",
      "more than 8 metrics of the trace's own" },
};

START_TEST(test_compute_asked_in_vain_is_told)
{
    struct prvcut_signals *s;

    write_text("x.pcf", asked_pcf);
    write_text("x.prv", TWO "1:1:1:1:1:10:40:1\n");
    ck_assert_int_eq(try_compute("x.prv", asked_in_vain[_i].metric, NULL, 4, 1, &s), PRVCUT_EUSAGE);
    ck_assert_msg(strstr(error.text, asked_in_vain[_i].why) != NULL, "%s", error.text);
}
END_TEST

/* What the trace has not is absent with its reason, no error. */
START_TEST(test_compute_asked_but_not_there_is_absent)
{
    static const char *const metric[] = { "event:4711", "state:Idle", "region:setup",
                                          "counter:PAPI_L1_DCM" };
    struct prvcut_signals *s;

    write_text("x.pcf", asked_pcf);
    write_text("x.prv", TWO "1:1:1:1:1:10:40:1\n");
    s = compute("x.prv", metric[_i], 0, 100, 4);
    ck_assert_ptr_null(prvcut_signals_at(s, 0)->at);
    ck_assert_ptr_nonnull(prvcut_signals_at(s, 0)->absent);
    prvcut_signals_free(s);
}
END_TEST

/* Without running states, the time between two calls of a thread stands in for them. */
START_TEST(test_compute_without_states_uses_calls)
{
    static const char text[] =
        TWO "2:1:1:1:1:0:50000003:31\n2:1:1:1:1:10:50000003:0\n2:1:1:1:1:40:50000001:1\n"
            "2:1:1:1:1:50:50000001:0\n2:1:1:1:1:90:50000002:8\n2:1:1:1:1:100:50000002:0\n";
    const double computing[4] = { 15 / 25., 15 / 25., 1, 15 / 25. };
    const double bursts[4] = { 30 * 15 / 25., 30 * 15 / 25., 40, 40 * 15 / 25. };

    assert_four(text, "computing", computing);
    assert_four(text, "bursts", bursts);
}
END_TEST

/* A call that is open at the end of the run ends there. */
START_TEST(test_compute_open_call_ends_with_run)
{
    const double wanted[4] = { 0, 0, 0, 15 / 25. };

    assert_four(TWO "2:1:1:1:1:85:50000001:1\n", "p2p", wanted);
}
END_TEST

/* Few bytes over a long time: no unit of measure swallows them. */
START_TEST(test_compute_slow_message_is_not_lost)
{
    struct prvcut_signals *s;

    write_text("x.prv", HEAD("10000000000", "2") "(1:1,1:1)\n"
                                                 "3:1:1:1:1:0:0:2:1:2:1:0:10000000000:3:7\n");
    s = compute("x.prv", "clogged", 0, 0, 2);
    /* one message, 0.3 bytes per second */
    ck_assert_double_eq_tol(prvcut_signals_at(s, 0)->at[0], 1 / 0.3, 0.02);
    ck_assert_double_eq_tol(prvcut_signals_at(s, 0)->at[1], 1 / 0.3, 0.02);
    prvcut_signals_free(s);
}
END_TEST

static void generate(const char *options)
{
    char command[4096];

    snprintf(command, sizeof command, "%s %s g", PRVGEN, options);
    ck_assert_int_eq(system(command), 0);
}

static double sum_of(const struct prvcut_signal *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->bins; i++)
        sum += s->at[i];
    return sum * (double)s->width;
}

/* However many bins there are, their sum times their width is the integral over the run. */
START_TEST(test_compute_any_bins_conserve_integral)
{
    static const size_t bins[] = { 1, 2, 3, 7, 64, 1000, 4096, 99991 };
    static const char additive[] = "bursts,computing,p2p,collective,inflight,instructions,flushing";
    struct prvcut_signals *one;

    generate("--counters --tasks 4 --iterations 30 --flush-every 500");
    one = compute("g.prv", additive, 0, 0, 1);
    ck_assert_uint_eq(one->count, 7);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        struct prvcut_signals *s = compute("g.prv", additive, 0, 0, bins[i]);

        for (size_t m = 0; m < s->count; m++) {
            ck_assert_uint_eq(prvcut_signals_at(s, m)->bins, bins[i]);
            ck_assert(sum_of(prvcut_signals_at(one, m)) > 0);
            ck_assert_double_eq_tol(
                sum_of(prvcut_signals_at(s, m)) / sum_of(prvcut_signals_at(one, m)), 1, 1e-9);
        }
        prvcut_signals_free(s);
    }
    prvcut_signals_free(one);
}
END_TEST

/* The trace by_hand, later by a shift. */
static void write_shifted(const char *name, uint64_t by)
{
    char text[2048];

    snprintf(text, sizeof text,
             HEAD("100000", "2") "(1:1,1:1)\n"
                                 "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n"
                                 "2:1:1:1:1:%" PRIu64 ":50000001:1\n"
                                 "3:2:1:2:1:%" PRIu64 ":%" PRIu64 ":1:1:1:1:%" PRIu64 ":%" PRIu64
                                 ":64:1\n2:1:1:1:1:%" PRIu64 ":50000001:0\n",
             by + 3, by + 41, by + 41, by + 44, by + 45, by + 46, by + 82, by + 83);
    write_text(name, text);
}

static void assert_same(const struct prvcut_signal *a, const struct prvcut_signal *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->bins, b->bins);
    ck_assert_uint_eq(a->width, b->width);
    ck_assert((a->at == NULL) == (b->at == NULL));
    if (a->at)
        ck_assert_int_eq(memcmp(a->at, b->at, a->bins * sizeof *a->at), 0);
}

static void assert_all_same(const struct prvcut_signals *a, const struct prvcut_signals *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_same(prvcut_signals_at(a, i), prvcut_signals_at(b, i));
}

/* A trace and its window moved together: the same signal, bit for bit, whatever the bin. */
START_TEST(test_compute_shifted_trace_shifts_signal)
{
    const uint64_t by = (uint64_t)_i * 131 + 1;
    struct prvcut_signals *a, *b;

    write_shifted("a->prv", 0);
    write_shifted("b->prv", by);
    a = compute("a->prv", "bursts,computing,p2p,inflight,clogged", 0, 90, 13);
    b = compute("b->prv", "bursts,computing,p2p,inflight,clogged", by, by + 90, 13);
    ck_assert_uint_eq(prvcut_signals_at(b, 0)->start, by);
    assert_all_same(a, b);
    prvcut_signals_free(a);
    prvcut_signals_free(b);
}
END_TEST

/* Keep the header and what one cpu did; of messages, those that it sent. */
static void write_thread(const char *from, const char *to, unsigned cpu)
{
    static char line[1 << 20];
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");

    ck_assert(in && out);
    while (fgets(line, sizeof line, in))
        if (line[0] == '#' || line[0] == 'c' || strtoul(line + 2, NULL, 10) == cpu)
            fputs(line, out);
    ck_assert_int_eq(fclose(in) | fclose(out), 0);
}

START_TEST(test_compute_sum_of_threads_is_whole)
{
    static const char additive[] = "bursts,computing,p2p,collective,inflight,instructions";
    struct prvcut_signals *whole, *part;
    double *sum[8];

    generate("--counters --tasks 3 --iterations 20");
    whole = compute("g.prv", additive, 0, 0, 321);
    for (size_t m = 0; m < whole->count; m++)
        sum[m] = brute_zeros(321);
    for (unsigned cpu = 1; cpu <= 3; cpu++) {
        write_thread("g.prv", "t.prv", cpu);
        part = compute("t.prv", additive, 0, 0, 321);
        for (size_t m = 0; m < whole->count; m++)
            for (size_t i = 0; prvcut_signals_at(part, m)->at && i < 321; i++)
                sum[m][i] += prvcut_signals_at(part, m)->at[i];
        prvcut_signals_free(part);
    }
    for (size_t m = 0; m < whole->count; m++) {
        for (size_t i = 0; i < 321; i++)
            ck_assert_msg(fabs(sum[m][i] - prvcut_signals_at(whole, m)->at[i]) <=
                              1e-9 * (1 + prvcut_signals_at(whole, m)->at[i]),
                          "%s, bin %zu: %.12g, not %.12g", prvcut_signals_at(whole, m)->name, i,
                          sum[m][i], prvcut_signals_at(whole, m)->at[i]);
        free(sum[m]);
    }
    prvcut_signals_free(whole);
}
END_TEST

/* A window's bins are those of the whole run, where they fall together. */
START_TEST(test_compute_window_equals_whole)
{
    struct prvcut_signals *whole, *window;
    uint64_t width;

    generate("--counters --size 2500000 --tasks 6 --flush-every 3000");
    whole = compute("g.prv", all_metrics, 0, 0, 1000);
    width = prvcut_signals_at(whole, 0)->width;
    window = compute("g.prv", all_metrics, 400 * width, 500 * width, 100);
    ck_assert_uint_eq(prvcut_signals_at(window, 0)->width, width);
    for (size_t m = 0; m < whole->count; m++) {
        ck_assert((prvcut_signals_at(whole, m)->at == NULL) ==
                  (prvcut_signals_at(window, m)->at == NULL));
        /* Bit for bit. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        ck_assert(!prvcut_signals_at(whole, m)->at ||
                  memcmp(prvcut_signals_at(whole, m)->at + 400, prvcut_signals_at(window, m)->at,
                         100 * sizeof *prvcut_signals_at(window, m)->at) == 0);
    }
    prvcut_signals_free(whole);
    prvcut_signals_free(window);
}
END_TEST

/* Kinds of traces, each several blocks long, so that intervals and counters cross their borders. */
static const struct {
    const char *options;
    bool from_calls;
} kinds[] = {
    { "--counters --size 3000000 --tasks 8 --flush-every 2000 --inner 3", false },
    { "--size 2500000 --tasks 5 --threads-per-task 2 --inner 4", false },
    { "--counters --size 2500000 --tasks 4 --no-states", true },
    { "--size 2200000 --tasks 4 --burst-mode", false },
    { "--counters --size 2200000 --tasks 4 --microseconds", false },
    { "--counters --size 2200000 --tasks 4 --crlf --pipeline --clog 2", false },
    { "--size 2200000 --tasks 4 --no-calls", false },
    { "--counters --iterations 3000 --tasks 16 --callers 0 --preempt 2 --skew-ns 100000", false },
};

static void assert_like_brute(const struct prvcut_signals *s, const struct brute *b)
{
    ck_assert_uint_eq(s->count, BRUTE_METRICS);
    for (size_t m = 0; m < s->count; m++) {
        double most = 0;

        for (size_t i = 0; i < b->bins; i++)
            most = b->at[m][i] > most ? b->at[m][i] : most;
        if (!prvcut_signals_at(s, m)->at) {
            ck_assert_msg(most == 0, "%s is absent", prvcut_signals_at(s, m)->name);
            continue;
        }
        /* What is too little to matter may differ by the unit of a sum. */
        for (size_t i = 0; i < b->bins; i++)
            ck_assert_msg(fabs(prvcut_signals_at(s, m)->at[i] - b->at[m][i]) <=
                              1e-7 * b->at[m][i] + 1e-9 * most,
                          "%s, bin %zu: %.12g, not %.12g", prvcut_signals_at(s, m)->name, i,
                          prvcut_signals_at(s, m)->at[i], b->at[m][i]);
    }
}

START_TEST(test_compute_generated_equals_brute_force)
{
    static const size_t bins[] = { 1, 777, 20000 };

    generate(kinds[_i].options);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        struct prvcut_signals *s = compute("g.prv", all_metrics, 0, 0, bins[i]);
        struct brute *b = brute_compute("g.prv", 0, prvcut_signals_at(s, 0)->width, bins[i],
                                        UINT64_MAX, kinds[_i].from_calls);

        assert_like_brute(s, b);
        brute_free(b);
        prvcut_signals_free(s);
    }
}
END_TEST

#define HALF_ROOT 0.70710678118654752440

static const double stepped[8] = { 0, 4, 0, 4, 0, 0, 0, 1 };

static const struct {
    const char *step, *name;
    double wanted[8];
} steps[] = {
    { "closing:3", "closing:3 of event:9", { 4, 4, 4, 4, 0, 0, 0, 1 } },
    { "opening:2", "opening:2 of event:9", { 0, 0, 0, 0, 0, 0, 0, 0 } },
    { "dilation:3", "dilation:3 of event:9", { 4, 4, 4, 4, 4, 0, 1, 1 } },
    { "erosion:2", "erosion:2 of event:9", { 0, 0, 0, 0, 0, 0, 0, 0 } },
    { "wavelet:1",
      "wavelet:1 of event:9",
      { 4 * HALF_ROOT, 4 * HALF_ROOT, 4 * HALF_ROOT, 4 * HALF_ROOT, 0, 0, HALF_ROOT, HALF_ROOT } },
    { "wavelet",
      "wavelet:1 of event:9",
      { 4 * HALF_ROOT, 4 * HALF_ROOT, 4 * HALF_ROOT, 4 * HALF_ROOT, 0, 0, HALF_ROOT, HALF_ROOT } },
    { "selection:1", "selection:1 of event:9", { 1, 1, 1, 1, 1, 1, 0, 0 } },
};

/* A signal of 8 bins as events: as many in the bin as its value says. */
static struct prvcut_signals *stepped_signal(void)
{
    char text[4096];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s", HEAD("80", "1") "(1:1)\n1:1:1:1:1:0:80:1\n");
    struct prvcut_signals *s;

    for (int i = 0; i < 8; i++)
        for (int k = 0; k < (int)stepped[i]; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "2:1:1:1:1:%d:9:1\n", 10 * i);
    write_text("x.prv", text);
    s = compute("x.prv", "event:9", 0, 80, 8);
    for (int i = 0; i < 8; i++)
        assert_near(prvcut_signals_at(s, 0)->at[i], stepped[i] / 10);
    return s;
}

START_TEST(test_signals_step_by_hand_is_exact)
{
    struct prvcut_signals *s = stepped_signal(), *out;
    const bool flags = strncmp(steps[_i].step, "selection", 9) == 0;

    ck_assert_int_eq(prvcut_signals_step(s, steps[_i].step, NULL, &out, &error), PRVCUT_OK);
    ck_assert_str_eq(prvcut_signals_at(out, 0)->name, steps[_i].name);
    for (int i = 0; i < 8; i++)
        assert_near(prvcut_signals_at(out, 0)->at[i] * (flags ? 1 : 10), steps[_i].wanted[i]);
    prvcut_signals_free(out);
    prvcut_signals_free(s);
}
END_TEST

/* A signal of one's own is a metric of the trace: averaged over whatever bins are asked for. */
START_TEST(test_add_signal_is_a_metric)
{
    double at[] = { 1, 3, 5, 7 };
    const struct prvcut_signal own = { .size = sizeof own,
                                       .name = "own",
                                       .unit = "x",
                                       .start = 20,
                                       .width = 10,
                                       .at = at,
                                       .bins = 4 };
    struct prvcut_signal wrong = own;
    struct prvcut_signals *s = NULL;
    struct prvcut_trace *trace;
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_span all = { 0, 100 };

    write_text("x.prv", HEAD("100", "1") "(1:1)\n1:1:1:1:1:0:100:1\n");
    ck_assert_int_eq(prvcut_trace_open(&trace, "x.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_signals_compute(trace, &run, "own", &all, 5, &s, &error),
                     PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_trace_add_signal(trace, &own, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_signals_compute(trace, &run, "own", &all, 5, &s, &error), PRVCUT_OK);
    assert_near(prvcut_signals_at(s, 0)->at[0], 0);
    assert_near(prvcut_signals_at(s, 0)->at[1], 2);
    assert_near(prvcut_signals_at(s, 0)->at[2], 6);
    assert_near(prvcut_signals_at(s, 0)->at[3], 0);
    prvcut_signals_free(s);
    wrong.name = "bursts";
    ck_assert_int_eq(prvcut_trace_add_signal(trace, &wrong, &error), PRVCUT_EUSAGE);
    wrong = own;
    wrong.bins = 0;
    ck_assert_int_eq(prvcut_trace_add_signal(trace, &wrong, &error), PRVCUT_EUSAGE);
    wrong = own;
    wrong.start = 100;
    ck_assert_int_eq(prvcut_trace_add_signal(trace, &wrong, &error), PRVCUT_EUSAGE);
    /* One of the same name takes its place. */
    wrong = own;
    wrong.start = 0;
    ck_assert_int_eq(prvcut_trace_add_signal(trace, &wrong, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_signals_compute(trace, &run, "own", &all, 10, &s, &error), PRVCUT_OK);
    for (int i = 0; i < 4; i++)
        assert_near(prvcut_signals_at(s, 0)->at[i], at[i]);
    prvcut_signals_free(s);
    prvcut_trace_close(trace);
}
END_TEST

/* A saw: the same at each whole period, and the waves fit the better, the nearer to one. */
START_TEST(test_signals_step_finds_period)
{
    struct prvcut_signals *made, *lags, *fit;
    size_t best = 0;
    char text[65536];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s", HEAD("1024", "1") "(1:1)\n1:1:1:1:1:0:1024:3\n");

    for (int i = 0; i < 64; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "1:1:1:1:1:%d:%d:1\n", 16 * i,
                                 16 * i + 8);
    write_text("x.prv", text);
    made = compute("x.prv", "computing", 0, 1024, 1024);
    ck_assert_int_eq(prvcut_signals_step(made, "autocorrelation:100", NULL, &lags, &error),
                     PRVCUT_OK);
    ck_assert_uint_eq(prvcut_signals_at(lags, 0)->bins, 100);
    for (size_t i = 9; i < 100; i++)
        if (best == 0 ||
            prvcut_signals_at(lags, 0)->at[i] > prvcut_signals_at(lags, 0)->at[best] + 1e-9)
            best = i;
    ck_assert_uint_eq(best, 16);
    ck_assert_int_eq(prvcut_signals_step(made, "crosscorrelation:3", NULL, &fit, &error),
                     PRVCUT_OK);
    ck_assert_msg(prvcut_signals_at(fit, 0)->at != NULL, "%s", prvcut_signals_at(fit, 0)->absent);
    ck_assert_double_gt(prvcut_signals_at(fit, 0)->at[16], 0.8);
    ck_assert_double_lt(prvcut_signals_at(fit, 0)->at[8], -0.8);
    ck_assert_double_eq(prvcut_signals_at(fit, 0)->at[1000], 0);
    prvcut_signals_free(fit);
    prvcut_signals_free(lags);
    prvcut_signals_free(made);
}
END_TEST

START_TEST(test_signals_step_refuses_misuse)
{
    static const char *const bad[] = { "",           "close",     "closing:",
                                       "closing:0",  "closing:x", "closing:3x",
                                       "closing:-1", "wavelet:4", "erosion:16777217" };
    struct prvcut_signals *s = stepped_signal(), *out;

    ck_assert_int_eq(prvcut_signals_step(s, bad[_i], NULL, &out, &error), PRVCUT_EUSAGE);
    ck_assert_ptr_null(out);
    prvcut_signals_free(s);
}
END_TEST

/* What has a name of its own in every trace is the same as what the trace calls it, bit for bit. */
START_TEST(test_compute_asked_equals_metric)
{
    static const char pcf[] = "STATES\n0 Idle\n1 Running\n\nEVENT_TYPE\n"
                              "7  42000050 PAPI_TOT_INS [Instr completed]\n";
    struct prvcut_signals *s;

    generate(kinds[_i].options);
    write_text("g.pcf", pcf);
    s = compute("g.prv", "instructions,counter:PAPI_TOT_INS,computing,state:Running", 0, 0, 777);
    for (size_t m = 0; m < s->count; m += 2) {
        const struct prvcut_signal *a = prvcut_signals_at(s, m), *b = prvcut_signals_at(s, m + 1);

        if (m == 2 && kinds[_i].from_calls)
            continue;
        ck_assert((a->at == NULL) == (b->at == NULL));
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        ck_assert(!a->at || memcmp(a->at, b->at, a->bins * sizeof *a->at) == 0);
    }
    prvcut_signals_free(s);
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

static const char bits_metrics[] =
    "bursts,computing,p2p,collective,inflight,ipc,instructions,flops,flushing,clock,clogged,"
    "event:50000001=1,state:1,counter:PAPI_TOT_INS";

/* The same bits for any number of threads, and from a plain file, .gz, .zst and a pipe. */
START_TEST(test_compute_same_bits_everywhere)
{
    const struct prvcut_span all = { 0, 0 };
    struct prvcut_signals *one, *other;
    struct packed gz = { 0 }, zst = { 0 };
    size_t count;
    char *text;

    generate("--counters --size 3500000 --tasks 8 --flush-every 4000 --inner 2");
    text = slurp("g.prv", &count);
    packed_gzip(&gz, text, count);
    packed_zstd(&zst, text, count, true);
    scratch_write("g.prv.gz", gz.at, gz.count);
    scratch_write("g.prv.zst", zst.at, zst.count);
    ck_assert_int_eq(mkfifo("g.fifo", 0600), 0);
    ck_assert_int_eq(try_compute("g.prv", bits_metrics, &all, 1234, 1, &one), PRVCUT_OK);
    for (int threads = 2; threads <= 5; threads += 3) {
        ck_assert_int_eq(try_compute("g.prv", bits_metrics, &all, 1234, threads, &other),
                         PRVCUT_OK);
        assert_all_same(one, other);
        prvcut_signals_free(other);
    }
    ck_assert_int_eq(try_compute("g.prv.gz", bits_metrics, &all, 1234, 2, &other), PRVCUT_OK);
    assert_all_same(one, other);
    prvcut_signals_free(other);
    ck_assert_int_eq(try_compute("g.prv.zst", bits_metrics, &all, 1234, 2, &other), PRVCUT_OK);
    assert_all_same(one, other);
    prvcut_signals_free(other);
    ck_assert_int_eq(system("cat g.prv >g.fifo &"), 0);
    ck_assert_int_eq(try_compute("g.fifo", bits_metrics, &all, 1234, 2, &other), PRVCUT_OK);
    assert_all_same(one, other);
    prvcut_signals_free(other);
    prvcut_signals_free(one);
    free(text);
    free(gz.at);
    free(zst.at);
}
END_TEST

/* The run lasts until its last record, also where the header promises less. */
START_TEST(test_compute_whole_run_reaches_last_record)
{
    struct prvcut_signals *s;

    write_text("x.prv", HEAD("100", "2") "(1:1,1:1)\n1:1:1:1:1:0:400:1\n");
    s = compute("x.prv", "computing", 0, 0, 4);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width, 100);
    for (size_t i = 0; i < 4; i++)
        assert_near(prvcut_signals_at(s, 0)->at[i], 1);
    prvcut_signals_free(s);
}
END_TEST

START_TEST(test_compute_absent_metrics_tell_why)
{
    static const char *const present = "1:1:1:1:1:0:100:3\n2:1:1:1:1:10:7:1\n";
    char text[512];
    struct prvcut_signals *s;

    snprintf(text, sizeof text, "%s%s", TWO, present);
    write_text("x.prv", text);
    s = compute("x.prv", all_metrics, 0, 0, 10);
    ck_assert_uint_eq(s->count, 11);
    for (size_t i = 0; i < s->count; i++) {
        ck_assert_msg(prvcut_signals_at(s, i)->at == NULL, "%s is no row of zeros",
                      prvcut_signals_at(s, i)->name);
        ck_assert_ptr_nonnull(prvcut_signals_at(s, i)->absent);
        ck_assert_uint_gt(strlen(prvcut_signals_at(s, i)->absent), 5);
    }
    prvcut_signals_free(s);
    /* What is there has no such reason, also where it is 0 in the window. */
    write_text("x.prv", TWO "1:1:1:1:1:0:10:1\n");
    s = compute("x.prv", "computing", 50, 100, 5);
    ck_assert_ptr_null(prvcut_signals_at(s, 0)->absent);
    ck_assert_ptr_nonnull(prvcut_signals_at(s, 0)->at);
    assert_near(prvcut_signals_at(s, 0)->at[0], 0);
    prvcut_signals_free(s);
}
END_TEST

/* As asked for, each once. */
START_TEST(test_compute_order_is_as_asked)
{
    struct prvcut_signals *s;

    write_text("x.prv", TWO "1:1:1:1:1:0:100:1\n");
    s = compute("x.prv", "p2p,bursts,p2p,computing", 0, 0, 3);
    ck_assert_uint_eq(s->count, 3);
    ck_assert_str_eq(prvcut_signals_at(s, 0)->name, "p2p");
    ck_assert_str_eq(prvcut_signals_at(s, 1)->name, "bursts");
    ck_assert_str_eq(prvcut_signals_at(s, 2)->name, "computing");
    ck_assert_uint_eq(prvcut_signals_at(s, 2)->width, 34);
    prvcut_signals_free(s);
}
END_TEST

START_TEST(test_compute_refuses_misuse)
{
    const struct prvcut_span all = { 0, 0 }, none = { 50, 50 }, back = { 60, 50 };
    const struct prvcut_span beyond = { 0, UINT64_MAX };
    struct prvcut_signals *s;

    write_text("x.prv", TWO "1:1:1:1:1:0:100:1\n");
    ck_assert_int_eq(try_compute("x.prv", "burst", &all, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "'burst'"));
    for (size_t i = 0; prvcut_metric_name(i); i++)
        ck_assert_msg(strstr(error.text, prvcut_metric_name(i)) != NULL, "%s is not listed",
                      prvcut_metric_name(i));
    ck_assert_int_eq(try_compute("x.prv", "calls", &all, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "", &all, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts,", &all, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts", &all, 0, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts", &all, ((size_t)1 << 24) + 1, 1, &s),
                     PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts", &none, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts", &back, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_int_eq(try_compute("x.prv", "bursts", &beyond, 8, 1, &s), PRVCUT_EUSAGE);
    ck_assert_ptr_null(s);
}
END_TEST

/* A bin's sum of all threads has 64 bits: a run of 36 years needs more than one bin. */
START_TEST(test_compute_refuses_bins_too_wide)
{
    const struct prvcut_span all = { 0, 0 };
    struct prvcut_signals *s;

    write_text("x.prv", HEAD("1152921504606846976", "3") "(1:1,1:1,1:1)\n"
                                                         "1:1:1:1:1:0:1152921504606846976:1\n"
                                                         "1:2:1:2:1:0:1152921504606846976:1\n"
                                                         "1:3:1:3:1:0:1152921504606846976:1\n");
    ck_assert_int_eq(try_compute("x.prv", "computing", &all, 2, 2, &s), PRVCUT_OK);
    assert_near(prvcut_signals_at(s, 0)->at[1], 3);
    prvcut_signals_free(s);
    write_text("x.prv", HEAD("1152921504606846976", "5") "(1:1,1:1,1:1,1:1,1:1)\n"
                                                         "1:1:1:1:1:0:1152921504606846976:1\n");
    ck_assert_int_eq(try_compute("x.prv", "computing", &all, 1, 2, &s), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "with 2 bins"));
    ck_assert_int_eq(try_compute("x.prv", "computing", &all, 2, 2, &s), PRVCUT_OK);
    prvcut_signals_free(s);
}
END_TEST

START_TEST(test_write_text_keeps_existing_file)
{
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_text_write("t.csv", "one\n", false, &error), PRVCUT_OK);
    scratch_expect("t.csv", "one\n", 4);
    ck_assert_int_eq(prvcut_text_write("t.csv", "two\n", false, &error), PRVCUT_EEXIST);
    scratch_expect("t.csv", "one\n", 4);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_text_write("t.csv", "two\n", true, &error), PRVCUT_OK);
    scratch_expect("t.csv", "two\n", 4);
    ck_assert_int_eq(prvcut_text_write("none/t.csv", "x", false, &error), PRVCUT_EIO);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_write_text_compresses_by_suffix)
{
    char out[64];
    size_t count;
    char *bytes;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_text_write("t.csv.zst", "a text\n", false, &error), PRVCUT_OK);
    bytes = slurp("t.csv.zst", &count);
    ck_assert_uint_eq(ZSTD_decompress(out, sizeof out, bytes, count), 7);
    ck_assert_int_eq(memcmp(out, "a text\n", 7), 0);
    free(bytes);
}
END_TEST

static Suite *signals_suite(void)
{
    Suite *suite = suite_create("signals");
    TCase *tests = tcase_create("signals");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_compute_metric_by_hand_is_exact, 0,
                        (int)(sizeof by_hand / sizeof *by_hand));
    tcase_add_test(tests, test_compute_flops_by_label_is_exact);
    tcase_add_loop_test(tests, test_compute_asked_by_hand_is_exact, 0,
                        sizeof asked / sizeof *asked);
    tcase_add_loop_test(tests, test_compute_asked_in_vain_is_told, 0,
                        sizeof asked_in_vain / sizeof *asked_in_vain);
    tcase_add_loop_test(tests, test_compute_asked_but_not_there_is_absent, 0, 4);
    tcase_add_loop_test(tests, test_compute_asked_equals_metric, 0, 2);
    tcase_add_loop_test(tests, test_signals_step_by_hand_is_exact, 0, sizeof steps / sizeof *steps);
    tcase_add_test(tests, test_add_signal_is_a_metric);
    tcase_add_test(tests, test_signals_step_finds_period);
    tcase_add_loop_test(tests, test_signals_step_refuses_misuse, 0, 9);
    tcase_add_test(tests, test_compute_without_states_uses_calls);
    tcase_add_test(tests, test_compute_open_call_ends_with_run);
    tcase_add_test(tests, test_compute_slow_message_is_not_lost);
    tcase_add_test(tests, test_compute_any_bins_conserve_integral);
    tcase_add_loop_test(tests, test_compute_shifted_trace_shifts_signal, 0, 8);
    tcase_add_test(tests, test_compute_sum_of_threads_is_whole);
    tcase_add_test(tests, test_compute_window_equals_whole);
    tcase_add_loop_test(tests, test_compute_generated_equals_brute_force, 0,
                        (int)(sizeof kinds / sizeof *kinds));
    tcase_add_test(tests, test_compute_same_bits_everywhere);
    tcase_add_test(tests, test_compute_whole_run_reaches_last_record);
    tcase_add_test(tests, test_compute_absent_metrics_tell_why);
    tcase_add_test(tests, test_compute_order_is_as_asked);
    tcase_add_test(tests, test_compute_refuses_misuse);
    tcase_add_test(tests, test_compute_refuses_bins_too_wide);
    tcase_add_test(tests, test_write_text_keeps_existing_file);
    tcase_add_test(tests, test_write_text_compresses_by_suffix);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(signals_suite());
}
