#ifndef PRVCUT_MODEL_BATCH_H
#define PRVCUT_MODEL_BATCH_H

#include "base/error.h"
#include "prvcut/objects.h"

/** Highest number of threads of a trace: what the thread field of a record can hold. */
#define PRVCUT_THREADS_MAX ((1u << 24) - 1)

/** Thread in one state over [begin, end), ns. */
struct prvcut_state {
    uint64_t begin, end;
    uint32_t thread;
    uint32_t running : 1; /**< the trace's 'running' state */
    uint32_t number : 31; /**< the trace's own number of the state */
};

/** One type:value pair, ns. Pairs of one line follow each other; `head` marks the first one. */
struct prvcut_event {
    uint64_t time;
    int64_t value;
    uint32_t type;
    uint32_t thread : 24;
    uint32_t role : 7;
    uint32_t head : 1; /**< first pair of its line that was delivered */
};

/** One message, ns: logical = the call, physical = the transfer. */
struct prvcut_message {
    uint64_t logical_send, physical_send, logical_receive, physical_receive;
    uint64_t size; /**< bytes */
    int64_t tag;
    uint32_t sender, receiver; /**< threads */
};

/** No thread: the partner of a message is not known. */
#define PRVCUT_NOBODY UINT32_MAX

/**
 * One end of a message, of formats that record each end where it happens; ns. The k-th send and the
 * k-th receive of one (sender, receiver, communicator, tag) are the same message.
 */
struct prvcut_half {
    uint64_t time; /**< a send is posted, a receive is complete */
    uint64_t size; /**< bytes */
    int64_t tag;
    uint32_t thread;       /**< whose record it is */
    uint32_t peer;         /**< thread at the other end; PRVCUT_NOBODY where unknown */
    uint32_t communicator; /**< the trace's own id; only to be compared */
    bool receive;
    bool done;      /**< no end: a send that was started is complete (prvcut_consumer.dones) */
    uint64_t other; /**< a send: its transfer; a receive: when posted (prvcut_other); 0: the format
                       does not tell; of a done one: when it was sent */
};

/** Stands for the time 0. */
#define PRVCUT_OTHER_ZERO (UINT64_MAX - 1)

/** A time as prvcut_half.other. */
static inline uint64_t prvcut_other(uint64_t time)
{
    return time != 0 ? time : PRVCUT_OTHER_ZERO;
}

/** The time that it tells, or another one where it tells none. */
static inline uint64_t prvcut_other_time(const struct prvcut_half *h, uint64_t untold)
{
    if (h->other == PRVCUT_OTHER_ZERO)
        return 0;
    return h->other != 0 ? h->other : untold;
}

/**
 * A few thousand records, one array a kind, each in the order of the input. A line of events stands
 * in one batch, unless it is longer than that.
 *
 * owns    by whoever delivers it; valid during the call that hands it over
 */
struct prvcut_batch {
    struct prvcut_state *state;
    struct prvcut_event *event;
    struct prvcut_message *message;
    struct prvcut_half *half; /**< a format delivers either messages or halves */
    size_t states, events, messages, halves;
};

#endif
