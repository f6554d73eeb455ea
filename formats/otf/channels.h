#ifndef PRVCUT_OTF_CHANNELS_H
#define PRVCUT_OTF_CHANNELS_H

#include "base/error.h"

#include <stdbool.h>

/**
 * Messages of one sender, receiver, communicator and tag, or one process's collectives on a
 * communicator. The k-th send and the k-th receive are one message, the k-th collectives of all
 * processes are one collective, counted over the whole trace.
 *
 * shape   [0] sends or collectives, [1] receives
 */
struct otf_channel {
    uint64_t comm, tag;
    uint32_t from, to; /**< process ids; to 0: collectives of from */
    uint64_t before[2], inside[2], after[2];
    uint64_t seen[2];   /**< inside, by those who write; each end by its own stream's worker */
    bool over;          /**< all of it was counted */
    uint64_t low, high; /**< ordinals of what has all its parts inside */
};

struct otf_channels {
    struct otf_channel *at; /**< [count] */
    size_t count, room;
    size_t *slot; /**< [slots] index + 1 */
    size_t slots;
};

enum prvcut_status otf_channel_get(struct otf_channels *c, const struct otf_channel *key,
                                   struct otf_channel **out, struct prvcut_error *err);
/** NULL: not there; thread-safe while nothing is added. */
struct otf_channel *otf_channel_find(const struct otf_channels *c, const struct otf_channel *key);
void otf_channels_fini(struct otf_channels *c);

#endif
