#ifndef PRVCUT_EXCHANGE_H
#define PRVCUT_EXCHANGE_H

#include "prvcut/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How processes that work on one trace together hand bytes to each other: by MPI, in prvcut-mpi.
 *
 * Each process (rank) makes the same calls with the same options on the same trace. Where all of
 * the trace is read, each reads one piece of it; what they found is put together, and every one
 * goes on with the whole. So all have the same answer, that of one process alone; the outputs are
 * written by the rank that does not ask for a dry run, a report for CUBE by rank 0.
 *
 * The library calls these functions from the thread that called it, in the same order in all ranks.
 * A failure (a status below 0, with the error filled in) ends the call that it happened in. Closed:
 * this struct does not grow.
 */
struct prvcut_exchange {
    void *ctx;
    unsigned rank, ranks; /**< rank < ranks */
    /** Wait for all ranks, and fail in all of them unless they come with the same text: one line
        that says what is begun, and with which file. */
    enum prvcut_status (*meet)(void *ctx, const char *text, struct prvcut_error *err);
    /** Hand bytes to another rank, which receives as many; may wait for it. */
    enum prvcut_status (*send)(void *ctx, unsigned to, const void *bytes, size_t count,
                               struct prvcut_error *err);
    enum prvcut_status (*receive)(void *ctx, unsigned from, void *bytes, size_t count,
                                  struct prvcut_error *err);
};

#ifdef __cplusplus
}
#endif

#endif
