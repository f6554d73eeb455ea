/* Runs of a few calls, one rule of the replay each, worked out by hand; and what no tracer writes.
 */
#include "prvcut/efficiency.h"

#include "tests/analysis/efficiency_read.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define FOLDER GENERATOR_DIR "/../analysis/efficiency_mini/"

/* "missing-member", "4000", "3900", "3900", what another program says, what is counted. */
struct expected {
    char name[64], other[32], counted[64];
    uint64_t length, ideal, causal;
};

static uint64_t counted(const struct prvcut_replay_counts *c, const char *what)
{
    return strstr(what, "before") ? c->acausal : strstr(what, "released") ? c->released : 0;
}

static bool judge(const struct expected *e)
{
    struct prvcut_efficiency_found f, causal;
    struct prvcut_trace *t;
    char path[1024];
    bool good;

    snprintf(path, sizeof path, FOLDER "%s.prv", e->name);
    t = open_sound(path);
    read_run(&f, t, (struct prvcut_span){ 0, 0 }, PRVCUT_REPLAY_DIMEMAS, PRVCUT_REPLAY_CAP, 1);
    read_run(&causal, t, (struct prvcut_span){ 0, 0 }, PRVCUT_REPLAY_CAUSAL, PRVCUT_REPLAY_CAP, 1);
    good = t->end_ns == e->length && longest(&f) == e->ideal && longest(&causal) == e->causal &&
           f.counts.acausal == (strstr(e->counted, "before") ? 1 : 0) &&
           f.counts.released == (strstr(e->counted, "released") ? 1 : 0) &&
           causal.counts.released == 0 && f.counts.late == 0 && f.counts.callless == 0;
    printf("E18 %-18s %5" PRIu64 " %5" PRIu64 "  left out or released %" PRIu64 "  %s\n", e->name,
           longest(&f), longest(&causal), counted(&f.counts, e->counted),
           good ? "as by hand" : "WRONG");
    prvcut_efficiency_found_fini(&f);
    prvcut_efficiency_found_fini(&causal);
    prvcut_trace_close(t);
    return good;
}

START_TEST(test_replay_small_runs_as_by_hand)
{
    FILE *f = fopen(FOLDER "expected.tsv", "r");
    char line[512];
    bool good = true;
    int runs = 0;

    ck_assert(f);
    printf("\nline run                ideal causal\n");
    while (fgets(line, sizeof line, f)) {
        struct expected e;

        if (*line == '#')
            continue;
        ck_assert_int_eq(
            sscanf(line, "%63[^\t]\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%31[^\t]\t%63[^\t]",
                   e.name, &e.length, &e.ideal, &e.causal, e.other, e.counted),
            6);
        good &= judge(&e);
        runs++;
    }
    fclose(f);
    ck_assert_int_eq(runs, 15);
    ck_assert(good);
}
END_TEST

/* --- By hand ---------------------------------------------------------------------------------- */

static struct prvcut_error error;
static struct prvcut_replay *replay;
static const uint32_t all_ranks[3] = { 0, 1, 2 };
static const struct prvcut_replay_group world = { all_ranks, 3 };

static void start(uint32_t lanes, size_t cap, uint64_t from)
{
    const struct prvcut_replay_options o = { .lanes = lanes,
                                             .group = &world,
                                             .groups = 1,
                                             .eager = PRVCUT_REPLAY_EAGER,
                                             .cap = cap,
                                             .from = from };

    ck_assert(prvcut_replay_new(&replay, &o, &error) == PRVCUT_OK);
}

static void call(uint32_t lane, uint64_t begin, uint64_t end, uint32_t kind)
{
    const struct prvcut_replay_call c = { .begin = begin, .lane = lane, .kind = kind };

    ck_assert(prvcut_replay_time(replay, begin, &error) == PRVCUT_OK);
    ck_assert(prvcut_replay_enter(replay, &c, &error) == PRVCUT_OK);
    if (end == 0)
        return;
    ck_assert(prvcut_replay_time(replay, end, &error) == PRVCUT_OK);
    ck_assert(prvcut_replay_leave(replay, lane, end, false, &error) == PRVCUT_OK);
}

static void send(uint32_t from, uint64_t sent, uint64_t done, uint32_t to, uint64_t posted,
                 uint64_t received, uint64_t size)
{
    const struct prvcut_message m = { sent, done, posted, received, size, 0, from, to };

    ck_assert(prvcut_replay_message(replay, &m, false, &error) == PRVCUT_OK);
}

START_TEST(test_horizon_keeps_calls_until_senders_have_ended)
{
    const struct prvcut_replay_counts *c;

    start(2, PRVCUT_REPLAY_CAP, 0);
    c = prvcut_replay_counts(replay);
    /* The sender is in its call while the receiver goes through many. */
    call(0, 100, 0, PRVCUT_REPLAY_SENDS);
    call(1, 50, 200, PRVCUT_REPLAY_POSTS);
    for (uint64_t i = 0; i < 20; i++)
        call(1, 210 + 10 * i, 215 + 10 * i, 0);
    ck_assert_uint_eq(prvcut_replay_ideal(replay, 1), 50);
    ck_assert(prvcut_replay_time(replay, 1000, &error) == PRVCUT_OK);
    send(0, 100, 1000, 1, 50, 200, 8);
    ck_assert(prvcut_replay_leave(replay, 0, 1000, false, &error) == PRVCUT_OK);
    ck_assert(prvcut_replay_finish(replay, &error) == PRVCUT_OK);
    /* Received when it was sent, at 100; then 10, and 19 times 5, between the calls. */
    ck_assert_uint_eq(prvcut_replay_ideal(replay, 1), 100 + 10 + 19 * 5);
    ck_assert_uint_eq(c->peak_lane, 21);
    ck_assert_uint_eq(c->late + c->callless + c->released, 0);
    prvcut_replay_free(replay);
}
END_TEST

START_TEST(test_release_ends_what_waits_for_ever)
{
    start(3, 4, 0);
    /* One rank never comes to the barrier; the two others go on, and on. */
    for (uint64_t i = 0; i < 100; i++) {
        call(0, 1000 * i + 100, 1000 * i + 200, PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_ALL);
        call(1, 1000 * i + 300, 1000 * i + 400, PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_ALL);
    }
    ck_assert(prvcut_replay_counts(replay)->peak <= 4 * 3 + 1);
    ck_assert(prvcut_replay_finish(replay, &error) == PRVCUT_OK);
    ck_assert(prvcut_replay_counts(replay)->released > 100);
    ck_assert_uint_eq(prvcut_replay_recorded(replay, 0), 99200);
    ck_assert_uint_eq(prvcut_replay_recorded(replay, 1), 99400);
    prvcut_replay_free(replay);
}
END_TEST

START_TEST(test_messages_nobody_receives_take_bounded_memory)
{
    start(2, PRVCUT_REPLAY_CAP, 0);
    for (uint64_t i = 0; i < 70000; i++) {
        call(0, 10 * i + 1, 10 * i + 5, PRVCUT_REPLAY_SENDS);
        send(0, 10 * i + 1, 10 * i + 5, 1, 10 * i + 1, 10 * i + 8, 8);
    }
    ck_assert(prvcut_replay_finish(replay, &error) == PRVCUT_OK);
    ck_assert_uint_eq(prvcut_replay_counts(replay)->crowded, 70000 - 65536);
    prvcut_replay_free(replay);
}
END_TEST

START_TEST(test_window_matches_collectives_from_the_beginning)
{
    const uint32_t kind = PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_FROM_ROOT;

    /* Rank 2 is in the first broadcast where the window begins; the others left it before, so that
       they do not wait for its second one in their first. */
    start(3, PRVCUT_REPLAY_CAP, 1000);
    call(0, 100, 200, kind);
    call(1, 110, 210, kind);
    call(2, 120, 0, kind);
    ck_assert(prvcut_replay_time(replay, 1200, &error) == PRVCUT_OK);
    ck_assert(prvcut_replay_leave(replay, 2, 1200, false, &error) == PRVCUT_OK);
    call(0, 1300, 1310, kind);
    call(1, 1400, 1410, kind);
    call(2, 1500, 1510, kind);
    ck_assert(prvcut_replay_finish(replay, &error) == PRVCUT_OK);
    /* Rank 2 computes from 1200, ideally from 0, to 1500; the others from 1000. */
    ck_assert_uint_eq(prvcut_replay_ideal(replay, 0), 400);
    ck_assert_uint_eq(prvcut_replay_ideal(replay, 1), 400);
    ck_assert_uint_eq(prvcut_replay_ideal(replay, 2), 400);
    ck_assert_uint_eq(prvcut_replay_counts(replay)->released, 0);
    prvcut_replay_free(replay);
}
END_TEST

/* --- Bad input -------------------------------------------------------------------------------- */

static void write_trace(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

#define HEAD                                                                                       \
    "#Paraver (01/01/2020 at 10:00):4000_ns:1(2):1:2(1:1,1:1),3\nc:1:1:2:1:2\nc:1:2:1:1\n"         \
    "c:1:3:1:2\n"

START_TEST(test_ends_without_begins_and_begins_without_ends)
{
    struct prvcut_efficiency_found f;
    struct prvcut_trace *t;
    char path[] = "/tmp/efficiency.XXXXXX";
    char name[64];

    ck_assert(mkdtemp(path));
    snprintf(name, sizeof name, "%s/a.prv", path);
    /* The first is in a call from its first record on, the second one to its last. */
    write_trace(name, HEAD "1:1:1:1:1:0:500:3\n1:2:1:2:1:0:3000:1\n2:1:1:1:1:500:50000001:0\n"
                           "1:1:1:1:1:500:4000:1\n2:2:1:2:1:3000:50000001:2\n"
                           "1:2:1:2:1:3000:3900:3\n2:2:1:2:1:3900:40000001:0\n");
    t = open_sound(name);
    read_run(&f, t, (struct prvcut_span){ 0, 0 }, PRVCUT_REPLAY_DIMEMAS, PRVCUT_REPLAY_CAP, 2);
    ck_assert_uint_eq(f.ideal[0], 3500);
    ck_assert_uint_eq(f.ideal[1], 3000);
    ck_assert_uint_eq(f.sum[0].calls, 500);
    ck_assert_uint_eq(f.sum[1].calls, 900);
    ck_assert_uint_eq(f.sum[0].outside, 3500);
    ck_assert_uint_eq(f.sum[1].outside, 3000);
    ck_assert_uint_eq(f.counts.unended, 1);
    prvcut_efficiency_found_fini(&f);
    prvcut_trace_close(t);
    unlink(name);
    rmdir(path);
}
END_TEST

START_TEST(test_outer_call_counts)
{
    struct prvcut_efficiency_found f;
    struct prvcut_trace *t;
    char path[] = "/tmp/efficiency.XXXXXX";
    char name[64];

    ck_assert(mkdtemp(path));
    snprintf(name, sizeof name, "%s/a.prv", path);
    /* A file call with a barrier in it; then one that lost its end. */
    write_trace(name, HEAD "1:1:1:1:1:0:1000:1\n2:1:1:1:1:1000:50000004:1\n"
                           "2:1:1:1:1:1200:50000002:8\n2:1:1:1:1:1300:50000002:0\n"
                           "2:1:1:1:1:1500:50000004:0\n1:1:1:1:1:1500:4000:1\n"
                           "2:1:1:1:1:2000:50000001:1\n2:1:1:1:1:2500:50000001:1\n"
                           "2:1:1:1:1:2600:50000001:0\n");
    t = open_sound(name);
    read_run(&f, t, (struct prvcut_span){ 0, 0 }, PRVCUT_REPLAY_DIMEMAS, PRVCUT_REPLAY_CAP, 2);
    ck_assert_uint_eq(f.sum[0].calls, 500 + 600);
    ck_assert_uint_eq(f.ideal[0], 4000 - 1100);
    prvcut_efficiency_found_fini(&f);
    prvcut_trace_close(t);
    /* A broadcast inside an allreduce: nobody waits for it. */
    write_trace(name, "#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n"
                      "1:1:1:1:1:0:1000:1\n1:2:1:2:1:0:1000:1\n"
                      "2:1:1:1:1:100:50000002:10:50100004:1\n2:2:1:2:1:100:50000002:10:50100004:1\n"
                      "2:2:1:2:1:110:50000002:0\n2:1:1:1:1:150:50000002:7:50100004:1\n"
                      "2:1:1:1:1:300:50000002:0\n2:1:1:1:1:310:50000002:0\n"
                      "2:2:1:2:1:500:50000002:7:50100004:1\n2:2:1:2:1:510:50000002:0\n");
    t = open_sound(name);
    read_run(&f, t, (struct prvcut_span){ 0, 0 }, PRVCUT_REPLAY_DIMEMAS, PRVCUT_REPLAY_CAP, 2);
    ck_assert_uint_eq(f.sum[0].calls, 200);
    ck_assert_uint_eq(f.lost, 1);
    ck_assert_uint_eq(f.ideal[0], 1000 - 200);
    prvcut_efficiency_found_fini(&f);
    prvcut_trace_close(t);
    unlink(name);
    rmdir(path);
}
END_TEST

/* Two threads of the first task call at the same time: the one waits for the message that the other
   does not hold up. */
START_TEST(test_threads_that_call_at_once_have_clocks_of_their_own)
{
    const struct prvcut_efficiency_options o = { .size = sizeof o };
    struct prvcut_efficiency *e;
    struct prvcut_trace *t;
    char path[] = "/tmp/efficiency.XXXXXX";
    char name[64];

    ck_assert(mkdtemp(path));
    snprintf(name, sizeof name, "%s/a.prv", path);
    write_trace(name, "#Paraver (01/01/2020 at 10:00):4000_ns:1(3):1:2(2:1,1:1),1\nc:1:1:2:1:2\n"
                      "1:1:1:1:1:0:1000:1\n1:2:1:1:2:0:1100:1\n1:3:1:2:1:0:2000:1\n"
                      "2:1:1:1:1:1000:50000001:2\n1:1:1:1:1:1000:2600:3\n"
                      "2:2:1:1:2:1100:50000001:62\n1:2:1:1:2:1100:1200:6\n"
                      "2:2:1:1:2:1200:50000001:0\n1:2:1:1:2:1200:4000:1\n"
                      "2:3:1:2:1:2000:50000001:1\n1:3:1:2:1:2000:2500:4\n"
                      "3:3:1:2:1:2000:2500:1:1:1:1:1000:2600:8:1\n"
                      "2:3:1:2:1:2500:50000001:0\n1:3:1:2:1:2500:3000:1\n"
                      "2:1:1:1:1:2600:50000001:0\n1:1:1:1:1:2600:3000:1\n");
    t = open_sound(name);
    ck_assert(prvcut_efficiency_make(t, NULL, &o, &e, &error) == PRVCUT_OK);
    /* 1.1 waits until 2000, then computes 400; 1.2 computes 1100 and 2800; 2.1 2000 and 500. */
    ck_assert(prvcut_efficiency_run(e, 0)->ideal_ns == 3900);
    prvcut_efficiency_free(e);
    prvcut_trace_close(t);
    unlink(name);
    rmdir(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("replay of small runs");
    TCase *c = tcase_create("replay");

    tcase_add_test(c, test_replay_small_runs_as_by_hand);
    tcase_add_test(c, test_horizon_keeps_calls_until_senders_have_ended);
    tcase_add_test(c, test_release_ends_what_waits_for_ever);
    tcase_add_test(c, test_messages_nobody_receives_take_bounded_memory);
    tcase_add_test(c, test_window_matches_collectives_from_the_beginning);
    tcase_add_test(c, test_ends_without_begins_and_begins_without_ends);
    tcase_add_test(c, test_outer_call_counts);
    tcase_add_test(c, test_threads_that_call_at_once_have_clocks_of_their_own);
    suite_add_tcase(s, c);
    return run_suite(s);
}
