#ifndef PRVCUT_API_EFFICIENCY_BORDERS_H
#define PRVCUT_API_EFFICIENCY_BORDERS_H

#include "model/trace.h"

/** Iterations by borders that a file tells. */
struct api_borders {
    struct prvcut_window *window; /**< [iterations]; owned */
    uint64_t *bound;              /**< what the windows point into; owned */
    size_t iterations;
};

/**
 * Read a file with lines "TASK ITERATION NS": when each task, from 1, begins each iteration; lines
 * that begin with # and empty ones are comments. The last border of all ends the last iteration.
 *
 * owns    *b is initialised here, released with api_borders_fini, also after a failure
 * errors  PRVCUT_EUSAGE: no such task, tasks have not as many borders each, times go back; with the
 *         line; PRVCUT_EFORMAT, PRVCUT_ELIMIT; PRVCUT_EIO
 */
enum prvcut_status api_borders_read(struct api_borders *b, const struct prvcut_trace *trace,
                                    const char *path, struct prvcut_error *err);

void api_borders_fini(struct api_borders *b);

/** ns, where a run ends whose end is told, behind all windows of its threads; else UINT64_MAX. */
uint64_t api_efficiency_end(const struct prvcut_trace *t);

/**
 * The windows of threads that the trace tells, if it does, as bounds of w.
 *
 * owns   *bounds is the caller's, freed with free once w is not used any more
 * errors PRVCUT_ENOMEM
 */
enum prvcut_status api_efficiency_own(struct prvcut_window *w, uint64_t **bounds,
                                      const struct prvcut_trace *t, struct prvcut_error *err);

#endif
