#ifndef PRVCUT_STRUCTURE_ALIGN_CALLS_H
#define PRVCUT_STRUCTURE_ALIGN_CALLS_H

#include "model/trace.h"

/** One call of a thread. */
struct align_call {
    uint64_t time, end; /**< ns; end == time where it was not seen */
    uint32_t call;      /**< which call: a hash */
    uint32_t size;      /**< of its messages: a hash, comparable between threads */
    uint32_t peer;      /**< partners and tags of its messages: a hash, of this thread only */
    uint32_t communicator;
    bool collective; /**< with a known communicator */
};

/** The calls of one thread in time order; where a call merely ended, it is not there. */
struct align_thread {
    struct align_call *call;
    size_t count, room;
    size_t near;            /**< where prvcut_align_calls_near looks first */
    uint64_t latest;        /**< ns, of the latest begin or end that was read */
    bool begun, collective; /**< that was a begin; of a collective */
};

/** One end of a message, as prvcut_half. */
struct align_half {
    uint64_t time; /**< ns */
    int64_t tag;
    uint32_t thread, peer;
    uint32_t size; /**< a hash */
    bool receive;
};

/** The surroundings of a window. */
struct align_piece {
    struct prvcut_span span;     /**< ns; nothing outside is held, but for messages that reach in */
    struct align_thread *thread; /**< [threads] */
    uint32_t threads;
    uint32_t *application; /**< [threads]: numbers of communicators are each application's own */
    struct align_half *half;
    struct prvcut_message *message;
    size_t halves, half_room, messages, message_room;
    bool too_much; /**< it was given up: there is more than fits */
    bool mixed;    /**< threads' records are not in the order of time: all of them are sorted */
};

/**
 * Read a piece of the run. Of one that begins in the piece that *out holds and ends behind it, what
 * is there already is kept, and only the rest is read.
 *
 * shape   out: zeroed, or an earlier piece of the same trace, whose memory is used again;
 *         most: bytes that it may take
 * owns    *out is released with prvcut_align_piece_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM; too much is PRVCUT_OK
 */
enum prvcut_status prvcut_align_piece_read(struct align_piece *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run, struct prvcut_span span,
                                           size_t most, struct prvcut_error *err);

void prvcut_align_piece_fini(struct align_piece *p);

/** Number of the thread's calls that begin at or before a time (before it, if not `with`). */
uint32_t prvcut_align_calls_until(const struct align_thread *t, uint64_t time, bool with);

/** The same, at or before a time that is mostly close to the one that was asked for last. */
uint32_t prvcut_align_calls_near(struct align_thread *t, uint64_t time);

#endif
