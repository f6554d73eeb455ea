#include "runner.h"

#include "model/pending.h"
#include "tests/base/scratch.h"

START_TEST(test_take_gives_earliest_first_and_equals_in_order)
{
    struct prvcut_pending p = { 0 };
    struct prvcut_error err = { 0 };
    uint64_t state = 3, time = 0, number = 0, taken = 0;

    /* Adding and taking in turn, never below what has been taken. */
    for (uint64_t i = 0; i < 20000; i++) {
        const struct prvcut_pending_end end = { .time = time + scratch_random(&state) % 50,
                                                .number = i };

        ck_assert_int_eq(prvcut_pending_add(&p, &end, &err), PRVCUT_OK);
        while (p.count > 0 && (i % 3 == 0 || i == 19999)) {
            const struct prvcut_pending_end first = *prvcut_pending_first(&p);
            const struct prvcut_pending_end got = prvcut_pending_take(&p);

            ck_assert_uint_eq(got.number, first.number);
            ck_assert(got.time > time || (got.time == time && (got.number > number || taken == 0)));
            time = got.time;
            number = got.number;
            taken++;
            if (i != 19999 && taken % 4 == 0)
                break;
        }
        /* What comes later has a higher number: equal times keep their order. */
    }
    ck_assert_uint_eq(taken, 20000);
    ck_assert_ptr_null(prvcut_pending_first(&p));
    prvcut_pending_fini(&p);
}
END_TEST

static Suite *pending_suite(void)
{
    Suite *suite = suite_create("pending");
    TCase *tests = tcase_create("pending");

    tcase_add_test(tests, test_take_gives_earliest_first_and_equals_in_order);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(pending_suite());
}
