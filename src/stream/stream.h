#ifndef PRVCUT_STREAM_STREAM_H
#define PRVCUT_STREAM_STREAM_H

#include "model/trace.h"
#include "model/writer.h"
#include "prvcut/stream.h"

/**
 * A trace as a stream: all records of all formats in one order, by time or thread by thread. What
 * does not fit into memory is sorted on disk (base/sorter.h).
 */

/**
 * No message is larger: a number below 0 that was written as if it were none (EZTrace, of a receive
 * that it does not know) is no size.
 */
#define PRVCUT_MESSAGE_MOST ((uint64_t)INT64_MAX)

/** Who takes it; constant while the stream runs. */
struct prvcut_stream_sink {
    void *ctx;
    /**
     * Records in the order that was asked for, some at once; those of one thread and time keep
     * their order, and ends of messages stand inside the calls that made them. A line of events
     * comes at once, unless it has a thousand pairs.
     *
     * owns    item: the stream; valid, and may be changed, during the call
     */
    enum prvcut_status (*records)(void *ctx, struct prvcut_item *item, size_t count,
                                  struct prvcut_error *err);
    /* Of prvcut_stream_tell; as of prvcut_stream_taker (prvcut/stream.h). NULL: not wanted. */
    enum prvcut_status (*call)(void *ctx, const struct prvcut_stream_call *c, bool begins,
                               struct prvcut_error *err);
    enum prvcut_status (*message)(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                  struct prvcut_error *err);
    enum prvcut_status (*collective)(void *ctx, const struct prvcut_stream_collective *c,
                                     bool begins, struct prvcut_error *err);
};

/** Other times for all records; those of a thread keep their order. Constant. */
struct prvcut_stream_clock {
    const void *ctx;
    uint64_t end_ns;                                        /**< length of what is told */
    bool (*state)(const void *ctx, struct prvcut_state *s); /**< false: it is left out */
    uint64_t (*event)(const void *ctx, uint32_t thread, uint64_t time);
    bool (*message)(const void *ctx, struct prvcut_message *m); /**< likewise */
    void (*half)(const void *ctx, struct prvcut_half *h);       /**< NULL: the trace has none */
    uint64_t (*last)(const void *ctx, uint32_t thread); /**< when a thread ends; NULL: not told */
};

/** Which messages are wanted; constant. Ends without their other one come in any case. */
struct prvcut_stream_choice {
    const void *ctx;
    bool (*takes)(const void *ctx, const struct prvcut_message *m);
};

/** What of it, and how; borrowed while the stream runs. Zeroed but for trace and run is valid. */
struct prvcut_stream_plan {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    /**
     * End 0: everything. Else: states are clipped; events of regions that stand before it come,
     * too, for they tell what is open at its start; of messages only those that are wholly inside.
     */
    struct prvcut_span only;
    const uint32_t *thread; /**< [threads] new number; PRVCUT_NOBODY: left out. NULL: all as they
                                 are */
    bool by_thread;         /**< else by time, all threads together */
    bool states;            /**< wanted */
    bool no_messages;       /**< not wanted */
    bool whole_messages;    /**< as one item, else as two ends */
    bool met;               /**< ends without their other one are left out, too */
    size_t memory;          /**< bytes for sorting; 0: 64 MiB */
    const char *scratch;    /**< folder of what does not fit; NULL: $TMPDIR, else /tmp */
    /**
     * Ends of messages are not brought together, but numbered: by the record that held both, else
     * each by itself. `other` is PRVCUT_NEVER where it is not told; where a receive was posted
     * earlier than it is complete, an item of the same number with `head` set stands there.
     */
    bool ends;
    /** Of a window that a trace without halves has: only the blocks that can touch it are read,
        nothing comes that lies before it, and all messages that touch it. */
    bool blocks;
    bool near; /**< of prvcut_stream_tell: a call that is open all through a window that is read in
                    part need not be told */
    bool completions; /**< prvcut_consumer.completions */
    /**
     * Of prvcut_stream_tell, by_thread: what threads tell may come in between each other, each by
     * its time, and collectives last. Then nothing is sorted where the trace is in order and its
     * records hold both ends of messages. When a call begins it is not known when it ends
     * (span.end is PRVCUT_NEVER). PRVCUT_NONE: it could not be done so, what was told is to be
     * forgotten, and all is to be told without this.
     */
    bool between;
    /** Of prvcut_stream_tell, not between: calls are told as the profile has them. MPI calls that
        others call are told, too; where a type has one value at a time, one that begins inside
        another of its type ends with that. A call without an end lasts to the last record of its
        thread, of all kinds where states are wanted, too. */
    bool inner;
    uint32_t roles; /**< of events that are wanted (PRVCUT_ROLE_BIT); 0: all; of prvcut_stream_tell:
                       as records */
    const struct prvcut_consumer *also;      /**< gets all batches as they are read; NULL: nobody */
    const struct prvcut_stream_clock *clock; /**< of all of a trace; NULL: none */
    const struct prvcut_stream_choice *choice; /**< NULL: all messages */
    enum prvcut_phase phase;                   /**< what handing over is; none: analysing */
};

/** What was read, and what of it is not told. */
struct prvcut_stream_counts {
    struct prvcut_record_counts read;
    uint64_t crossing;  /**< messages that reach out of the window or the threads: left out */
    uint64_t unmatched; /**< ends without their other one that are left out: whole_messages, met */
};

/** Are they about a window? *from: where it starts, ns; 0 where they are not. */
bool prvcut_stream_window(const struct prvcut_stream_plan *options, uint64_t *from);

struct prvcut_stream;

/** owns: *out is the caller's, released with prvcut_stream_free, also after a failure. */
enum prvcut_status prvcut_stream_new(struct prvcut_stream **out,
                                     const struct prvcut_stream_plan *options,
                                     struct prvcut_error *err);
void prvcut_stream_free(struct prvcut_stream *s);

/** Read everything, bring the ends of messages together. Once. errors: as of a scan; PRVCUT_EIO */
enum prvcut_status prvcut_stream_gather(struct prvcut_stream *s, struct prvcut_error *err);

/** Length of what is told, ns from the window's start; known once all is gathered. */
uint64_t prvcut_stream_length(const struct prvcut_stream *s);

/** Counts; complete once all is gathered. Borrowed. */
const struct prvcut_stream_counts *prvcut_stream_counts(const struct prvcut_stream *s);

/** Hand all of it to a taker. Once. errors: the taker's; PRVCUT_EINTERRUPTED, PRVCUT_EIO */
enum prvcut_status prvcut_stream_deliver(struct prvcut_stream *s,
                                         const struct prvcut_stream_sink *taker,
                                         struct prvcut_error *err);

/**
 * All at once: what threads did with each other, with all ends (prvcut/stream.h).
 *
 * shape   plan: trace, run, only, by_thread, states, memory, scratch, near, phase, inner
 *         calls: roles that are told as calls
 *         read: the trace has been read before, so that a window needs its blocks only
 * errors  as of gather and deliver
 */
enum prvcut_status prvcut_stream_tell(const struct prvcut_stream_plan *plan, uint32_t calls,
                                      bool read, const struct prvcut_stream_sink *sink,
                                      struct prvcut_error *err);

#endif
