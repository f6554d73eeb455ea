#ifndef PRVCUT_ANALYSIS_PROOF_FOLLOW_H
#define PRVCUT_ANALYSIS_PROOF_FOLLOW_H

#include "analysis/counted.h"
#include "analysis/proof_pass.h"
#include "follow/part.h"

/** What is the same for all workers. */
struct prvcut_proof_follow {
    const struct prvcut_proof_cells *cells;
    const struct prvcut_dictionary *names;
    struct prvcut_proof_thread *detail; /**< [slots * threads], or NULL; added to by all workers */
    uint32_t threads;
    bool regions;            /**< regions are counted in place of calls */
    struct prvcut_span only; /**< what lies outside does not count; all: { 0, UINT64_MAX } */
};

/** Where a worker is in the time of a thread, and what it found in that place so far. */
struct prvcut_proof_cursor {
    struct prvcut_proof_place place;
    struct prvcut_proof_thread found;
};

/** What a part leaves behind until it is joined. */
struct prvcut_proof_part {
    struct prvcut_follow_part calls;
    struct prvcut_counted_part counters;
};

/** What goes on between parts. */
struct prvcut_proof_carry {
    struct prvcut_follow_carry calls;
    struct prvcut_counted_read *read; /**< [threads] */
};

/** Where a key was found the last time, as a record tells it. */
struct prvcut_proof_recent {
    enum prvcut_proof_kind kind;
    uint32_t type;
    int64_t value;
    uint32_t place; /**< in the sums, and 1; 0: nothing is kept */
};

/** So many keys (2^bits, 24 bytes each) are kept at hand for each worker: most programs are in so
   few states and calls at a time that no two of these meet in a place. With 6 bits some did, and
   took a third of what is saved. */
#define PRVCUT_PROOF_RECENT_BITS 8

struct prvcut_proof_worker {
    struct prvcut_proof_sums sums;
    struct prvcut_proof_recent recent[1u << PRVCUT_PROOF_RECENT_BITS];
    struct prvcut_proof_ended ended;
    struct prvcut_proof_cursor *cursor; /**< [threads] */
    uint32_t *slot;                     /**< [threads * deepest]: those of the cursor's place */
    struct prvcut_rows calls, counters;
};

enum prvcut_status prvcut_proof_worker_init(struct prvcut_proof_worker *w,
                                            const struct prvcut_proof_follow *f,
                                            struct prvcut_error *err);
/** Forget what was summed up. */
void prvcut_proof_worker_clear(struct prvcut_proof_worker *w);
void prvcut_proof_worker_fini(struct prvcut_proof_worker *w);

enum prvcut_status prvcut_proof_carry_init(struct prvcut_proof_carry *c,
                                           const struct prvcut_proof_follow *f,
                                           struct prvcut_error *err);
void prvcut_proof_carry_fini(struct prvcut_proof_carry *c);

/** The part is for another one; its memory stays. */
void prvcut_proof_part_clear(struct prvcut_proof_part *part);
void prvcut_proof_part_fini(struct prvcut_proof_part *part);

enum prvcut_status prvcut_proof_batch(const struct prvcut_proof_follow *f,
                                      struct prvcut_proof_worker *w, struct prvcut_proof_part *part,
                                      const struct prvcut_batch *batch, struct prvcut_error *err);

/** What crosses into this part; parts come in order. */
enum prvcut_status prvcut_proof_join(const struct prvcut_proof_follow *f,
                                     struct prvcut_proof_worker *w,
                                     struct prvcut_proof_carry *carry,
                                     const struct prvcut_proof_part *part,
                                     struct prvcut_error *err);

/** The trace ends, and with it all calls that are open. */
enum prvcut_status prvcut_proof_end(const struct prvcut_proof_follow *f,
                                    struct prvcut_proof_worker *w, struct prvcut_proof_carry *carry,
                                    uint64_t end, struct prvcut_error *err);

/** Hand over what a worker's cursors hold. */
void prvcut_proof_flush(const struct prvcut_proof_follow *f, struct prvcut_proof_worker *w);

#endif
