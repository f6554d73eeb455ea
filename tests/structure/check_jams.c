#include "runner.h"

#include "structure/mask.h"

#include <stdlib.h>
#include <string.h>

/* A loop of ten iterations of 1 ms, one message in each, and a mask over two of them. */

enum { ITERATIONS = 10, LENGTH = 1000000, FIRST = 4, BEHIND = 6, BYTES = 1000 };

static const struct prvcut_span loop = { 0, ITERATIONS *LENGTH };
static const struct prvcut_run run = { .threads = 2 };
static unsigned readings;

struct program {
    struct prvcut_trace base;
    uint64_t sent[ITERATIONS],
        waits[ITERATIONS]; /* ns: before it is received; before that, in a call */
};

static enum prvcut_status scan_window(struct prvcut_trace *t, const struct prvcut_run *how,
                                      uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                      struct prvcut_error *err)
{
    const struct program *p = (struct program *)t;
    void *part = NULL;

    (void)how;
    readings++;
    ck_assert_uint_eq(from, loop.start);
    ck_assert_uint_eq(to, loop.end);
    ck_assert_int_eq(c->begin(c->ctx, 0, 0, &part, err), PRVCUT_OK);
    for (uint64_t i = 0; i < ITERATIONS; i++) {
        const uint64_t received = (i + 1) * LENGTH - 1000;
        struct prvcut_event call[] = {
            { .time = received - p->waits[i], .value = 1, .thread = 1, .role = PRVCUT_ROLE_P2P },
            { .time = received, .value = 0, .thread = 1, .role = PRVCUT_ROLE_P2P }
        };
        struct prvcut_message m = { .logical_send = received - p->sent[i],
                                    .physical_send = received - p->sent[i],
                                    .logical_receive = received - p->waits[i],
                                    .physical_receive = received,
                                    .size = BYTES,
                                    .receiver = 1 };
        const struct prvcut_batch b = { .event = call, .events = 2, .message = &m, .messages = 1 };

        ck_assert_int_eq(c->batch(c->ctx, 0, part, &b, err), PRVCUT_OK);
    }
    ck_assert_int_eq(c->join(c->ctx, part, err), PRVCUT_OK);
    c->discard(c->ctx, part);
    return PRVCUT_OK;
}

/* The same of a format that records each end where it happens, thread by thread: all of it is read.
 */
static enum prvcut_status scan_halves(struct prvcut_trace *t, const struct prvcut_run *how,
                                      const struct prvcut_consumer *c, struct prvcut_counts *counts,
                                      struct prvcut_error *err)
{
    const struct program *p = (struct program *)t;

    (void)how, (void)counts;
    readings++;
    for (uint32_t thread = 0; thread < 2; thread++) {
        void *part = NULL;

        ck_assert_int_eq(c->begin(c->ctx, 0, thread, &part, err), PRVCUT_OK);
        for (uint64_t i = 0; i < ITERATIONS; i++) {
            const uint64_t received = (i + 1) * LENGTH - 1000;
            struct prvcut_event call[] = {
                { .time = received - p->waits[i],
                  .value = 1,
                  .thread = 1,
                  .role = PRVCUT_ROLE_P2P },
                { .time = received, .value = 0, .thread = 1, .role = PRVCUT_ROLE_P2P }
            };
            struct prvcut_half half = { .time = thread == 0 ? received - p->sent[i] : received,
                                        .size = BYTES,
                                        .tag = 3,
                                        .thread = thread,
                                        .peer = 1 - thread,
                                        .communicator = 1,
                                        .receive = thread == 1 };
            const struct prvcut_batch b = {
                .event = call, .events = thread == 1 ? 2 : 0, .half = &half, .halves = 1
            };

            ck_assert_int_eq(c->batch(c->ctx, 0, part, &b, err), PRVCUT_OK);
        }
        ck_assert_int_eq(c->join(c->ctx, part, err), PRVCUT_OK);
        c->discard(c->ctx, part);
    }
    return PRVCUT_OK;
}

/* Messages as one record, or in halves. */
static const struct prvcut_reader readers[] = {
    { .scan_window = scan_window },
    { .scan = scan_halves, .halves = true, .by_thread = true, .calls_nest = true },
};
static const struct prvcut_reader *reader;

#define READERS ((int)(sizeof readers / sizeof *readers))

/* Messages are on their way so long, and are waited for so long; usual: beside the mask. */
static struct program program_of(uint64_t usual, uint64_t sent, uint64_t waits)
{
    struct program p = { .base.reader = reader };

    for (size_t i = 0; i < ITERATIONS; i++) {
        const bool in = i >= FIRST && i < BEHIND;

        p.sent[i] = in ? sent : usual;
        p.waits[i] = in ? waits : usual;
    }
    readings = 0;
    return p;
}

static void masks_of(struct prvcut_masks *m, enum prvcut_cause cause, uint64_t start, uint64_t end)
{
    *m = (struct prvcut_masks){ .at = calloc(1, sizeof *m->at), .count = 1, .room = 1 };
    ck_assert_ptr_nonnull(m->at);
    m->at[0] = (struct prvcut_mask){ .cause = cause, .span = { start, end } };
}

static size_t left(struct program *p, enum prvcut_cause cause, uint64_t start, uint64_t end)
{
    struct prvcut_error err = { 0 };
    struct prvcut_masks m;
    size_t count;

    masks_of(&m, cause, start, end);
    ck_assert_int_eq(prvcut_masks_jams(&m, &loop, &p->base, &run, &err), PRVCUT_OK);
    count = m.count;
    prvcut_masks_fini(&m);
    return count;
}

START_TEST(test_jams_stay_where_receivers_wait)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(10000, 500000, 500000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_CLOGGED, FIRST * LENGTH, BEHIND * LENGTH), 1);
    ck_assert_uint_eq(readings, 1);
}
END_TEST

/* The message is on its way for as long, but its receiver comes late. */
START_TEST(test_jams_go_where_receivers_are_late)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(10000, 500000, 10000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_CLOGGED, FIRST * LENGTH, BEHIND * LENGTH), 0);
}
END_TEST

/* All of the loop waits as long: that is its speed. */
START_TEST(test_jams_go_where_all_of_the_loop_waits)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(300000, 500000, 500000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_CLOGGED, FIRST * LENGTH, BEHIND * LENGTH), 0);
}
END_TEST

START_TEST(test_jams_of_a_small_part_are_not_read_again)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(10000, 500000, 10000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_CLOGGED, FIRST * LENGTH, (FIRST + 1) * LENGTH), 1);
    ck_assert_uint_eq(readings, 0);
}
END_TEST

START_TEST(test_jams_stay_where_nothing_is_beside_them)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(10000, 500000, 10000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_CLOGGED, loop.start, loop.end), 1);
}
END_TEST

START_TEST(test_jams_other_causes_stay)
{
    struct program p;

    reader = &readers[_i];
    p = program_of(10000, 500000, 10000);

    ck_assert_uint_eq(left(&p, PRVCUT_CAUSE_PREEMPTION, FIRST * LENGTH, BEHIND * LENGTH), 1);
    ck_assert_uint_eq(readings, 0);
}
END_TEST

static Suite *jams_suite(void)
{
    Suite *s = suite_create("jams");
    TCase *t = tcase_create("jams");

    tcase_add_loop_test(t, test_jams_stay_where_receivers_wait, 0, READERS);
    tcase_add_loop_test(t, test_jams_go_where_receivers_are_late, 0, READERS);
    tcase_add_loop_test(t, test_jams_go_where_all_of_the_loop_waits, 0, READERS);
    tcase_add_loop_test(t, test_jams_of_a_small_part_are_not_read_again, 0, READERS);
    tcase_add_loop_test(t, test_jams_stay_where_nothing_is_beside_them, 0, READERS);
    tcase_add_loop_test(t, test_jams_other_causes_stay, 0, READERS);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(jams_suite());
}
