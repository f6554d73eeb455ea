#include "analysis/profile/profile_pairs.h"

#include "analysis/profile/profile.h"
#include "model/calls.h"

/* A pair's value: the call's type in the highest bits, then its value, then the function. */
#define VALUE_SHIFT 40u
#define TYPE_SHIFT  60u
#define NO_VALUE    0xfffffu /* of a call without a name */
#define TYPES       5u       /* from PRVCUT_TYPE_MPI_P2P on; others have no name */

uint64_t prvcut_profile_caller_number(struct prvcut_proof_key caller,
                                      const struct prvcut_dictionary *names)
{
    prvcut_proof_key_settle(&caller, names);
    return caller.value > 0 && (uint64_t)caller.value <= PRVCUT_PROFILE_LAST_FUNCTION
               ? (uint64_t)caller.value
               : PRVCUT_PROFILE_NO_FUNCTION;
}

struct prvcut_proof_key prvcut_profile_pair(uint64_t function, struct prvcut_proof_key call,
                                            const struct prvcut_dictionary *names)
{
    const uint32_t at = call.type - PRVCUT_TYPE_MPI_P2P;
    const uint64_t type = at < TYPES ? at : TYPES;
    uint64_t value;

    prvcut_proof_key_settle(&call, names);
    value =
        type < TYPES && call.value > 0 && call.value < NO_VALUE ? (uint64_t)call.value : NO_VALUE;
    return (
        struct prvcut_proof_key){ PRVCUT_PROOF_CALL, PRVCUT_PROOF_PAIR,
                                  (int64_t)(type << TYPE_SHIFT | value << VALUE_SHIFT | function) };
}

uint64_t prvcut_profile_pair_function(const struct prvcut_proof_key *pair)
{
    return (uint64_t)pair->value & PRVCUT_PROFILE_LAST_FUNCTION;
}

struct prvcut_proof_key prvcut_profile_pair_call(const struct prvcut_proof_key *pair)
{
    const uint32_t type = (uint32_t)((uint64_t)pair->value >> TYPE_SHIFT);
    const uint64_t value = (uint64_t)pair->value >> VALUE_SHIFT & NO_VALUE;

    return (
        struct prvcut_proof_key){ PRVCUT_PROOF_CALL, type < TYPES ? PRVCUT_TYPE_MPI_P2P + type : 0,
                                  value != NO_VALUE ? (int64_t)value : PRVCUT_PROFILE_NAMELESS };
}
