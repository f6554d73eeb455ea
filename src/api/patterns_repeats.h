#ifndef PRVCUT_API_PATTERNS_REPEATS_H
#define PRVCUT_API_PATTERNS_REPEATS_H

#include "analysis/patterns/store.h"
#include "model/made.h"

/**
 * Add stretches of calls that come back to an answer whose symbols are known.
 *
 * owns    all of it is out's, released with api_patterns_repeats_fini, also after a failure
 * errors  as pat_repeated_find
 */
enum prvcut_status api_patterns_repeats(struct made_patterns *out, struct pat_store *store,
                                        const struct prvcut_patterns_options *options,
                                        struct prvcut_error *err);
void api_patterns_repeats_fini(struct made_patterns *out);

#endif
