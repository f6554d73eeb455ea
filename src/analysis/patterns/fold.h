#ifndef PRVCUT_ANALYSIS_PATTERNS_FOLD_H
#define PRVCUT_ANALYSIS_PATTERNS_FOLD_H

#include "analysis/patterns/bodies.h"

/**
 * A row of symbols folded as it comes: where the last elements of a stack equal those before them,
 * both become a loop; where they equal the body of the loop before them, it counts one more. A loop
 * at the end follows what comes with a cursor and is touched only when something else comes.
 *
 * source  Trahay et al., PDP 2015, III (loops and sequences), but from left to right in one go
 */
struct pat_fold {
    struct pat_bodies *bodies; /**< borrowed */
    uint64_t *aside;           /**< [asides] elements that were set aside when too many were open */
    size_t asides, aside_room;
    uint64_t *element; /**< [count] the stack */
    uint64_t *sum;     /**< [count + 1] hashes of the rows up to each */
    uint32_t *same;    /**< [count] an earlier one with the same place among the grams: its place
                            + 1, and a part of its hash; 0: none */
    uint32_t *loop;    /**< [count] place + 1 of the last loop up to it; 0: none */
    uint32_t
        *longer; /**< [count] of a loop: place + 1 of the last one before it with a longer body */
    size_t count, room;
    uint32_t *latest; /**< [2^bits] the latest gram, as in same */
    unsigned bits;
    size_t longest, longest_at; /**< of so many elements in all, so many last ones were before at
                                     most; longest_at 0: not known */
    uint64_t *power;            /**< [powers] of PAT_ROW_BASE */
    size_t powers, power_room;
    struct pat_cursor *cursor; /**< [depth] where the loop at the end is; depth 0: nowhere */
    size_t depth, cursor_room;
    uint32_t whole; /**< iterations of that loop that have come since */
    /**
     * Tolerant: an element is compared without how often it goes round, and repeats of one element
     * are that element: loops have the count 1, and pieces tell how often. There is no cursor, and
     * nothing is set aside: PRVCUT_NONE where too many are open.
     */
    bool tolerant;
    uint32_t *own;           /**< [count] each element's piece */
    struct pat_piece *piece; /**< [pieces] */
    size_t pieces, piece_room;
    uint64_t added;    /**< symbols */
    size_t open_most;  /**< elements, at most 2^20; 0: 2^20 */
    uint64_t unfolded; /**< symbols set aside as they are */
    uint64_t steps;    /**< comparisons and elements moved: what it costs */
};

/** One level of the way into a loop. */
struct pat_cursor {
    uint32_t body, index; /**< the next element */
    uint32_t done, count; /**< iterations of this loop; count: of an inner one */
};

/** Where an element of a tolerant fold is, and what it is made of. */
struct pat_piece {
    uint64_t start; /**< place of its first symbol */
    uint32_t times; /**< how often it goes round */
    uint32_t first,
        last;      /**< place + 1 of the elements that its iterations are made of, in order */
    uint32_t next; /**< place + 1 of the next one in the same loop; 0: none */
};

/** Zeroed but for bodies is empty; released with pat_fold_fini. */
void pat_fold_fini(struct pat_fold *f);
/** Begin again; memory is kept. */
void pat_fold_clear(struct pat_fold *f);

/** errors: PRVCUT_ENOMEM */
enum prvcut_status pat_fold_add(struct pat_fold *f, uint32_t symbol, struct prvcut_error *err);

/**
 * The symbols that come next: where they will be looked for is fetched, so that rows which do not
 * fit into a cache are not waited for.
 */
void pat_fold_expect(const struct pat_fold *f, const uint32_t *next, size_t count);

/** No more symbols come: what the cursor has walked is put down. Then all is in aside and element,
    in this order. */
enum prvcut_status pat_fold_end(struct pat_fold *f, struct prvcut_error *err);

#endif
