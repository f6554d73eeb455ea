#ifndef PRVCUT_MATCH_SAMPLED_H
#define PRVCUT_MATCH_SAMPLED_H

#include "base/table.h"
#include "match/lone.h"
#include "model/batch.h"

/*
 * Ends of messages and parts of collectives in bounded memory, and what belongs together of them:
 * the k-th send of a channel (sender, receiver, tag, communicator) and its k-th receive, the k-th
 * collective of one member of a communicator and the k-th ones of all others. Of long runs only
 * every 2nd, 4th, ... is kept.
 *
 * It is for who asks whether what belongs together is in order. Receives count in the order of the
 * input, in which they are complete, not as they were posted (pair.h): if each is complete after
 * its own send, so is the k-th to be complete after the k-th to be sent, and nothing is
 * contradicted that is not wrong.
 */

/** Zeroed is not valid: prvcut_samples_none(). */
struct prvcut_samples {
    struct prvcut_table side; /**< of what sampled.c calls a side */
    size_t kept;              /**< times of all sides */
    unsigned shift;
};

struct prvcut_samples prvcut_samples_none(void);
/** Without any side, as at first. */
void prvcut_samples_clear(struct prvcut_samples *s);
void prvcut_samples_fini(struct prvcut_samples *s);

/** One end of a message; one that tells no other end is not kept. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_samples_half(struct prvcut_samples *s, const struct prvcut_half *half,
                                       struct prvcut_error *err);

/** A member's part in the next collective of a communicator, ns. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_samples_member(struct prvcut_samples *s, uint32_t thread,
                                         uint32_t communicator, struct prvcut_span call,
                                         struct prvcut_error *err);

/**
 * Parts in the order of the input; a part's times pass to the whole. What a thread tells in several
 * parts counts as far as the first of them.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_samples_join(struct prvcut_samples *all, struct prvcut_samples *part,
                                       struct prvcut_error *err);

/** How many ends each channel has, in all parts. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_samples_lone(const struct prvcut_samples *s, struct prvcut_lone *out,
                                       struct prvcut_error *err);

/** What belongs together, ns. */
struct prvcut_samples_taker {
    void *ctx;
    void (*message)(void *ctx, uint64_t sent, uint64_t received);
    /** When the last member has begun, and the first one ends. */
    void (*collective)(void *ctx, uint64_t last_begin, uint64_t first_end);
};

/** Of a channel with more receives than sends, nothing is told: sends are missing, and the k-th
   ones are not one message. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_samples_told(const struct prvcut_samples *s,
                                       const struct prvcut_samples_taker *taker,
                                       struct prvcut_error *err);

#endif
