#ifndef PRVCUT_ANALYSIS_PROOF_SUMS_H
#define PRVCUT_ANALYSIS_PROOF_SUMS_H

#include "base/bytes.h"
#include "base/table.h"

/** What is added up, in the order in which rows of equal weight are shown. */
enum prvcut_proof_kind {
    PRVCUT_PROOF_STATE,   /**< amount: ns; type: the state's number */
    PRVCUT_PROOF_CALL,    /**< amount: ns; count: calls that begin; type, value: of the event */
    PRVCUT_PROOF_MESSAGE, /**< amount: bytes; count: messages that are sent */
    PRVCUT_PROOF_COUNTER, /**< amount: what was counted; type: of the event, or value: the role */
};

struct prvcut_proof_key {
    enum prvcut_proof_kind kind;
    uint32_t type;
    int64_t value;
};

struct prvcut_proof_sum {
    uint64_t amount, count;
};

/** Sums of every key in every slot. */
struct prvcut_proof_sums {
    struct prvcut_table key;     /**< of prvcut_proof_key */
    struct prvcut_proof_sum *at; /**< [keys * slots], key by key */
    size_t slots, at_room;
};

/** owns: s is initialised here, released with prvcut_proof_sums_fini */
void prvcut_proof_sums_init(struct prvcut_proof_sums *s, size_t slots);

/** The k-th key of s->key.count. */
static inline const struct prvcut_proof_key *prvcut_proof_sums_key(
    const struct prvcut_proof_sums *s, size_t k)
{
    return (const struct prvcut_proof_key *)s->key.at + k;
}

/** Where a key is kept; UINT32_MAX: it is not yet. */
uint32_t prvcut_proof_sums_find(const struct prvcut_proof_sums *s,
                                const struct prvcut_proof_key *key);

/** Where a key is kept from now on: with sums of 0 where it is new. */
enum prvcut_status prvcut_proof_sums_enter(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_key *key, uint32_t *at,
                                           struct prvcut_error *err);

/** Add all sums of another one with the same slots. */
enum prvcut_status prvcut_proof_sums_merge(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_sums *more,
                                           struct prvcut_error *err);

/** For another process; what one sent is added; nothing was added up. */
void prvcut_proof_sums_put(struct prvcut_put *p, const struct prvcut_proof_sums *s);
void prvcut_proof_sums_get(struct prvcut_get *g, struct prvcut_proof_sums *s);
void prvcut_proof_sums_clear(struct prvcut_proof_sums *s);

void prvcut_proof_sums_fini(struct prvcut_proof_sums *s);

#endif
