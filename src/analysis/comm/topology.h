#ifndef PRVCUT_ANALYSIS_COMM_TOPOLOGY_H
#define PRVCUT_ANALYSIS_COMM_TOPOLOGY_H

#include "base/error.h"
#include "prvcut/comm.h"

/** Messages between two ranks, both ways. */
struct prvcut_comm_pair {
    uint32_t low, high; /**< low < high */
    uint64_t messages, bytes;
};

/** Which shape pairs have. */
struct prvcut_topology_found {
    struct prvcut_comm_shape shape;
    double fit, spread;
    struct prvcut_comm_shape *tie; /**< [ties] others that fit as well; owned */
    size_t ties;
};

/**
 * Compare pairs with every shape of so many ranks.
 *
 * - precision: the mean of the share of messages, and of bytes, between ranks that should talk;
 *   where no bytes are told, of messages alone
 * - recall: of the ranks that should talk to each other, the share of those with at least 5 % of
 * the messages of the busiest pair
 * - fit: their harmonic mean; spread: standard deviation over mean of the bytes of edges of one
 *   class (that differ in as many coordinates), averaged over all edges
 *
 * Shapes whose fit is within min(0.02, 1 / 4 ranks) of the best one's, and whose spread is within
 * 0.05 of the least of these, are ties; the first is the name, but alltoall rather than a mesh or
 * torus with diagonals. Below a fit of 0.8 it is irregular.
 *
 * shape   pair: each once, in any order; is sorted here, by messages
 * owns    found->tie is the caller's to free(), also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_topology_find(struct prvcut_topology_found *found, uint32_t ranks,
                                        struct prvcut_comm_pair *pair, size_t pairs,
                                        struct prvcut_error *err);

/** Do the two ranks talk in that shape? 0: no; else the class of their edge. */
unsigned prvcut_shape_class(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                            uint32_t high);

/** Edges of each class, at [1] to [3]. */
void prvcut_shape_edges(const struct prvcut_comm_shape *s, double edges[4]);

/** The coordinate of a rank along an axis. */
static inline uint32_t prvcut_shape_coordinate(const struct prvcut_comm_shape *s, uint32_t rank,
                                               uint32_t axis)
{
    for (uint32_t i = 0; i < axis; i++)
        rank /= s->dim[i];
    return rank % s->dim[axis];
}

/** Go through all shapes of so many ranks, in order of preference; those with several variants come
    once for each. returns false: ctx has had enough */
bool prvcut_shapes(uint32_t ranks,
                   bool (*take)(void *ctx, const struct prvcut_comm_shape *s, unsigned variant),
                   void *ctx);

#endif
