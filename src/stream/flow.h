#ifndef PRVCUT_STREAM_FLOW_H
#define PRVCUT_STREAM_FLOW_H

#include "base/sorter.h"
#include "base/table.h"
#include "stream/meeting.h"
#include "stream/records.h"
#include "stream/stream.h"

/** A worker's room for one batch. */
struct stm_worker {
    struct stm_small *small;
    struct stm_large *large;
    size_t small_room, large_room;
    size_t most_smalls, most_larges; /**< of a part so far, where parts are handed over */
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
    /** Takes all of a part at once, in the order of the parts, and `small` with it, which it
        releases in any case; NULL: it is sorted. */
    enum prvcut_status (*part)(void *ctx, struct stm_small *small, size_t smalls,
                               const struct stm_large *large, size_t larges,
                               struct prvcut_error *err);
    void *part_ctx;
    struct stm_meeting meeting; /**< where pair */
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

/** Is a message wanted, but for the window? */
bool stm_message_chosen(const struct prvcut_stream *s, const struct prvcut_message *m);

/** Does a message lie inside the window? */
bool stm_message_inside(const struct prvcut_stream *s, const struct prvcut_message *m);

/** Of one that does not: is one of its ends inside, so that something is lost? */
bool stm_message_crosses(const struct prvcut_stream *s, const struct prvcut_message *m);

#endif
