#ifndef PRVCUT_ANALYSIS_PATTERNS_SUFFIX_H
#define PRVCUT_ANALYSIS_PATTERNS_SUFFIX_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** Most symbols of a row that is sorted: 20 bytes each while that is done. */
#define PAT_SUFFIX_MOST ((size_t)1 << 24)

/**
 * The suffixes of a row of symbols in order, and how much each has in common with the one before
 * it. Memory and steps grow with the row, whatever it holds.
 *
 * source  Nong, Zhang, Chan 2009 (sorting by induction); Kasai et al. 2001 (common prefixes)
 */
struct pat_suffix {
    const uint32_t *symbol; /**< borrowed */
    size_t count;
    uint32_t *at; /**< [count] where the suffixes begin, in their order; one that is the beginning
                       of another stands before it */
    uint32_t *place;  /**< [count] the way back: place[at[i]] is i */
    uint32_t *common; /**< [count] symbols that at[i] and at[i - 1] begin with; [0] is 0 */
    uint32_t *least;  /**< of blocks of common, for pat_suffix_common; NULL until asked for */
    size_t blocks;
    unsigned levels;
    uint64_t steps; /**< what it cost */
};

/**
 * shape   symbol: [count], each below `different`; borrowed until the end
 * owns    *s is initialised here, released with pat_suffix_fini, also after a failure
 * errors  PRVCUT_ELIMIT: more than PAT_SUFFIX_MOST; PRVCUT_ENOMEM
 */
enum prvcut_status pat_suffix_make(struct pat_suffix *s, const uint32_t *symbol, size_t count,
                                   uint32_t different, struct prvcut_error *err);
void pat_suffix_fini(struct pat_suffix *s);

/** Get ready for pat_suffix_common. errors: PRVCUT_ENOMEM */
enum prvcut_status pat_suffix_prepare(struct pat_suffix *s, struct prvcut_error *err);

/** How many symbols two suffixes begin with in common; a, b <= count. */
size_t pat_suffix_common(struct pat_suffix *s, size_t a, size_t b);

#endif
