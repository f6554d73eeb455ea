#ifndef PRVCUT_MATCH_PAIR_H
#define PRVCUT_MATCH_PAIR_H

#include "base/sorter.h"
#include "match/end.h"

/**
 * Which send is which receive: the k-th send of a channel (sender, receiver, tag, and communicator
 * and size where both ends tell the same) meets the k-th receive, in the order in which these were
 * posted, or are complete where no post is told.
 */
struct prvcut_pairing {
    struct prvcut_sorter *sorter[2]; /**< sends, receives; sorted by channel, and finished */
    size_t size;                   /**< bytes of what is sorted; begins with a struct prvcut_end */
    bool by_communicator, by_size; /**< else those that ends name do not matter */
    /** < 0, 0, > 0: the order of channels that both sorters have. */
    int (*channel)(const struct prvcut_end *a, const struct prvcut_end *b);
    void *ctx;
    enum prvcut_status (*met)(void *ctx, const struct prvcut_end *send,
                              const struct prvcut_end *receive, struct prvcut_error *err);
    /** Its other end is nowhere. */
    enum prvcut_status (*alone)(void *ctx, const struct prvcut_end *end, struct prvcut_error *err);
};

enum prvcut_status prvcut_ends_pair(const struct prvcut_pairing *pairing, struct prvcut_error *err);

#endif
