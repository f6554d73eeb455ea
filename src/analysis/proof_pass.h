#ifndef PRVCUT_ANALYSIS_PROOF_PASS_H
#define PRVCUT_ANALYSIS_PROOF_PASS_H

#include "analysis/proof.h"
#include "analysis/proof_cells.h"
#include "analysis/proof_found.h"

/** Parts of a trace that are read, of one that was read before; beside nobody listens. */
struct prvcut_proof_only {
    const struct prvcut_span *span; /**< [spans] ascending and disjoint; NULL: all is read, once */
    size_t spans;
    uint64_t before; /**< ns that are read before each, for what holds on at its start */
};

/** What is asked for. */
struct prvcut_proof_asked {
    const struct prvcut_proof_cells *cells;
    const struct prvcut_dictionary *names;
    const struct prvcut_proof_beside *beside; /**< NULL: nobody */
    struct prvcut_proof_only only;
};

/**
 * Read a trace and add up what is asked for; once more where there is no MPI call in it but the
 * trace may have regions.
 *
 * owns    out is initialised here, released with prvcut_proof_found_fini, also after a failure
 */
enum prvcut_status prvcut_proof_pass(struct prvcut_proof_found *out, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_proof_asked *asked,
                                     struct prvcut_error *err);

#endif
