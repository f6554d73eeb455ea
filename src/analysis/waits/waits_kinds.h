#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_KINDS_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_KINDS_H

#include "base/error.h"

/** What a call means to the patterns: bits. */
enum wts_kind {
    WTS_SENDS = 1,      /**< it sends, and returns when the send is complete */
    WTS_STARTS = 2,     /**< it starts a send that another call completes */
    WTS_WAITS = 4,      /**< for one request */
    WTS_WAITS_MANY = 8, /**< for some or all of several */
    WTS_TESTS = 16,     /**< it asks and does not wait */
    WTS_BARRIER = 32,   /**< collectives */
    WTS_NXN = 64,
    WTS_NXN_V = 128, /**< who gets what from whom is not recorded */
    WTS_FROM_ROOT = 256,
    WTS_TO_ROOT = 512,
    WTS_SCAN = 1024,
    WTS_NONBLOCKING = 2048, /**< a collective that it starts */
    WTS_INIT = 4096,
    WTS_FINALIZE = 8192,
    WTS_MOVES = 16384,     /**< it sends or receives messages, or starts to */
    WTS_EXCHANGES = 32768, /**< it sends one message and receives one */
    WTS_UNSOUGHT = 65536,  /**< it may wait for others, and no metric says so */
};

#define WTS_LATER       (WTS_WAITS | WTS_WAITS_MANY | WTS_TESTS)
#define WTS_COLLECTIVES (WTS_BARRIER | WTS_NXN | WTS_NXN_V | WTS_FROM_ROOT | WTS_TO_ROOT | WTS_SCAN)

/** By the name that the trace gives its value; NULL: it gives none. */
uint32_t wts_kind_of(uint32_t type, int64_t value, const char *name);

#endif
