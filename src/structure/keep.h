#ifndef PRVCUT_STRUCTURE_KEEP_H
#define PRVCUT_STRUCTURE_KEEP_H

#include "base/bytes.h"
#include "model/made.h"
#include "structure/known.h"

/** What the witnesses said. */
void prvcut_votes_put(struct prvcut_put *p, const struct prvcut_vote *vote, size_t votes);
/** owns: *vote is the caller's, also where g is bad; its texts stand in the bytes that are read */
void prvcut_votes_get(struct prvcut_get *g, struct prvcut_vote **vote, size_t *votes);

/** A structure without its texts' owner. */
void prvcut_structure_put(struct prvcut_put *p, const struct made_structure *s);
/** owns: s is filled here and released by the caller, also where g is bad; its texts stand in the
    bytes that are read */
void prvcut_structure_get(struct prvcut_get *g, struct made_structure *s);

/**
 * Of known loops what is asked after the run was divided: all but the calls of the sequences,
 * where these cut the borders, and the witnesses.
 *
 * first   [PRVCUT_METRICS]: signals that the loops may borrow from
 * regions of the structure
 */
void prvcut_known_loops_put(struct prvcut_put *p, const struct prvcut_known_loops *k,
                            const struct prvcut_signal *first, size_t regions);

/** Where the signals that loops borrow from are taken. */
struct prvcut_keep_signals {
    void *ctx;
    /** NULL: it is not there. */
    const struct prvcut_signal *(*get)(void *ctx, unsigned metric);
};

/**
 * Take them back.
 *
 * signals NULL: the loops get none
 * s       the structure that they belong to
 * owns    k is filled here and released by the caller, also where g is bad; its texts stand in the
 *         bytes that are read
 */
void prvcut_known_loops_get(struct prvcut_get *g, struct prvcut_known_loops *k,
                            const struct made_structure *s, uint32_t threads,
                            const struct prvcut_keep_signals *signals);

#endif
