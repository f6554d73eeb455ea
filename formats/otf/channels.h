#ifndef PRVCUT_OTF_CHANNELS_H
#define PRVCUT_OTF_CHANNELS_H

#include "base/table.h"
#include "match/crossing.h"

/**
 * Messages of one sender, receiver, communicator, tag and length, or one process's collectives on a
 * communicator. The k-th send and the k-th receive are one message, the k-th collectives of all
 * processes are one collective, counted over the whole trace. Receives count as they complete, for
 * no post is recorded; of those that complete in another order, lengths tell most apart.
 *
 * shape   [0] sends or collectives, [1] receives
 */
struct otf_channel {
    uint64_t comm, tag; /**< 0 where the two ends do not agree on it (otf_trace.any_comm) */
    uint64_t length;    /**< bytes; 0 where they do not (otf_trace.any_length), or of collectives */
    uint32_t from, to;  /**< process ids; to 0: collectives of from; the key ends here */
    uint64_t before[2], inside[2], after[2];
    uint64_t seen[2];   /**< inside, by those who write; each end by its own stream's worker */
    uint64_t behind[2]; /**< after, of any length, by those who judge */
    bool over;          /**< all of it was counted */
    struct prvcut_whole whole[2]; /**< ordinals of what has all its parts inside */
};

/** No channels yet, in a table. */
#define OTF_CHANNELS PRVCUT_TABLE(struct otf_channel, before, "channels")

static inline struct otf_channel *otf_channel_at(const struct prvcut_table *channels, size_t i)
{
    return (struct otf_channel *)channels->at + i;
}

/** As prvcut_table_find; once per message. */
static inline struct otf_channel *otf_channel_find(const struct prvcut_table *channels,
                                                   const struct otf_channel *key)
{
    return prvcut_table_look(channels, key, offsetof(struct otf_channel, before), sizeof *key);
}

/** As prvcut_table_make; once per message. */
static inline struct otf_channel *otf_channel_make(struct prvcut_table *channels,
                                                   const struct otf_channel *key,
                                                   struct prvcut_error *err)
{
    struct otf_channel *k = otf_channel_find(channels, key);

    return k ? k : prvcut_table_make(channels, key, err);
}

#endif
