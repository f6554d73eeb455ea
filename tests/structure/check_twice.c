/* A run that goes exactly twice through something around the loop that was found. */
#include "runner.h"
#include "structure/twice.h"

#include <stdlib.h>

enum { THREADS = 3, CALLS_MOST = 1000, LENGTH = 100, INNER = 1, SECOND = 2, OTHER = 10 };

static const struct twice_case {
    const char *what;
    /* Letters are calls; '*' is the first run of the loop inside, '+' the second. */
    const char *run;
    size_t first, second; /* iterations of these */
    size_t lacks;         /* threads, the last ones, that go once only */
    size_t period;        /* calls of the two iterations told, in the mean; 0: none are told */
} twice_cases[] = {
    { "closed", "sa*gr+grf", 20, 20, 0, 42 },
    { "opened", "sab*ab+fe", 20, 20, 0, 42 },
    { "opened and closed", "sb*gb+gf", 30, 30, 0, 62 },
    { "to the very end", "sb*gb+g", 30, 30, 0, 62 },
    { "unlike numbers, by three calls", "sbc*gbc+gf", 30, 20, 0, 53 },
    { "unlike numbers, by one call", "s*g+gf", 30, 20, 0, 0 },
    { "something else between", "sb*gxb+gf", 30, 30, 0, 0 },
    { "something else behind", "s*gr+gf", 30, 30, 0, 0 },
    { "once", "sb*gf", 60, 0, 0, 0 },
    { "not on all threads", "sb*gb+gf", 30, 30, 1, 0 },
};

/* The calls of one thread; begin: of each iteration of the loop inside. */
static size_t fill(struct prvcut_call *call, const struct twice_case *c, bool twice,
                   uint64_t *begin, size_t *begun)
{
    size_t n = 0;

    *begun = 0;
    for (const char *at = c->run; *at; at++) {
        const size_t times = *at == '*' ? c->first : *at == '+' ? c->second : 0;

        for (size_t i = 0; i < 2 * times; i++, n++) {
            if (i % 2 == 0)
                begin[(*begun)++] = n * LENGTH;
            call[n] =
                (struct prvcut_call){ .time = n * LENGTH, .call = i % 2 == 0 ? INNER : SECOND };
        }
        if (times == 0 && (*at >= 'a' && *at <= 'z') && (twice || at < c->run + 3)) {
            call[n] = (struct prvcut_call){ .time = n * LENGTH,
                                            .call = OTHER,
                                            .size = (uint32_t)(*at - 'a') };
            n++;
        }
    }
    return n;
}

static void lay(struct prvcut_call_loop *l, size_t i, const uint64_t *begin, size_t begun)
{
    l->borders[i] = begun;
    l->border[i] = calloc(begun, sizeof *l->border[i]);
    ck_assert_ptr_nonnull(l->border[i]);
    for (size_t k = 0; k < begun; k++)
        l->border[i][k] = begin[k];
    l->loop = (struct prvcut_loop){ .found = true,
                                    .period_ns = 2 * LENGTH,
                                    .median_ns = 2 * LENGTH,
                                    .iterations = (double)begun - 1,
                                    .span = { begin[0], begin[begun - 1] },
                                    .strength = 0.9 };
}

START_TEST(test_two_iterations_are_told_where_all_between_is_explained)
{
    const struct twice_case *c = &twice_cases[_i];
    static struct prvcut_call call[THREADS][CALLS_MOST];
    static uint64_t begin[CALLS_MOST];
    struct prvcut_call_sequence sequence[THREADS];
    const struct prvcut_search_input in = { .calls = true,
                                            .sequence = sequence,
                                            .sequences = THREADS,
                                            .span = { 0, CALLS_MOST * LENGTH } };
    struct prvcut_search s = { .witness = { { .name = "calls", .calls = true } },
                               .witnesses = 1,
                               .verdict = { .found = true, .confidence = 0.9 },
                               .confidence = 0.9 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    double inner;

    s.calls = (struct prvcut_call_loop){ .sequences = THREADS, .followers = THREADS };
    s.calls.borders = calloc(THREADS, sizeof *s.calls.borders);
    s.calls.border = calloc(THREADS, sizeof *s.calls.border);
    s.calls.start = calloc(THREADS, sizeof *s.calls.start);
    ck_assert(s.calls.borders && s.calls.border && s.calls.start);
    for (uint32_t i = 0; i < THREADS; i++) {
        size_t begun;

        sequence[i] = (struct prvcut_call_sequence){
            .thread = i,
            .at = call[i],
            .count = fill(call[i], c, i + c->lacks < THREADS, begin, &begun),
        };
        lay(&s.calls, i, begin, begun);
    }
    s.loop = s.witness[0].loop = s.calls.loop;
    inner = s.loop.iterations;
    ck_assert_int_eq(prvcut_search_twice(&s, &in, &err), PRVCUT_OK);
    if (c->period > 0) {
        ck_assert_msg(s.loop.iterations == 2, "%s: %.1f", c->what, s.loop.iterations);
        ck_assert_msg(s.loop.period_ns >= (double)(c->period - 1) * LENGTH &&
                          s.loop.period_ns <= (double)c->period * LENGTH,
                      "%s: %.0f", c->what, s.loop.period_ns);
        ck_assert_double_le(s.confidence, 0.5);
    } else {
        ck_assert_msg(s.loop.iterations == inner && s.confidence == 0.9, "%s: %.1f, %.2f", c->what,
                      s.loop.iterations, s.confidence);
    }
    ck_assert_double_eq(s.verdict.confidence, s.confidence);
    prvcut_search_fini(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("twice");
    TCase *t = tcase_create("twice");

    tcase_add_loop_test(t, test_two_iterations_are_told_where_all_between_is_explained, 0,
                        sizeof twice_cases / sizeof *twice_cases);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
