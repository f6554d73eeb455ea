#include "base/memory.h"
#include "base/table.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#include <stdlib.h>
#include <string.h>

#define KEYS 600 /* so few that each is made, found and dropped many times */

struct row {
    uint32_t thread, type;
    uint64_t value;
    uint64_t sum;
};

static struct row row_key(uint64_t draw)
{
    /* Keys that differ in one field only, and in high bits only. */
    return (struct row){ .thread = (uint32_t)(draw % 5),
                         .type = (uint32_t)(draw / 5 % 4) << 30,
                         .value = draw / 20 << 56 };
}

static bool row_same(const struct row *a, const struct row *b)
{
    return a->thread == b->thread && a->type == b->type && a->value == b->value;
}

/* The plainest table there is: a list. */
struct list {
    struct row at[KEYS];
    size_t count;
};

static struct row *list_find(struct list *l, const struct row *key)
{
    for (size_t i = 0; i < l->count; i++)
        if (row_same(&l->at[i], key))
            return &l->at[i];
    return NULL;
}

static void list_make(struct list *l, const struct row *key, uint64_t sum)
{
    struct row *r = list_find(l, key);

    if (!r) {
        r = &l->at[l->count++];
        *r = *key;
    }
    r->sum += sum;
}

static bool list_drop(struct list *l, const struct row *key)
{
    struct row *r = list_find(l, key);

    if (!r)
        return false;
    *r = l->at[--l->count];
    return true;
}

START_TEST(test_use_table_as_a_list)
{
    struct prvcut_table t = PRVCUT_TABLE(struct row, sum, "rows");
    static struct list list;
    uint64_t seed = 11;

    list.count = 0;
    for (unsigned step = 0; step < 100000; step++) {
        const struct row key = row_key(scratch_random(&seed) % KEYS);
        const uint64_t what = scratch_random(&seed);

        /* Long stretches in which more is made than dropped, and the other way round. */
        if (what % 8 < (step / 10000 % 2 == 0 ? 5U : 2U)) {
            struct row *r = prvcut_table_make(&t, &key, NULL);

            ck_assert_ptr_nonnull(r);
            r->sum += what;
            list_make(&list, &key, what);
        } else if (what % 8 < 7) {
            ck_assert_int_eq(prvcut_table_drop(&t, &key), list_drop(&list, &key));
        } else {
            const struct row *a = prvcut_table_find(&t, &key), *b = list_find(&list, &key);

            ck_assert(a ? b && a->sum == b->sum : !b);
        }
        ck_assert_uint_eq(t.count, list.count);
    }
    for (size_t i = 0; i < list.count; i++)
        ck_assert(row_same((const struct row *)t.at + i, &list.at[i]));
    prvcut_table_fini(&t);
}
END_TEST

START_TEST(test_make_items_in_order)
{
    struct prvcut_table t = PRVCUT_TABLE(struct row, sum, "rows");

    for (uint64_t i = 0; i < 100000; i++) {
        const struct row key = { .value = i * UINT64_C(0x100000000) };
        struct row *r = prvcut_table_make(&t, &key, NULL);

        ck_assert_ptr_nonnull(r);
        ck_assert_uint_eq(r->sum, 0);
        r->sum = i;
    }
    for (uint64_t i = 0; i < 100000; i++)
        ck_assert_uint_eq(((const struct row *)t.at)[i].sum, i);
    prvcut_table_fini(&t);
    ck_assert_ptr_null(t.at);
    ck_assert_uint_eq(t.count + t.slots, 0);
}
END_TEST

START_TEST(test_find_in_an_empty_table)
{
    struct prvcut_table t = PRVCUT_TABLE_SET(uint64_t, "numbers");
    const uint64_t key = 7;

    ck_assert_ptr_null(prvcut_table_find(&t, &key));
    ck_assert(!prvcut_table_drop(&t, &key));
    prvcut_table_clear(&t);
    ck_assert_ptr_nonnull(prvcut_table_make(&t, &key, NULL));
    ck_assert_ptr_nonnull(prvcut_table_find(&t, &key));
    prvcut_table_clear(&t);
    ck_assert_uint_eq(t.count, 0);
    ck_assert_ptr_null(prvcut_table_find(&t, &key));
    prvcut_table_fini(&t);
    ck_assert_ptr_nonnull(prvcut_table_make(&t, &key, NULL));
    prvcut_table_fini(&t);
}
END_TEST

START_TEST(test_take_the_items)
{
    struct prvcut_table t = PRVCUT_TABLE(struct row, sum, "rows");
    const struct row key = { .thread = 3 };
    struct row *at;
    size_t count;

    ck_assert_ptr_null(prvcut_table_take(&t, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_nonnull(prvcut_table_make(&t, &key, NULL));
    at = prvcut_table_take(&t, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(at->thread, 3);
    ck_assert_ptr_null(prvcut_table_find(&t, &key));
    ck_assert_ptr_nonnull(prvcut_table_make(&t, &key, NULL));
    prvcut_table_fini(&t);
    free(at);
}
END_TEST

START_TEST(test_keep_keys_of_any_size)
{
    for (size_t size = 1; size <= 40; size++) {
        struct prvcut_table t = { .item = size, .key = size, .what = "texts" };
        char key[40] = { 0 };

        for (size_t i = 0; i < size; i++) {
            key[i] = 1;
            ck_assert_ptr_nonnull(prvcut_table_make(&t, key, NULL));
            ck_assert_uint_eq(t.count, i + 1);
        }
        memset(key, 0, sizeof key);
        ck_assert_ptr_null(prvcut_table_find(&t, key));
        key[0] = 1;
        ck_assert_ptr_nonnull(prvcut_table_find(&t, key));
        prvcut_table_fini(&t);
    }
}
END_TEST

START_TEST(test_tell_what_memory_was_for)
{
    struct prvcut_error err = { 0 };

    ck_assert_ptr_null(prvcut_unset(SIZE_MAX / 2, 3, "rows", &err));
    ck_assert_str_eq(err.text, "out of memory for 9223372036854775807 rows");
    err = (struct prvcut_error){ 0 };
    ck_assert_ptr_null(prvcut_copied("", SIZE_MAX, "a name", &err));
    ck_assert_str_eq(err.text, "out of memory for a name");
    err = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_no_memory(&err, "zlib"), PRVCUT_ENOMEM);
    ck_assert_str_eq(err.text, "out of memory for zlib");
}
END_TEST

START_TEST(test_give_room_for_nothing)
{
    char *text = prvcut_copied_text("ab", "a name", NULL);
    void *none = prvcut_zeroed(0, 8, "rows", NULL), *bytes = prvcut_copied(NULL, 0, "bytes", NULL);

    ck_assert_str_eq(text, "ab");
    ck_assert_ptr_nonnull(none);
    ck_assert_str_eq(bytes, "");
    free(text);
    free(none);
    free(bytes);
    none = prvcut_unset(0, 0, "rows", NULL);
    ck_assert_ptr_nonnull(none);
    free(none);
}
END_TEST

START_TEST(test_print_a_text_of_any_length)
{
    char *text = prvcut_printed("a name", NULL, "%s/%d", "", 7);
    char *wide = prvcut_printed("a name", NULL, "%5000d", 1);

    ck_assert_str_eq(text, "/7");
    ck_assert_uint_eq(strlen(wide), 5000);
    ck_assert_int_eq(wide[4999], '1');
    free(text);
    free(wide);
}
END_TEST

static Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");

    tcase_add_test(tests, test_use_table_as_a_list);
    tcase_add_test(tests, test_print_a_text_of_any_length);
    tcase_add_test(tests, test_make_items_in_order);
    tcase_add_test(tests, test_find_in_an_empty_table);
    tcase_add_test(tests, test_take_the_items);
    tcase_add_test(tests, test_keep_keys_of_any_size);
    tcase_add_test(tests, test_tell_what_memory_was_for);
    tcase_add_test(tests, test_give_room_for_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(table_suite());
}
