#include "analysis/proof_sums.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void prvcut_proof_sums_init(struct prvcut_proof_sums *s, size_t slots)
{
    *s = (struct prvcut_proof_sums){
        .key = PRVCUT_TABLE_SET(struct prvcut_proof_key, "sums"),
        .slots = slots,
    };
}

static uint32_t index_of(const struct prvcut_proof_sums *s, const struct prvcut_proof_key *key)
{
    return (uint32_t)(key - prvcut_proof_sums_key(s, 0));
}

uint32_t prvcut_proof_sums_find(const struct prvcut_proof_sums *s,
                                const struct prvcut_proof_key *key)
{
    const struct prvcut_proof_key *found =
        prvcut_table_look(&s->key, key, sizeof *key, sizeof *key);

    return found ? index_of(s, found) : UINT32_MAX;
}

enum prvcut_status prvcut_proof_sums_enter(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_key *key, uint32_t *at,
                                           struct prvcut_error *err)
{
    const size_t before = s->key.count;
    const struct prvcut_proof_key *kept;
    size_t want;

    if (!prvcut_ckd_mul_size(&want, before + 1, s->slots))
        return prvcut_no_memory(err, s->key.what);
    if (prvcut_grow((void **)&s->at, &s->at_room, want, sizeof *s->at, err) < 0)
        return PRVCUT_ENOMEM;
    kept = prvcut_table_make(&s->key, key, err);
    if (!kept)
        return PRVCUT_ENOMEM;
    *at = index_of(s, kept);
    if (s->key.count > before)
        memset(s->at + before * s->slots, 0, s->slots * sizeof *s->at);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_sums_merge(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_sums *more,
                                           struct prvcut_error *err)
{
    for (size_t i = 0; i < more->key.count; i++) {
        uint32_t at;

        if (prvcut_proof_sums_enter(s, prvcut_proof_sums_key(more, i), &at, err) < 0)
            return PRVCUT_ENOMEM;
        for (size_t k = 0; k < s->slots; k++) {
            s->at[at * s->slots + k].amount += more->at[i * s->slots + k].amount;
            s->at[at * s->slots + k].count += more->at[i * s->slots + k].count;
        }
    }
    return PRVCUT_OK;
}

void prvcut_proof_sums_fini(struct prvcut_proof_sums *s)
{
    prvcut_table_fini(&s->key);
    free(s->at);
    memset(s, 0, sizeof *s);
}
