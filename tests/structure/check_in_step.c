#include "structure/in_step.h"

#include "runner.h"

#include <string.h>

/* Threads that follow a loop together, or each for itself. */

#define THREADS    6
#define ITERATIONS 64
#define LENGTH     100000 /* ns, mean */

struct program {
    uint64_t border[THREADS][ITERATIONS + 1];
    uint64_t *row[THREADS];
    size_t borders[THREADS];
    struct prvcut_call_loop loop;
    uint64_t seed;
};

static uint64_t draw(struct program *p, uint64_t below)
{
    p->seed = p->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (p->seed >> 33) % below;
}

static void begin(struct program *p, unsigned threads, size_t iterations, int seed)
{
    memset(p, 0, sizeof *p);
    p->seed = 7 + (uint64_t)seed;
    for (unsigned t = 0; t < threads; t++) {
        p->row[t] = p->border[t];
        p->borders[t] = iterations + 1;
        p->border[t][0] = 5000 + t;
    }
    p->loop =
        (struct prvcut_call_loop){ .loop = { .found = true, .iterations = (double)iterations },
                                   .border = p->row,
                                   .borders = p->borders,
                                   .sequences = threads,
                                   .followers = threads };
}

static struct prvcut_step step_of(const struct program *p)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_step step;

    ck_assert_int_eq(prvcut_call_loop_step(&step, &p->loop, &err), PRVCUT_OK);
    return step;
}

/* Each thread's own lengths, from a quarter to seven quarters of the mean. */
static void go_alone(struct program *p)
{
    for (size_t t = 0; t < p->loop.sequences; t++)
        for (size_t k = 0; k + 1 < p->borders[t]; k++)
            p->border[t][k + 1] = p->border[t][k] + LENGTH / 4 + draw(p, (uint64_t)LENGTH * 3 / 2);
}

/* As unlike as that, but all threads meet at each border, some later than others. */
static void go_together(struct program *p, uint64_t late)
{
    uint64_t now = 5000;

    for (size_t k = 0; k + 1 < p->borders[0]; k++) {
        now += LENGTH / 4 + draw(p, (uint64_t)LENGTH * 3 / 2);
        for (size_t t = 0; t < p->loop.sequences; t++)
            p->border[t][k + 1] = now + t * LENGTH / 10 + (late > 0 ? draw(p, late) : 0);
    }
}

START_TEST(test_in_step_tells_tasks_of_workers)
{
    struct program p;
    struct prvcut_step step;

    begin(&p, THREADS, ITERATIONS, _i);
    go_alone(&p);
    step = step_of(&p);
    ck_assert_double_ge(step.apart, 0.3);
    ck_assert_double_ge(step.drift, 0.6);
}
END_TEST

START_TEST(test_in_step_where_threads_wait) /* late by up to so many tenths of an iteration */
{
    struct program p;
    struct prvcut_step step;

    begin(&p, THREADS, ITERATIONS, _i);
    go_together(&p, (uint64_t)_i * LENGTH / 10);
    step = step_of(&p);
    ck_assert_double_le(step.drift, 0.3);
    if (_i == 0)
        ck_assert_double_eq(step.apart, 0);
    else
        ck_assert_double_gt(step.apart, 0);
}
END_TEST

/* Clocks that run apart by a thousandth are no drift; nor is a thread that starts late. */
START_TEST(test_in_step_of_skewed_clocks)
{
    struct program p;

    begin(&p, 2, ITERATIONS, _i);
    go_together(&p, LENGTH / 100);
    for (size_t k = 0; k <= ITERATIONS; k++)
        p.border[1][k] += p.border[1][k] / 1000 + 77 * LENGTH;
    ck_assert_double_le(step_of(&p).drift, 0.5);
    ck_assert_double_le(step_of(&p).apart, 0.05);
}
END_TEST

/* Those that do not follow the loop lie between those that do. */
START_TEST(test_in_step_leaves_others_out)
{
    struct program p;
    struct prvcut_step all, some;

    begin(&p, THREADS, ITERATIONS, _i);
    go_alone(&p);
    memcpy(p.border[4], p.border[2], sizeof p.border[2]);
    all = step_of(&p);
    p.borders[0] = p.borders[1] = p.borders[3] = p.borders[5] = 0;
    some = step_of(&p);
    ck_assert_double_gt(all.apart, 0);
    ck_assert_double_eq(some.apart, 0);
    ck_assert_double_eq(some.drift, 0);
}
END_TEST

START_TEST(test_in_step_of_nobody) /* followers: 0, 1; too few iterations for a drift; no loop */
{
    struct program p;
    struct prvcut_step step;

    begin(&p, THREADS, _i == 2 ? 15 : ITERATIONS, _i);
    go_alone(&p);
    for (unsigned t = (unsigned)_i; _i < 2 && t < THREADS; t++)
        p.borders[t] = 0;
    p.loop.loop.found = _i != 3;
    step = step_of(&p);
    ck_assert_double_eq(step.drift, 0);
    ck_assert(_i == 2 ? step.apart > 0.3 : step.apart == 0);
}
END_TEST

static Suite *in_step_suite(void)
{
    Suite *s = suite_create("in_step");
    TCase *t = tcase_create("step");

    tcase_add_loop_test(t, test_in_step_tells_tasks_of_workers, 0, 20);
    tcase_add_loop_test(t, test_in_step_where_threads_wait, 0, 3);
    tcase_add_loop_test(t, test_in_step_of_skewed_clocks, 0, 5);
    tcase_add_loop_test(t, test_in_step_leaves_others_out, 0, 3);
    tcase_add_loop_test(t, test_in_step_of_nobody, 0, 4);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(in_step_suite());
}
