#include "otf/channels.h"

#include "base/buffer.h"

#include <stdlib.h>

static size_t hash(const struct otf_channel *k)
{
    uint64_t h = k->comm * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ k->tag) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 29 ^ ((uint64_t)k->from << 32 | k->to)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (size_t)(h ^ h >> 31);
}

static bool same(const struct otf_channel *a, const struct otf_channel *b)
{
    return a->from == b->from && a->to == b->to && a->comm == b->comm && a->tag == b->tag;
}

static size_t find_slot(const struct otf_channels *c, const struct otf_channel *key)
{
    size_t i = hash(key) & (c->slots - 1);

    while (c->slot[i] > 0 && !same(&c->at[c->slot[i] - 1], key))
        i = (i + 1) & (c->slots - 1);
    return i;
}

struct otf_channel *otf_channel_find(const struct otf_channels *c, const struct otf_channel *key)
{
    const size_t i = c->slots > 0 ? find_slot(c, key) : 0;

    return c->slots > 0 && c->slot[i] > 0 ? &c->at[c->slot[i] - 1] : NULL;
}

static enum prvcut_status widen(struct otf_channels *c, struct prvcut_error *err)
{
    const size_t slots = c->slots > 0 ? 2 * c->slots : 64;
    size_t *slot = calloc(slots, sizeof *slot);

    if (!slot)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu channels", c->count);
    free(c->slot);
    c->slot = slot;
    c->slots = slots;
    for (size_t n = 0; n < c->count; n++)
        c->slot[find_slot(c, &c->at[n])] = n + 1;
    return PRVCUT_OK;
}

enum prvcut_status otf_channel_get(struct otf_channels *c, const struct otf_channel *key,
                                   struct otf_channel **out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    void *at = c->at;

    *out = otf_channel_find(c, key);
    if (*out)
        return PRVCUT_OK;
    if (2 * (c->count + 1) > c->slots)
        st = widen(c, err);
    if (st == PRVCUT_OK) {
        st = prvcut_grow(&at, &c->room, c->count + 1, sizeof *c->at, err);
        c->at = at;
    }
    if (st < 0)
        return st;
    c->slot[find_slot(c, key)] = c->count + 1;
    *out = &c->at[c->count++];
    **out = (struct otf_channel){
        .from = key->from, .to = key->to, .comm = key->comm, .tag = key->tag
    };
    return PRVCUT_OK;
}

void otf_channels_fini(struct otf_channels *c)
{
    free(c->at);
    free(c->slot);
    *c = (struct otf_channels){ 0 };
}
