#include "otf/write.h"

static bool sites_is_caller(const struct prvcut_item *e)
{
    return e->kind == PRVCUT_ITEM_EVENT &&
           (e->role == PRVCUT_ROLE_CALLER || e->role == PRVCUT_ROLE_CALLER_LINE);
}

/* A path is told by its whole list of callers; two that share all 64 bits would be one. */
static uint64_t sites_add_step(uint64_t path, const struct prvcut_item *e)
{
    path = (path ^ e->event.type) * UINT64_C(0x9e3779b97f4a7c15);
    path = (path ^ (path >> 29) ^ (uint64_t)e->event.value) * UINT64_C(0xbf58476d1ce4e5b9);
    return path ^ (path >> 32);
}

/* Who called is named by its line, where there is one, the innermost of each. */
static bool sites_names_better(const struct prvcut_item *e, const struct prvcut_item *best)
{
    return !best || (e->role == PRVCUT_ROLE_CALLER_LINE && best->role == PRVCUT_ROLE_CALLER) ||
           (e->role == best->role && e->event.type < best->event.type);
}

enum prvcut_status otfw_site_of(struct otfw *w, const struct prvcut_item *item, size_t count,
                                uint32_t *site, struct prvcut_error *err)
{
    struct otfw_site *s, key = { .path = 1 };
    const struct prvcut_item *best = NULL;
    const size_t before = w->sites.count;

    *site = 0;
    for (size_t i = 0; i < count; i++) {
        if (!sites_is_caller(&item[i]))
            continue;
        key.path = sites_add_step(key.path, &item[i]);
        if (sites_names_better(&item[i], best))
            best = &item[i];
    }
    if (!best)
        return PRVCUT_OK;
    s = prvcut_table_make(&w->sites, &key, err);
    if (!s)
        return PRVCUT_ENOMEM;
    *site = (uint32_t)(s - (struct otfw_site *)w->sites.at) + 1;
    if (w->sites.count > before) {
        s->type = best->event.type;
        s->value = best->event.value;
    }
    return PRVCUT_OK;
}
