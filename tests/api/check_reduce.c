#include "prvcut/reduce.h"

#include "model/trace.h"
#include "tests/structure/generated.h"

#include "runner.h"
#include "traces.h"

#include <math.h>

static struct prvcut_error error;

static enum prvcut_status try_reduce(const char *path, const struct prvcut_run *run,
                                     const struct prvcut_reduce_options *options,
                                     struct prvcut_reduction **out)
{
    struct prvcut_trace *trace;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    memset(out, 0, sizeof *out);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_reduce(trace, run, options, out, &error);
    prvcut_trace_close(trace);
    ck_assert(st >= 0 || (error.status == st && error.text[0] != '\0'));
    return st;
}

/* What holds of any reduction: its phases cover what was analysed, its masks are inside and in
 * order. */
static void assert_whole(const struct prvcut_reduction *r)
{
    uint64_t reached = r->structure->span.start;

    ck_assert_uint_gt(r->structure->regions, 0);
    for (size_t i = 0; i < r->structure->regions; i++) {
        if (prvcut_structure_region(r->structure, i)->level > 1)
            continue;
        ck_assert_uint_eq(prvcut_structure_region(r->structure, i)->span.start, reached);
        ck_assert_uint_gt(prvcut_structure_region(r->structure, i)->span.end, reached);
        reached = prvcut_structure_region(r->structure, i)->span.end;
    }
    ck_assert_uint_eq(reached, r->structure->span.end);
    ck_assert_uint_le(reached, r->end_ns);
    for (size_t i = 0; i < r->structure->masks; i++) {
        ck_assert_uint_lt(prvcut_structure_mask(r->structure, i)->span.start,
                          prvcut_structure_mask(r->structure, i)->span.end);
        ck_assert_uint_le(prvcut_structure_mask(r->structure, i)->span.end, r->end_ns);
        ck_assert(i == 0 || prvcut_structure_mask(r->structure, i - 1)->span.start <=
                                prvcut_structure_mask(r->structure, i)->span.start);
    }
    if (r->given_ns == 0 || !isnan(r->confidence)) {
        ck_assert_double_ge(r->confidence, 0);
        ck_assert_double_le(r->confidence, 1);
    }
    ck_assert_uint_eq(r->records, r->states + r->events + r->messages);
    ck_assert_uint_le(r->phase.start, r->phase.end);
    ck_assert_uint_le(r->phase.end, r->end_ns);
    ck_assert(r->periodic == (r->reason[0] == '\0'));
}

/* A border may be moved a little to where less is cut; of an aligned cut, some thread is there. */
static void assert_in_phase(const struct prvcut_reduction *r)
{
    const struct prvcut_chop *c = prvcut_reduction_chop(r, 0);
    struct prvcut_span w = c->cut->window;

    for (uint32_t i = 0; i < c->threads; i++) {
        w.start = c->thread[i].start > w.start ? c->thread[i].start : w.start;
        w.end = c->thread[i].end < w.end ? c->thread[i].end : w.end;
    }
    ck_assert_double_le((double)r->phase.start, (double)w.start + 0.25 * r->period_ns);
    ck_assert_double_ge((double)r->phase.end, (double)w.end - 0.25 * r->period_ns);
}

static struct prvcut_reduction *reduce(const char *path, int threads,
                                       const struct prvcut_reduce_options *options)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_reduction *r;

    ck_assert_msg(try_reduce(path, &run, options, &r) == PRVCUT_OK, "%s %s", error.text,
                  r ? r->reason : "");
    assert_whole(r);
    ck_assert(r->periodic);
    assert_in_phase(r);
    return r;
}

/* --- Known truth -------------------------------------------------------------------------------
 */

static const struct kind {
    const char *options;
    unsigned iterations; /* to keep */
} kinds[] = {
    { "--iterations 60", 2 },
    { "--iterations 60 --jitter 0.15", 2 },
    { "--iterations 60 --drift 0.5", 2 },
    { "--iterations 30 --inner 25", 2 },
    { "--iterations 60 --pipeline", 2 },
    { "--iterations 60 --skew-ns 500000", 2 },
    { "--iterations 3 --inner 5", 2 },
    { "--iterations 4 --inner 5", 1 },
    { "--iterations 40 --init-ns 20000000000", 3 },
    { "--iterations 60 --no-states", 2 },
    { "--iterations 60 --no-calls", 2 },
    { "--iterations 60 --burst-mode", 2 },
    { "--iterations 60 --no-calls --end-ns 0", 2 },
    { "--iterations 50 --applications 2", 2 },
    { "--iterations 50 --threads-per-task 3", 2 },
    { "--iterations 60 --microseconds", 2 },
    { "--iterations 60 --crlf", 2 },
    { "--iterations 120 --flush-every 900", 4 },
    { "--iterations 120 --change-at 0.6 --change-period 7000000", 2 },
    { "--iterations 120 --preempt 2 --counters", 2 },
    { "--iterations 120 --clog 2", 2 },
    { "--iterations 60 --imbalance 0.4", 5 },
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static bool period_is(double period, const struct truth_phase *p)
{
    return (period > 0.97 * p->mean && period < 1.03 * p->mean) ||
           (period > 0.97 * p->median && period < 1.03 * p->median);
}

static void assert_true(const struct prvcut_reduction *r, const struct truth *truth)
{
    const struct truth_phase *p = &truth->phase[0];
    double off;

    while (p + 1 < truth->phase + truth->phases && !period_is(r->period_ns, p))
        p++;
    ck_assert_msg(period_is(r->period_ns, p), "%.0f ns, not %.0f", r->period_ns, p->mean);
    off = fabs(r->iterations - (double)p->iterations);
    ck_assert_msg(off <= 1.01 || off <= 0.1 * (double)p->iterations,
                  "%.1f iterations, not %" PRIu64, r->iterations, p->iterations);
    ck_assert_double_gt(r->confidence, 0.5);
}

/* Iterations that a chop holds: of each thread, on the average. */
static double held_by(const struct prvcut_chop *chop, const struct truth *truth)
{
    const struct prvcut_span *w = &chop->cut->window;
    double sum = 0;

    if (!chop->thread)
        return truth_position(truth, (double)w->end) - truth_position(truth, (double)w->start);
    for (uint32_t i = 0; i < chop->threads; i++) {
        ck_assert_uint_ge(chop->thread[i].start, w->start);
        ck_assert_uint_le(chop->thread[i].end, w->end);
        sum += truth_position(truth, (double)chop->thread[i].end) -
               truth_position(truth, (double)chop->thread[i].start);
    }
    return sum / chop->threads;
}

static void assert_window(const struct prvcut_reduction *r, const struct truth *truth,
                          unsigned iterations)
{
    const struct prvcut_span *w = &prvcut_reduction_chop(r, 0)->cut->window;
    const double held = held_by(prvcut_reduction_chop(r, 0), truth);

    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->iterations, iterations);
    ck_assert_msg(fabs(held - iterations) < 0.15, "%.2f iterations, not %u", held, iterations);
    ck_assert_uint_ge(w->start + (uint64_t)(r->period_ns / 4), truth->loop_start);
    for (size_t i = 0; i < truth->masks; i++)
        ck_assert_msg(w->end <= truth->mask[i].start || w->start >= truth->mask[i].end,
                      "[%" PRIu64 ", %" PRIu64 ") touches a %s at %" PRIu64, w->start, w->end,
                      truth->mask[i].cause, truth->mask[i].start);
    ck_assert_double_ge(prvcut_reduction_chop(r, 0)->similarity, -1);
    ck_assert_double_le(prvcut_reduction_chop(r, 0)->similarity, 1);
}

START_TEST(test_reduce_generated_trace_as_its_truth_says)
{
    const struct kind *k = &kinds[_i];
    const struct prvcut_reduce_options o = { .iterations = k->iterations };
    struct prvcut_reduction *r;
    struct truth *truth;
    char options[512];

    if (!traces_turn(_i))
        return;
    snprintf(options, sizeof options, "--tasks 6 --seed %d %s", 100 + _i, k->options);
    generated_make(options, "a");
    truth = truth_read("a");
    r = reduce("a.prv", 2, &o);
    assert_true(r, truth);
    assert_window(r, truth, k->iterations);
    ck_assert_str_eq(r->calls_are, strstr(k->options, "--burst-mode") ? "call sites"
                                   : strstr(k->options, "--no-calls") ? "states"
                                                                      : "MPI calls");
    ck_assert_int_eq(access("a.chop1.prv", R_OK), 0);
    ck_assert_int_eq(access("a.chop1.pcf", R_OK), 0);
    ck_assert_int_eq(access("a.chop1.row", R_OK), 0);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->files, 3);
    ck_assert_uint_eq(scratch_count(), 7);
    prvcut_reduction_free(r);
    free(truth);
}
END_TEST

/* Nothing repeats: no cut, a reason, and no certainty either. */
START_TEST(test_reduce_aperiodic_trace_writes_nothing)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;
    char options[128];

    if (!traces_turn(_i))
        return;
    snprintf(options, sizeof options, "--tasks 6 --iterations 60 --aperiodic --seed %d", _i);
    generated_make(options, "a");
    ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_NONE);
    assert_whole(r);
    ck_assert(!r->periodic);
    ck_assert_double_eq(r->period_ns, 0);
    ck_assert_str_ne(r->reason, "");
    ck_assert_uint_eq(r->chops, 0);
    ck_assert_uint_eq(scratch_count(), 4);
    prvcut_reduction_free(r);
}
END_TEST

/* --- The same by any way -----------------------------------------------------------------------
 */

static void assert_same(const struct prvcut_reduction *a, const struct prvcut_reduction *b)
{
    ck_assert_double_eq(a->period_ns, b->period_ns);
    ck_assert_double_eq(a->iterations, b->iterations);
    ck_assert_double_eq(a->confidence, b->confidence);
    ck_assert_uint_eq(a->chops, b->chops);
    ck_assert_double_eq(prvcut_reduction_chop(a, 0)->similarity,
                        prvcut_reduction_chop(b, 0)->similarity);
    ck_assert_int_eq(memcmp(&a->phase, &b->phase, sizeof a->phase), 0);
    ck_assert_int_eq(memcmp(&prvcut_reduction_chop(a, 0)->cut->window,
                            &prvcut_reduction_chop(b, 0)->cut->window,
                            sizeof prvcut_reduction_chop(a, 0)->cut->window),
                     0);
    ck_assert_uint_eq(a->votes, b->votes);
    for (size_t i = 0; i < a->votes; i++) {
        ck_assert_str_eq(prvcut_reduction_vote(a, i)->metric, prvcut_reduction_vote(b, i)->metric);
        ck_assert_uint_eq(prvcut_reduction_vote(a, i)->status, prvcut_reduction_vote(b, i)->status);
        ck_assert_double_eq(prvcut_reduction_vote(a, i)->period_ns,
                            prvcut_reduction_vote(b, i)->period_ns);
        ck_assert_double_eq(prvcut_reduction_vote(a, i)->strength,
                            prvcut_reduction_vote(b, i)->strength);
    }
    ck_assert_uint_eq(a->structure->masks, b->structure->masks);
    for (size_t i = 0; i < a->structure->masks; i++) {
        const struct prvcut_mask *m = prvcut_structure_mask(a->structure, i),
                                 *n = prvcut_structure_mask(b->structure, i);

        ck_assert_uint_eq(m->cause, n->cause);
        ck_assert_int_eq(memcmp(&m->span, &n->span, sizeof m->span), 0);
    }
    ck_assert_uint_eq(a->structure->regions, b->structure->regions);
    ck_assert_uint_eq(a->records, b->records);
}

START_TEST(test_reduce_empty_trace_has_no_period)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_reduction *r;
    FILE *file = fopen("empty.prv", "w");

    ck_assert_ptr_nonnull(file);
    fputs("#Paraver (20/11/2026 at 12:00):0_ns:1(1):1:1(1:1)\n", file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(try_reduce("empty.prv", &run, &o, &r), PRVCUT_NONE);
    ck_assert(!r->periodic);
    ck_assert_uint_gt(strlen(r->reason), 0);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_reduce_is_the_same_for_any_threads_and_packing)
{
    struct prvcut_cut_options cut = { .path = "one.prv", .force = true };
    struct prvcut_reduce_options o = { .iterations = 2, .cut = &cut };
    struct prvcut_reduction *one, *other;

    generated_make("--tasks 6 --iterations 80 --inner 3 --flush-every 900 --jitter 0.1", "a");
    one = reduce("a.prv", 1, &o);
    cut.path = "other.prv";
    for (int threads = 2; threads <= 3; threads++) {
        other = reduce("a.prv", threads, &o);
        assert_same(one, other);
        ck_assert_int_eq(generated_shell("cmp one.prv other.prv && cmp one.pcf other.pcf"), 0);
        prvcut_reduction_free(other);
    }
    ck_assert_int_eq(generated_shell("zstd -q a.prv && rm a.prv"), 0);
    other = reduce("a.prv.zst", 2, &o);
    assert_same(one, other);
    /* A comment names the trace that was cut; all else is the same. */
    ck_assert_int_eq(generated_shell("grep '^[123]:' one.prv >one.txt;"
                                     "grep '^[123]:' other.prv | cmp - one.txt"),
                     0);
    prvcut_reduction_free(other);
    prvcut_reduction_free(one);
}
END_TEST

START_TEST(test_reduce_compressed_trace_gives_compressed_cut)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls" };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 40", "a");
    ck_assert_int_eq(generated_shell("zstd -q a.prv && rm a.prv"), 0);
    r = reduce("a.prv.zst", 2, &o);
    ck_assert_int_eq(generated_shell("zstd -tq a.chop1.prv.zst"), 0);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_reduce_dry_run_finds_the_same_and_writes_nothing)
{
    struct prvcut_cut_options cut = { .dry_run = true };
    struct prvcut_reduce_options o = { .iterations = 2,
                                       .metrics = "calls,bursts,p2p",
                                       .cut = &cut };
    struct prvcut_reduction *dry, *wet;

    generated_make("--tasks 4 --iterations 40", "a");
    dry = reduce("a.prv", 2, &o);
    ck_assert(dry->dry_run);
    ck_assert_uint_eq(scratch_count(), 4);
    cut.dry_run = false;
    wet = reduce("a.prv", 2, &o);
    assert_same(dry, wet);
    ck_assert_uint_eq(prvcut_reduction_chop(dry, 0)->cut->bytes,
                      prvcut_reduction_chop(wet, 0)->cut->bytes);
    ck_assert_uint_eq(prvcut_reduction_chop(dry, 0)->cut->events,
                      prvcut_reduction_chop(wet, 0)->cut->events);
    prvcut_reduction_free(dry);
    prvcut_reduction_free(wet);
}
END_TEST

/* --- Options -----------------------------------------------------------------------------------
 */

/* Whatever the signals see, the given period is taken, and how sure it is was not asked; calls that
   repeat as often tell where the iterations begin, and how long they are. */
START_TEST(test_reduce_given_period_is_taken)
{
    static const double factor[] = { 1, 2, 3.5, 0.25 };
    struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls,p2p" };
    struct prvcut_reduction *r;
    struct truth *truth;

    generated_make("--tasks 4 --iterations 60", "a");
    truth = truth_read("a");
    o.period_ns = (uint64_t)(factor[_i] * truth->median);
    r = reduce("a.prv", 2, &o);
    ck_assert_uint_eq(r->given_ns, o.period_ns);
    if (_i == 0)
        ck_assert_double_eq_tol(r->period_ns / (double)o.period_ns, 1, 0.03);
    else
        ck_assert_double_eq_tol(r->period_ns, (double)o.period_ns, 1);
    ck_assert_double_nan(r->confidence);
    ck_assert_double_eq_tol((double)(prvcut_reduction_chop(r, 0)->cut->window.end -
                                     prvcut_reduction_chop(r, 0)->cut->window.start) /
                                (2 * r->period_ns),
                            1, 0.15);
    ck_assert_double_eq_tol((double)(r->phase.end - r->phase.start) / r->period_ns, r->iterations,
                            0.001);
    ck_assert_uint_ge(prvcut_reduction_chop(r, 0)->cut->window.start + (uint64_t)truth->median / 2,
                      truth->loop_start);
    prvcut_reduction_free(r);
    free(truth);
}
END_TEST

/* Also where nothing repeats. */
START_TEST(test_reduce_given_period_needs_no_loop)
{
    const struct prvcut_reduce_options o = { .iterations = 3, .period_ns = 20000000 };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 40 --aperiodic", "a");
    r = reduce("a.prv", 2, &o);
    ck_assert_double_eq_tol((double)(prvcut_reduction_chop(r, 0)->cut->window.end -
                                     prvcut_reduction_chop(r, 0)->cut->window.start),
                            60e6, 20e6);
    prvcut_reduction_free(r);
}
END_TEST

/* A period that makes more iterations than anyone can want is refused at once. */
START_TEST(test_reduce_given_period_of_no_sense_is_refused)
{
    static const uint64_t period[] = { 1, 5000000000, UINT64_MAX };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls" };
    struct prvcut_reduction *r;

    generated_make("--tasks 2 --iterations 20", "a");
    for (unsigned i = 0; i < 3; i++) {
        o.period_ns = period[i];
        ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EUSAGE);
        prvcut_reduction_free(r);
        ck_assert_uint_eq(scratch_count(), 4);
    }
}
END_TEST

START_TEST(test_reduce_only_window_keeps_to_it)
{
    struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;
    struct truth *truth;

    generated_make("--tasks 4 --iterations 80", "a");
    truth = truth_read("a");
    o.only = (struct prvcut_span){ truth->first[40], truth->first[60] };
    r = reduce("a.prv", 2, &o);
    ck_assert(period_is(r->period_ns, &truth->phase[0]));
    ck_assert_double_le(r->iterations, 20.5);
    ck_assert_double_ge(r->iterations, 17.5);
    ck_assert_uint_ge(prvcut_reduction_chop(r, 0)->cut->window.start, o.only.start);
    ck_assert_uint_le(prvcut_reduction_chop(r, 0)->cut->window.end, o.only.end);
    prvcut_reduction_free(r);
    free(truth);
}
END_TEST

/* Where the window ends inside an iteration, nothing beyond it is taken. */
START_TEST(test_reduce_only_window_by_signals_keeps_to_it)
{
    struct prvcut_reduce_options o = { .iterations = 3, .metrics = "bursts,computing" };
    struct prvcut_reduction *r;
    struct truth *truth;

    generated_make("--tasks 4 --iterations 80", "a");
    truth = truth_read("a");
    o.only = (struct prvcut_span){ truth->first[30] + 5000000,
                                   truth->first[30] + 5000000 + (uint64_t)(12.4 * truth->median) };
    r = reduce("a.prv", 2, &o);
    ck_assert(period_is(r->period_ns, &truth->phase[0]));
    ck_assert_uint_ge(prvcut_reduction_chop(r, 0)->cut->window.start, o.only.start);
    ck_assert_uint_le(prvcut_reduction_chop(r, 0)->cut->window.end, o.only.end);
    prvcut_reduction_free(r);
    free(truth);
}
END_TEST

/* All of a window is asked for, whose borders lie anywhere: they are not moved out of it. */
START_TEST(test_reduce_only_window_is_not_left_by_moved_borders)
{
    struct prvcut_reduce_options o = { .iterations = 5,
                                       .metrics = "flops",
                                       .align = PRVCUT_ALIGN_STRAIGHT,
                                       .cut =
                                           &(const struct prvcut_cut_options){ .dry_run = true } };
    struct truth *truth;

    generated_make("--tasks 4 --iterations 40 --skew-ns 300000", "a");
    truth = truth_read("a");
    for (unsigned k = 0; k < 5; k++) {
        struct prvcut_reduction *r;
        const uint64_t start = truth->first[10] + k * (uint64_t)truth->median / 5;

        o.period_ns = (uint64_t)truth->median;
        o.only = (struct prvcut_span){ start, start + 5 * o.period_ns };
        r = reduce("a.prv", 2, &o);
        ck_assert_uint_ge(prvcut_reduction_chop(r, 0)->cut->window.start, o.only.start);
        ck_assert_uint_le(prvcut_reduction_chop(r, 0)->cut->window.end, o.only.end);
        prvcut_reduction_free(r);
    }
    free(truth);
}
END_TEST

START_TEST(test_reduce_only_window_of_no_sense_is_refused)
{
    static const struct prvcut_span only[] = { { 500, 500 },
                                               { 500, 400 },
                                               { UINT64_MAX - 1, UINT64_MAX } };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;

    generated_make("--tasks 2 --iterations 20", "a");
    for (unsigned i = 0; i < 3; i++) {
        o.only = only[i];
        ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EUSAGE);
        prvcut_reduction_free(r);
        ck_assert_uint_eq(scratch_count(), 4);
    }
}
END_TEST

/* Programs whose threads are apart in time: sweeps, laggards, many iterations apart, workers. */
static const char *const apart[] = { "--tasks 12 --iterations 60",
                                     "--tasks 16 --iterations 60 --pipeline",
                                     "--tasks 32 --iterations 60 --skew-ns 2000000 --inner 4",
                                     "--tasks 9 --iterations 60 --threads-per-task 3 --jitter 0.2",
                                     "--tasks 12 --iterations 50 --inner 6 --imbalance 0.5" };

#define APART ((int)(sizeof apart / sizeof *apart))

START_TEST(test_reduce_aligned_cuts_nothing_apart)
{
    struct prvcut_reduce_options o = { .iterations = 2, .align = PRVCUT_ALIGN_CALLS };
    struct prvcut_reduction *r;
    uint64_t messages;

    if (!traces_turn(_i))
        return;
    generated_make(apart[_i], "a");
    r = reduce("a.prv", 2, &o);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->align, PRVCUT_ALIGN_CALLS);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->crossing, 0);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->dropped_messages, 0);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->split_collectives, 0);
    messages = prvcut_reduction_chop(r, 0)->cut->messages;
    ck_assert_uint_gt(messages, 0);
    prvcut_reduction_free(r);
    /* Other iterations hold as many. */
    o.iterations = 4;
    o.cut = &(const struct prvcut_cut_options){ .force = true };
    r = reduce("a.prv", 2, &o);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->messages, 2 * messages);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_reduce_tells_why_it_aligns)
{
    static const enum prvcut_align align[] = { PRVCUT_ALIGN_AUTO, PRVCUT_ALIGN_STRAIGHT };
    struct prvcut_reduce_options o = { .iterations = 2,
                                       .cut =
                                           &(const struct prvcut_cut_options){ .dry_run = true } };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 20", "a");
    for (int i = 0; i < 2; i++) {
        o.align = align[i];
        r = reduce("a.prv", 1, &o);
        ck_assert(i < 1 || prvcut_reduction_chop(r, 0)->align == PRVCUT_ALIGN_STRAIGHT);
        ck_assert_uint_ne(prvcut_reduction_chop(r, 0)->align, PRVCUT_ALIGN_AUTO);
        ck_assert_int_ne(prvcut_reduction_chop(r, 0)->align_why, PRVCUT_ALIGN_WHY_UNKNOWN);
        ck_assert(!r->clocks->skewed);
        prvcut_reduction_free(r);
    }
}
END_TEST

/* Readings of parts of a trace, in their order. */
static struct prvcut_span part_read[256];
static size_t parts_read;
static const struct prvcut_reader *part_reader;

static enum prvcut_status note_part(struct prvcut_trace *t, const struct prvcut_run *run,
                                    uint64_t from, uint64_t to,
                                    const struct prvcut_consumer *consumer,
                                    struct prvcut_error *err)
{
    ck_assert_uint_lt(parts_read, sizeof part_read / sizeof *part_read);
    part_read[parts_read++] = (struct prvcut_span){ from, to };
    return part_reader->scan_window(t, run, from, to, consumer, err);
}

/* Where a window was laid to be compared, it is cut as it was laid, without another look at it. */
START_TEST(test_reduce_looks_around_a_window_once)
{
    const struct prvcut_cut_options cut = { .dry_run = true };
    const struct prvcut_reduce_options o = {
        .iterations = 2, .align = PRVCUT_ALIGN_CALLS, .cheap_proof = true, .cut = &cut
    };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_trace *trace;
    struct prvcut_reduction *r;
    struct prvcut_reader noting;

    generated_make("--tasks 4 --iterations 20", "a");
    ck_assert_int_eq(prvcut_trace_open(&trace, "a.prv", NULL, &error), PRVCUT_OK);
    part_reader = trace->reader;
    noting = *part_reader;
    noting.scan_window = note_part;
    trace->reader = &noting;
    parts_read = 0;
    ck_assert_msg(prvcut_reduce(trace, &run, &o, &r, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->align, PRVCUT_ALIGN_CALLS);
    ck_assert_uint_gt(parts_read, 0);
    for (size_t i = 0; i < parts_read; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(
                part_read[i].start != part_read[k].start || part_read[i].end != part_read[k].end,
                "%" PRIu64 " to %" PRIu64 " ns: read twice", part_read[i].start, part_read[i].end);
    prvcut_reduction_free(r);
    trace->reader = part_reader;
    prvcut_trace_close(trace);
}
END_TEST

START_TEST(test_reduce_unknown_alignment_is_refused)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .align = (enum prvcut_align)3 };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_reduction *r;

    generated_make("--tasks 2 --iterations 20", "a");
    ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "alignment 3 is not"));
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_reduce_asks_only_the_metrics_it_is_told)
{
    static const char *const metrics[] = { "bursts", "calls", "p2p,computing", "collective,calls" };
    struct prvcut_reduce_options o = { .iterations = 2, .metrics = metrics[_i] };
    struct prvcut_reduction *r;
    struct truth *truth;
    size_t names = 1;

    for (const char *c = metrics[_i]; *c; c++)
        names += *c == ',';
    generated_make("--tasks 6 --iterations 60", "a");
    truth = truth_read("a");
    r = reduce("a.prv", 2, &o);
    ck_assert(period_is(r->period_ns, &truth->phase[0]));
    ck_assert_uint_eq(r->votes, names);
    for (size_t i = 0; i < r->votes; i++)
        ck_assert_ptr_nonnull(strstr(metrics[_i], prvcut_reduction_vote(r, i)->metric));
    prvcut_reduction_free(r);
    free(truth);
}
END_TEST

START_TEST(test_reduce_unknown_metric_is_refused)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_reduce_options o = { .iterations = 2, .metrics = "bursts,phlogiston" };
    struct prvcut_reduction *r;

    generated_make("--tasks 2 --iterations 20", "a");
    ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "phlogiston"));
    ck_assert_ptr_nonnull(strstr(error.text, "collective"));
    prvcut_reduction_free(r);
    ck_assert_uint_eq(scratch_count(), 4);
}
END_TEST

START_TEST(test_reduce_iterations_that_are_not_there_are_refused)
{
    static const unsigned iterations[] = { 0, 45, 1000, UINT32_MAX };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 40", "a");
    for (unsigned i = 0; i < 4; i++) {
        const struct prvcut_reduce_options o = { .iterations = iterations[i],
                                                 .metrics = i & 1 ? "calls" : "p2p" };

        ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EUSAGE);
        prvcut_reduction_free(r);
        ck_assert_uint_eq(scratch_count(), 4);
    }
}
END_TEST

START_TEST(test_reduce_absent_metrics_tell_why)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;
    unsigned absent = 0;

    generated_make("--tasks 4 --iterations 60 --burst-mode", "a");
    r = reduce("a.prv", 2, &o);
    for (size_t i = 0; i < r->votes; i++) {
        const struct prvcut_vote *v = prvcut_reduction_vote(r, i);
        const bool found = v->period_ns > 0;

        ck_assert(found == (v->why[0] == '\0'));
        ck_assert(found == (v->status != PRVCUT_STAND_NONE && v->status != PRVCUT_STAND_ABSENT));
        absent += v->status == PRVCUT_STAND_ABSENT;
    }
    ck_assert_uint_gt(absent, 0);
    prvcut_reduction_free(r);
}
END_TEST

/* --- Stopping and existing files ---------------------------------------------------------------
 */

struct stopper {
    unsigned asked, after;
};

static bool stop(void *ctx)
{
    struct stopper *s = ctx;

    return s->asked++ >= s->after;
}

/* Stopped at every place where it asks: nothing is left behind. */
START_TEST(test_reduce_stopped_leaves_nothing_behind)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls,p2p" };
    struct stopper s = { 0 };
    const struct prvcut_run run = { .threads = _i, .stop = stop, .ctx = &s };
    struct prvcut_reduction *r;
    enum prvcut_status st;
    unsigned stopped = 0;

    generated_make("--tasks 3 --iterations 30", "a");
    for (unsigned after = 0; after < 400; after += 1 + after / 3) {
        s = (struct stopper){ .after = after };
        st = try_reduce("a.prv", &run, &o, &r);
        prvcut_reduction_free(r);
        if (st == PRVCUT_OK)
            break;
        ck_assert_int_eq(st, PRVCUT_EINTERRUPTED);
        ck_assert_uint_eq(scratch_count(), 4);
        stopped++;
    }
    ck_assert_uint_gt(stopped, 0);
}
END_TEST

START_TEST(test_reduce_existing_output_is_kept)
{
    static const char *const names[] = { "a.chop1.prv", "a.chop1.pcf", "a.chop1.row" };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls" };
    struct prvcut_reduction *r;

    generated_make("--tasks 3 --iterations 30", "a");
    scratch_write(names[_i], "mine\n", 5);
    ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EEXIST);
    prvcut_reduction_free(r);
    scratch_expect(names[_i], "mine\n", 5);
    ck_assert_uint_eq(scratch_count(), 5);
    o.cut = &(const struct prvcut_cut_options){ .force = true };
    r = reduce("a.prv", 2, &o);
    ck_assert_uint_eq(scratch_count(), 7);
    prvcut_reduction_free(r);
}
END_TEST

/* A file that comes while the work is under way is not replaced either. */
static void come_between(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    (void)ctx;
    (void)done;
    (void)total;
    if (phase == PRVCUT_PHASE_ANALYSING)
        scratch_write("a.chop1.prv", "mine\n", 5);
}

START_TEST(test_reduce_output_that_comes_later_is_kept)
{
    const struct prvcut_run run = { .threads = 2, .progress = come_between };
    const struct prvcut_reduce_options o = { .iterations = 2, .metrics = "calls" };
    struct prvcut_reduction *r;

    generated_make("--tasks 3 --iterations 30", "a");
    ck_assert_int_eq(try_reduce("a.prv", &run, &o, &r), PRVCUT_EEXIST);
    prvcut_reduction_free(r);
    scratch_expect("a.chop1.prv", "mine\n", 5);
    ck_assert_uint_eq(scratch_count(), 5);
}
END_TEST

static void add_ways(TCase *t)
{
    tcase_add_test(t, test_reduce_is_the_same_for_any_threads_and_packing);
    tcase_add_test(t, test_reduce_compressed_trace_gives_compressed_cut);
    tcase_add_test(t, test_reduce_dry_run_finds_the_same_and_writes_nothing);
    tcase_add_loop_test(t, test_reduce_stopped_leaves_nothing_behind, 1, 3);
    tcase_add_loop_test(t, test_reduce_existing_output_is_kept, 0, 3);
    tcase_add_test(t, test_reduce_output_that_comes_later_is_kept);
}

static void add_options(TCase *t)
{
    tcase_add_loop_test(t, test_reduce_given_period_is_taken, 0, 4);
    tcase_add_test(t, test_reduce_given_period_needs_no_loop);
    tcase_add_test(t, test_reduce_given_period_of_no_sense_is_refused);
    tcase_add_test(t, test_reduce_only_window_keeps_to_it);
    tcase_add_test(t, test_reduce_only_window_by_signals_keeps_to_it);
    tcase_add_test(t, test_reduce_only_window_is_not_left_by_moved_borders);
    tcase_add_test(t, test_reduce_only_window_of_no_sense_is_refused);
    tcase_add_loop_test(t, test_reduce_aligned_cuts_nothing_apart, 0, APART);
    tcase_add_test(t, test_reduce_tells_why_it_aligns);
    tcase_add_test(t, test_reduce_looks_around_a_window_once);
    tcase_add_test(t, test_reduce_unknown_alignment_is_refused);
    tcase_add_loop_test(t, test_reduce_asks_only_the_metrics_it_is_told, 0, 4);
    tcase_add_test(t, test_reduce_unknown_metric_is_refused);
    tcase_add_test(t, test_reduce_iterations_that_are_not_there_are_refused);
    tcase_add_test(t, test_reduce_absent_metrics_tell_why);
}

static Suite *reduce_suite(void)
{
    Suite *s = suite_create("reduce");
    TCase *truth = tcase_create("truth"), *options = tcase_create("options");
    TCase *ways = tcase_create("ways");

    scratch_fixtures(truth);
    tcase_add_loop_test(truth, test_reduce_generated_trace_as_its_truth_says, 0, KINDS);
    tcase_add_loop_test(truth, test_reduce_aperiodic_trace_writes_nothing, 1, 11);
    tcase_add_test(truth, test_reduce_empty_trace_has_no_period);
    suite_add_tcase(s, truth);
    scratch_fixtures(options);
    add_options(options);
    suite_add_tcase(s, options);
    scratch_fixtures(ways);
    add_ways(ways);
    suite_add_tcase(s, ways);
    return s;
}

int main(void)
{
    return run_suite(reduce_suite());
}
