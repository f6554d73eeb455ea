#ifndef PRVCUT_OTF2_CUT_FOLLOW_H
#define PRVCUT_OTF2_CUT_FOLLOW_H

#include "otf2/cut.h"

/* What the records of a location come to, in the survey and in the writing. */

/** What a pending request is: posted before the window, or in it, or a collective's in it. */
enum o2_request {
    O2_RECEIVE_BEFORE = 1,
    O2_COLLECTIVE_BEFORE,
    O2_RECEIVE_INSIDE,
    O2_COLLECTIVE_INSIDE
};

/** Take note of a failed allocation. */
void o2_need(struct o2_place *p, bool memory);

/** Where the reading is; false: the event is not to be looked at. */
bool o2_step(struct o2_place *p, uint64_t time, uint64_t position);

/** The same where a region is entered. */
bool o2_step_enter(struct o2_place *p, uint64_t time, uint64_t position);

/** The same of a receive: it is inside at the window's very end, too, if its call has begun before
    (model/crossing.h). */
bool o2_step_receive(struct o2_place *p, uint64_t time, uint64_t position);

/** What is open changes before the window, and again while it is written. */
bool o2_changes(const struct o2_place *p);

/** A region is entered. */
void o2_enter_region(struct o2_place *p);

/** A region is left: a collective that began in it and did not end never will (EZTrace). */
void o2_leave_collective(struct o2_place *p);

/** These also tell whether the record is to be written. */
bool o2_begin_collective(struct o2_place *p, bool rma);
bool o2_end_collective(struct o2_place *p, const struct o2_late_end *end);

/** Fill in peer and communicator; false: the partner is not known. */
bool o2_message_key(const struct o2_place *p, uint32_t rank, uint32_t comm, struct o2_channel *key);

/** A request is complete: one of before the window has to be posted again. */
void o2_complete_request(struct o2_place *p, uint64_t request, struct o2_channel *channel);

/** A message: tells whether it is to be written; request: of a receive, or NULL. */
bool o2_message(struct o2_place *p, struct o2_channel key, uint32_t rank, const uint64_t *request);

/** A request is posted. */
bool o2_post_request(struct o2_place *p, uint64_t request, enum o2_request what);

/** Sends' requests are followed only where their completion is recorded: others pile up. */
bool o2_isend(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t request);

/** The completion goes with its send. */
bool o2_isend_complete(struct o2_place *p, uint64_t request);

/** A collective that was begun by a request. */
bool o2_nonblocking_complete(struct o2_place *p, uint32_t comm, uint64_t request);

/** A metric is read; tells whether the record is to be written. */
bool o2_read_metric(struct o2_place *p, uint64_t time, OTF2_MetricRef metric, uint8_t count,
                    const OTF2_Type *type, const OTF2_MetricValue *value);

/** Other things that stay open. */
bool o2_duplicate_handle(struct o2_state *s, uint32_t old, uint32_t new, uint32_t status);
void o2_change_status(struct o2_state *s, uint32_t handle, uint32_t status);
void o2_begin_thread(struct o2_state *s, uint32_t contingent, uint64_t sequence);
void o2_flush(struct o2_state *s, uint64_t stop);

/** The end of a flush as it is written: within the window, too. */
uint64_t o2_flush_stop(const struct o2_place *p, uint64_t stop);

#endif
