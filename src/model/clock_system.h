#ifndef PRVCUT_MODEL_CLOCK_SYSTEM_H
#define PRVCUT_MODEL_CLOCK_SYSTEM_H

#include "base/error.h"

/** x[to] >= x[from] + weight, ns; one with slack may be relaxed where clocks contradict. */
struct prvcut_clock_edge {
    int64_t weight;
    uint32_t from, to;
    bool slack;
};

/**
 * Difference constraints between processes. Nodes beyond the processes stand for the instant of a
 * collective: everybody began before it, and it was before anybody's end.
 */
struct prvcut_clock_system {
    struct prvcut_clock_edge *edge; /**< owned */
    size_t edges, room;
    uint32_t tasks, nodes; /**< nodes >= tasks */
};

/** Largest size of a weight, ns: 73 years; keeps sums of two within 64 bits. */
#define PRVCUT_CLOCK_FAR (INT64_C(1) << 61)

enum prvcut_status prvcut_clock_system_add(struct prvcut_clock_system *s,
                                           const struct prvcut_clock_edge *e,
                                           struct prvcut_error *err);

void prvcut_clock_system_fini(struct prvcut_clock_system *s);

struct prvcut_clock_solution {
    int64_t *offset;     /**< [tasks]; owned; least is 0 */
    uint64_t *range;     /**< [tasks]; owned; half of the range of each beside the first process;
                              UINT64_MAX: it is not bounded both ways */
    uint32_t unknown;    /**< processes outside the largest group that constraints tie together */
    uint64_t doubt;      /**< half of the widest range of an offset that is bounded both ways */
    uint64_t relaxation; /**< by which constraints with slack had to be relaxed */
    uint64_t residual;   /**< greatest contradiction that is left */
};

/**
 * The middle of what the constraints leave to each process.
 *
 * owns    *out is initialised here, released with prvcut_clock_solution_fini
 * errors  PRVCUT_ENOMEM
 * source  Bellman and Ford's longest paths from and to one process of each strongly connected
 *         group; the mean of two solutions is a solution. Cycles of positive weight are relaxed by
 *         their mean (Lawler), which gives the least relaxation that has a solution.
 */
enum prvcut_status prvcut_clock_system_solve(struct prvcut_clock_solution *out,
                                             const struct prvcut_clock_system *s,
                                             struct prvcut_error *err);

void prvcut_clock_solution_fini(struct prvcut_clock_solution *s);

#endif
