#include "runner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * PRVGEN, PRVBRUTE, PRVTIME: the programs; GENERATOR_DIR: where sound.awk stands. What they
 * write goes to one folder that is removed when the suite ends, however its tests ended.
 */
static char folder[1024];

static void make_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/prvgen.XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        abort();
}

static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Exit status of a shell command that runs inside the folder. */
static int run(const char *format, ...)
{
    char command[4096];
    size_t n = (size_t)snprintf(command, sizeof command, "cd '%s' && ", folder);
    va_list arguments;
    int status;

    va_start(arguments, format);
    vsnprintf(command + n, sizeof command - n, format, arguments);
    va_end(arguments);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void remove_folder(void)
{
    char command[1100];

    snprintf(command, sizeof command, "rm -r '%s'", folder);
    if (system(command) != 0)
        abort();
}

/* What each kind of trace is asked for with, and what sound.awk must not ask of it. */
static const struct mode {
    const char *options, *allow;
} modes[] = {
    { "", "" },
    { "--inner 4,3,2,2", "" },
    { "--inner 25,3 --iterations 4", "" },
    { "--skew-ns 200000", "" },
    { "--skew-ns 100000 --inner 3,2 --every-k 5", "" },
    { "--pipeline --inner 3", "" },
    { "--aperiodic", "" },
    { "--flush-every 300 --drift 0.5 --jitter 0.2", "" },
    { "--preempt 3 --counters", "" },
    { "--clog 2 --every-k 10", "" },
    { "--change-at 0.5 --change-period 7000000", "" },
    { "--threads-per-task 3", "-v gaps=1" },
    { "--no-states", "-v gaps=1" },
    { "--no-calls", "-v calls=0" },
    { "--burst-mode", "-v gaps=1 -v calls=0" },
    { "--microseconds", "" },
    { "--crlf", "" },
    { "--applications 3 --nodes 2", "" },
    { "--tasks 1 --callers 0", "" },
    { "--tasks 7 --callers 9", "" },
    { "--init-ns 10000000000 --tasks 2", "" },
    { "--init-ns 0 --end-ns 0 --jitter 0", "" },
    { "--realistic --iterations 3", "" },
    { "--size 1500000 --seed 9", "" },
    { "--threads-per-task 2 --counters --preempt 2 --flush-every 400 --microseconds", "-v gaps=1" },
    { "--short-lived 3 --silent 2 --flush-every 400", "-v gaps=1" },
    { "--short-lived 2 --silent 1 --threads-per-task 2 --nodes 3", "-v gaps=1" },
    { "--short-lived 2 --silent 1 --aperiodic --burst-mode", "-v gaps=1 -v calls=0" },
    { "--application-periods 20000000,7000000,33000000 --silent 1", "" },
    { "--lean --iterations 300 --counters", "" },
};

#define MODES ((int)(sizeof modes / sizeof modes[0]))

START_TEST(test_generate_trace_sound)
{
    const struct mode *m = &modes[_i];

    ck_assert_int_eq(run(PRVGEN " --tasks 6 --iterations 20 %s a", m->options), 0);
    ck_assert_int_eq(run("awk %s -f " GENERATOR_DIR "/sound.awk a.prv >sound.txt", m->allow), 0);
}
END_TEST

START_TEST(test_generate_trace_same_seed_same_bytes)
{
    ck_assert_int_eq(run(PRVGEN " --inner 3 --flush-every 500 --seed 5 a"), 0);
    ck_assert_int_eq(run(PRVGEN " --inner 3 --flush-every 500 --seed 5 b"), 0);
    ck_assert_int_eq(run("cmp a.prv b.prv && cmp a.pcf b.pcf && cmp a.row b.row"), 0);
    ck_assert_int_eq(run("cmp a.truth.json b.truth.json"), 0);
    ck_assert_int_eq(run(PRVGEN " --inner 3 --flush-every 500 --seed 6 b"), 0);
    ck_assert_int_ne(run("cmp -s a.prv b.prv"), 0);
}
END_TEST

/* The next "[first, last, one]" of the truth; false after the last. */
static int next_start(FILE *truth, uint64_t *one)
{
    char line[256];

    while (fgets(line, sizeof line, truth) != NULL)
        if (sscanf(line, " [%*u, %*u, %" SCNu64 "]", one) == 1)
            return 1;
    return 0;
}

static FILE *open_in(const char *name)
{
    char path[1100];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    return f;
}

/* Task 1 posts the first receive of each iteration right after the iteration's start. */
START_TEST(test_generate_truth_names_iterations)
{
    FILE *truth, *posts;
    uint64_t one, post;
    int iterations = 0;

    ck_assert_int_eq(run(PRVGEN " --tasks 4 --iterations 50 --inner 3 --every-k 7 --callers 1"
                                " --jitter 0.2 a"),
                     0);
    ck_assert_int_eq(run("awk -F: '/^2:1:.*:50000001:4:.*:80000001:2$/ && n++ %% 4 == 0"
                         " { print $6 }' a.prv >posts.txt"),
                     0);
    truth = open_in("a.truth.json");
    posts = open_in("posts.txt");
    while (next_start(truth, &one)) {
        ck_assert_int_eq(fscanf(posts, "%" SCNu64, &post), 1);
        ck_assert_uint_gt(post, one);
        ck_assert_uint_lt(post, one + 1000);
        iterations++;
    }
    ck_assert_int_eq(iterations, 50);
    ck_assert_int_eq(fscanf(posts, "%" SCNu64, &post), EOF);
    fclose(truth);
    fclose(posts);
}
END_TEST

START_TEST(test_generate_period_near_wish)
{
    static const char *const wish[] = { "", "--inner 25,3", "--inner 4,3,2,2", "--pipeline",
                                        "--skew-ns 100000" };

    ck_assert_int_eq(run(PRVGEN " --period-ns 30000000 %s a", wish[_i]), 0);
    ck_assert_int_eq(run("awk -F'[:,}]' '/^  \"period_ns\"/ { ok = $3 > 25.5e6 && $3 < 34.5e6 }"
                         " END { exit !ok }' a.truth.json"),
                     0);
}
END_TEST

/* Cycles over time of long bursts: 2.3 GHz, a quarter of that while preempted. */
START_TEST(test_generate_preemption_lowers_clock)
{
    static const char clock[] =
        "awk -F: '/^1:/ && $8 == 1 { length_[$2] = $7 - $6; end[$2] = $7 }"
        " /^2:/ && $6 == end[$2] && $7 >= 50000001 && $8 > 0 && length_[$2] > 400000 {"
        "  for (i = 9; i < NF; i += 2) if ($i == 42000059) ghz = $(i + 1) / length_[$2];"
        "  if (ghz < 0.9) low++; else if (ghz > 2.2 && ghz < 2.4) high++; else odd++ }"
        " END { exit !(high > 100 && odd < 5 && %s) }' a.prv";

    ck_assert_int_eq(run(PRVGEN " --tasks 2 --inner 8 --counters --preempt 2 a"), 0);
    ck_assert_int_eq(run(clock, "low > 4"), 0);
    ck_assert_int_eq(run(PRVGEN " --tasks 2 --inner 8 --counters a"), 0);
    ck_assert_int_eq(run(clock, "low == 0"), 0);
}
END_TEST

/* Each flush of the truth is a state 12 of that thread and of that length. */
START_TEST(test_generate_flushes_as_in_truth)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 4 --flush-every 400 a"), 0);
    ck_assert_int_eq(run("sed -n 's/.*\"flush\", \"start_ns\": \\([0-9]*\\), \"end_ns\": "
                         "\\([0-9]*\\), \"thread\": \"1.\\([0-9]*\\).1\".*/"
                         "1:\\3:1:\\3:1:\\1:\\2:12/p' a.truth.json | sort >wanted.txt"),
                     0);
    ck_assert_int_eq(run("test $(wc -l <wanted.txt) -gt 10"), 0);
    ck_assert_int_eq(run("grep '^1:.*:12$' a.prv | sort | comm -13 - wanted.txt >missing.txt"), 0);
    ck_assert_int_eq(run("test ! -s missing.txt"), 0);
}
END_TEST

/* The mean distance of task 1's first calls of each iteration of a nested loop, from the lines.
   The exchange of an odd level posts two receives first, the pairs of an even one send once. */
START_TEST(test_generate_levels_as_in_truth)
{
    static const uint64_t inner[] = { 3, 4, 5, 2 };
    const int level = _i + 1;
    uint64_t runs = 6;

    for (int i = 0; i < level; i++)
        runs *= inner[i];
    ck_assert_int_eq(run(PRVGEN " --tasks 2 --jitter 0 --callers 1 --iterations 6 --inner 3,4,5,2"
                                " --period-ns 90000000 a"),
                     0);
    ck_assert_int_eq(
        run("awk -F'[:,}]' '/\"level\": %d,/ { print $4, $7 }' a.truth.json >truth.txt", level), 0);
    ck_assert_int_eq(run("awk -F: -v count=%" PRIu64 " -v runs=%" PRIu64 " -v posts=%d"
                         " 'NR == FNR { split($0, true_, \" \"); next }"
                         " /^2:1:.*:80000001:%d$/ && n++ %% posts == 0 {"
                         "   if (i++ %% count != 0) { sum += $6 - last; seen++ } last = $6 }"
                         " END { mean = sum / seen; exit !(i == runs && true_[1] == count &&"
                         "   mean > 0.98 * true_[2] && mean < 1.02 * true_[2]) }' truth.txt a.prv",
                         inner[level - 1], runs, level % 2 == 1 ? 2 : 1, 4 + 6 * level),
                     0);
}
END_TEST

/* Between two of its starts task 1 begins one iteration right inside, at the exchange. */
START_TEST(test_generate_inner_starts_as_in_truth)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 2 --callers 1 --iterations 9 --inner 5,2 --jitter 0.2 a"),
                     0);
    ck_assert_int_eq(run("sed -n 's/.*{\"at\": \\[\\(.*\\), [0-9]*\\]}.*/\\1/p' a.truth.json"
                         " | tr -d ' ' | tr , '\\n' >starts.txt"),
                     0);
    ck_assert_int_eq(run("awk -F: 'NR == FNR { at[++n] = $1; next }"
                         " /^2:1:.*:80000001:10$/ && k++ %% 2 == 0 { m++;"
                         "   if ($6 < at[m] || $6 > at[m] + 1000) bad++ }"
                         " END { exit !(m == 45 && n == 45 && bad == 0) }' starts.txt a.prv"),
                     0);
}
END_TEST

/* The reduction that only iterations with extra work make. */
START_TEST(test_generate_departures_as_in_truth)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 3 --callers 1 --iterations 40 --every-k 7 a"), 0);
    ck_assert_int_eq(run("grep -q '\"departures\": {\"first\": 6, \"every\": 7, \"count\": 5}'"
                         " a.truth.json"),
                     0);
    ck_assert_int_eq(run("sed -n '/starts_ns\": \\[$/,$s/^    \\[.*, \\([0-9]*\\)\\].*/\\1/p'"
                         " a.truth.json >starts.txt"),
                     0);
    ck_assert_int_eq(run("awk -F: 'NR == FNR { at[n++] = $1; next }"
                         " /^2:1:.*:50000002:9:.*:80000001:62$/ { i = 6 + 7 * seen++;"
                         "   if ($6 < at[i] || (i + 1 < n && $6 > at[i + 1])) bad++ }"
                         " END { exit !(n == 40 && seen == 5 && bad == 0) }' starts.txt a.prv"),
                     0);
}
END_TEST

/* Nothing of a bystander is outside its life, and the silent ones make no call. */
START_TEST(test_generate_bystanders_as_in_truth)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 4 --short-lived 3 --silent 2 --iterations 60 a"), 0);
    ck_assert_int_eq(run("sed -n 's/.*\"kind\": \"\\([a-z-]*\\)\", \"start_ns\": \\([0-9]*\\),"
                         " \"end_ns\": \\([0-9]*\\), \"thread\": \"1.\\([0-9]*\\).1\".*/"
                         "\\4:\\1:\\2:\\3/p' a.truth.json >lives.txt && test $(wc -l <lives.txt)"
                         " -eq 5"),
                     0);
    ck_assert_int_eq(run("awk -F: 'NR == FNR { kind[$1] = $2; from[$1] = $3; to[$1] = $4; next }"
                         " FNR == 1 { all = $3 + 0 }"
                         " /^[12]:/ && $4 in kind && !(/^1:/ && $8 == 2) { seen[$4]++;"
                         "   if ($6 < from[$4] || ($1 == 1 ? $7 : $6) > to[$4]) bad++;"
                         "   if (kind[$4] == \"silent\" && /^2:.*:5000000[123]:/) bad++ }"
                         " END { for (k in kind) { if (seen[k] < 20) bad++;"
                         "     if (kind[k] == \"silent\") silent += seen[k] > 100;"
                         "     else { late += from[k] > all / 8; early += to[k] < all * 7 / 8 } }"
                         "   exit bad > 0 || late != 2 || early != 1 || silent != 2 }'"
                         " lives.txt a.prv"),
                     0);
}
END_TEST

/* The first receive of each iteration on the first task of each application. */
START_TEST(test_generate_application_periods_as_in_truth)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 2 --callers 1 --iterations 50"
                                " --application-periods 20000000,7000000,31000000 a"),
                     0);
    ck_assert_int_eq(run("awk -F'[:,}]' '/\"application\":/ { print $8, $11 }' a.truth.json"
                         " >truth.txt && test $(wc -l <truth.txt) -eq 3"),
                     0);
    ck_assert_int_eq(run("awk -F: 'NR == FNR { split($0, f, \" \"); count[NR] = f[1];"
                         "   period[NR] = f[2]; next }"
                         " $1 == 2 && $4 == 1 && /:50000001:4:.*:80000001:2$/ {"
                         "   if (n[$3]++ %% 2 == 0) { if (!($3 in first)) first[$3] = $6;"
                         "     last[$3] = $6; seen[$3]++ } }"
                         " END { for (a = 1; a <= 3; a++) {"
                         "     mean = (last[a] - first[a]) / (seen[a] - 1) / period[a];"
                         "     if (seen[a] != count[a] || mean < 0.97 || mean > 1.03) bad++ }"
                         "   exit bad > 0 || count[1] != 50 || count[2] != 143 || count[3] != 32 }'"
                         " truth.txt a.prv"),
                     0);
}
END_TEST

START_TEST(test_generate_many_iterations_small)
{
    ck_assert_int_eq(run(PRVGEN " --lean --tasks 2 --no-states --callers 0 --period-ns 30000"
                                " --iterations 100000 --end-ns 0 a"),
                     0);
    ck_assert_int_eq(run("test $(wc -c <a.prv) -lt 25000000"), 0);
    ck_assert_int_eq(run("test $(grep -c '^2:1:.*:50000002:10:50100001:40:' a.prv) -ge 100000"), 0);
    ck_assert_int_eq(run("grep -q '\"iterations\": 100000,$' a.truth.json"), 0);
}
END_TEST

START_TEST(test_generate_size_as_asked)
{
    ck_assert_int_eq(run(PRVGEN " --realistic --size 8000000 a"), 0);
    ck_assert_int_eq(run("test $(wc -c <a.prv) -gt 7800000 && test $(wc -c <a.prv) -lt 9000000"),
                     0);
    ck_assert_int_eq(run("grep -q \"\\\"bytes\\\": $(wc -c <a.prv | tr -d ' '),\" a.truth.json"),
                     0);
}
END_TEST

/* A sanitizer that keeps what was freed would let it grow. How much of the libraries is resident
   differs by some MiB from run to run; what grew with the trace would differ by tens. */
START_TEST(test_generate_memory_does_not_grow)
{
    static const char measured[] =
        "ASAN_OPTIONS=quarantine_size_mb=0 " PRVTIME " %s.txt " PRVGEN " --realistic --size %s a";

    ck_assert_int_eq(run(measured, "small", "20000000"), 0);
    ck_assert_int_eq(run(measured, "large", "80000000"), 0);
    ck_assert_int_eq(run("awk '{ kib[NR] = $4 } END { exit !(kib[2] < 1.2 * kib[1] + 4096) }'"
                         " small.txt large.txt"),
                     0);
}
END_TEST

START_TEST(test_refuse_options_that_are_wrong)
{
    static const char *const wrong[] = { "",
                                         "--taks 4 a",
                                         "--tasks a",
                                         "--tasks 0 a",
                                         "--tasks -1 a",
                                         "--inner 1,2,3,4,5 a",
                                         "--jitter x a",
                                         "a b",
                                         "--no-calls --no-states a",
                                         "--application-periods 20000000,5 a",
                                         "--lean --inner 3 a" };

    ck_assert_int_eq(run(PRVGEN " %s 2>said.txt", wrong[_i]), 2);
    ck_assert_int_eq(run("test -s said.txt"), 0);
}
END_TEST

static void write_in(const char *name, const char *text)
{
    char path[1100];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

/* A collective that is open at both borders, a region inside it, two messages, two counters. */
static const char small[] = "#Paraver (20/11/2026 at 11:58):1000_ns:1(2):1:2(1:1,1:1),1\n"
                            "c:1:1:2:1:2\n"
                            "1:1:1:1:1:0:100:1\n"
                            "1:2:1:2:1:0:300:1\n"
                            "1:1:1:1:1:100:400:13\n"
                            "2:1:1:1:1:100:50000002:10:50100001:40:42000050:7:70000001:5\n"
                            "2:1:1:1:1:120:60000018:3:60000118:4\n"
                            "2:1:1:1:1:130:60000118:0\n"
                            "2:2:1:2:1:150:42000050:5\n"
                            "2:2:1:2:1:200:42000050:6:50000001:3\n"
                            "3:2:1:2:1:200:210:1:1:1:1:250:500:8:1\n"
                            "3:2:1:2:1:200:300:1:1:1:1:250:600:8:2\n"
                            "1:2:1:2:1:300:1000:1\n"
                            "2:2:1:2:1:300:50000001:0:42000050:9\n"
                            "1:1:1:1:1:400:1000:-1\n"
                            "2:1:1:1:1:400:50000002:0:42000050:5\n";

static const struct {
    const char *arguments, *output;
} cuts[] = {
    { "--from 200 --to 500", "#Paraver (20/11/2026 at 11:58):300_ns:1(2):1:2(1:1,1:1),1\n"
                             "c:1:1:2:1:2\n"
                             "1:2:1:2:1:0:100:1\n"
                             "1:1:1:1:1:0:200:13\n"
                             "2:1:1:1:1:0:50000002:10:50100001:40:70000001:5\n"
                             "2:1:1:1:1:0:60000018:3:60000118:4\n"
                             "2:2:1:2:1:0:42000050:0:50000001:3\n"
                             "3:2:1:2:1:0:10:1:1:1:1:50:300:8:1\n"
                             "1:2:1:2:1:100:300:1\n"
                             "2:2:1:2:1:100:50000001:0:42000050:9\n"
                             "1:1:1:1:1:200:300:-1\n"
                             "2:1:1:1:1:200:50000002:0:42000050:0\n"
                             "2:1:1:1:1:300:60000018:0\n" },
    { "--keep-time --from 210 --to 400",
      "#Paraver (20/11/2026 at 11:58):400_ns:1(2):1:2(1:1,1:1),1\n"
      "c:1:1:2:1:2\n"
      "1:2:1:2:1:210:300:1\n"
      "1:1:1:1:1:210:400:13\n"
      "2:1:1:1:1:210:50000002:10:50100001:40:70000001:5\n"
      "2:1:1:1:1:210:60000018:3:60000118:4\n"
      "2:2:1:2:1:210:50000001:3\n"
      "1:2:1:2:1:300:400:1\n"
      "2:2:1:2:1:300:50000001:0:42000050:0\n"
      "2:1:1:1:1:400:50000002:0:60000018:0\n" },
    { "--windows windows.txt", "#Paraver (20/11/2026 at 11:58):280_ns:1(2):1:2(1:1,1:1),1\n"
                               "c:1:1:2:1:2\n"
                               "1:2:1:2:1:0:130:1\n"
                               "2:2:1:2:1:30:42000050:0:50000001:3\n"
                               "1:1:1:1:1:80:230:13\n"
                               "2:1:1:1:1:80:50000002:10:50100001:40:70000001:5\n"
                               "2:1:1:1:1:80:60000018:3:60000118:4\n"
                               "1:2:1:2:1:130:180:1\n"
                               "2:2:1:2:1:130:50000001:0:42000050:9\n"
                               "1:1:1:1:1:230:280:-1\n"
                               "2:1:1:1:1:230:50000002:0:42000050:0\n"
                               "2:1:1:1:1:280:60000018:0\n" },
};

START_TEST(test_cut_small_trace_as_written_by_hand)
{
    write_in("small.prv", small);
    write_in("windows.txt", "0 250 450\n1 170 350\n");
    write_in("wanted.prv", cuts[_i].output);
    ck_assert_int_eq(run(PRVBRUTE " %s small.prv >cut.prv 2>said.txt", cuts[_i].arguments), 0);
    ck_assert_int_eq(run("cmp cut.prv wanted.prv"), 0);
}
END_TEST

/* The .pcf decides what is a region: here 77 is one, and 60000018 is none. Odd states, too. */
START_TEST(test_cut_small_trace_asks_labels)
{
    write_in("labelled.prv", "#Paraver (20/11/2026 at 11:58):90_ns:1(1):1:1(1:1)\n"
                             "2:1:1:1:1:10:77:1\n"
                             "2:1:1:1:1:20:60000018:1\n"
                             "1:1:1:1:1:30:30:2\n"
                             "1:1:1:1:1:40:-1:1\n"
                             "1:1:1:1:1:60:60:1\n");
    write_in("labelled.pcf", "EVENT_TYPE\n0 60000018 Counted\n\n"
                             "EVENT_TYPE\n0 77 Mine\nVALUES\n0 End\n1 Begin\n");
    write_in("wanted.prv", "#Paraver (20/11/2026 at 11:58):30_ns:1(1):1:1(1:1)\n"
                           "2:1:1:1:1:0:77:1\n"
                           "1:1:1:1:1:0:0:2\n"
                           "1:1:1:1:1:10:-1:1\n"
                           "2:1:1:1:1:30:77:0\n");
    ck_assert_int_eq(run(PRVBRUTE " --from 30 --to 60 labelled.prv >cut.prv 2>said.txt"), 0);
    ck_assert_int_eq(run("cmp cut.prv wanted.prv"), 0);
}
END_TEST

/* A window that holds everything changes nothing but the header. */
START_TEST(test_cut_whole_trace_is_identity)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 4 --iterations 20 %s a", modes[_i].options), 0);
    ck_assert_int_eq(run(PRVBRUTE " --from 0 --to 100000000000 a.prv 2>said.txt"
                                  " | tail -n +2 >cut.txt"),
                     0);
    ck_assert_int_eq(run("tail -n +2 a.prv | cmp - cut.txt"), 0);
}
END_TEST

/* Time per thread and state of two neighbouring windows adds up to that of both. */
START_TEST(test_cut_adjacent_windows_add_up)
{
    ck_assert_int_eq(run(PRVGEN " --tasks 4 --iterations 20 a"), 0);
    ck_assert_int_eq(run(PRVBRUTE " --from 150000000 --to 200000001 a.prv >x.prv 2>said.txt"), 0);
    ck_assert_int_eq(run(PRVBRUTE " --from 200000001 --to 260000000 a.prv >y.prv 2>said.txt"), 0);
    ck_assert_int_eq(run(PRVBRUTE " --from 150000000 --to 260000000 a.prv >z.prv 2>said.txt"), 0);
    ck_assert_int_eq(run("awk -F: '/^1:/ { t[$4 \" \" $8] += (FILENAME == \"z.prv\" ? -1 : 1) *"
                         " ($7 - $6) } END { for (k in t) { n++; bad += t[k] != 0 }"
                         " exit bad > 0 || n < 8 }' x.prv y.prv z.prv"),
                     0);
}
END_TEST

static Suite *generator_suite(void)
{
    Suite *s = suite_create("generator");
    TCase *c = tcase_create("generator");

    tcase_set_timeout(c, 120);
    tcase_add_unchecked_fixture(c, make_folder, remove_folder);
    tcase_add_loop_test(c, test_generate_trace_sound, 0, MODES);
    tcase_add_test(c, test_generate_trace_same_seed_same_bytes);
    tcase_add_test(c, test_generate_truth_names_iterations);
    tcase_add_loop_test(c, test_generate_period_near_wish, 0, 5);
    tcase_add_test(c, test_generate_preemption_lowers_clock);
    tcase_add_test(c, test_generate_flushes_as_in_truth);
    tcase_add_loop_test(c, test_generate_levels_as_in_truth, 0, 4);
    tcase_add_test(c, test_generate_inner_starts_as_in_truth);
    tcase_add_test(c, test_generate_departures_as_in_truth);
    tcase_add_test(c, test_generate_bystanders_as_in_truth);
    tcase_add_test(c, test_generate_application_periods_as_in_truth);
    tcase_add_test(c, test_generate_many_iterations_small);
    tcase_add_test(c, test_generate_size_as_asked);
    tcase_add_test(c, test_generate_memory_does_not_grow);
    tcase_add_loop_test(c, test_refuse_options_that_are_wrong, 0, 11);
    tcase_add_loop_test(c, test_cut_small_trace_as_written_by_hand, 0, 3);
    tcase_add_test(c, test_cut_small_trace_asks_labels);
    tcase_add_loop_test(c, test_cut_whole_trace_is_identity, 0, MODES);
    tcase_add_test(c, test_cut_adjacent_windows_add_up);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(generator_suite());
}
