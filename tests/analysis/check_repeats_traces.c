#include "analysis/patterns/nest.h"
#include "analysis/patterns/repeats.h"
#include "analysis/patterns/sequences.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Repeats of thread 1 of real traces: how many there are in its calls as they are, and where every
   loop's body stands once. */

struct known {
    const char *name;
    enum pat_alphabet alphabet;
    size_t calls, maximal, super, runs, apart, folded;
};

static const struct known known[] = {
    { "bt.S.4", PAT_CALL, 2289, 77, 2, 554, 46, 2 },
    { "lu.S.4", PAT_CALL, 2399, 107, 7, 162, 76, 5 },
    { "cg.W.8", PAT_PARTNER, 8839, 71, 1, 1199, 64, 6 },
    { "is.W.8", PAT_CALL, 41, 10, 1, 1, 5, 0 },
    { "lu.W.4", PAT_CALL, 39183, 441, 7, 912, 0, 0 },
    { "mg.W.8", PAT_SIZE, 1979, 42, 6, 0, 0, 0 },
    { "lammps.4", PAT_CALL, 10040, 245, 9, 0, 0, 0 },
    { "hpcc.4", PAT_CALL, 15910, 1020, 69, 4311, 0, 0 },
    { "lulesh.8", PAT_CALL, 11431, 224, 2, 0, 0, 0 },
};

static struct prvcut_error err;

struct row {
    enum pat_alphabet alphabet;
    uint32_t *symbol;
    size_t count;
    uint32_t different;
};

static enum prvcut_status take_first(void *ctx, struct pat_thread *one, struct prvcut_error *e)
{
    struct row *r = ctx;

    (void)e;
    if (one->thread != 0)
        return PRVCUT_OK;
    r->count = one->calls;
    r->different = (uint32_t)one->different[r->alphabet];
    r->symbol = malloc((r->count + 1) * sizeof *r->symbol);
    ck_assert_ptr_nonnull(r->symbol);
    for (size_t i = 0; i < r->count; i++)
        r->symbol[i] = pat_symbol_of(one, i, r->alphabet);
    return PRVCUT_OK;
}

static bool read_row(struct row *r, const char *name, enum pat_alphabet alphabet)
{
    const struct prvcut_open_options o = { .size = sizeof o };
    const struct prvcut_run run = { .size = sizeof run, .threads = 2 };
    const struct pat_sequences_options options = { .of = 0 };
    struct prvcut_dictionary names;
    struct prvcut_trace *t = NULL;
    char path[2048];

    *r = (struct row){ .alphabet = alphabet };
    if (!traces_unpack(name, path, sizeof path) || prvcut_trace_open(&t, path, &o, &err) < 0) {
        test_leaves_out(name);
        return false;
    }
    ck_assert_int_eq(t->reader->describe(t, &names, &err), PRVCUT_OK);
    ck_assert_int_eq(pat_sequences_read(t, &run, &names, &options, take_first, r, &err), PRVCUT_OK);
    prvcut_dictionary_fini(&names);
    prvcut_trace_close(t);
    return true;
}

struct seen {
    size_t maximal, super, apart, runs;
};

static struct seen look(const uint32_t *symbol, size_t count, uint32_t different)
{
    struct seen s = { 0 };
    struct pat_repeats r;
    struct pat_run *run;
    uint64_t steps;

    ck_assert_int_eq(pat_repeats_make(&r, symbol, count, different, 2, &err), PRVCUT_OK);
    s.maximal = r.repeats;
    for (size_t i = 0; i < r.repeats; i++) {
        s.super += r.repeat[i].super;
        s.apart += pat_repeat_is_apart(&r.repeat[i]);
    }
    pat_repeats_fini(&r);
    ck_assert_int_eq(pat_runs_make(&run, &s.runs, symbol, count, different, &steps, &err),
                     PRVCUT_OK);
    free(run);
    return s;
}

static enum prvcut_status put_down(void *ctx, uint32_t symbol, uint64_t at, struct prvcut_error *e)
{
    struct row *r = ctx;

    (void)at, (void)e;
    r->symbol[r->count++] = symbol;
    return PRVCUT_OK;
}

/* Each loop's body once. */
static struct seen look_folded(const struct row *r, size_t *count)
{
    struct row once = { .different = r->different };
    const struct pat_walker w = { .symbol = put_down, .ctx = &once };
    struct pat_nest n;
    struct seen s;

    once.symbol = malloc((r->count + 1) * sizeof *once.symbol);
    ck_assert_ptr_nonnull(once.symbol);
    pat_nest_init(&n);
    ck_assert_int_eq(pat_nest_make(&n, r->symbol, r->count, &err), PRVCUT_OK);
    ck_assert_int_eq(pat_nest_walk(&n, &w, &err), PRVCUT_OK);
    s = look(once.symbol, once.count, once.different);
    *count = once.count;
    pat_nest_fini(&n);
    free(once.symbol);
    return s;
}

START_TEST(test_repeats_of_real_threads)
{
    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *k = &known[i];
        struct row r;
        struct seen raw, folded;
        size_t count;

        if (!traces_wanted("paraver", k->name) || !read_row(&r, k->name, k->alphabet))
            continue;
        raw = look(r.symbol, r.count, r.different);
        folded = look_folded(&r, &count);
        printf("C3-4 %-9s %-8s %6zu calls: %4zu maximal, %2zu super, %4zu runs, %3zu apart; folded "
               "%4zu: %3zu maximal, %2zu super, %2zu apart\n",
               k->name, pat_alphabet_text(k->alphabet), r.count, raw.maximal, raw.super, raw.runs,
               raw.apart, count, folded.maximal, folded.super, folded.apart);
        ck_assert_uint_eq(r.count, k->calls);
        ck_assert_uint_eq(raw.maximal, k->maximal);
        ck_assert_uint_eq(raw.super, k->super);
        if (k->runs > 0)
            ck_assert_uint_eq(raw.runs, k->runs);
        if (k->apart > 0)
            ck_assert_uint_eq(raw.apart, k->apart);
        if (k->folded > 0)
            ck_assert_uint_eq(folded.apart, k->folded);
        /* C4 */
        if (strcmp(k->name, "mg.W.8") != 0 && strcmp(k->name, "hpcc.4") != 0)
            ck_assert_uint_le(folded.apart, raw.maximal / 5);
        free(r.symbol);
    }
}
END_TEST

/* C6: a thread's calls 26 times, each followed by a symbol of its own. */
START_TEST(test_repeats_of_a_million_calls)
{
    struct row r;
    struct pat_repeats found;
    uint32_t *many;
    size_t n = 0;

    if (!traces_folder() || traces_take() != TRACES_ALL || !read_row(&r, "lu.W.4", PAT_CALL))
        return;
    many = malloc(26 * (r.count + 1) * sizeof *many);
    ck_assert_ptr_nonnull(many);
    for (uint32_t k = 0; k < 26; k++) {
        memcpy(many + n, r.symbol, r.count * sizeof *many);
        n += r.count;
        many[n++] = r.different + k;
    }
    ck_assert_int_eq(pat_repeats_make(&found, many, n, r.different + 26, 2, &err), PRVCUT_OK);
    printf("C6 %zu symbols: %zu maximal repeats, %.1f steps a symbol\n", n, found.repeats,
           (double)(found.steps + found.suffix.steps) / (double)n);
    ck_assert_uint_eq(found.repeats, 442);
    ck_assert_uint_lt(found.steps + found.suffix.steps, 40 * n);
    pat_repeats_fini(&found);
    free(many);
    free(r.symbol);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("repeats_traces");
    TCase *t = tcase_create("traces");

    tcase_set_timeout(t, 300);
    tcase_add_test(t, test_repeats_of_real_threads);
    tcase_add_test(t, test_repeats_of_a_million_calls);
    suite_add_tcase(s, t);
    return run_suite(s);
}
