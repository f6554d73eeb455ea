#include "otf2/walk_state.h"

#include "model/roles.h"

#include <string.h>

#define UNUSED                                                                                     \
    (void)location;                                                                                \
    (void)attributes

static OTF2_CallbackCode walk_events_on_enter(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                              uint64_t position, void *user,
                                              OTF2_AttributeList *attributes, OTF2_RegionRef id)
{
    struct o2_walker *w = user;
    const struct o2_region *r = o2_region_find(w->plan, id);
    uint64_t time;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!r) {
        w->out->undefined++;
        r = &o2_undefined_region;
    }
    o2_walker_enter(w, time, r);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_leave(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                              uint64_t position, void *user,
                                              OTF2_AttributeList *attributes, OTF2_RegionRef id)
{
    struct o2_walker *w = user;
    const struct o2_region *r = o2_region_find(w->plan, id);
    uint64_t time;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    o2_walker_leave(w, time, r ? r : &o2_undefined_region);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_context_enter(OTF2_LocationRef location,
                                                      OTF2_TimeStamp tick, uint64_t position,
                                                      void *user, OTF2_AttributeList *attributes,
                                                      OTF2_CallingContextRef id, uint32_t unwound)
{
    struct o2_walker *w = user;
    const struct o2_region *r = o2_context_region(&w->trace->defs, id);
    uint64_t time;

    (void)unwound;
    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!r) {
        w->out->undefined++;
        r = &o2_undefined_region;
    }
    o2_walker_enter(w, time, r);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_context_leave(OTF2_LocationRef location,
                                                      OTF2_TimeStamp tick, uint64_t position,
                                                      void *user, OTF2_AttributeList *attributes,
                                                      OTF2_CallingContextRef id)
{
    struct o2_walker *w = user;
    const struct o2_region *r = o2_context_region(&w->trace->defs, id);
    uint64_t time;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    o2_walker_leave(w, time, r ? r : &o2_undefined_region);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_message(struct o2_walker *w, uint64_t tick, uint64_t position,
                                             const struct prvcut_half *half, uint32_t rank,
                                             OTF2_CommRef comm)
{
    const struct o2_definitions *d = &w->trace->defs;
    uint64_t time;

    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!w->comm || w->comm->id != comm)
        w->comm = o2_comm_of(d, comm);
    if (!w->comm)
        w->out->undefined++;
    w->out->counts.messages += !half->receive;
    if (w->halves) {
        struct prvcut_half *h = &w->batch.half[w->batch.halves++];

        *h = *half;
        h->time = time;
        h->thread = w->thread;
        h->peer = w->comm ? o2_rank_thread(d, w->comm, rank, w->thread) : PRVCUT_NOBODY;
        h->communicator = o2_channel(d, w->comm);
        w->latest = *h;
    }
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_send(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                             uint64_t position, void *user,
                                             OTF2_AttributeList *attributes, uint32_t receiver,
                                             OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
    const struct prvcut_half half = { .size = length, .tag = tag };

    UNUSED;
    return walk_events_message(user, tick, position, &half, receiver, comm);
}

static OTF2_CallbackCode walk_events_on_isend(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                              uint64_t position, void *user,
                                              OTF2_AttributeList *attributes, uint32_t receiver,
                                              OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                              uint64_t request)
{
    struct o2_walker *w = user;
    const struct prvcut_half half = { .size = length, .tag = tag };
    const OTF2_CallbackCode code = walk_events_message(w, tick, position, &half, receiver, comm);
    struct o2_started *s;

    UNUSED;
    if (code != OTF2_CALLBACK_SUCCESS || !w->halves || !w->plan->consumer->dones)
        return code;
    s = prvcut_table_make(&w->sends, &request, w->err);
    if (!s) {
        w->status = PRVCUT_ENOMEM;
        return OTF2_CALLBACK_INTERRUPT;
    }
    s->half = w->latest;
    return code;
}

/* The request may be used again for another send. */
static OTF2_CallbackCode walk_events_on_isend_complete(OTF2_LocationRef location,
                                                       OTF2_TimeStamp tick, uint64_t position,
                                                       void *user, OTF2_AttributeList *attributes,
                                                       uint64_t request)
{
    struct o2_walker *w = user;
    const struct o2_started *s = prvcut_table_find(&w->sends, &request);
    struct prvcut_half half;
    uint64_t time;

    UNUSED;
    if (!s)
        return OTF2_CALLBACK_SUCCESS;
    half = s->half;
    prvcut_table_drop(&w->sends, &request);
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    half.other = prvcut_other(half.time);
    half.time = time;
    half.done = true;
    w->batch.half[w->batch.halves++] = half;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_receive(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                uint64_t position, void *user,
                                                OTF2_AttributeList *attributes, uint32_t sender,
                                                OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
    const struct prvcut_half half = { .size = length, .tag = tag, .receive = true };

    UNUSED;
    return walk_events_message(user, tick, position, &half, sender, comm);
}

static OTF2_CallbackCode walk_events_on_ireceive(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                 uint64_t position, void *user,
                                                 OTF2_AttributeList *attributes, uint32_t sender,
                                                 OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                                 uint64_t request)
{
    struct o2_walker *w = user;
    const struct o2_post *post = prvcut_table_find(&w->posts, &request);
    const struct prvcut_half half = {
        .size = length, .tag = tag, .receive = true, .other = post ? prvcut_other(post->time) : 0
    };

    UNUSED;
    if (post)
        prvcut_table_drop(&w->posts, &request);
    return walk_events_message(user, tick, position, &half, sender, comm);
}

static OTF2_CallbackCode walk_events_on_receive_posted(OTF2_LocationRef location,
                                                       OTF2_TimeStamp tick, uint64_t position,
                                                       void *user, OTF2_AttributeList *attributes,
                                                       uint64_t request)
{
    struct o2_walker *w = user;
    struct o2_post *post = prvcut_table_make(&w->posts, &request, w->err);

    (void)position;
    UNUSED;
    if (!post) {
        w->status = PRVCUT_ENOMEM;
        return OTF2_CALLBACK_INTERRUPT;
    }
    post->time = o2_walker_time(w, tick);
    return OTF2_CALLBACK_SUCCESS;
}

/* One more pair of the collective's line; the room was kept free. Counters that were read since
   stand behind it. */
static void walk_events_put_detail(struct o2_walker *w, uint64_t time, uint32_t type, int64_t value,
                                   enum prvcut_role role)
{
    const size_t behind = w->batch.events - w->line_end;
    struct prvcut_event *at = w->batch.event + w->line_end;

    w->out->counts.pairs++;
    if (!o2_wanted(w, role))
        return;
    o2_put(w, time, type, value, role, false);
    if (behind > 0) {
        const struct prvcut_event detail = at[behind];

        memmove(at + 1, at, behind * sizeof *at);
        *at = detail;
    }
    w->line_end++;
}

static int64_t walk_events_bytes_of(uint64_t size)
{
    return size <= INT64_MAX ? (int64_t)size : INT64_MAX;
}

/* Is this thread the root of a collective? */
static bool walk_events_is_root(const struct o2_walker *w, const struct o2_comm *c, uint32_t root)
{
    const struct o2_definitions *d = &w->trace->defs;
    const uint32_t who =
        !c || root == OTF2_UNDEFINED_UINT32 ? PRVCUT_NOBODY : o2_rank_thread(d, c, root, w->thread);

    return root == OTF2_COLLECTIVE_ROOT_SELF ||
           (who != PRVCUT_NOBODY && d->location[who].task == w->location->task);
}

static OTF2_CallbackCode walk_events_on_collective(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                   uint64_t position, void *user,
                                                   OTF2_AttributeList *attributes,
                                                   OTF2_CollectiveOp op, OTF2_CommRef comm,
                                                   uint32_t root, uint64_t sent, uint64_t received)
{
    struct o2_walker *w = user;
    const struct o2_comm *c;
    uint64_t time, begin;

    (void)op;
    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (w->line == NO_LINE)
        return OTF2_CALLBACK_SUCCESS;
    begin = w->batch.event[w->line].time;
    c = o2_comm_of(&w->trace->defs, comm);
    walk_events_put_detail(w, begin, PRVCUT_TYPE_SIZE_SENT, walk_events_bytes_of(sent),
                           PRVCUT_ROLE_SIZE);
    walk_events_put_detail(w, begin, PRVCUT_TYPE_SIZE_RECEIVED, walk_events_bytes_of(received),
                           PRVCUT_ROLE_SIZE);
    if (c)
        walk_events_put_detail(w, begin, PRVCUT_TYPE_COMMUNICATOR, c->number,
                               PRVCUT_ROLE_COMMUNICATOR);
    if (walk_events_is_root(w, c, root))
        walk_events_put_detail(w, begin, PRVCUT_TYPE_ROOT, 1, PRVCUT_ROLE_ROOT);
    w->line = NO_LINE;
    return o2_done(w);
}

static void walk_events_put_completion(struct o2_walker *w, uint64_t time, uint32_t type,
                                       int64_t value)
{
    if (o2_wanted(w, PRVCUT_ROLE_COMMUNICATOR))
        o2_put(w, time, type, value, PRVCUT_ROLE_COMMUNICATOR, type <= PRVCUT_TYPE_COMPLETED);
}

static OTF2_CallbackCode walk_events_on_started(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                uint64_t position, void *user,
                                                OTF2_AttributeList *attributes, uint64_t request)
{
    struct o2_walker *w = user;
    uint64_t time;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    w->line = NO_LINE;
    walk_events_put_completion(w, time, PRVCUT_TYPE_STARTED, (int64_t)request);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_completed(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                  uint64_t position, void *user,
                                                  OTF2_AttributeList *attributes,
                                                  OTF2_CollectiveOp op, OTF2_CommRef comm,
                                                  uint32_t root, uint64_t sent, uint64_t received,
                                                  uint64_t request)
{
    struct o2_walker *w = user;
    const struct o2_comm *c = o2_comm_of(&w->trace->defs, comm);
    uint64_t time;

    (void)op;
    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    w->line = NO_LINE;
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED, (int64_t)request);
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_SENT, walk_events_bytes_of(sent));
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_RECEIVED,
                               walk_events_bytes_of(received));
    if (c)
        walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_COMMUNICATOR, c->number);
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_ROOT,
                               walk_events_is_root(w, c, root));
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_flush(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                              uint64_t position, void *user,
                                              OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
    struct o2_walker *w = user;
    uint64_t time, end;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    end = o2_walker_time(w, stop);
    if (!w->now.flushing) {
        o2_walker_begin_flush(w, time);
        w->now.flush_end = time;
    }
    w->now.flushing = true;
    if (end > w->now.flush_end)
        w->now.flush_end = end;
    o2_walker_set_alarm(w);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_switch(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                               uint64_t position, void *user,
                                               OTF2_AttributeList *attributes,
                                               OTF2_MeasurementMode mode)
{
    struct o2_walker *w = user;
    const bool off = mode == OTF2_MEASUREMENT_OFF;
    uint64_t time;

    UNUSED;
    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (off && !w->now.switched_off)
        o2_walker_begin_off(w, time);
    else if (!off && w->now.switched_off)
        o2_walker_end_off(w, time);
    w->now.switched_off = off;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_parameter(struct o2_walker *w, uint64_t tick,
                                               uint64_t position, OTF2_ParameterRef id,
                                               int64_t value)
{
    const struct o2_parameter *p = o2_parameter_of(&w->trace->defs, id);
    uint64_t time;

    if (!o2_arrive(w, tick, position, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (p)
        o2_put_line(w, time, p->type, value, PRVCUT_ROLE_OTHER);
    else
        w->out->undefined++;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_number(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                               uint64_t position, void *user,
                                               OTF2_AttributeList *attributes, OTF2_ParameterRef id,
                                               int64_t value)
{
    UNUSED;
    return walk_events_parameter(user, tick, position, id, value);
}

static OTF2_CallbackCode walk_events_on_unsigned(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                 uint64_t position, void *user,
                                                 OTF2_AttributeList *attributes,
                                                 OTF2_ParameterRef id, uint64_t value)
{
    UNUSED;
    return walk_events_parameter(user, tick, position, id, walk_events_bytes_of(value));
}

static OTF2_CallbackCode walk_events_on_text(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                             uint64_t position, void *user,
                                             OTF2_AttributeList *attributes, OTF2_ParameterRef id,
                                             OTF2_StringRef text)
{
    UNUSED;
    return walk_events_parameter(user, tick, position, id, (int64_t)text + 1);
}

/* Any other kind of event: only that the thread was there. */
static OTF2_CallbackCode walk_events_on_presence(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                 uint64_t position, void *user,
                                                 OTF2_AttributeList *attributes)
{
    struct o2_walker *w = user;
    uint64_t time;

    UNUSED;
    return o2_arrive(w, tick, position, &time) ? o2_done(w) : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode walk_events_on_thread_begin(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                     uint64_t position, void *user,
                                                     OTF2_AttributeList *attributes,
                                                     OTF2_CommRef contingent, uint64_t sequence)
{
    (void)contingent;
    (void)sequence;
    return walk_events_on_presence(location, tick, position, user, attributes);
}

static OTF2_CallbackCode walk_events_on_program_end(OTF2_LocationRef location, OTF2_TimeStamp tick,
                                                    uint64_t position, void *user,
                                                    OTF2_AttributeList *attributes, int64_t status)
{
    (void)status;
    return walk_events_on_presence(location, tick, position, user, attributes);
}

static OTF2_CallbackCode walk_events_on_program_begin(OTF2_LocationRef location,
                                                      OTF2_TimeStamp tick, uint64_t position,
                                                      void *user, OTF2_AttributeList *attributes,
                                                      OTF2_StringRef name, uint32_t count,
                                                      const OTF2_StringRef *arguments)
{
    (void)name;
    (void)count;
    (void)arguments;
    return walk_events_on_presence(location, tick, position, user, attributes);
}

/* Which kinds a plan's consumer has a use for. */
static bool wants_messages(const struct o2_plan *plan)
{
    return plan->consumer->messages || plan->counting;
}

static bool wants_collectives(const struct o2_plan *plan)
{
    return ((plan->consumer->roles | plan->consumer->detail_roles) & PRVCUT_ROLES_OF_COLLECTIVE) !=
           0;
}

static bool wants_metrics(const struct o2_plan *plan)
{
    return ((plan->consumer->roles | plan->consumer->detail_roles) &
            (PRVCUT_ROLES_COUNTED | PRVCUT_ROLE_BIT(PRVCUT_ROLE_OTHER))) != 0;
}

static bool wants_parameters(const struct o2_plan *plan)
{
    return ((plan->consumer->roles | plan->consumer->detail_roles) &
            PRVCUT_ROLE_BIT(PRVCUT_ROLE_OTHER)) != 0;
}

/* Regions and what tells a location's first and last time are always followed. */
void o2_walker_calls(struct o2_event_calls *c, const struct o2_plan *plan)
{
    const bool messages = plan->consumer->messages;

    *c = (struct o2_event_calls){
        .enter = walk_events_on_enter,
        .leave = walk_events_on_leave,
        .context_enter = walk_events_on_context_enter,
        .context_leave = walk_events_on_context_leave,
        .flush = walk_events_on_flush,
        .on_off = walk_events_on_switch,
        .thread_begin = walk_events_on_thread_begin,
        .thread_end = walk_events_on_thread_begin,
        .program_begin = walk_events_on_program_begin,
        .program_end = walk_events_on_program_end,
        .send = wants_messages(plan) ? walk_events_on_send : NULL,
        .isend = wants_messages(plan) ? walk_events_on_isend : NULL,
        .receive = messages ? walk_events_on_receive : NULL,
        .ireceive = messages ? walk_events_on_ireceive : NULL,
        .receive_request = messages && plan->consumer->posts ? walk_events_on_receive_posted : NULL,
        .isend_complete = messages && plan->consumer->dones ? walk_events_on_isend_complete : NULL,
        .collective_end = wants_collectives(plan) ? walk_events_on_collective : NULL,
        .metric = wants_metrics(plan) ? o2_on_metric : NULL,
    };
    if (plan->consumer->completions) {
        c->collective_started = walk_events_on_started;
        c->collective_completed = walk_events_on_completed;
    }
    if (wants_parameters(plan)) {
        c->parameter_number = walk_events_on_number;
        c->parameter_unsigned = walk_events_on_unsigned;
        c->parameter_text = walk_events_on_text;
    }
}
