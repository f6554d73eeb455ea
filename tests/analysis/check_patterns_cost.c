/* What nests cost grows as the row of symbols does, whatever is in it. */
#include "analysis/patterns/tolerant.h"
#include "tests/analysis/pattern_rows.h"
#include "tests/support/runner.h"

#include <stdio.h>

static uint64_t steps(void (*make)(struct row *r, size_t count), size_t count)
{
    struct pat_nest n;
    struct row r = { .at = NULL };
    uint64_t cost;

    state = 42;
    make(&r, count);
    pat_nest_init(&n);
    ck_assert_int_eq(pat_nest_make(&n, r.at, r.count, &error), PRVCUT_OK);
    ck_lossless(&n, &r);
    cost = n.steps;
    pat_nest_fini(&n);
    free(r.at);
    return cost;
}

static void make_one(struct row *r, size_t count)
{
    while (r->count < count)
        put(r, 7);
}

static void make_pair(struct row *r, size_t count)
{
    while (r->count < count)
        put(r, r->count % 2);
}

static void make_polling(struct row *r, size_t count)
{
    while (r->count < count) {
        put(r, 0);
        put(r, 1);
        for (uint32_t k = 1 + below(20); k > 0; k--)
            put(r, 2);
        put(r, 3);
    }
}

/* Set bits of a number: nested everywhere. */
static void make_bits(struct row *r, size_t count)
{
    while (r->count < count)
        put(r, (uint32_t)__builtin_popcountll(r->count));
}

static void make_fibonacci(struct row *r, size_t count)
{
    size_t before = 1, last = 2;

    put(r, 0);
    put(r, 1);
    while (r->count < count) {
        for (size_t i = 0; i < before && r->count < count; i++)
            put(r, r->at[i]);
        last += before;
        before = last - before;
    }
}

/* A period of 50, disturbed once in a hundred calls: by one too many, */
static void make_more(struct row *r, size_t count)
{
    for (uint32_t i = 0; r->count < count; i++) {
        put(r, i % 50);
        if (below(100) == 0)
            put(r, 99);
    }
}

/* by one that is lost, */
static void make_fewer(struct row *r, size_t count)
{
    for (uint32_t i = 0; r->count < count; i++)
        if (below(100) != 0)
            put(r, i % 50);
}

/* by another one. */
static void make_others(struct row *r, size_t count)
{
    for (uint32_t i = 0; r->count < count; i++)
        put(r, below(100) == 0 ? 99 : i % 50);
}

/* Each call is followed by an inner loop of up to three turns. */
static void make_inner(struct row *r, size_t count)
{
    for (uint32_t i = 0; r->count < count; i++) {
        put(r, i % 20);
        for (uint32_t k = below(4); k > 0; k--) {
            put(r, 100);
            put(r, 101);
        }
    }
}

/* Where in its nest a row ends matters, by a third (Fibonacci); so three lengths are added up. */
static uint64_t steps_about(void (*make)(struct row *r, size_t count), size_t count)
{
    return steps(make, count / 2) + steps(make, count / 4 * 3) + steps(make, count);
}

/* No symbol in the first half is another's, and the second half is the same. */
static void make_twice(struct row *r, size_t count)
{
    while (r->count < count)
        put(r, (uint32_t)(r->count % (count / 2)));
}

/* Each stretch twice, of ever more symbols of its own. */
static void make_longer(struct row *r, size_t count)
{
    for (uint32_t period = 2, first = 0; r->count < count; first += period++)
        for (uint32_t i = 0; i < 2 * period && r->count < count; i++)
            put(r, first + i % period);
}

static uint64_t tolerant_steps(void (*make)(struct row *r, size_t count), size_t count)
{
    struct pat_tolerant t;
    struct row r = { .at = NULL };
    uint64_t cost;

    state = 42;
    make(&r, count);
    ck_assert_int_eq(pat_tolerant_loop(&t, r.at, r.count, &error), PRVCUT_OK);
    cost = t.steps;
    pat_tolerant_fini(&t);
    free(r.at);
    return cost;
}

START_TEST(test_cost_of_tolerant_nests_grows_as_the_row)
{
    static const struct {
        const char *name;
        void (*make)(struct row *r, size_t count);
    } rows[] = {
        { "twice", make_twice },     { "ever longer", make_longer }, { "random", make_random },
        { "polling", make_polling }, { "set bits", make_bits },      { "one too many", make_more },
        { "one lost", make_fewer },  { "one other", make_others },   { "inner loops", make_inner },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t few = tolerant_steps(rows[i].make, 20000);
        const uint64_t many = tolerant_steps(rows[i].make, 200000);

        printf("%-12s %6.1f steps a symbol of 20,000, tolerant; %6.1f of 200,000\n", rows[i].name,
               (double)few / 20000, (double)many / 200000);
        ck_assert_msg(many <= 12 * few, "%s", rows[i].name);
    }
}
END_TEST

START_TEST(test_cost_grows_as_the_row)
{
    static const struct {
        const char *name;
        void (*make)(struct row *r, size_t count);
        unsigned most; /* steps a symbol */
    } rows[] = {
        { "one symbol", make_one, 10 },    { "two in turn", make_pair, 10 },
        { "random", make_random, 50 },     { "polling", make_polling, 50 },
        { "set bits", make_bits, 200 },    { "Fibonacci", make_fibonacci, 200 },
        { "one too many", make_more, 50 }, { "one lost", make_fewer, 50 },
        { "one other", make_others, 50 },  { "inner loops", make_inner, 50 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t few = steps_about(rows[i].make, 40000);
        const uint64_t many = steps_about(rows[i].make, 400000);

        printf("%-12s %6.1f steps a symbol of 40,000, %6.1f of 400,000\n", rows[i].name,
               (double)few / 90000, (double)many / 900000);
        ck_assert_msg(many <= 12 * few, "%s", rows[i].name);
        ck_assert_msg(many <= 900000 * (uint64_t)rows[i].most, "%s", rows[i].name);
    }
}
END_TEST

/* Threads of few calls are no dearer a call: what is left is not folded anew for each small loop.
 */
START_TEST(test_short_rows_cost_as_long_ones)
{
    const uint64_t cost = steps(make_inner, 4000);

    printf("%-12s %6.1f steps a symbol of 4,000\n", "inner loops", (double)cost / 4000);
    ck_assert_uint_le(cost, 4000 * 200);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("patterns_cost");
    TCase *c = tcase_create("cost");

    tcase_add_test(c, test_cost_grows_as_the_row);
    tcase_add_test(c, test_cost_of_tolerant_nests_grows_as_the_row);
    tcase_add_test(c, test_short_rows_cost_as_long_ones);
    suite_add_tcase(s, c);
    return run_suite(s);
}
