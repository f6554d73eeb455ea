#ifndef PRVCUT_ANALYSIS_PROOF_FOUND_H
#define PRVCUT_ANALYSIS_PROOF_FOUND_H

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
    struct prvcut_proof_thread *thread; /**< [details], slot by slot; NULL: too many */
    size_t details;                     /**< slots * threads, or 0 */
    struct prvcut_proof_ended ended;    /**< of all that was read */
    bool regions; /**< there are no MPI calls: what are called so are regions that are entered */
};

/** Nothing was found yet; regions stays as it is. owns: released with prvcut_proof_found_fini, also
    after a failure */
enum prvcut_status prvcut_proof_found_init(struct prvcut_proof_found *f, size_t slots,
                                           uint32_t threads, struct prvcut_error *err);

/** For another process, or to be kept; what is taken back is added; nothing was found. shape: _get:
    f: initialised with the same slots and threads */
void prvcut_proof_found_put(struct prvcut_put *p, const struct prvcut_proof_found *f);
void prvcut_proof_found_get(struct prvcut_get *g, struct prvcut_proof_found *f);
void prvcut_proof_found_clear(struct prvcut_proof_found *f);

void prvcut_proof_found_fini(struct prvcut_proof_found *f);

#endif
