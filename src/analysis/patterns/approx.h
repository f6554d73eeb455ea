#ifndef PRVCUT_ANALYSIS_PATTERNS_APPROX_H
#define PRVCUT_ANALYSIS_PATTERNS_APPROX_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Where a row of symbols stands in a longer one, nearly: with at most so many edits, each of which
 * inserts, deletes or replaces a symbol. 64 symbols of the query are compared at a time.
 *
 * source  Myers 1999, "A fast bit-vector algorithm for approximate string matching"
 */
struct pat_query {
    const uint32_t *symbol; /**< [count] borrowed */
    size_t count;
    uint32_t different; /**< its symbols are below that; any other is equal to none of them */
    size_t words;
    uint64_t *forth;     /**< [different][words] where each symbol stands in it */
    uint64_t *back;      /**< the same, of the query from its end */
    uint64_t *up, *down; /**< [words] */
};

/** Longest query, and most edits. */
#define PAT_QUERY_MOST ((size_t)65536)

/**
 * shape   symbol: [count], 1 to PAT_QUERY_MOST
 * owns    *q is initialised here, released with pat_query_fini, also after a failure
 * errors  PRVCUT_EUSAGE: too long, or empty; PRVCUT_ENOMEM
 */
enum prvcut_status pat_query_init(struct pat_query *q, const uint32_t *symbol, size_t count,
                                  uint32_t different, struct prvcut_error *err);
void pat_query_fini(struct pat_query *q);

/** The least edits from the query to any stretch that ends with each symbol. shape: edits: [count],
    as row */
void pat_query_edits(struct pat_query *q, const uint32_t *row, size_t count, uint32_t *edits);

/** A stretch of a row that is nearly the query. */
struct pat_match {
    uint32_t start, end; /**< half open */
    uint32_t edits;
};

/**
 * Stretches with at most so many edits, none of which overlap: those with the fewest edits are
 * taken first, of equals those that end first, each as short as its edits allow.
 *
 * shape   most: below the query's length
 * owns    *out is the caller's to free(), also after a failure; by their start
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_query_find(struct pat_query *q, const uint32_t *row, size_t count,
                                  uint32_t most, struct pat_match **out, size_t *matches,
                                  struct prvcut_error *err);

#endif
