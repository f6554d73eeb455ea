#include "paje/names.h"

#include <stdlib.h>
#include <string.h>

struct paje_name {
    int64_t value;
    uint32_t type;
    uint16_t kind;
    uint16_t used;
    uint32_t number;
};

static size_t hash(enum paje_name_kind kind, uint32_t type, int64_t value)
{
    uint64_t h = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);

    h ^= ((uint64_t)type << 3 | (uint64_t)kind) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (size_t)((h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 16);
}

static struct paje_name *find(const struct paje_names *n, enum paje_name_kind kind, uint32_t type,
                              int64_t value)
{
    for (size_t i = hash(kind, type, value);; i++) {
        struct paje_name *slot = &n->slot[i & (n->slots - 1)];

        if (!slot->used || (slot->kind == kind && slot->type == type && slot->value == value))
            return slot;
    }
}

static enum prvcut_status widen(struct paje_names *n)
{
    struct paje_names wider = { .slots = n->slots ? 2 * n->slots : 64, .count = n->count };

    wider.slot = calloc(wider.slots, sizeof *wider.slot);
    if (!wider.slot)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < n->slots; i++) {
        const struct paje_name *s = &n->slot[i];

        if (s->used)
            *find(&wider, (enum paje_name_kind)s->kind, s->type, s->value) = *s;
    }
    free(n->slot);
    *n = wider;
    return PRVCUT_OK;
}

enum prvcut_status paje_names_number(struct paje_names *n, enum paje_name_kind kind, uint32_t type,
                                     int64_t value, uint32_t *number, bool *fresh)
{
    struct paje_name *slot;

    if (n->count >= UINT32_MAX / 2)
        return PRVCUT_ELIMIT;
    if (n->count >= n->slots / 2 && widen(n) < 0)
        return PRVCUT_ENOMEM;
    slot = find(n, kind, type, value);
    *fresh = !slot->used;
    if (*fresh)
        *slot = (struct paje_name){
            .value = value, .type = type, .kind = (uint16_t)kind, .used = 1, .number = n->count++
        };
    *number = slot->number;
    return PRVCUT_OK;
}

void paje_names_fini(struct paje_names *n)
{
    free(n->slot);
    memset(n, 0, sizeof *n);
}
