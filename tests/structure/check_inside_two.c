#include "structure/halves.h"

#include "runner.h"

#include <stdlib.h>

/* A call that every thread makes exactly twice, behind each half of the iterations, may be a loop
   of two around them. */

enum { THREADS = 4, MOST = 100, LENGTH = 100, ONCE = 1, TWICE = 2 };

static const struct halves_case {
    const char *what;
    size_t iterations;
    size_t at[3]; /* behind so many iterations; 0: not at all */
    size_t lacks; /* threads, the last ones, that do not make it */
    double after; /* confidence, 0.9 before */
} halves_cases[] = {
    { "behind each half", 40, { 20, 40 }, 0, 0.5 },
    { "one iteration beside the middle", 41, { 21, 41 }, 0, 0.5 },
    { "before the last iteration", 40, { 20, 39 }, 0, 0.9 },
    { "three times", 60, { 20, 40, 60 }, 0, 0.9 },
    { "once", 40, { 20 }, 0, 0.9 },
    { "a third and all", 60, { 20, 60 }, 0, 0.9 },
    { "long before the end", 60, { 30, 50 }, 0, 0.9 },
    { "not on all threads", 40, { 20, 40 }, 1, 0.9 },
    { "of few", 4, { 2, 4 }, 0, 0.9 },
};

/* Iterations of one call each, and the other call where the case has it. */
static size_t fill(struct prvcut_call *call, const struct halves_case *c, bool makes)
{
    size_t n = 0;

    for (size_t k = 0; k <= c->iterations; k++) {
        for (size_t i = 0; i < 3; i++)
            if (makes && k > 0 && c->at[i] == k)
                call[n++] = (struct prvcut_call){ .time = k * LENGTH - 1, .call = TWICE };
        if (k == c->iterations && c->at[1] < k)
            break;
        if (k < c->iterations)
            call[n++] = (struct prvcut_call){ .time = k * LENGTH, .call = ONCE };
    }
    return n;
}

static void lay(struct prvcut_call_loop *l, size_t iterations)
{
    *l = (struct prvcut_call_loop){ .sequences = THREADS, .followers = THREADS };
    l->borders = calloc(THREADS, sizeof *l->borders);
    l->border = calloc(THREADS, sizeof *l->border);
    l->start = calloc(THREADS, sizeof *l->start);
    ck_assert(l->borders && l->border && l->start);
    for (size_t i = 0; i < THREADS; i++) {
        l->borders[i] = iterations + 1;
        l->border[i] = calloc(iterations + 1, sizeof *l->border[i]);
        ck_assert_ptr_nonnull(l->border[i]);
        for (size_t k = 0; k <= iterations; k++)
            l->border[i][k] = k * LENGTH;
    }
    l->loop = (struct prvcut_loop){ .found = true, .iterations = (double)iterations };
}

START_TEST(test_a_loop_inside_one_of_two_iterations_is_not_sure)
{
    const struct halves_case *c = &halves_cases[_i];
    struct prvcut_call call[THREADS][MOST + 3];
    struct prvcut_call_sequence sequence[THREADS];
    const struct prvcut_search_input in = { .calls = true,
                                            .sequence = sequence,
                                            .sequences = THREADS };
    struct prvcut_search s = { .witness = { { .name = "calls", .calls = true } },
                               .witnesses = 1,
                               .verdict = { .found = true, .confidence = 0.9 },
                               .confidence = 0.9 };
    struct prvcut_error err = { .status = PRVCUT_OK };

    for (uint32_t i = 0; i < THREADS; i++)
        sequence[i] = (struct prvcut_call_sequence){
            .thread = i, .at = call[i], .count = fill(call[i], c, i + c->lacks < THREADS)
        };
    lay(&s.calls, c->iterations);
    ck_assert_int_eq(prvcut_search_halves(&s, &in, &err), PRVCUT_OK);
    ck_assert_msg(s.confidence == c->after, "%s: %.3f", c->what, s.confidence);
    ck_assert_double_eq(s.verdict.confidence, s.confidence);
    prvcut_search_fini(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inside_two");
    TCase *t = tcase_create("inside_two");

    tcase_add_loop_test(t, test_a_loop_inside_one_of_two_iterations_is_not_sure, 0,
                        sizeof halves_cases / sizeof *halves_cases);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
