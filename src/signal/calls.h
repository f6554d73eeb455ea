#ifndef PRVCUT_SIGNAL_CALLS_H
#define PRVCUT_SIGNAL_CALLS_H

#include "base/bytes.h"
#include "model/batch.h"
#include "signal/call_marks.h"

/**
 * One call of a thread, reduced to what can be compared with another call of the same thread.
 * Each of the hashes is 0 where the trace does not say.
 */
struct prvcut_call {
    uint64_t time; /**< ns, when the call begins */
    uint32_t call; /**< which call (type and value) */
    uint32_t peer; /**< partners and tags (upper half) of its messages; root and communicator */
    uint32_t size; /**< bytes of its messages or of the collective */
    uint32_t site; /**< caller functions and lines (of this thread only) */
};

/** The call of a burst whose callers are recorded, but not the calls between bursts. */
uint32_t prvcut_call_of_burst(void);

/** The calls of one thread in time order. */
struct prvcut_call_sequence {
    uint32_t thread;
    struct prvcut_call *at; /**< [count]; owned by whoever made the sequence */
    size_t count;
    struct prvcut_call_marks beyond; /**< those behind the last of these; owned by the same */
};

/** One end of a message, to be joined with the call it belongs to. */
struct prvcut_message_end {
    uint64_t time : 63;   /**< ns, in the call, or where a message arrives before that */
    uint64_t receive : 1; /**< else a send */
    uint64_t posted;      /**< of a receive: ns, when, as far as the trace tells; else 0 */
    uint32_t peer, size;
};

/** What is collected of one thread; the ends are joined into the calls on the way and at the end.
 */
struct prvcut_call_list {
    struct prvcut_call *call;
    struct prvcut_message_end *end;
    size_t calls, call_room, ends, end_room;
    size_t joined;    /**< ends that are in their calls already */
    size_t ends_most; /**< that are kept before some are joined; 0: as at first */
    bool late;        /**< calls are not in the order of time: nothing is joined on the way */
    struct prvcut_call_marks beyond; /**< calls that were left out, once parts are joined */
    bool full;                       /**< later calls were left out */
    bool given_up;                   /**< the thread is no longer collected; the list is empty */
    bool bare; /**< the first line of its first call begins nothing: it may go on with one of the
                    part before */
};

/** What an end counts for: most of them are in their calls soon. */
#define PRVCUT_END_BYTES 16

/** Bytes of what the list holds, as if no end were in its call yet: when they are too many does not
    depend on that. */
static inline size_t prvcut_call_list_bytes(const struct prvcut_call_list *l)
{
    return l->calls * sizeof *l->call + (l->ends + l->joined) * PRVCUT_END_BYTES;
}

/**
 * Which threads' calls are collected. When they become too many, every second thread is given up:
 * the decision is taken where parts are joined, so it depends on the trace alone.
 */
struct prvcut_call_threads {
    uint8_t *chosen;  /**< [threads]: place in `thread` + 1; 0 = not collected */
    uint8_t *detail;  /**< [threads]: nonzero while collected; workers read it, relaxed atomic */
    uint32_t *thread; /**< [count] */
    unsigned count;
    uint32_t threads;
    uint32_t roles; /**< bits: events of these are calls */
    bool states;    /**< so are states other than running */
};

#define PRVCUT_CALL_THREADS 8 /**< at most */

/** The line of an event that is being read. */
struct prvcut_call_line {
    struct prvcut_call call;
    uint32_t thread;
    bool any, begins, ends, callers;
};

/**
 * Follow a batch; list: one per chosen thread. A part may be a thread's whole run: then no list
 * becomes longer than its thread could keep anyway, see prvcut_calls_join.
 */
enum prvcut_status prvcut_calls_batch(const struct prvcut_call_threads *t,
                                      struct prvcut_call_list *list,
                                      const struct prvcut_batch *batch, struct prvcut_error *err);

/** Append what a part collected; parts come in order. What is too much is given up. */
enum prvcut_status prvcut_calls_join(struct prvcut_call_threads *t, struct prvcut_call_list *all,
                                     const struct prvcut_call_list *part, struct prvcut_error *err);

/** Bytes of a call as it is kept or handed on. */
#define PRVCUT_CALL_BYTES 24

/** A call as it is kept or handed on, and back. */
void prvcut_call_put(struct prvcut_put *p, const struct prvcut_call *c);
void prvcut_call_get(struct prvcut_get *g, struct prvcut_call *c);

/** What was joined so far, for another process, and what one sent in its place; [t->count]. */
void prvcut_call_lists_put(struct prvcut_put *p, const struct prvcut_call_threads *t,
                           const struct prvcut_call_list *all);
void prvcut_call_lists_get(struct prvcut_get *g, struct prvcut_call_threads *t,
                           struct prvcut_call_list *all);

/** Sort by time, give each call its messages; the calls are ready to be compared. */
void prvcut_calls_finish(struct prvcut_call_list *list);

/** Does a call (its hash) only ask whether something has come? How often says nothing. */
bool prvcut_call_polls(uint32_t call);

/** Make it empty, to be used for another part; little memory is kept. */
void prvcut_call_list_reset(struct prvcut_call_list *list);

void prvcut_call_list_fini(struct prvcut_call_list *list);

#endif
