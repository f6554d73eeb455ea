#include "base/memory.h"
#include "base/print.h"
#include "match/lone.h"
#include "model/stack.h"
#include "otf2/check.h"
#include "otf2/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many channels messages are no longer compared. */
#define CHANNELS_MOST ((size_t)1 << 22)

/* A walk through one location. */
struct checker {
    struct o2_trace *trace;
    const struct prvcut_run *run; /* NULL: nobody stops it */
    struct prvcut_findings *out;
    struct prvcut_error *err;
    enum prvcut_status status;
    const struct o2_location *location;
    struct prvcut_stack open; /* types are those of regions */
    bool collective;          /* has begun */
    size_t collective_depth;  /* regions that were open when it began */
    uint64_t last;            /* tick */
    uint64_t first;
    bool any;
    struct prvcut_lone lone; /* messages with one end */
};

#define WHERE "location \"%.80s\", event %" PRIu64

static OTF2_CallbackCode check_events_done(const struct checker *c)
{
    return c->status < 0 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static void check_events_arrive(struct checker *c, uint64_t tick, uint64_t position)
{
    if (c->any && tick < c->last)
        o2_finding_add(c->out, O2_FIND_ORDER, WHERE ": %" PRIu64 " after %" PRIu64 " ticks",
                       c->location->name, position, tick, c->last);
    if (!c->any)
        c->first = tick;
    c->any = true;
    c->last = tick;
}

static const char *check_events_name_of(const struct checker *c, OTF2_RegionRef id)
{
    const struct o2_region *r = o2_region_of(&c->trace->defs, id);

    return r ? r->name : "(undefined)";
}

static OTF2_CallbackCode check_events_enter(struct checker *c, uint64_t tick, uint64_t position,
                                            OTF2_RegionRef id)
{
    enum prvcut_status st;

    check_events_arrive(c, tick, position);
    if (!o2_region_of(&c->trace->defs, id))
        o2_finding_add(c->out, O2_FIND_REGION_UNDEFINED, WHERE ": region %" PRIu32,
                       c->location->name, position, id);
    st = prvcut_stack_enter(&c->open, &(struct prvcut_frame){ .type = id }, c->err);
    c->status = st < 0 ? st : c->status;
    return check_events_done(c);
}

static OTF2_CallbackCode check_events_leave(struct checker *c, uint64_t tick, uint64_t position,
                                            OTF2_RegionRef id)
{
    const bool beyond = c->open.beyond > 0;
    size_t at;

    check_events_arrive(c, tick, position);
    if (!prvcut_stack_leave(&c->open, id, &at)) {
        if (beyond)
            return check_events_done(c);
        o2_finding_add(c->out, O2_FIND_REGION_NOT_OPEN, WHERE ": %.80s", c->location->name,
                       position, check_events_name_of(c, id));
        return check_events_done(c);
    }
    if (at + 1 < c->open.count)
        o2_finding_add(c->out, O2_FIND_REGION_CROSSED, WHERE ": %.80s is left inside %.80s",
                       c->location->name, position, check_events_name_of(c, id),
                       check_events_name_of(c, c->open.at[c->open.count - 1].type));
    prvcut_stack_remove(&c->open, at);
    /* A collective that a region began does not outlive it, but those inside that region. */
    if (c->collective && at < c->collective_depth) {
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_UNFINISHED, WHERE ": in %.80s", c->location->name,
                       position, check_events_name_of(c, id));
        c->collective = false;
    }
    return check_events_done(c);
}

static OTF2_CallbackCode check_events_message(struct checker *c, uint64_t tick, uint64_t position,
                                              OTF2_CommRef id, uint32_t rank, uint32_t tag,
                                              bool receive)
{
    const struct o2_definitions *d = &c->trace->defs;
    const struct o2_comm *comm = o2_comm_of(d, id);
    uint32_t peer;

    check_events_arrive(c, tick, position);
    if (!comm) {
        o2_finding_add(c->out, O2_FIND_COMMUNICATOR_UNDEFINED, WHERE ": communicator %" PRIu32,
                       c->location->name, position, id);
        return check_events_done(c);
    }
    peer = o2_rank_thread(d, comm, rank, c->location->thread);
    if (peer == PRVCUT_NOBODY) {
        o2_finding_add(c->out, O2_FIND_RANK, WHERE ": rank %" PRIu32 " of \"%.80s\"",
                       c->location->name, position, rank, comm->name);
        return check_events_done(c);
    }
    if (prvcut_lone_note(&c->lone,
                         &(struct prvcut_half){ .thread = c->location->thread,
                                                .peer = peer,
                                                .communicator = o2_channel(d, comm),
                                                .tag = tag,
                                                .receive = receive },
                         1, c->err) < 0)
        c->status = PRVCUT_ENOMEM;
    return check_events_done(c);
}

#define FIRST_ARGUMENTS                                                                            \
    OTF2_LocationRef location, OTF2_TimeStamp tick, uint64_t position, void *user,                 \
        OTF2_AttributeList *attributes

static OTF2_CallbackCode check_events_on_enter(FIRST_ARGUMENTS, OTF2_RegionRef id)
{
    (void)location;
    (void)attributes;
    return check_events_enter(user, tick, position, id);
}

static OTF2_CallbackCode check_events_on_leave(FIRST_ARGUMENTS, OTF2_RegionRef id)
{
    (void)location;
    (void)attributes;
    return check_events_leave(user, tick, position, id);
}

static OTF2_RegionRef check_events_region_of(const struct checker *c, OTF2_CallingContextRef id)
{
    const struct o2_region *r = o2_context_region(&c->trace->defs, id);

    return r ? r->id : OTF2_UNDEFINED_REGION;
}

static OTF2_CallbackCode check_events_on_context_enter(FIRST_ARGUMENTS, OTF2_CallingContextRef id,
                                                       uint32_t unwound)
{
    (void)location;
    (void)attributes;
    (void)unwound;
    return check_events_enter(user, tick, position, check_events_region_of(user, id));
}

static OTF2_CallbackCode check_events_on_context_leave(FIRST_ARGUMENTS, OTF2_CallingContextRef id)
{
    (void)location;
    (void)attributes;
    return check_events_leave(user, tick, position, check_events_region_of(user, id));
}

static OTF2_CallbackCode check_events_on_send(FIRST_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm,
                                              uint32_t tag, uint64_t length)
{
    (void)location;
    (void)attributes;
    (void)length;
    return check_events_message(user, tick, position, comm, receiver, tag, false);
}

static OTF2_CallbackCode check_events_on_isend(FIRST_ARGUMENTS, uint32_t receiver,
                                               OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                               uint64_t request)
{
    (void)location;
    (void)attributes;
    (void)length;
    (void)request;
    return check_events_message(user, tick, position, comm, receiver, tag, false);
}

static OTF2_CallbackCode check_events_on_receive(FIRST_ARGUMENTS, uint32_t sender,
                                                 OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
    (void)location;
    (void)attributes;
    (void)length;
    return check_events_message(user, tick, position, comm, sender, tag, true);
}

static OTF2_CallbackCode check_events_on_ireceive(FIRST_ARGUMENTS, uint32_t sender,
                                                  OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                                  uint64_t request)
{
    (void)location;
    (void)attributes;
    (void)length;
    (void)request;
    return check_events_message(user, tick, position, comm, sender, tag, true);
}

static OTF2_CallbackCode check_events_on_begin(FIRST_ARGUMENTS)
{
    struct checker *c = user;

    (void)location;
    (void)attributes;
    check_events_arrive(c, tick, position);
    if (c->collective)
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_UNFINISHED, WHERE ": another one begins",
                       c->location->name, position);
    c->collective = true;
    c->collective_depth = c->open.count;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_end(FIRST_ARGUMENTS, OTF2_CollectiveOp op,
                                             OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                             uint64_t received)
{
    struct checker *c = user;

    (void)location;
    (void)attributes;
    (void)op;
    (void)root;
    (void)sent;
    (void)received;
    check_events_arrive(c, tick, position);
    if (!c->collective)
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_NOT_OPEN, WHERE, c->location->name, position);
    if (!o2_comm_of(&c->trace->defs, comm))
        o2_finding_add(c->out, O2_FIND_COMMUNICATOR_UNDEFINED, WHERE ": communicator %" PRIu32,
                       c->location->name, position, comm);
    c->collective = false;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_metric(FIRST_ARGUMENTS, OTF2_MetricRef id, uint8_t count,
                                                const OTF2_Type *types,
                                                const OTF2_MetricValue *values)
{
    struct checker *c = user;
    const struct o2_metric *m = o2_metric_of(&c->trace->defs, id);

    (void)location;
    (void)attributes;
    (void)types;
    (void)values;
    check_events_arrive(c, tick, position);
    if (!m || m->trouble || count > m->count)
        o2_finding_add(c->out, O2_FIND_METRIC_UNDEFINED, WHERE ": metric %" PRIu32 ": %s",
                       c->location->name, position, id,
                       !m           ? "not defined"
                       : m->trouble ? m->trouble
                                    : "more values than its class has members");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_parameter(FIRST_ARGUMENTS, OTF2_ParameterRef id,
                                                   int64_t value)
{
    struct checker *c = user;

    (void)location;
    (void)attributes;
    (void)value;
    check_events_arrive(c, tick, position);
    if (!o2_parameter_of(&c->trace->defs, id))
        o2_finding_add(c->out, O2_FIND_PARAMETER_UNDEFINED, WHERE ": parameter %" PRIu32,
                       c->location->name, position, id);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_flush(FIRST_ARGUMENTS, OTF2_TimeStamp stop)
{
    struct checker *c = user;

    (void)location;
    (void)attributes;
    check_events_arrive(c, tick, position);
    if (stop < tick)
        o2_finding_add(c->out, O2_FIND_FLUSH_BACKWARD, WHERE, c->location->name, position);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_thread(FIRST_ARGUMENTS, OTF2_CommRef contingent,
                                                uint64_t sequence)
{
    (void)location;
    (void)attributes;
    (void)contingent;
    (void)sequence;
    check_events_arrive(user, tick, position);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_unknown(FIRST_ARGUMENTS)
{
    struct checker *c = user;

    (void)location;
    (void)attributes;
    check_events_arrive(c, tick, position);
    o2_finding_add(c->out, O2_FIND_UNKNOWN_RECORD, WHERE, c->location->name, position);
    return OTF2_CALLBACK_SUCCESS;
}

static struct o2_event_calls check_events_calls(struct checker *c)
{
    return (struct o2_event_calls){ .unknown = check_events_on_unknown,
                                    .enter = check_events_on_enter,
                                    .leave = check_events_on_leave,
                                    .context_enter = check_events_on_context_enter,
                                    .context_leave = check_events_on_context_leave,
                                    .send = check_events_on_send,
                                    .isend = check_events_on_isend,
                                    .receive = check_events_on_receive,
                                    .ireceive = check_events_on_ireceive,
                                    .collective_begin = check_events_on_begin,
                                    .collective_end = check_events_on_end,
                                    .metric = check_events_on_metric,
                                    .parameter_number = check_events_on_parameter,
                                    .flush = check_events_on_flush,
                                    .thread_begin = check_events_on_thread,
                                    .thread_end = check_events_on_thread,
                                    .user = c };
}

static bool check_events_wants_more(void *ctx, uint64_t events)
{
    struct checker *c = ctx;

    (void)events;
    if (c->status == PRVCUT_OK && c->run && c->run->stop && c->run->stop(c->run->ctx))
        c->status = prvcut_fail(c->err, PRVCUT_EINTERRUPTED, "interrupted");
    return c->status == PRVCUT_OK;
}

static enum prvcut_status check_events_read_all(struct checker *c, OTF2_Reader *r,
                                                OTF2_EvtReader *e)
{
    const struct o2_event_calls calls = check_events_calls(c);
    const struct o2_events_way way = { c->trace, c->location->thread, 65536,
                                       check_events_wants_more, c };
    struct prvcut_error damage = { 0 };
    char promised[32], found[32];
    uint64_t events = 0;
    enum prvcut_status st = o2_events_register(&calls, c->trace, c->location->thread, r, e, c->err);
    OTF2_ErrorCode code;

    if (st < 0)
        return st;
    code = o2_events_read(&way, r, e, &events);
    if (c->status < 0)
        return c->status;
    if (code != OTF2_SUCCESS) {
        st = o2_fail(c->trace, c->location->thread, code, &damage);
        if (st != PRVCUT_EFORMAT)
            return prvcut_fail_as(c->err, st, &damage);
        o2_finding_add(c->out, O2_FIND_FILE_DAMAGED, "%.200s (after event %" PRIu64 ")",
                       damage.text, events);
        return PRVCUT_OK;
    }
    if (events != c->location->promised)
        o2_finding_add(c->out, O2_FIND_EVENT_COUNT,
                       "location \"%.80s\": %s events are promised, %s found", c->location->name,
                       prvcut_count_text(promised, c->location->promised),
                       prvcut_count_text(found, events));
    return PRVCUT_OK;
}

static enum prvcut_status check_location(struct checker *c, OTF2_Reader *r, uint32_t thread)
{
    struct prvcut_error damage = { 0 };
    OTF2_EvtReader *e;
    enum prvcut_status st;

    c->location = &c->trace->defs.location[thread];
    prvcut_stack_clear(&c->open);
    c->collective = false;
    c->any = false;
    st = o2_location_open(&e, r, c->trace, thread, &damage);
    if (st == PRVCUT_END)
        return PRVCUT_OK;
    if (st == PRVCUT_EFORMAT) {
        o2_finding_add(c->out,
                       c->trace->size[thread] == UINT64_MAX ? O2_FIND_FILE_MISSING
                                                            : O2_FIND_FILE_DAMAGED,
                       "%s", damage.text);
        return PRVCUT_OK;
    }
    if (st < 0)
        return prvcut_fail_as(c->err, st, &damage);
    st = check_events_read_all(c, r, e);
    OTF2_Reader_CloseEvtReader(r, e);
    for (size_t i = c->open.count; i > 0 && st == PRVCUT_OK; i--)
        o2_finding_add(c->out, O2_FIND_REGION_UNFINISHED, "location \"%.80s\": %.80s",
                       c->location->name, check_events_name_of(c, c->open.at[i - 1].type));
    c->out->at[O2_FIND_REGION_UNFINISHED].count += st == PRVCUT_OK ? c->open.beyond : 0;
    return st;
}

static void check_channels(struct checker *c)
{
    size_t count;
    const struct prvcut_lone_channel *at = prvcut_lone_channels(&c->lone, &count);
    const struct o2_definitions *d = &c->trace->defs;

    for (size_t i = 0; i < count; i++) {
        const struct prvcut_lone_channel *k = &at[i];
        char sends[32], receives[32];
        bool of_sends;
        const uint64_t lone = prvcut_lone_ends(k, &of_sends);
        const enum o2_finding kind = of_sends ? O2_FIND_SEND_UNMATCHED : O2_FIND_RECEIVE_UNMATCHED;

        if (lone == 0)
            continue;
        o2_finding_add(
            c->out, kind, "from \"%.60s\" to \"%.60s\", tag %" PRId64 ": %s sends, %s receives",
            d->process[k->sender].name, d->process[k->receiver].name, k->tag,
            prvcut_count_text(sends, k->sends), prvcut_count_text(receives, k->receives));
        c->out->at[kind].count += lone - 1;
    }
}

enum prvcut_status o2_check_events(struct o2_trace *t, const struct prvcut_run *run,
                                   struct prvcut_findings *out, struct prvcut_error *err)
{
    struct checker c = { .trace = t,
                         .run = run,
                         .out = out,
                         .err = err,
                         .lone = prvcut_lone_none(&t->base.objects, CHANNELS_MOST) };
    OTF2_Reader *r;
    enum prvcut_status st = o2_reader_open(&r, t, err);
    uint64_t done = 0;

    for (uint32_t i = 0; i < t->defs.locations && st == PRVCUT_OK; i++) {
        st = check_location(&c, r, i);
        done += t->size[i] == UINT64_MAX ? 0 : t->size[i];
        if (st == PRVCUT_OK && run && run->progress)
            run->progress(run->ctx, PRVCUT_PHASE_CHECKING, done, t->base.bytes);
    }
    if (st == PRVCUT_OK)
        check_channels(&c);
    o2_reader_close(r);
    prvcut_stack_fini(&c.open);
    prvcut_lone_fini(&c.lone);
    return st;
}
