#ifndef PRVCUT_API_FOLLOW_CALLS_H
#define PRVCUT_API_FOLLOW_CALLS_H

#include "model/made.h"
#include "signal/calls.h"

/**
 * Of the beginning of a run: does a thread behind the end of the main loop, as it is known so far,
 * make calls that do not go on as its iterations do? Such are none of the loop's own.
 *
 * shape   s: its regions; false where it has no loop; sequence: [sequences]
 */
bool follow_calls_stray(const struct made_structure *s, const struct prvcut_call_sequence *sequence,
                        size_t sequences);

#endif
