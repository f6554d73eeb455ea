#include "otf2/walk_state.h"

#include "model/roles.h"

#include <string.h>

static OTF2_CallbackCode walk_events_enter(struct o2_walker *w, const struct o2_event *e,
                                           const struct o2_region *r)
{
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!r) {
        w->out->undefined++;
        r = &o2_undefined_region;
    }
    o2_walker_enter(w, time, r);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_leave(struct o2_walker *w, const struct o2_event *e,
                                           const struct o2_region *r)
{
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    o2_walker_leave(w, time, r ? r : &o2_undefined_region);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_enter(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;

    return walk_events_enter(w, e, o2_region_find(w->plan, e->region));
}

static OTF2_CallbackCode walk_events_on_leave(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;

    return walk_events_leave(w, e, o2_region_find(w->plan, e->region));
}

static OTF2_CallbackCode walk_events_on_context_enter(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;

    return walk_events_enter(w, e, o2_context_region(&w->trace->defs, e->context));
}

static OTF2_CallbackCode walk_events_on_context_leave(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;

    return walk_events_leave(w, e, o2_context_region(&w->trace->defs, e->context));
}

/* posted: when the receive was, as `other` of a half says it. */
static OTF2_CallbackCode walk_events_message(struct o2_walker *w, const struct o2_event *e,
                                             bool receive, uint64_t posted)
{
    const struct o2_definitions *d = &w->trace->defs;
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!w->comm || w->comm->id != e->comm)
        w->comm = o2_comm_of(d, e->comm);
    if (!w->comm)
        w->out->undefined++;
    w->out->counts.messages += !receive;
    if (w->halves) {
        w->latest =
            (struct prvcut_half){ .time = time,
                                  .other = posted,
                                  .thread = w->thread,
                                  .peer = w->comm ? o2_rank_thread(d, w->comm, e->rank, w->thread)
                                                  : PRVCUT_NOBODY,
                                  .communicator = o2_channel(d, w->comm),
                                  .size = e->length,
                                  .tag = e->tag,
                                  .receive = receive };
        w->batch.half[w->batch.halves++] = w->latest;
    }
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_send(void *user, const struct o2_event *e)
{
    return walk_events_message(user, e, false, 0);
}

static OTF2_CallbackCode walk_events_on_isend(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const OTF2_CallbackCode code = walk_events_message(w, e, false, 0);
    struct o2_started *s;

    if (code != OTF2_CALLBACK_SUCCESS || !w->halves || !w->plan->consumer->dones)
        return code;
    s = prvcut_table_make(&w->sends, &e->request, w->err);
    if (!s) {
        w->status = PRVCUT_ENOMEM;
        return OTF2_CALLBACK_INTERRUPT;
    }
    s->half = w->latest;
    return code;
}

/* The request may be used again for another send. */
static OTF2_CallbackCode walk_events_on_isend_complete(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const struct o2_started *s = prvcut_table_find(&w->sends, &e->request);
    struct prvcut_half half;
    uint64_t time;

    if (!s)
        return OTF2_CALLBACK_SUCCESS;
    half = s->half;
    prvcut_table_drop(&w->sends, &e->request);
    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    half.other = prvcut_other(half.time);
    half.time = time;
    half.done = true;
    w->batch.half[w->batch.halves++] = half;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_receive(void *user, const struct o2_event *e)
{
    return walk_events_message(user, e, true, 0);
}

static OTF2_CallbackCode walk_events_on_ireceive(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const struct o2_post *post = prvcut_table_find(&w->posts, &e->request);
    const uint64_t posted = post ? prvcut_other(post->time) : 0;

    if (post)
        prvcut_table_drop(&w->posts, &e->request);
    return walk_events_message(w, e, true, posted);
}

static OTF2_CallbackCode walk_events_on_receive_posted(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    struct o2_post *post = prvcut_table_make(&w->posts, &e->request, w->err);

    if (!post) {
        w->status = PRVCUT_ENOMEM;
        return OTF2_CALLBACK_INTERRUPT;
    }
    post->time = o2_walker_time(w, e->time);
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

static OTF2_CallbackCode walk_events_on_collective(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const struct o2_comm *c;
    uint64_t time, begin;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (w->line == NO_LINE)
        return OTF2_CALLBACK_SUCCESS;
    begin = w->batch.event[w->line].time;
    c = o2_comm_of(&w->trace->defs, e->comm);
    walk_events_put_detail(w, begin, PRVCUT_TYPE_SIZE_SENT, walk_events_bytes_of(e->sent),
                           PRVCUT_ROLE_SIZE);
    walk_events_put_detail(w, begin, PRVCUT_TYPE_SIZE_RECEIVED, walk_events_bytes_of(e->received),
                           PRVCUT_ROLE_SIZE);
    if (c)
        walk_events_put_detail(w, begin, PRVCUT_TYPE_COMMUNICATOR, c->number,
                               PRVCUT_ROLE_COMMUNICATOR);
    if (walk_events_is_root(w, c, e->rank))
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

static OTF2_CallbackCode walk_events_on_started(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    w->line = NO_LINE;
    walk_events_put_completion(w, time, PRVCUT_TYPE_STARTED, (int64_t)e->request);
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_completed(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const struct o2_comm *c = o2_comm_of(&w->trace->defs, e->comm);
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    w->line = NO_LINE;
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED, (int64_t)e->request);
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_SENT, walk_events_bytes_of(e->sent));
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_RECEIVED,
                               walk_events_bytes_of(e->received));
    if (c)
        walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_COMMUNICATOR, c->number);
    walk_events_put_completion(w, time, PRVCUT_TYPE_COMPLETED_ROOT,
                               walk_events_is_root(w, c, e->rank));
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_flush(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    uint64_t time, end;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    end = o2_walker_time(w, e->stop);
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

static OTF2_CallbackCode walk_events_on_switch(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const bool off = e->mode == OTF2_MEASUREMENT_OFF;
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (off && !w->now.switched_off)
        o2_walker_begin_off(w, time);
    else if (!off && w->now.switched_off)
        o2_walker_end_off(w, time);
    w->now.switched_off = off;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_parameter(struct o2_walker *w, const struct o2_event *e,
                                               int64_t value)
{
    const struct o2_parameter *p = o2_parameter_of(&w->trace->defs, e->parameter);
    uint64_t time;

    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (p)
        o2_put_line(w, time, p->type, value, PRVCUT_ROLE_OTHER);
    else
        w->out->undefined++;
    return o2_done(w);
}

static OTF2_CallbackCode walk_events_on_number(void *user, const struct o2_event *e)
{
    return walk_events_parameter(user, e, e->number);
}

static OTF2_CallbackCode walk_events_on_unsigned(void *user, const struct o2_event *e)
{
    return walk_events_parameter(user, e, walk_events_bytes_of(e->natural));
}

static OTF2_CallbackCode walk_events_on_text(void *user, const struct o2_event *e)
{
    return walk_events_parameter(user, e, (int64_t)e->text + 1);
}

/* Any other kind of event: only that the thread was there. */
static OTF2_CallbackCode walk_events_on_presence(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    uint64_t time;

    return o2_arrive(w, e, &time) ? o2_done(w) : OTF2_CALLBACK_INTERRUPT;
}

/* Which kinds a plan's consumer has a use for. */
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

    *c = (struct o2_event_calls){ .at = { [O2_EVENT_ENTER] = walk_events_on_enter,
                                          [O2_EVENT_LEAVE] = walk_events_on_leave,
                                          [O2_EVENT_CONTEXT_ENTER] = walk_events_on_context_enter,
                                          [O2_EVENT_CONTEXT_LEAVE] = walk_events_on_context_leave,
                                          [O2_EVENT_FLUSH] = walk_events_on_flush,
                                          [O2_EVENT_ON_OFF] = walk_events_on_switch,
                                          [O2_EVENT_THREAD_BEGIN] = walk_events_on_presence,
                                          [O2_EVENT_THREAD_END] = walk_events_on_presence,
                                          [O2_EVENT_PROGRAM_BEGIN] = walk_events_on_presence,
                                          [O2_EVENT_PROGRAM_END] = walk_events_on_presence } };
    if (messages || plan->counting) {
        c->at[O2_EVENT_SEND] = walk_events_on_send;
        c->at[O2_EVENT_ISEND] = walk_events_on_isend;
    }
    if (messages) {
        c->at[O2_EVENT_RECEIVE] = walk_events_on_receive;
        c->at[O2_EVENT_IRECEIVE] = walk_events_on_ireceive;
    }
    if (messages && plan->consumer->posts)
        c->at[O2_EVENT_RECEIVE_REQUEST] = walk_events_on_receive_posted;
    if (messages && plan->consumer->dones)
        c->at[O2_EVENT_ISEND_COMPLETE] = walk_events_on_isend_complete;
    if (wants_collectives(plan))
        c->at[O2_EVENT_COLLECTIVE_END] = walk_events_on_collective;
    if (wants_metrics(plan))
        c->at[O2_EVENT_METRIC] = o2_on_metric;
    if (plan->consumer->completions) {
        c->at[O2_EVENT_COLLECTIVE_STARTED] = walk_events_on_started;
        c->at[O2_EVENT_COLLECTIVE_COMPLETED] = walk_events_on_completed;
    }
    if (wants_parameters(plan)) {
        c->at[O2_EVENT_PARAMETER_NUMBER] = walk_events_on_number;
        c->at[O2_EVENT_PARAMETER_UNSIGNED] = walk_events_on_unsigned;
        c->at[O2_EVENT_PARAMETER_TEXT] = walk_events_on_text;
    }
}
