#ifndef PRVCUT_STREAM_FLOW_H
#define PRVCUT_STREAM_FLOW_H

#include "base/sorter.h"
#include "base/table.h"
#include "stream/records.h"
#include "stream/stream.h"

/** Sends and receives that were seen of one communicator. */
struct stm_use {
    uint64_t communicator; /**< the key of a table of uses */
    uint64_t sends, receives;
};

/** A worker's room for one batch. */
struct stm_worker {
    struct stm_small *small;
    struct stm_large *large;
    struct stm_end *end[2]; /**< sends, receives */
    size_t small_room, large_room, end_room[2];
    struct prvcut_table uses; /**< of stm_use */
};

/** Records on their way from the reader to the taker. */
struct prvcut_stream {
    struct prvcut_stream_plan options;
    struct prvcut_stream_counts counts;
    bool windowed;
    uint64_t from, to; /**< ns; 0 and UINT64_MAX unless windowed */
    uint64_t last_ns;  /**< latest time of any record that was taken */
    bool pair;         /**< ends of messages have to be brought together */
    unsigned workers;
    struct stm_worker *worker; /**< [workers] */
    struct prvcut_sorter *small, *large;
    struct prvcut_sorter *end[2]; /**< sends, receives; where pair */
};

/** New number of a thread; PRVCUT_NOBODY: left out, or unknown. */
static inline uint32_t stm_thread(const struct prvcut_stream *s, uint32_t thread)
{
    return !s->options.thread || thread == PRVCUT_NOBODY ? thread : s->options.thread[thread];
}

/** Read the trace into the sorters (gather.c). */
enum prvcut_status stm_gather(struct prvcut_stream *s, struct prvcut_error *err);

/** Bring sends and receives together (meet.c). */
enum prvcut_status stm_meet(struct prvcut_stream *s, struct prvcut_error *err);

/** Does a message lie inside the window? */
bool stm_message_inside(const struct prvcut_stream *s, const struct prvcut_message *m);

/** Of one that does not: is one of its ends inside, so that something is lost? */
bool stm_message_crosses(const struct prvcut_stream *s, const struct prvcut_message *m);

/** An empty table of uses. */
struct prvcut_table stm_uses(void);

/** Note a use; add up another table. */
enum prvcut_status stm_uses_note(struct prvcut_table *uses, uint32_t communicator, bool receive,
                                 struct prvcut_error *err);
enum prvcut_status stm_uses_add(struct prvcut_table *to, const struct prvcut_table *from,
                                struct prvcut_error *err);
/** Do sends and receives agree on their communicators? Some tracers note a wrong one. */
bool stm_uses_agree(const struct prvcut_table *uses);

#endif
