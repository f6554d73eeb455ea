#include "structure/steps.h"

#include "runner.h"

#include <string.h>

/* Steps inside the iterations of a loop: what is cut at them holds whole iterations. */

#define THREADS    3
#define CALLS      4096
#define ITERATIONS 6
#define STEPS      5
#define TICK       1000 /* ns, of a call */
#define PAUSE      40000

enum { SEND = 11, RECV, REDUCE, GATHER, PRINT };

struct program {
    struct prvcut_call call[THREADS][CALLS];
    struct prvcut_call_sequence in[THREADS];
    uint64_t border[THREADS][ITERATIONS + 1], *row[THREADS], now;
    size_t borders[THREADS];
    struct prvcut_call_loop loop;
};

static void begin(struct program *p)
{
    memset(p, 0, sizeof *p);
    p->now = TICK;
    for (uint32_t t = 0; t < THREADS; t++) {
        p->in[t] = (struct prvcut_call_sequence){ .thread = t, .at = p->call[t] };
        p->row[t] = p->border[t];
        p->borders[t] = ITERATIONS + 1;
    }
    p->loop = (struct prvcut_call_loop){ .loop = { .found = true, .iterations = ITERATIONS },
                                         .border = p->row,
                                         .borders = p->borders,
                                         .sequences = THREADS,
                                         .followers = THREADS };
}

/* On all threads, one a little after the other. */
static void call(struct program *p, uint32_t what, uint32_t size)
{
    for (uint32_t t = 0; t < THREADS; t++)
        p->call[t][p->in[t].count++] =
            (struct prvcut_call){ .time = p->now + t, .call = what, .size = size };
    p->now += TICK;
}

static void border(struct program *p, size_t k)
{
    for (uint32_t t = 0; t < THREADS; t++)
        p->border[t][k] = p->now + t;
}

static struct prvcut_steps steps_of(const struct program *p, unsigned most)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_steps steps;

    ck_assert_int_eq(prvcut_steps_find(&steps, &p->loop, p->in, most, &err), PRVCUT_OK);
    return steps;
}

/* Halo and reduction, then a checkpoint after some of these. */
static void checkpoints(struct program *p, const unsigned steps[ITERATIONS])
{
    begin(p);
    for (size_t k = 0; k < ITERATIONS; k++) {
        border(p, k);
        for (unsigned i = 0; i < steps[k]; i++) {
            call(p, SEND, 64);
            call(p, SEND, 64);
            call(p, RECV, 64);
            call(p, REDUCE, 8);
            p->now += PAUSE;
        }
        call(p, GATHER, 0);
    }
    border(p, ITERATIONS);
    call(p, PRINT, 0);
}

static const unsigned even[ITERATIONS] = { STEPS, STEPS, STEPS, STEPS, STEPS, STEPS };

START_TEST(test_each_step_of_an_iteration_begins_one)
{
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, even);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, STEPS);
    for (uint32_t t = 0; t < THREADS; t++) {
        ck_assert_uint_eq(s.calls.borders[t], STEPS * ITERATIONS + 1);
        for (size_t k = 0; k <= ITERATIONS; k++)
            ck_assert_uint_eq(s.calls.border[t][k * STEPS], p.border[t][k]);
        /* The first of two sends in a row. */
        for (size_t i = 1; i < STEPS; i++)
            ck_assert_uint_eq(s.calls.border[t][i], p.border[t][0] + i * (4 * TICK + PAUSE));
    }
    prvcut_call_loop_fini(&s.calls);
}
END_TEST

START_TEST(test_iterations_of_other_numbers_of_steps_have_none)
{
    static const unsigned uneven[ITERATIONS] = { 5, 5, 5, 6, 5, 5 };
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, uneven);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, 0);
    ck_assert_ptr_null(s.calls.border);
}
END_TEST

/* The loop begins or ends inside an iteration: what is left of that are steps, too. */
START_TEST(test_ends_may_be_parts)
{
    static const unsigned parts[ITERATIONS] = { 3, STEPS, STEPS, STEPS, STEPS, 2 };
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, parts);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, STEPS);
    /* The first border begins the first step, and is none of the call's. */
    ck_assert_uint_eq(s.first, 2);
    ck_assert_uint_eq(s.last, 1);
    ck_assert_uint_eq(prvcut_steps_before(&s, 1), 2);
    ck_assert_uint_eq(prvcut_steps_before(&s, ITERATIONS - 1), 2 + 4 * STEPS);
    ck_assert_uint_eq(prvcut_steps_before(&s, ITERATIONS), 2 + 4 * STEPS + 1);
    for (uint32_t t = 0; t < THREADS; t++) {
        ck_assert_uint_eq(s.calls.borders[t], 2 + 4 * STEPS + 1 + 1);
        ck_assert_uint_eq(s.calls.border[t][0], p.border[t][0] + 4 * TICK + PAUSE);
        for (size_t k = 1; k < ITERATIONS; k++)
            ck_assert_uint_eq(s.calls.border[t][prvcut_steps_before(&s, k)], p.border[t][k]);
        ck_assert_uint_eq(s.calls.border[t][2 + 4 * STEPS + 1],
                          p.border[t][ITERATIONS - 1] + 4 * TICK + PAUSE);
    }
    prvcut_call_loop_fini(&s.calls);
}
END_TEST

/* Two of six tell nothing: all others are other ones. */
START_TEST(test_few_alike_have_none)
{
    static const unsigned uneven[ITERATIONS] = { 5, 5, 6, 7, 6, 5 };
    static struct program p;

    checkpoints(&p, uneven);
    ck_assert_uint_eq(steps_of(&p, 32).each, 0);
}
END_TEST

/* Calls in a row that are alike: each may be a step where nothing else is. */
START_TEST(test_calls_in_a_row)
{
    static struct program p;
    struct prvcut_steps s;

    begin(&p);
    for (size_t k = 0; k < ITERATIONS; k++) {
        border(&p, k);
        for (size_t i = 0; i < 2; i++) {
            call(&p, GATHER, 8);
            p.now += PAUSE;
        }
    }
    border(&p, ITERATIONS);
    call(&p, GATHER, 8);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, 2);
    prvcut_call_loop_fini(&s.calls);
}
END_TEST

START_TEST(test_a_thread_that_makes_others_has_none)
{
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, even);
    /* One of its reductions is a gather: all it has left that comes equally often is far away. */
    for (size_t i = 0, n = 0; i < p.in[2].count; i++)
        if (p.call[2][i].call != GATHER)
            p.call[2][i].call = SEND + (uint32_t)(n++ % 7 == 0);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, 0);
}
END_TEST

START_TEST(test_no_more_steps_than_are_wanted)
{
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, even);
    s = steps_of(&p, STEPS - 1);
    ck_assert_uint_eq(s.each, 0);
}
END_TEST

START_TEST(test_no_followers_no_steps)
{
    static struct program p;
    struct prvcut_steps s;

    checkpoints(&p, even);
    memset(p.borders, 0, sizeof p.borders);
    s = steps_of(&p, 32);
    ck_assert_uint_eq(s.each, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("steps");
    TCase *t = tcase_create("steps");

    tcase_add_test(t, test_each_step_of_an_iteration_begins_one);
    tcase_add_test(t, test_iterations_of_other_numbers_of_steps_have_none);
    tcase_add_test(t, test_ends_may_be_parts);
    tcase_add_test(t, test_few_alike_have_none);
    tcase_add_test(t, test_calls_in_a_row);
    tcase_add_test(t, test_a_thread_that_makes_others_has_none);
    tcase_add_test(t, test_no_more_steps_than_are_wanted);
    tcase_add_test(t, test_no_followers_no_steps);
    suite_add_tcase(s, t);
    return run_suite(s);
}
