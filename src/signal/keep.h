#ifndef PRVCUT_SIGNAL_KEEP_H
#define PRVCUT_SIGNAL_KEEP_H

#include "base/bytes.h"
#include "signal/collect.h"

/** One signal of a collection. */
void prvcut_signal_put(struct prvcut_put *p, const struct prvcut_signal *s);
/** owns: s->at is the caller's, also where g is bad; why it is absent stands in the bytes */
void prvcut_signal_get(struct prvcut_get *g, struct prvcut_signal *s,
                       const struct prvcut_metric *metric);

/** Call sequences and flushes. */
void prvcut_calls_put(struct prvcut_put *p, const struct prvcut_collection *c);
/** owns: filled here, released by the caller with the collection, also where g is bad */
void prvcut_calls_get(struct prvcut_get *g, struct prvcut_collection *c, uint32_t threads);

/** Of the same sequences how many calls are not kept; taken back after these. */
void prvcut_calls_beyond_put(struct prvcut_put *p, const struct prvcut_collection *c);
void prvcut_calls_beyond_get(struct prvcut_get *g, struct prvcut_collection *c);

/** Flushes alone, owned like the others. */
void prvcut_flushes_put(struct prvcut_put *p, const struct prvcut_flushes *f);
void prvcut_flushes_get(struct prvcut_get *g, struct prvcut_flushes *f, uint32_t threads);

#endif
