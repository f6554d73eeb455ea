#ifndef PRVCUT_STRUCTURE_CALL_EQUAL_H
#define PRVCUT_STRUCTURE_CALL_EQUAL_H

#include "structure/loop.h"

/**
 * Calls that nothing tells apart: each thread makes one kind only, and the trace says neither size,
 * partner nor path, as where only states are recorded. How many of them make one iteration, then
 * only their distances can tell. Zeroed is empty.
 */
struct prvcut_call_equal {
    bool found;    /**< the sequences are such */
    size_t number; /**< of calls in an iteration, as their distances repeat; 1: nothing tells */
    double sure;   /**< confidence, at most, of a loop of theirs, 0..1 */
    struct prvcut_call_loop loop; /**< of that number, where it is not 1; owned */
};

/**
 * Look whether calls are such, and follow what their distances repeat with. A call more or less
 * now and then does not matter.
 *
 * shape   sequence: [sequences]; loop.strength: share of the iterations with one call at each place
 * owns    out is initialised here, released with prvcut_call_equal_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_equal_find(struct prvcut_call_equal *out,
                                          const struct prvcut_call_sequence *sequence,
                                          size_t sequences, struct prvcut_error *err);

void prvcut_call_equal_fini(struct prvcut_call_equal *e);

#endif
