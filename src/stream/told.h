#ifndef PRVCUT_STREAM_TOLD_H
#define PRVCUT_STREAM_TOLD_H

#include "base/sorter.h"
#include "base/table.h"
#include "match/numbered.h"
#include "match/uses.h"
#include "model/calls.h"
#include "stream/records.h"
#include "stream/stream.h"

/*
 * Calls, messages and collectives are put together in two steps. The first brings all records
 * thread by thread (stream.h); the walk over them knows which call each end is in, and leaves
 * calls, ends of messages and parts of collectives to be sorted. Then ends meet, parts meet, and
 * what they become is sorted once more, into the order in which it is told.
 */

/** Where something stands among what is told. Every record below begins with one. */
struct told_key {
    uint64_t time;
    uint64_t order; /**< of the walk; ascending on each thread */
    uint32_t thread;
    uint32_t kind; /**< the record's own */
};

/** A call begins or ends. */
struct told_call {
    struct told_key key; /**< kind: 1 it begins, 0 it ends */
    struct prvcut_stream_call call;
};

/** A record that is told as it is. */
struct told_item {
    struct told_key key;
    struct prvcut_item item;
};

/** A call, unless there is none. */
struct told_in_call {
    bool is;
    struct prvcut_stream_call call;
};

/** An end of a message, with what made it. */
struct told_end {
    struct prvcut_end end; /**< end.order: number of the message, where a record held both ends */
    bool posts;            /**< not an end, but when its receive was posted */
    bool done;             /**< not an end, but that a send is complete */
    uint64_t posted;       /**< of a receive, also where only its call tells it; PRVCUT_NEVER */
    uint64_t released; /**< of a send: when another call said that it is complete; PRVCUT_NEVER */
    uint64_t order;    /**< of the walk */
    struct told_in_call call, post; /**< post: of a send, the call that completes it */
};

/** A message begins or ends. */
struct told_message {
    struct told_key key; /**< kind: 1 it begins, 0 it ends */
    uint64_t id;
    struct prvcut_stream_message message; /**< its pointers are not set */
    struct told_in_call send, post, complete, release;
};

/** One task's part in a collective. */
struct told_part {
    struct prvcut_numbered of;
    uint64_t order[2]; /**< of the walk: begin and end of the call */
    bool root;
    int64_t sent, received;
    struct prvcut_stream_call call;
    struct told_in_call done; /**< of one that does not block: the call that it is complete in */
};

/** A collective begins (members follow it at once), or ends. */
enum told_group_kind { TOLD_GROUP_BEGINS, TOLD_GROUP_MEMBER, TOLD_GROUP_ENDS };
struct told_group {
    struct told_key key; /**< kind: enum told_group_kind */
    uint64_t id;
    bool inside; /**< of a member: its call touches the window */
    union {
        struct prvcut_stream_collective collective;
        struct told_part part;
    };
};

/** What a call's value means; call: NULL: no call that is known. */
struct told_known {
    bool is;
    uint32_t type;
    int64_t value;
    const struct prvcut_mpi_call *call;
};
#define TOLD_KNOWN 64

/** All of it. */
struct told {
    const struct prvcut_stream_plan *plan;
    const struct prvcut_stream_sink *sink;
    struct prvcut_stream *records; /**< first step */
    uint64_t from, to;             /**< the window, ns; 0, UINT64_MAX */
    uint64_t end_ns;               /**< of all; known once the first step has read it */
    bool windowed;
    bool partly;    /**< only the blocks that can touch the window are read */
    uint32_t heard; /**< threads that have begun or ended an MPI call */
    bool whole;     /**< the trace's records hold both ends of a message */
    bool between;   /**< it is told while it is read */
    uint32_t calls; /**< roles that are told as calls */
    struct prvcut_sorter *call, *item, *message, *group; /**< to be told; NULL: not wanted */
    struct prvcut_sorter *end[2], *part;                 /**< to meet; sends, receives */
    struct prvcut_uses uses;
    uint64_t id;                         /**< of messages and collectives */
    struct told_live *live;              /**< it is told while it is read; NULL: sorted first */
    struct told_known known[TOLD_KNOWN]; /**< kinds of calls that were looked up, by value */
};

/** The first step's records, thread by thread (told_walk.c). */
struct told_walk;
enum prvcut_status told_walk_new(struct told_walk **out, struct told *t, struct prvcut_error *err);
enum prvcut_status told_walk_records(void *ctx, struct prvcut_item *item, size_t count,
                                     struct prvcut_error *err);
/** There are no more. */
enum prvcut_status told_walk_end(struct told_walk *w, struct prvcut_error *err);
void told_walk_free(struct told_walk *w);

/*
 * While a trace is read whose records stand in the order of time and hold both ends of messages,
 * each thread is walked as far as it is read, and what it tells waits in a row of its own until the
 * other ends of its messages are known, too (told_live.c). Nothing is sorted but what is under way.
 */

/** PRVCUT_NONE: an end came too late to be put in its place, or too much was under way; what was
    told is then to be forgotten. plan: of the records */
enum prvcut_status told_live_read(struct told *t, const struct prvcut_stream_plan *plan,
                                  struct prvcut_error *err);
/** What the walk of a thread puts there. */
enum prvcut_status told_live_call(struct told_live *l, const struct prvcut_stream_call *c,
                                  bool begins, struct prvcut_error *err);
enum prvcut_status told_live_item(struct told_live *l, struct prvcut_item *i,
                                  struct prvcut_error *err);
enum prvcut_status told_live_half(struct told_live *l, const struct prvcut_item *i,
                                  struct prvcut_error *err);
enum prvcut_status told_live_end(struct told_live *l, const struct told_end *e,
                                 struct prvcut_error *err);
enum prvcut_status told_live_ended(struct told_live *l, const struct prvcut_stream_call *c,
                                   struct prvcut_error *err);
/** The call of the thread at hand, of those that have ended, that a receive was posted in. */
enum prvcut_status told_live_post(struct told_live *l, uint64_t posted, struct told_in_call *out,
                                  struct prvcut_error *err);
/** Something is met that only a sorted reading can tell; below 0. */
enum prvcut_status told_live_give_up(struct told_live *l, struct prvcut_error *err);

/** A message of its two ends, one of which may be NULL. */
struct told_message told_message_of(uint64_t id, const struct told_end *send,
                                    const struct told_end *receive);
/** As it is told: calls that there are. */
struct prvcut_stream_message told_message_view(const struct told_message *m, uint64_t number);

/** Ends meet (told_messages.c); parts of collectives do (told_groups.c). */
enum prvcut_status told_messages(struct told *t, struct prvcut_error *err);
enum prvcut_status told_groups(struct told *t, struct prvcut_error *err);

/** Tell all in order (told_tell.c). */
enum prvcut_status told_tell(struct told *t, struct prvcut_error *err);

/** The order of the parts that members have in collectives: by member. */
int told_part_by_member(const void *a, const void *b);

/** The memory for sorting, in shares: of the first step, of each sorter of the second. */
size_t told_memory(const struct told *t);
#define TOLD_FIRST_SHARE 8

/** All sorters that are wanted (told_sorters.c); also after a failure what was made is to be freed.
 */
enum prvcut_status told_sorters(struct told *t, struct prvcut_error *err);
void told_free_sorters(struct told *t);

/** A sorter of records of that size. */
enum prvcut_status told_sorter(const struct told *t, struct prvcut_sorter **out, size_t size,
                               int (*compare)(const void *, const void *),
                               struct prvcut_error *err);

/** Does any of [begin, end] lie in the window? */
static inline bool told_touches(const struct told *t, uint64_t begin, uint64_t end)
{
    return begin < t->to && end >= t->from;
}

/** Leave what of a call lies in the window; false: nothing does. */
bool told_clip(const struct told *t, struct prvcut_stream_call *c);

#endif
