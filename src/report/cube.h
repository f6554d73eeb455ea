#ifndef PRVCUT_REPORT_CUBE_H
#define PRVCUT_REPORT_CUBE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A report for CUBE's viewers and tools: metrics x call tree x system tree. Whoever has numbers by
 * call path and thread describes them so; the writer knows the files.
 *
 * Where something has a parent, the parent stands before it; PRVCUT_NOBODY: it is a root. Texts are
 * borrowed, and may hold anything: what XML cannot hold is replaced.
 */
struct report_cube_metric {
    const char *unique;  /**< name for tools: "mpi_latesender"; letters, digits and '_' */
    const char *display; /**< name for people */
    const char *unit;    /**< "sec", "occ", "bytes" */
    const char *text;    /**< what it is; NULL: nothing is said */
    uint32_t parent;     /**< whose values contain this one's */
};

struct report_cube_region {
    const char *name;
    const char *file;     /**< NULL: unknown */
    const char *paradigm; /**< "mpi", "openmp", "pthread", "io", "user"; NULL: unknown */
};

/** A call path: what was called, by whom. */
struct report_cube_path {
    uint32_t region;
    uint32_t parent;
};

struct report_cube_process {
    uint32_t node;
    uint32_t rank;
    const char *name; /**< NULL: "MPI Rank N" */
};

struct report_cube_thread {
    uint32_t process;
    uint32_t number;  /**< in its process, from 0 */
    const char *name; /**< NULL: "thread N" */
};

struct report_cube_dimension {
    const char *name;
    uint32_t size;
    bool periodic;
};

/** Where threads stand in a grid. */
struct report_cube_topology {
    const char *name;
    const struct report_cube_dimension *dimension;
    size_t dimensions;
    const uint32_t *at; /**< [threads][dimensions], each below its size; PRVCUT_NOBODY in the first:
                             that thread has no place */
};

/**
 * A value other than 0: of a thread, in that path itself, without what it calls, and with what the
 * metrics below this one say. Several of one place add up. There is no line for what is 0.
 */
struct report_cube_cell {
    uint32_t metric, path, thread;
    double value; /**< in the metric's unit; not NAN */
};

struct report_cube {
    const struct report_cube_metric *metric; /**< [metrics], at least one */
    const struct report_cube_region *region; /**< [regions], at least one */
    const struct report_cube_path *path;     /**< [paths], at least one */
    const char *machine;                     /**< NULL: "machine" */
    const char *const *node;                 /**< [nodes], at least one */
    const struct report_cube_process *process;
    const struct report_cube_thread *thread; /**< [threads], at least one */
    const struct report_cube_topology *topology;
    /** Values: all of them, [cells], in any order; sorted and changed by the writer. Or, where give
        is set, those of one metric at a time: it is asked once of each, and what it hands over is
       the writer's to change until it is asked again. */
    struct report_cube_cell *cell;
    enum prvcut_status (*give)(void *ctx, uint32_t metric, struct report_cube_cell **cell,
                               size_t *cells, struct prvcut_error *err);
    void *ctx;
    size_t metrics, regions, paths, nodes, processes, threads, topologies, cells;
    const char *of; /**< the trace, as people call it; NULL: nothing is said */
};

enum report_cube_form {
    REPORT_CUBE_4, /**< NAME.cubex: an archive */
    REPORT_CUBE_3, /**< NAME.cube: a text */
};

/**
 * Write a report, whole or not at all; "-" is standard output.
 *
 * The same description gives the same bytes. Beside the cells it takes memory for one row of values
 * (8 bytes a thread) and for the description as XML. Cells take 24 bytes each: where there may be
 * very many, give them metric by metric.
 *
 * errors  those of give; PRVCUT_EEXIST: without force, something stands there; PRVCUT_EIO;
 * PRVCUT_ENOMEM; PRVCUT_ELIMIT: a metric has more than 8 GiB of values, which no .cubex holds
 * source  CUBE 4: ustar with anchor.xml, ID.data and ID.index, rows by position in the call tree;
 *         CUBE 3: cube.dtd
 */
enum prvcut_status report_cube_write(const struct report_cube *cube, enum report_cube_form form,
                                     const char *path, bool force, struct prvcut_error *err);

#endif
