#ifndef PRVCUT_STREAM_PLACE_H
#define PRVCUT_STREAM_PLACE_H

#include "model/writer.h"

/**
 * Put the ends of messages into the calls that made them, among items of one thread and time:
 * where the clock is coarse, a call may begin and end in one instant.
 *
 * shape   spare: room for count items; receives stand first, sends last on the way in
 */
void stm_place_group(struct prvcut_item *item, size_t count, struct prvcut_item *spare);

/**
 * The same for all groups of a run of items.
 *
 * shape   returns how many items are in their places: all but the last group, which may go on;
 *         all of them where `last`, or where there is only one group
 */
size_t stm_place_all(struct prvcut_item *item, size_t count, bool last, struct prvcut_item *spare);

#endif
