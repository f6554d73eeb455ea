/* What processes that share a reading hand to each other is what they had: as bytes, taken back. */
#include "analysis/counted.h"
#include "analysis/proof_sums.h"
#include "follow/part.h"
#include "signal/calls.h"
#include "signal/counters.h"
#include "signal/sums.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 5
#define BINS    8

/* Who puts something, and takes it into what is empty. */
struct pair {
    void (*put)(struct prvcut_put *p, void *from);
    void (*get)(struct prvcut_get *g, void *to);
    void *from, *to;
};

static struct prvcut_buffer bytes_of(void (*put)(struct prvcut_put *p, void *from), void *from)
{
    struct prvcut_put p = { .st = PRVCUT_OK };

    put(&p, from);
    ck_assert_int_eq(p.st, PRVCUT_OK);
    return p.b;
}

/* Taken back as a whole, it puts the same; cut short anywhere, it is bad. */
static void comes_back(const struct pair *x)
{
    struct prvcut_buffer there = bytes_of(x->put, x->from), here;
    struct prvcut_get g;

    for (size_t n = 0; n < there.count; n++) {
        char *part = malloc(n + 1);

        ck_assert_ptr_nonnull(part);
        memcpy(part, there.at, n);
        g = (struct prvcut_get){ part, n, false };
        x->get(&g, x->to);
        ck_assert_msg(g.bad, "%zu of %zu bytes are taken for all", n, there.count);
        free(part);
    }
    g = (struct prvcut_get){ there.at, there.count, false };
    x->get(&g, x->to);
    ck_assert(!g.bad);
    ck_assert_uint_eq(g.left, 0);
    here = bytes_of(x->put, x->to);
    ck_assert_uint_eq(here.count, there.count);
    ck_assert(memcmp(here.at, there.at, here.count) == 0);
    prvcut_buffer_fini(&there);
    prvcut_buffer_fini(&here);
}

static void put_follow(struct prvcut_put *p, void *from)
{
    prvcut_follow_carry_put(p, from);
}

static void get_follow(struct prvcut_get *g, void *to)
{
    prvcut_follow_carry_get(g, to);
}

START_TEST(test_hand_on_what_is_open)
{
    struct prvcut_follow_carry from, to;
    const struct pair x = { put_follow, get_follow, &from, &to };
    struct prvcut_follow_thread *t;

    ck_assert_int_eq(prvcut_follow_carry_init(&from, THREADS, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_follow_carry_init(&to, THREADS, NULL), PRVCUT_OK);
    t = &from.thread[3];
    t->begun = true;
    t->thread = 3;
    t->first = 17;
    for (uint32_t i = 0; i < 3; i++)
        prvcut_stack_enter(
            &t->open,
            &(struct prvcut_frame){ .begin = 100 + i, .value = -(int64_t)i, .type = i, .role = 4 },
            NULL);
    t->open.at[1].own = 5;
    t->open.beyond = 2;
    t->open.since = 102;
    from.thread[0].begun = true;
    comes_back(&x);
    ck_assert(to.thread[3].begun && !to.thread[1].begun);
    ck_assert_uint_eq(to.thread[3].thread, 3);
    ck_assert_int_eq(to.thread[3].open.at[2].value, -2);
    ck_assert_uint_eq(to.thread[3].open.at[2].depth, 2);
    prvcut_follow_carry_fini(&from);
    prvcut_follow_carry_fini(&to);
}
END_TEST

static void put_counters(struct prvcut_put *p, void *from)
{
    prvcut_counters_carry_put(p, from);
}

static void get_counters(struct prvcut_get *g, void *to)
{
    prvcut_counters_carry_get(g, to);
}

static void put_counted(struct prvcut_put *p, void *from)
{
    prvcut_counted_put(p, from, THREADS);
}

static void get_counted(struct prvcut_get *g, void *to)
{
    prvcut_counted_get(g, to, THREADS);
}

START_TEST(test_hand_on_readings_of_counters)
{
    struct prvcut_counters_carry from, to;
    struct prvcut_counted_read read[THREADS] = { [2] = { 9, 7, 2 }, [4] = { 3, 0, 1 } },
                               other[THREADS] = { { 0, 0, 0 } };
    const struct pair x = { put_counters, get_counters, &from, &to },
                      y = { put_counted, get_counted, read, other };

    ck_assert_int_eq(prvcut_counters_carry_init(&from, THREADS, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_counters_carry_init(&to, THREADS, NULL), PRVCUT_OK);
    from.at[1].any = from.at[4].any = from.at[4].now.many = true;
    from.at[4].now.before = 3;
    from.at[4].now.last = (struct prvcut_reading){ 8, 1, 2, 3, true, false, true, true };
    from.at[1].now.last.has_cycles = true;
    comes_back(&x);
    ck_assert(to.at[4].now.last.call_ends && !to.at[4].now.last.has_cycles &&
              to.at[1].now.last.has_cycles);
    free(from.at);
    free(to.at);
    comes_back(&y);
}
END_TEST

static struct prvcut_call_threads *chosen(void)
{
    static uint32_t thread[3] = { 0, 2, 4 };
    static uint8_t place[THREADS] = { 1, 0, 2, 0, 3 }, detail[THREADS];
    static struct prvcut_call_threads t = {
        .chosen = place, .detail = detail, .thread = thread, .count = 3, .threads = THREADS
    };

    memset(detail, 1, sizeof detail);
    return &t;
}

static void put_lists(struct prvcut_put *p, void *from)
{
    prvcut_call_lists_put(p, chosen(), from);
}

static void get_lists(struct prvcut_get *g, void *to)
{
    prvcut_call_lists_get(g, chosen(), to);
}

START_TEST(test_hand_on_calls)
{
    struct prvcut_call call[2] = { { 5, 1, 2, 3, 4 }, { 6, 7, 8, 9, 10 } };
    struct prvcut_message_end end = {
        .time = 5, .receive = 1, .posted = 4, .peer = 11, .size = 12
    };
    struct prvcut_call_list from[3] = {
        { .call = call,
          .calls = 2,
          .end = &end,
          .ends = 1,
          .joined = 7,
          .ends_most = 40000,
          .late = true,
          .full = true },
        { .given_up = true },
        { .calls = 0 },
    };
    struct prvcut_call_list to[3] = { { .calls = 0 } };
    const struct pair x = { put_lists, get_lists, from, to };

    comes_back(&x);
    ck_assert_uint_eq(to[0].call[1].site, 10);
    ck_assert(to[0].end[0].time == 5 && to[0].end[0].receive == 1 && to[0].end[0].peer == 11);
    ck_assert(to[0].end[0].posted == 4 && to[0].end[0].size == 12);
    ck_assert(to[0].joined == 7 && to[0].ends_most == 40000 && to[0].late);
    ck_assert(to[1].given_up && !to[2].given_up);
    for (unsigned i = 0; i < 3; i++)
        prvcut_call_list_fini(&to[i]);
}
END_TEST

static void put_sums(struct prvcut_put *p, void *from)
{
    prvcut_sums_put(p, from);
}

/* Into nothing, each time. */
static void get_sums(struct prvcut_get *g, void *to)
{
    prvcut_sums_clear(to);
    prvcut_sums_get(g, to);
}

START_TEST(test_hand_on_sums_of_signals)
{
    const struct prvcut_grid grid = prvcut_grid_make(0, 16, BINS);
    struct prvcut_sums from, to;
    const struct pair x = { put_sums, get_sums, &from, &to };
    struct prvcut_buffer once;
    struct prvcut_get g;

    ck_assert_int_eq(prvcut_sums_init(&from, &grid, 3, 3, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sums_init(&to, &grid, 3, 3, NULL), PRVCUT_OK);
    prvcut_sums_add(&from, PRVCUT_SUM_P2P, 7, 90);
    prvcut_sums_add_wide(&from, PRVCUT_WIDE_RUNNING, 3, 100, UINT64_MAX);
    from.sends = 4;
    ck_assert(from.wide[PRVCUT_WIDE_RUNNING][6] < 0);
    comes_back(&x);
    for (size_t i = 0; i < BINS + 2; i++)
        ck_assert(to.wide[PRVCUT_WIDE_RUNNING][i] == from.wide[PRVCUT_WIDE_RUNNING][i]);
    once = bytes_of(put_sums, &from);
    g = (struct prvcut_get){ once.at, once.count, false };
    prvcut_sums_get(&g, &to);
    ck_assert_int_eq(to.at[PRVCUT_SUM_P2P][0], 2 * from.at[PRVCUT_SUM_P2P][0]);
    ck_assert_uint_eq(to.sends, 8);
    prvcut_buffer_fini(&once);
    prvcut_sums_fini(&from);
    prvcut_sums_fini(&to);
}
END_TEST

static void put_proof(struct prvcut_put *p, void *from)
{
    prvcut_proof_sums_put(p, from);
}

static void get_proof(struct prvcut_get *g, void *to)
{
    prvcut_proof_sums_clear(to);
    prvcut_proof_sums_get(g, to);
}

START_TEST(test_hand_on_sums_of_a_proof)
{
    struct prvcut_proof_sums from, to;
    const struct pair x = { put_proof, get_proof, &from, &to };
    uint32_t at;

    prvcut_proof_sums_init(&from, 2);
    prvcut_proof_sums_init(&to, 2);
    for (uint32_t i = 0; i < 3; i++) {
        const struct prvcut_proof_key key = { PRVCUT_PROOF_CALL, 50000001, -(int64_t)i };

        ck_assert_int_eq(prvcut_proof_sums_enter(&from, &key, &at, NULL), PRVCUT_OK);
        from.at[at * 2 + 1] = (struct prvcut_proof_sum){ 10 + i, i };
    }
    comes_back(&x);
    ck_assert_uint_eq(to.key.count, 3);
    prvcut_proof_sums_fini(&from);
    prvcut_proof_sums_fini(&to);
}
END_TEST

static Suite *carry_suite(void)
{
    Suite *s = suite_create("carry");
    TCase *tc = tcase_create("bytes");

    tcase_add_test(tc, test_hand_on_what_is_open);
    tcase_add_test(tc, test_hand_on_readings_of_counters);
    tcase_add_test(tc, test_hand_on_calls);
    tcase_add_test(tc, test_hand_on_sums_of_signals);
    tcase_add_test(tc, test_hand_on_sums_of_a_proof);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return run_suite(carry_suite());
}
