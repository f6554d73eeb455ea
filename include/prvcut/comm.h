#ifndef PRVCUT_COMM_H
#define PRVCUT_COMM_H

#include "prvcut/trace.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Who talks to whom, by name. Numbered once and for ever. */
enum prvcut_topology {
    PRVCUT_TOPOLOGY_NONE = 0,      /**< no messages between ranks */
    PRVCUT_TOPOLOGY_IRREGULAR = 1, /**< none of those below fits */
    PRVCUT_TOPOLOGY_PAIRS = 2,  /**< each rank with one other: its neighbour, or half way round */
    PRVCUT_TOPOLOGY_CHAIN = 3,  /**< rank i with i + 1 */
    PRVCUT_TOPOLOGY_RING = 4,   /**< a chain whose ends meet */
    PRVCUT_TOPOLOGY_MESH2D = 5, /**< neighbours along each axis; the first dimension runs fastest */
    PRVCUT_TOPOLOGY_MESH3D = 6,
    PRVCUT_TOPOLOGY_TORUS2D = 7, /**< a mesh whose borders meet */
    PRVCUT_TOPOLOGY_TORUS3D = 8,
    PRVCUT_TOPOLOGY_BUTTERFLY = 9,            /**< ranks that differ in one bit */
    PRVCUT_TOPOLOGY_TRANSPOSE = 10,           /**< row r, column c with row c, column r */
    PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY = 11, /**< and a butterfly inside each row, as NPB's CG */
    PRVCUT_TOPOLOGY_MULTIPARTITION = 12,      /**< a torus and one diagonal, as NPB's BT and SP */
    PRVCUT_TOPOLOGY_MESH2D8 = 13,             /**< a mesh with diagonals: 8 neighbours */
    PRVCUT_TOPOLOGY_MESH3D26 = 14,            /**< the same in space: 26 */
    PRVCUT_TOPOLOGY_TORUS2D8 = 15,
    PRVCUT_TOPOLOGY_TORUS3D26 = 16,
    PRVCUT_TOPOLOGY_STAR = 17, /**< all with the first rank, or with the last one */
    PRVCUT_TOPOLOGY_TREE = 18, /**< a binary heap, or a binomial tree */
    PRVCUT_TOPOLOGY_ALLTOALL = 19
};

/** "mesh2d", "transpose+butterfly": as JSON has it; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_topology_text(enum prvcut_topology topology);

/** A topology of so many ranks. Closed. */
struct prvcut_comm_shape {
    enum prvcut_topology topology;
    uint32_t dim[3];     /**< their product is the number of ranks; the first runs fastest */
    uint32_t dimensions; /**< 1 to 3; 0: none, irregular */
};

/** Does something hold? Numbered once and for ever. */
enum prvcut_comm_holds {
    PRVCUT_COMM_HOLDS_UNTOLD = 0,
    PRVCUT_COMM_HOLDS_FALSE = 1,
    PRVCUT_COMM_HOLDS_TRUE = 2
};

/** Stands for a number that the trace does not tell. */
#define PRVCUT_COMM_UNTOLD UINT64_MAX

/** What matrices are told apart by. Numbered once and for ever. */
enum prvcut_comm_by {
    PRVCUT_COMM_BY_RUN = 0,
    PRVCUT_COMM_BY_REGION = 1, /**< periodic ones, of one level; after each its typical iteration */
    PRVCUT_COMM_BY_ITERATION = 2 /**< of one loop */
};

/** What prvcut_comm_make is told; zeroed is valid. Filled in. */
struct prvcut_comm_options {
    size_t size;             /**< of this struct */
    struct prvcut_span only; /**< ns, look only there; end 0 = everything */
    enum prvcut_comm_by by;
    const char *region; /**< "1.4", "longest": look only there; NULL: everywhere; "all", by run: by
                           region */
    uint64_t first, last; /**< iterations of its loop, from 1: look only there; 0: all */
};

/** What one rank sends to another, or to itself, point to point. Closed. */
struct prvcut_comm_edge {
    uint32_t from, to; /**< ranks, from 0 in their application */
    uint64_t messages, bytes;
    uint64_t ns; /**< from sending to completion, of all whose ends are both recorded */
};

/** What one rank does. Closed. */
struct prvcut_comm_rank {
    uint32_t neighbours; /**< other ranks that it sends to or receives from */
    uint32_t node;       /**< from 0; UINT32_MAX: not told */
    uint64_t sent, sent_bytes, received, received_bytes;
};

/** Messages by their size. Closed. */
struct prvcut_comm_bin {
    uint64_t least, most; /**< bytes: 0 to 0, 1 to 1, 2 to 3, 4 to 7, ... */
    uint64_t messages, bytes;
};

/** A collective call. A view, which grows at its end. */
struct prvcut_comm_collective {
    const char *name;
    uint32_t type;
    int64_t value;
    uint64_t calls;                      /**< of all ranks */
    uint64_t sent_bytes, received_bytes; /**< PRVCUT_COMM_UNTOLD */
    uint64_t ns; /**< in the calls, of all ranks; of those that only start it: in these;
                      PRVCUT_COMM_UNTOLD: one of them has no end */
};

/** Who talks to whom, in one application, in some time. A view, which grows at its end. */
struct prvcut_comm_matrix {
    const char *region;      /**< "1.4"; NULL: of none */
    uint64_t iteration;      /**< from 1; 0: it is none */
    struct prvcut_span span; /**< ns; of regions and iterations on the thread that leads */
    bool disturbed;          /**< a region or an iteration that a flush, say, fell into */
    bool typical;            /**< the iteration that stands for its region */
    uint32_t application;    /**< from 1 */
    uint32_t ranks;
    /* Point to point, where they are sent. */
    uint64_t messages, bytes;
    uint64_t ns;               /**< of those that are timed; PRVCUT_COMM_UNTOLD: none is */
    uint64_t timed;            /**< messages of which both ends are recorded */
    uint64_t self, self_bytes; /**< of these, from a rank to itself: of no shape, no neighbour */
    /* Not among these. */
    uint64_t unknown, unknown_bytes; /**< the partner is not known */
    uint64_t outside, outside_bytes; /**< to another application */
    uint64_t alone;                  /**< receives whose send is not recorded, though others are */
    uint64_t size_least, size_median, size_greatest; /**< bytes; UNTOLD: no messages */
    uint32_t nodes;                                  /**< 0: the trace does not tell */
    uint64_t node_messages, node_bytes; /**< between different ranks of one node; UNTOLD */
    double imbalance;        /**< the most bytes that a rank sends over the mean; of messages where
                                  no bytes are told; NAN: none */
    uint32_t imbalance_rank; /**< who sends most */
    uint32_t neighbours_least, neighbours_median, neighbours_most; /**< see neighbours_middle */
    struct prvcut_comm_shape shape;                                /**< the name */
    bool by_collectives;              /**< shape is alltoall because of the collectives */
    struct prvcut_comm_shape p2p;     /**< of the messages alone */
    double fit;                       /**< of that: 0 to 1; NAN: there are no messages */
    double spread;                    /**< of bytes within edges that should be alike; NAN */
    enum prvcut_comm_holds wavefront; /**< does the work run across the mesh, from a corner? */
    const char *no_wavefront;         /**< constant, why it is not told; NULL: it is */
    size_t ties;                      /**< of prvcut_comm_tie: shapes that fit as well */
    size_t edges;                     /**< of prvcut_comm_edge: by sender, then receiver */
    size_t bins;                      /**< of prvcut_comm_bin */
    size_t collectives;               /**< of prvcut_comm_collective */
    /* Of an alltoall by collectives that are called in parts of the ranks: shape has no dimensions
       then. */
    uint32_t group_least, group_most; /**< ranks of such a part; 0: they are called by all ranks */
    double neighbours_middle; /**< the median: of an even number of ranks the mean of the two in the
                                   middle, of which neighbours_median is the lower one */
};

/** Why something is not told. Closed. */
struct prvcut_comm_reason {
    const char *what; /**< constant: a field of JSON */
    const char *text; /**< constant */
};

/** Who talks to whom: a view, which grows at its end. */
struct prvcut_comm {
    const char *name; /**< of the trace, as people call it */
    enum prvcut_comm_by by;
    struct prvcut_span span; /**< ns, the window */
    uint64_t end_ns;         /**< of the run */
    uint32_t applications, tasks, threads;
    size_t matrices;     /**< of prvcut_comm_matrix: by time, then by application */
    size_t reasons;      /**< of prvcut_comm_reason */
    const char *no_loop; /**< why there is none; NULL where nobody asked, or there is */
    uint64_t unlike;     /**< calls of collectives whose members called different things */
    uint64_t acausal;    /**< messages that are complete before they are sent: in no time */
    uint64_t skipped;    /**< damaged records that were left out (lenient) */
    uint64_t unsorted;   /**< lines, or records of an archive, that were out of order in time, and
                              put in order */
    uint64_t first_unsorted; /**< the first of them, a line from 1; 0: none, or not known */
    uint64_t unsorted_ns;    /**< that the furthest of them stood behind */
};

/**
 * Read who sends what to whom, and tell whether that is a known shape. One reading; a second one
 * where the shape is a mesh, for the wavefront; others search for the loop where regions or
 * iterations are asked for.
 *
 * owns    *out is the caller's, released with prvcut_comm_free; NULL after a failure
 * errors  PRVCUT_NONE: regions or iterations are asked for and there is no loop, as err tells; *out
 * is there all the same, with the matrix of the window; PRVCUT_EUSAGE: an empty window, no such
 * region or iteration; else as a scan source  Alawneh 2011 for the patterns; NPB for their shapes
 */
PRVCUT_API enum prvcut_status prvcut_comm_make(struct prvcut_trace *trace,
                                               const struct prvcut_run *run,
                                               const struct prvcut_comm_options *options,
                                               struct prvcut_comm **out, struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_comm_free(struct prvcut_comm *c);

/** Matrix i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_comm_matrix *prvcut_comm_matrix(const struct prvcut_comm *c,
                                                               size_t i);

/** NULL beyond the last, of each of these. */
PRVCUT_API const struct prvcut_comm_edge *prvcut_comm_edge(const struct prvcut_comm_matrix *m,
                                                           size_t i);
PRVCUT_API const struct prvcut_comm_rank *prvcut_comm_rank(const struct prvcut_comm_matrix *m,
                                                           size_t rank);
PRVCUT_API const struct prvcut_comm_bin *prvcut_comm_bin(const struct prvcut_comm_matrix *m,
                                                         size_t i);
PRVCUT_API const struct prvcut_comm_shape *prvcut_comm_tie(const struct prvcut_comm_matrix *m,
                                                           size_t i);
PRVCUT_API const struct prvcut_comm_collective *prvcut_comm_collective(
    const struct prvcut_comm_matrix *m, size_t i);
PRVCUT_API const struct prvcut_comm_reason *prvcut_comm_reason(const struct prvcut_comm *c,
                                                               size_t i);

/** For a person; full: also what the first lines leave out. Free *text. */
PRVCUT_API enum prvcut_status prvcut_comm_text(const struct prvcut_comm *c, bool full, char **text,
                                               struct prvcut_error *err);
/** One line an edge. Free *text. */
PRVCUT_API enum prvcut_status prvcut_comm_csv(const struct prvcut_comm *c, char **text,
                                              struct prvcut_error *err);
/** Lines "from to messages bytes" with tabs between; where there are several matrices, a line that
    begins with '#' names each. Free *text. */
PRVCUT_API enum prvcut_status prvcut_comm_triplets(const struct prvcut_comm *c, char **text,
                                                   struct prvcut_error *err);
/** The first matrix as a drawing (SVG): bytes from each rank to each; of many ranks, several share
    a field. Free *text. */
PRVCUT_API enum prvcut_status prvcut_comm_svg(const struct prvcut_comm *c, char **text,
                                              struct prvcut_error *err);
/** Schema "prvcut-comm". Free *text. */
PRVCUT_API enum prvcut_status prvcut_comm_json(const struct prvcut_comm *c, char **text,
                                               struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
