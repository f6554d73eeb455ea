#ifndef PRVCUT_ANALYSIS_PATTERNS_TOLERANT_REACH_H
#define PRVCUT_ANALYSIS_PATTERNS_TOLERANT_REACH_H

#include "analysis/patterns/tolerant.h"

/**
 * A tolerant loop that goes on, before its first iteration and behind its last one, in the calls
 * themselves. The fold joins what it sees first, so that iterations at the ends may be made of
 * other elements than those between: inner loops that go round once there are none to it, and two
 * short iterations may have become one element. As calls they are iterations all the same.
 *
 * shape   p: with at least one iteration; symbol: the row that it was found in
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_tolerant_reach(struct pat_tolerant *p, const uint32_t *symbol, size_t count,
                                      struct prvcut_error *err);

#endif
