#include "runner.h"

#include "structure/separate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Programs of several threads, call by call, whose iterations are known. */

#define THREADS 4

/* What a call is; STEP_END is the only one that the program itself makes once in an iteration. */
enum what {
    ISEND = 1,
    IRECV,
    WAITALL,
    NORM,
    RESIDUAL,
    STEP_END,
    STAGE,
    TASK_TAKE,
    TASK_GIVE,
    OUTPUT,
};

struct thread {
    struct prvcut_call *at;
    size_t count, room;
    uint64_t time;
};

struct program {
    struct thread thread[THREADS];
    uint64_t seed;
    bool sites; /* the trace tells callers */
};

static uint32_t draw(struct program *p, uint32_t from, uint32_t to)
{
    p->seed = p->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (uint32_t)(p->seed >> 33) % (to - from + 1);
}

/* One call of one thread; what is all that a trace without callers tells. */
static void call_of(struct program *p, unsigned thread, uint32_t call, uint32_t size, uint32_t site)
{
    struct thread *t = &p->thread[thread];

    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->at = realloc(t->at, t->room * sizeof *t->at);
        ck_assert_ptr_nonnull(t->at);
    }
    t->time += 800 + draw(p, 0, 400);
    t->at[t->count++] = (struct prvcut_call){ .time = t->time,
                                              .call = call,
                                              .peer = call * 31 + 1,
                                              .size = size,
                                              .site = p->sites ? site * 13 + thread + 1 : 0 };
}

static void call(struct program *p, enum what what)
{
    for (unsigned i = 0; i < THREADS; i++)
        call_of(p, i, (uint32_t)what, (uint32_t)what * 8, (uint32_t)what);
}

/* Allreduces of other sizes, or of other callers. */
static void reduce(struct program *p, enum what what)
{
    for (unsigned i = 0; i < THREADS; i++)
        call_of(p, i, 100, (uint32_t)what * 8, (uint32_t)what);
}

static void once(struct program *p, uint32_t calls)
{
    for (uint32_t k = 0; k < calls; k++)
        for (unsigned i = 0; i < THREADS; i++)
            call_of(p, i, 200 + k % 3, 1000 + k, 1000 + k);
}

static void halo(struct program *p)
{
    call(p, ISEND);
    call(p, IRECV);
    call(p, WAITALL);
}

static void pause_all(struct program *p, uint64_t ns)
{
    for (unsigned i = 0; i < THREADS; i++)
        p->thread[i].time += ns;
}

static struct prvcut_separation separate(const struct program *p)
{
    struct prvcut_call_sequence s[THREADS];
    struct prvcut_separation out;
    struct prvcut_error err = { 0 };

    for (unsigned i = 0; i < THREADS; i++)
        s[i] = (struct prvcut_call_sequence){ .thread = i,
                                              .at = p->thread[i].at,
                                              .count = p->thread[i].count };
    ck_assert_int_eq(prvcut_separate(&out, s, THREADS, &err), PRVCUT_OK);
    return out;
}

/* Each iteration, on each thread, holds one call of that kind. */
static void expect_one_in_each(const struct prvcut_separation *s, const struct program *p,
                               uint32_t what, uint32_t size)
{
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_uint_gt(s->calls.borders[i], 1);
        for (size_t k = 0; k + 1 < s->calls.borders[i]; k++) {
            unsigned seen = 0;

            for (uint32_t c = s->calls.start[i][k]; c < s->calls.start[i][k + 1]; c++)
                seen += p->thread[i].at[c].call == what && p->thread[i].at[c].size == size;
            ck_assert_msg(seen == 1, "%zu borders, thread %u, iteration %zu: %u",
                          s->calls.borders[i], i, k, seen);
        }
    }
}

static void expect_loop(const struct prvcut_separation *s, double iterations)
{
    ck_assert(s->looked);
    ck_assert_msg(s->probability >= 0.65, "%.0f iterations, probability %.2f", s->iterations,
                  s->probability);
    ck_assert_double_eq_tol(s->iterations, iterations, 1.01);
    ck_assert(s->calls.loop.found);
    ck_assert_double_eq_tol(s->calls.loop.iterations, iterations, 1.01);
    ck_assert_uint_eq(s->calls.followers, THREADS);
}

static void release(struct prvcut_separation *s, struct program *p)
{
    prvcut_separation_fini(s);
    for (unsigned i = 0; i < THREADS; i++)
        free(p->thread[i].at);
}

/* Newton steps with a solver of 5 to 40 passes in each, in time steps. */
static void newton_step(struct program *p)
{
    for (uint32_t newton = draw(p, 2, 6); newton > 0; newton--) {
        for (uint32_t pass = draw(p, 5, 40); pass > 0; pass--) {
            halo(p);
            reduce(p, NORM);
            reduce(p, NORM);
        }
        reduce(p, RESIDUAL);
    }
    reduce(p, STEP_END);
}

START_TEST(test_separate_steps_of_nested_solvers) /* even: with callers */
{
    struct program p = { .seed = 11 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 9);
    for (int step = 0; step < 30; step++)
        newton_step(&p);
    once(&p, 4);
    s = separate(&p);
    expect_loop(&s, 30);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Steps of 2 to 256 passes that one call ends: too unlike to be believed, not to be a doubt. */
START_TEST(test_separate_doubts_what_is_inside_unlike_steps)
{
    struct program p = { .seed = 152 };
    struct prvcut_separation s;

    for (int step = 0; step < 30; step++) {
        for (uint32_t pass = UINT32_C(2) << draw(&p, 0, 7); pass > 0; pass--) {
            halo(&p);
            reduce(&p, NORM);
        }
        reduce(&p, STEP_END);
    }
    s = separate(&p);
    ck_assert_double_gt(s.iterations, 100);
    ck_assert_msg(s.outer >= 0.5, "%.2f", s.outer);
    release(&s, &p);
}
END_TEST

START_TEST(test_separate_steps_of_rejected_tries)
{
    struct program p = { .seed = 21 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 5);
    for (int step = 0; step < 40; step++) {
        for (uint32_t tries = draw(&p, 1, 3); tries > 0; tries--) {
            for (int stage = 0; stage < 4; stage++) {
                halo(&p);
                call(&p, STAGE);
            }
            reduce(&p, NORM);
        }
        call(&p, STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, 40);
    expect_one_in_each(&s, &p, STEP_END, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Thread 0 hands out tasks; each other thread does as many as it comes to. */
START_TEST(test_separate_finds_none_of_master_and_workers)
{
    struct program p = { .seed = 31 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;
    uint32_t all = 0;

    once(&p, 6);
    for (unsigned worker = 1; worker < THREADS; worker++) {
        const uint32_t tasks = draw(&p, 50, 60) + 12 * worker;

        for (uint32_t k = 0; k < tasks; k++) {
            call_of(&p, worker, TASK_TAKE, 64, 1);
            call_of(&p, worker, TASK_GIVE, 800, 2);
            p.thread[worker].time += 1000 * draw(&p, 1, 200);
        }
        all += tasks;
    }
    for (uint32_t k = 0; k < all; k++) {
        call_of(&p, 0, TASK_GIVE, 800, 3);
        call_of(&p, 0, TASK_TAKE, 64, 4);
        p.thread[0].time += 1000 * draw(&p, 1, 60);
    }
    s = separate(&p);
    ck_assert(s.looked);
    ck_assert_msg(s.probability < 0.5, "%.0f iterations, probability %.2f", s.iterations,
                  s.probability);
    ck_assert(!s.calls.loop.found);
    release(&s, &p);
}
END_TEST

/* A minimiser, then twice as long dynamics: the longer loop, and nothing of the other in it. */
START_TEST(test_separate_the_longer_of_two_loops)
{
    struct program p = { .seed = 41 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 6);
    for (int step = 0; step < 20; step++) {
        halo(&p);
        for (uint32_t k = draw(&p, 2, 5); k > 0; k--)
            reduce(&p, NORM);
        reduce(&p, RESIDUAL);
    }
    for (int step = 0; step < 60; step++) {
        halo(&p);
        call(&p, STAGE);
        call(&p, STAGE);
        reduce(&p, STEP_END);
    }
    once(&p, 3);
    s = separate(&p);
    expect_loop(&s, 60);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

START_TEST(test_separate_iterations_of_few_calls) /* 1 to 3 calls */
{
    struct program p = { .seed = 51 + (uint64_t)_i };
    struct prvcut_separation s;

    once(&p, 4);
    for (int step = 0; step < 70; step++) {
        for (int k = 0; k < _i; k++)
            call(&p, STAGE);
        reduce(&p, STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, 70);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Two groups of threads that make as many, but other calls. */
START_TEST(test_separate_the_same_iterations_of_unlike_threads)
{
    struct program p = { .seed = 61 };
    struct prvcut_separation s;

    for (int step = 0; step < 25; step++) {
        const uint32_t passes = draw(&p, 3, 9);

        for (unsigned i = 0; i < THREADS; i++) {
            for (uint32_t k = 0; k < passes + 4 * i; k++)
                call_of(&p, i, i < 2 ? ISEND : IRECV, 80 + i, 0);
            call_of(&p, i, OUTPUT, 8, 0);
        }
        for (unsigned i = 0; i < THREADS; i++) /* they wait for each other */
            p.thread[i].time = p.thread[THREADS - 1].time;
    }
    s = separate(&p);
    expect_loop(&s, 25);
    expect_one_in_each(&s, &p, OUTPUT, 8);
    release(&s, &p);
}
END_TEST

/* Rejected tries mark a beat of their own, but it is not around the steps. */
START_TEST(test_separate_leaves_what_comes_and_goes)
{
    struct program p = { .seed = 141 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 5);
    for (int step = 0; step < 60; step++) {
        for (int rejected = step % 5 == 2 ? 3 : 0; rejected > 0; rejected--) {
            halo(&p);
            call(&p, STAGE);
            call(&p, TASK_GIVE);
            reduce(&p, RESIDUAL);
        }
        for (uint32_t pass = draw(&p, 2, 4); pass > 0; pass--) {
            halo(&p);
            call(&p, STAGE);
            reduce(&p, NORM);
        }
        call(&p, STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, 60);
    release(&s, &p);
}
END_TEST

/* Monte Carlo: a round has twice as many batches as the last, until the error is small. */
START_TEST(test_separate_rounds_that_double)
{
    struct program p = { .seed = 101 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 6);
    for (uint32_t round = 0; round < 9; round++) {
        for (uint32_t batch = 0; batch < UINT32_C(1) << round; batch++) {
            halo(&p);
            reduce(&p, NORM);
        }
        reduce(&p, STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, 9);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Few long iterations, and after them as much of what is inside one: the loop around it holds half
   of its time. */
START_TEST(test_separate_a_loop_around_half_of_another)
{
    struct program p = { .seed = 111 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    for (int step = 0; step < 24; step++) {
        for (int pass = 0; pass < 10; pass++) {
            halo(&p);
            reduce(&p, NORM);
        }
        call(&p, STAGE);
        reduce(&p, STEP_END);
    }
    for (int pass = 0; pass < 230; pass++) {
        halo(&p);
        reduce(&p, NORM);
    }
    s = separate(&p);
    expect_loop(&s, 24);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Between rounds of five steps blocks are dealt anew, so that steps send more or less: not before
   the first round, nor behind the last. */
START_TEST(test_separate_counts_iterations_on_both_sides)
{
    struct program p = { .seed = 141 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 5);
    for (uint32_t round = 0; round < 9; round++) {
        const uint32_t blocks = round % 3 + 1;

        if (round > 0)
            call(&p, OUTPUT);
        for (int step = 0; step < 5; step++) {
            for (uint32_t block = 0; block < blocks + 1; block++)
                halo(&p);
            reduce(&p, STEP_END);
        }
    }
    once(&p, 4);
    s = separate(&p);
    expect_loop(&s, 9);
    ck_assert_double_eq(s.calls.loop.iterations, 9);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_uint_eq(s.calls.start[i][0], 5);
    release(&s, &p);
}
END_TEST

/* The first of 13 is set-up, nearly twice as long as a step; only a size tells. */
START_TEST(test_separate_leaves_a_first_one_that_is_longer)
{
    struct program p = { .seed = 121 + (uint64_t)_i };
    struct prvcut_separation s;

    for (int step = 0; step < 13; step++) {
        call(&p, OUTPUT);
        call(&p, STAGE);
        call(&p, TASK_TAKE);
        for (int pass = 0; pass < 10; pass++) {
            halo(&p);
            reduce(&p, NORM);
        }
        for (unsigned i = 0; step == 0 && i < THREADS; i++)
            p.thread[i].time += 36000;
        reduce(&p, step == 0 ? RESIDUAL : STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, 12);
    ck_assert_double_lt(s.calls.loop.iterations, 13);
    release(&s, &p);
}
END_TEST

/* The first step needs more passes than any other; what comes before it is something else. */
START_TEST(test_separate_begins_with_a_first_one_of_more_calls)
{
    struct program p = { .seed = 141 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 5);
    for (int step = 0; step < 12; step++) {
        const uint32_t passes = step == 0 ? 22 : draw(&p, 6, 16);

        for (uint32_t pass = 0; pass < passes; pass++) {
            halo(&p);
            reduce(&p, NORM);
        }
        call(&p, STAGE);
        reduce(&p, STEP_END);
    }
    once(&p, 3);
    s = separate(&p);
    expect_loop(&s, 12);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_uint_eq(s.calls.start[i][0], 5);
    expect_one_in_each(&s, &p, 100, STEP_END * 8);
    release(&s, &p);
}
END_TEST

/* Set-up makes two calls in a row that steps make at their end only: the first step begins behind
   them. */
START_TEST(test_separate_begins_behind_what_steps_end_with)
{
    struct program p = { .seed = 151 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    once(&p, 2);
    call(&p, OUTPUT);
    pause_all(&p, 100000);
    call(&p, OUTPUT);
    for (int step = 0; step < 6; step++) {
        for (uint32_t pass = step == 0 ? 12 : draw(&p, 6, 10); pass > 0; pass--) {
            halo(&p);
            call(&p, OUTPUT);
        }
        call(&p, OUTPUT);
        reduce(&p, NORM);
    }
    s = separate(&p);
    expect_loop(&s, 6);
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_uint_ge(s.calls.start[i][0], 3);
        ck_assert_uint_le(s.calls.start[i][0], 4);
    }
    release(&s, &p);
}
END_TEST

/* From half way on steps do more: half of the gaps are unlike the others, also those at an end; it
   is all of the steps, or the longer half. */
START_TEST(test_separate_no_part_of_steps_that_change)
{
    const double steps = 40 + 4 * _i;
    struct program p = { .seed = 181 + (uint64_t)_i };
    struct prvcut_separation s;

    once(&p, 5);
    for (int step = 0; step < (int)steps; step++) {
        halo(&p);
        call(&p, STAGE);
        halo(&p);
        reduce(&p, RESIDUAL);
        for (int pass = 0; pass < 2 && step >= (int)steps / 2; pass++) {
            call(&p, TASK_TAKE);
            call(&p, TASK_GIVE);
            reduce(&p, NORM);
        }
        call(&p, STAGE);
        reduce(&p, STEP_END);
    }
    s = separate(&p);
    expect_loop(&s, s.iterations < 0.75 * steps ? steps / 2 : steps);
    release(&s, &p);
}
END_TEST

/* The last step is the longest by far; what it ends with is seen, something else comes much later.
 */
START_TEST(test_separate_ends_with_what_steps_end_with)
{
    struct program p = { .seed = 161 + (uint64_t)_i };
    struct prvcut_separation s;
    size_t behind;

    once(&p, 5);
    for (int step = 0; step < 14; step++) {
        for (uint32_t pass = step == 13 ? 40 : draw(&p, 6, 16); pass > 0; pass--) {
            halo(&p);
            reduce(&p, NORM);
        }
        reduce(&p, STEP_END);
    }
    behind = p.thread[0].count;
    pause_all(&p, 500000);
    once(&p, 3);
    s = separate(&p);
    expect_loop(&s, 14);
    for (unsigned i = 0; i < THREADS; i++) {
        const uint64_t end = s.calls.border[i][14];

        ck_assert_uint_gt(end, p.thread[i].at[behind - 1].time);
        ck_assert_uint_lt(end, p.thread[i].at[behind - 1].time + 2000);
    }
    release(&s, &p);
}
END_TEST

/* Blocks are dealt anew every few steps, at first there is one: a loop over blocks leaves out what
   a step ends with, and the steps of the beginning. */
START_TEST(test_separate_steps_over_blocks_that_are_dealt_anew)
{
    static const uint32_t dealt[] = { 1, 4, 1, 3, 1, 2 };
    struct program p = { .seed = 171 + (uint64_t)_i };
    struct prvcut_separation s;

    once(&p, 5);
    for (uint32_t step = 0; step < 36; step++) {
        if (step % 6 == 0 && step > 0)
            call(&p, OUTPUT);
        for (uint32_t b = 0; b < dealt[step / 6]; b++) {
            pause_all(&p, 20000);
            halo(&p);
        }
        pause_all(&p, 15000);
        reduce(&p, STEP_END);
    }
    once(&p, 3);
    s = separate(&p);
    expect_loop(&s, 36);
    release(&s, &p);
}
END_TEST

/* Anything comes three times somewhere: a tenth of a run that never does the same again. */
START_TEST(test_separate_doubts_three_of_a_little)
{
    struct program p = { .seed = 151 + (uint64_t)_i };
    struct prvcut_separation s;

    for (int k = 0; k < 3; k++) {
        for (enum what what = ISEND; what <= OUTPUT; what++) {
            call(&p, what);
            reduce(&p, what);
        }
    }
    for (uint32_t k = 0; k < 150; k++)
        for (unsigned i = 0; i < THREADS; i++)
            call_of(&p, i, 300 + k, k, k);
    s = separate(&p);
    ck_assert_msg(s.probability < 0.5, "%.0f iterations, probability %.2f", s.iterations,
                  s.probability);
    release(&s, &p);
}
END_TEST

/* One of eight things to do comes again and again, after others and after any time. */
START_TEST(test_separate_doubts_what_comes_at_any_time)
{
    struct program p = { .seed = 161 + (uint64_t)_i };
    struct prvcut_separation s;

    for (uint32_t k = 0; k < 500; k++) {
        const uint32_t work = 500u << draw(&p, 0, 9), body = draw(&p, 0, 12);

        for (unsigned i = 0; i < THREADS; i++)
            p.thread[i].time += work;
        for (uint32_t c = 0; body < 8 && c < 5; c++)
            for (unsigned i = 0; i < THREADS; i++)
                call_of(&p, i, 10 * body + c, 8 * body + c, 0);
        if (body >= 8)
            call_of(&p, draw(&p, 0, THREADS - 1), 200, draw(&p, 1, 9000), 0);
    }
    s = separate(&p);
    ck_assert_msg(s.probability < 0.5, "%.0f iterations, probability %.2f", s.iterations,
                  s.probability);
    release(&s, &p);
}
END_TEST

/* What all do in common at the start is no loop of what each does later for itself. */
START_TEST(test_separate_doubts_common_calls_of_the_start)
{
    struct program p = { .seed = 171 + (uint64_t)_i };
    struct prvcut_separation s;

    for (int k = 0; k < 8; k++)
        reduce(&p, NORM);
    for (int k = 0; k < 600; k++) {
        const uint32_t thread = draw(&p, 0, THREADS - 1);

        p.thread[thread].time += 500u << draw(&p, 0, 6);
        call_of(&p, thread, draw(&p, 1, 9), draw(&p, 0, 3) * 1000 + thread, 0);
    }
    s = separate(&p);
    ck_assert_msg(s.probability < 0.5, "%.0f iterations, probability %.2f", s.iterations,
                  s.probability);
    release(&s, &p);
}
END_TEST

/* Two long iterations of many equal passes are a loop; that there are but two of them is told. */
START_TEST(test_separate_a_loop_of_two)
{
    struct program p = { .seed = 131 + (uint64_t)_i, .sites = _i % 2 == 0 };
    struct prvcut_separation s;

    call(&p, OUTPUT);
    for (int step = 0; step < 2; step++) {
        for (int pass = 0; pass < 50; pass++) {
            halo(&p);
            reduce(&p, NORM);
            call(&p, TASK_TAKE);
            call(&p, TASK_GIVE);
            reduce(&p, RESIDUAL);
        }
        call(&p, OUTPUT);
    }
    s = separate(&p);
    expect_loop(&s, 2);
    ck_assert(s.two && !s.within);
    ck_assert(fabs(s.calls.loop.iterations - 2) < 0.1);
    release(&s, &p);
}
END_TEST

START_TEST(test_separate_finds_none_in_random_calls)
{
    struct program p = { .seed = 71 + (uint64_t)_i };
    struct prvcut_separation s;

    for (int k = 0; k < 3000; k++)
        for (unsigned i = 0; i < THREADS; i++)
            call_of(&p, i, draw(&p, 1, 1u << (_i + 1)), 0, 0);
    s = separate(&p);
    ck_assert_msg(s.probability < 0.5, "%.0f iterations, probability %.2f", s.iterations,
                  s.probability);
    release(&s, &p);
}
END_TEST

/* As many symbols as there can be, each three times, or one call again and again. */
START_TEST(test_separate_survives_flat_input)
{
    struct program p = { .seed = 81 };
    struct prvcut_separation s;

    for (uint32_t k = 0; k < 60000; k++)
        for (unsigned i = 0; i < 2; i++)
            call_of(&p, i, _i == 0 ? k % 20000 : 1, _i == 0 ? draw(&p, 1, 9) : 1, 0);
    s = separate(&p);
    ck_assert(s.looked);
    release(&s, &p);
}
END_TEST

START_TEST(test_separate_has_nothing_to_look_at) /* calls of each thread: 0 to 5 */
{
    struct program p = { .seed = 91 };
    struct prvcut_separation s;

    once(&p, (uint32_t)_i);
    s = separate(&p);
    ck_assert(!s.looked);
    ck_assert(!s.calls.loop.found);
    ck_assert(s.probability == 0);
    release(&s, &p);
}
END_TEST

static Suite *separate_suite(void)
{
    Suite *s = suite_create("separate");
    TCase *found = tcase_create("found");
    TCase *none = tcase_create("none");

    tcase_add_loop_test(found, test_separate_steps_of_nested_solvers, 0, 6);
    tcase_add_test(found, test_separate_doubts_what_is_inside_unlike_steps);
    tcase_add_loop_test(found, test_separate_steps_of_rejected_tries, 0, 6);
    tcase_add_loop_test(found, test_separate_the_longer_of_two_loops, 0, 4);
    tcase_add_loop_test(found, test_separate_iterations_of_few_calls, 0, 3);
    tcase_add_test(found, test_separate_the_same_iterations_of_unlike_threads);
    tcase_add_loop_test(found, test_separate_leaves_what_comes_and_goes, 0, 10);
    tcase_add_loop_test(found, test_separate_rounds_that_double, 0, 4);
    tcase_add_loop_test(found, test_separate_a_loop_around_half_of_another, 0, 4);
    tcase_add_loop_test(found, test_separate_counts_iterations_on_both_sides, 0, 4);
    tcase_add_loop_test(found, test_separate_leaves_a_first_one_that_is_longer, 0, 4);
    tcase_add_loop_test(found, test_separate_begins_with_a_first_one_of_more_calls, 0, 4);
    tcase_add_loop_test(found, test_separate_begins_behind_what_steps_end_with, 0, 4);
    tcase_add_loop_test(found, test_separate_no_part_of_steps_that_change, 0, 4);
    tcase_add_loop_test(found, test_separate_ends_with_what_steps_end_with, 0, 6);
    tcase_add_loop_test(found, test_separate_steps_over_blocks_that_are_dealt_anew, 0, 6);
    tcase_add_loop_test(found, test_separate_a_loop_of_two, 0, 4);
    tcase_add_loop_test(none, test_separate_doubts_three_of_a_little, 0, 2);
    tcase_add_loop_test(none, test_separate_doubts_what_comes_at_any_time, 0, 12);
    tcase_add_loop_test(none, test_separate_doubts_common_calls_of_the_start, 0, 4);
    tcase_add_loop_test(none, test_separate_finds_none_of_master_and_workers, 0, 6);
    tcase_add_loop_test(none, test_separate_finds_none_in_random_calls, 0, 6);
    tcase_add_loop_test(none, test_separate_survives_flat_input, 0, 2);
    tcase_add_loop_test(none, test_separate_has_nothing_to_look_at, 0, 6);
    tcase_set_timeout(found, 60);
    tcase_set_timeout(none, 60);
    suite_add_tcase(s, found);
    suite_add_tcase(s, none);
    return s;
}

int main(void)
{
    return run_suite(separate_suite());
}
