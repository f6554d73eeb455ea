#ifndef PRVCUT_FOLLOW_FOLLOW_H
#define PRVCUT_FOLLOW_FOLLOW_H

#include "follow/part.h"
#include "pass/pass.h"

/**
 * What threads are in, as a listener of a pass. One rule: an end ends the innermost of its type,
 * and those inside it stay; 65,536 deep. What crosses parts is put together where they are joined.
 */

struct prvcut_follow_options {
    uint32_t roles; /**< bits: events of these begin and end something */
    enum prvcut_follow_how how;
    bool own;       /**< own times are wanted */
    bool in_order;  /**< told in the order of the input, with depth, by one worker: events are kept
                         until their part is joined */
    bool outermost; /**< what begins inside something is not told; in order, too */
    struct prvcut_pass_room worker; /**< one more is made for what is told where parts are joined */
    void *ctx;
    /** By several workers at once, each with its own room, unless it is told in order. */
    enum prvcut_status (*closed)(void *ctx, void *worker, const struct prvcut_followed *f,
                                 struct prvcut_error *err);
    /**
     * Something has begun, and will be told when it is closed; in order only. NULL: not wanted.
     *
     * in   unless own times are wanted, its note is that of what it is in, 0 where that is nothing,
     * and may be set: spent and closed are told it
     */
    enum prvcut_status (*opened)(void *ctx, void *worker, uint32_t thread, struct prvcut_frame *in,
                                 struct prvcut_error *err);
    /**
     * Time of a thread between two events, and up to the end; in order, too. NULL: not wanted.
     *
     * in   the innermost of what is open; NULL: nothing is. Value 0: something of its type that
     * began in what was left out; then, and where nothing is open there, the span begins at 0
     */
    enum prvcut_status (*spent)(void *ctx, void *worker, uint32_t thread,
                                const struct prvcut_frame *in, struct prvcut_span span,
                                struct prvcut_error *err);
    /** All is told: each worker's room. */
    enum prvcut_status (*merge)(void *ctx, void *worker, struct prvcut_error *err);
};

struct prvcut_follow;

/**
 * For one pass.
 *
 * owns    *out is the caller's, released with prvcut_follow_free; NULL after a failure; what the
 *         options point to is borrowed until then
 */
enum prvcut_status prvcut_follow_new(struct prvcut_follow **out, const struct prvcut_trace *t,
                                     const struct prvcut_follow_options *options,
                                     struct prvcut_error *err);

/** Who is to listen; borrowed. */
const struct prvcut_listener *prvcut_follow_listener(const struct prvcut_follow *f);

void prvcut_follow_free(struct prvcut_follow *f);

#endif
