#ifndef PRVCUT_ANALYSIS_PATTERNS_NEST_H
#define PRVCUT_ANALYSIS_PATTERNS_NEST_H

#include "analysis/patterns/fold.h"
#include "base/buffer.h"

/**
 * A row of symbols as symbols and loops, nested, without loss: folded, then refined, so that the
 * loop that most symbols are in begins as early as it can and has its shortest period.
 */
struct pat_nest {
    struct pat_bodies bodies;
    uint64_t *top; /**< [count] elements */
    size_t count, room;
    uint64_t unfolded; /**< symbols that were set aside, as too many were open at a time */
    uint64_t steps;    /**< what it cost: comparisons, and elements moved */
    /* Used while it is made. */
    struct pat_fold fold;
    uint32_t *border; /**< [border_room] */
    size_t border_room;
};

void pat_nest_init(struct pat_nest *n);
void pat_nest_fini(struct pat_nest *n);

/** errors: PRVCUT_ENOMEM, PRVCUT_ELIMIT: 2^32 symbols */
enum prvcut_status pat_nest_make(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                 struct prvcut_error *err);

/** The same without refining: what the fold alone gives. */
enum prvcut_status pat_nest_fold(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                 struct prvcut_error *err);

/** Elements of the nest as a tree: each symbol and each loop that stands in it. */
uint64_t pat_nest_size(const struct pat_nest *n);
/** Loops around the innermost symbol. */
unsigned pat_nest_depth(const struct pat_nest *n);

/** A loop at the top. */
struct pat_outermost {
    size_t at;       /**< its place in top; SIZE_MAX: there is none */
    uint64_t first;  /**< its first symbol's place in the row */
    uint64_t calls;  /**< of an iteration */
    uint32_t count;  /**< iterations */
    uint64_t others; /**< symbols in other loops at the top with the same body */
};

/** The loop of at least 3 iterations that holds most symbols; the first of equals. */
struct pat_outermost pat_nest_outermost(const struct pat_nest *n);

/** Steps over the elements of a nest in their order; those of loops stand before their bodies. */
struct pat_walker {
    /** A symbol, at that place of the row; NULL. */
    enum prvcut_status (*symbol)(void *ctx, uint32_t symbol, uint64_t at, struct prvcut_error *err);
    /** A loop begins, or ends; NULL. PRVCUT_END where it begins: not what is inside. */
    enum prvcut_status (*loop)(void *ctx, uint64_t element, uint64_t at, bool begins,
                               struct prvcut_error *err);
    void *ctx;
    bool unrolled; /**< each iteration, else each body once */
};

enum prvcut_status pat_nest_walk(const struct pat_nest *n, const struct pat_walker *w,
                                 struct prvcut_error *err);

/** One row of it: the top's or a body's, whose first symbol is at that place. */
enum prvcut_status pat_row_walk(const struct pat_bodies *b, const uint64_t *row, size_t count,
                                uint64_t at, const struct pat_walker *w, struct prvcut_error *err);

/** The shortest period that a row repeats from end to end; border: room for count. */
size_t pat_root(const uint32_t *symbol, size_t count, uint32_t *border);

#endif
