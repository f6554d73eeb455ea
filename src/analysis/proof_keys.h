#ifndef PRVCUT_ANALYSIS_PROOF_KEYS_H
#define PRVCUT_ANALYSIS_PROOF_KEYS_H

#include "analysis/proof_sums.h"
#include "model/trace.h"

/** The type of a key that stands for a function and a call that it makes (profile_pairs.h), both
    with a name. */
#define PRVCUT_PROOF_PAIR (UINT32_MAX - 1)

/** What a counter is added up as: by its role, or by its type where it has none of its own. */
static inline struct prvcut_proof_key prvcut_proof_key_counter(uint32_t type, uint8_t role)
{
    return role == PRVCUT_ROLE_COUNTER ? (struct prvcut_proof_key){ PRVCUT_PROOF_COUNTER, type, 0 }
                                       : (struct prvcut_proof_key){ PRVCUT_PROOF_COUNTER, 0, role };
}

/** Damaged traces may hold any number of values: those without a name share a key. */
void prvcut_proof_key_settle(struct prvcut_proof_key *key, const struct prvcut_dictionary *names);

/** The name of a key; returns out, or a constant. shape: out: [room], 0 < room */
const char *prvcut_proof_key_text(char *out, size_t room, const struct prvcut_proof_key *key,
                                  const struct prvcut_dictionary *names);

#endif
