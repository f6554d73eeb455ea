#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_PAIRS_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_PAIRS_H

#include "analysis/proof_keys.h"

#include <stdbool.h>

/**
 * A call told apart by the function that makes it, as one number, so that it is added up as any
 * other call: what has no name is one call, and one function.
 */

/** A function's number that says that none is recorded; those that are have 1 to LAST. */
#define PRVCUT_PROFILE_NO_FUNCTION   UINT64_C(0)
#define PRVCUT_PROFILE_LAST_FUNCTION ((UINT64_C(1) << 40) - 1)

/** The number of a caller, which its value gives, as far as it has a name. */
uint64_t prvcut_profile_caller_number(struct prvcut_proof_key caller,
                                      const struct prvcut_dictionary *names);

/** What a call that a function makes is added up as. */
struct prvcut_proof_key prvcut_profile_pair(uint64_t function, struct prvcut_proof_key call,
                                            const struct prvcut_dictionary *names);

/** The two again. */
uint64_t prvcut_profile_pair_function(const struct prvcut_proof_key *pair);
struct prvcut_proof_key prvcut_profile_pair_call(const struct prvcut_proof_key *pair);

#endif
