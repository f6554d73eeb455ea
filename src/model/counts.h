#ifndef PRVCUT_MODEL_COUNTS_H
#define PRVCUT_MODEL_COUNTS_H

#include "base/bytes.h"
#include "model/trace.h"

/** What a scan counted, as bytes, and taken back. */
void prvcut_counts_put(struct prvcut_put *p, const struct prvcut_counts *c);
void prvcut_counts_get(struct prvcut_get *g, struct prvcut_counts *c);

#endif
