/* Old archives have the OpenMP records of OTF2 1.0. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "otf2/cut.h"

#include <string.h>

void o2_use(struct o2_place *p, enum o2_node kind, uint32_t id)
{
    const uint64_t key = o2_node_key(kind, id);

    if (p->cutter->options->all_definitions || p->latest[kind] == key)
        return;
    p->latest[kind] = key;
    if (!o2_map_put(&p->used, key, 1))
        p->status = PRVCUT_ENOMEM;
}

void o2_use_attributes(struct o2_place *p, const OTF2_AttributeList *attributes)
{
    const uint32_t count = attributes ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef attribute;
        OTF2_AttributeValue value;
        OTF2_Type type;

        if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value) !=
            OTF2_SUCCESS)
            continue;
        o2_use(p, O2_ATTRIBUTE, attribute);
        const uint64_t node = o2_value_node(type, value);

        if (node != O2_ROOT)
            o2_use(p, (enum o2_node)(node >> 32), (uint32_t)node);
    }
}

void o2_strip_attributes(struct o2_place *p, OTF2_AttributeList *attributes, bool again)
{
    enum { TELLS = PRVCUT_TYPE_COMMUNICATOR - PRVCUT_TYPE_SIZE_SENT + 1 };
    const struct o2_own *own = p->cutter->trace->own;
    const uint32_t count = own && attributes && p->phase == O2_WRITING
                               ? OTF2_AttributeList_GetNumberOfElements(attributes)
                               : 0;
    OTF2_AttributeRef tells[TELLS];
    bool has[TELLS] = { false };
    OTF2_AttributeValue value;
    OTF2_Type type;

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef id;
        uint32_t which;

        if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &id, &type, &value) !=
            OTF2_SUCCESS)
            continue;
        which = o2_own_attribute(own, id) - PRVCUT_TYPE_SIZE_SENT;
        if (which < TELLS) {
            has[which] = true;
            tells[which] = id;
        }
    }
    /* The writer makes a collective of a call of which all of this is known. */
    if (!has[0] || !has[PRVCUT_TYPE_SIZE_RECEIVED - PRVCUT_TYPE_SIZE_SENT] || !has[TELLS - 1] ||
        ((!again || p->carried) && o2_stretch_stays(p)))
        return;
    for (unsigned i = 0; i < TELLS; i++)
        if (has[i])
            OTF2_AttributeList_RemoveAttribute(attributes, tells[i]);
}

void o2_put(struct o2_place *p, OTF2_ErrorCode code)
{
    if (p->events == 0)
        p->first = p->now;
    p->last = p->now;
    p->events++;
    if (code != OTF2_SUCCESS)
        p->written = code;
    if (p->written != OTF2_SUCCESS || p->status < 0)
        p->answer = OTF2_CALLBACK_INTERRUPT;
}

void o2_place_at(struct o2_place *p, uint64_t tick)
{
    const uint64_t now = tick + p->shift;

    p->now = p->events > 0 && now < p->last ? p->last : now;
    p->reached = p->now;
}

/* A dry run counts what it would write. */
#define WRITE(p, kind, ...)                                                                        \
    o2_put(p, (p)->writer ? OTF2_EvtWriter_##kind((p)->writer, NULL, (p)->now __VA_ARGS__)         \
                          : OTF2_SUCCESS)

/* --- Once more at the left border --------------------------------------------------------- */

static void border_open_program(struct o2_place *p)
{
    const struct o2_state *s = &p->state;

    if (s->program) {
        o2_use(p, O2_STRING, s->name);
        for (uint32_t i = 0; i < s->arguments; i++)
            o2_use(p, O2_STRING, s->argument[i]);
        WRITE(p, ProgramBegin, , s->name, s->arguments, s->argument);
    }
    if (s->thread) {
        o2_use(p, O2_COMM, s->contingent);
        WRITE(p, ThreadBegin, , s->contingent, s->sequence);
    }
    if (s->off)
        WRITE(p, MeasurementOnOff, , OTF2_MEASUREMENT_OFF);
    if (s->flush_end > p->from) {
        const uint64_t end = s->flush_end < p->to ? s->flush_end : p->to;

        WRITE(p, BufferFlush, , end + p->shift);
        p->clipped++;
    }
}

/*
 * Running totals are told as they are first read inside: what that reading counts began before, so
 * that its difference is 0, as in all formats. A value that says what happened since the one
 * before, or at one moment, is not said twice.
 */
static bool border_o2_restate(const struct o2_place *p, struct o2_reading *r)
{
    const struct o2_definitions *d = &p->cutter->trace->defs;
    const struct o2_metric *m = o2_metric_of(d, r->metric);
    bool any = !m;

    for (uint32_t i = 0; m && i < m->count && i < r->count; i++)
        switch (d->member_of[m->first + i].mode) {
        case OTF2_METRIC_RELATIVE_POINT:
        case OTF2_METRIC_RELATIVE_LAST:
        case OTF2_METRIC_RELATIVE_NEXT:
            memset(&r->value[i], 0, sizeof r->value[i]);
            break;
        case OTF2_METRIC_ABSOLUTE_POINT:
            break;
        default:
            any = true;
        }
    return any;
}

/* A value that holds until the next one holds up to the right border, too. */
static bool border_holds_on(const struct o2_place *p, const struct o2_reading *r)
{
    const struct o2_definitions *d = &p->cutter->trace->defs;
    const struct o2_metric *m = o2_metric_of(d, r->metric);

    for (uint32_t i = 0; m && i < m->count; i++)
        if (d->member_of[m->first + i].mode == OTF2_METRIC_ABSOLUTE_NEXT)
            return true;
    return false;
}

static void border_open_metrics(struct o2_place *p)
{
    for (size_t i = 0; i < p->state.readings; i++) {
        struct o2_reading *r = &p->state.reading[i];

        /* One that holds until the next one, which stands there, says nothing. */
        if (!border_o2_restate(p, r) || (r->anew && border_holds_on(p, r)))
            continue;
        o2_use(p, O2_METRIC, r->metric);
        WRITE(p, Metric, , r->metric, r->count, r->type, r->value);
    }
}

static void border_open_held(struct o2_place *p, const struct o2_held *h)
{
    switch (h->kind) {
    case O2_HELD_THREAD_LOCK:
        WRITE(p, ThreadAcquireLock, , (OTF2_Paradigm)h->ref, (uint32_t)h->id, h->more[0]);
        return;
    case O2_HELD_OMP_LOCK:
        WRITE(p, OmpAcquireLock, , (uint32_t)h->id, h->more[0]);
        return;
    case O2_HELD_IO_LOCK:
        o2_use(p, O2_HANDLE, h->ref);
        WRITE(p, IoAcquireLock, , h->ref, (OTF2_LockType)h->id);
        return;
    case O2_HELD_RMA_LOCK:
        o2_use(p, O2_WINDOW, h->ref);
        WRITE(p, RmaAcquireLock, , h->ref, h->more[0], h->id, (OTF2_LockType)h->more[1]);
        return;
    case O2_HELD_WINDOW:
        o2_use(p, O2_WINDOW, h->ref);
        WRITE(p, RmaWinCreate, , h->ref);
        return;
    case O2_HELD_HANDLE:
        o2_use(p, O2_HANDLE, h->ref);
        WRITE(p, IoCreateHandle, , h->ref, (OTF2_IoAccessMode)h->more[0], h->more[1], h->more[2]);
        return;
    }
}

/* A collective is begun again only if its end comes; whether it is whole, the survey has told. */
static void border_open_collective(struct o2_place *p, const struct prvcut_frame *o)
{
    if (o->type == O2_OPEN_RMA_COLLECTIVE) {
        WRITE(p, RmaCollectiveBegin, );
        return;
    }
    p->dropping = true;
    if (!p->carried || p->at_stretch > 0 || p->in_stretch > 0)
        return;
    const uint32_t comm = o2_stretch_next(p);

    p->dropping = comm == OTF2_UNDEFINED_COMM || !o2_calls_take(p, comm, false);
    if (!p->dropping)
        WRITE(p, MpiCollectiveBegin, );
}

/* With all that was told of it. */
static void border_open_region(struct o2_place *p, const struct prvcut_frame *o)
{
    const uint32_t region = (uint32_t)o->value;
    size_t count;
    const struct o2_pair *pair = o2_state_pairs(&p->state, o, &count);
    OTF2_AttributeList *list = count > 0 ? OTF2_AttributeList_New() : NULL;

    if (count > 0 && !list)
        p->status = PRVCUT_ENOMEM;
    for (size_t i = 0; list && i < count; i++)
        if (OTF2_AttributeList_AddAttribute(list, pair[i].id, pair[i].type, pair[i].value) !=
            OTF2_SUCCESS)
            p->status = PRVCUT_ENOMEM;
    o2_strip_attributes(p, list, true);
    o2_use(p, O2_REGION, region);
    o2_use_attributes(p, list);
    o2_put(p, p->writer ? OTF2_EvtWriter_Enter(p->writer, list, p->now, region) : OTF2_SUCCESS);
    if (list)
        OTF2_AttributeList_Delete(list);
}

static void border_open_one(struct o2_place *p, const struct prvcut_frame *o)
{
    const uint32_t ref = (uint32_t)o->value, more = (uint32_t)o->note;

    switch ((enum o2_open_kind)o->type) {
    case O2_OPEN_REGION:
        border_open_region(p, o);
        return;
    case O2_OPEN_CONTEXT:
        o2_use(p, O2_CONTEXT, ref);
        WRITE(p, CallingContextEnter, , ref, more);
        return;
    case O2_OPEN_FORK:
        WRITE(p, ThreadFork, , (OTF2_Paradigm)ref, more);
        return;
    case O2_OPEN_OMP_FORK:
        WRITE(p, OmpFork, , more);
        return;
    case O2_OPEN_TEAM:
        o2_use(p, O2_COMM, ref);
        WRITE(p, ThreadTeamBegin, , ref);
        return;
    case O2_OPEN_COLLECTIVE:
    case O2_OPEN_RMA_COLLECTIVE:
        border_open_collective(p, o);
        return;
    }
}

/* Only the requests that complete inside: others never may. */
static void border_open_requests(struct o2_place *p)
{
    for (size_t i = 0; i < p->reposts; i++) {
        const struct o2_repost *r = &p->repost[i];
        const struct o2_channel *c = r->kept ? NULL : o2_channel_find(p, &r->key);

        if (r->collective)
            WRITE(p, NonBlockingCollectiveRequest, , r->request);
        else if (!c || p->cutter->options->keep_messages || o2_channel_holds(c, r->index))
            WRITE(p, MpiIrecvRequest, , r->request);
    }
}

void o2_place_open(struct o2_place *p)
{
    uint64_t before = p->events;

    p->opened = true;
    if (!p->alive)
        return;
    o2_place_at(p, p->from);
    border_open_program(p);
    border_open_metrics(p);
    for (size_t i = 0; i < p->state.helds; i++)
        border_open_held(p, &p->state.held[i]);
    for (size_t i = 0; i < p->state.open.count; i++)
        border_open_one(p, &p->state.open.at[i]);
    border_open_requests(p);
    p->reopened += p->events - before;
}

/* --- And closed at the right one ---------------------------------------------------------- */

static void border_close_held(struct o2_place *p, const struct o2_held *h)
{
    switch (h->kind) {
    case O2_HELD_THREAD_LOCK:
        WRITE(p, ThreadReleaseLock, , (OTF2_Paradigm)h->ref, (uint32_t)h->id, h->more[0]);
        return;
    case O2_HELD_OMP_LOCK:
        WRITE(p, OmpReleaseLock, , (uint32_t)h->id, h->more[0]);
        return;
    case O2_HELD_IO_LOCK:
        WRITE(p, IoReleaseLock, , h->ref, (OTF2_LockType)h->id);
        return;
    case O2_HELD_RMA_LOCK:
        WRITE(p, RmaReleaseLock, , h->ref, h->more[0], h->id);
        return;
    case O2_HELD_WINDOW:
        WRITE(p, RmaWinDestroy, , h->ref);
        return;
    case O2_HELD_HANDLE:
        WRITE(p, IoDestroyHandle, , h->ref);
        return;
    }
}

static void border_close_collective(struct o2_place *p, bool rma)
{
    const struct o2_late_end *e = &p->late;

    if (!e->known || e->rma != rma)
        return;
    if (rma) {
        o2_use(p, O2_WINDOW, e->ref);
        WRITE(p, RmaCollectiveEnd, , e->op, e->sync, e->ref, e->root, e->sent, e->received);
    } else if (!p->dropping) {
        o2_use(p, O2_COMM, e->ref);
        WRITE(p, MpiCollectiveEnd, , e->op, e->ref, e->root, e->sent, e->received);
    }
}

static void border_close_one(struct o2_place *p, const struct prvcut_frame *o)
{
    const uint32_t ref = (uint32_t)o->value;

    switch ((enum o2_open_kind)o->type) {
    case O2_OPEN_REGION:
        WRITE(p, Leave, , ref);
        return;
    case O2_OPEN_CONTEXT:
        WRITE(p, CallingContextLeave, , ref);
        return;
    case O2_OPEN_FORK:
        WRITE(p, ThreadJoin, , (OTF2_Paradigm)ref);
        return;
    case O2_OPEN_OMP_FORK:
        WRITE(p, OmpJoin, );
        return;
    case O2_OPEN_TEAM:
        WRITE(p, ThreadTeamEnd, , ref);
        return;
    case O2_OPEN_COLLECTIVE:
    case O2_OPEN_RMA_COLLECTIVE:
        border_close_collective(p, o->type == O2_OPEN_RMA_COLLECTIVE);
        return;
    }
}

void o2_place_close(struct o2_place *p)
{
    const struct o2_state *s = &p->state;
    const uint64_t before = p->events;

    if (!p->opened)
        o2_place_open(p);
    if (p->to == UINT64_MAX || p->events == 0 || p->written != OTF2_SUCCESS)
        return;
    o2_place_at(p, p->to);
    for (size_t i = 0; i < s->readings; i++)
        if (border_holds_on(p, &s->reading[i]))
            WRITE(p, Metric, , s->reading[i].metric, s->reading[i].count, s->reading[i].type,
                  s->reading[i].value);
    for (size_t i = s->open.count; i-- > 0;)
        border_close_one(p, &s->open.at[i]);
    for (size_t i = s->helds; i-- > 0;)
        border_close_held(p, &s->held[i]);
    if (s->thread)
        WRITE(p, ThreadEnd, , s->contingent, s->sequence);
    if (s->program)
        WRITE(p, ProgramEnd, , OTF2_UNDEFINED_INT64);
    p->closed += p->events - before;
}
