#include "otf2/cut_names.h"

/* Which definitions are used, because others are. */

/* Whatever a used definition refers to is used. */
static bool use_close(struct o2_names *n)
{
    struct o2_map *used_map = &n->cutter->used;
    bool changed = true;

    /* Most refer to earlier ones: backwards, one round is nearly always enough. */
    while (changed) {
        changed = false;
        for (size_t i = n->links; i-- > 0;) {
            const struct o2_link *l = &n->link[i];

            if ((l->from != O2_ROOT && o2_map_get(used_map, l->from) == 0) ||
                o2_map_get(used_map, l->to) > 0)
                continue;
            if (!o2_map_put(used_map, l->to, 1))
                return false;
            changed = true;
        }
    }
    return true;
}

/*
 * Readers take a gap in ids that are in order for damage (otf2-print warns of each): as far as they
 * are, only those after the last one that is used are left out. Texts may have gaps.
 */
static bool use_fill_gaps(struct o2_names *n, bool *changed)
{
    struct o2_map *map = &n->cutter->used;
    uint32_t end[O2_NODES] = { 0 };

    *changed = false;
    for (size_t i = 0; i < map->put.count; i++) {
        const uint64_t key = o2_map_at(map, i)->key, kind = key >> 32, id = (uint32_t)key;

        if (id < n->next[kind] && id >= end[kind])
            end[kind] = (uint32_t)id + 1;
    }
    for (unsigned kind = O2_ATTRIBUTE; kind < O2_PARADIGM; kind++)
        for (uint32_t id = 0; id < end[kind]; id++) {
            const uint64_t key = o2_node_key((enum o2_node)kind, id);

            if (o2_map_get(map, key) > 0)
                continue;
            if (!o2_map_put(map, key, 1))
                return false;
            *changed = true;
        }
    return true;
}

bool o2_names_settle(struct o2_names *n)
{
    bool changed = true;

    while (changed)
        if (!use_close(n) || !use_fill_gaps(n, &changed))
            return false;
    return true;
}
