#ifndef PRVCUT_BASE_EXCHANGE_H
#define PRVCUT_BASE_EXCHANGE_H

#include "base/bytes.h"
#include "prvcut/exchange.h"

/**
 * What processes hand to each other (prvcut/exchange.h): bytes, or a failure in place of them, so
 * that one that fails keeps nobody waiting, and all fail alike.
 */

/** Are there others? */
static inline bool prvcut_exchange_is_shared(const struct prvcut_exchange *x)
{
    return x && x->ranks > 1;
}

/** Does it write what is made by all: rank 0 of several, or one alone? */
static inline bool prvcut_exchange_is_first(const struct prvcut_exchange *x)
{
    return !prvcut_exchange_is_shared(x) || x->rank == 0;
}

static inline bool prvcut_exchange_is_last(const struct prvcut_exchange *x)
{
    return x->rank + 1 == x->ranks;
}

/**
 * Hand over bytes, or why there are none.
 *
 * shape   st, why: below 0, and the failure, which is handed over in place of the bytes
 * errors  st and why, or that of the exchange
 */
enum prvcut_status prvcut_exchange_send(const struct prvcut_exchange *x, unsigned to,
                                        enum prvcut_status st, const struct prvcut_buffer *bytes,
                                        struct prvcut_error *why);

/**
 * Take what another rank hands over.
 *
 * owns    out is the caller's, filled anew
 * errors  the other one's failure; that of the exchange; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_exchange_receive(const struct prvcut_exchange *x, unsigned from,
                                           struct prvcut_buffer *out, struct prvcut_error *err);

/** From one rank to all: its bytes, or its failure. shape: st, err: of rank `from`. */
enum prvcut_status prvcut_exchange_spread(const struct prvcut_exchange *x, unsigned from,
                                          enum prvcut_status st, struct prvcut_buffer *bytes,
                                          struct prvcut_error *err);

/** What each rank has a share of. */
struct prvcut_shares {
    void *ctx;
    void (*put)(void *ctx, struct prvcut_put *out); /**< this rank's */
    void (*add)(void *ctx, struct prvcut_get *in);  /**< another one's */
    void (*clear)(void *ctx);                       /**< it becomes nothing */
};

/**
 * Add up the shares of all ranks, in every rank.
 *
 * shape   st, err: how far this rank has come; a failure of any is all ranks', the lowest rank's
 *         first
 */
enum prvcut_status prvcut_exchange_sum(const struct prvcut_exchange *x,
                                       const struct prvcut_shares *s, enum prvcut_status st,
                                       struct prvcut_error *err);

/** What was handed over was taken as a whole? errors: PRVCUT_EIO: not so, or no
    memory */
enum prvcut_status prvcut_exchange_taken(const struct prvcut_get *in, struct prvcut_error *err);

#endif
