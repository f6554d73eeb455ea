#ifndef PRVCUT_ANALYSIS_PATTERNS_CHOOSE_H
#define PRVCUT_ANALYSIS_PATTERNS_CHOOSE_H

#include "analysis/patterns/nest.h"
#include "analysis/patterns/sequences.h"

/** Which alphabet shows the iteration of a run. */

/** How a nest's largest loop stands to its thread. */
struct pat_fit {
    struct pat_outermost loop; /**< at is SIZE_MAX: there is none of three iterations */
    double cover;              /**< share of the thread's calls */
    double time;               /**< share of its time, from its first call to the end of its last */
    bool outermost;            /**< it is the thread's outermost loop */
};

/** No alphabet: none has an outermost loop. */
#define PAT_NONE PAT_ALPHABETS

/** What a loop lacks to be its thread's outermost one. */
enum pat_miss {
    PAT_MISS_NOTHING,
    PAT_MISS_TIME,  /**< it takes nearly none */
    PAT_MISS_CALLS, /**< most calls, or many and most of the time, are outside of it */
    PAT_MISS_ALONE  /**< its calls repeat elsewhere at the top, too: it is an inner one */
};

/** shape: f: of a loop that there is, but for `outermost`; t: it has calls */
enum pat_miss pat_fit_misses(const struct pat_fit *f, const struct pat_thread *t);

struct pat_fit pat_fit_of(const struct pat_nest *n, const struct pat_thread *t);

/** Does an alphabet tell more of a thread's calls apart than each coarser one? Else its nest is
    that one's. */
bool pat_alphabet_adds(const struct pat_thread *t, enum pat_alphabet alphabet);

/** Symbols of a thread in an alphabet; out: [t->calls]. */
void pat_symbols(const struct pat_thread *t, enum pat_alphabet alphabet, uint32_t *out);

/**
 * The alphabet for one thread: that with the best cover, then, as long as there is one, one whose
 * iteration has half as many calls more and that covers nearly as much. PAT_NONE: none.
 *
 * shape   only: that one, or none; PAT_NONE: any; how: how its loop stands to the thread; NULL
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_choose(const struct pat_thread *t, enum pat_alphabet only,
                              enum pat_alphabet *out, struct pat_fit *how,
                              struct prvcut_error *err);

/** By majority, the finer of equals; those that have none do not vote. */
enum pat_alphabet pat_majority(const enum pat_alphabet *vote, size_t votes);

#endif
