/*
 * Runs with more calls than are kept: the calls of generated runs are cut short after they were
 * collected, as the collection does where they are too many, and what lies beyond must be found all
 * the same.
 */
#include "api/answers.h"
#include "api/job.h"
#include "generated.h"
#include "prvcut/structure.h"

#include "runner.h"

#include <math.h>

#define CALLS   "calls"
#define SIGNALS "calls,bursts,computing,p2p,collective,inflight"

static const struct prvcut_run two = { .threads = 2 };
static struct prvcut_error error;

/** A run that was divided. */
struct divided {
    struct prvcut_trace *trace;
    struct made_reduction out;
    struct job job;
    struct truth *truth;
    uint64_t known; /* ns, where the calls end */
};

/* Only the first thread is left, with its calls of the first part of the run; counted: when others
   begin is kept as marks. */
static void cut_calls(struct divided *d, double share, bool counted)
{
    struct prvcut_collection *c = &d->job.data;
    struct prvcut_call_sequence *first = &c->sequence[0];
    const size_t all = first->count;

    ck_assert_uint_gt(c->sequences, 0);
    d->known = (uint64_t)(share * (double)d->job.end_ns);
    while (c->sequences > 1)
        free(c->sequence[--c->sequences].at);
    while (first->count > 0 && first->at[first->count - 1].time >= d->known)
        first->count--;
    for (size_t i = first->count; counted && i < all; i++)
        ck_assert_int_eq(prvcut_call_marks_add(&first->beyond, first->at[i].time, &error),
                         PRVCUT_OK);
    ck_assert_uint_gt(first->count, 100);
    c->calls_cut_short = true;
}

static void collect_as(struct divided *d, const char *more, double share, const char *metrics,
                       bool counted)
{
    char options[512];

    memset(d, 0, sizeof *d);
    snprintf(options, sizeof options,
             "--tasks 2 --callers 1 --iterations 4000 --period-ns 200000 --seed 5 %s", more);
    generated_make(options, "a");
    d->truth = truth_read("a");
    ck_assert_int_eq(prvcut_trace_open(&d->trace, "a.prv", NULL, &error), PRVCUT_OK);
    d->job = (struct job){ .trace = d->trace, .run = &two, .out = &d->out };
    d->job.wish = (struct prvcut_structure_options){ .metrics = metrics, .levels = 1 };
    ck_assert_msg(job_collect(&d->job, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert(!d->job.data.calls_cut_short);
    if (share < 1)
        cut_calls(d, share, counted);
}

static void collect(struct divided *d, const char *more, double share, const char *metrics,
                    bool seekable)
{
    collect_as(d, more, share, metrics, false);
    d->trace->seekable = d->trace->seekable && seekable;
}

static void divide(struct divided *d, const char *more, double share, const char *metrics,
                   bool seekable)
{
    collect(d, more, share, metrics, seekable);
    ck_assert_msg(job_divide(&d->job, &error) == PRVCUT_OK, "%s: %s", more, error.text);
}

static void divided_fini(struct divided *d)
{
    job_fini(&d->job);
    api_reduction_fini(&d->out);
    prvcut_trace_close(d->trace);
    free(d->truth);
}

/* The region that covers most of a phase. */
static const struct made_region *region_of(const struct divided *d, const struct truth_phase *p)
{
    const uint64_t middle = p->start + (p->end - p->start) / 2;
    const struct made_structure *s = &d->out.structure;

    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.loop > 0 && s->region[i].is.span.start <= middle &&
            s->region[i].is.span.end > middle)
            return &s->region[i];
    ck_abort_msg("nothing repeats at %" PRIu64 " ns", middle);
    return NULL;
}

/* Iterations, period and end of a loop against the truth. room: share of the iterations */
static void assert_phase(const struct divided *d, size_t phase, double every, double room)
{
    const struct truth_phase *p = &d->truth->phase[phase];
    const double iterations = (double)p->iterations / every, period = p->mean * every;
    const struct made_region *r = region_of(d, p);

    ck_assert_double_eq_tol(r->is.iterations, iterations, 1 + room * iterations);
    ck_assert_double_eq_tol(r->is.period_ns, period, 0.005 * period);
    ck_assert_double_eq_tol((double)r->is.span.start, (double)p->start, period);
    ck_assert_double_eq_tol((double)r->is.span.end, (double)p->end,
                            (2 + room * iterations) * period);
}

static const struct {
    const char *options, *metrics;
    double share, every, room;
} beyond[] = {
    { "", CALLS, 1, 1, 0 },
    { "", SIGNALS, 1, 1, 0 },
    { "", CALLS, 0.3, 1, 0.002 },
    { "", SIGNALS, 0.3, 1, 0.002 },
    { "", CALLS, 0.7, 1, 0.002 },
    { "", SIGNALS, 0.7, 1, 0.002 },
    { "--jitter 0.1", SIGNALS, 0.4, 1, 0.002 },
    { "--every-k 5", CALLS, 0.4, 5, 0.002 },
    { "--inner 4 --iterations 1500 --period-ns 1000000", CALLS, 0.4, 1, 0.002 },
    { "--end-ns 400000000", CALLS, 0.2, 1, 0.002 },
    /* Between two windows the length is taken to grow evenly. */
    { "--drift 0.6", CALLS, 0.3, 1, 0.004 },
    { "--drift 0.6", SIGNALS, 0.3, 1, 0.004 },
};

START_TEST(test_reach_loop_beyond_the_calls_to_its_end)
{
    struct divided d;
    const struct made_region *r;

    divide(&d, beyond[_i].options, beyond[_i].share, beyond[_i].metrics, true);
    r = region_of(&d, &d.truth->phase[0]);
    assert_phase(&d, 0, beyond[_i].every, beyond[_i].room);
    /* What is estimated is told as such. */
    if (beyond[_i].share < 1)
        ck_assert_double_eq_tol((double)r->is.counted_ns, (double)d.known, 2 * r->is.period_ns);
    else
        ck_assert_uint_eq(r->is.counted_ns, 0);
    /* The report tells the same number in both places. */
    ck_assert_double_eq_tol(d.out.is.iterations, r->is.iterations, 1);
    ck_assert_uint_eq(d.out.structure.is.main, (size_t)(r - d.out.structure.region));
    divided_fini(&d);
}
END_TEST

/* Where it is known how many calls there are beyond, so are the iterations, however their lengths
   change. */
START_TEST(test_reach_counts_by_calls_beyond_those_that_are_kept)
{
    static const char *const runs[] = { "", "--drift 0.6", "--drift 0.6 --jitter 0.1",
                                        "--end-ns 400000000 --drift 0.9" };
    struct divided d;

    collect_as(&d, runs[_i], 0.25, CALLS, true);
    ck_assert_msg(job_divide(&d.job, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_gt(region_of(&d, &d.truth->phase[0])->is.counted_ns, 0);
    assert_phase(&d, 0, 1, 0);
    divided_fini(&d);
}
END_TEST

/* The iteration that the end of the calls goes through has fewer calls, but is like the others. */
START_TEST(test_reach_does_not_take_the_end_of_the_calls_for_a_departure)
{
    for (unsigned i = 0; i < 8; i++) {
        struct divided d;
        const struct made_region *r;

        divide(&d, "--iterations 1000", 0.5 + 0.00013 * i, CALLS, true);
        r = region_of(&d, &d.truth->phase[0]);
        ck_assert_uint_eq(r->is.departures, 0);
        assert_phase(&d, 0, 1, 0.002);
        divided_fini(&d);
    }
}
END_TEST

/* Also where the other loop's period is much the same. */
START_TEST(test_reach_stops_where_another_loop_begins)
{
    static const char *const change[] = { "--change-at 0.6 --change-period 120000",
                                          "--change-at 0.6 --change-period 190000" };
    struct divided d;

    divide(&d, change[_i], 0.3, CALLS, true);
    assert_phase(&d, 0, 1, 0.01);
    ck_assert_uint_le(region_of(&d, &d.truth->phase[0])->is.span.end,
                      d.truth->phase[0].end + 1000000);
    divided_fini(&d);
}
END_TEST

START_TEST(test_reach_only_the_loop_that_the_calls_end_in)
{
    struct divided d;

    divide(&d, "--change-at 0.5 --change-period 150000", 0.7, _i ? SIGNALS : CALLS, true);
    ck_assert_uint_lt(d.truth->phase[1].start, d.known);
    assert_phase(&d, 0, 1, 0);
    assert_phase(&d, 1, 1, 0.002);
    ck_assert_uint_ne(region_of(&d, &d.truth->phase[0])->is.loop,
                      region_of(&d, &d.truth->phase[1])->is.loop);
    divided_fini(&d);
}
END_TEST

/* A compressed trace is not read again for each window: no more is told than is known. */
START_TEST(test_reach_nothing_where_the_trace_is_read_once)
{
    struct divided d;
    const struct made_region *r;

    divide(&d, "", 0.4, CALLS, false);
    r = region_of(&d, &(struct truth_phase){ d.truth->loop_start, d.known, 0, 0, 0 });
    ck_assert_uint_le(r->is.span.end, d.known);
    ck_assert_uint_gt(r->is.span.end, d.known - 2 * (uint64_t)d.truth->mean);
    ck_assert_double_eq_tol(r->is.period_ns, d.truth->mean, 0.005 * d.truth->mean);
    ck_assert_uint_eq(r->is.departures, 0);
    divided_fini(&d);
}
END_TEST

/* What is read again is told, all windows together. */
static const struct prvcut_reader *real_reader;
static uint64_t read_again; /* ns */

static enum prvcut_status counted_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                         uint64_t from, uint64_t to,
                                         const struct prvcut_consumer *consumer,
                                         struct prvcut_error *err)
{
    read_again += to - from;
    return real_reader->scan_window(t, run, from, to, consumer, err);
}

/* A window of as many iterations as usual would be most of the run where these are few. */
START_TEST(test_reach_reads_no_more_than_the_run_itself_again)
{
    struct prvcut_reader counting;
    struct divided d;

    collect(&d, "--iterations 400 --period-ns 2000000", 0.3, CALLS, true);
    real_reader = d.trace->reader;
    counting = *real_reader;
    counting.scan_window = counted_window;
    d.trace->reader = &counting;
    read_again = 0;
    ck_assert_msg(job_divide(&d.job, &error) == PRVCUT_OK, "%s", error.text);
    assert_phase(&d, 0, 1, 0.004);
    ck_assert_uint_gt(read_again, 0);
    ck_assert_uint_lt(read_again, d.job.end_ns);
    d.trace->reader = real_reader;
    divided_fini(&d);
}
END_TEST

static Suite *reach_suite(void)
{
    Suite *s = suite_create("reach");
    TCase *t = tcase_create("reach");

    scratch_fixtures(t);
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_reach_loop_beyond_the_calls_to_its_end, 0,
                        sizeof beyond / sizeof *beyond);
    tcase_add_loop_test(t, test_reach_counts_by_calls_beyond_those_that_are_kept, 0, 4);
    tcase_add_test(t, test_reach_does_not_take_the_end_of_the_calls_for_a_departure);
    tcase_add_loop_test(t, test_reach_stops_where_another_loop_begins, 0, 2);
    tcase_add_loop_test(t, test_reach_only_the_loop_that_the_calls_end_in, 0, 2);
    tcase_add_test(t, test_reach_nothing_where_the_trace_is_read_once);
    tcase_add_test(t, test_reach_reads_no_more_than_the_run_itself_again);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(reach_suite());
}
