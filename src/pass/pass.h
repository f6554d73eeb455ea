#ifndef PRVCUT_PASS_PASS_H
#define PRVCUT_PASS_PASS_H

#include "base/exchange.h"
#include "model/trace.h"

/**
 * One reading of a trace for several listeners. What an analysis does with records is a listener's;
 * memory for each worker and each part, which is made once, used again and released, is the pass's.
 * What a listener adds up is integers, so that the sums are the same for any number of workers.
 */

/** Memory of one kind, zeroed when it is new. */
struct prvcut_pass_room {
    size_t bytes;     /**< 0: none is wanted */
    const char *what; /**< what it is called where there is none: "a part" */
    /** NULL: zeros will do. */
    enum prvcut_status (*init)(void *ctx, void *room, struct prvcut_error *err);
    /** Release what it holds, after init or of zeros; NULL: it holds nothing. */
    void (*fini)(void *room);
};

/**
 * What a listener hands to other processes that share the reading (prvcut/exchange.h), each of
 * which reads a piece. Sums are each one's own until they are added up at the end.
 */
struct prvcut_pass_share {
    /** What goes on from part to part, and what grows in the order of the input; taken over in
        place of what was there. */
    void (*put)(void *ctx, struct prvcut_put *out);
    void (*get)(void *ctx, struct prvcut_get *in);
    struct prvcut_shares sums; /**< with the listener's ctx in place of its own */
};

/** Who listens; constant during the pass. Each function but batch may be NULL. */
struct prvcut_listener {
    uint32_t roles, detail_roles; /**< as of prvcut_consumer; with several listeners, each gets what
                                       any of them wants */
    uint32_t head_roles;          /**< the same, of events whose head is set, if they are first */
    const uint8_t *detail;        /**< of one listener at most */
    bool states, running_only, messages;
    bool posts; /**< as of prvcut_consumer */
    void *ctx;
    struct prvcut_pass_room worker, part;
    /** A worker starts a part; number: its place among all parts of the input. */
    enum prvcut_status (*begin)(void *ctx, void *worker, void *part, uint64_t number,
                                struct prvcut_error *err);
    /** By several workers at once, each with its own room. */
    enum prvcut_status (*batch)(void *ctx, void *worker, void *part,
                                const struct prvcut_batch *batch, struct prvcut_error *err);
    /** Parts of a trace by time were left out before the one that is joined next. */
    enum prvcut_status (*gap)(void *ctx, struct prvcut_error *err);
    /** In the order of the input, one at a time: stitch what crosses parts. */
    enum prvcut_status (*join)(void *ctx, void *part, struct prvcut_error *err);
    /** The part's room is for another part; its memory stays. */
    void (*clear)(void *part);
    /** All parts are joined: what is open ends at end_ns. */
    enum prvcut_status (*end)(void *ctx, uint64_t end_ns, struct prvcut_error *err);
    /** After end, each worker's room; it is released then. */
    enum prvcut_status (*merge)(void *ctx, void *worker, struct prvcut_error *err);
    const struct prvcut_pass_share *share; /**< NULL: every process reads all of the trace */
};

/**
 * Read all of a trace, or what can touch `only` of one that was read before.
 *
 * shape   counts: of all of it; NULL, and untouched with `only`
 * errors  those of the reader and of the listeners, the first in the order of the input
 */
enum prvcut_status prvcut_pass_run(struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_span *only,
                                   const struct prvcut_listener *const *listener, size_t listeners,
                                   struct prvcut_counts *counts, struct prvcut_error *err);

#endif
