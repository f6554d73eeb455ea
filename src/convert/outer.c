#include "convert/outer.h"

#include "base/memory.h"
#include "model/roles.h"

#include <stdlib.h>

enum prvcut_status cnv_outer_init(struct cnv_outer *o, uint32_t threads, struct prvcut_error *err)
{
    *o = (struct cnv_outer){ .open = prvcut_zeroed((size_t)threads + 1, sizeof *o->open, "threads",
                                                   err) };
    return o->open ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void cnv_outer_fini(struct cnv_outer *o)
{
    free(o->open);
    o->open = NULL;
}

static bool out_event(struct cnv_outer *o, struct prvcut_item *i)
{
    const uint64_t bit = PRVCUT_ROLE_BIT(i->role);
    const uint32_t thread = i->thread & PRVCUT_THREADS_MAX;
    uint64_t *open = &o->open[thread];
    const bool begins = i->event.value != 0;
    bool goes = true;

    if (bit & (PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH))) {
        goes = begins != ((*open & bit) != 0);
        *open = begins ? *open | bit : *open & ~bit;
    }
    /* The first pair that goes on begins the line. */
    if (i->head)
        o->headless = false;
    i->head = i->head || o->headless;
    o->headless = i->head && !goes;
    return goes;
}

size_t cnv_outer_items(struct cnv_outer *o, struct prvcut_item *item, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (item[i].kind != PRVCUT_ITEM_EVENT || out_event(o, &item[i]))
            item[kept++] = item[i];
    return kept;
}
