#include "base/search.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#include <stdlib.h>

#define ITEMS 70

struct wide {
    char name[3];
    uint64_t key;
};

struct narrow {
    uint32_t other, key;
};

static struct wide wide_at[ITEMS];
static struct narrow narrow_at[ITEMS];

/* Ascending keys, with equal ones and with gaps. */
static void keys_draw(uint64_t *seed)
{
    uint64_t key = scratch_random(seed) % 3;

    for (size_t i = 0; i < ITEMS; i++) {
        wide_at[i].key = key << 40;
        narrow_at[i].key = (uint32_t)key;
        key += scratch_random(seed) % 3;
    }
}

static size_t lower_by_hand(size_t count, uint64_t value)
{
    size_t i = 0;

    while (i < count && narrow_at[i].key < value)
        i++;
    return i;
}

static int by_key(const void *key, const void *item)
{
    const uint32_t a = *(const uint32_t *)key, b = ((const struct narrow *)item)->key;

    return (a > b) - (a < b);
}

START_TEST(test_search_keys_as_a_walk_does)
{
    uint64_t seed = 11;

    for (unsigned run = 0; run < 200; run++) {
        keys_draw(&seed);
        for (size_t count = 0; count <= ITEMS; count++) {
            const uint64_t value = scratch_random(&seed) % (2 * ITEMS);
            const size_t at = lower_by_hand(count, value);
            const bool there = at < count && narrow_at[at].key == value;

            ck_assert_uint_eq(prvcut_lower_u32(narrow_at, count, sizeof *narrow_at,
                                               offsetof(struct narrow, key), value),
                              at);
            ck_assert_uint_eq(prvcut_lower_u64(wide_at, count, sizeof *wide_at,
                                               offsetof(struct wide, key), value << 40),
                              at);
            ck_assert_ptr_eq(prvcut_find_u32(narrow_at, count, sizeof *narrow_at,
                                             offsetof(struct narrow, key), value),
                             there ? &narrow_at[at] : NULL);
            ck_assert_ptr_eq(prvcut_find_u64(wide_at, count, sizeof *wide_at,
                                             offsetof(struct wide, key), value << 40),
                             there ? &wide_at[at] : NULL);
            ck_assert_ptr_eq(prvcut_find_by(&(uint32_t){ (uint32_t)value }, narrow_at, count,
                                            sizeof *narrow_at, by_key),
                             there ? &narrow_at[at] : NULL);
            ck_assert_uint_eq(prvcut_index_u32(narrow_at, count, sizeof *narrow_at,
                                               offsetof(struct narrow, key), value),
                              there ? at : count);
        }
    }
}
END_TEST

START_TEST(test_search_where_nothing_is)
{
    ck_assert_uint_eq(prvcut_lower_u64(NULL, 0, 8, 0, 5), 0);
    ck_assert_ptr_null(prvcut_find_u64(NULL, 0, 8, 0, 5));
    ck_assert_ptr_null(prvcut_find_u32(NULL, 0, 8, 4, UINT64_MAX));
    ck_assert_ptr_null(prvcut_find_by("", NULL, 0, 8, by_key));
    ck_assert_uint_eq(prvcut_lower_u32(narrow_at, ITEMS, sizeof *narrow_at,
                                       offsetof(struct narrow, key), UINT64_MAX),
                      ITEMS);
}
END_TEST

struct asked {
    size_t first;
    size_t *times;
};

static bool is_asked(const void *ctx, size_t i)
{
    const struct asked *a = ctx;

    ++*a->times;
    return i >= a->first;
}

START_TEST(test_search_asks_seldom)
{
    for (size_t first = 5; first <= 1005; first++) {
        size_t times = 0;

        ck_assert_uint_eq(prvcut_first(5, 1005, is_asked, &(struct asked){ first, &times }), first);
        ck_assert_uint_le(times, 10);
    }
    ck_assert_uint_eq(prvcut_first(9, 3, is_asked, NULL), 9);
}
END_TEST

static Suite *first_suite(void)
{
    Suite *suite = suite_create("first");
    TCase *tests = tcase_create("first");

    tcase_add_test(tests, test_search_keys_as_a_walk_does);
    tcase_add_test(tests, test_search_where_nothing_is);
    tcase_add_test(tests, test_search_asks_seldom);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(first_suite());
}
