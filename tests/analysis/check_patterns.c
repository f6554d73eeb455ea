/* Nests of rows of symbols: nothing is lost, and small rows are folded as a person would fold them.
 */
#include "analysis/patterns/nest.h"
#include "analysis/patterns/points.h"
#include "analysis/patterns/tolerant.h"
#include "tests/analysis/pattern_rows.h"
#include "tests/analysis/written_out.h"
#include "tests/support/runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text of letters, so often. */
static void put_text(struct row *r, const char *text, unsigned times)
{
    for (; times > 0; times--)
        for (const char *c = text; *c; c++)
            put(r, (uint32_t)*c);
}

/* --- Nests ------------------------------------------------------------------------------------ */

/* "4x(a b)", letters for symbols. */
static void write_row(FILE *to, const struct pat_bodies *b, const uint64_t *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pat_body *body = pat_is_loop(row[i]) ? &b->body[pat_inner(row[i])] : NULL;
        const uint64_t *in = body ? pat_body_row(b, pat_inner(row[i])) : NULL;

        fputs(i > 0 ? " " : "", to);
        if (!body)
            fputc((int)pat_inner(row[i]), to);
        else if (body->length == 1 && !pat_is_loop(in[0]))
            fprintf(to, "%ux%c", pat_count(row[i]), (int)pat_inner(in[0]));
        else {
            fprintf(to, "%ux(", pat_count(row[i]));
            write_row(to, b, in, body->length);
            fputc(')', to);
        }
    }
}

static char *written(const struct pat_nest *n)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    write_row(to, &n->bodies, n->top, n->count);
    fclose(to);
    return text;
}

static void ck_nest(struct row *r, const char *expected)
{
    struct pat_nest n;
    char *text;

    pat_nest_init(&n);
    ck_assert_int_eq(pat_nest_make(&n, r->at, r->count, &error), PRVCUT_OK);
    ck_lossless(&n, r);
    text = written(&n);
    printf("A8 %zu symbols: %s\n", r->count, text);
    ck_assert_str_eq(text, expected);
    free(text);
    pat_nest_fini(&n);
    free(r->at);
    *r = (struct row){ .at = NULL };
}

START_TEST(test_nest_holds_every_call)
{
    struct pat_nest n;

    pat_nest_init(&n);
    for (unsigned i = 0; i < 1000; i++) {
        struct row r = { .at = NULL };
        const uint32_t symbols = 1 + below(6), length = below(301);

        /* Half of them repeat what they have. */
        while (r.count < length)
            if (i % 2 == 0 || r.count < 4 || below(3) > 0)
                put(&r, 'a' + below(symbols));
            else {
                const size_t back = 1 + below((uint32_t)r.count / 2);

                for (size_t k = below(4) * back; k > 0; k--)
                    put(&r, r.at[r.count - back]);
            }
        ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
        ck_lossless(&n, &r);
        ck_assert_int_eq(pat_nest_fold(&n, r.at, r.count, &error), PRVCUT_OK);
        ck_lossless(&n, &r);
        n.fold.open_most = i % 7 == 0 ? 32 : 0;
        free(r.at);
    }
    pat_nest_fini(&n);
}
END_TEST

START_TEST(test_fold_sets_aside_what_does_not_fold)
{
    struct pat_nest n;
    struct row r = { .at = NULL };

    pat_nest_init(&n);
    n.fold.open_most = 64;
    for (unsigned i = 0; i < 5000; i++)
        put(&r, i * 7919 % 5003);
    put_text(&r, "abc", 100);
    ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
    ck_lossless(&n, &r);
    ck_assert_uint_ge(n.unfolded, 4900);
    ck_assert_uint_eq(pat_nest_outermost(&n).count, 100);
    free(r.at);
    pat_nest_fini(&n);
}
END_TEST

START_TEST(test_nest_of_small_rows)
{
    static const struct {
        const char *row;
        unsigned times;
        const char *nest;
    } small[] = {
        { "abba", 20, "20x(a 2xb a)" },
        { "aab", 20, "20x(2xa b)" },
        { "abcab", 20, "20x(a b c a b)" },
        { "abcba", 20, "20x(a b c b a)" },
        { "aabaab", 20, "40x(2xa b)" },
        { "abaaba", 20, "40x(a b a)" },
        { "a", 1, "a" },
        { "", 1, "" },
        { "ab", 1, "a b" },
        { "a", 2, "2xa" },
    };
    struct row r = { .at = NULL };

    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        put_text(&r, small[i].row, small[i].times);
        ck_nest(&r, small[i].nest);
    }
    for (unsigned i = 0; i < 5; i++) {
        put_text(&r, "a", 1);
        put_text(&r, "bc", 7);
        put_text(&r, "dd", 1);
        put_text(&r, "eff", 3);
    }
    ck_nest(&r, "5x(a 7x(b c) 2xd 3x(e 2xf))");
}
END_TEST

START_TEST(test_nest_begins_with_what_was_before_it)
{
    static const char *const nest[] = {
        "i 20x(a b c d e f g h i)",         "h i 20x(a b c d e f g h i)",
        "g h i 20x(a b c d e f g h i)",     "f g h i 20x(a b c d e f g h i)",
        "e f g h i 20x(a b c d e f g h i)",
    };

    for (unsigned before = 1; before <= 5; before++) {
        struct row r = { .at = NULL };
        struct pat_nest n;
        struct pat_outermost o;

        put_text(&r, &"abcdefghi"[9 - before], 1);
        put_text(&r, "abcdefghi", 20);
        pat_nest_init(&n);
        ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
        ck_lossless(&n, &r);
        o = pat_nest_outermost(&n);
        printf("A8 9 symbols 20 times, the last %u of them before: %u x %u\n", before, o.count,
               (unsigned)o.calls);
        ck_assert_msg(o.count == 20 && o.calls == 9, "%s: %u x %u", nest[before - 1], o.count,
                      (unsigned)o.calls);
        pat_nest_fini(&n);
        free(r.at);
    }
}
END_TEST

/* Twice the same loop, begun elsewhere, with something between: an inner one. Not so two sweeps in
   opposite order. */
START_TEST(test_nest_of_a_loop_that_stands_twice)
{
    static const struct {
        const char *first, *second;
        unsigned others;
    } twice[] = {
        { "abbcd", "abbcd", 75 }, { "abbcd", "bcdab", 75 }, { "abbcd", "dabbc", 75 },
        { "abbcd", "dcbba", 0 },  { "abbcd", "abbce", 0 },
    };

    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        struct row r = { .at = NULL };
        struct pat_nest n;
        struct pat_outermost o;

        put_text(&r, twice[i].first, 20);
        put_text(&r, "xyz", 1);
        put_text(&r, twice[i].second, 15);
        pat_nest_init(&n);
        ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
        o = pat_nest_outermost(&n);
        ck_assert_uint_eq(o.count, 20);
        ck_assert_uint_eq(o.others, twice[i].others);
        pat_nest_fini(&n);
        free(r.at);
    }
}
END_TEST

START_TEST(test_nest_of_long_bodies)
{
    static const unsigned period[] = { 1, 2, 3, 37, 1000, 20000 }, count[] = { 2, 3, 100 };

    for (size_t p = 0; p < 6; p++)
        for (size_t k = 0; k < 3; k++) {
            struct row r = { .at = NULL };
            struct pat_nest n;

            if ((uint64_t)period[p] * count[k] > 100000)
                continue;
            printf("A8 %5u symbols %3u times: one loop\n", period[p], count[k]);
            for (unsigned i = 0; i < period[p] * count[k]; i++)
                put(&r, 1 + i % period[p]);
            pat_nest_init(&n);
            ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
            ck_lossless(&n, &r);
            ck_assert_msg(n.count == 1 && pat_count(n.top[0]) == count[k], "%u x %u: %zu elements",
                          count[k], period[p], n.count);
            pat_nest_fini(&n);
            free(r.at);
        }
}
END_TEST

/* --- Tolerant nests --------------------------------------------------------------------------- */

START_TEST(test_tolerant_loop_of_polling)
{
    struct row r = { .at = NULL };
    struct pat_tolerant p;

    state = 7;
    put_text(&r, "xyz", 1);
    for (unsigned i = 0; i < 1000; i++) {
        put_text(&r, "sr", 1);
        put_text(&r, "p", 1 + below(20));
        put_text(&r, "cw", 1);
    }
    put_text(&r, "end", 1);
    ck_assert_int_eq(pat_tolerant_loop(&p, r.at, r.count, &error), PRVCUT_OK);
    printf("A9 polling: %u iterations of %zu elements, polls %u..%u\n", (unsigned)p.count, p.length,
           p.least[2], p.most[2]);
    ck_assert_uint_ge(p.count, 999);
    ck_assert_uint_le(p.count, 1001);
    ck_assert_uint_eq(p.length, 5);
    /* Borders are where iterations begin. */
    for (uint64_t i = 0; i < p.count; i++)
        ck_assert_uint_eq(r.at[p.border[i]], 's');
    ck_assert_uint_eq(p.least[0], 1);
    ck_assert_uint_eq(p.most[0], 1);
    ck_assert_uint_eq(p.least[2], 1);
    ck_assert_uint_eq(p.most[2], 20);
    pat_tolerant_fini(&p);
    free(r.at);
}
END_TEST

/* A loop in a loop, each of which data decide. */
START_TEST(test_tolerant_loop_of_nested_solvers)
{
    struct row r = { .at = NULL };
    struct pat_tolerant p;

    state = 11;
    for (unsigned i = 0; i < 60; i++) {
        put_text(&r, "f", 1);
        for (uint32_t k = 2 + below(4); k > 0; k--) {
            put_text(&r, "n", 1);
            put_text(&r, "isw", 3 + below(18));
            put_text(&r, "a", 1);
        }
        put_text(&r, "o", 1);
    }
    ck_assert_int_eq(pat_tolerant_loop(&p, r.at, r.count, &error), PRVCUT_OK);
    ck_assert_uint_eq(p.count, 60);
    for (uint64_t i = 0; i < p.count; i++)
        ck_assert_uint_eq(r.at[p.border[i]], r.at[p.border[0]]);
    pat_tolerant_fini(&p);
    free(r.at);
}
END_TEST

/* Each iteration holds one inner one more: the first ones are not yet loops to the fold. What is
   before and behind them is not theirs. */
START_TEST(test_tolerant_loop_that_grows)
{
    for (unsigned n = 11; n <= 60; n += 7) {
        struct row r = { .at = NULL };
        struct pat_tolerant p;

        put_text(&r, "xyzw", 1);
        for (unsigned i = 0; i < n; i++) {
            put_text(&r, "srw", i + 1);
            put_text(&r, "a", 1);
        }
        put_text(&r, "srb", 1);
        ck_assert_int_eq(pat_tolerant_loop(&p, r.at, r.count, &error), PRVCUT_OK);
        printf("A4 growing: %2u iterations of %2u\n", (unsigned)p.count, n);
        ck_assert_uint_eq(p.count, n);
        ck_assert_uint_eq(p.border[0], 4);
        ck_assert_uint_eq(p.border[n], r.count - 3);
        ck_assert_uint_eq(p.least[0], 1);
        ck_assert_uint_eq(p.most[0], n);
        for (unsigned i = 0; i < n; i++)
            ck_assert_uint_eq(p.border[i + 1] - p.border[i], 3 * (i + 1) + 1);
        pat_tolerant_fini(&p);
        free(r.at);
    }
}
END_TEST

/* A nest, written out in some way within its counts, is the calls. */
static void ck_written_out(const struct pat_tolerant *p, const struct row *r)
{
    struct pat_tree tree = { .bodies = 0 };
    struct pat_nest n;
    struct calls c = { .tree = &tree, .symbol = r->at, .count = r->count };

    pat_nest_init(&n);
    ck_assert_int_eq(pat_tolerant_tree(&tree, p, r->at, r->count, &n, &error), PRVCUT_OK);
    ck_assert(is_written_out(&c));
    pat_nest_fini(&n);
    pat_tree_fini(&tree);
}

/* Each inner iteration is one call longer than the one before, until it begins anew. */
static void put_ramp(struct row *r, unsigned first, unsigned last, int step)
{
    for (int k = (int)first; k != (int)last + step; k += step) {
        put_text(r, "srw", 1);
        put_text(r, "a", (unsigned)k);
    }
}

/* GMRES of 6 before it restarts. Which restart is a step's last cannot be seen, but where a step
   ends in one product more. */
static void put_restarts(struct row *r, bool end)
{
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned k = 0; k < i / 3; k++)
            put_ramp(r, 1, 6, 1);
        put_ramp(r, 1, 3 + i * 7 % 3, 1);
        if (end)
            put_ramp(r, 1, 1, 1);
    }
}

static void ck_ramps(struct row *r, const char *what, unsigned iterations, unsigned inner)
{
    struct pat_tolerant p;

    ck_assert_int_eq(pat_tolerant_loop(&p, r->at, r->count, &error), PRVCUT_OK);
    printf("A4 ramps, %-28s %2u iterations, made of %3u\n", what, (unsigned)p.count,
           (unsigned)p.within);
    ck_assert_uint_eq(p.count, iterations);
    ck_assert_uint_eq(p.within, inner);
    if (p.count > 0)
        ck_written_out(&p, r);
    pat_tolerant_fini(&p);
    free(r->at);
    *r = (struct row){ .at = NULL };
}

/* A loop whose iterations go on from each other is the inner one of two. */
START_TEST(test_tolerant_loop_of_ramps_is_around_them)
{
    struct row r = { .at = NULL };

    put_restarts(&r, true);
    ck_ramps(&r, "restarted, an end:", 9, 99);
    put_restarts(&r, false);
    ck_ramps(&r, "restarted, no end:", 0, 90);
    /* A factorisation in each step: it gets shorter. */
    for (unsigned i = 0; i < 5; i++)
        put_ramp(&r, 9, 1, -1);
    ck_ramps(&r, "factorisation:", 5, 45);
    put_ramp(&r, 1, 40, 1);
    ck_ramps(&r, "one alone:", 40, 0);
}
END_TEST

/* A program of nested loops that go round at random; so is what is before and behind it. */
static void put_program(struct row *r, uint32_t seed, unsigned depth)
{
    const uint64_t drawn = state;
    uint32_t parts;

    state = seed;
    parts = 1 + below(4);
    for (uint32_t i = 0; i < parts && r->count < 3000; i++) {
        const bool loop = depth > 0 && below(3) == 0;
        const uint32_t what = 1 + below(loop ? 1u << 20 : 6), least = 1 + below(3),
                       spread = below(6);
        uint64_t own = state;

        state = drawn + r->count;
        for (uint32_t k = least + below(spread + 1); k > 0; k--) {
            if (loop)
                put_program(r, what, depth - 1);
            else
                put(r, what);
        }
        state = own;
    }
    state = drawn * 5 + r->count;
}

/* Borders are in order, and the nest is the calls. */
START_TEST(test_tolerant_nests_are_the_calls)
{
    unsigned found = 0;

    state = 19;
    for (unsigned i = 0; i < 300; i++) {
        const uint32_t seed = below(1u << 20);
        struct row r = { .at = NULL };
        struct pat_tolerant p;

        for (uint32_t k = below(8); k > 0; k--)
            put(&r, 1 + below(6));
        for (uint32_t k = 4 + below(20); k > 0; k--)
            put_program(&r, seed, 2);
        for (uint32_t k = below(8); k > 0; k--)
            put(&r, 1 + below(6));
        ck_assert_int_eq(pat_tolerant_loop(&p, r.at, r.count, &error), PRVCUT_OK);
        if (p.count > 0) {
            ck_written_out(&p, &r);
            for (uint64_t k = 0; k < p.count; k++)
                ck_assert(p.border[k] < p.border[k + 1]);
            found++;
        }
        pat_tolerant_fini(&p);
        free(r.at);
    }
    printf("A3 tolerant loops of %u of 300 random programs, written out: their calls\n", found);
    ck_assert_uint_ge(found, 100);
}
END_TEST

START_TEST(test_tolerant_loop_of_chance_covers_nothing)
{
    struct row r = { .at = NULL };
    struct pat_tolerant p;

    state = 13;
    make_random(&r, 20000);
    ck_assert_int_eq(pat_tolerant_loop(&p, r.at, r.count, &error), PRVCUT_OK);
    ck_assert(p.count == 0 || (double)(p.border[p.count] - p.border[0]) < 0.01 * 20000);
    pat_tolerant_fini(&p);
    free(r.at);
}
END_TEST

/* --- Peaks and points ------------------------------------------------------------------------- */

/* 200 of 10 ms, 16 of 60 ms, 10 of 370 ms, one of 30 ms. */
static size_t put_lengths(uint64_t *length)
{
    size_t n = 0;

    state = 17;
    for (unsigned i = 0; i < 200; i++)
        length[n++] = 9900000 + below(200000);
    for (unsigned i = 0; i < 16; i++)
        length[n++] = 59400000 + below(1200000);
    for (unsigned i = 0; i < 10; i++)
        length[n++] = 366300000 + below(7400000);
    length[n++] = 30000000;
    for (size_t i = n - 1; i > 0; i--) {
        const size_t k = below((uint32_t)i + 1);
        const uint64_t x = length[i];

        length[i] = length[k];
        length[k] = x;
    }
    return n;
}

START_TEST(test_peaks_of_lengths)
{
    uint64_t length[300];
    const size_t n = put_lengths(length);
    struct pat_peaks p;

    ck_assert_int_eq(pat_peaks_find(&p, length, n, &error), PRVCUT_OK);
    for (size_t i = 0; i < p.count; i++)
        printf("B7 %.1f ms x %u\n", (double)p.at[i].centre / 1e6, (unsigned)p.at[i].count);
    ck_assert_uint_eq(p.count, 3);
    ck_assert_uint_eq(p.at[0].count, 200);
    ck_assert_uint_eq(p.at[1].count, 16);
    ck_assert_uint_eq(p.at[2].count, 10);
    ck_assert_uint_eq(p.outside, 1);
    pat_peaks_fini(&p);
    /* Zeros are alike, and nothing else is like them. */
    memset(length, 0, 5 * sizeof *length);
    length[5] = 1;
    ck_assert_int_eq(pat_peaks_find(&p, length, 6, &error), PRVCUT_OK);
    ck_assert_uint_eq(p.count, 1);
    ck_assert_uint_eq(p.at[0].count, 5);
    ck_assert_uint_eq(p.outside, 1);
    pat_peaks_fini(&p);
}
END_TEST

START_TEST(test_points_stand_for_those_alike)
{
    const struct pat_points_options o = { .top = 0 };
    struct pat_points p = { .tracks = 1 };
    uint64_t length[300];

    p.iterations = put_lengths(length);
    p.track = calloc(1, sizeof *p.track);
    p.track->count = p.iterations;
    p.track->length = calloc(p.iterations, sizeof *length);
    memcpy(p.track->length, length, p.iterations * sizeof *length);
    ck_assert_int_eq(pat_points_rank(&p, &o, &error), PRVCUT_OK);
    ck_assert_uint_eq(p.count, 3);
    ck_assert_uint_eq(p.at[0].alike, 10);
    ck_assert_uint_eq(p.at[1].alike, 16);
    ck_assert_uint_eq(p.at[2].alike, 1);
    ck_assert(!p.at[0].outlier && !p.at[1].outlier && p.at[2].outlier);
    pat_points_fini(&p);
}
END_TEST

/* Threads that do not fit into memory are read again: it is the same. */
START_TEST(test_threads_are_read_again)
{
    const struct prvcut_run run = { .size = sizeof run };
    const struct pat_options o = { .alphabet = PAT_NONE };
    struct pat_found found[2];

    for (int i = 0; i < 2; i++) {
        struct prvcut_dictionary names = { .arena = NULL };
        struct prvcut_trace *trace = NULL;
        struct pat_store store = { .run = &run, .names = &names, .memory = i == 0 ? 0 : 1 };

        ck_assert_int_eq(prvcut_trace_open(&trace, SAMPLE_FILES "/lu.S.8.prv.zst", NULL, &error),
                         PRVCUT_OK);
        ck_assert_int_eq(trace->reader->describe(trace, &names, &error), PRVCUT_OK);
        store.trace = trace;
        ck_assert_int_eq(pat_find(&found[i], &store, &o, &error), PRVCUT_OK);
        ck_assert_uint_eq(store.readings, i == 0 ? 1 : 3);
        pat_store_fini(&store);
        prvcut_dictionary_fini(&names);
        prvcut_trace_close(trace);
    }
    ck_assert_uint_eq(found[0].classes, found[1].classes);
    ck_assert_uint_eq(found[0].patterns, found[1].patterns);
    ck_assert_uint_eq(found[0].kept, found[1].kept);
    for (size_t i = 0; i < found[0].classes; i++)
        ck_assert_str_eq(found[0].class[i].nest, found[1].class[i].nest);
    for (size_t i = 0; i < found[0].patterns; i++) {
        ck_assert_str_eq(found[0].pattern[i].arguments, found[1].pattern[i].arguments);
        ck_assert_uint_eq(found[0].pattern[i].total_ns, found[1].pattern[i].total_ns);
    }
    pat_found_fini(&found[0]);
    pat_found_fini(&found[1]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("patterns");
    TCase *c = tcase_create("nest");

    tcase_add_test(c, test_nest_holds_every_call);
    tcase_add_test(c, test_fold_sets_aside_what_does_not_fold);
    tcase_add_test(c, test_nest_of_small_rows);
    tcase_add_test(c, test_nest_begins_with_what_was_before_it);
    tcase_add_test(c, test_nest_of_a_loop_that_stands_twice);
    tcase_add_test(c, test_nest_of_long_bodies);
    tcase_add_test(c, test_tolerant_loop_of_polling);
    tcase_add_test(c, test_tolerant_loop_of_nested_solvers);
    tcase_add_test(c, test_tolerant_loop_that_grows);
    tcase_add_test(c, test_tolerant_loop_of_ramps_is_around_them);
    tcase_add_test(c, test_tolerant_nests_are_the_calls);
    tcase_add_test(c, test_tolerant_loop_of_chance_covers_nothing);
    tcase_add_test(c, test_peaks_of_lengths);
    tcase_add_test(c, test_points_stand_for_those_alike);
    tcase_add_test(c, test_threads_are_read_again);
    suite_add_tcase(s, c);
    return run_suite(s);
}
