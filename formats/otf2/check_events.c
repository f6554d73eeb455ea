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

static void check_events_arrive(struct checker *c, const struct o2_event *e)
{
    if (c->any && e->time < c->last)
        o2_finding_add(c->out, O2_FIND_ORDER, WHERE ": %" PRIu64 " after %" PRIu64 " ticks",
                       c->location->name, e->position, e->time, c->last);
    if (!c->any)
        c->first = e->time;
    c->any = true;
    c->last = e->time;
}

static const char *check_events_name_of(const struct checker *c, OTF2_RegionRef id)
{
    const struct o2_region *r = o2_region_of(&c->trace->defs, id);

    return r ? r->name : "(undefined)";
}

static OTF2_CallbackCode check_events_enter(struct checker *c, const struct o2_event *e,
                                            OTF2_RegionRef id)
{
    enum prvcut_status st;

    check_events_arrive(c, e);
    if (!o2_region_of(&c->trace->defs, id))
        o2_finding_add(c->out, O2_FIND_REGION_UNDEFINED, WHERE ": region %" PRIu32,
                       c->location->name, e->position, id);
    st = prvcut_stack_enter(&c->open, &(struct prvcut_frame){ .type = id }, c->err);
    c->status = st < 0 ? st : c->status;
    return check_events_done(c);
}

static OTF2_CallbackCode check_events_leave(struct checker *c, const struct o2_event *e,
                                            OTF2_RegionRef id)
{
    const bool beyond = c->open.beyond > 0;
    size_t at;

    check_events_arrive(c, e);
    if (!prvcut_stack_leave(&c->open, id, &at)) {
        if (beyond)
            return check_events_done(c);
        o2_finding_add(c->out, O2_FIND_REGION_NOT_OPEN, WHERE ": %.80s", c->location->name,
                       e->position, check_events_name_of(c, id));
        return check_events_done(c);
    }
    if (at + 1 < c->open.count)
        o2_finding_add(c->out, O2_FIND_REGION_CROSSED, WHERE ": %.80s is left inside %.80s",
                       c->location->name, e->position, check_events_name_of(c, id),
                       check_events_name_of(c, c->open.at[c->open.count - 1].type));
    prvcut_stack_remove(&c->open, at);
    /* A collective that a region began does not outlive it, but those inside that region. */
    if (c->collective && at < c->collective_depth) {
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_UNFINISHED, WHERE ": in %.80s", c->location->name,
                       e->position, check_events_name_of(c, id));
        c->collective = false;
    }
    return check_events_done(c);
}

static OTF2_CallbackCode check_events_message(struct checker *c, const struct o2_event *e,
                                              bool receive)
{
    const struct o2_definitions *d = &c->trace->defs;
    const struct o2_comm *comm = o2_comm_of(d, e->comm);
    uint32_t peer;

    check_events_arrive(c, e);
    if (!comm) {
        o2_finding_add(c->out, O2_FIND_COMMUNICATOR_UNDEFINED, WHERE ": communicator %" PRIu32,
                       c->location->name, e->position, e->comm);
        return check_events_done(c);
    }
    peer = o2_rank_thread(d, comm, e->rank, c->location->thread);
    if (peer == PRVCUT_NOBODY) {
        o2_finding_add(c->out, O2_FIND_RANK, WHERE ": rank %" PRIu32 " of \"%.80s\"",
                       c->location->name, e->position, e->rank, comm->name);
        return check_events_done(c);
    }
    if (prvcut_lone_note(&c->lone,
                         &(struct prvcut_half){ .thread = c->location->thread,
                                                .peer = peer,
                                                .communicator = o2_channel(d, comm),
                                                .tag = e->tag,
                                                .receive = receive },
                         1, c->err) < 0)
        c->status = PRVCUT_ENOMEM;
    return check_events_done(c);
}

static OTF2_CallbackCode check_events_on_enter(void *user, const struct o2_event *e)
{
    return check_events_enter(user, e, e->region);
}

static OTF2_CallbackCode check_events_on_leave(void *user, const struct o2_event *e)
{
    return check_events_leave(user, e, e->region);
}

static OTF2_RegionRef check_events_region_of(const struct checker *c, OTF2_CallingContextRef id)
{
    const struct o2_region *r = o2_context_region(&c->trace->defs, id);

    return r ? r->id : OTF2_UNDEFINED_REGION;
}

static OTF2_CallbackCode check_events_on_context_enter(void *user, const struct o2_event *e)
{
    return check_events_enter(user, e, check_events_region_of(user, e->context));
}

static OTF2_CallbackCode check_events_on_context_leave(void *user, const struct o2_event *e)
{
    return check_events_leave(user, e, check_events_region_of(user, e->context));
}

static OTF2_CallbackCode check_events_on_send(void *user, const struct o2_event *e)
{
    return check_events_message(user, e, false);
}

static OTF2_CallbackCode check_events_on_receive(void *user, const struct o2_event *e)
{
    return check_events_message(user, e, true);
}

static OTF2_CallbackCode check_events_on_begin(void *user, const struct o2_event *e)
{
    struct checker *c = user;

    check_events_arrive(c, e);
    if (c->collective)
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_UNFINISHED, WHERE ": another one begins",
                       c->location->name, e->position);
    c->collective = true;
    c->collective_depth = c->open.count;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_end(void *user, const struct o2_event *e)
{
    struct checker *c = user;

    check_events_arrive(c, e);
    if (!c->collective)
        o2_finding_add(c->out, O2_FIND_COLLECTIVE_NOT_OPEN, WHERE, c->location->name, e->position);
    if (!o2_comm_of(&c->trace->defs, e->comm))
        o2_finding_add(c->out, O2_FIND_COMMUNICATOR_UNDEFINED, WHERE ": communicator %" PRIu32,
                       c->location->name, e->position, e->comm);
    c->collective = false;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_metric(void *user, const struct o2_event *e)
{
    struct checker *c = user;
    const struct o2_metric *m = o2_metric_of(&c->trace->defs, e->metric);

    check_events_arrive(c, e);
    if (!m || m->trouble || e->count > m->count)
        o2_finding_add(c->out, O2_FIND_METRIC_UNDEFINED, WHERE ": metric %" PRIu32 ": %s",
                       c->location->name, e->position, e->metric,
                       !m           ? "not defined"
                       : m->trouble ? m->trouble
                                    : "more values than its class has members");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_parameter(void *user, const struct o2_event *e)
{
    struct checker *c = user;

    check_events_arrive(c, e);
    if (!o2_parameter_of(&c->trace->defs, e->parameter))
        o2_finding_add(c->out, O2_FIND_PARAMETER_UNDEFINED, WHERE ": parameter %" PRIu32,
                       c->location->name, e->position, e->parameter);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_flush(void *user, const struct o2_event *e)
{
    struct checker *c = user;

    check_events_arrive(c, e);
    if (e->stop < e->time)
        o2_finding_add(c->out, O2_FIND_FLUSH_BACKWARD, WHERE, c->location->name, e->position);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_thread(void *user, const struct o2_event *e)
{
    check_events_arrive(user, e);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode check_events_on_unknown(void *user, const struct o2_event *e)
{
    struct checker *c = user;

    check_events_arrive(c, e);
    o2_finding_add(c->out, O2_FIND_UNKNOWN_RECORD, WHERE, c->location->name, e->position);
    return OTF2_CALLBACK_SUCCESS;
}

static struct o2_event_calls check_events_calls(struct checker *c)
{
    return (
        struct o2_event_calls){ .at = { [O2_EVENT_UNKNOWN] = check_events_on_unknown,
                                        [O2_EVENT_ENTER] = check_events_on_enter,
                                        [O2_EVENT_LEAVE] = check_events_on_leave,
                                        [O2_EVENT_CONTEXT_ENTER] = check_events_on_context_enter,
                                        [O2_EVENT_CONTEXT_LEAVE] = check_events_on_context_leave,
                                        [O2_EVENT_SEND] = check_events_on_send,
                                        [O2_EVENT_ISEND] = check_events_on_send,
                                        [O2_EVENT_RECEIVE] = check_events_on_receive,
                                        [O2_EVENT_IRECEIVE] = check_events_on_receive,
                                        [O2_EVENT_COLLECTIVE_BEGIN] = check_events_on_begin,
                                        [O2_EVENT_COLLECTIVE_END] = check_events_on_end,
                                        [O2_EVENT_METRIC] = check_events_on_metric,
                                        [O2_EVENT_PARAMETER_NUMBER] = check_events_on_parameter,
                                        [O2_EVENT_FLUSH] = check_events_on_flush,
                                        [O2_EVENT_THREAD_BEGIN] = check_events_on_thread,
                                        [O2_EVENT_THREAD_END] = check_events_on_thread },
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
    struct o2_event_calls calls = check_events_calls(c);
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
