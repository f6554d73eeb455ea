#ifndef PRVCUT_MATCH_END_H
#define PRVCUT_MATCH_END_H

#include "model/batch.h"

/**
 * A channel: whose messages cannot overtake each other. Who works with it leaves the communicator
 * out where some tracers note a wrong one at one end.
 */
struct stm_channel {
    uint32_t sender, receiver; /**< threads, or whatever stands for them */
    int64_t tag;
};

/** < 0, 0, > 0. */
int stm_channel_order(const struct stm_channel *a, const struct stm_channel *b);

/** An end of a message that looks for the other one. */
struct stm_end {
    uint64_t order;
    struct prvcut_half half;
};

/** Sender, receiver, tag of two ends: < 0, 0, > 0. */
int stm_channel_compare(const struct stm_end *a, const struct stm_end *b);
/** The number of the record that held both ends. */
int stm_number_compare(const struct stm_end *a, const struct stm_end *b);
int stm_end_by_number(const void *a, const void *b);
/** For a sorter: by channel, and in that in the order in which they belong together. */
int stm_end_by_channel(const void *a, const void *b);

#endif
