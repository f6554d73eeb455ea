#ifndef PRVCUT_PARAVER_INDEX_H
#define PRVCUT_PARAVER_INDEX_H

#include "paraver/parse.h"

/**
 * Where things are in a trace: what times every block can touch, and which regions are open
 * where a block begins.
 *
 * A window needs just the blocks whose span touches it, also those far back whose state or
 * message reaches into it. The regions that are open at the window's start are known from the
 * nearest snapshot and the blocks after it.
 */
struct prv_index {
    struct prv_block *block; /**< [blocks], ascending numbers */
    size_t blocks, room;
    unsigned regions;
    size_t opens;   /**< threads * regions */
    uint32_t *open; /**< [opens]: number + 1 of the block where the open region began; 0 = none */
    uint32_t *snapshot; /**< [snapshots * opens]: `open` as it was before block n * stride */
    size_t snapshots, stride, snapshot_room;
    bool complete;
};

/** Bytes that the snapshots may take. */
#define PRV_SNAPSHOT_BYTES ((size_t)16 << 20)

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err);

/** Take a part over; parts come in the order of the file. */
enum prvcut_status prv_index_join(struct prv_index *x, const struct prv_part *part,
                                  struct prvcut_error *err);

/** First position at or after `from` whose block touches [start, end]; x->blocks: none. */
size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end);

/** Position of a block by its number; x->blocks: none. */
size_t prv_index_position(const struct prv_index *x, uint64_t number);

/** Last snapshot at or before a position: its own position; *open as described above. */
size_t prv_index_snapshot(const struct prv_index *x, size_t position, const uint32_t **open);

void prv_index_fini(struct prv_index *x);

#endif
