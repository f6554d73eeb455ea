#ifndef PRVCUT_OTF2_QUICK_H
#define PRVCUT_OTF2_QUICK_H

#include "otf2/events.h"

/*
 * Events straight from the bytes of their file: several times as fast as the library, because
 * nothing is copied, locked or looked up. It knows the kinds of records that nearly all events are
 * of; at any other one that is wanted, and wherever the bytes are not quite as they should be, it
 * stops before the event, and the library has to go on from there: it has the last word on what is
 * damage.
 */

/*
 * Events are told as the library would, but without attributes and without the status that a
 * program ends with. Records of kinds that it does not know are passed over unless it is to stop at
 * them.
 */

enum o2_quick_end {
    O2_QUICK_MORE,        /**< as many events as were asked for */
    O2_QUICK_DONE,        /**< the end of the file */
    O2_QUICK_INTERRUPTED, /**< by a callback */
    O2_QUICK_STOPPED,     /**< the next event is for the library */
    O2_QUICK_SHORT,       /**< the file is over before its end: the library may never notice */
};

/** One worker's way through files of events, one after the other. */
struct o2_quick;

enum prvcut_status o2_quick_new(struct o2_quick **out, struct prvcut_error *err);
void o2_quick_free(struct o2_quick *q);

/** Begin a location; false: it is for the library. Ends the location before. */
bool o2_quick_open(struct o2_quick *q, const struct o2_trace *t, uint32_t thread);

/** Go to the event of a mark that was left while reading here; false: it is for the library. */
bool o2_quick_seek(struct o2_quick *q, const struct o2_mark *mark);

/** Hand over the next `most` events; count: how many there were, the interrupting one included. */
enum o2_quick_end o2_quick_read(struct o2_quick *q, const struct o2_event_calls *calls,
                                uint64_t most, uint64_t *count);

/** Events that were read since the location's begin; the library would go on behind these. */
uint64_t o2_quick_events(const struct o2_quick *q);

/** Where the event that a callback is being told stands in its file. */
uint64_t o2_quick_offset(const struct o2_quick *q);

void o2_quick_close(struct o2_quick *q);

/**
 * Let the library go on behind so many events, which were read from `first` on (1: from the
 * beginning); before callbacks are set.
 */
OTF2_ErrorCode o2_quick_hand_over(OTF2_Reader *r, OTF2_EvtReader *e, uint64_t first,
                                  uint64_t events);

#endif
