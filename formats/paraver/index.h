#ifndef PRVCUT_PARAVER_INDEX_H
#define PRVCUT_PARAVER_INDEX_H

#include "paraver/parse.h"

/** Regions that began in one block and are open somewhere behind it. */
struct prv_run {
    uint64_t row;   /**< thread * region types + type: what prv_index_row gives */
    uint32_t block; /**< its number */
    uint32_t count; /**< the outermost so many of those that the block leaves open */
};

/** All that are open before a block, in order of nothing. */
struct prv_snapshot {
    struct prv_run *run; /**< [runs]; owned */
    size_t runs;
    uint64_t *called; /**< [calleds] how many of the first rows of prv_index.called; owned */
    size_t calleds;
};

/** What of one type is open on one thread: a list through the index's nodes, the innermost first.
 */
struct prv_open_node {
    uint32_t block, count;
    uint32_t below; /**< how many are open around these */
    uint32_t next;  /**< node + 1 of those around; 0: none */
};

/**
 * Where things are in a trace: what times every block can touch, and which regions are open
 * where a block begins.
 *
 * A window needs just the blocks whose span touches it, also those far back whose state or
 * message reaches into it. The regions that are open at the window's start are known from the
 * nearest snapshot and the blocks after it. An end ends the innermost region of its type, as
 * everywhere (model/stack.h). How many collectives came before is known in the same way: the k-th
 * of one task on a communicator is the k-th of the others.
 */
struct prv_index {
    struct prv_block *block; /**< [blocks], ascending numbers */
    size_t blocks, room;
    size_t before; /**< blocks in front of these that other processes have, while these share a
                        reading; else 0 */
    unsigned regions;
    size_t opens;               /**< threads * regions */
    uint32_t *open;             /**< [opens]: node + 1 of the innermost; 0: none is open; owned */
    struct prv_open_node *node; /**< [nodes]; owned */
    size_t nodes, node_room;
    uint32_t spare;                /**< node + 1 of the first that is free; 0: none */
    size_t runs;                   /**< nodes in use */
    struct prv_snapshot *snapshot; /**< [snapshots]: what was open before block n * stride */
    size_t snapshots, stride, snapshot_room;
    size_t snapshot_bytes;      /**< of all of them */
    struct prvcut_table called; /**< of struct prv_called: those of the whole trace */
    bool complete;
};

/** Bytes that the snapshots may take. */
#define PRV_SNAPSHOT_BYTES ((size_t)16 << 20)

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err);

/** Take a part over, which is one block; parts come in the order of the file. */
enum prvcut_status prv_index_join(struct prv_index *x, const struct prv_part *part,
                                  struct prvcut_error *err);

/** One more run of regions is open, inside all that are on its row. */
enum prvcut_status prv_index_run(struct prv_index *x, const struct prv_run *run,
                                 struct prvcut_error *err);

/** First position at or after `from` whose block touches [start, end]; x->blocks: none. */
size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end);

/** Position of a block by its number; x->blocks: none. */
size_t prv_index_position(const struct prv_index *x, uint64_t number);

/** Last snapshot at or before a position: its own position; NULL: there is none, and 0. */
size_t prv_index_snapshot(const struct prv_index *x, size_t position,
                          const struct prv_snapshot **out);

static inline uint64_t prv_index_row(unsigned regions, uint32_t thread, unsigned region)
{
    return (uint64_t)thread * regions + region;
}

void prv_index_fini(struct prv_index *x);

#endif
