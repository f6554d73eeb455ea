#ifndef PRVCUT_ANALYSIS_PROOF_CELLS_H
#define PRVCUT_ANALYSIS_PROOF_CELLS_H

#include "analysis/proof.h"

/** A part of a stretch: the times of each thread whose values are wanted. */
struct prvcut_proof_piece {
    struct prvcut_span span; /**< hull of the threads' spans */
    struct prvcut_window window;
    const struct prvcut_span *mask;
    size_t masks;
    uint32_t slot; /**< the stretch's */
};

/**
 * Time cut at every border of every piece, so that within a cell the same slots are meant
 * throughout; only threads with windows of their own divide some cells further. A slot is a stretch
 * of the run, which may have several pieces, disjoint on each thread.
 */
struct prvcut_proof_cells {
    struct prvcut_proof_piece *piece; /**< [pieces]: slot by slot; owned */
    size_t *of;                       /**< [slots + 1]: first piece of each; owned */
    size_t pieces, slots;
    uint64_t *edge; /**< [cells + 1] ascending, from 0 to UINT64_MAX; owned */
    size_t cells;
    size_t *first;  /**< [cells + 1]: a cell's pieces are list[first[i] .. first[i + 1]); owned */
    uint32_t *list; /**< owned */
    size_t deepest; /**< most pieces of a cell */
};

/** A time span of one thread in which the same slots are meant, and these. */
struct prvcut_proof_place {
    uint64_t lo, hi; /**< ns; empty: nothing is known yet */
    size_t cell;
    uint32_t slots;
};

/** owns: *c is initialised here, released with prvcut_proof_cells_fini, also after a failure */
enum prvcut_status prvcut_proof_cells_init(struct prvcut_proof_cells *c,
                                           const struct prvcut_proof_region *stretch,
                                           size_t stretches, uint32_t threads,
                                           struct prvcut_error *err);

/** Where a time lies on a thread. shape: slot[deepest]; p: the last place found, or zeroed */
void prvcut_proof_cells_find(const struct prvcut_proof_cells *c, uint32_t thread, uint64_t time,
                             struct prvcut_proof_place *p, uint32_t *slot);

/** ns of a thread that a slot means; masked: with what is masked. */
uint64_t prvcut_proof_slot_length(const struct prvcut_proof_cells *c, size_t slot, uint32_t thread,
                                  bool masked);

void prvcut_proof_cells_fini(struct prvcut_proof_cells *c);

#endif
