#ifndef PRVCUT_MATCH_PIECE_H
#define PRVCUT_MATCH_PIECE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Which send is which receive where a piece of the run is all there is: the k-th of a channel
 * counts from the piece's beginning, and the first receives may belong to sends before it.
 */

/** The ends of one channel in a piece of the run, where that is all there is of it. */
struct prvcut_piece {
    const void *send, *receive; /**< [sends], [receives], each in its order */
    size_t sends, receives;
    size_t stride, time; /**< bytes from one end to the next, and to its time (uint64_t, ns) */
};

/**
 * How many receives belong to sends before the piece: nothing is received before it is sent, and
 * what contradicts that least is taken, the fewest of equals.
 *
 * most       it is no more than that
 * tolerance  ns that a receive may come before its send all the same
 * limit      as many contradictions are too many; SIZE_MAX returned: whatever is taken has them
 */
size_t prvcut_piece_sent_before(const struct prvcut_piece *p, size_t most, uint64_t tolerance,
                                size_t limit);

/**
 * What belongs together then, in the order of the receives: send is NULL where it was before the
 * piece. Those without a receive in it are not told.
 */
enum prvcut_status prvcut_piece_meet(const struct prvcut_piece *p, size_t before, void *ctx,
                                     enum prvcut_status (*met)(void *ctx, const void *send,
                                                               const void *receive,
                                                               struct prvcut_error *err),
                                     struct prvcut_error *err);

/** Ends of all channels in a piece; how they are kept, their owner knows. */
struct prvcut_halves {
    void *at; /**< [count] */
    size_t count;
    size_t stride, time; /**< as of struct prvcut_piece */
    /** For qsort: channel by channel, its sends before its receives, each in their order. */
    int (*order)(const void *a, const void *b);
    /** Of the two alone, whether they are of one channel. */
    bool (*same)(const void *a, const void *b);
    bool (*is_receive)(const void *end);
};

/** Each channel, one after the other; the ends are brought into order. */
enum prvcut_status prvcut_halves_channels(const struct prvcut_halves *h, void *ctx,
                                          enum prvcut_status (*take)(void *ctx,
                                                                     const struct prvcut_piece *p,
                                                                     struct prvcut_error *err),
                                          struct prvcut_error *err);

#endif
