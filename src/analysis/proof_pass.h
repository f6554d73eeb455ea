#ifndef PRVCUT_ANALYSIS_PROOF_PASS_H
#define PRVCUT_ANALYSIS_PROOF_PASS_H

#include "analysis/proof.h"
#include "analysis/proof_cells.h"
#include "analysis/proof_sums.h"

/** What is known of one thread in one slot. */
struct prvcut_proof_thread {
    uint64_t running; /**< ns in the running state */
    uint64_t mpi;     /**< ns in MPI calls */
    uint64_t
        calls; /**< that begin there, times 2; bit 0: it has a state, a call or a part of one */
};

/** Most of these; where there would be more, threads are not told apart. */
#define PRVCUT_PROOF_DETAIL ((size_t)1 << 21)

/** MPI calls whose begin was seen, and those of them that end before they begin: lines of a thread
    are out of order in time. */
struct prvcut_proof_ended {
    uint64_t calls, backward;
};

/** All that a pass over a trace found. */
struct prvcut_proof_found {
    struct prvcut_proof_sums sums;
    struct prvcut_proof_thread *thread; /**< [slots * threads], slot by slot; NULL: too many */
    struct prvcut_proof_ended ended;    /**< of all that was read */
    bool regions; /**< there are no MPI calls: what are called so are regions that are entered */
};

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

void prvcut_proof_found_fini(struct prvcut_proof_found *f);

#endif
