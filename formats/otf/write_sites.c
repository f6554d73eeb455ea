#include "base/buffer.h"
#include "otf/write.h"

#include <stdlib.h>
#include <string.h>

static bool is_caller(const struct prvcut_item *e)
{
    return e->kind == PRVCUT_ITEM_EVENT &&
           (e->role == PRVCUT_ROLE_CALLER || e->role == PRVCUT_ROLE_CALLER_LINE);
}

/* A path is told by its whole list of callers; two that share all 64 bits would be one. */
static uint64_t add_step(uint64_t path, const struct prvcut_item *e)
{
    path = (path ^ e->event.type) * UINT64_C(0x9e3779b97f4a7c15);
    path = (path ^ (path >> 29) ^ (uint64_t)e->event.value) * UINT64_C(0xbf58476d1ce4e5b9);
    return path ^ (path >> 32);
}

static size_t slot_of(const struct otfw_sites *s, uint64_t path)
{
    size_t at = (size_t)path & (s->slots - 1);

    while (s->slot[at] > 0 && s->at[s->slot[at] - 1].path != path)
        at = (at + 1) & (s->slots - 1);
    return at;
}

static enum prvcut_status more_slots(struct otfw_sites *s, struct prvcut_error *err)
{
    const size_t slots = s->slots == 0 ? 256 : 2 * s->slots;
    uint32_t *slot = calloc(slots, sizeof *slot);

    if (!slot)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for call sites");
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    for (size_t i = 0; i < s->count; i++)
        s->slot[slot_of(s, s->at[i].path)] = (uint32_t)i + 1;
    return PRVCUT_OK;
}

/* Who called is named by its line, where there is one, the innermost of each. */
static bool names_better(const struct prvcut_item *e, const struct prvcut_item *best)
{
    return !best || (e->role == PRVCUT_ROLE_CALLER_LINE && best->role == PRVCUT_ROLE_CALLER) ||
           (e->role == best->role && e->event.type < best->event.type);
}

enum prvcut_status otfw_site_of(struct otfw *w, const struct prvcut_item *item, size_t count,
                                uint32_t *site, struct prvcut_error *err)
{
    struct otfw_sites *s = &w->sites;
    const struct prvcut_item *best = NULL;
    enum prvcut_status st = PRVCUT_OK;
    uint64_t path = 1;
    size_t at;

    *site = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_caller(&item[i]))
            continue;
        path = add_step(path, &item[i]);
        if (names_better(&item[i], best))
            best = &item[i];
    }
    if (!best)
        return PRVCUT_OK;
    if (s->count + 1 >= s->slots / 2)
        st = more_slots(s, err);
    if (st < 0)
        return st;
    at = slot_of(s, path);
    if (s->slot[at] == 0) {
        st = prvcut_grow((void **)&s->at, &s->room, s->count + 1, sizeof *s->at, err);
        if (st < 0)
            return st;
        s->at[s->count++] = (struct otfw_site){ path, best->event.type, best->event.value };
        s->slot[at] = (uint32_t)s->count;
    }
    *site = s->slot[at];
    return PRVCUT_OK;
}

void otfw_sites_fini(struct otfw_sites *s)
{
    free(s->at);
    free(s->slot);
    *s = (struct otfw_sites){ 0 };
}
