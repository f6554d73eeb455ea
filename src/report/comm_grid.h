#ifndef PRVCUT_REPORT_COMM_GRID_H
#define PRVCUT_REPORT_COMM_GRID_H

#include "base/error.h"
#include "prvcut/comm.h"

/** A matrix in so few fields that it can be drawn: of many ranks, several share one. */
struct comm_grid {
    const struct prvcut_comm_matrix *m; /**< borrowed */
    uint32_t fields, each;              /**< on a side; ranks of one */
    uint64_t *messages;                 /**< [fields * fields]: from row to column; owned */
    uint64_t *bytes;                    /**< the same; owned */
    double greatest;                    /**< of bytes, of messages where no bytes are told */
};

/**
 * Add up what a matrix of one rank at least tells.
 *
 * most    fields on a side
 * owns    *g is released with comm_grid_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status comm_grid_init(struct comm_grid *g, const struct prvcut_comm_matrix *m,
                                  uint32_t most, struct prvcut_error *err);

void comm_grid_fini(struct comm_grid *g);

#endif
