#ifndef PRVCUT_ANALYSIS_PATTERNS_HEAR_H
#define PRVCUT_ANALYSIS_PATTERNS_HEAR_H

#include "structure/nested.h"

/** The outermost loop of a thread's nest, exact or else tolerant, from the calls that were
   collected of it (a prvcut_nested_tell). */
enum prvcut_status pat_hear(struct prvcut_nested *out, const struct prvcut_call_sequence *s,
                            struct prvcut_error *err);

#endif
