#ifndef PRVCUT_PARAVER_INDEX_FILE_H
#define PRVCUT_PARAVER_INDEX_FILE_H

#include "base/bytes.h"
#include "paraver/paraver.h"

/** See struct prvcut_reader. */
void prv_index_shape(const struct prvcut_trace *t, struct prvcut_put *out);
enum prvcut_status prv_index_keep(const struct prvcut_trace *t, struct prvcut_put *out);
bool prv_index_recall(struct prvcut_trace *t, struct prvcut_get *in);

#endif
