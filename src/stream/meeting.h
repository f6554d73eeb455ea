#ifndef PRVCUT_STREAM_MEETING_H
#define PRVCUT_STREAM_MEETING_H

#include "match/pair.h"
#include "match/uses.h"
#include "model/trace.h"
#include "stream/records.h"

/*
 * Ends of messages that a format records apart, gathered by several workers and brought together in
 * bounded memory (pair.h says which belong together).
 */

/** A worker's ends of the present batch, and what they have in common. */
struct stm_meeting_worker {
    struct prvcut_end *end[2]; /**< sends, receives */
    size_t count[2], room[2];
    struct prvcut_uses uses;
};

/** Zeroed is valid, and empty. */
struct stm_meeting {
    unsigned workers;
    struct stm_meeting_worker *worker; /**< [workers] */
    struct prvcut_sorter *sorter[2];   /**< sends, receives */
};

/**
 * shape   memory: bytes for sorting, of sends and of receives each; scratch, run: as of
 *         prvcut_stream_plan
 * owns    released with stm_meeting_fini, also after a failure
 */
enum prvcut_status stm_meeting_init(struct stm_meeting *m, const struct prvcut_run *run,
                                    size_t memory, const char *scratch, struct prvcut_error *err);
void stm_meeting_fini(struct stm_meeting *m);

/** One end; kept by the worker until it is flushed. errors: PRVCUT_ENOMEM */
enum prvcut_status stm_meeting_add(struct stm_meeting *m, unsigned worker, uint64_t order,
                                   const struct prvcut_half *half, struct prvcut_error *err);

/** Once a batch. errors: as of prvcut_sorter_add */
enum prvcut_status stm_meeting_flush(struct stm_meeting *m, unsigned worker,
                                     struct prvcut_error *err);

/**
 * All ends of a batch, in one go; place: how many its part has had, 0 at first.
 *
 * errors  as of prvcut_sorter_add; PRVCUT_ELIMIT: more parts than can be numbered
 */
enum prvcut_status stm_meeting_batch(struct stm_meeting *m, unsigned worker, uint64_t part,
                                     uint32_t *place, const struct prvcut_batch *batch,
                                     struct prvcut_error *err);

/**
 * Of a reading that several processes share, each has its piece's ends; after this, all ends of a
 * channel are one process's, and what they have in common is known to all. All take part.
 *
 * shape   run->exchange: is shared; memory: as of stm_meeting_init; st, err: how far this process
 *         has come; a failure of any is everybody's
 */
enum prvcut_status stm_meeting_share(struct stm_meeting *m, const struct prvcut_run *run,
                                     size_t memory, enum prvcut_status st,
                                     struct prvcut_error *err);

/** All of the trace is read: met and alone of the pairing are told, its ctx is theirs. */
enum prvcut_status stm_meeting_end(struct stm_meeting *m, const struct prvcut_pairing *told,
                                   struct prvcut_error *err);

/** Two ends that belong together. */
struct prvcut_message stm_meeting_message(const struct prvcut_end *send,
                                          const struct prvcut_end *receive);

#endif
