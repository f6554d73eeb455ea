#include "base/paged.h"

#include "runner.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* An array of which most lies on disk is as one in memory. */

struct record {
    uint64_t number, check, filler;
};

static struct prvcut_paged *paged_of(const struct prvcut_paged_options *o)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_paged *p;

    ck_assert_int_eq(prvcut_paged_new(&p, o, &err), PRVCUT_OK);
    return p;
}

/* 24 bytes, of which pages hold 512: with four pages in memory, 20,000 take 40. */
#define RECORDS 20000u

START_TEST(test_paged_holds_what_an_array_holds)
{
    static const size_t memory[] = { 1, 100000, 0 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct record *plain = calloc(RECORDS, sizeof *plain);
    const struct prvcut_paged_options o = { .size = sizeof *plain,
                                            .memory = memory[_i],
                                            .what = "records" };
    struct prvcut_paged *p = paged_of(&o);
    uint64_t state = 5, changes = 0;
    size_t count = 0;

    ck_assert_ptr_nonnull(plain);
    for (size_t step = 0; step < 8 * (size_t)RECORDS; step++) {
        const uint64_t random = scratch_random(&state);

        if (count < RECORDS && (count == 0 || random % 4 == 0)) {
            plain[count] = (struct record){ count, random, ~random };
            ck_assert_int_eq(prvcut_paged_add(p, &plain[count++], &err), PRVCUT_OK);
        } else {
            const size_t i = (random >> 8) % count;

            if (random % 4 == 1) {
                plain[i].check = random;
                ((struct record *)prvcut_paged_change(p, i))->check = random;
                changes++;
            }
            ck_assert_mem_eq(prvcut_paged_at(p, i), &plain[i], sizeof *plain);
        }
    }
    ck_assert_uint_eq(prvcut_paged_count(p), count);
    ck_assert_uint_gt(changes, RECORDS);
    for (size_t i = 0; i < count; i++)
        ck_assert_mem_eq(prvcut_paged_at(p, i), &plain[i], sizeof *plain);
    ck_assert_int_eq(prvcut_paged_status(p, &err), PRVCUT_OK);
    prvcut_paged_free(p);
    free(plain);
}
END_TEST

/* As large as a record may be, and one byte. */
START_TEST(test_paged_takes_records_of_any_size)
{
    static const size_t size[] = { 1, 7, 40, 4096 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    const struct prvcut_paged_options o = { .size = size[_i], .memory = 1, .what = "records" };
    struct prvcut_paged *p = paged_of(&o);
    const size_t count = (size_t)400000 / size[_i];
    char record[4096];

    for (size_t i = 0; i < count; i++) {
        memset(record, (int)(i * 31 % 251), sizeof record);
        ck_assert_int_eq(prvcut_paged_add(p, record, &err), PRVCUT_OK);
    }
    for (size_t i = count; i-- > 0;) {
        memset(record, (int)(i * 31 % 251), sizeof record);
        ck_assert_mem_eq(prvcut_paged_at(p, i), record, size[_i]);
    }
    prvcut_paged_free(p);
}
END_TEST

/* Where no file can be made, what fits is kept, and the rest fails for good. */
START_TEST(test_paged_fails_where_no_file_can_be_made)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    const struct prvcut_paged_options o = {
        .size = 8, .memory = 1, .scratch = "/nowhere/at/all", .what = "records"
    };
    struct prvcut_paged *p = paged_of(&o);
    enum prvcut_status st = PRVCUT_OK;
    uint64_t i = 0;

    for (; i < 100000 && st == PRVCUT_OK; i++)
        st = prvcut_paged_add(p, &i, &err);
    ck_assert_int_eq(st, PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/at/all"));
    ck_assert_uint_eq(prvcut_paged_count(p), i - 1);
    ck_assert_uint_ge(i, 4 * 2048);
    prvcut_paged_free(p);
    prvcut_paged_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("paged");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, test_paged_holds_what_an_array_holds, 0, 3);
    tcase_add_loop_test(all, test_paged_takes_records_of_any_size, 0, 4);
    tcase_add_test(all, test_paged_fails_where_no_file_can_be_made);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
