/* For the processors that a thread may run on, which POSIX does not have. */
#define _GNU_SOURCE
#include "base/ordered.h"
#include "base/processors.h"

#include "runner.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { ITEMS = 500, WORKERS = 64 };

/* A sequence of numbers whose squares are joined; what may go wrong, and where. */
struct sequence {
    unsigned next, items;
    unsigned joined[ITEMS];
    unsigned joins;
    atomic_uint drops;    /* also looked at by who takes */
    bool taking, joining; /* somebody is in that callback */
    atomic_bool overlap;  /* two were */
    unsigned worker_most;
    unsigned take_fails, work_fails[2], join_fails; /* item + 1; 0: never */
};

struct item {
    unsigned number, square, worker;
};

/* Work takes a different time for each item, so that items overtake each other. */
static void linger(unsigned number)
{
    const struct timespec t = { .tv_nsec = (long)(number * 7919 % 7) * 20000 };

    nanosleep(&t, NULL);
}

static enum prvcut_status take(void *ctx, unsigned worker, void **out, struct prvcut_error *err)
{
    struct sequence *s = ctx;
    struct item *i;

    if (s->taking)
        s->overlap = true;
    s->taking = true;
    if (s->next + 1 == s->take_fails) {
        s->taking = false;
        return prvcut_fail(err, PRVCUT_EIO, "take %u", s->next);
    }
    if (s->next == s->items) {
        s->taking = false;
        return PRVCUT_END;
    }
    i = malloc(sizeof *i);
    ck_assert_ptr_nonnull(i);
    *i = (struct item){ .number = s->next++, .worker = worker };
    *out = i;
    s->taking = false;
    return PRVCUT_OK;
}

static enum prvcut_status work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    const struct sequence *s = ctx;
    struct item *i = item;

    linger(i->number);
    i->square = i->number * i->number;
    i->worker = worker;
    for (int k = 0; k < 2; k++)
        if (i->number + 1 == s->work_fails[k])
            return prvcut_fail(err, PRVCUT_EFORMAT, "work %u", i->number);
    return PRVCUT_OK;
}

static enum prvcut_status join(void *ctx, void *item, enum prvcut_status failed,
                               struct prvcut_error *err)
{
    struct sequence *s = ctx;
    const struct item *i = item;

    if (s->joining)
        s->overlap = true;
    s->joining = true;
    if (i->worker > s->worker_most)
        s->worker_most = i->worker;
    if (failed == PRVCUT_OK)
        s->joined[s->joins++] = i->square;
    s->joining = false;
    if (failed == PRVCUT_OK && i->number + 1 == s->join_fails)
        return prvcut_fail(err, PRVCUT_ELIMIT, "join %u", i->number);
    return failed;
}

static void drop(void *ctx, void *item)
{
    struct sequence *s = ctx;

    /* Joined by one worker at a time or, after a failure, when all have stopped. */
    s->drops++;
    free(item);
}

static enum prvcut_status run(struct sequence *s, unsigned workers, struct prvcut_error *err)
{
    const struct prvcut_ordered o = {
        .ctx = s, .take = take, .work = work, .join = join, .drop = drop
    };
    const enum prvcut_status st = prvcut_ordered_run(&o, workers, err);

    ck_assert(!s->overlap);
    ck_assert_uint_lt(s->worker_most, workers);
    for (unsigned i = 0; i < s->joins; i++)
        ck_assert_uint_eq(s->joined[i], i * i);
    ck_assert_uint_eq(s->drops, s->next);
    return st;
}

static const unsigned teams[] = { 1, 2, 3, 8, WORKERS };

#define TEAMS (int)(sizeof teams / sizeof *teams)

START_TEST(test_run_items_joined_in_order)
{
    struct sequence s = { .items = ITEMS };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(run(&s, teams[_i], &err), PRVCUT_OK);
    ck_assert_uint_eq(s.joins, ITEMS);
    ck_assert_int_eq(err.status, PRVCUT_OK);
}
END_TEST

START_TEST(test_run_no_items_is_no_failure)
{
    struct sequence s = { .items = 0 };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(run(&s, teams[_i], &err), PRVCUT_OK);
    ck_assert_uint_eq(s.joins, 0);
}
END_TEST

/* Of several failures the first in the sequence wins, and all before it is joined. */
START_TEST(test_run_first_failure_of_sequence_wins)
{
    static const struct {
        struct sequence s;
        enum prvcut_status status;
        const char *text;
        unsigned joins;
    } cases[] = {
        { { .work_fails = { 41, 38 } }, PRVCUT_EFORMAT, "work 37", 37 },
        { { .work_fails = { 1, 2 } }, PRVCUT_EFORMAT, "work 0", 0 },
        { { .take_fails = 40, .work_fails = { 38, 0 } }, PRVCUT_EFORMAT, "work 37", 37 },
        { { .take_fails = 38, .work_fails = { 40, 0 } }, PRVCUT_EIO, "take 37", 37 },
        { { .take_fails = 1 }, PRVCUT_EIO, "take 0", 0 },
        { { .join_fails = 38, .work_fails = { 39, 40 } }, PRVCUT_ELIMIT, "join 37", 38 },
        { { .join_fails = 40, .work_fails = { 39, 0 } }, PRVCUT_EFORMAT, "work 38", 38 },
        { { .work_fails = { ITEMS, 0 } }, PRVCUT_EFORMAT, "work 499", ITEMS - 1 },
        { { .take_fails = ITEMS + 1 }, PRVCUT_EIO, "take 500", ITEMS },
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct sequence s = cases[c].s;
        struct prvcut_error err = { 0 };

        s.items = ITEMS;
        ck_assert_int_eq(run(&s, teams[_i], &err), cases[c].status);
        ck_assert_int_eq(err.status, cases[c].status);
        ck_assert_str_eq(err.text, cases[c].text);
        ck_assert_uint_eq(s.joins, cases[c].joins);
    }
}
END_TEST

/* The first failure is kept where the caller's error already holds one. */
START_TEST(test_run_keeps_earlier_error)
{
    struct sequence s = { .items = 5, .work_fails = { 1, 0 } };
    struct prvcut_error err = { 0 };

    prvcut_fail(&err, PRVCUT_EUSAGE, "before");
    ck_assert_int_eq(run(&s, 2, &err), PRVCUT_EFORMAT);
    ck_assert_str_eq(err.text, "before");
    s = (struct sequence){ .items = 5, .work_fails = { 1, 0 } };
    ck_assert_int_eq(run(&s, 2, NULL), PRVCUT_EFORMAT);
}
END_TEST

/* One slow item holds up no more than a few others per worker. */
struct bounded {
    struct sequence s;
    unsigned ahead; /* greatest distance of take before join */
};

static enum prvcut_status take_bounded(void *ctx, unsigned worker, void **out,
                                       struct prvcut_error *err)
{
    struct bounded *b = ctx;

    (void)worker;
    if (b->s.next - b->s.drops > b->ahead)
        b->ahead = b->s.next - b->s.drops;
    return take(&b->s, worker, out, err);
}

static enum prvcut_status work_bounded(void *ctx, unsigned worker, void *item,
                                       struct prvcut_error *err)
{
    struct item *i = item;
    const struct timespec t = { .tv_nsec = 50000000 };

    (void)ctx, (void)worker, (void)err;
    i->square = i->number * i->number;
    if (i->number == 3)
        nanosleep(&t, NULL);
    return PRVCUT_OK;
}

static enum prvcut_status join_bounded(void *ctx, void *item, enum prvcut_status failed,
                                       struct prvcut_error *err)
{
    return join(&((struct bounded *)ctx)->s, item, failed, err);
}

static void drop_bounded(void *ctx, void *item)
{
    drop(&((struct bounded *)ctx)->s, item);
}

START_TEST(test_run_items_in_flight_are_bounded)
{
    struct bounded b = { .s = { .items = ITEMS } };
    const struct prvcut_ordered o = { .ctx = &b,
                                      .take = take_bounded,
                                      .work = work_bounded,
                                      .join = join_bounded,
                                      .drop = drop_bounded };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_ordered_run(&o, 4, &err), PRVCUT_OK);
    ck_assert_uint_eq(b.s.joins, ITEMS);
    ck_assert_uint_ge(b.ahead, 2);
    ck_assert_uint_le(b.ahead, 4 * 4);
}
END_TEST

START_TEST(test_choose_workers_within_limits)
{
    ck_assert_uint_eq(prvcut_workers(1), 1);
    ck_assert_uint_eq(prvcut_workers(7), 7);
    ck_assert_uint_eq(prvcut_workers(64), 64);
    ck_assert_uint_eq(prvcut_workers(65), 64);
    ck_assert_uint_eq(prvcut_workers(1000000), 64);
    ck_assert_uint_ge(prvcut_workers(0), 1);
    ck_assert_uint_le(prvcut_workers(0), 64);
    ck_assert_uint_eq(prvcut_workers(-3), prvcut_workers(0));
}
END_TEST

/* mpirun, taskset and containers leave some of the machine's processors, or one. */
START_TEST(test_choose_workers_among_processors_left)
{
    unsigned used[CPU_SETSIZE] = { 0 }, marked = 0;
    cpu_set_t before, one;
    size_t last = 0;

    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    ck_assert_uint_eq(prvcut_processors(), (unsigned)CPU_COUNT(&before));
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        last = CPU_ISSET(i, &before) ? i : last;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    prvcut_processors_mark(used, CPU_SETSIZE);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        marked += used[i];
    ck_assert_uint_eq(prvcut_workers(0), 1);
    ck_assert_uint_eq(prvcut_workers(2), 2);
    ck_assert_uint_eq(marked, 1);
    ck_assert_uint_eq(used[last], 1);
    ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
}
END_TEST

static Suite *ordered_suite(void)
{
    Suite *s = suite_create("ordered");
    TCase *t = tcase_create("ordered");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_run_items_joined_in_order, 0, TEAMS);
    tcase_add_loop_test(t, test_run_no_items_is_no_failure, 0, TEAMS);
    tcase_add_loop_test(t, test_run_first_failure_of_sequence_wins, 0, TEAMS);
    tcase_add_test(t, test_run_keeps_earlier_error);
    tcase_add_test(t, test_run_items_in_flight_are_bounded);
    tcase_add_test(t, test_choose_workers_among_processors_left);
    tcase_add_test(t, test_choose_workers_within_limits);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(ordered_suite());
}
