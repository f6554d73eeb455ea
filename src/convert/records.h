#ifndef PRVCUT_CONVERT_RECORDS_H
#define PRVCUT_CONVERT_RECORDS_H

#include "model/writer.h"

/*
 * Records while they are sorted. States and events, of which there are many, are small ones;
 * messages and their ends are large ones. Both are merged again on the way out.
 */

/** Kinds at one time of one thread, in this order. A receive ends inside its call, so it stands
    before the events; a send begins in its call, so it stands behind them. */
enum cnv_rank { CNV_RECEIVE, CNV_STATE, CNV_EVENT, CNV_SEND, CNV_MESSAGE };

/* The order number: rank, part of the input, place in the part. */
#define CNV_RANK_SHIFT 60
#define CNV_PART_SHIFT 32
#define CNV_PART_MAX   (UINT64_C(1) << (CNV_RANK_SHIFT - CNV_PART_SHIFT))

static inline uint64_t cnv_order(enum cnv_rank rank, uint64_t part, uint32_t place)
{
    return (uint64_t)rank << CNV_RANK_SHIFT | part << CNV_PART_SHIFT | place;
}

/** A state or an event. */
struct cnv_small {
    uint64_t time;  /**< ns; state: begin */
    uint64_t order; /**< cnv_order: tells the kind, too */
    uint64_t value; /**< event: the value's bits; state: end */
    uint32_t type;  /**< state: its number */
    uint32_t thread : 24;
    uint32_t role : 7; /**< state: nonzero = running */
    uint32_t head : 1;
};

/** A message, or an end of one. */
struct cnv_large {
    uint64_t order;
    struct prvcut_item item;
};

/** An end of a message that looks for the other one. */
struct cnv_end {
    uint64_t order;
    struct prvcut_half half;
};

/* Orders for the sorter: by thread and time, by time and thread, ends by channel. */
int cnv_small_by_thread(const void *a, const void *b);
int cnv_small_by_time(const void *a, const void *b);
int cnv_large_by_thread(const void *a, const void *b);
int cnv_large_by_time(const void *a, const void *b);
int cnv_end_by_channel(const void *a, const void *b);
uint32_t cnv_small_thread(const void *a);
uint32_t cnv_large_thread(const void *a);

/** Sender, receiver, tag of two ends: < 0, 0, > 0. */
int cnv_channel_compare(const struct prvcut_half *a, const struct prvcut_half *b);

/** A small record as an item, its time less `from`. */
void cnv_small_item(const struct cnv_small *s, uint64_t from, struct prvcut_item *out);

/** A message as two ends, or as one item. */
void cnv_message_item(const struct prvcut_message *m, struct prvcut_item *out);
void cnv_message_ends(const struct prvcut_message *m, struct prvcut_item *send,
                      struct prvcut_item *receive);

/** Its second time, where the format tells it. */
static inline uint64_t cnv_half_other(const struct prvcut_half *h)
{
    return h->other > 0 ? h->other : h->time;
}

void cnv_half_item(const struct prvcut_half *h, struct prvcut_item *out);

/** Is it the begin or end of a region, a counter? */
bool cnv_role_is_region(uint32_t role);
bool cnv_role_is_counter(uint32_t role);

#endif
