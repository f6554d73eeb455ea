#ifndef PRVCUT_PROOF_H
#define PRVCUT_PROOF_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One quantity, in the chop and in the region that the chop stands for. */
struct prvcut_proof_row {
    const char *group; /**< constant: "state", "call", "traffic", "counter", "efficiency" */
    char *name;        /**< "Running", "MPI_Allreduce", "messages", "IPC", ...; owned */
    const char *unit;  /**< constant: "share", "1/iteration", "B/iteration", "instr/cycle" */
    double chop, region;
    double error; /**< chop / region - 1; 0 where both are 0; INFINITY where only the region's is */
    double weight; /**< 0..1: how much it counts in the verdict */
};

/** How well a chop stands for its region. Zeroed: it was not asked for. */
struct prvcut_proof {
    struct prvcut_proof_row *row; /**< [rows], worst first: by |error| times weight; owned */
    size_t rows;
    const char *verdict;      /**< constant, one word; NULL: no proof was made */
    double worst;             /**< the greatest |error| times weight */
    double iterations_region; /**< over which the region's values were taken; masks left out */
    uint32_t threads;         /**< that make calls in the region */
    uint32_t unlike; /**< threads whose calls per iteration differ by more than 10 %, or that
                          make calls in the region and none in the chop, or none at all */
    uint32_t *unlike_thread; /**< the first of them, at most 64, dense 0-based; owned */
    uint32_t unlike_threads;
};

void prvcut_proof_fini(struct prvcut_proof *p);

#ifdef __cplusplus
}
#endif

#endif
