#include "structure/mask.h"

#include "tests/structure/generated.h"

#include "built.h"
#include "prvcut/convert.h"
#include "runner.h"

#define MS UINT64_C(1000000)
/* A run of 2 s in bins of 1 ms, its loop 20 ms long. */
#define BINS   ((size_t)2000)
#define PERIOD (20 * MS)

static struct prvcut_error error;

/* --- By hand -----------------------------------------------------------------------------------
 */

struct made {
    struct prvcut_collection c;
    double flushing[BINS], clock[BINS], clogged[BINS], inflight[BINS];
    struct prvcut_flush flush[64];
};

static struct made *make(void)
{
    struct made *m = calloc(1, sizeof *m);
    struct prvcut_signal *const signal = m ? m->c.signal : NULL;

    ck_assert_ptr_nonnull(m);
    signal[PRVCUT_FLUSHING].at = m->flushing;
    signal[PRVCUT_CLOCK].at = m->clock;
    signal[PRVCUT_CLOGGED].at = m->clogged;
    signal[PRVCUT_INFLIGHT].at = m->inflight;
    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (signal[i].at) {
            signal[i].name = signal[i].unit = "x";
            signal[i].width = MS;
            signal[i].bins = BINS;
        }
    m->c.flushes.at = m->flush;
    for (size_t i = 0; i < BINS; i++) {
        m->clock[i] = 2.5;
        m->clogged[i] = 1e-9 * (double)(10 + i % 20);
        m->inflight[i] = 1;
    }
    return m;
}

static void add_flush(struct made *m, uint32_t thread, uint64_t begin, uint64_t end)
{
    m->flush[m->c.flushes.count++] = (struct prvcut_flush){ begin, end, thread };
    for (uint64_t t = begin / MS; t < end / MS; t++)
        m->flushing[t] += 1;
}

static void fill(double *at, size_t from, size_t to, double value)
{
    for (size_t i = from; i < to; i++)
        at[i] = value;
}

static uint64_t last_start(const struct prvcut_masks *m)
{
    return m->count > 0 ? m->at[m->count - 1].span.start : 0;
}

/* Masks, and what must hold of any. */
static struct prvcut_masks find(const struct prvcut_collection *c, uint64_t useful, uint64_t period,
                                uint64_t end)
{
    struct prvcut_masks m;

    memset(&error, 0, sizeof error);
    ck_assert_msg(
        prvcut_masks_find(&m, c, &(struct prvcut_masks_wish){ .useful = useful, .period = period },
                          &error) == PRVCUT_OK,
        "%s", error.text);
    for (size_t i = 0; i < m.count; i++) {
        ck_assert_uint_lt(m.at[i].span.start, m.at[i].span.end);
        ck_assert_uint_le(m.at[i].span.end, end);
        ck_assert(i == 0 || m.at[i - 1].span.start <= m.at[i].span.start);
    }
    ck_assert_uint_le(last_start(&m), end);
    return m;
}

/* Is all of a span covered by masks of a cause? */
static bool covered(const struct prvcut_masks *m, const char *cause, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(prvcut_cause_text(m->at[i].cause), cause) == 0 && m->at[i].span.start <= start &&
            m->at[i].span.end > start)
            start = m->at[i].span.end;
    return start >= end;
}

static uint64_t masked_ns(const struct prvcut_masks *m)
{
    struct prvcut_span *span;
    size_t count;
    uint64_t sum = 0;

    ck_assert_int_eq(prvcut_masks_spans(m, &span, &count, &error), PRVCUT_OK);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(span[i].start, span[i].end);
        ck_assert(i == 0 || span[i - 1].end < span[i].start);
        sum += span[i].end - span[i].start;
    }
    for (size_t i = 0; i < m->count; i++) {
        size_t k = 0;

        while (k < count && span[k].end < m->at[i].span.end)
            k++;
        ck_assert(k < count && span[k].start <= m->at[i].span.start);
    }
    free(span);
    return sum;
}

START_TEST(test_mask_nothing_where_nothing_happens)
{
    struct made *m = make();
    struct prvcut_masks masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);

    ck_assert_uint_eq(masks.count, 0);
    prvcut_masks_fini(&masks);
    /* Nor where there are no signals at all. */
    memset(&m->c, 0, sizeof m->c);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 0);
    ck_assert_uint_eq(masked_ns(&masks), 0);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_flush_and_its_wake)
{
    struct made *m = make();
    struct prvcut_masks masks;

    add_flush(m, 3, 500 * MS, 550 * MS);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 1);
    ck_assert_uint_eq(masks.at[0].cause, PRVCUT_CAUSE_FLUSHING);
    ck_assert_uint_eq(masks.at[0].span.start, 500 * MS);
    ck_assert_uint_eq(masks.at[0].span.end, 550 * MS + PERIOD);
    ck_assert_uint_eq(masks.at[0].affected, 1);
    ck_assert_uint_eq(masks.at[0].threads, 1);
    ck_assert_uint_eq(masks.at[0].thread[0], 3);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

/* Gaps too short to hold what is wanted are of no use; longer ones are. */
START_TEST(test_mask_gaps_between_flushes_by_their_use)
{
    struct made *m = make();
    struct prvcut_masks masks;

    add_flush(m, 0, 500 * MS, 510 * MS);
    add_flush(m, 2, 540 * MS, 550 * MS);
    add_flush(m, 1, 700 * MS, 710 * MS);
    masks = find(&m->c, 50 * MS, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 2);
    ck_assert(covered(&masks, "flushing", 500 * MS, 570 * MS));
    ck_assert_uint_eq(masks.at[0].affected, 2);
    ck_assert_uint_eq(masks.at[0].thread[0], 0);
    ck_assert_uint_eq(masks.at[0].thread[1], 2);
    ck_assert_uint_eq(masks.at[1].thread[0], 1);
    ck_assert_uint_lt(masks.at[0].span.end, 600 * MS);
    prvcut_masks_fini(&masks);
    masks = find(&m->c, 400 * MS, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 1);
    ck_assert_uint_eq(masks.at[0].affected, 3);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_wake_ends_with_the_run)
{
    struct made *m = make();
    struct prvcut_masks masks;

    add_flush(m, 0, 1990 * MS, 2000 * MS);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 1);
    ck_assert_uint_eq(masks.at[0].span.end, 2000 * MS);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_before_the_period_is_known_only_flushing)
{
    struct made *m = make();
    struct prvcut_masks masks;

    add_flush(m, 0, 100 * MS, 150 * MS);
    fill(m->clock, 500, 700, 1.0);
    fill(m->clogged, 900, 1100, 1e-6);
    masks = find(&m->c, 0, 0, 2000 * MS);
    ck_assert_uint_ge(masks.count, 1);
    for (size_t i = 0; i < masks.count; i++)
        ck_assert_uint_eq(masks.at[i].cause, PRVCUT_CAUSE_FLUSHING);
    ck_assert(covered(&masks, "flushing", 100 * MS, 150 * MS));
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_slow_clock_is_preemption)
{
    struct made *m = make();
    struct prvcut_masks masks;

    fill(m->clock, 500, 600, 1.5);
    /* The counters' grain, and a clock that is a little slow, are no preemption. */
    fill(m->clock, 900, 901, 0.5);
    fill(m->clock, 1200, 1300, 2.3);
    fill(m->clock, 1400, 1450, 0);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert(covered(&masks, "preemption", 500 * MS, 600 * MS));
    ck_assert_uint_eq(masks.count, 1);
    /* The burst that ends in the slow bins may have begun an iteration earlier. */
    ck_assert_uint_ge(masks.at[0].span.start, 500 * MS - PERIOD);
    ck_assert_uint_le(masks.at[0].span.end, 600 * MS + PERIOD);
    ck_assert_double_gt(masks.slow, 1.5);
    ck_assert_double_lt(masks.slow, 2.3);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_slow_messages_are_a_clogged_network)
{
    struct made *m = make();
    struct prvcut_masks masks;

    fill(m->clogged, 500, 600, 1e-6);
    /* A short burst is what communication looks like. */
    fill(m->clogged, 900, 903, 1e-6);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert(covered(&masks, "clogged", 510 * MS, 590 * MS));
    ck_assert_uint_eq(masks.count, 1);
    ck_assert_uint_ge(masks.at[0].span.start, 500 * MS - PERIOD);
    ck_assert_uint_le(masks.at[0].span.end, 600 * MS + 2 * PERIOD);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

/* What is so most of the time is the run's own nature. */
START_TEST(test_mask_leaves_what_spoils_most_of_the_run)
{
    struct made *m = make();
    struct prvcut_masks masks;

    for (size_t i = 0; i < BINS; i++) {
        m->clock[i] = i % 100 < 45 ? 2.5 : 1.5 + 0.01 * (double)(i % 7);
        m->clogged[i] = i % 100 < 20 ? 1e-9 : 1e-6;
    }
    /* The usual clock is now the slow one; a little time at a far lower one is not half. */
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert_uint_eq(masks.count, 0);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_share_of_a_cause_decides)
{
    for (size_t spoilt = 5; spoilt <= 90; spoilt += 5) {
        struct made *m = make();
        struct prvcut_masks masks;

        /* 2.5 stays the usual clock, whatever share of the known bins is slow. */
        for (size_t i = 0; i < BINS; i++)
            m->clock[i] = i < BINS * spoilt / 100 ? 1.0 : 2.5;
        masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
        if (spoilt < 50)
            ck_assert(covered(&masks, "preemption", 0, BINS * spoilt / 100 * MS));
        if (spoilt > 50)
            ck_assert_uint_eq(masks.count, 0);
        prvcut_masks_fini(&masks);
        free(m);
    }
}
END_TEST

START_TEST(test_mask_causes_together_stay_ascending)
{
    struct made *m = make();
    struct prvcut_masks masks;

    add_flush(m, 1, 1500 * MS, 1550 * MS);
    add_flush(m, 1, 300 * MS, 350 * MS);
    fill(m->clock, 500, 600, 1.5);
    fill(m->clock, 1530, 1630, 1.5);
    fill(m->clogged, 320, 420, 1e-6);
    masks = find(&m->c, 2 * PERIOD, PERIOD, 2000 * MS);
    ck_assert(covered(&masks, "flushing", 300 * MS, 350 * MS));
    ck_assert(covered(&masks, "flushing", 1500 * MS, 1550 * MS));
    ck_assert(covered(&masks, "preemption", 500 * MS, 600 * MS));
    ck_assert(covered(&masks, "preemption", 1530 * MS, 1630 * MS));
    ck_assert(covered(&masks, "clogged", 330 * MS, 410 * MS));
    ck_assert_uint_le(masked_ns(&masks), 600 * MS);
    prvcut_masks_fini(&masks);
    free(m);
}
END_TEST

START_TEST(test_mask_lists_a_bounded_number_of_threads)
{
    static uint8_t hit[3000];
    struct prvcut_mask m = { .cause = PRVCUT_CAUSE_CLOGGED };

    memset(hit, 1, sizeof hit);
    hit[0] = 0;
    ck_assert_int_eq(prvcut_mask_list(&m, hit, 3000, &error), PRVCUT_OK);
    ck_assert_uint_eq(m.affected, 2999);
    ck_assert_uint_eq(m.threads, 1024);
    ck_assert_uint_eq(m.thread[0], 1);
    ck_assert_uint_eq(m.thread[1023], 1024);
    free(m.thread);
}
END_TEST

/* --- Generated runs ----------------------------------------------------------------------------
 */

struct spoilt {
    const char *options, *cause, *truth;
    unsigned tasks;
};

static const struct spoilt runs[] = {
    { "--tasks 6 --iterations 120 --flush-every 900", "flushing", "flush", 6 },
    { "--tasks 6 --iterations 150 --flush-every 700 --jitter 0.1 --imbalance 0.3", "flushing",
      "flush", 6 },
    { "--tasks 6 --iterations 120 --preempt 1 --counters", "preemption", "preemption", 6 },
    { "--tasks 8 --iterations 200 --preempt 3 --counters --seed 4", "preemption", "preemption", 8 },
    { "--tasks 6 --iterations 150 --preempt 2 --counters --inner 4 --jitter 0.1", "preemption",
      "preemption", 6 },
    { "--tasks 6 --iterations 120 --clog 1", "clogged", "clog", 6 },
    { "--tasks 6 --iterations 200 --clog 3 --seed 5", "clogged", "clog", 6 },
    { "--tasks 6 --iterations 200 --clog 2 --inner 3 --jitter 0.1 --clog-factor 200", "clogged",
      "clog", 6 },
    { "--tasks 6 --iterations 100 --microseconds --flush-every 900", "flushing", "flush", 6 },
    { "--tasks 6 --iterations 100 --counters", "", "", 6 },
    { "--tasks 6 --iterations 100 --jitter 0.2 --inner 3 --counters", "", "", 6 },
    { "--tasks 6 --iterations 100 --pipeline --drift 0.5 --counters", "", "", 6 },
    { "--tasks 6 --iterations 100 --pipeline --inner 3 --jitter 0.2", "", "", 6 },
    { "--tasks 6 --iterations 100 --every-k 8 --imbalance 0.5", "", "", 6 },
};

#define RUNS ((int)(sizeof runs / sizeof *runs))

/* Masks of a generated trace, threads and all. */
static struct prvcut_masks find_in(const char *path, uint64_t period)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_wish wish = { .metrics = PRVCUT_METRIC_BIT(PRVCUT_FLUSHING) |
                                           PRVCUT_METRIC_BIT(PRVCUT_CLOCK) |
                                           PRVCUT_METRIC_BIT(PRVCUT_CLOGGED) |
                                           PRVCUT_METRIC_BIT(PRVCUT_INFLIGHT) };
    struct prvcut_collection c;
    struct prvcut_masks m;
    struct prvcut_trace *t;
    uint64_t end;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    wish.grid = prvcut_grid_fit(0, t->end_ns, 1 << 14);
    ck_assert_msg(prvcut_collect(t, &run, &wish, &c, &error) == PRVCUT_OK, "%s", error.text);
    end = prvcut_grid_end(&wish.grid);
    m = find(&c, 2 * period, period, end);
    ck_assert_msg(prvcut_masks_affected(&m, t, &run, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_collection_fini(&c);
    prvcut_trace_close(t);
    return m;
}

static bool lists(const struct prvcut_mask *m, uint32_t thread)
{
    for (uint32_t i = 0; i < m->threads; i++)
        if (m->thread[i] == thread)
            return true;
    return false;
}

/* A mask that meets the truth and lists the thread that it names. */
static bool names_thread(const struct prvcut_masks *m, const char *cause,
                         const struct truth_mask *truth)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(prvcut_cause_text(m->at[i].cause), cause) == 0 &&
            m->at[i].span.start < truth->end && m->at[i].span.end > truth->start &&
            (truth->task == 0 ? m->at[i].affected > 1 : lists(&m->at[i], truth->task - 1)))
            return true;
    return false;
}

static void assert_spoilt_is_masked(const struct prvcut_masks *m, const struct truth *truth,
                                    const char *cause, uint64_t period)
{
    for (size_t i = 0; i < truth->masks; i++) {
        const struct truth_mask *t = &truth->mask[i];
        const bool long_enough = t->end - t->start > 2 * period;
        /* A clock is a burst's mean, a message is known when it arrives: the ends are soft. */
        const uint64_t from = strcmp(cause, "flushing") == 0 ? t->start : t->start + period;
        const uint64_t to = strcmp(cause, "flushing") == 0 ? t->end : t->end - period;

        if (strcmp(cause, "flushing") != 0 && !long_enough)
            continue;
        ck_assert_msg(covered(m, cause, from, to), "%s at %" PRIu64 " is not masked", t->cause,
                      t->start);
        ck_assert_msg(names_thread(m, cause, t), "%s at %" PRIu64 ": not thread %u", t->cause,
                      t->start, t->task);
    }
}

/* All that is masked lies near something that is true. */
static void assert_sound_is_clear(const struct prvcut_masks *m, const struct truth *truth,
                                  const char *cause, uint64_t period)
{
    const uint64_t room = 2 * period + 2 * period * (strcmp(cause, "flushing") == 0);

    for (size_t i = 0; i < m->count; i++) {
        uint64_t reached = m->at[i].span.start + room;
        bool more = true;

        /* A tracer writes its last buffer when the run is over. */
        if (m->at[i].span.start >= truth->loop_end && m->at[i].cause == PRVCUT_CAUSE_FLUSHING)
            continue;
        /* A message to a thread that is held up is stuck as well. */
        ck_assert(strcmp(prvcut_cause_text(m->at[i].cause), cause) == 0 ||
                  m->at[i].cause == PRVCUT_CAUSE_CLOGGED);
        /* Walk through the truth as far as its pieces are near each other. */
        while (more && reached < m->at[i].span.end) {
            more = false;
            for (size_t k = 0; k < truth->masks; k++)
                if (truth->mask[k].start <= reached && truth->mask[k].end + room > reached) {
                    reached = truth->mask[k].end + room;
                    more = true;
                }
        }
        ck_assert_msg(reached >= m->at[i].span.end,
                      "masked [%" PRIu64 ", %" PRIu64 "): %s, true up to %" PRIu64 " only",
                      m->at[i].span.start, m->at[i].span.end, cause, reached);
    }
}

START_TEST(test_mask_generated_run_is_masked_where_spoilt)
{
    const struct spoilt *r = &runs[_i];
    struct prvcut_masks m;
    struct truth *truth;
    uint64_t period;

    generated_make(r->options, "a");
    truth = truth_read("a");
    period = (uint64_t)truth->median;
    m = find_in("a.prv", period);
    if (*r->cause) {
        ck_assert_uint_gt(truth->masks, 0);
        ck_assert_str_eq(truth->mask[0].cause, r->truth);
        assert_spoilt_is_masked(&m, truth, r->cause, period);
        assert_sound_is_clear(&m, truth, r->cause, period);
    } else {
        for (size_t i = 0; i < m.count; i++) {
            ck_assert_uint_eq(m.at[i].cause, PRVCUT_CAUSE_FLUSHING);
            ck_assert_uint_ge(m.at[i].span.start, truth->loop_end);
        }
    }
    masked_ns(&m);
    prvcut_masks_fini(&m);
    free(truth);
}
END_TEST

/* One task is preempted: it and nobody else is named. */
START_TEST(test_mask_preemption_names_only_the_task)
{
    struct prvcut_masks m;
    struct truth *truth;
    unsigned masks = 0;

    generated_make("--tasks 6 --iterations 120 --preempt 1 --counters --seed 3", "a");
    truth = truth_read("a");
    m = find_in("a.prv", (uint64_t)truth->median);
    ck_assert_uint_eq(truth->masks, 1);
    for (size_t i = 0; i < m.count; i++) {
        if (m.at[i].cause != PRVCUT_CAUSE_PREEMPTION)
            continue;
        ck_assert_uint_eq(m.at[i].affected, 1);
        ck_assert_uint_eq(m.at[i].thread[0], truth->mask[0].task - 1);
        masks++;
    }
    ck_assert_uint_eq(masks, 1);
    prvcut_masks_fini(&m);
    free(truth);
}
END_TEST

static void convert_to(const char *path)
{
    const struct prvcut_convert_options options = { .path = path, .force = true };
    struct prvcut_convert_summary *sum;
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, "a.prv", NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_convert(t, NULL, &options, &sum, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

static void assert_same_masks(const struct prvcut_masks *a, const struct prvcut_masks *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        ck_assert_int_eq(a->at[i].cause, b->at[i].cause);
        ck_assert_uint_eq(a->at[i].span.start, b->at[i].span.start);
        ck_assert_uint_eq(a->at[i].span.end, b->at[i].span.end);
        ck_assert_uint_eq(a->at[i].affected, b->at[i].affected);
        for (uint32_t k = 0; k < a->at[i].threads; k++)
            ck_assert_uint_eq(a->at[i].thread[k], b->at[i].thread[k]);
    }
}

/* Archives record the two ends of a message apart; the network is clogged where it is in the
   Paraver trace that they were made of, for the same threads. */
START_TEST(test_mask_archives_are_clogged_as_their_original)
{
    static const struct {
        const char *options, *format;
    } archives[] = {
        { "--tasks 6 --iterations 120 --clog 1", "otf2" },
        { "--tasks 6 --iterations 120 --clog 1", "otf" },
        { "--tasks 6 --iterations 200 --clog 2 --inner 3 --jitter 0.1 --clog-factor 200", "otf2" },
        { "--tasks 9 --iterations 160 --clog 3 --pipeline --seed 7", "otf2" },
        { "--tasks 9 --iterations 160 --clog 3 --pipeline --seed 7", "otf" },
    };

    if (!test_reads("otf2"))
        return;
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        struct prvcut_masks want, have;
        struct truth *truth;
        char path[16];

        generated_make(archives[i].options, "a");
        truth = truth_read("a");
        snprintf(path, sizeof path, "b.%s", archives[i].format);
        convert_to(path);
        want = find_in("a.prv", (uint64_t)truth->median);
        have = find_in(path, (uint64_t)truth->median);
        ck_assert_uint_gt(want.count, 0);
        assert_same_masks(&want, &have);
        prvcut_masks_fini(&want);
        prvcut_masks_fini(&have);
        free(truth);
    }
}
END_TEST

static Suite *mask_suite(void)
{
    Suite *s = suite_create("mask");
    TCase *h = tcase_create("by hand"), *g = tcase_create("generated");

    tcase_add_test(h, test_mask_nothing_where_nothing_happens);
    tcase_add_test(h, test_mask_flush_and_its_wake);
    tcase_add_test(h, test_mask_gaps_between_flushes_by_their_use);
    tcase_add_test(h, test_mask_wake_ends_with_the_run);
    tcase_add_test(h, test_mask_before_the_period_is_known_only_flushing);
    tcase_add_test(h, test_mask_slow_clock_is_preemption);
    tcase_add_test(h, test_mask_slow_messages_are_a_clogged_network);
    tcase_add_test(h, test_mask_leaves_what_spoils_most_of_the_run);
    tcase_add_test(h, test_mask_share_of_a_cause_decides);
    tcase_add_test(h, test_mask_causes_together_stay_ascending);
    tcase_add_test(h, test_mask_lists_a_bounded_number_of_threads);
    suite_add_tcase(s, h);
    scratch_fixtures(g);
    tcase_add_loop_test(g, test_mask_generated_run_is_masked_where_spoilt, 0, RUNS);
    tcase_add_test(g, test_mask_preemption_names_only_the_task);
    tcase_add_test(g, test_mask_archives_are_clogged_as_their_original);
    suite_add_tcase(s, g);
    return s;
}

int main(void)
{
    return run_suite(mask_suite());
}
