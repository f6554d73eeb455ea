#ifndef PRVCUT_PARAVER_INDEX_H
#define PRVCUT_PARAVER_INDEX_H

#include "paraver/parse.h"

/**
 * What every block of a trace can touch: the earliest begin and the latest end of the records
 * that start in it, where an event that opens a region ends when the region closes.
 *
 * A window needs just the blocks whose span touches it, also those far back whose state, message
 * or call reaches into it.
 */
struct prv_index {
    struct prv_block *block; /**< [blocks], ascending numbers; `last` UINT64_MAX: never closed */
    size_t blocks, room;
    uint64_t *open; /**< [threads * regions]: block + 1 of the region that is open; 0 = none */
    size_t opens;
    unsigned regions;
    bool complete;
};

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err);

/** Take a part over; parts come in the order of the file. */
enum prvcut_status prv_index_join(struct prv_index *x, const struct prv_part *part,
                                  struct prvcut_error *err);

/** After the last part: what is still open reaches to the end of all. */
void prv_index_end(struct prv_index *x);

/** First block at or after `from` (a position, not a number) that touches [start, end]; blocks:
 * none. */
size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end);

/** Lines of the body before a block (a position). */
uint64_t prv_index_lines_before(const struct prv_index *x, size_t at);

void prv_index_fini(struct prv_index *x);

#endif
