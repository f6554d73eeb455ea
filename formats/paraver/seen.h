#ifndef PRVCUT_PARAVER_SEEN_H
#define PRVCUT_PARAVER_SEEN_H

#include "base/buffer.h"
#include "paraver/labels.h"

/** Most event types that are kept apart. */
#define PRV_SEEN_TYPES 256

/** Event types that stand in a trace's records, as several workers come across them. */
struct prv_seen {
    uint64_t type[PRV_SEEN_TYPES]; /**< number + 1, 0: free; taken by atomic operations */
    bool complete;                 /**< all records were read */
};

/** A record of that type was met; may be called by all workers. */
void prv_seen_note(struct prv_seen *s, uint32_t number);

/**
 * Tell the types that were given a role (prv_type.told) and that no record has: one line, or
 * nothing where all have been met or not all records were read.
 */
enum prvcut_status prv_seen_tell(const struct prv_seen *s, const struct prv_labels *l,
                                 struct prvcut_buffer *out, struct prvcut_error *err);

#endif
