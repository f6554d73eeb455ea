#include "otf2/cut_follow.h"
#include "otf2/sieve.h"

/* What each kind of record is to the filters. */

static bool srs_count(struct o2_sift *f, bool stays, uint64_t pairs)
{
    f->sum.events += stays;
    f->sum.dropped_events += !stays;
    *(stays ? &f->sum.pairs : &f->sum.dropped_pairs) += pairs;
    return stays;
}

static bool srs_pair(const struct o2_sift *f, uint32_t type, int64_t value)
{
    return f->thread && !prvcut_rules_drop_events(&f->sieve->rules) &&
           prvcut_rules_keep_pair(&f->sieve->rules, type, value);
}

/* --- Regions ------------------------------------------------------------------------------ */

/* An MPI call inside another one is that one's own affair: it goes with it. */
static bool srs_nested(const struct o2_sift *f, const struct o2_region *r)
{
    for (size_t i = f->open.count; i-- > 0;)
        if (f->open.at[i].role && f->open.at[i].value == 0)
            return false;
    return srs_pair(f, PRVCUT_TYPE_USER_FUNCTION, r->user_value);
}

static bool srs_region(const struct o2_sift *f, const struct o2_region *r)
{
    if (!r)
        return srs_pair(f, PRVCUT_TYPE_USER_FUNCTION, O2_UNDEFINED_VALUE);
    if (r->kind == O2_FLUSH)
        return srs_pair(f, PRVCUT_TYPE_FLUSH, 1);
    if (r->kind == O2_OFF)
        return srs_pair(f, PRVCUT_TYPE_TRACING, 0);
    return r->kind == O2_MPI && f->mpi > 0 ? srs_nested(f, r) : srs_pair(f, r->type, r->value);
}

/* Undefined ones are all the same to the reader. */
static uint32_t srs_place(const struct o2_sift *f, const struct o2_region *r)
{
    return r ? (uint32_t)(r - f->sieve->trace->defs.region) : O2_NOWHERE;
}

static bool srs_enter(struct o2_place *p, const struct o2_region *r)
{
    struct o2_sift *f = p->sift;
    const bool stays = srs_region(f, r), mpi = r && r->kind == O2_MPI;
    const struct prvcut_frame frame = { .type = srs_place(f, r), .value = stays, .role = mpi };
    const enum prvcut_status st = prvcut_stack_enter(&f->open, &frame, NULL);

    o2_need(p, st >= 0);
    f->mpi += mpi && st == PRVCUT_OK;
    return srs_count(f, stays, 1);
}

/* The end goes with the begin; one without a begin as that would have. */
static bool srs_leave(struct o2_place *p, const struct o2_region *r)
{
    struct o2_sift *f = p->sift;
    struct prvcut_frame frame;

    if (!prvcut_stack_pop(&f->open, srs_place(f, r), &frame))
        return srs_count(f, srs_region(f, r), 1);
    f->mpi -= frame.role;
    return srs_count(f, frame.value != 0, 1);
}

static const struct o2_region *srs_find(const struct o2_place *p, OTF2_RegionRef region)
{
    const uint32_t at = o2_ids_get(&p->sift->sieve->region_at, region);

    return at != O2_NOWHERE ? &p->sift->sieve->trace->defs.region[at] : NULL;
}

bool o2_stays_enter(struct o2_place *p, OTF2_RegionRef region)
{
    return !p->sift || srs_enter(p, srs_find(p, region));
}

bool o2_stays_leave(struct o2_place *p, OTF2_RegionRef region)
{
    return !p->sift || srs_leave(p, srs_find(p, region));
}

bool o2_stays_context_enter(struct o2_place *p, OTF2_CallingContextRef context)
{
    return !p->sift || srs_enter(p, o2_context_region(&p->sift->sieve->trace->defs, context));
}

bool o2_stays_context_leave(struct o2_place *p, OTF2_CallingContextRef context)
{
    return !p->sift || srs_leave(p, o2_context_region(&p->sift->sieve->trace->defs, context));
}

/* --- Values ------------------------------------------------------------------------------- */

/* The rules hear of each counter that is there. */
static bool srs_member(const struct o2_sift *f, size_t at)
{
    return f->sieve->member[at] && srs_pair(f, f->sieve->trace->defs.member_of[at].type, 1);
}

bool o2_stays_metric(struct o2_place *p, OTF2_MetricRef metric, uint8_t *count,
                     const OTF2_Type **types, const OTF2_MetricValue **values)
{
    struct o2_sift *f = p->sift;
    const struct o2_metric *m = f ? o2_metric_of(&f->sieve->trace->defs, metric) : NULL;
    const uint8_t all = *count;
    uint8_t kept = 0;

    if (!f)
        return true;
    if (!m || m->trouble || all > m->count)
        return o2_stays_other(p);
    for (uint8_t i = 0; i < all; i++) {
        if (!srs_member(f, m->first + i))
            continue;
        f->type[kept] = (*types)[i];
        f->value[kept++] = (*values)[i];
    }
    if (kept > 0 && kept < all) {
        f->sum.dropped_pairs += all - (uint64_t)kept;
        *types = f->type;
        *values = f->value;
        *count = kept;
    }
    return srs_count(f, kept > 0, kept > 0 ? kept : all);
}

bool o2_stays_parameter(struct o2_place *p, OTF2_ParameterRef parameter, int64_t value)
{
    const struct o2_parameter *r =
        p->sift ? o2_parameter_of(&p->sift->sieve->trace->defs, parameter) : NULL;

    return r ? srs_count(p->sift, srs_pair(p->sift, r->type, value), 1) : o2_stays_other(p);
}

bool o2_stays_flush(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, srs_pair(p->sift, PRVCUT_TYPE_FLUSH, 1), 2);
}

bool o2_stays_switch(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, srs_pair(p->sift, PRVCUT_TYPE_TRACING, 0), 1);
}

/* --- Collectives and others --------------------------------------------------------------- */

/* What tells of a collective goes with its call. */
static bool srs_collective(const struct o2_sift *f)
{
    return f->thread && f->sieve->collectives && srs_pair(f, PRVCUT_TYPE_COMMUNICATOR, 1) &&
           (f->open.count == 0 || f->open.at[f->open.count - 1].value != 0);
}

bool o2_stays_collective(struct o2_place *p, bool begins)
{
    struct o2_sift *f = p->sift;

    if (!f)
        return true;
    if (begins || !f->in_collective)
        f->collective = srs_collective(f);
    f->in_collective = begins;
    return srs_count(f, f->collective, begins ? 0 : 3);
}

bool o2_stays_nonblocking(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, p->sift->thread && p->sift->sieve->collectives, 0);
}

bool o2_stays_request(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, p->sift->thread && p->sift->sieve->messages, 0);
}

bool o2_stays_frame(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, true, 0);
}

bool o2_stays_other(struct o2_place *p)
{
    return !p->sift || srs_count(p->sift, p->sift->thread && p->sift->sieve->others, 0);
}
