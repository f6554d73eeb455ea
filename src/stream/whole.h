#ifndef PRVCUT_STREAM_WHOLE_H
#define PRVCUT_STREAM_WHOLE_H

#include "stream/meeting.h"

/*
 * Whole messages for a listener of one worker (src/pass/pass.h), whatever the format: those of
 * records that hold both ends as they are read, those of ends that are recorded apart at the end.
 * For these all of the trace has to be read, because the k-th of a channel counts from the run's
 * beginning.
 */
struct stm_whole {
    void *ctx;
    enum prvcut_status (*take)(void *ctx, const struct prvcut_message *m, struct prvcut_error *err);
    bool apart;     /**< the format records the ends apart */
    uint64_t sends; /**< of ends apart, so far */
    uint64_t part;  /**< the present one */
    uint32_t place; /**< of the next end in it */
    struct stm_meeting meeting;
};

/** ctx and take are set. owns: released with stm_whole_fini, also after a failure */
enum prvcut_status stm_whole_init(struct stm_whole *w, const struct prvcut_trace *t,
                                  const struct prvcut_run *run, struct prvcut_error *err);
void stm_whole_fini(struct stm_whole *w);

/** A part begins. */
void stm_whole_begin(struct stm_whole *w, uint64_t number);

/** errors: of take, and of stm_meeting_batch */
enum prvcut_status stm_whole_batch(struct stm_whole *w, const struct prvcut_batch *batch,
                                   struct prvcut_error *err);

/** All is read. */
enum prvcut_status stm_whole_end(struct stm_whole *w, struct prvcut_error *err);

#endif
