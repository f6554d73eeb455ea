#include "otf2/raw.h"

#include "base/search.h"

#include <stdlib.h>

enum prvcut_status o2_definitions_read(struct o2_trace *t, OTF2_Reader *r, struct prvcut_error *err)
{
    struct o2_raw raw = { .defs = &t->defs };
    enum prvcut_status st;

    t->defs.resolution = UINT64_C(1000000000);
    t->defs.realtime = OTF2_UNDEFINED_TIMESTAMP;
    st = o2_raw_read(&raw, t, r, err);
    if (st == PRVCUT_OK && raw.location.count == 0)
        st = prvcut_fail(err, PRVCUT_EFORMAT,
                         "%.500s.def: the archive has no locations: it is empty, or its "
                         "measurement has not ended yet",
                         t->stem);
    if (st == PRVCUT_OK && t->defs.resolution == 0)
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%.500s.def: clock of 0 ticks a second", t->stem);
    if (st == PRVCUT_OK)
        st = o2_raw_resolve(&raw, t, err);
    o2_raw_fini(&raw);
    return st;
}

void o2_definitions_fini(struct o2_definitions *d)
{
    struct prvcut_dictionary arena = { .arena = d->arena };

    prvcut_dictionary_fini(&arena);
    free(d->location);
    free(d->by_id);
    free(d->process);
    free(d->node);
    free(d->region);
    free(d->comm);
    free(d->member);
    free(d->metric);
    free(d->member_of);
    free(d->parameter);
    free(d->context);
    free(d->string);
    *d = (struct o2_definitions){ 0 };
}

const struct o2_region *o2_region_of(const struct o2_definitions *d, OTF2_RegionRef id)
{
    return prvcut_find_u32(d->region, d->regions, sizeof *d->region, offsetof(struct o2_region, id),
                           id);
}

const struct o2_comm *o2_comm_of(const struct o2_definitions *d, OTF2_CommRef id)
{
    return prvcut_find_u32(d->comm, d->comms, sizeof *d->comm, offsetof(struct o2_comm, id), id);
}

const struct o2_metric *o2_metric_of(const struct o2_definitions *d, OTF2_MetricRef id)
{
    return prvcut_find_u32(d->metric, d->metrics, sizeof *d->metric, offsetof(struct o2_metric, id),
                           id);
}

const struct o2_parameter *o2_parameter_of(const struct o2_definitions *d, OTF2_ParameterRef id)
{
    return prvcut_find_u32(d->parameter, d->parameters, sizeof *d->parameter,
                           offsetof(struct o2_parameter, id), id);
}

const struct o2_region *o2_context_region(const struct o2_definitions *d, OTF2_CallingContextRef id)
{
    const struct o2_context *c = prvcut_find_u32(d->context, d->contexts, sizeof *d->context,
                                                 offsetof(struct o2_context, id), id);

    return c ? o2_region_of(d, c->region) : NULL;
}

static bool def_is_member(const struct o2_definitions *d, uint32_t first, uint32_t count,
                          uint32_t task)
{
    for (uint32_t i = 0; i < count; i++)
        if (d->member[first + i] != PRVCUT_NOBODY && d->location[d->member[first + i]].task == task)
            return true;
    return false;
}

uint32_t o2_rank_thread(const struct o2_definitions *d, const struct o2_comm *c, uint32_t rank,
                        uint32_t thread)
{
    uint32_t first = c->first, count = c->count;

    if (c->self)
        return rank == 0 ? thread : PRVCUT_NOBODY;
    /* Whoever is in the first group speaks of ranks of the second one. */
    if (c->inter && def_is_member(d, c->first, c->count, d->location[thread].task)) {
        first = c->other_first;
        count = c->other_count;
    }
    return rank < count ? d->member[first + rank] : PRVCUT_NOBODY;
}
