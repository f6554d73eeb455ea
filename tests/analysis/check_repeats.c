#include "analysis/patterns/repeats.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Repeats and runs of rows of symbols: known ones, random ones against all substrings and all
   periods, and how steps grow. */

static struct prvcut_error err;

static uint32_t random_below(uint64_t *seed, uint32_t end)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % end;
}

/* --- By definition ---------------------------------------------------------------------------- */

#define SHORT 32

static unsigned occurrences(const uint32_t *s, size_t n, size_t at, size_t length, uint32_t *place)
{
    unsigned count = 0;

    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(s + i, s + at, length * sizeof *s) == 0)
            place[count++] = (uint32_t)i;
    return count;
}

/* Not always the same symbol before it, nor behind it. */
static bool is_maximal(const uint32_t *s, size_t n, const uint32_t *place, unsigned count,
                       size_t length)
{
    bool before = place[0] == 0, behind = place[0] + length == n;

    for (unsigned i = 1; i < count; i++) {
        before |= place[i] == 0 || (place[0] > 0 && s[place[i] - 1] != s[place[0] - 1]);
        behind |= place[i] + length == n ||
                  (place[0] + length < n && s[place[i] + length] != s[place[0] + length]);
    }
    return count > 1 && before && behind;
}

struct brute {
    struct {
        uint32_t at, length, count;
        bool super;
    } repeat[SHORT * SHORT];
    size_t repeats;
    struct pat_run run[SHORT * SHORT];
    size_t runs;
};

static bool is_in(const uint32_t *s, uint32_t at, uint32_t length, uint32_t of, uint32_t room)
{
    for (uint32_t i = 0; i + length <= room; i++)
        if (memcmp(s + at, s + of + i, length * sizeof *s) == 0)
            return true;
    return false;
}

static void brute_repeats(struct brute *b, const uint32_t *s, size_t n)
{
    uint32_t place[SHORT];

    for (size_t length = 1; length < n; length++)
        for (size_t at = 0; at + length <= n; at++) {
            const unsigned count = occurrences(s, n, at, length, place);

            if (place[0] == at && is_maximal(s, n, place, count, length)) {
                b->repeat[b->repeats].at = (uint32_t)at;
                b->repeat[b->repeats].length = (uint32_t)length;
                b->repeat[b->repeats++].count = count;
            }
        }
    for (size_t i = 0; i < b->repeats; i++) {
        b->repeat[i].super = true;
        for (size_t k = 0; k < b->repeats; k++)
            if (b->repeat[k].length > b->repeat[i].length &&
                is_in(s, b->repeat[i].at, b->repeat[i].length, b->repeat[k].at,
                      b->repeat[k].length))
                b->repeat[i].super = false;
    }
}

static bool has_period(const uint32_t *s, size_t a, size_t end, size_t period)
{
    for (size_t i = a; i + period < end; i++)
        if (s[i] != s[i + period])
            return false;
    return true;
}

static void brute_runs(struct brute *b, const uint32_t *s, size_t n)
{
    for (size_t a = 0; a < n; a++)
        for (size_t period = 1; a + 2 * period <= n; period++) {
            size_t end = a + 2 * period;
            bool least = true;

            if (!has_period(s, a, end, period) || (a > 0 && s[a - 1] == s[a - 1 + period]))
                continue;
            while (end < n && s[end] == s[end - period])
                end++;
            for (size_t p = 1; p < period; p++)
                least = least && !has_period(s, a, end, p);
            if (least)
                b->run[b->runs++] =
                    (struct pat_run){ (uint32_t)a, (uint32_t)period, (uint32_t)(end - a) };
        }
}

static void compare(const uint32_t *s, size_t n, uint32_t different)
{
    static struct brute b;
    struct pat_repeats r;
    struct pat_run *run;
    size_t runs;
    uint64_t steps;

    b.repeats = b.runs = 0;
    brute_repeats(&b, s, n);
    brute_runs(&b, s, n);
    ck_assert_int_eq(pat_repeats_make(&r, s, n, different, 1, &err), PRVCUT_OK);
    ck_assert_uint_eq(r.repeats, b.repeats);
    for (size_t i = 0; i < b.repeats; i++) {
        bool found = false;

        for (size_t k = 0; k < r.repeats; k++)
            if (r.repeat[k].least == b.repeat[i].at && r.repeat[k].length == b.repeat[i].length) {
                ck_assert_uint_eq(r.repeat[k].count, b.repeat[i].count);
                ck_assert_int_eq(r.repeat[k].super, b.repeat[i].super);
                found = true;
            }
        ck_assert(found);
    }
    pat_repeats_fini(&r);
    ck_assert_int_eq(pat_runs_make(&run, &runs, s, n, different, &steps, &err), PRVCUT_OK);
    ck_assert_uint_eq(runs, b.runs);
    for (size_t i = 0; i < runs; i++)
        ck_assert_mem_eq(&run[i], &b.run[i], sizeof run[i]);
    free(run);
}

START_TEST(test_repeats_of_random_rows_as_by_definition)
{
    uint64_t seed = 5;
    uint32_t s[SHORT];

    for (int i = 0; i < 3000; i++) {
        const uint32_t different = 2 + random_below(&seed, 3);
        const size_t n = random_below(&seed, 25);

        for (size_t k = 0; k < n; k++)
            s[k] = random_below(&seed, different);
        compare(s, n, different);
    }
    printf("C2 3,000 random rows: repeats, kinds, counts and runs as by definition\n");
}
END_TEST

/* --- Known ones ------------------------------------------------------------------------------- */

/* "ana 2 super, a 3" and "(1,2,5)" of a text whose symbols are its letters. */
static void tell(const char *text, uint32_t least, char *repeats, char *runs_text)
{
    uint32_t s[64], place[64];
    const size_t n = strlen(text);
    struct pat_repeats r;
    struct pat_run *run;
    size_t runs;
    uint64_t steps;

    for (size_t i = 0; i < n; i++)
        s[i] = (unsigned char)text[i];
    *repeats = *runs_text = '\0';
    ck_assert_int_eq(pat_repeats_make(&r, s, n, 256, least, &err), PRVCUT_OK);
    for (size_t i = 0; i < r.repeats; i++) {
        const struct pat_repeat *one = &r.repeat[i];
        uint32_t apart;

        pat_repeat_places(&r, one, place);
        apart = pat_repeat_apart(one, place);
        sprintf(repeats + strlen(repeats), "%s%.*s %u", i > 0 ? ", " : "", (int)one->length,
                text + one->least, one->count);
        if (apart != one->count)
            sprintf(repeats + strlen(repeats), " (%u)", apart);
        ck_assert((apart > 1) == pat_repeat_is_apart(one));
        if (one->super)
            strcat(repeats, " super");
    }
    pat_repeats_fini(&r);
    ck_assert_int_eq(pat_runs_make(&run, &runs, s, n, 256, &steps, &err), PRVCUT_OK);
    for (size_t i = 0; i < runs; i++)
        sprintf(runs_text + strlen(runs_text), "%s(%u,%u,%u)", i > 0 ? " " : "", run[i].start,
                run[i].period, run[i].length);
    free(run);
}

START_TEST(test_repeats_of_known_texts)
{
    static const struct {
        const char *text, *repeats, *runs;
    } known[] = {
        { "banana", "ana 2 (1) super, a 3", "(1,2,5)" },
        { "mississippi", "issi 2 (1) super, i 4, s 4, p 2 super",
          "(1,3,7) (2,1,2) (5,1,2) (8,1,2)" },
        { "abracadabra", "abra 2 super, a 5", "" },
        { "abcabcabc", "abcabc 2 (1) super, abc 3", "(0,3,9)" },
        { "aaaaa", "aaaa 2 (1) super, aaa 3 (1), aa 4 (2), a 5", "(0,1,5)" },
        { "abaababaabaab", "abaaba 2 (1) super, abaab 3 (2), aba 4 (3), ab 5, a 8",
          "(0,3,6) (0,5,11) (2,1,2) (3,2,5) (5,3,8) (7,1,2) (10,1,2)" },
        { "ABCABCABCDxABCyABCD", "ABCABC 2 (1) super, ABCD 2 super, ABC 5", "(0,3,9)" },
        { "", "", "" },
        { "a", "", "" },
        { "ab", "", "" },
        { "aa", "a 2 super", "(0,1,2)" },
    };
    char repeats[400], runs[400];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        tell(known[i].text, 1, repeats, runs);
        printf("C1 %-20s %s | %s\n", known[i].text, repeats, runs);
        ck_assert_str_eq(repeats, known[i].repeats);
        ck_assert_str_eq(runs, known[i].runs);
    }
}
END_TEST

/* Figure 5 of Alawneh 2011: S2 S3 R2 S5 (S2 S3 R2)x3 S4 S2 S3 R2, as 2 3 b 5 4. */
START_TEST(test_repeats_of_figure_5)
{
    static const char text[] = "23b523b23b23b423b";
    char repeats[400], runs[400];
    uint32_t s[32], place[32];
    struct pat_repeats r;
    unsigned told = 0;

    for (size_t i = 0; i < strlen(text); i++)
        s[i] = (unsigned char)text[i];
    ck_assert_int_eq(pat_repeats_make(&r, s, strlen(text), 256, 2, &err), PRVCUT_OK);
    for (size_t i = 0; i < r.repeats; i++) {
        if (!pat_repeat_is_apart(&r.repeat[i]))
            continue;
        told++;
        ck_assert_uint_eq(r.repeat[i].length, 3);
        ck_assert_uint_eq(r.repeat[i].count, 5);
        pat_repeat_places(&r, &r.repeat[i], place);
        printf("C5 '%.3s' at %u %u %u %u %u, from 1\n", text + place[0], place[0] + 1, place[1] + 1,
               place[2] + 1, place[3] + 1, place[4] + 1);
        ck_assert_mem_eq(place, ((const uint32_t[]){ 0, 4, 7, 10, 14 }), 5 * sizeof *place);
    }
    ck_assert_uint_eq(told, 1);
    pat_repeats_fini(&r);
    tell(text, 2, repeats, runs);
    ck_assert_str_eq(runs, "(4,3,9)");
}
END_TEST

/* --- Growth ----------------------------------------------------------------------------------- */

typedef uint32_t fill(size_t i, uint64_t *seed);

static uint32_t fill_same(size_t i, uint64_t *seed)
{
    (void)i, (void)seed;
    return 0;
}

static uint32_t fill_random(size_t i, uint64_t *seed)
{
    (void)i;
    return random_below(seed, 4);
}

static uint32_t fill_many(size_t i, uint64_t *seed)
{
    (void)i;
    return random_below(seed, 1000);
}

static uint32_t fill_parity(size_t i, uint64_t *seed)
{
    (void)seed;
    return (uint32_t)__builtin_popcountll(i) % 2;
}

/* The Fibonacci word: by the golden section. */
static uint32_t fill_fibonacci(size_t i, uint64_t *seed)
{
    const double phi = 0.6180339887498949;

    (void)seed;
    return (uint32_t)((uint64_t)((double)(i + 2) * phi) - (uint64_t)((double)(i + 1) * phi));
}

static uint32_t fill_loop(size_t i, uint64_t *seed)
{
    (void)seed;
    return i % 1000 == 999 ? 8 + (uint32_t)(i / 1000) % 3 : (uint32_t)(i % 62) / 8;
}

static uint32_t fill_powers(size_t i, uint64_t *seed)
{
    (void)seed;
    return i == 0 ? 0 : (uint32_t)__builtin_ctzll(i);
}

static uint64_t steps_of(fill *f, size_t n, uint64_t *runs_steps)
{
    uint32_t *s = malloc((n + 1) * sizeof *s);
    uint64_t seed = 3, steps;
    struct pat_repeats r;
    struct pat_run *run;
    size_t runs;

    ck_assert_ptr_nonnull(s);
    for (size_t i = 0; i < n; i++)
        s[i] = f(i, &seed);
    ck_assert_int_eq(pat_repeats_make(&r, s, n, 1000, 2, &err), PRVCUT_OK);
    steps = r.steps + r.suffix.steps;
    pat_repeats_fini(&r);
    ck_assert_int_eq(pat_runs_make(&run, &runs, s, n, 1000, runs_steps, &err), PRVCUT_OK);
    ck_assert_uint_lt(runs, n + 1);
    free(run);
    free(s);
    return steps;
}

START_TEST(test_steps_grow_with_the_row)
{
    static const struct {
        const char *name;
        fill *f;
    } rows[] = {
        { "one symbol", fill_same },      { "random of 4", fill_random },
        { "random of 1000", fill_many },  { "parity of bits", fill_parity },
        { "Fibonacci", fill_fibonacci },  { "loop", fill_loop },
        { "powers of two", fill_powers },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t runs_few, runs_many;
        const uint64_t few = steps_of(rows[i].f, 20000, &runs_few);
        const uint64_t many = steps_of(rows[i].f, 200000, &runs_many);

        printf("%-16s steps a symbol: repeats %.1f, of ten times as many %.1f; runs %.1f, %.1f\n",
               rows[i].name, (double)few / 20000, (double)many / 200000, (double)runs_few / 20000,
               (double)runs_many / 200000);
        ck_assert_uint_lt(many, 12 * few);
        ck_assert_uint_lt(runs_many, 12 * runs_few);
        ck_assert_uint_lt(many, 60 * (uint64_t)200000);
    }
}
END_TEST

/* A row that is too long is refused before anything is allocated for it. */
START_TEST(test_repeats_refuse_a_row_that_is_too_long)
{
    const uint32_t s[1] = { 0 };
    struct pat_repeats r;

    ck_assert_int_eq(pat_repeats_make(&r, s, PAT_SUFFIX_MOST + 1, 1, 2, &err), PRVCUT_ELIMIT);
    pat_repeats_fini(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("repeats");
    TCase *t = tcase_create("rows");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_repeats_of_random_rows_as_by_definition);
    tcase_add_test(t, test_repeats_of_known_texts);
    tcase_add_test(t, test_repeats_of_figure_5);
    tcase_add_test(t, test_steps_grow_with_the_row);
    tcase_add_test(t, test_repeats_refuse_a_row_that_is_too_long);
    suite_add_tcase(s, t);
    return run_suite(s);
}
