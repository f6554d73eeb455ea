#ifndef PRVCUT_ANALYSIS_PATTERNS_SEE_H
#define PRVCUT_ANALYSIS_PATTERNS_SEE_H

#include "analysis/patterns/choose.h"
#include "analysis/patterns/ends.h"
#include "analysis/patterns/tree.h"

/** How the outermost loop is known; numbers of prvcut/patterns.h's enum prvcut_nest_source. */
enum pat_source { PAT_EXACT, PAT_TOLERANT, PAT_STRUCTURE };

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
    enum pat_source source;
    struct pat_tolerant loop;    /**< count 0: not tolerant */
    struct pat_ends ends;        /**< its iterations, with those that the structure adds */
    struct pat_given_loop given; /**< count 0: not of the structure */
    char *usual;                 /**< of the structure: the nest of the usual iteration; owned */
    uint64_t usual_count;        /**< iterations that are so */
    struct pat_tree tree;
    uint64_t unfolded;
};

/**
 * The nest of a thread, its outermost loop, and the tree of both. Where the loop is that of the
 * structure, the tree is the exact one, which loses nothing, and `usual` is the iteration.
 *
 * shape   given: the structure's iterations; NULL: nobody asked. They are taken where the source
 *         is the structure, but not for regions that repeat exactly; where it is tolerant, for
 *         threads that show no loop so
 * owns    *out is initialised here, released with pat_seen_fini, also after a failure
 * errors  PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status pat_see(struct pat_seer *s, const struct pat_thread *t,
                           enum pat_alphabet alphabet, enum pat_source source,
                           const struct pat_given *given, struct pat_seen *out,
                           struct prvcut_error *err);
/** Does the loop of a thread come from the structure, given what its own nest shows? */
bool pat_see_given(const struct pat_thread *t, enum pat_source source,
                   const struct pat_given *given, const struct pat_fit *exact);
void pat_seen_fini(struct pat_seen *s);

#endif
