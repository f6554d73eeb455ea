#ifndef PRVCUT_STRUCTURE_DEPARTURES_H
#define PRVCUT_STRUCTURE_DEPARTURES_H

#include "prvcut/structure.h"
#include "structure/loop.h"

struct prvcut_departures {
    struct prvcut_departure *at; /**< [count] most frequent first, at most 16; NULL: none; owned by
                                      whom they are told */
    size_t count;
    bool unlike; /**< on most threads no half of the iterations makes the same calls as often: none
                      departs from the others, whatever it makes */
};

/**
 * Iterations whose calls are not those of the pattern that most share, on any examined thread.
 * Departures of one kind (same calls more or less) are one entry; how regularly they come is told.
 *
 * shape   from, to: iterations [from, to) of the loop; they count from `from`
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_departures_find(struct prvcut_departures *out,
                                          const struct prvcut_call_loop *loop,
                                          const struct prvcut_call_sequence *sequence, size_t from,
                                          size_t to, struct prvcut_error *err);

#endif
