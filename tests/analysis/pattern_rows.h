/* Rows of symbols for the tests of patterns: symbols by chance, and is a nest the row? */
#ifndef PRVCUT_TESTS_ANALYSIS_PATTERN_ROWS_H
#define PRVCUT_TESTS_ANALYSIS_PATTERN_ROWS_H

#include "analysis/patterns/nest.h"

#include <check.h>
#include <stdlib.h>

static struct prvcut_error error;

struct row {
    uint32_t *at;
    size_t count, room;
};

static void put(struct row *r, uint32_t symbol)
{
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->at = realloc(r->at, r->room * sizeof *r->at);
        ck_assert_ptr_nonnull(r->at);
    }
    r->at[r->count++] = symbol;
}

static uint64_t state;

static uint32_t below(uint32_t most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

static void make_random(struct row *r, size_t count)
{
    while (r->count < count)
        put(r, below(10));
}

static enum prvcut_status unroll(void *ctx, uint32_t symbol, uint64_t at, struct prvcut_error *err)
{
    (void)err;
    /* Each assertion is written to a file: not one a symbol. */
    if (at != ((struct row *)ctx)->count)
        ck_abort_msg("a symbol is missing, or too many");
    put(ctx, symbol);
    return PRVCUT_OK;
}

static void ck_lossless(const struct pat_nest *n, const struct row *r)
{
    struct row out = { .at = NULL };
    const struct pat_walker w = { .symbol = unroll, .ctx = &out, .unrolled = true };

    ck_assert_int_eq(pat_nest_walk(n, &w, &error), PRVCUT_OK);
    ck_assert_uint_eq(out.count, r->count);
    ck_assert(out.count == 0 || memcmp(out.at, r->at, out.count * sizeof *out.at) == 0);
    free(out.at);
}

#endif
