#ifndef PRVCUT_STREAM_H
#define PRVCUT_STREAM_H

#include "prvcut/objects.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What the threads of a trace did with each other, with all ends: calls, messages, collectives. The
 * same from every format, whether it tells both ends of a message in one record or each where it
 * happens. Times are ns.
 */

/** A time that the trace does not tell. */
#define PRVCUT_NEVER UINT64_MAX

/** What became of a message or a collective. Numbered once and for ever. */
enum prvcut_fate {
    PRVCUT_FATE_WHOLE = 0,   /**< all of it is known */
    PRVCUT_FATE_CROSSES = 1, /**< it reaches out of the window */
    PRVCUT_FATE_ALONE = 2,   /**< its other end, or some member's part, is not recorded */
    PRVCUT_FATE_UNLIKE = 3   /**< a collective whose members called different things: from here on
                                  the order of calls does not say what belongs together */
};

/** "whole", "crosses", "alone", "unlike"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_fate_text(enum prvcut_fate fate);

/**
 * A call or another region: a value of an event type that holds until a 0. What an MPI call calls
 * of MPI in turn is part of it, and not told. A view.
 */
struct prvcut_stream_call {
    uint32_t thread, type;
    int64_t value;           /**< 0 where its begin was not read */
    struct prvcut_span span; /**< of a window: what of it is inside */
    enum prvcut_role role;
    bool no_begin, no_end; /**< it began before the window, or the trace; it ends behind it */
};

/**
 * A message. A view: the calls are borrowed with it.
 *
 * The k-th send of a channel (sender, receiver, tag, communicator) is the k-th receive, in the
 * order in which these were posted as far as the trace tells it; where a record holds both ends, it
 * is what that record says. The communicator counts only where both ends tell the same one
 * throughout.
 */
struct prvcut_stream_message {
    uint64_t number; /**< by time: from 0 on, given again once the message has ended, so that an
                          array of as many as are under way will do; by thread: of its own */
    enum prvcut_fate fate;
    uint32_t sender, receiver; /**< threads; UINT32_MAX: not known */
    uint32_t communicator; /**< as the sender tells it, else the receiver; UINT32_MAX: neither */
    int64_t tag;
    uint64_t size; /**< bytes */
    /** When it was sent (the call), was transferred, when the receive was posted, was complete;
        PRVCUT_NEVER: not told. Clocks may contradict each other. */
    uint64_t sent, transferred, posted, completed;
    /** The MPI calls that send, post the receive and complete it; NULL: none, not known, or outside
        the window. */
    const struct prvcut_stream_call *send, *post, *complete;
    uint64_t released; /**< when another call than `send` told the sender that it is complete;
                            PRVCUT_NEVER: not told */
    const struct prvcut_stream_call *release; /**< that call; NULL as those above */
};

/**
 * A collective operation: the k-th one of each member of a communicator, blocking ones and others
 * apart. A view.
 */
struct prvcut_stream_collective {
    uint64_t number; /**< as of a message */
    enum prvcut_fate fate;
    uint32_t application;
    uint32_t communicator; /**< id; UINT32_MAX: the calls do not tell, and it is all tasks' */
    uint32_t root;         /**< task; UINT32_MAX: it has none, or the trace does not tell */
    uint32_t members;      /**< that are known */
    uint32_t expected;     /**< tasks of the communicator */
    uint32_t type;         /**< of the first member's call */
    int64_t value;
    bool nonblocking;                                      /**< its calls start it */
    uint64_t first_begin, last_begin, first_end, last_end; /**< of its members' calls */
};

/** One task's part in a collective. A view. */
struct prvcut_stream_member {
    uint32_t task;
    bool root;
    int64_t sent, received; /**< bytes; -1: the trace does not tell */
    const struct prvcut_stream_call *call;
    const struct prvcut_stream_call *complete; /**< of one that does not block: the call that it is
                                                    complete in; NULL: not told */
};

/** The i-th member of a collective, by task; i < members. Borrowed with it; else NULL. */
PRVCUT_API const struct prvcut_stream_member *prvcut_stream_member(
    const struct prvcut_stream_collective *collective, uint32_t i);

/**
 * Who takes the stream. Filled in; what is NULL is not wanted, and may cost nothing.
 *
 * Calls, messages and collectives are told twice, when they begin and when they end, both times
 * with all their ends: a message begins with its send and ends with its completion, a collective
 * begins with its first member and ends with its last one. By time, no one ends before it begins.
 * Thread by thread, each end stands where it happens on its own thread (a collective's on that of
 * the first member to begin and the last one to end), so that a message's end may come first.
 *
 * returns of each: PRVCUT_OK to go on; PRVCUT_END to stop, which is no error; below 0: the stream
 *         fails with that
 */
struct prvcut_stream_taker {
    size_t size; /**< of this struct */
    void *ctx;
    enum prvcut_status (*call)(void *ctx, const struct prvcut_stream_call *call, bool begins);
    enum prvcut_status (*message)(void *ctx, const struct prvcut_stream_message *message,
                                  bool begins);
    enum prvcut_status (*collective)(void *ctx, const struct prvcut_stream_collective *collective,
                                     bool begins);
    /** States and events that are told as nothing else, some at once. */
    enum prvcut_status (*records)(void *ctx, const struct prvcut_record *record, size_t count);
};

/** What to tell, and how. Filled in. */
struct prvcut_stream_options {
    size_t size;             /**< of this struct */
    struct prvcut_span only; /**< what touches it; end 0 = all of the trace */
    bool by_thread;          /**< thread by thread, each by time; else all threads by time */
    bool no_states;          /**< of the records, only events */
    uint32_t calls;          /**< bits of the roles that are told as calls; 0 = MPI's */
    size_t memory;           /**< bytes for sorting before it goes to disk; 0 = 64 MiB */
    const char *scratch;     /**< folder for what does not fit; NULL: $TMPDIR, else /tmp */
};

/**
 * Read a trace, and tell what it holds in one order, on the calling thread. Memory is what is under
 * way at a time, and `memory`.
 *
 * A window reads only the blocks that it needs, once the trace was read or has an index beside it.
 * What counts from the run's beginning needs all of it: collectives, and messages of formats that
 * record each end where it happens. So do calls that may hold all through the window: those of
 * other roles than MPI's, and MPI's where some thread neither begins nor ends one in it.
 *
 * shape   run: NULL is all zeroed; its threads read; options: NULL is all zeroed
 * errors  those of the reader; PRVCUT_EUSAGE: the window is empty, calls has a bit that is no role;
 *         PRVCUT_EIO: no room to sort; what the taker returned below 0
 */
PRVCUT_API enum prvcut_status prvcut_stream_run(struct prvcut_trace *trace,
                                                const struct prvcut_run *run,
                                                const struct prvcut_stream_options *options,
                                                const struct prvcut_stream_taker *taker,
                                                struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
