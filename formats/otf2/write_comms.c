#include "otf2/write.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

void o2w_comms_fini(struct o2w_comms *c)
{
    o2w_map_fini(&c->by_id);
    free(c->world);
    free(c->rank);
    free(c->application);
    free(c->ascending);
}

static bool comms_ascends(const struct prvcut_objects *o, const struct prvcut_communicator *c)
{
    for (uint32_t i = 1; i < c->count; i++) {
        if (o->member[c->first + i - 1] >= o->member[c->first + i])
            return false;
    }
    return true;
}

/* The first communicator that has all tasks of its application. */
static void comms_find_world(struct o2w_comms *c, const struct prvcut_objects *o,
                             uint32_t communicator)
{
    const struct prvcut_communicator *candidate = &o->communicator[communicator];
    const uint32_t a = candidate->application;

    if (c->world[a] != UINT32_MAX ||
        candidate->count != o->application_first_task[a + 1] - o->application_first_task[a])
        return;
    c->world[a] = communicator;
    for (uint32_t i = 0; i < candidate->count; i++)
        c->rank[o->member[candidate->first + i]] = i;
}

enum prvcut_status o2w_comms_init(struct o2w_comms *c, const struct prvcut_objects *o,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *c = (struct o2w_comms){
        .world = prvcut_zeroed((size_t)o->applications + 1, sizeof *c->world, "communicators", err),
        .rank = prvcut_zeroed((size_t)o->tasks + 1, sizeof *c->rank, "communicators", err),
        .application =
            prvcut_zeroed((size_t)o->tasks + 1, sizeof *c->application, "communicators", err),
        .ascending =
            prvcut_zeroed((size_t)o->communicators + 1, sizeof *c->ascending, "communicators", err),
    };
    if (!c->world || !c->rank || !c->application || !c->ascending)
        return PRVCUT_ENOMEM;
    for (uint32_t a = 0; a < o->applications; a++) {
        c->world[a] = UINT32_MAX;
        for (uint32_t t = o->application_first_task[a]; t < o->application_first_task[a + 1]; t++)
            c->application[t] = a;
    }
    for (uint32_t i = 0; i < o->communicators && st == PRVCUT_OK; i++) {
        const struct prvcut_communicator *it = &o->communicator[i];

        c->ascending[i] = comms_ascends(o, it);
        comms_find_world(c, o, i);
        if (o2w_map_get(&c->by_id, it->application, it->id) == UINT32_MAX)
            st = o2w_map_set(&c->by_id, it->application, it->id, i, err);
    }
    return st;
}

static uint32_t comms_search(const uint32_t *member, uint32_t count, uint32_t task)
{
    const size_t at = prvcut_index_u32(member, count, sizeof *member, 0, task);

    return at < count ? (uint32_t)at : UINT32_MAX;
}

uint32_t o2w_comm_rank(const struct o2w_comms *c, const struct prvcut_objects *o,
                       uint32_t communicator, uint32_t task)
{
    const struct prvcut_communicator *it = &o->communicator[communicator];

    if (communicator == c->world[it->application])
        return c->application[task] == it->application ? c->rank[task] : UINT32_MAX;
    if (c->ascending[communicator])
        return comms_search(o->member + it->first, it->count, task);
    for (uint32_t i = 0; i < it->count; i++) {
        if (o->member[it->first + i] == task)
            return i;
    }
    return UINT32_MAX;
}
