#ifndef PRVCUT_SIGNAL_CALLS_H
#define PRVCUT_SIGNAL_CALLS_H

#include "base/error.h"

/**
 * One call of a thread, reduced to what can be compared with another call of the same thread.
 * Each of the hashes is 0 where the trace does not say.
 */
struct prvcut_call {
    uint64_t time; /**< ns, when the call begins */
    uint32_t call; /**< which call (type and value) */
    uint32_t peer; /**< partners and tags of its messages; root and communicator */
    uint32_t size; /**< bytes of its messages or of the collective */
    uint32_t site; /**< caller functions and lines (of this thread only) */
};

/** The calls of one thread in time order. */
struct prvcut_call_sequence {
    uint32_t thread;
    struct prvcut_call *at; /**< [count]; owned by whoever made the sequence */
    size_t count;
};

#endif
