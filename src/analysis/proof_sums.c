#include "analysis/proof_sums.h"

#include "base/buffer.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 256u

static size_t hash(const struct prvcut_proof_key *k)
{
    uint64_t h = (uint64_t)k->value * UINT64_C(0x9e3779b97f4a7c15) +
                 ((uint64_t)k->type << 2 | (uint64_t)k->kind) * UINT64_C(0xc2b2ae3d27d4eb4f);

    return (size_t)(h ^ h >> 32);
}

static bool same(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->kind == b->kind && a->type == b->type && a->value == b->value;
}

enum prvcut_status prvcut_proof_sums_init(struct prvcut_proof_sums *s, size_t slots,
                                          struct prvcut_error *err)
{
    *s = (struct prvcut_proof_sums){ .slots = slots, .places = PLACES };
    s->place = calloc(PLACES, sizeof *s->place);
    return s->place ? PRVCUT_OK : prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for sums");
}

uint32_t prvcut_proof_sums_find(const struct prvcut_proof_sums *s,
                                const struct prvcut_proof_key *key)
{
    size_t at = hash(key) & (s->places - 1);

    while (s->place[at] > 0) {
        if (same(&s->key[s->place[at] - 1], key))
            return s->place[at] - 1;
        at = (at + 1) & (s->places - 1);
    }
    return UINT32_MAX;
}

static void put(struct prvcut_proof_sums *s, size_t index)
{
    size_t at = hash(&s->key[index]) & (s->places - 1);

    while (s->place[at] > 0)
        at = (at + 1) & (s->places - 1);
    s->place[at] = (uint32_t)index + 1;
}

static enum prvcut_status spread_out(struct prvcut_proof_sums *s, struct prvcut_error *err)
{
    uint32_t *place = calloc(s->places * 2, sizeof *place);

    if (!place)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for sums");
    free(s->place);
    s->place = place;
    s->places *= 2;
    for (size_t i = 0; i < s->keys; i++)
        put(s, i);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_sums_enter(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_key *key, uint32_t *at,
                                           struct prvcut_error *err)
{
    size_t want;

    if (s->keys * 2 >= s->places && spread_out(s, err) < 0)
        return PRVCUT_ENOMEM;
    if (!prvcut_ckd_mul_size(&want, s->keys + 1, s->slots))
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for sums");
    if (prvcut_grow((void **)&s->key, &s->key_room, s->keys + 1, sizeof *s->key, err) < 0 ||
        prvcut_grow((void **)&s->at, &s->at_room, want, sizeof *s->at, err) < 0)
        return PRVCUT_ENOMEM;
    memset(s->at + s->keys * s->slots, 0, s->slots * sizeof *s->at);
    s->key[s->keys] = *key;
    put(s, s->keys);
    *at = (uint32_t)s->keys++;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_sums_merge(struct prvcut_proof_sums *s,
                                           const struct prvcut_proof_sums *more,
                                           struct prvcut_error *err)
{
    for (size_t i = 0; i < more->keys; i++) {
        uint32_t at = prvcut_proof_sums_find(s, &more->key[i]);

        if (at == UINT32_MAX && prvcut_proof_sums_enter(s, &more->key[i], &at, err) < 0)
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
    free(s->key);
    free(s->at);
    free(s->place);
    memset(s, 0, sizeof *s);
}
