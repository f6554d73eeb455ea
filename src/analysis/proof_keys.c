#include "analysis/proof_keys.h"

#include "model/calls.h"
#include "model/regions.h"

#include <inttypes.h>
#include <stdio.h>

/* States beyond that share one sum where the trace's labels do not know them. */
#define STATES_MOST 64

/* Callers are numbered from 1; where no labels are at hand, the number says which one it is. */
#define CALLERS_MOST 65536

#define OTHERS       INT64_MIN /* value of a key for all that has no name */

static bool key_is_named(const struct prvcut_dictionary *d, const struct prvcut_proof_key *k)
{
    const struct prvcut_type_name *t;

    if (k->kind == PRVCUT_PROOF_STATE)
        return k->type < STATES_MOST || prvcut_dictionary_state(d, k->type);
    if (k->kind != PRVCUT_PROOF_CALL || k->type == PRVCUT_PROOF_PAIR)
        return true;
    if ((k->type == PRVCUT_TYPE_CALLER || k->type == PRVCUT_TYPE_CALLER_LINE) && k->value > 0 &&
        k->value < CALLERS_MOST)
        return true;
    t = prvcut_dictionary_type(d, k->type);
    return (t && prvcut_type_value(t, k->value)) || prvcut_mpi_call_by_value(k->type, k->value);
}

void prvcut_proof_key_settle(struct prvcut_proof_key *key, const struct prvcut_dictionary *names)
{
    if (key_is_named(names, key))
        return;
    key->value = OTHERS;
    key->type = key->kind == PRVCUT_PROOF_STATE ? UINT32_MAX : key->type;
}

static const char *key_state_text(char *out, size_t room, uint32_t number,
                                  const struct prvcut_dictionary *d)
{
    if (number == UINT32_MAX)
        return "other states";
    if (!prvcut_dictionary_state(d, number) && prvcut_state_text(number))
        return prvcut_state_text(number);
    return prvcut_state_number_text(out, room, d, number);
}

/* "PAPI_L1_DCM [Level 1 data misses]", "PAPI_REF_CYC ([Cycles])": what stands before that. */
static const char *key_counter_text(char *out, size_t room, uint32_t type,
                                    const struct prvcut_dictionary *d)
{
    const char *text = prvcut_type_text(out, room, d, type);

    if (text != out)
        snprintf(out, room, "%s", text);
    out[strcspn(out, "[")] = '\0';
    for (size_t n = strlen(out); n > 0 && strchr(" (", out[n - 1]); n--)
        out[n - 1] = '\0';
    return out;
}

static const char *key_call_text(char *out, size_t room, const struct prvcut_proof_key *k,
                                 const struct prvcut_dictionary *d)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(d, k->type);
    const char *name = prvcut_value_text(d, k->type, k->value);

    if (k->value != OTHERS && name)
        return name;
    if (k->value != OTHERS)
        return prvcut_event_text(out, room, d, k->type, k->value);
    if (t && t->text && *t->text)
        snprintf(out, room, "%s, other", t->text);
    else
        snprintf(out, room, "type %" PRIu32 ", other", k->type);
    return out;
}

const char *prvcut_proof_key_text(char *out, size_t room, const struct prvcut_proof_key *key,
                                  const struct prvcut_dictionary *names)
{
    if (key->kind == PRVCUT_PROOF_STATE)
        return key_state_text(out, room, key->type, names);
    if (key->kind == PRVCUT_PROOF_COUNTER)
        return key->value > 0 ? prvcut_role_text((unsigned)key->value)
                              : key_counter_text(out, room, key->type, names);
    return key_call_text(out, room, key, names);
}
