#include "runner.h"

#include "structure/call_follow.h"
#include "structure/loop.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Sequences are made of calls with a number each; what of a call depends on it, a test chooses. */
struct maker {
    struct prvcut_call *at;
    size_t count, room;
    uint64_t time; /* ns */
    uint64_t seed;
};

static uint32_t maker_random(struct maker *m)
{
    m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->seed >> 33);
}

static struct prvcut_call *maker_call(struct maker *m, uint32_t number, uint64_t ns)
{
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->at = realloc(m->at, m->room * sizeof *m->at);
        ck_assert_ptr_nonnull(m->at);
    }
    m->time += ns;
    m->at[m->count] = (struct prvcut_call){
        .time = m->time,
        .call = (number * UINT32_C(2654435761) >> 28) + 1, /* 16 different calls */
        .peer = number * 31 + 1,
        .size = number * 17 + 1,
        .site = number * 13 + 1,
    };
    return &m->at[m->count++];
}

/* Calls `from` to `to` - 1, a microsecond apart with some noise. */
static void maker_body(struct maker *m, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        maker_call(m, i, 900 + maker_random(m) % 200);
}

/* Before and after a loop: calls that do not come again. */
static void maker_once(struct maker *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        maker_call(m, 1000000 + (uint32_t)m->count, 1000);
}

static struct prvcut_call_loop find(const struct maker *m, size_t threads)
{
    struct prvcut_call_sequence s[16];
    struct prvcut_call_loop l;
    struct prvcut_error err = { 0 };

    ck_assert_uint_le(threads, 16);
    for (size_t i = 0; i < threads; i++)
        s[i] = (struct prvcut_call_sequence){ .thread = (uint32_t)i,
                                              .at = m[i].at,
                                              .count = m[i].count };
    ck_assert_int_eq(prvcut_call_loop_find(&l, s, threads, &err), PRVCUT_OK);
    ck_assert_uint_eq(l.sequences, threads);
    return l;
}

/* Search one thread's calls and release them. */
static struct prvcut_call_loop find_one(struct maker *m)
{
    struct prvcut_call_loop l = find(m, 1);

    free(m->at);
    return l;
}

static void expect_loop(struct prvcut_call_loop *l, double iterations, size_t calls)
{
    ck_assert_msg(l->loop.found, "%s", l->loop.why);
    ck_assert_double_eq_tol(l->loop.iterations, iterations, fmax(1, 0.02 * iterations));
    ck_assert_uint_eq(l->calls_per_iteration, calls);
    ck_assert_double_ge(l->loop.strength, 0);
    ck_assert_double_le(l->loop.strength, 1);
    prvcut_call_loop_fini(l);
}

START_TEST(test_find_loop_none_in_too_few_calls) /* _i calls a thread */
{
    struct maker m[2] = { { .seed = 1 }, { .seed = 2 } };
    struct prvcut_call_loop l;

    maker_body(&m[0], 0, (uint32_t)_i);
    l = find(m, 2);
    ck_assert(!l.loop.found);
    ck_assert_ptr_nonnull(l.loop.why);
    ck_assert_uint_eq(l.followers, 0);
    prvcut_call_loop_fini(&l);
    l = find(m, 0);
    ck_assert(!l.loop.found);
    prvcut_call_loop_fini(&l);
    free(m[0].at);
}
END_TEST

START_TEST(test_find_loop_exact_borders)
{
    struct maker m = { .seed = 3 };
    uint64_t start[61];
    struct prvcut_call_loop l;

    maker_once(&m, 50);
    for (size_t i = 0; i < 60; i++) {
        maker_body(&m, 0, 37);
        start[i] = m.at[m.count - 37].time;
    }
    maker_once(&m, 20);
    start[60] = m.at[m.count - 20].time;
    l = find_one(&m);
    ck_assert_uint_eq(l.borders[0], 61);
    for (size_t i = 0; i <= 60; i++)
        ck_assert_uint_eq(l.border[0][i], start[i]);
    ck_assert_uint_eq(l.loop.span.start, start[0]);
    ck_assert_uint_eq(l.loop.span.end, start[60]);
    ck_assert_double_eq_tol(l.loop.period_ns, (double)(start[60] - start[0]) / 60, 1);
    ck_assert_double_ge(l.loop.strength, 0.9);
    expect_loop(&l, 60, 37);
}
END_TEST

START_TEST(test_find_loop_few_iterations) /* _i iterations */
{
    struct maker m = { .seed = 4 };
    struct prvcut_call_loop l;

    maker_once(&m, 30);
    for (int i = 0; i < _i; i++)
        maker_body(&m, 0, 40);
    maker_once(&m, 10);
    l = find_one(&m);
    if (_i >= 3) {
        expect_loop(&l, _i, 40);
    } else {
        ck_assert(!l.loop.found);
        prvcut_call_loop_fini(&l);
    }
}
END_TEST

START_TEST(test_find_loop_few_calls_long_iterations)
{
    struct maker m = { .seed = 5 };
    struct prvcut_call_loop l;

    maker_once(&m, 12);
    for (int i = 0; i < 6; i++) {
        maker_call(&m, 1, 5000000 + maker_random(&m) % 500000);
        maker_call(&m, 2, 2000000 + maker_random(&m) % 200000);
    }
    maker_once(&m, 2);
    l = find_one(&m);
    ck_assert_double_eq_tol(l.loop.period_ns, 7350000, 300000);
    expect_loop(&l, 6, 2);
}
END_TEST

START_TEST(test_find_loop_outermost_of_nested) /* inner iterations: 2, 25, 100 */
{
    const int inner = _i == 0 ? 2 : _i == 1 ? 25 : 100;
    struct maker m = { .seed = 6 };
    struct prvcut_call_loop l;

    maker_once(&m, 100);
    for (int i = 0; i < 15; i++) {
        for (int k = 0; k < inner; k++)
            maker_body(&m, 0, 21);
        maker_body(&m, 30, 34);
    }
    maker_once(&m, 10);
    l = find_one(&m);
    expect_loop(&l, 15, (size_t)inner * 21 + 4);
}
END_TEST

/* The same calls inside and outside the inner loop: only their sites differ. */
START_TEST(test_find_loop_outermost_by_site)
{
    struct maker m = { .seed = 7 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 20; k++)
            for (uint32_t c = 0; c < 4; c++)
                maker_call(&m, c, 1000)->site = k == 0 ? 50 + c : c;
    l = find_one(&m);
    expect_loop(&l, 12, 80);
}
END_TEST

START_TEST(test_find_loop_sizes_by_data)
{
    struct maker m = { .seed = 8 };
    struct prvcut_call_loop l;

    maker_once(&m, 5);
    for (int i = 0; i < 30; i++)
        for (uint32_t c = 0; c < 6; c++)
            maker_call(&m, c, 1000)->size = maker_random(&m);
    maker_once(&m, 5);
    l = find_one(&m);
    expect_loop(&l, 30, 6);
}
END_TEST

/* Polls before each wait, now more, now fewer: 0 to _i of them. */
START_TEST(test_find_loop_through_polling)
{
    struct maker m = { .seed = 9 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 80; i++)
        for (uint32_t c = 0; c < 20; c++) {
            uint32_t polls = c % 5 == 4 ? maker_random(&m) % (uint32_t)(_i + 1) : 0;

            for (uint32_t k = 0; k < polls; k++)
                maker_call(&m, 100 + c, 50);
            maker_call(&m, c, 20000);
        }
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 80, 4);
    ck_assert_double_eq_tol(l.loop.median_ns, 400000 + 100 * _i, 10000 + 30 * _i);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* A solver inside takes now 5, now 40 steps: the loop around it has no fixed number of calls. */
START_TEST(test_find_loop_around_varying_solver)
{
    struct maker m = { .seed = 10 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 40; i++) {
        uint32_t steps = 20 + maker_random(&m) % 10;

        maker_body(&m, 0, 30);
        for (uint32_t k = 0; k < steps; k++)
            maker_body(&m, 50, 53);
    }
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 40, 2);
    prvcut_call_loop_fini(&l);
}
END_TEST

START_TEST(test_find_loop_with_output_every_tenth)
{
    struct maker m = { .seed = 11 };
    struct prvcut_call_loop l;
    double factor;

    maker_once(&m, 20);
    for (int i = 0; i < 200; i++) {
        maker_body(&m, 0, 16);
        if (i % 10 == 9)
            maker_body(&m, 40, 43);
    }
    l = find_one(&m);
    ck_assert(l.loop.found);
    factor = l.loop.iterations > 100 ? 1 : 10;
    ck_assert_double_eq_tol(l.loop.iterations, 200 / factor, 2);
    ck_assert_double_eq_tol(l.loop.period_ns, 16300 * factor, 500 * factor);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* Neighbours are searched again after 8 to 14 steps, with more calls than a step has. */
START_TEST(test_find_loop_with_irregular_extra_work)
{
    struct maker m = { .seed = 23 };
    struct prvcut_call_loop l;
    int next = 8;

    for (int i = 0; i < 400; i++) {
        maker_body(&m, 0, 24);
        if (i == next) {
            maker_body(&m, 100, 160);
            next += 8 + (int)(maker_random(&m) % 7);
        }
    }
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 400, 20);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* One call in ten comes too much, or (_i == 1) is missing. */
/* Partners are drawn anew in each iteration, so that none goes as its neighbours do: the first and
   the last ones are no worse than the others. */
START_TEST(test_find_loop_of_random_partners) /* seed: _i */
{
    struct maker m = { .seed = (uint64_t)_i };
    struct prvcut_call_loop l;

    maker_once(&m, 50);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t partners = 9 + maker_random(&m) % 4;

        maker_body(&m, 0, 20);
        for (uint32_t k = 0; k < partners; k++)
            maker_call(&m, 100 + maker_random(&m) % 24, 1000);
    }
    maker_once(&m, 30);
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 60, 1 + 1e-9);
    prvcut_call_loop_fini(&l);
}
END_TEST

START_TEST(test_find_loop_in_noise)
{
    struct maker m = { .seed = 24 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 100; i++)
        for (uint32_t c = 0; c < 20; c++) {
            bool hit = maker_random(&m) % 10 == 0;

            m.time += 1000;
            if (hit && _i == 0)
                maker_call(&m, 500 + maker_random(&m) % 3, 0);
            if (!hit || _i == 0)
                maker_call(&m, c, 0);
        }
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 100, 10);
    ck_assert_double_eq_tol(l.loop.median_ns, 20000, 1000);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* One collective an iteration is all there is. */
START_TEST(test_find_loop_of_one_call)
{
    struct maker m = { .seed = 25 };
    struct prvcut_call_loop l;

    maker_once(&m, 5);
    for (int i = 0; i < 20; i++)
        maker_call(&m, 1, 1000000 + maker_random(&m) % 100000);
    maker_once(&m, 3);
    l = find_one(&m);
    ck_assert(l.loop.found);
    ck_assert_double_le(l.loop.strength, 0.7);
    expect_loop(&l, 20, 1);
}
END_TEST

/* Few calls an iteration, and a program that changes its pace: more than half of them are far
   shorter than the mean, but each takes as long as those around it. */
START_TEST(test_find_loop_of_few_calls_at_two_paces) /* _i: calls an iteration, and which is slow */
{
    const uint32_t calls = 1 + (uint32_t)_i / 2, fast[2] = { 160, 140 };
    struct maker m = { .seed = 29 };
    struct prvcut_call_loop l;

    maker_once(&m, 2);
    for (uint32_t i = 0; i < 300; i++)
        for (uint32_t c = 0; c < calls; c++) {
            const uint64_t ns = c == 0 ? 1000000 + maker_random(&m) % 40000 : 5000;

            maker_call(&m, c, (i < fast[_i % 2]) == (_i % 2 == 0) ? ns : 7 * ns);
        }
    maker_once(&m, 2);
    l = find_one(&m);
    expect_loop(&l, 300, calls);
}
END_TEST

/* One call that comes at any time is none. */
START_TEST(test_find_loop_none_in_one_call_at_any_time) /* seed: _i */
{
    struct maker m = { .seed = (uint64_t)_i };
    struct prvcut_call_loop l;

    for (int i = 0; i < 300; i++)
        maker_call(&m, 1, (uint64_t)(-1e6 * log((maker_random(&m) % 1000000 + 1) / 1e6)));
    l = find_one(&m);
    ck_assert(!l.loop.found);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* Without partners, sizes and sites an outer loop cannot be told from an inner one. */
START_TEST(test_find_loop_doubts_bare_calls)
{
    struct maker m = { .seed = 26 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 100; i++)
        for (uint32_t c = 0; c < 10; c++) {
            struct prvcut_call *call = maker_call(&m, c, 1000);

            call->peer = call->size = call->site = 0;
        }
    l = find_one(&m);
    ck_assert_str_eq(l.alphabet, "call");
    ck_assert_double_le(l.loop.strength, 0.5);
    expect_loop(&l, 100, 10);
}
END_TEST

START_TEST(test_find_loop_refuses_endless_sequence)
{
    const struct prvcut_call_sequence s = { .thread = 7, .count = SIZE_MAX };
    struct prvcut_error err = { 0 };
    struct prvcut_call_loop l;

    ck_assert_int_eq(prvcut_call_loop_find(&l, &s, 1, &err), PRVCUT_EUSAGE);
    ck_assert_int_eq(err.status, PRVCUT_EUSAGE);
    prvcut_call_loop_fini(&l);
}
END_TEST

START_TEST(test_find_loop_longer_of_two)
{
    struct maker m = { .seed = 12 };
    struct prvcut_call_loop l;
    uint64_t middle;

    for (int i = 0; i < 50; i++)
        maker_body(&m, 0, 20);
    middle = m.time;
    for (int i = 0; i < 100; i++)
        maker_body(&m, 100, 130);
    l = find_one(&m);
    ck_assert_uint_gt(l.loop.span.start, middle - 100);
    expect_loop(&l, 100, 30);
}
END_TEST

/* An initialisation that sends many small messages in no time, then few long iterations. */
START_TEST(test_find_loop_not_the_setup)
{
    struct maker m = { .seed = 13 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 200; i++)
        maker_call(&m, 500, 10);
    for (int i = 0; i < 30; i++)
        maker_body(&m, 300, 305);
    for (int i = 0; i < 20; i++) {
        maker_body(&m, 0, 10);
        m.time += 1000000;
    }
    l = find_one(&m);
    expect_loop(&l, 20, 10);
}
END_TEST

START_TEST(test_find_loop_long_run)
{
    struct maker m = { .seed = 14 };
    struct prvcut_call_loop l;

    maker_once(&m, 100);
    for (int i = 0; i < 100000; i++)
        maker_body(&m, 0, 7);
    l = find_one(&m);
    ck_assert_uint_eq(l.borders[0], 100001);
    expect_loop(&l, 100000, 7);
}
END_TEST

/* Iterations of 60000 calls, nearly all of them in inner loops. */
START_TEST(test_find_loop_long_iterations)
{
    struct maker m = { .seed = 15 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 6000; k++)
            maker_body(&m, 0, 10);
        maker_body(&m, 20, 23);
    }
    l = find_one(&m);
    expect_loop(&l, 5, 60003);
}
END_TEST

/* Ranks differ in what they call; one of them is a master that calls at random. */
START_TEST(test_follow_loop_same_iteration_on_all_threads)
{
    struct maker m[8] = { { 0 } };
    struct prvcut_call_loop l;

    for (uint32_t t = 0; t < 8; t++) {
        m[t].seed = t;
        maker_once(&m[t], 10 * t);
        m[t].time = 1000000;
        for (int i = 0; i < 50; i++) {
            for (uint32_t c = 0; c < 20 + t; c++)
                maker_call(&m[t], t == 3 ? maker_random(&m[t]) : c, 100000 / (20 + t));
            m[t].time = 1000000 + ((uint64_t)i + 1) * 100000 + t * 100;
        }
        maker_once(&m[t], t);
    }
    l = find(m, 8);
    ck_assert_uint_eq(l.followers, 7);
    ck_assert_ptr_null(l.border[3]);
    for (size_t t = 0; t < 8; t++) {
        if (t == 3)
            continue;
        ck_assert_uint_eq(l.borders[t], l.borders[0]);
        for (size_t i = 0; i + 1 < l.borders[t]; i++)
            ck_assert_double_eq_tol((double)l.border[t][i], (double)l.border[0][i], 6000);
        free(m[t].at);
    }
    free(m[3].at);
    ck_assert_double_eq_tol(l.loop.period_ns, 100000, 1000);
    expect_loop(&l, 50, 20);
}
END_TEST

/* Threads that see one or two iterations more, or less, still agree on which is which. */
START_TEST(test_follow_loop_aligns_unequal_threads)
{
    struct maker m[4] = { { 0 } };
    struct prvcut_call_loop l;

    for (uint32_t t = 0; t < 4; t++) {
        m[t].seed = t;
        for (uint32_t i = t == 1 ? 1 : 0; i < (t == 2 ? 39 : 40); i++) {
            m[t].time = i * 100000;
            maker_body(&m[t], 0, 20);
        }
    }
    l = find(m, 4);
    ck_assert_uint_eq(l.followers, 4);
    for (size_t t = 0; t < 4; t++) {
        ck_assert_uint_eq(l.borders[t], l.borders[0]);
        for (size_t i = 0; i + 1 < l.borders[t]; i++)
            ck_assert_double_eq_tol((double)l.border[t][i], (double)l.border[0][i], 2000);
        free(m[t].at);
    }
    expect_loop(&l, 38, 20);
}
END_TEST

/* No loop in what is not periodic: random calls out of a few or many, in all lengths. */
START_TEST(test_find_loop_none_in_random_calls)
{
    static const uint32_t kinds[] = { 3, 4, 6, 10, 50, 100000 };
    static const size_t length[] = { 8, 15, 30, 60, 200, 1000, 20000 };
    size_t runs = length[_i] < 1000 ? 40 : 3, found = 0, all = 0;

    for (size_t k = 0; k < 6; k++)
        for (size_t r = 0; r < runs; r++, all++) {
            struct maker m = { .seed = 1000 * k + r };
            struct prvcut_call_loop l;

            for (size_t i = 0; i < length[_i]; i++)
                maker_call(&m, maker_random(&m) % kinds[k], 100 + maker_random(&m) % 10000);
            l = find_one(&m);
            found += l.loop.found;
            ck_assert_double_le(l.loop.strength, 0.5);
            prvcut_call_loop_fini(&l);
        }
    ck_assert_uint_le(found * 100, all);
}
END_TEST

/* A start, one long computation, the results: what an embarrassingly parallel program does. */
START_TEST(test_find_loop_none_in_few_reductions)
{
    struct maker m[4] = { { 0 } };
    struct prvcut_call_loop l;

    for (uint32_t t = 0; t < 4; t++) {
        maker_once(&m[t], 3);
        maker_call(&m[t], 10, 50000);
        maker_call(&m[t], 11, 10000);
        m[t].time += 200000000;
        for (uint32_t i = 0; i < 4; i++)
            maker_call(&m[t], 12, 300000)->site = i;
    }
    l = find(m, 4);
    ck_assert(!l.loop.found);
    prvcut_call_loop_fini(&l);
    for (size_t t = 0; t < 4; t++)
        free(m[t].at);
}
END_TEST

START_TEST(test_find_loop_same_answer_twice)
{
    struct maker m = { .seed = 21 };
    struct prvcut_call_loop a, b;

    for (int i = 0; i < 40; i++) {
        maker_body(&m, 0, 25);
        maker_once(&m, maker_random(&m) % 3);
    }
    a = find(&m, 1);
    b = find_one(&m);
    ck_assert(a.loop.found && b.loop.found);
    ck_assert_double_eq(a.loop.strength, b.loop.strength);
    ck_assert_double_eq(a.loop.period_ns, b.loop.period_ns);
    ck_assert_uint_eq(a.borders[0], b.borders[0]);
    ck_assert_mem_eq(a.border[0], b.border[0], a.borders[0] * sizeof *a.border[0]);
    ck_assert_str_eq(a.alphabet, b.alphabet);
    prvcut_call_loop_fini(&a);
    prvcut_call_loop_fini(&b);
}
END_TEST

/* Nothing but one call, and all calls at one time: no division by zero, no nonsense. */
START_TEST(test_find_loop_survives_flat_input)
{
    struct maker m = { .seed = 22 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 500; i++)
        maker_call(&m, _i == 0 ? 1 : (uint32_t)i % 10, 0);
    l = find_one(&m);
    ck_assert(isfinite(l.loop.strength) && isfinite(l.loop.period_ns));
    ck_assert(l.loop.strength >= 0 && l.loop.strength <= 1);
    prvcut_call_loop_fini(&l);
}
END_TEST

/* start tells the calls that the borders are. */
START_TEST(test_find_loop_tells_the_calls_of_the_borders)
{
    struct maker m = { .seed = 41 };
    struct prvcut_call_loop l;

    maker_once(&m, 20);
    for (int i = 0; i < 30; i++)
        maker_body(&m, 0, 12);
    maker_once(&m, 5);
    l = find(&m, 1);
    ck_assert(l.loop.found);
    ck_assert_uint_eq(l.borders[0], 31);
    for (size_t k = 0; k < 31; k++) {
        ck_assert_uint_eq(l.start[0][k], 20 + 12 * k);
        if (k < 30)
            ck_assert_uint_eq(l.border[0][k], m.at[l.start[0][k]].time);
    }
    prvcut_call_loop_fini(&l);
    ck_assert_ptr_null(l.start);
    free(m.at);
}
END_TEST

/* Two sweeps of ten planes, one after the other: one of them, and the same one on all threads. */
START_TEST(test_find_loop_one_of_two_sweeps)
{
    struct maker m[4] = { { .seed = 42 }, { .seed = 43 }, { .seed = 44 }, { .seed = 45 } };
    struct prvcut_call_loop l;

    for (size_t t = 0; t < 4; t++) {
        for (int i = 0; i < 10; i++)
            maker_body(&m[t], 0, 2);
        if (t == 2)
            m[t].time += 30000; /* waits for the others */
        for (int i = 0; i < 10; i++)
            maker_body(&m[t], 4, 6);
        maker_once(&m[t], 6);
    }
    l = find(m, 4);
    ck_assert(l.loop.found);
    ck_assert_uint_eq(l.followers, 4);
    ck_assert_double_eq_tol(l.loop.iterations, 10, 1e-9);
    for (size_t t = 1; t < 4; t++)
        ck_assert_uint_eq(l.start[t][0], l.start[0][0]);
    prvcut_call_loop_fini(&l);
    for (size_t t = 0; t < 4; t++)
        free(m[t].at);
}
END_TEST

/*
 * What the outer loop does itself looks like one more inner iteration, but comes from elsewhere:
 * site tells them apart.
 */
START_TEST(test_find_loop_not_what_comes_before_it)
{
    struct maker m = { .seed = 46 };
    struct prvcut_call_loop l;

    for (int i = 0; i < 5; i++) {
        maker_body(&m, 0, 8);
        for (size_t k = 0; i == 0 && k < m.count; k++)
            m.at[k].site = 77 + (uint32_t)k;
    }
    l = find(&m, 1);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 4, 1e-9);
    ck_assert_uint_eq(l.start[0][0], 8);
    prvcut_call_loop_fini(&l);
    free(m.at);
}
END_TEST

/* A thread that lives for a part of the run only does not take the others' iterations from them. */
/* Two neighbours, and one: the same calls in both phases of a program, of other sizes. */
static void maker_exchange(struct maker *m, uint32_t what)
{
    static const uint32_t call[] = { 1, 1, 2, 2, 3, 1, 2, 3 };

    for (uint32_t i = 0; i < sizeof call / sizeof *call; i++)
        maker_call(m, what + i, 900 + maker_random(m) % 200)->call = call[i];
}

/* 9 iterations of 9 double exchanges and one call, behind a loop of single ones of which two look
   like such an iteration where sizes do not count. */
START_TEST(test_follow_loop_not_into_the_phase_before_it)
{
    struct maker m = { .seed = 7 };
    struct call_anchor a = { .cut = { .alphabet = &prvcut_call_alphabets[CALL_ALPHABETS - 1] },
                             .count = 12,
                             .gap = 145 };
    struct call_grams g = { 0 };
    struct call_track t = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_call_sequence s;
    uint32_t place[12];

    for (unsigned i = 0; i < 48; i++) {
        maker_exchange(&m, 100);
        if (i % 4 == 3)
            maker_call(&m, 120, 1000)->call = 4;
    }
    for (unsigned i = 0; i < 12; i++)
        place[i] = (uint32_t)m.count - 290 + 145 * i;
    for (unsigned i = 0; i < 81; i++) {
        maker_exchange(&m, 200);
        maker_exchange(&m, 210);
        if (i % 9 == 8)
            maker_call(&m, 230, 1000)->call = 5;
    }
    maker_once(&m, 9);
    a.place = place;
    s = (struct prvcut_call_sequence){ .at = m.at, .count = m.count };
    ck_assert_int_eq(prvcut_call_track_make(&t, &a, &g, &s, &err), PRVCUT_OK);
    ck_assert_uint_eq(t.count, 9);
    ck_assert_uint_eq(t.start[0], place[2]);
    prvcut_call_track_fini(&t);
    prvcut_call_grams_fini(&g);
    free(m.at);
}
END_TEST

START_TEST(test_find_loop_keeps_iterations_that_one_thread_lacks)
{
    struct maker m[4] = { { .seed = 47 }, { .seed = 48 }, { .seed = 49 }, { .seed = 50 } };
    struct prvcut_call_loop l;

    for (size_t t = 0; t < 4; t++) {
        m[t].time = t == 3 ? 24000 : 0;
        for (int i = 0; i < (t == 3 ? 5 : 7); i++)
            maker_body(&m[t], 0, 12);
    }
    l = find(m, 4);
    ck_assert(l.loop.found);
    ck_assert_double_eq_tol(l.loop.iterations, 7, 1e-9);
    ck_assert_uint_eq(l.followers, 3);
    ck_assert_uint_eq(l.borders[3], 0);
    prvcut_call_loop_fini(&l);
    for (size_t t = 0; t < 4; t++)
        free(m[t].at);
}
END_TEST

/* Is the loop of one the loop of the other? Both are searched, compared both ways, and released. */
static bool same(struct maker *a, struct maker *b)
{
    struct prvcut_call_loop la = find(a, 1), lb = find(b, 1);
    struct prvcut_call_sequence sa = { .at = a->at, .count = a->count },
                                sb = { .at = b->at, .count = b->count };
    struct prvcut_call_side x = { &la, &sa }, y = { &lb, &sb };
    bool there, back;

    ck_assert_int_eq(prvcut_call_loops_same(&there, &x, &y, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_call_loops_same(&back, &y, &x, NULL), PRVCUT_OK);
    ck_assert_int_eq(there, back);
    sb.thread = 1;
    ck_assert_int_eq(prvcut_call_loops_same(&back, &x, &y, NULL), PRVCUT_OK);
    ck_assert(!back);
    prvcut_call_loop_fini(&la);
    prvcut_call_loop_fini(&lb);
    free(a->at);
    free(b->at);
    return there;
}

START_TEST(test_compare_loops_same_whatever_call_is_first)
{
    struct maker a = { .seed = 51 }, b = { .seed = 52, .time = 99999999 };

    maker_once(&a, 10);
    for (int i = 0; i < 20; i++)
        maker_body(&a, 0, 24);
    maker_body(&b, 11, 24);
    for (int i = 0; i < 33; i++) {
        maker_body(&b, 0, 24);
        if (i == 5 || i == 17)
            maker_body(&b, 40, 43);
    }
    ck_assert(same(&a, &b));
}
END_TEST

START_TEST(test_compare_loops_differ_by_calls_and_by_place) /* _i == 1: by call path alone */
{
    struct maker a = { .seed = 53 }, b = { .seed = 54 };

    for (int i = 0; i < 20; i++) {
        maker_body(&a, 0, 24);
        maker_body(&b, _i ? 0 : 30, _i ? 24 : 54);
    }
    for (size_t k = 0; _i && k < b.count; k++)
        b.at[k].site += 1000;
    ck_assert(!same(&a, &b));
}
END_TEST

/* Another mesh, the same code: call paths tell. */
START_TEST(test_compare_loops_same_with_other_sizes)
{
    struct maker a = { .seed = 55 }, b = { .seed = 56 };

    for (int i = 0; i < 20; i++) {
        maker_body(&a, 0, 24);
        maker_body(&b, 0, 24);
    }
    for (size_t k = 0; k < b.count; k++)
        b.at[k].size *= 2;
    ck_assert(same(&a, &b));
}
END_TEST

START_TEST(test_compare_loops_differ_from_none)
{
    struct maker a = { .seed = 57 }, b = { .seed = 58 };

    for (int i = 0; i < 20; i++)
        maker_body(&a, 0, 24);
    maker_once(&b, 100);
    ck_assert(!same(&a, &b));
}
END_TEST

static Suite *call_loop_suite(void)
{
    Suite *s = suite_create("call_loop");
    TCase *found = tcase_create("found"), *none = tcase_create("none");

    tcase_add_test(found, test_find_loop_exact_borders);
    tcase_add_loop_test(found, test_find_loop_few_iterations, 1, 8);
    tcase_add_test(found, test_find_loop_few_calls_long_iterations);
    tcase_add_loop_test(found, test_find_loop_outermost_of_nested, 0, 3);
    tcase_add_test(found, test_find_loop_outermost_by_site);
    tcase_add_test(found, test_find_loop_sizes_by_data);
    tcase_add_loop_test(found, test_find_loop_through_polling, 1, 9);
    tcase_add_test(found, test_find_loop_around_varying_solver);
    tcase_add_test(found, test_find_loop_with_output_every_tenth);
    tcase_add_test(found, test_find_loop_with_irregular_extra_work);
    tcase_add_loop_test(found, test_find_loop_of_random_partners, 1, 4);
    tcase_add_loop_test(found, test_find_loop_in_noise, 0, 2);
    tcase_add_test(found, test_find_loop_of_one_call);
    tcase_add_loop_test(found, test_find_loop_of_few_calls_at_two_paces, 0, 6);
    tcase_add_test(found, test_find_loop_doubts_bare_calls);
    tcase_add_test(found, test_find_loop_longer_of_two);
    tcase_add_test(found, test_find_loop_not_the_setup);
    tcase_add_test(found, test_find_loop_long_run);
    tcase_add_test(found, test_find_loop_long_iterations);
    tcase_add_test(found, test_follow_loop_same_iteration_on_all_threads);
    tcase_add_test(found, test_follow_loop_aligns_unequal_threads);
    tcase_add_test(found, test_find_loop_same_answer_twice);
    tcase_add_loop_test(none, test_find_loop_none_in_too_few_calls, 0, 5);
    tcase_add_loop_test(none, test_find_loop_none_in_random_calls, 0, 7);
    tcase_add_test(none, test_find_loop_none_in_few_reductions);
    tcase_add_loop_test(none, test_find_loop_none_in_one_call_at_any_time, 0, 4);
    tcase_add_test(none, test_find_loop_refuses_endless_sequence);
    tcase_add_loop_test(none, test_find_loop_survives_flat_input, 0, 2);
    tcase_add_test(found, test_find_loop_tells_the_calls_of_the_borders);
    tcase_add_test(found, test_find_loop_one_of_two_sweeps);
    tcase_add_test(found, test_find_loop_not_what_comes_before_it);
    tcase_add_test(found, test_follow_loop_not_into_the_phase_before_it);
    tcase_add_test(found, test_find_loop_keeps_iterations_that_one_thread_lacks);
    tcase_add_test(found, test_compare_loops_same_whatever_call_is_first);
    tcase_add_loop_test(found, test_compare_loops_differ_by_calls_and_by_place, 0, 2);
    tcase_add_test(found, test_compare_loops_same_with_other_sizes);
    tcase_add_test(found, test_compare_loops_differ_from_none);
    tcase_set_timeout(found, 60);
    tcase_set_timeout(none, 60);
    suite_add_tcase(s, found);
    suite_add_tcase(s, none);
    return s;
}

int main(void)
{
    return run_suite(call_loop_suite());
}
