/*
 * Calls that nothing tells apart, as where only states are recorded: how many of them make an
 * iteration only their distances tell, and where these do not, no answer is sure.
 */
#include "runner.h"
#include "structure/call_equal.h"
#include "structure/search.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 4, ITERATIONS = 3000, BURSTS_MOST = 5, SEEDS = 3 };

/** What one iteration is made of. */
struct bursts {
    size_t count;
    double length[BURSTS_MOST]; /* us */
    double noise;               /* of the logarithm of each */
    double slips;               /* share of the iterations with a burst more */
    double most;                /* confidence, at most */
    size_t told;                /* bursts of an iteration, as distances tell them */
};

static const struct bursts programs[] = {
    /* Nothing tells how many there are. */
    { 1, { 12 }, 0, 0, 0.5, 1 },
    { 1, { 12 }, 0.05, 0, 0.5, 1 },
    { 3, { 12, 12, 12 }, 0.05, 0, 0.5, 1 },
    /* Lengths do. */
    { 2, { 5, 15 }, 0, 0, 0.8, 2 },
    { 2, { 5, 15 }, 0.1, 0.01, 0.8, 2 },
    { 3, { 4, 10, 22 }, 0, 0, 0.8, 3 },
    { 3, { 4, 10, 22 }, 0.1, 0, 0.8, 3 },
    { 3, { 4, 10, 22 }, 0.1, 0.01, 0.8, 3 },
    { 5, { 3, 8, 3, 8, 20 }, 0.05, 0, 0.8, 5 },
    /* Every third step may be a longer one. */
    { 3, { 10, 10, 30 }, 0.02, 0, 0.5, 3 },
    { 5, { 8, 8, 8, 8, 20 }, 0.1, 0, 0.5, 5 },
};

#define PROGRAMS ((int)(sizeof programs / sizeof *programs))

static unsigned seed_of_run(int which)
{
    static unsigned base;

    if (base == 0)
        base = (unsigned)time(NULL) % 100000 + 1;
    return base + (unsigned)which * 7919;
}

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((double)(*seed >> 8) + 0.5) / (1u << 24);
}

static double normal(unsigned *seed)
{
    const double r = sqrt(-2 * log(uniform(seed)));

    return r * cos(6.283185307179586 * uniform(seed));
}

/** The states that threads wait in; they meet behind each burst. */
struct made {
    struct prvcut_call *at[THREADS];
    struct prvcut_call_sequence sequence[THREADS];
    size_t count;
    uint64_t end;
};

static void make_burst(struct made *m, uint64_t now[THREADS], const struct bursts *p, double us,
                       unsigned *seed)
{
    uint64_t last = 0;

    for (unsigned i = 0; i < THREADS; i++) {
        now[i] += (uint64_t)(1000 * us * exp(p->noise * normal(seed)));
        m->at[i][m->count] = (struct prvcut_call){ .time = now[i], .call = 7 };
        last = now[i] > last ? now[i] : last;
    }
    m->count++;
    for (unsigned i = 0; i < THREADS; i++)
        now[i] = last + 500;
    m->end = last + 500;
}

static void make(struct made *m, const struct bursts *p, unsigned seed)
{
    uint64_t now[THREADS] = { 0 };

    *m = (struct made){ .count = 0 };
    for (unsigned i = 0; i < THREADS; i++) {
        m->at[i] = calloc((BURSTS_MOST + 1) * ITERATIONS + 1, sizeof *m->at[i]);
        ck_assert_ptr_nonnull(m->at[i]);
    }
    for (unsigned k = 0; k < ITERATIONS; k++) {
        for (size_t b = 0; b < p->count; b++)
            make_burst(m, now, p, p->length[b], &seed);
        if (uniform(&seed) < p->slips)
            make_burst(m, now, p, p->length[0], &seed);
    }
    for (unsigned i = 0; i < THREADS; i++)
        m->sequence[i] =
            (struct prvcut_call_sequence){ .thread = i, .at = m->at[i], .count = m->count };
}

static void made_fini(struct made *m)
{
    for (unsigned i = 0; i < THREADS; i++)
        free(m->at[i]);
}

static void search_made(struct prvcut_search *out, const struct made *m)
{
    const struct prvcut_search_input in = { .span = { 0, m->end },
                                            .calls = true,
                                            .separate = true,
                                            .sequence = m->sequence,
                                            .sequences = THREADS,
                                            .to_end = true };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };

    ck_assert_int_eq(prvcut_search_find(out, &in, &run, &err), PRVCUT_OK);
}

START_TEST(test_equal_calls_are_as_many_as_their_distances_tell)
{
    const struct bursts *p = &programs[_i / SEEDS];
    const unsigned seed = seed_of_run(_i);
    struct prvcut_search found;
    struct made m;
    double per;

    make(&m, p, seed);
    search_made(&found, &m);
    ck_assert_msg(found.loop.found && found.by_calls, "seed %u", seed);
    per = (double)m.count / found.loop.iterations;
    ck_assert_msg(fabs(per / (double)p->told - 1) < 0.03, "seed %u: %.2f bursts", seed, per);
    ck_assert_msg(found.confidence <= p->most, "seed %u: sure %.2f", seed, found.confidence);
    ck_assert_msg(found.confidence >= p->most - 0.15, "seed %u: sure %.2f", seed, found.confidence);
    ck_assert_double_eq(found.confidence, found.verdict.confidence);
    prvcut_search_fini(&found);
    made_fini(&m);
}
END_TEST

/* What one thread lacks at the beginning moves its iterations, not their places. */
START_TEST(test_equal_calls_of_threads_that_begin_apart)
{
    const unsigned seed = seed_of_run(_i);
    struct prvcut_search found;
    struct made m;

    make(&m, &programs[6], seed);
    m.sequence[1].at++;
    m.sequence[1].count--;
    search_made(&found, &m);
    ck_assert_msg(found.loop.found && found.calls.followers == THREADS, "seed %u: %zu follow", seed,
                  found.calls.followers);
    ck_assert_msg(fabs(found.loop.iterations - ITERATIONS) <= 2, "seed %u: %.0f", seed,
                  found.loop.iterations);
    for (size_t k = 0; k + 1 < found.calls.borders[0]; k += 97)
        ck_assert_msg(fabs((double)found.calls.border[0][k] - (double)found.calls.border[1][k]) <
                          found.loop.period_ns / 4,
                      "seed %u: border %zu", seed, k);
    prvcut_search_fini(&found);
    made_fini(&m);
}
END_TEST

/* A call at the beginning and one at the end are no kinds of the loop. */
START_TEST(test_equal_calls_but_for_a_few)
{
    struct prvcut_call_equal equal;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct made m;

    make(&m, &programs[5], 1);
    for (unsigned i = 0; i < THREADS; i++)
        m.at[i][0].call = m.at[i][m.count - 1].call = 9;
    ck_assert_int_eq(prvcut_call_equal_find(&equal, m.sequence, THREADS, &err), PRVCUT_OK);
    ck_assert(equal.found);
    ck_assert_uint_eq(equal.number, 3);
    prvcut_call_equal_fini(&equal);
    made_fini(&m);
}
END_TEST

/* Two kinds, or sizes, partners, paths: calls tell by themselves. */
START_TEST(test_calls_that_tell_something_are_not_equal)
{
    struct prvcut_call_equal equal;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct made m;

    make(&m, &programs[5], 1);
    for (size_t k = 0; k < m.count; k++) {
        m.at[2][k].call = _i == 0 && k % 5 == 0 ? 9 : 7;
        m.at[2][k].size = _i == 1 ? 8 : 0;
        m.at[2][k].peer = _i == 2 ? 8 : 0;
        m.at[2][k].site = _i == 3 ? 8 : 0;
    }
    ck_assert_int_eq(prvcut_call_equal_find(&equal, m.sequence, THREADS, &err), PRVCUT_OK);
    ck_assert(!equal.found);
    prvcut_call_equal_fini(&equal);
    made_fini(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("call_equal");
    TCase *t = tcase_create("calls");

    tcase_add_loop_test(t, test_equal_calls_are_as_many_as_their_distances_tell, 0,
                        PROGRAMS * SEEDS);
    tcase_add_loop_test(t, test_equal_calls_of_threads_that_begin_apart, 0, SEEDS);
    tcase_add_test(t, test_equal_calls_but_for_a_few);
    tcase_add_loop_test(t, test_calls_that_tell_something_are_not_equal, 0, 4);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
