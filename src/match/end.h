#ifndef PRVCUT_MATCH_END_H
#define PRVCUT_MATCH_END_H

#include "model/batch.h"

/**
 * A channel: whose messages cannot overtake each other. Who works with it leaves the communicator
 * out where some tracers note a wrong one at one end.
 */
struct prvcut_channel {
    uint32_t sender, receiver; /**< threads, or whatever stands for them */
    int64_t tag;
};

/** < 0, 0, > 0. */
int prvcut_channel_order(const struct prvcut_channel *a, const struct prvcut_channel *b);

/** An end of a message that looks for the other one. */
struct prvcut_end {
    uint64_t order;
    struct prvcut_half half;
};

/** Sender, receiver, tag of two ends: < 0, 0, > 0. */
int prvcut_end_compare_channel(const struct prvcut_end *a, const struct prvcut_end *b);
/** The number of the record that held both ends. */
int prvcut_end_compare_number(const struct prvcut_end *a, const struct prvcut_end *b);
int prvcut_end_by_number(const void *a, const void *b);
/** For a sorter: by channel, and in that in the order in which they belong together. */
int prvcut_end_by_channel(const void *a, const void *b);

#endif
