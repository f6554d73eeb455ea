#include "structure/nested.h"

#include "runner.h"
#include "structure/search.h"

#include <stdio.h>
#include <stdlib.h>

/* What nested loops say of a loop: one more iteration, one around it, or nothing. */

enum { THREADS = 2, EACH = 4, CALLS = 101 * EACH, LENGTH = 100 };

static const struct nested_case {
    const char *what;
    size_t own;           /* iterations of the loop */
    size_t told[THREADS]; /* of the nests; 0: none */
    bool tolerant;
    double cover, before; /* confidence */
    double least, most;   /* the same afterwards */
    size_t iterations;    /* afterwards */
    double lacks;         /* periods, of its span */
    unsigned slow;        /* calls of the first iteration that take so many times as long: */
    double times;
} nested_cases[] = {
    { "as many", 20, { 20, 20 }, false, 0.9, 0.8, 0.9, 0.97, 20, 0, 0, 1 },
    { "as many, sure", 20, { 20, 20 }, false, 0.9, 0.99, 0.99, 0.99, 20, 0, 0, 1 },
    { "as many, faint", 20, { 20, 20 }, false, 0.9, 0.5, 0.5, 0.5, 20, 0, 0, 1 },
    { "one more", 20, { 21, 21 }, false, 0.9, 0.8, 0.9, 0.97, 21, 0, 0, 1 },
    { "one more, of set-up", 20, { 21, 21 }, false, 0.9, 0.8, 0.9, 0.97, 20, 1.5, 0, 1 },
    { "one more, slow", 20, { 21, 21 }, false, 0.9, 0.8, 0.9, 0.97, 21, 0, EACH, 4 },
    { "one more, slow once", 20, { 21, 21 }, false, 0.9, 0.8, 0.9, 0.97, 20, 0, 1, 13 },
    { "one more, too slow", 20, { 21, 21 }, false, 0.9, 0.8, 0.9, 0.97, 20, 0, EACH, 9 },
    { "one less", 20, { 19, 19 }, false, 0.9, 0.8, 0.9, 0.97, 20, 0, 0, 1 },
    { "not the same", 20, { 21, 20 }, false, 0.9, 0.8, 0.8, 0.8, 20, 0, 0, 1 },
    { "one thread tells none", 20, { 21, 0 }, false, 0.9, 0.8, 0.8, 0.8, 20, 0, 0, 1 },
    { "steps of a solver", 100, { 20, 20 }, true, 0.99, 0.47, 0.9, 0.9, 20, 0, 0, 1 },
    { "exact", 100, { 20, 20 }, false, 0.99, 0.8, 0.8, 0.8, 100, 0, 0, 1 },
    { "of few calls", 100, { 20, 20 }, true, 0.9, 0.8, 0.8, 0.8, 100, 0, 0, 1 },
    { "two at a time", 40, { 20, 20 }, true, 0.99, 0.8, 0.8, 0.8, 40, 0, 0, 1 },
    { "an inner one", 20, { 100, 100 }, true, 0.99, 0.8, 0.8, 0.8, 20, 0, 0, 1 },
};

static const struct nested_case *now;

static enum prvcut_status tell(struct prvcut_nested *out, const struct prvcut_call_sequence *s,
                               struct prvcut_error *err)
{
    (void)err;
    *out = (struct prvcut_nested){ .count = now->told[s->thread] };
    if (out->count == 0)
        return PRVCUT_OK;
    out->first = calloc(out->count + 1, sizeof *out->first);
    ck_assert_ptr_nonnull(out->first);
    for (size_t i = 0; i <= out->count; i++)
        out->first[i] = (uint32_t)(i * EACH);
    out->tolerant = now->tolerant;
    out->cover = now->cover;
    return PRVCUT_OK;
}

static void lay(struct prvcut_call_loop *l, size_t iterations)
{
    *l = (struct prvcut_call_loop){ .sequences = THREADS, .followers = THREADS };
    l->borders = calloc(THREADS, sizeof *l->borders);
    l->border = calloc(THREADS, sizeof *l->border);
    l->start = calloc(THREADS, sizeof *l->start);
    ck_assert(l->borders && l->border && l->start);
    for (size_t i = 0; i < THREADS; i++)
        l->borders[i] = iterations + 1;
    l->loop = (struct prvcut_loop){
        .found = true, .iterations = (double)iterations, .period_ns = EACH * LENGTH, .strength = 0.9
    };
    l->loop.span.end = (uint64_t)(((double)iterations - now->lacks) * EACH * LENGTH);
}

START_TEST(test_nested_loops_are_held_against_what_was_found)
{
    static struct prvcut_call call[CALLS];
    const struct prvcut_call_sequence sequence[THREADS] = {
        { .thread = 0, .at = call, .count = CALLS }, { .thread = 1, .at = call, .count = CALLS }
    };
    const struct prvcut_search_input in = { .span = { 0, CALLS * LENGTH },
                                            .calls = true,
                                            .sequence = sequence,
                                            .sequences = THREADS,
                                            .nested = tell };
    struct prvcut_search s = { .witness = { { .name = "calls", .calls = true } },
                               .witnesses = 1,
                               .verdict = { .found = true } };
    struct prvcut_error err = { .status = PRVCUT_OK };

    now = &nested_cases[_i];
    for (size_t i = 1; i < CALLS; i++)
        call[i].time = call[i - 1].time + (uint64_t)(i <= now->slow ? now->times * LENGTH : LENGTH);
    lay(&s.calls, now->own);
    s.loop = s.witness[0].loop = s.calls.loop;
    s.confidence = s.verdict.confidence = now->before;
    ck_assert_int_eq(prvcut_search_nested(&s, &in, &err), PRVCUT_OK);
    printf("%-24s%4zu of %zu and %zu: %4.0f, %.3f -> %.3f\n", now->what, now->own, now->told[0],
           now->told[1], s.loop.iterations, now->before, s.confidence);
    ck_assert_double_eq(s.loop.iterations, (double)now->iterations);
    ck_assert_double_eq(s.calls.loop.iterations, (double)now->iterations);
    ck_assert_double_ge(s.confidence, now->least);
    ck_assert_double_le(s.confidence, now->most);
    ck_assert_double_eq(s.confidence, s.verdict.confidence);
    prvcut_search_fini(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nested");
    TCase *t = tcase_create("nested");

    tcase_add_loop_test(t, test_nested_loops_are_held_against_what_was_found, 0,
                        sizeof nested_cases / sizeof *nested_cases);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
