#include "base/buffer.h"
#include "base/checked.h"
#include "tests/support/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_append_buffer_keeps_all)
{
    struct prvcut_buffer b = { 0 };

    for (unsigned i = 0; i < 10000; i++) {
        const unsigned char byte = (unsigned char)(i * 31);

        ck_assert_int_eq(prvcut_buffer_append(&b, &byte, 1, NULL), PRVCUT_OK);
    }
    ck_assert_uint_eq(b.count, 10000);
    ck_assert_uint_ge(b.room, b.count);
    for (unsigned i = 0; i < 10000; i++)
        ck_assert_uint_eq((unsigned char)b.at[i], (unsigned char)(i * 31));
    prvcut_buffer_fini(&b);
    ck_assert_ptr_null(b.at);
    ck_assert_uint_eq(b.count + b.room, 0);
    ck_assert_int_eq(prvcut_buffer_append(&b, "again", 5, NULL), PRVCUT_OK);
    prvcut_buffer_fini(&b);
}
END_TEST

/* In rooms that held something else before, too. */
START_TEST(test_append_buffer_ends_text)
{
    for (size_t length = 1; length < 200; length++) {
        struct prvcut_buffer b = { 0 };
        char *dirty = malloc(256);

        ck_assert_ptr_nonnull(dirty);
        memset(dirty, 'x', 256);
        free(dirty);
        for (size_t i = 0; i < length; i++) {
            ck_assert_int_eq(prvcut_buffer_append(&b, "a", 1, NULL), PRVCUT_OK);
            ck_assert_uint_eq(strlen(b.at), i + 1);
        }
        prvcut_buffer_fini(&b);
    }
}
END_TEST

START_TEST(test_append_buffer_accepts_nothing)
{
    struct prvcut_buffer b = { 0 };

    ck_assert_int_eq(prvcut_buffer_append(&b, NULL, 0, NULL), PRVCUT_OK);
    ck_assert_uint_eq(b.count, 0);
    prvcut_buffer_fini(&b);
}
END_TEST

START_TEST(test_reserve_buffer_refuses_overflow)
{
    struct prvcut_buffer b = { 0 };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_buffer_append(&b, "abc", 3, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_buffer_reserve(&b, SIZE_MAX - 1, &err), PRVCUT_ENOMEM);
    ck_assert_str_ne(err.text, "");
    ck_assert_mem_eq(b.at, "abc", 3);
    prvcut_buffer_fini(&b);
}
END_TEST

START_TEST(test_reserve_buffer_gives_room)
{
    struct prvcut_buffer b = { 0 };

    for (size_t more = 0; more < 5000; more += 7) {
        ck_assert_int_eq(prvcut_buffer_reserve(&b, more, NULL), PRVCUT_OK);
        ck_assert_uint_ge(b.room - b.count, more);
        if (more > 0)
            memset(b.at + b.count, 'x', more);
        b.count += more / 2;
    }
    prvcut_buffer_fini(&b);
}
END_TEST

START_TEST(test_printf_buffer_appends_text)
{
    struct prvcut_buffer b = { 0 };
    char expected[20000];
    size_t used = 0;

    for (int i = 0; i < 1500; i++) {
        ck_assert_int_eq(prvcut_buffer_printf(&b, NULL, "%d:%s;", i, "ab"), PRVCUT_OK);
        used += (size_t)sprintf(expected + used, "%d:%s;", i, "ab");
    }
    ck_assert_uint_eq(b.count, used);
    ck_assert_mem_eq(b.at, expected, used);
    prvcut_buffer_fini(&b);
}
END_TEST

START_TEST(test_grow_array_doubles)
{
    uint64_t *at = NULL;
    size_t room = 0, moves = 0;

    for (size_t i = 0; i < 100000; i++) {
        const size_t before = room;

        ck_assert_int_eq(prvcut_grow((void **)&at, &room, i + 1, sizeof *at, NULL), PRVCUT_OK);
        ck_assert_uint_gt(room, i);
        at[i] = i;
        moves += room != before;
    }
    ck_assert_uint_lt(moves, 20);
    for (size_t i = 0; i < 100000; i++)
        ck_assert_uint_eq(at[i], i);
    free(at);
}
END_TEST

START_TEST(test_grow_array_keeps_enough)
{
    void *at = NULL;
    size_t room = 0;

    ck_assert_int_eq(prvcut_grow(&at, &room, 0, 8, NULL), PRVCUT_OK);
    ck_assert_ptr_null(at);
    ck_assert_int_eq(prvcut_grow(&at, &room, 3, 1000, NULL), PRVCUT_OK);
    ck_assert_uint_eq(room, 3);
    ck_assert_int_eq(prvcut_grow(&at, &room, 2, 1000, NULL), PRVCUT_OK);
    ck_assert_uint_eq(room, 3);
    free(at);
}
END_TEST

START_TEST(test_grow_array_refuses_overflow)
{
    void *at = NULL, *before;
    size_t room = 0;
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_grow(&at, &room, 10, 16, NULL), PRVCUT_OK);
    before = at;
    ck_assert_int_eq(prvcut_grow(&at, &room, SIZE_MAX / 8, 16, &err), PRVCUT_ENOMEM);
    ck_assert_int_eq(err.status, PRVCUT_ENOMEM);
    ck_assert_ptr_eq(at, before);
    ck_assert_uint_eq(room, 16);
    free(at);
}
END_TEST

START_TEST(test_add_sizes_tells_overflow)
{
    size_t size;
    uint64_t wide;

    ck_assert(prvcut_ckd_add_size(&size, SIZE_MAX - 1, 1) && size == SIZE_MAX);
    ck_assert(!prvcut_ckd_add_size(&size, SIZE_MAX, 1));
    ck_assert(prvcut_ckd_mul_size(&size, SIZE_MAX / 3, 3) && size == SIZE_MAX / 3 * 3);
    ck_assert(!prvcut_ckd_mul_size(&size, SIZE_MAX / 2 + 1, 2));
    ck_assert(prvcut_ckd_add_u64(&wide, UINT64_MAX, 0) && wide == UINT64_MAX);
    ck_assert(!prvcut_ckd_add_u64(&wide, UINT64_MAX, 1));
    ck_assert(prvcut_ckd_mul_u64(&wide, UINT64_MAX, 1) && wide == UINT64_MAX);
    ck_assert(!prvcut_ckd_mul_u64(&wide, UINT64_C(1) << 32, UINT64_C(1) << 32));
}
END_TEST

static Suite *buffer_suite(void)
{
    Suite *suite = suite_create("buffer");
    TCase *tests = tcase_create("buffer");

    tcase_add_test(tests, test_append_buffer_keeps_all);
    tcase_add_test(tests, test_append_buffer_ends_text);
    tcase_add_test(tests, test_append_buffer_accepts_nothing);
    tcase_add_test(tests, test_reserve_buffer_refuses_overflow);
    tcase_add_test(tests, test_reserve_buffer_gives_room);
    tcase_add_test(tests, test_printf_buffer_appends_text);
    tcase_add_test(tests, test_grow_array_doubles);
    tcase_add_test(tests, test_grow_array_keeps_enough);
    tcase_add_test(tests, test_grow_array_refuses_overflow);
    tcase_add_test(tests, test_add_sizes_tells_overflow);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(buffer_suite());
}
