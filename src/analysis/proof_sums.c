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

static uint32_t psu_index_of(const struct prvcut_proof_sums *s, const struct prvcut_proof_key *key)
{
    return (uint32_t)(key - prvcut_proof_sums_key(s, 0));
}

uint32_t prvcut_proof_sums_find(const struct prvcut_proof_sums *s,
                                const struct prvcut_proof_key *key)
{
    const struct prvcut_proof_key *found =
        prvcut_table_look(&s->key, key, sizeof *key, sizeof *key);

    return found ? psu_index_of(s, found) : UINT32_MAX;
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
    *at = psu_index_of(s, kept);
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

struct psu_place {
    struct prvcut_proof_key key;
    size_t at;
};

static int psu_by_key(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct prvcut_proof_key));
}

/* In an order that does not depend on who saw what first. */
static struct psu_place *psu_sorted(struct prvcut_put *p, const struct prvcut_proof_sums *s)
{
    struct psu_place *place = prvcut_zeroed(s->key.count + 1, sizeof *place, s->key.what, p->err);

    for (size_t i = 0; place && i < s->key.count; i++) {
        memcpy(&place[i].key, prvcut_proof_sums_key(s, i), sizeof place[i].key);
        place[i].at = i;
    }
    if (place)
        qsort(place, s->key.count, sizeof *place, psu_by_key);
    p->st = place || p->st < 0 ? p->st : PRVCUT_ENOMEM;
    return place;
}

void prvcut_proof_sums_put(struct prvcut_put *p, const struct prvcut_proof_sums *s)
{
    struct psu_place *place = psu_sorted(p, s);

    prvcut_put_u64(p, s->key.count);
    for (size_t i = 0; place && i < s->key.count; i++) {
        const struct prvcut_proof_sum *sum = s->at + place[i].at * s->slots;

        prvcut_put_u32(p, (uint32_t)place[i].key.kind);
        prvcut_put_u32(p, place[i].key.type);
        prvcut_put_u64(p, (uint64_t)place[i].key.value);
        for (size_t k = 0; k < s->slots; k++) {
            prvcut_put_u64(p, sum[k].amount);
            prvcut_put_u64(p, sum[k].count);
        }
    }
    free(place);
}

void prvcut_proof_sums_get(struct prvcut_get *g, struct prvcut_proof_sums *s)
{
    const size_t count = prvcut_get_count(g, 16 * (s->slots + 1));

    for (size_t i = 0; i < count && !g->bad; i++) {
        struct prvcut_proof_key key;
        uint32_t at = 0;

        /* Keys are compared byte by byte. */
        memset(&key, 0, sizeof key);
        key.kind = (enum prvcut_proof_kind)prvcut_get_u32(g);
        key.type = prvcut_get_u32(g);
        key.value = (int64_t)prvcut_get_u64(g);
        prvcut_get_check(g, prvcut_proof_sums_enter(s, &key, &at, NULL) == PRVCUT_OK);
        for (size_t k = 0; !g->bad && k < s->slots; k++) {
            s->at[at * s->slots + k].amount += prvcut_get_u64(g);
            s->at[at * s->slots + k].count += prvcut_get_u64(g);
        }
    }
}

void prvcut_proof_sums_clear(struct prvcut_proof_sums *s)
{
    const size_t slots = s->slots;

    prvcut_proof_sums_fini(s);
    prvcut_proof_sums_init(s, slots);
}

void prvcut_proof_sums_fini(struct prvcut_proof_sums *s)
{
    prvcut_table_fini(&s->key);
    free(s->at);
    memset(s, 0, sizeof *s);
}
