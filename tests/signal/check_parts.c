#include "runner.h"

#include "signal/counters.h"
#include "signal/track.h"

#include <stdlib.h>
#include <string.h>

/* Tracks and counters are followed in parts by several workers; here beside what one loop over a
   thread's events says. */

enum { THREADS = 3, EVENTS = 400, BINS = 64, WIDTH = 32, WORKERS = 2, ALL = (1 << 16) - 1 };

static struct prvcut_error err;

struct many {
    struct prvcut_event at[EVENTS];
    uint64_t end;
};

static uint32_t pick(const uint8_t *from, size_t count)
{
    return from[(size_t)rand() % count];
}

/* Several events share an instant; 0 is as frequent as all other values together. */
static void many_init(struct many *m, const uint8_t *roles, size_t count, int64_t most)
{
    uint64_t time = 0;

    for (int i = 0; i < EVENTS; i++) {
        time += (uint64_t)(rand() % 3 == 0 ? rand() % 12 : 0);
        m->at[i] = (struct prvcut_event){ .time = time,
                                          .value = rand() % 2 ? rand() % most : 0,
                                          .thread = (uint32_t)(rand() % THREADS) & 0xffu,
                                          .role = pick(roles, count) & 0x7fu };
    }
    m->end = time + 5;
}

static void sums_init(struct prvcut_sums *s)
{
    const struct prvcut_grid grid = prvcut_grid_make(0, WIDTH, BINS);

    ck_assert_int_eq(prvcut_sums_init(s, &grid, ALL, ALL, &err), PRVCUT_OK);
}

static void expect_same(const struct prvcut_sums *a, const struct prvcut_sums *b)
{
    for (int i = 0; i < PRVCUT_SUMS; i++) {
        ck_assert_uint_eq(a->count[i], b->count[i]);
        ck_assert_mem_eq(a->at[i], b->at[i], (BINS + 2) * sizeof *a->at[i]);
    }
    for (int i = 0; i < PRVCUT_WIDES; i++) {
        ck_assert_uint_eq(a->wide_count[i], b->wide_count[i]);
        ck_assert_mem_eq(a->wide[i], b->wide[i], (BINS + 2) * sizeof *a->wide[i]);
    }
}

/* --- Sums --------------------------------------------------------------------------------------
 */

static void add_some(struct prvcut_sums *s, struct prvcut_sums *also, int what)
{
    for (int i = 0; i < 30; i++) {
        const enum prvcut_sum sum = (enum prvcut_sum)(rand() % what);
        const enum prvcut_wide_sum wide = (enum prvcut_wide_sum)(rand() % PRVCUT_WIDES);
        const uint64_t begin = (uint64_t)(rand() % (BINS * WIDTH)),
                       end = begin + 1 + (uint64_t)(rand() % 200);

        prvcut_sums_add(s, sum, begin, end);
        prvcut_sums_add(also, sum, begin, end);
        prvcut_sums_add_wide(s, wide, begin, end, 3);
        prvcut_sums_add_wide(also, wide, begin, end, 3);
        prvcut_sums_half(s, begin, i % 2 == 1);
        prvcut_sums_half(also, begin, i % 2 == 1);
    }
}

START_TEST(test_sums_merged_are_sums_of_all)
{
    struct prvcut_sums all, merged, worker[3];

    srand((unsigned)_i);
    sums_init(&all);
    sums_init(&merged);
    /* Some kinds come from one worker alone, or from none. */
    for (int i = 0; i < 3; i++) {
        sums_init(&worker[i]);
        add_some(&worker[i], &all, 1 + 3 * i);
    }
    if (_i % 2 == 1)
        add_some(&merged, &all, PRVCUT_SUMS - 1);
    for (int i = 0; i < 3; i++) {
        prvcut_sums_merge(&merged, &worker[i]);
        prvcut_sums_fini(&worker[i]);
    }
    expect_same(&merged, &all);
    ck_assert_uint_eq(merged.sends, all.sends);
    ck_assert_uint_eq(merged.receives, all.receives);
    prvcut_sums_finish(&merged, &merged.grid);
    prvcut_sums_finish(&all, &all.grid);
    expect_same(&merged, &all);
    prvcut_sums_fini(&merged);
    prvcut_sums_fini(&all);
}
END_TEST

/* A step of 1 at 40 and of -1 at 100: by hand. */
START_TEST(test_sums_finished_are_integrals_of_bins)
{
    struct prvcut_sums s;

    sums_init(&s);
    prvcut_sums_add(&s, PRVCUT_SUM_P2P, 40, 100);
    prvcut_sums_finish(&s, &s.grid);
    ck_assert_int_eq(s.at[PRVCUT_SUM_P2P][0], 0);
    ck_assert_int_eq(s.at[PRVCUT_SUM_P2P][1], 24);
    ck_assert_int_eq(s.at[PRVCUT_SUM_P2P][2], 32);
    ck_assert_int_eq(s.at[PRVCUT_SUM_P2P][3], 4);
    for (int i = 4; i < BINS; i++)
        ck_assert_int_eq(s.at[PRVCUT_SUM_P2P][i], 0);
    prvcut_sums_fini(&s);
}
END_TEST

/* What lies inside a grid has the integrals of one whose bins are wider, whichever was summed. */
START_TEST(test_sums_of_narrow_bins_are_those_of_wide_ones)
{
    static const size_t bins[] = { BINS, BINS - 1, BINS - 3, 5, 1 };
    const struct prvcut_grid fine = prvcut_grid_make(96, WIDTH, bins[_i % 5]);
    const size_t times = (size_t)2 << _i % 4;
    const struct prvcut_grid wide =
        prvcut_grid_make(96, WIDTH * times, (fine.bins + times - 1) / times);
    struct prvcut_sums a, b;

    srand((unsigned)_i);
    ck_assert_int_eq(prvcut_sums_init(&a, &fine, 1u << PRVCUT_SUM_P2P, 1, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sums_init(&b, &wide, 1u << PRVCUT_SUM_P2P, 1, NULL), PRVCUT_OK);
    for (int i = 0; i < 20; i++) {
        const uint64_t length = fine.bins * WIDTH, begin = 96 + (uint64_t)rand() % length,
                       end = begin + (uint64_t)rand() % (96 + length - begin);

        prvcut_sums_add(&a, PRVCUT_SUM_P2P, begin, end);
        prvcut_sums_add(&b, PRVCUT_SUM_P2P, begin, end);
        prvcut_sums_add_wide(&a, 0, begin, end, 3 + (uint64_t)i);
        prvcut_sums_add_wide(&b, 0, begin, end, 3 + (uint64_t)i);
    }
    prvcut_sums_finish(&a, &wide);
    prvcut_sums_finish(&b, &wide);
    ck_assert_uint_eq(a.grid.bins, wide.bins);
    for (size_t k = 0; k < wide.bins; k++) {
        ck_assert_int_eq(a.at[PRVCUT_SUM_P2P][k], b.at[PRVCUT_SUM_P2P][k]);
        ck_assert(a.wide[0][k] == b.wide[0][k]);
    }
    prvcut_sums_fini(&a);
    prvcut_sums_fini(&b);
}
END_TEST

/* --- Tracks ------------------------------------------------------------------------------------
 */

static const uint8_t track_roles[] = { PRVCUT_ROLE_P2P, PRVCUT_ROLE_COLLECTIVE,
                                       PRVCUT_ROLE_MPI_OTHER, PRVCUT_ROLE_FLUSH,
                                       PRVCUT_ROLE_INSTRUCTIONS };

/* What one thread is in: 0 or the instant since when, and 1. */
struct plain_track {
    uint64_t since[PRVCUT_TRACKS];
};

static void plain_flush(struct prvcut_flushes *f, uint64_t begin, uint64_t end, uint32_t thread)
{
    ck_assert_int_eq(prvcut_flushes_add(f, &(struct prvcut_flush){ begin, end, thread }, &err), 0);
}

static void plain_close(struct plain_track *p, enum prvcut_track track, uint64_t time,
                        struct prvcut_sums *s, struct prvcut_flushes *f, uint32_t thread)
{
    static const enum prvcut_sum sum[] = { PRVCUT_SUM_P2P, PRVCUT_SUM_COLLECTIVE,
                                           PRVCUT_SUM_MPI_OTHER, PRVCUT_SUM_FLUSH,
                                           PRVCUT_SUM_OUTSIDE };
    const uint64_t begin = p->since[track] - 1;

    if (p->since[track] == 0)
        return;
    p->since[track] = 0;
    prvcut_sums_add(s, sum[track], begin, time);
    if (track == PRVCUT_TRACK_OUTSIDE)
        prvcut_sums_add_wide(s, PRVCUT_WIDE_OUTSIDE, begin, time, time - begin);
    if (track == PRVCUT_TRACK_FLUSH)
        plain_flush(f, begin, time, thread);
}

static void plain_follow(const struct many *m, uint32_t thread, struct prvcut_sums *s,
                         struct prvcut_flushes *f)
{
    struct plain_track p = { { 0 } };

    for (int i = 0; i < EVENTS; i++) {
        const struct prvcut_event *e = &m->at[i];
        const bool mpi = e->role != PRVCUT_ROLE_FLUSH;
        const enum prvcut_track track = e->role == PRVCUT_ROLE_P2P ? PRVCUT_TRACK_P2P
                                        : e->role == PRVCUT_ROLE_COLLECTIVE
                                            ? PRVCUT_TRACK_COLLECTIVE
                                        : mpi ? PRVCUT_TRACK_MPI_OTHER
                                              : PRVCUT_TRACK_FLUSH;

        if (e->thread != thread || e->role == PRVCUT_ROLE_INSTRUCTIONS)
            continue;
        plain_close(&p, track, e->time, s, f, thread);
        if (e->value != 0)
            p.since[track] = e->time + 1;
        if (mpi)
            plain_close(&p, PRVCUT_TRACK_OUTSIDE, e->time, s, f, thread);
        if (mpi && e->value == 0)
            p.since[PRVCUT_TRACK_OUTSIDE] = e->time + 1;
    }
    p.since[PRVCUT_TRACK_OUTSIDE] = 0; /* no call came after it */
    for (int t = 0; t < PRVCUT_TRACK_OUTSIDE; t++)
        plain_close(&p, (enum prvcut_track)t, m->end, s, f, thread);
}

static int flush_order(const void *a, const void *b)
{
    const struct prvcut_flush *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static void expect_same_flushes(struct prvcut_flushes *a, struct prvcut_flushes *b)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->seen, b->seen);
    qsort(a->at, a->count, sizeof *a->at, flush_order);
    qsort(b->at, b->count, sizeof *b->at, flush_order);
    for (size_t i = 0; i < a->count; i++)
        ck_assert_int_eq(flush_order(&a->at[i], &b->at[i]), 0);
    free(a->at);
    free(b->at);
}

/* In parts of random lengths, an event at a time or in a batch; one batch is all of the part. */
static void track_part(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                       struct prvcut_sums *s, struct prvcut_event *at, size_t count)
{
    const struct prvcut_batch batch = { .event = at, .events = count };

    prvcut_rows_begin(w);
    if (rand() % 2 == 0) {
        ck_assert_int_eq(prvcut_tracks_events(w, part, s, &batch, &err), PRVCUT_OK);
        return;
    }
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(prvcut_tracks_event(w, part, s, &at[i], &err), PRVCUT_OK);
}

static void track_parts(struct many *m, struct prvcut_sums *s, struct prvcut_flushes *f)
{
    struct prvcut_rows worker[WORKERS] = { { 0 } };
    struct prvcut_tracks_part part = { 0 };
    struct prvcut_follow_carry carry = { 0 };
    struct prvcut_sums own[WORKERS];
    int number = 0;

    for (int i = 0; i < WORKERS; i++) {
        ck_assert_int_eq(prvcut_rows_init(&worker[i], THREADS, &err), PRVCUT_OK);
        sums_init(&own[i]);
    }
    ck_assert_int_eq(prvcut_follow_carry_init(&carry, THREADS, &err), PRVCUT_OK);
    for (int i = 0; i < EVENTS; number++) {
        const int want = rand() % 25, to = i + want < EVENTS ? i + want : EVENTS;

        prvcut_tracks_part_clear(&part);
        track_part(&worker[number % WORKERS], &part, &own[number % WORKERS], m->at + i,
                   (size_t)(to - i));
        ck_assert_int_eq(prvcut_tracks_join(&carry, &part, s, f, &err), PRVCUT_OK);
        i = to;
    }
    ck_assert_int_eq(prvcut_tracks_end(&carry, m->end, s, f, &err), PRVCUT_OK);
    for (int i = 0; i < WORKERS; i++) {
        prvcut_sums_merge(s, &own[i]);
        prvcut_sums_fini(&own[i]);
        prvcut_rows_fini(&worker[i]);
    }
    prvcut_tracks_part_fini(&part);
    prvcut_follow_carry_fini(&carry);
}

START_TEST(test_tracks_in_parts_are_tracks_of_all)
{
    struct prvcut_flushes plain_flushes = { 0 }, flushes = { 0 };
    struct prvcut_sums plain, s;
    struct many m;

    srand((unsigned)_i);
    many_init(&m, track_roles, sizeof track_roles, 4);
    sums_init(&plain);
    sums_init(&s);
    for (uint32_t t = 0; t < THREADS; t++)
        plain_follow(&m, t, &plain, &plain_flushes);
    track_parts(&m, &s, &flushes);
    expect_same(&s, &plain);
    ck_assert_uint_gt(s.count[PRVCUT_SUM_OUTSIDE], 0);
    ck_assert_uint_gt(flushes.count, 0);
    expect_same_flushes(&flushes, &plain_flushes);
    prvcut_sums_fini(&plain);
    prvcut_sums_fini(&s);
}
END_TEST

START_TEST(test_flushes_beyond_the_limit_are_counted)
{
    struct prvcut_flushes f = { 0 };

    for (size_t i = 0; i < PRVCUT_FLUSHES_MAX + 3; i++)
        plain_flush(&f, i, i + 1, 0);
    ck_assert_uint_eq(f.count, PRVCUT_FLUSHES_MAX);
    ck_assert_uint_eq(f.seen, PRVCUT_FLUSHES_MAX + 3);
    free(f.at);
}
END_TEST

/* --- Counters ----------------------------------------------------------------------------------
 */

static const uint8_t counter_roles[] = { PRVCUT_ROLE_INSTRUCTIONS, PRVCUT_ROLE_CYCLES,
                                         PRVCUT_ROLE_FLOPS, PRVCUT_ROLE_P2P,
                                         PRVCUT_ROLE_COLLECTIVE };

/* All that a thread's counters say at one instant. */
struct instant {
    uint64_t time, value[3];
    bool has[3], call_ends;
};

static int counter_of(uint32_t role)
{
    return role == PRVCUT_ROLE_INSTRUCTIONS ? 0
           : role == PRVCUT_ROLE_CYCLES     ? 1
           : role == PRVCUT_ROLE_FLOPS      ? 2
                                            : -1;
}

static void plain_count(const struct instant *n, uint64_t begin, struct prvcut_sums *s)
{
    const uint64_t end = n->time;

    if (n->has[0])
        prvcut_sums_add_wide(s, PRVCUT_WIDE_INSTRUCTIONS, begin, end,
                             prvcut_rate(n->value[0], begin, end));
    if (n->has[2])
        prvcut_sums_add_wide(s, PRVCUT_WIDE_FLOPS, begin, end,
                             prvcut_rate(n->value[2], begin, end));
    if (n->call_ends || n->value[1] == 0)
        return; /* no burst */
    prvcut_sums_add(s, PRVCUT_SUM_CLOCK, begin, end);
    prvcut_sums_add_wide(s, PRVCUT_WIDE_CLOCK, begin, end, prvcut_rate(n->value[1], begin, end));
    if (n->has[0]) {
        prvcut_sums_add(s, PRVCUT_SUM_IPC, begin, end);
        prvcut_sums_add_wide(s, PRVCUT_WIDE_IPC, begin, end,
                             prvcut_rate(n->value[0], 0, n->value[1]));
    }
}

static void plain_counters(const struct many *m, uint32_t thread, struct prvcut_sums *s)
{
    struct instant before = { 0 };
    bool any = false;

    for (int i = 0; i < EVENTS;) {
        struct instant now = { .time = m->at[i].time };

        for (; i < EVENTS && m->at[i].time == now.time; i++) {
            const int k = counter_of(m->at[i].role);

            if (m->at[i].thread != thread)
                continue;
            now.call_ends |= k < 0 && m->at[i].value == 0;
            if (k >= 0) {
                now.has[k] = true;
                now.value[k] += (uint64_t)m->at[i].value;
            }
        }
        /* Where no counter was read, the difference runs on. */
        if (!now.has[0] && !now.has[1] && !now.has[2])
            continue;
        if (any)
            plain_count(&now, before.time, s);
        before = now;
        any = true;
    }
}

static void counter_parts(const struct many *m, struct prvcut_sums *s)
{
    struct prvcut_rows worker = { 0 };
    struct prvcut_counters_part part = { 0 };
    struct prvcut_counters_carry carry = { 0 };
    struct prvcut_sums own;

    sums_init(&own);
    ck_assert_int_eq(prvcut_rows_init(&worker, THREADS, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_counters_carry_init(&carry, THREADS, &err), PRVCUT_OK);
    for (int i = 0; i < EVENTS;) {
        const int want = rand() % 25, to = i + want < EVENTS ? i + want : EVENTS;

        part.count = 0;
        prvcut_rows_begin(&worker);
        for (; i < to; i++)
            ck_assert_int_eq(prvcut_counters_event(&worker, &part, &own, &m->at[i], &err), 0);
        prvcut_counters_join(&carry, &part, s);
    }
    prvcut_counters_end(&carry, s);
    prvcut_sums_merge(s, &own);
    prvcut_sums_fini(&own);
    free(part.seen);
    prvcut_rows_fini(&worker);
    free(carry.at);
}

START_TEST(test_counters_in_parts_are_counters_of_all)
{
    struct prvcut_sums plain, s;
    struct many m;

    srand((unsigned)_i);
    many_init(&m, counter_roles, sizeof counter_roles, 1000);
    sums_init(&plain);
    sums_init(&s);
    for (uint32_t t = 0; t < THREADS; t++)
        plain_counters(&m, t, &plain);
    counter_parts(&m, &s);
    expect_same(&s, &plain);
    ck_assert_uint_gt(s.count[PRVCUT_SUM_IPC], 0);
    ck_assert_uint_gt(s.wide_count[PRVCUT_WIDE_FLOPS], 0);
    prvcut_sums_fini(&plain);
    prvcut_sums_fini(&s);
}
END_TEST

static Suite *parts_suite(void)
{
    Suite *s = suite_create("parts");
    TCase *t = tcase_create("parts");

    tcase_add_loop_test(t, test_sums_merged_are_sums_of_all, 0, 8);
    tcase_add_test(t, test_sums_finished_are_integrals_of_bins);
    tcase_add_loop_test(t, test_sums_of_narrow_bins_are_those_of_wide_ones, 0, 20);
    tcase_add_loop_test(t, test_tracks_in_parts_are_tracks_of_all, 0, 20);
    tcase_add_test(t, test_flushes_beyond_the_limit_are_counted);
    tcase_add_loop_test(t, test_counters_in_parts_are_counters_of_all, 0, 20);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(parts_suite());
}
