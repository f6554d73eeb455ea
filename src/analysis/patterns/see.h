#ifndef PRVCUT_ANALYSIS_PATTERNS_SEE_H
#define PRVCUT_ANALYSIS_PATTERNS_SEE_H

#include "analysis/patterns/choose.h"
#include "analysis/patterns/tolerant.h"
#include "analysis/patterns/tree.h"

/** How a nest is made. */
enum pat_source { PAT_EXACT, PAT_TOLERANT };

/** Makes nests of threads, one after the other. */
struct pat_seer {
    const struct prvcut_dictionary *names; /**< borrowed */
    struct pat_nest nest;                  /**< of the last one, exact */
    uint32_t *symbol;                      /**< [calls] of the last one */
    size_t symbol_room;
    struct pat_argued *argued; /**< [different symbols] of the last one */
    size_t argued_room;
};

void pat_seer_init(struct pat_seer *s, const struct prvcut_dictionary *names);
void pat_seer_fini(struct pat_seer *s);

/** What is seen of a thread. */
struct pat_seen {
    struct pat_fit fit;
    struct pat_tolerant loop; /**< count 0: exact */
    struct pat_tree tree;
    uint64_t unfolded;
};

/**
 * The nest of a thread, its outermost loop, and the tree of both.
 *
 * owns    *out is initialised here, released with pat_seen_fini, also after a failure
 * errors  PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status pat_see(struct pat_seer *s, const struct pat_thread *t,
                           enum pat_alphabet alphabet, enum pat_source source, struct pat_seen *out,
                           struct prvcut_error *err);
void pat_seen_fini(struct pat_seen *s);

#endif
