/* From where on a loop is the outermost one, an alphabet the better one, a length one of a peak:
   cases at either side of each limit. */
#include "analysis/patterns/choose.h"
#include "analysis/patterns/peaks.h"
#include "tests/support/runner.h"

#include <stdlib.h>

static struct prvcut_error error;

/* A thread's calls: so many alone, each another one, a loop, so many alone again. */
struct made {
    uint32_t before, count, body, behind;
    uint64_t length; /* ns of a call in the loop; others take 100 */
    uint32_t again;  /* iterations of the same body once more, behind a call of its own */
};

static struct pat_fit fit_of(const struct made *m)
{
    struct pat_call call[1000];
    uint32_t row[1000];
    struct pat_thread t = { .call = call };
    struct pat_nest nest;
    struct pat_fit f;
    uint64_t now = 0;

    for (uint32_t i = 0; i < m->before; i++)
        row[t.calls++] = 1000 + i;
    for (uint32_t i = 0; i < m->count * m->body; i++)
        row[t.calls++] = i % m->body;
    for (uint32_t i = 0; i < m->behind; i++)
        row[t.calls++] = 2000 + i;
    for (uint32_t i = 0; i < m->again * m->body; i++)
        row[t.calls++] = i % m->body;
    for (size_t i = 0; i < t.calls; i++) {
        call[i].begin = now;
        now += row[i] < 1000 ? m->length : 100;
        call[i].end = now;
    }
    pat_nest_init(&nest);
    ck_assert_int_eq(pat_nest_make(&nest, row, t.calls, &error), PRVCUT_OK);
    f = pat_fit_of(&nest, &t);
    pat_nest_fini(&nest);
    return f;
}

START_TEST(test_limits_of_an_outermost_loop)
{
    static const struct {
        struct made m;
        bool outermost;
    } cases[] = {
        /* Half of the calls, of few iterations. */
        { { 25, 4, 25, 75, 100, 0 }, true },
        { { 25, 4, 25, 76, 100, 0 }, false },
        { { 25, 3, 100, 275, 100, 0 }, true },
        { { 25, 3, 100, 276, 100, 0 }, false },
        { { 25, 2, 200, 25, 100, 0 }, false }, /* two are no loop */
        /* A quarter, where there are five and they take half of the time. */
        { { 100, 5, 20, 200, 300, 0 }, true },
        { { 100, 5, 20, 201, 400, 0 }, false },
        { { 100, 4, 25, 200, 300, 0 }, false },
        { { 100, 5, 20, 200, 299, 0 }, false },
        /* A fiftieth of the time. */
        { { 49, 5, 20, 49, 2, 0 }, true },
        { { 50, 5, 20, 49, 2, 0 }, false },
        /* The same body elsewhere, with a quarter as many calls. */
        { { 1, 13, 4, 1, 100, 3 }, true },
        { { 1, 12, 4, 1, 100, 3 }, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pat_fit f = fit_of(&cases[i].m);

        ck_assert_msg(f.outermost == cases[i].outermost,
                      "case %zu: cover %.4f, time %.4f, %u calls elsewhere", i, f.cover, f.time,
                      (unsigned)f.loop.others);
    }
}
END_TEST

/* 100 rounds of one call, in which partners alternate for so many of them: with partners the
   iteration is twice as long, and better as long as it covers three quarters of what the call
   alone does. */
START_TEST(test_limit_of_a_better_alphabet)
{
    for (uint32_t alternate = 74; alternate <= 76; alternate += 2) {
        struct pat_symbol symbol[64];
        struct pat_call call[100];
        struct pat_thread t = { .call = call, .calls = 100, .symbol = symbol, .symbols = 64 };
        enum pat_alphabet a;

        for (uint32_t i = 0; i < 64; i++)
            symbol[i] = (struct pat_symbol){ .of = { [PAT_PARTNER] = i } };
        for (uint32_t i = 0; i < PAT_ALPHABETS; i++)
            t.different[i] = i == PAT_PARTNER ? 64 : 1;
        for (uint32_t i = 0; i < 100; i++)
            call[i] = (struct pat_call){ .begin = 10 * i,
                                         .end = 10 * i + 10,
                                         .symbol = i < alternate ? i % 2 : i - alternate + 2 };
        ck_assert_int_eq(pat_choose(&t, PAT_NONE, &a, NULL, &error), PRVCUT_OK);
        ck_assert_msg(a == (alternate > 75 ? PAT_PARTNER : PAT_CALL), "%u: %d", (unsigned)alternate,
                      (int)a);
    }
}
END_TEST

/* A peak reaches from 0.9 to 1.1 of its middle. */
START_TEST(test_limits_of_a_peak)
{
    static const uint64_t beside[] = { 899, 900, 1100, 1101 };

    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        const uint64_t length[] = { 1000, 1000, 1000, 1000, beside[i] };
        struct pat_peaks p;

        ck_assert_int_eq(pat_peaks_find(&p, length, 5, &error), PRVCUT_OK);
        ck_assert_uint_eq(p.count, 1);
        ck_assert_msg(p.outside == (i == 0 || i == 3), "%u", (unsigned)beside[i]);
        pat_peaks_fini(&p);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *c = tcase_create("limits");

    tcase_add_test(c, test_limits_of_an_outermost_loop);
    tcase_add_test(c, test_limit_of_a_better_alphabet);
    tcase_add_test(c, test_limits_of_a_peak);
    suite_add_tcase(s, c);
    return run_suite(s);
}
