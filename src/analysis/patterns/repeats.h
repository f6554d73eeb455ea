#ifndef PRVCUT_ANALYSIS_PATTERNS_REPEATS_H
#define PRVCUT_ANALYSIS_PATTERNS_REPEATS_H

#include "analysis/patterns/suffix.h"

/**
 * What comes back in a row of symbols. The ends of the row count as symbols of their own, different
 * from all others.
 *
 * source  Alawneh 2011, IV.B, for the definitions
 */

/** A stretch that occurs at least twice, and not always with the same symbol before it, nor behind
    it. */
struct pat_repeat {
    uint32_t length;
    uint32_t first, count; /**< its occurrences begin at suffix.at[first .. first + count) */
    uint32_t least, most;  /**< the first and the last of them in the row */
    bool super;            /**< it is part of no other such stretch */
};

/** A stretch that repeats itself at least twice from end to end, and cannot be made longer. */
struct pat_run {
    uint32_t start, period, length;
};

struct pat_repeats {
    struct pat_suffix suffix;
    struct pat_repeat *repeat; /**< [repeats] by their length, the longest first; then by least */
    size_t repeats, repeat_room;
    uint64_t steps; /**< besides the suffixes' */
};

/**
 * All maximal repeats of at least so many symbols. Steps grow with the row.
 *
 * shape   as of pat_suffix_make; least_length: at least 1
 * owns    *r is initialised here, released with pat_repeats_fini, also after a failure
 * errors  as of pat_suffix_make
 */
enum prvcut_status pat_repeats_make(struct pat_repeats *r, const uint32_t *symbol, size_t count,
                                    uint32_t different, uint32_t least_length,
                                    struct prvcut_error *err);
void pat_repeats_fini(struct pat_repeats *r);

/** Does it occur twice without overlap? */
static inline bool pat_repeat_is_apart(const struct pat_repeat *r)
{
    return r->most - r->least >= r->length;
}

/** Where it occurs, in order: [r->count] places. shape: place: room for as many */
void pat_repeat_places(const struct pat_repeats *all, const struct pat_repeat *r, uint32_t *place);

/** How many of its occurrences, from left to right, overlap none before. shape: place: in order */
uint32_t pat_repeat_apart(const struct pat_repeat *r, const uint32_t *place);

/**
 * All runs, by start, then by period. Steps grow with the row.
 *
 * shape   as of pat_suffix_make
 * owns    *out is the caller's to free(), also after a failure
 * errors  as of pat_suffix_make
 * source  Bannai et al. 2017, "The runs theorem"
 */
enum prvcut_status pat_runs_make(struct pat_run **out, size_t *runs, const uint32_t *symbol,
                                 size_t count, uint32_t different, uint64_t *steps,
                                 struct prvcut_error *err);

#endif
