#ifndef PRVCUT_SIGNAL_FLIGHTS_H
#define PRVCUT_SIGNAL_FLIGHTS_H

#include "signal/sums.h"
#include "stream/meeting.h"

/*
 * What archives tell of messages in two halves becomes whole again, for the bytes that are under
 * way. It needs all of a trace: the k-th of a channel counts from the run's beginning.
 */
struct prvcut_flights {
    struct stm_meeting meeting;
    unsigned feeds; /**< workers that have theirs */
    bool wanted;
    int no_room; /**< the disk is full: nothing is told; set by all workers */
};

enum prvcut_status prvcut_flights_init(struct prvcut_flights *f, const struct prvcut_run *run,
                                       struct prvcut_error *err);
void prvcut_flights_fini(struct prvcut_flights *f);

/** Halves of a batch, by one of the feeds; place: as of stm_meeting_batch. */
enum prvcut_status prvcut_flights_batch(struct prvcut_flights *f, unsigned feed, uint64_t part,
                                        uint32_t *place, const struct prvcut_batch *batch,
                                        struct prvcut_error *err);

/** All of the trace is read: add what was delivered, unless ends are missing. Processes that shared
    the reading all come here, with the sums of all. */
enum prvcut_status prvcut_flights_end(struct prvcut_flights *f, const struct prvcut_run *run,
                                      struct prvcut_sums *sums, struct prvcut_error *err);

#endif
