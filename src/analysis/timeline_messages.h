#ifndef PRVCUT_ANALYSIS_TIMELINE_MESSAGES_H
#define PRVCUT_ANALYSIS_TIMELINE_MESSAGES_H

#include "analysis/timeline_grid.h"

/** One end of a message between rows. */
struct tl_half {
    uint64_t time;    /**< of the send, or when the receive was complete */
    uint64_t matched; /**< decides the order in its channel: when a receive was posted */
    uint64_t size;
    int64_t tag;
    uint32_t from, to; /**< rows */
    bool receive;
};

/** Most ends that are kept to be paired. */
#define TL_HALVES ((size_t)1 << 20)

/**
 * A fair sample of the messages of a window, the same in whatever order they come: each one has a
 * rank that its own numbers make, and the lowest ranks stay. Of messages that are told in halves,
 * as many channels are kept as have room, by rank, too.
 */
struct tl_messages {
    const struct tl_grid *grid;
    size_t most;                        /**< that are kept */
    struct prvcut_timeline_message *at; /**< [count], a heap, the highest rank first; owned */
    size_t count, room;
    uint64_t seen;
    struct tl_half *half; /**< [halves]; owned */
    size_t halves, half_room;
    uint64_t sends;   /**< of all channels between rows */
    uint64_t channel; /**< highest rank of a channel that is kept */
};

/** Are there any in a batch to be taken? By several workers at once. */
bool tl_messages_may(const struct tl_messages *m, const struct prvcut_batch *b);

/** Take those of a batch that lie in the windows of both ends; one caller at a time. */
enum prvcut_status tl_messages_batch(struct tl_messages *m, const struct prvcut_batch *b,
                                     struct prvcut_error *err);

/** All have come: pair the halves, hand the sample over, in order of time. */
enum prvcut_status tl_messages_take(struct tl_messages *m, struct prvcut_timeline *out,
                                    struct prvcut_error *err);

void tl_messages_fini(struct tl_messages *m);

#endif
