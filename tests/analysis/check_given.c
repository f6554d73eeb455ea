/* Iterations that the structure tells to nests that show none, and whose loop is believed. */
#include "analysis/patterns/ends.h"
#include "analysis/patterns/witness.h"
#include "tests/support/runner.h"

static struct prvcut_error error;

/* Tolerant loops stand where the structure, or most threads, confirm them. */
START_TEST(test_witnesses_say_whose_loop_it_is)
{
    static const struct {
        struct pat_witnesses w; /* heard, tolerant, agree, coarser, inner, given */
        bool asked, sure;
        enum pat_source said;
    } cases[] = {
        { { 3, 1, 0, 0, 0, 0 }, false, false, PAT_TOLERANT }, /* nobody could be asked */
        { { 3, 0, 0, 0, 0, 0 }, false, false, PAT_EXACT },    /* none */
        { { 3, 3, 3, 0, 0, 3 }, true, true, PAT_TOLERANT },   /* both see it */
        { { 3, 1, 1, 0, 0, 3 }, true, true, PAT_TOLERANT },   /* one thread, and the structure */
        { { 3, 3, 0, 0, 0, 3 }, true, true, PAT_STRUCTURE },  /* another loop */
        { { 3, 0, 0, 0, 0, 3 }, true, true, PAT_STRUCTURE },  /* nothing repeats */
        { { 3, 3, 0, 0, 0, 3 }, true, false, PAT_TOLERANT },  /* the structure is not sure */
        { { 3, 3, 0, 3, 0, 3 },
          true,
          false,
          PAT_STRUCTURE },                                /* several of its iterations at a time */
        { { 3, 1, 0, 0, 0, 0 }, true, false, PAT_EXACT }, /* chance on one thread */
        { { 3, 3, 0, 0, 0, 0 }, true, false, PAT_TOLERANT }, /* all threads, and no structure */
        { { 3, 3, 0, 0, 3, 3 }, true, true, PAT_TOLERANT },  /* the structure's is inside */
        { { 3, 0, 0, 0, 3, 3 }, true, true, PAT_EXACT },     /* so it is, and no other is seen */
        { { 3, 0, 0, 0, 0, 1 }, true, true, PAT_EXACT },     /* most threads do something else */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(pat_witnesses_say(&cases[i].w, cases[i].asked, cases[i].sure) ==
                          cases[i].said,
                      "case %zu", i);
}
END_TEST

/* A strong exact loop is not doubted, a weak one where other iterations hold more. */
START_TEST(test_weak_loops_are_doubted)
{
    struct pat_call call[8];
    struct prvcut_window window[4];
    const struct pat_given given = { .window = window, .count = 4, .sure = true };
    const struct pat_thread t = { .call = call, .calls = 8 };
    struct pat_fit fit = { .loop = { .count = 9 }, .cover = 0.69, .outermost = true };
    bool more;

    for (uint64_t i = 0; i < 8; i++)
        call[i] = (struct pat_call){ .begin = 10 * i, .end = 10 * i + 5 };
    for (uint64_t i = 0; i < 4; i++)
        window[i] = (struct prvcut_window){ .from = 20 * i, .to = 20 * i + 20 };
    ck_assert(!pat_fit_is_strong(&fit));
    ck_assert_int_eq(pat_given_holds_more(&more, &fit, &given, &t, &error), PRVCUT_OK);
    ck_assert(more);
    fit.loop.count = 5;
    ck_assert_int_eq(pat_given_holds_more(&more, &fit, &given, &t, &error), PRVCUT_OK);
    ck_assert(!more);
    fit = (struct pat_fit){ .loop = { .count = 9 }, .cover = 0.9, .outermost = true };
    ck_assert(pat_fit_is_strong(&fit));
    ck_assert_int_eq(pat_given_holds_more(&more, &fit, &given, &t, &error), PRVCUT_OK);
    ck_assert(!more);
}
END_TEST

/* Iterations that the structure tells before and behind a loop are its ends, if they follow it. */
START_TEST(test_ends_of_a_loop)
{
    struct pat_call call[12];
    struct prvcut_window window[5];
    uint64_t border[] = { 3, 5, 7, 9 };
    struct pat_given given = { .window = window, .count = 5, .sure = true };
    const struct pat_thread t = { .call = call, .calls = 12 };
    const struct pat_tolerant loop = { .border = border, .count = 3 };
    const struct {
        uint64_t border[4]; /* of the loop */
        bool sure;
        uint64_t first, count, end; /* of all */
    } runs[] = {
        { { 3, 5, 7, 9 }, true, 1, 5, 11 }, /* the same borders */
        { { 4, 5, 7, 9 }, true, 1, 5, 11 }, /* one beside */
        { { 1, 3, 5, 7 }, true, 1, 5, 11 }, /* nothing before */
        { { 5, 7, 9, 11 }, true, 1, 5, 11 },
        { { 3, 5, 7, 9 }, false, 3, 3, 9 },
        { { 3, 4, 5, 7 }, true, 3, 3, 7 }, /* one begins inside of another */
        { { 1, 5, 7, 9 }, true, 1, 3, 9 }, /* two of them in one */
        { { 5, 7, 9, 12 }, true, 1, 5, 12 },
        { { 7, 9, 11, 12 }, true, 7, 3, 12 }, /* beyond their end */
    };

    for (uint64_t i = 0; i < 12; i++)
        call[i] = (struct pat_call){ .begin = 10 * i, .end = 10 * i + 5 };
    for (uint64_t i = 0; i < 5; i++)
        window[i] = (struct prvcut_window){ .from = 10 + 20 * i, .to = 30 + 20 * i };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct pat_ends e;

        memcpy(border, runs[i].border, sizeof border);
        given.sure = runs[i].sure;
        ck_assert_int_eq(pat_ends_make(&e, &loop, &given, &t, &error), PRVCUT_OK);
        ck_assert_msg(e.count == runs[i].count, "%zu: %u", i, (unsigned)e.count);
        ck_assert_msg(e.border[0] == runs[i].first && e.border[e.count] == runs[i].end, "%zu", i);
        for (uint64_t k = 0; k < e.count; k++)
            ck_assert_uint_lt(e.border[k], e.border[k + 1]);
        pat_ends_fini(&e);
    }
}
END_TEST

/* A thread's own part of iterations that are known by their times. */
START_TEST(test_iterations_that_are_given)
{
    static const uint32_t symbol[] = { 9, 1, 2, 1, 1, 2, 1, 2, 1, 9 };
    struct pat_call call[10];
    struct prvcut_window window[4];
    uint8_t stranger[1] = { 0 };
    struct pat_given given = { .window = window, .count = 4, .stranger = stranger, .sure = true };
    struct pat_thread t = { .call = call, .calls = 10 };
    struct pat_given_loop l;
    uint64_t usual, like;

    for (uint64_t i = 0; i < 10; i++)
        call[i] = (struct pat_call){ .begin = 10 * i, .end = 10 * i + 5 };
    /* 1 2 | 1 | 1 2 | 1 2; after them 1 9 */
    window[0] = (struct prvcut_window){ .from = 8, .to = 28 };
    window[1] = (struct prvcut_window){ .from = 28, .to = 40 };
    window[2] = (struct prvcut_window){ .from = 40, .to = 60 };
    window[3] = (struct prvcut_window){ .from = 60, .to = 80 };
    ck_assert_int_eq(pat_given_loop_make(&l, &given, &t, &error), PRVCUT_OK);
    ck_assert_uint_eq(l.count, 4);
    ck_assert_uint_eq(l.calls, 7);
    ck_assert_uint_eq(l.first[0], 1);
    ck_assert_uint_eq(l.end[3], 8);
    ck_assert_int_eq(pat_given_loop_usual(&l, symbol, &usual, &like, &error), PRVCUT_OK);
    ck_assert_uint_eq(usual, 0);
    ck_assert_uint_eq(like, 3);
    pat_given_loop_fini(&l);
    /* Not of a thread that does something else, nor of one without calls in them. */
    stranger[0] = 1;
    ck_assert_int_eq(pat_given_loop_make(&l, &given, &t, &error), PRVCUT_OK);
    ck_assert_uint_eq(l.count, 0);
    pat_given_loop_fini(&l);
    stranger[0] = 0;
    window[2].to = 40;
    ck_assert_int_eq(pat_given_loop_make(&l, &given, &t, &error), PRVCUT_OK);
    ck_assert_uint_eq(l.count, 0);
    pat_given_loop_fini(&l);
}
END_TEST

/* Threads are in step that make the same collectives in nearly each iteration, whatever else. */
START_TEST(test_threads_in_step)
{
    /* A send, two collectives. */
    struct pat_symbol symbol[] = { { .type = 1, .value = 1, .role = PRVCUT_ROLE_P2P },
                                   { .type = 2, .value = 1, .role = PRVCUT_ROLE_COLLECTIVE },
                                   { .type = 2, .value = 2, .role = PRVCUT_ROLE_COLLECTIVE } };
    static const struct {
        uint32_t symbol[2][4]; /* by thread: two iterations of two calls */
        bool step;
    } cases[] = {
        { { { 0, 1, 0, 2 }, { 1, 0, 2, 0 } }, true },
        { { { 1, 2, 1, 2 }, { 2, 1, 1, 2 } }, true },  /* the order there says nothing */
        { { { 0, 1, 0, 2 }, { 0, 1, 0, 1 } }, false }, /* others */
        { { { 0, 1, 0, 2 }, { 0, 1, 0, 0 } }, false },
        { { { 0, 1, 0, 1 }, { 1, 1, 0, 0 } }, false }, /* at other times */
        { { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }, false }, /* none say nothing */
    };
    struct prvcut_window window[2] = { { .from = 0, .to = 20 }, { .from = 20, .to = 40 } };
    const struct pat_given given = { .window = window, .count = 2 };
    uint64_t nine[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 2 }, ten[10];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t mark[2][2];

        for (uint32_t k = 0; k < 2; k++) {
            struct pat_call call[4];
            const struct pat_thread t = {
                .thread = k, .call = call, .calls = 4, .symbol = symbol, .symbols = 3
            };

            for (uint64_t c = 0; c < 4; c++)
                call[c] = (struct pat_call){ .begin = 10 * c,
                                             .end = 10 * c + 5,
                                             .symbol = cases[i].symbol[k][c] };
            pat_given_mark(&given, &t, mark[k]);
        }
        ck_assert_msg(pat_given_in_step(mark[0], mark[1], 2) == cases[i].step, "case %zu", i);
    }
    /* One in ten. */
    for (size_t i = 0; i < 10; i++)
        ten[i] = 1;
    ck_assert(pat_given_in_step(nine, ten, 10));
    ck_assert(!pat_given_in_step(nine + 1, ten, 9));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("given");
    TCase *c = tcase_create("given");

    tcase_add_test(c, test_witnesses_say_whose_loop_it_is);
    tcase_add_test(c, test_iterations_that_are_given);
    tcase_add_test(c, test_weak_loops_are_doubted);
    tcase_add_test(c, test_ends_of_a_loop);
    tcase_add_test(c, test_threads_in_step);
    suite_add_tcase(s, c);
    return run_suite(s);
}
