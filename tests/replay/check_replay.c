#include "prvcut/convert.h"
#include "prvcut/reduce.h"
#include "tests/support/built.h"
#include "tests/support/replay.h"
#include "tests/support/runner.h"
#include "tests/support/sound.h"
#include "tests/support/traces.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * What comes out of a cut can be replayed: every message has both its ends, every collective all
 * its members, and nobody waits for ever.
 */

static char folder[256];

static void enter_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/prvcut-replay.XXXXXX", base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}

/* --- The matcher itself ----------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "#Paraver (01/01/2030 at 00:00):1000_ns:1(2):1:2(1:1,1:1),1\n"                                 \
    "c:1:1:2:1:2\n"

static void write_file(const char *name, const char *head, const char *text)
{
    FILE *file = fopen(name, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert(fprintf(file, "%s%s", head, text) > 0);
    ck_assert_int_eq(fclose(file), 0);
}

static struct replay_verdict judge(const char *cut, const char *original)
{
    struct replay_verdict v;

    ck_assert_msg(replay_judge(cut, original, &v), "%s: %s", cut, v.first);
    return v;
}

static struct replay_verdict judge_text(const char *text)
{
    write_file("hand.prv", HEAD, text);
    return judge("hand.prv", NULL);
}

/* Task 1 sends, both reduce, task 2 has received. */
#define WHOLE                                                                                      \
    "2:1:1:1:1:100:50000001:1\n"                                                                   \
    "2:2:1:2:1:110:50000001:2\n"                                                                   \
    "2:1:1:1:1:150:50000001:0\n"                                                                   \
    "3:1:1:1:1:100:150:2:1:2:1:110:180:8:5\n"                                                      \
    "2:2:1:2:1:180:50000001:0\n"                                                                   \
    "2:1:1:1:1:200:50000002:10:50100004:1\n"                                                       \
    "2:2:1:2:1:210:50000002:10:50100004:1\n"                                                       \
    "2:1:1:1:1:230:50000002:0\n"                                                                   \
    "2:2:1:2:1:240:50000002:0\n"

START_TEST(test_replay_hand_made_trace_is_whole)
{
    const struct replay_verdict v = judge_text(WHOLE);

    ck_assert_msg(replay_is_whole(&v), "%s", v.first);
    ck_assert_uint_eq(v.calls, 4);
    ck_assert_uint_eq(v.messages, 1);
    ck_assert_uint_eq(v.collectives, 2);
}
END_TEST

/* The send lies before the cut: the receive waits for it for ever. */
START_TEST(test_replay_lost_message_is_stuck)
{
    const struct replay_verdict v = judge_text("2:2:1:2:1:110:50000001:2\n"
                                               "2:2:1:2:1:180:50000001:0\n");

    ck_assert_uint_eq(v.unmatched, 1);
    ck_assert_uint_eq(v.stuck, 1);
}
END_TEST

START_TEST(test_replay_lost_member_of_collective_is_stuck)
{
    const struct replay_verdict v = judge_text("2:1:1:1:1:200:50000002:10:50100004:1\n"
                                               "2:1:1:1:1:230:50000002:0\n");

    ck_assert_uint_eq(v.unequal, 1);
    ck_assert_uint_eq(v.stuck, 1);
}
END_TEST

/* One member's first collective is the other's second. */
START_TEST(test_replay_other_collective_is_unequal)
{
    const struct replay_verdict v = judge_text("2:1:1:1:1:200:50000002:10:50100004:1\n"
                                               "2:2:1:2:1:210:50000002:8:50100004:1\n"
                                               "2:1:1:1:1:230:50000002:0\n"
                                               "2:2:1:2:1:240:50000002:0\n");

    ck_assert_uint_eq(v.unequal, 1);
}
END_TEST

/* Each receives before it sends: all messages are there, and still nobody can go on. */
START_TEST(test_replay_circle_of_receives_is_stuck)
{
    const struct replay_verdict v = judge_text("2:1:1:1:1:100:50000001:2\n"
                                               "2:2:1:2:1:100:50000001:2\n"
                                               "2:1:1:1:1:150:50000001:0\n"
                                               "2:2:1:2:1:150:50000001:0\n"
                                               "2:1:1:1:1:200:50000001:1\n"
                                               "2:2:1:2:1:200:50000001:1\n"
                                               "2:1:1:1:1:250:50000001:0\n"
                                               "2:2:1:2:1:250:50000001:0\n"
                                               "3:1:1:1:1:200:250:2:1:2:1:100:150:8:5\n"
                                               "3:2:1:2:1:200:250:1:1:1:1:100:150:8:5\n");

    ck_assert_uint_eq(v.unmatched, 0);
    ck_assert_uint_eq(v.stuck, 2);
    ck_assert_uint_eq(v.left, 2);
}
END_TEST

/* An Irecv only posts: its message may come later, in the Wait. */
START_TEST(test_replay_posted_receive_waits_in_its_wait)
{
    const struct replay_verdict v = judge_text("2:1:1:1:1:100:50000001:4\n"
                                               "2:2:1:2:1:100:50000001:4\n"
                                               "2:1:1:1:1:110:50000001:0\n"
                                               "2:2:1:2:1:110:50000001:0\n"
                                               "2:1:1:1:1:200:50000001:1\n"
                                               "2:2:1:2:1:200:50000001:1\n"
                                               "2:1:1:1:1:250:50000001:0\n"
                                               "2:2:1:2:1:250:50000001:0\n"
                                               "2:1:1:1:1:300:50000001:5\n"
                                               "2:2:1:2:1:300:50000001:5\n"
                                               "2:1:1:1:1:350:50000001:0\n"
                                               "2:2:1:2:1:350:50000001:0\n"
                                               "3:1:1:1:1:200:250:2:1:2:1:100:350:8:5\n"
                                               "3:2:1:2:1:200:250:1:1:1:1:100:350:8:5\n");

    ck_assert_msg(replay_is_whole(&v), "%s", v.first);
}
END_TEST

/* Beside the original: a call opened again at the border is torn, a message that is gone is seen.
 */
START_TEST(test_replay_straight_cut_of_whole_trace_is_broken)
{
    struct replay_verdict v;

    write_file("all.prv", HEAD, WHOLE);
    write_file("part.prv", HEAD "#20300101000000:CUTTER:ORIGINAL:\"all.prv\":105:105:1000\n",
               "2:1:1:1:1:0:50000001:1\n"
               "2:2:1:2:1:5:50000001:2\n"
               "2:1:1:1:1:45:50000001:0\n"
               "2:2:1:2:1:75:50000001:0\n"
               "2:1:1:1:1:95:50000002:10:50100004:1\n"
               "2:2:1:2:1:105:50000002:10:50100004:1\n"
               "2:1:1:1:1:125:50000002:0\n"
               "2:2:1:2:1:135:50000002:0\n");
    v = judge("part.prv", "all.prv");
    ck_assert_uint_eq(v.torn, 1);
    ck_assert_uint_eq(v.unmatched, 1);
    /* Task 2 never receives, and task 1 waits for it in the reduction. */
    ck_assert_uint_eq(v.stuck, 2);
}
END_TEST

/* --- Cuts of generated traces ----------------------------------------------------------------- */

struct wish {
    enum prvcut_align align;
    unsigned level;
    bool keep_time;
};

static enum prvcut_status reduce(const char *path, const char *cut, struct wish wish,
                                 struct prvcut_reduction **r, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_reduce_options options = {
        .iterations = 2,
        .align = wish.align,
        .level = wish.level,
        .cut =
            &(const struct prvcut_cut_options){
                .path = cut, .keep_time = wish.keep_time, .own_clocks = true, .force = true },
    };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    *r = NULL;
    if (st < 0)
        return st;
    st = prvcut_reduce(trace, &run, &options, r, err);
    prvcut_trace_close(trace);
    return st;
}

/* Cut by default; what it was aligned with must be as said. The reduction is the caller's. */
static struct replay_verdict judge_level(const char *path, unsigned level, enum prvcut_align align,
                                         struct prvcut_reduction **out)
{
    struct prvcut_error err = { 0 };
    const struct prvcut_reduction *r;

    ck_assert_msg(reduce(path, "cut.prv", (struct wish){ .level = level }, out, &err) == PRVCUT_OK,
                  "%s", err.text);
    r = *out;
    ck_assert_msg(prvcut_reduction_chop(r, 0)->align == align, "%s: %s",
                  prvcut_align_text(prvcut_reduction_chop(r, 0)->align),
                  prvcut_align_why_text(prvcut_reduction_chop(r, 0)->align_why));
    ck_assert(sound_as(prvcut_reduction_chop(r, 0)->cut->file[0], path));
    return judge(prvcut_reduction_chop(r, 0)->cut->file[0], path);
}

static struct replay_verdict judge_default(const char *path, enum prvcut_align align)
{
    struct prvcut_reduction *r;
    const struct replay_verdict v = judge_level(path, 1, align, &r);

    prvcut_reduction_free(r);
    return v;
}

/* Programs whose processes do not reach an iteration at one time. */
static const char *const programs[] = {
    "--tasks 16 --skew-ns 3000000",
    "--tasks 12 --pipeline --jitter 0.1",
    "--tasks 9 --skew-ns 1000000 --imbalance 0.5",
    "--tasks 8 --threads-per-task 3 --skew-ns 2000000",
    "--tasks 8 --silent 2 --skew-ns 2000000",
    "--tasks 8 --short-lived 3 --skew-ns 2000000",
    "--tasks 6 --inner 3,4 --skew-ns 4000000",
    "--tasks 8 --every-k 7 --skew-ns 2000000",
    "--tasks 8 --microseconds --skew-ns 2000000",
    /* Both have a communicator 1, and are never at the same place at one time. */
    "--tasks 4 --applications 2 --skew-ns 2000000",
    "--tasks 4 --applications 2 --skew-ns 2000000 --seed 3",
    "--tasks 8 --flush-every 900 --flush-ns 30000000 --skew-ns 2000000",
};

#define PROGRAMS ((int)(sizeof programs / sizeof *programs))

START_TEST(test_replay_generated_cut_is_whole)
{
    struct replay_verdict v;

    if (!traces_turn(_i))
        return;
    ck_assert(traces_shell("'%s' %s --iterations 60 g", PRVGEN, programs[_i]));
    v = judge_default("g.prv", PRVCUT_ALIGN_CALLS);
    ck_assert_msg(replay_is_whole(&v), "%s: %s", programs[_i], v.first);
    ck_assert_uint_gt(v.messages + v.collectives, 0);
    ck_assert_uint_eq(v.excused, 0);
}
END_TEST

/* Two iterations of a loop inside an iteration, the threads up to twenty of them apart. */
static const char *const nests[] = {
    "--tasks 6 --inner 8 --skew-ns 4000000 --jitter 0.15",
    "--tasks 6 --inner 8 --pipeline --jitter 0.15",
    "--tasks 16 --inner 5,6 --skew-ns 1000000 --threads-per-task 2 --seed 2",
    "--tasks 24 --inner 20 --skew-ns 1000000 --imbalance 0.3",
};

#define NESTS ((int)(sizeof nests / sizeof *nests))

START_TEST(test_replay_cut_of_inner_loop_is_whole)
{
    struct prvcut_reduction *r;
    struct replay_verdict v;

    if (!traces_turn(_i))
        return;
    ck_assert(traces_shell("'%s' %s --iterations 60 g", PRVGEN, nests[_i]));
    v = judge_level("g.prv", 2, PRVCUT_ALIGN_CALLS, &r);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->level, 2);
    ck_assert_msg(replay_is_whole(&v), "%s: %s", nests[_i], v.first);
    ck_assert_uint_gt(v.messages, 0);
    ck_assert_uint_eq(v.excused, 0);
    prvcut_reduction_free(r);
}
END_TEST

/* Threads of OpenMP go with the one of their task that calls, tasks that never call with all. */
START_TEST(test_replay_threads_without_calls_go_with_the_others)
{
    struct prvcut_reduction *r;
    const struct prvcut_chop *c;
    struct replay_verdict v;

    ck_assert(traces_shell("'%s' --tasks 6 --threads-per-task 2 --silent 1 --skew-ns 2000000"
                           " --iterations 60 g",
                           PRVGEN));
    v = judge_level("g.prv", 1, PRVCUT_ALIGN_CALLS, &r);
    c = prvcut_reduction_chop(r, 0);
    ck_assert_msg(replay_is_whole(&v), "%s", v.first);
    ck_assert_uint_ge(c->threads, 13);
    ck_assert_uint_eq(c->follow, 6);
    for (uint32_t i = 0; i < 12; i += 2) {
        ck_assert_uint_eq(c->thread[i].start, c->thread[i + 1].start);
        ck_assert_uint_eq(c->thread[i].end, c->thread[i + 1].end);
    }
    ck_assert_uint_eq(c->thread[12].start, c->cut->window.start);
    ck_assert_uint_eq(c->thread[12].end, c->cut->window.end);
    prvcut_reduction_free(r);
}
END_TEST

/* The same trace cut at one time: the matcher must see what is wrong with it. */
START_TEST(test_replay_generated_straight_cut_is_broken)
{
    struct prvcut_reduction *r;
    struct prvcut_error err = { 0 };
    struct replay_verdict v;

    ck_assert(traces_shell("'%s' %s --iterations 60 g", PRVGEN, programs[0]));
    ck_assert_msg(reduce("g.prv", "cut.prv", (struct wish){ .align = PRVCUT_ALIGN_STRAIGHT }, &r,
                         &err) == PRVCUT_OK,
                  "%s", err.text);
    prvcut_reduction_free(r);
    v = judge("cut.prv", "g.prv");
    ck_assert_uint_gt(v.torn + v.unmatched, 0);
    ck_assert_uint_gt(v.stuck, 0);
}
END_TEST

/* Traces that tell no calls have nothing to be aligned by. */
static const char *const mute[] = { "--tasks 8 --burst-mode", "--tasks 8 --no-calls" };

START_TEST(test_replay_trace_without_calls_is_cut_straight)
{
    struct replay_verdict v;

    ck_assert(traces_shell("'%s' %s --iterations 60 g", PRVGEN, mute[_i]));
    v = judge_default("g.prv", PRVCUT_ALIGN_STRAIGHT);
    ck_assert_uint_eq(v.calls, 0);
}
END_TEST

/* --- Real traces ------------------------------------------------------------------------------ */

static bool is_paraver(const char *format)
{
    return strcmp(format, "paraver") == 0;
}

static bool convert(const char *from, const char *to)
{
    const struct prvcut_run run = { .threads = 2 };
    /* Times as they were recorded: clocks brought together in the cut are not those of all. */
    const struct prvcut_open_options raw = { .raw_clocks = true };
    const struct prvcut_convert_options options = { .path = to, .force = true };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, from, &raw, &err);

    if (st == PRVCUT_OK) {
        st = prvcut_convert(trace, &run, &options, &sum, &err);
        prvcut_convert_summary_free(sum);
        prvcut_trace_close(trace);
    }
    ck_assert_msg(st == PRVCUT_OK, "%s: %s", from, err.text);
    return true;
}

/*
 * Where the clock is so coarse that many records share a tick, a conversion sets them apart, and
 * what is cut is found at no time of the original: it is then looked at alone, and which call has
 * no message in the original is not known.
 */
static struct replay_verdict judge_archive(const char *cut, const char *original)
{
    struct replay_verdict v;

    convert(cut, "cut.prv");
    convert(original, "all.prv");
    v = judge("cut.prv", "all.prv");
    if (v.calls > 0 && v.torn == v.calls) {
        v = judge("cut.prv", NULL);
        v.excused += v.unmatched;
        v.unmatched = 0;
    }
    return v;
}

static void judge_real(const char *format, const char *name, const char *path)
{
    struct prvcut_reduction *r;
    struct prvcut_error err = { 0 };
    char cut[64];
    enum prvcut_status st;

    snprintf(cut, sizeof cut, "cut.%s", is_paraver(format) ? "prv" : format);
    st = reduce(path, cut, (struct wish){ .keep_time = !is_paraver(format) }, &r, &err);
    ck_assert_msg(st >= 0, "%s: %s", name, err.text);
    if (st == PRVCUT_OK) {
        const struct replay_verdict v =
            is_paraver(format) ? judge(cut, path) : judge_archive(cut, path);

        printf("%-8s %-24s %-8s %7zu calls %6zu messages %6zu collective, %zu excused\n", format,
               name, prvcut_align_text(prvcut_reduction_chop(r, 0)->align), v.calls, v.messages,
               v.collectives, v.excused);
        ck_assert_msg(prvcut_reduction_chop(r, 0)->align == PRVCUT_ALIGN_CALLS || v.calls == 0,
                      "%s %s: %s", format, name,
                      prvcut_align_why_text(prvcut_reduction_chop(r, 0)->align_why));
        ck_assert_msg(replay_is_whole(&v), "%s %s: %s", format, name, v.first);
        ck_assert_msg(sound_as(cut, path), "%s %s", format, name);
        /* What crosses is such as the original tells wrongly. */
        ck_assert_uint_le(prvcut_reduction_chop(r, 0)->crossing, v.excused);
    }
    prvcut_reduction_free(r);
}

START_TEST(test_replay_real_cut_is_whole)
{
    static const char *const formats[] = { "paraver", "otf2", "otf" };
    char line[4096], name[64], format[16], path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/truth.tsv", traces_folder());
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (test_reads(formats[_i]) && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %15s", name, format) != 2 || strcmp(format, formats[_i]) != 0 ||
            !traces_wanted(format, name))
            continue;
        if (is_paraver(format) ? traces_unpack(name, path, sizeof path)
                               : traces_unpack_archive(format, name, path, sizeof path))
            judge_real(format, name, path);
    }
    fclose(file);
}
END_TEST

static Suite *replay_suite(void)
{
    Suite *s = suite_create("replay");
    TCase *t = tcase_create("replay");

    tcase_add_checked_fixture(t, enter_folder, leave_folder);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, test_replay_hand_made_trace_is_whole);
    tcase_add_test(t, test_replay_lost_message_is_stuck);
    tcase_add_test(t, test_replay_lost_member_of_collective_is_stuck);
    tcase_add_test(t, test_replay_other_collective_is_unequal);
    tcase_add_test(t, test_replay_circle_of_receives_is_stuck);
    tcase_add_test(t, test_replay_posted_receive_waits_in_its_wait);
    tcase_add_test(t, test_replay_straight_cut_of_whole_trace_is_broken);
    tcase_add_loop_test(t, test_replay_generated_cut_is_whole, 0, PROGRAMS);
    tcase_add_loop_test(t, test_replay_cut_of_inner_loop_is_whole, 0, NESTS);
    tcase_add_test(t, test_replay_threads_without_calls_go_with_the_others);
    tcase_add_test(t, test_replay_generated_straight_cut_is_broken);
    tcase_add_loop_test(t, test_replay_trace_without_calls_is_cut_straight, 0, 2);
    if (traces_folder())
        tcase_add_loop_test(t, test_replay_real_cut_is_whole, 0, 3);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(replay_suite());
}
