#include "otf2/ids.h"

#include <stdlib.h>

static size_t slot(const struct o2_ids *ids, uint64_t id)
{
    /* Fibonacci hashing: ids of one process follow each other, those of others lie far away. */
    size_t i = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (ids->room - 1);

    while (ids->at[i].place > 0 && ids->at[i].id != id)
        i = (i + 1) & (ids->room - 1);
    return i;
}

static enum prvcut_status grow(struct o2_ids *ids, struct prvcut_error *err)
{
    struct o2_ids more = { .room = ids->room > 0 ? ids->room * 2 : 64, .count = ids->count };

    more.at = calloc(more.room, sizeof *more.at);
    if (!more.at)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu definitions", more.room);
    for (size_t i = 0; i < ids->room; i++)
        if (ids->at[i].place > 0)
            more.at[slot(&more, ids->at[i].id)] = ids->at[i];
    free(ids->at);
    *ids = more;
    return PRVCUT_OK;
}

enum prvcut_status o2_ids_put(struct o2_ids *ids, uint64_t id, size_t place,
                              struct prvcut_error *err)
{
    size_t i;

    if (place >= O2_NOWHERE)
        return prvcut_fail(err, PRVCUT_ELIMIT, "more than %u definitions of one kind",
                           O2_NOWHERE - 1);
    if (ids->count * 2 >= ids->room && grow(ids, err) < 0)
        return PRVCUT_ENOMEM;
    i = slot(ids, id);
    ids->count += ids->at[i].place == 0;
    ids->at[i] = (struct o2_id){ id, (uint32_t)place + 1 };
    return PRVCUT_OK;
}

uint32_t o2_ids_get(const struct o2_ids *ids, uint64_t id)
{
    return ids->room > 0 ? ids->at[slot(ids, id)].place - 1 : O2_NOWHERE;
}

void o2_ids_fini(struct o2_ids *ids)
{
    free(ids->at);
    *ids = (struct o2_ids){ 0 };
}
