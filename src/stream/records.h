#ifndef PRVCUT_STREAM_RECORDS_H
#define PRVCUT_STREAM_RECORDS_H

#include "match/end.h"
#include "model/writer.h"

/*
 * Records while they are sorted. States and events, of which there are many, are small ones;
 * messages and their ends are large ones. Both are merged again on the way out.
 */

/** Kinds at one time of one thread, in this order. A receive ends inside its call, so it stands
    before the events; a send begins in its call, so it stands behind them. */
enum stm_rank { STM_RECEIVE, STM_STATE, STM_EVENT, STM_SEND, STM_MESSAGE };

/* The order number: rank, part of the input, place in the part; the last bit is a state's. */
#define STM_RANK_SHIFT 61
#define STM_PART_SHIFT 33
#define STM_PART_MAX   (UINT64_C(1) << (STM_RANK_SHIFT - STM_PART_SHIFT))

static inline uint64_t stm_order(enum stm_rank rank, uint64_t part, uint32_t place)
{
    return (uint64_t)rank << STM_RANK_SHIFT | part << STM_PART_SHIFT | (uint64_t)place << 1 |
           (rank == STM_STATE);
}

/** The same record as another kind. */
static inline uint64_t stm_ranked(uint64_t order, enum stm_rank rank)
{
    return (order & ((UINT64_C(1) << STM_RANK_SHIFT) - 1)) | (uint64_t)rank << STM_RANK_SHIFT;
}

/** A state or an event. */
struct stm_small {
    uint64_t time;  /**< ns; state: begin */
    uint64_t order; /**< stm_order: tells the kind, too */
    uint64_t value; /**< event: the value's bits; state: end */
    uint32_t type;  /**< state: its number */
    uint32_t thread : 24;
    uint32_t role : 7; /**< state: nonzero = running */
    uint32_t head : 1;
};

/** A message, or an end of one. */
struct stm_large {
    uint64_t order;
    struct prvcut_item item;
};

/* Orders for the sorter: by thread and time, by time and thread. */
int stm_small_by_thread(const void *a, const void *b);
int stm_small_by_time(const void *a, const void *b);
int stm_large_by_thread(const void *a, const void *b);
int stm_large_by_time(const void *a, const void *b);
uint32_t stm_small_thread(const void *a);
uint32_t stm_large_thread(const void *a);

/** A small record as an item. */
void stm_small_item(const struct stm_small *s, struct prvcut_item *out);

/** One end of a message as an item. */
void stm_message_end(const struct prvcut_message *m, bool receive, struct prvcut_item *out);

/** A message as two ends, or as one item. */
void stm_message_item(const struct prvcut_message *m, struct prvcut_item *out);
void stm_message_ends(const struct prvcut_message *m, struct prvcut_item *send,
                      struct prvcut_item *receive);

void stm_half_item(const struct prvcut_half *h, struct prvcut_item *out);

#endif
