#include "analysis/patterns/approx.h"
#include "tests/support/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Approximate search against the recurrence that defines it, and a known example. */

#define LONG 400

static struct prvcut_error err;

static uint32_t random_below(uint64_t *seed, uint32_t end)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % end;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void recurrence(const uint32_t *p, size_t m, const uint32_t *t, size_t n, uint32_t *edits)
{
    uint32_t column[LONG + 1];

    for (size_t i = 0; i <= m; i++)
        column[i] = (uint32_t)i;
    for (size_t j = 0; j < n; j++) {
        uint32_t corner = 0;

        for (size_t i = 1; i <= m; i++) {
            const uint32_t old = column[i];

            column[i] = least(least(old, column[i - 1]) + 1, corner + (p[i - 1] != t[j]));
            corner = old;
        }
        edits[j] = column[m];
    }
}

START_TEST(test_edits_of_random_rows_as_by_the_recurrence)
{
    uint32_t p[LONG], t[LONG], seen[LONG], wanted[LONG];
    uint64_t seed = 17;
    unsigned words[5] = { 0 };

    for (int k = 0; k < 2000; k++) {
        const uint32_t different = 2 + random_below(&seed, 6);
        const size_t m = 1 + random_below(&seed, 200), n = random_below(&seed, LONG);
        struct pat_query q;

        for (size_t i = 0; i < m; i++)
            p[i] = random_below(&seed, different);
        /* Pieces of the query, and symbols that it does not have. */
        for (size_t i = 0; i < n; i++)
            t[i] = random_below(&seed, 4) > 0 ? p[(i + (size_t)k) % m]
                                              : random_below(&seed, different + 2);
        ck_assert_int_eq(pat_query_init(&q, p, m, different, &err), PRVCUT_OK);
        pat_query_edits(&q, t, n, seen);
        recurrence(p, m, t, n, wanted);
        ck_assert(n == 0 || memcmp(seen, wanted, n * sizeof *seen) == 0);
        words[(m + 63) / 64]++;
        pat_query_fini(&q);
    }
    printf("D4 2,000 pairs as by the recurrence; queries of 1 to 4 words: %u %u %u %u\n", words[1],
           words[2], words[3], words[4]);
}
END_TEST

static void tell(const char *text, const char *query, uint32_t most, char *out)
{
    uint32_t t[64], p[64];
    struct pat_query q;
    struct pat_match *match;
    size_t matches;

    for (size_t i = 0; text[i]; i++)
        t[i] = (unsigned char)text[i];
    for (size_t i = 0; query[i]; i++)
        p[i] = (unsigned char)query[i];
    ck_assert_int_eq(pat_query_init(&q, p, strlen(query), 256, &err), PRVCUT_OK);
    ck_assert_int_eq(pat_query_find(&q, t, strlen(text), most, &match, &matches, &err), PRVCUT_OK);
    *out = '\0';
    for (size_t i = 0; i < matches; i++)
        sprintf(out + strlen(out), "%s%u-%u %.*s %u", i > 0 ? ", " : "", match[i].start + 1,
                match[i].end, (int)(match[i].end - match[i].start), text + match[i].start,
                match[i].edits);
    free(match);
    pat_query_fini(&q);
}

/* Alawneh 2011, figure 6. */
START_TEST(test_find_figure_6)
{
    static const char text[] = "abcdmhkobcdefyeabhdefrsabcdef";
    static const char *const wanted[] = {
        "24-29 abcdef 0",
        "9-13 bcdef 1, 16-21 abhdef 1, 24-29 abcdef 0",
        "1-4 abcd 2, 9-13 bcdef 1, 16-21 abhdef 1, 24-29 abcdef 0",
        "1-4 abcd 2, 9-13 bcdef 1, 16-21 abhdef 1, 24-29 abcdef 0",
    };
    char seen[200];

    for (uint32_t k = 0; k < 4; k++) {
        tell(text, "abcdef", k, seen);
        printf("D3 k = %u: %s\n", k, seen);
        ck_assert_str_eq(seen, wanted[k]);
    }
}
END_TEST

/* Matches overlap none, and say how far they are from the query. */
START_TEST(test_matches_do_not_overlap)
{
    uint32_t p[LONG], t[LONG], edits[LONG], last[LONG];
    uint64_t seed = 23;

    for (int k = 0; k < 500; k++) {
        const size_t m = 2 + random_below(&seed, 90), n = random_below(&seed, LONG);
        const uint32_t most = random_below(&seed, (uint32_t)m / 3 + 1);
        struct pat_query q;
        struct pat_match *match;
        size_t matches;

        for (size_t i = 0; i < m; i++)
            p[i] = random_below(&seed, 3);
        for (size_t i = 0; i < n; i++)
            t[i] = random_below(&seed, 8) > 0 ? p[i % m] : random_below(&seed, 4);
        ck_assert_int_eq(pat_query_init(&q, p, m, 3, &err), PRVCUT_OK);
        pat_query_edits(&q, t, n, edits);
        ck_assert_int_eq(pat_query_find(&q, t, n, most, &match, &matches, &err), PRVCUT_OK);
        for (size_t i = 0; i < matches; i++) {
            const size_t length = match[i].end - match[i].start;

            ck_assert_uint_le(match[i].edits, most);
            ck_assert(i == 0 || match[i].start >= match[i - 1].end);
            ck_assert_uint_eq(match[i].edits, edits[match[i].end - 1]);
            ck_assert(length + match[i].edits >= m && length <= m + match[i].edits);
            /* From its own beginning on, it has as few. */
            recurrence(p, m, t + match[i].start, length, last);
            ck_assert_uint_eq(last[length - 1], match[i].edits);
        }
        for (size_t j = 0; j < n; j++)
            ck_assert(edits[j] > most || matches > 0);
        free(match);
        pat_query_fini(&q);
    }
}
END_TEST

START_TEST(test_query_too_long_is_refused)
{
    const uint32_t one = 0;
    struct pat_query q;

    ck_assert_int_eq(pat_query_init(&q, &one, PAT_QUERY_MOST + 1, 1, &err), PRVCUT_EUSAGE);
    pat_query_fini(&q);
    ck_assert_int_eq(pat_query_init(&q, &one, 0, 1, &err), PRVCUT_EUSAGE);
    pat_query_fini(&q);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("approx");
    TCase *t = tcase_create("rows");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_edits_of_random_rows_as_by_the_recurrence);
    tcase_add_test(t, test_find_figure_6);
    tcase_add_test(t, test_matches_do_not_overlap);
    tcase_add_test(t, test_query_too_long_is_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
