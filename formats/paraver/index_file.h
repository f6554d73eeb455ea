#ifndef PRVCUT_PARAVER_INDEX_FILE_H
#define PRVCUT_PARAVER_INDEX_FILE_H

#include "base/bytes.h"
#include "paraver/paraver.h"

/** See struct prvcut_reader. */
void prv_index_shape(const struct prvcut_trace *t, struct prvcut_put *out);
enum prvcut_status prv_index_keep(const struct prvcut_trace *t, struct prvcut_put *out);
bool prv_index_recall(struct prvcut_trace *t, struct prvcut_get *in);

/** As far as parts were joined, for another process, with what is open, but for the blocks
    themselves; and what one sent in its place. shape: x: initialised */
void prv_index_put(const struct prv_index *x, struct prvcut_put *out);
void prv_index_get(struct prv_index *x, const struct prvcut_objects *o, struct prvcut_get *in);

/** The blocks of this process; those of one that has the next ones are put behind them. */
void prv_index_put_blocks(const struct prv_index *x, struct prvcut_put *out);
void prv_index_add_blocks(struct prv_index *x, struct prvcut_get *in);

#endif
