#ifndef PRVCUT_STREAM_PAIR_H
#define PRVCUT_STREAM_PAIR_H

#include "base/sorter.h"
#include "stream/records.h"

/**
 * Which send is which receive: the k-th send of a channel (sender, receiver, tag, and communicator
 * and size where both ends tell the same) meets the k-th receive, in the order in which these were
 * posted, or are complete where no post is told.
 */
struct stm_pairing {
    struct prvcut_sorter *sorter[2]; /**< sends, receives; sorted by channel, and finished */
    size_t size;                     /**< bytes of what is sorted; begins with a struct stm_end */
    bool by_communicator, by_size;   /**< else those that ends name do not matter */
    /** < 0, 0, > 0: the order of channels that both sorters have. */
    int (*channel)(const struct stm_end *a, const struct stm_end *b);
    void *ctx;
    enum prvcut_status (*met)(void *ctx, const struct stm_end *send, const struct stm_end *receive,
                              struct prvcut_error *err);
    /** Its other end is nowhere. */
    enum prvcut_status (*alone)(void *ctx, const struct stm_end *end, struct prvcut_error *err);
};

enum prvcut_status stm_pair(const struct stm_pairing *pairing, struct prvcut_error *err);

/** The ends of one channel in a piece of the run, where that is all there is of it. */
struct stm_piece {
    const void *send, *receive; /**< [sends], [receives], each in its order */
    size_t sends, receives;
    size_t stride, time; /**< bytes from one end to the next, and to its time (uint64_t, ns) */
};

/** How many pairs are left where the first `before` receives belong to sends before the piece. */
static inline size_t stm_piece_pairs(const struct stm_piece *p, size_t before)
{
    const size_t left = before < p->receives ? p->receives - before : 0;

    return left < p->sends ? left : p->sends;
}

/**
 * How many receives belong to sends before the piece: nothing is received before it is sent, and
 * what contradicts that least is taken, the fewest of equals.
 *
 * most       it is no more than that
 * tolerance  ns that a receive may come before its send all the same
 * limit      as many contradictions are too many; SIZE_MAX returned: whatever is taken has them
 */
size_t stm_piece_sent_before(const struct stm_piece *p, size_t most, uint64_t tolerance,
                             size_t limit);

#endif
