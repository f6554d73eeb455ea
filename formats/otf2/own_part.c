#include "otf2/own_part.h"

#include "model/roles.h"

#include <otf2/OTF2_AttributeList.h>

#include <string.h>

/* Receives that were posted and never complete are forgotten beyond this. */
#define POSTED_MOST ((size_t)65536)

static void own_part_hand_over(struct o2_own_part *p)
{
    const struct prvcut_consumer *c = p->scan->base.consumer;
    const struct prvcut_batch *b = &p->batch;

    if (p->status == PRVCUT_OK && b->states + b->events + b->halves > 0 && c->batch)
        p->status = c->batch(c->ctx, p->worker, p->base.state, b, p->err);
    p->batch.states = p->batch.events = p->batch.halves = 0;
}

static void own_part_note_time(struct o2_own_part *p, uint64_t time)
{
    if (time > p->base.counts.last_ns)
        p->base.counts.last_ns = time;
    if (time < p->base.counts.first_ns)
        p->base.counts.first_ns = time;
}

static void own_part_put_state(struct o2_own_part *p, uint64_t begin, uint64_t end, uint32_t number)
{
    const bool running = number == p->scan->trace->own->dictionary.running;

    p->base.counts.states++;
    own_part_note_time(p, end);
    if (!p->scan->base.consumer->states || (p->scan->base.consumer->running_only && !running))
        return;
    if (p->batch.states == O2_OWN_BATCH)
        own_part_hand_over(p);
    p->batch.state[p->batch.states++] = (struct prvcut_state){ .begin = begin,
                                                               .end = end,
                                                               .thread = p->thread,
                                                               .running = running,
                                                               .number = number & 0x7fffffff };
}

static void own_part_put_event(struct o2_own_part *p, const struct prvcut_event *e, bool *head)
{
    p->base.counts.pairs++;
    if ((p->roles >> e->role & 1) == 0)
        return;
    if (p->batch.events == O2_OWN_BATCH)
        own_part_hand_over(p);
    p->batch.event[p->batch.events] = *e;
    p->batch.event[p->batch.events++].head = *head;
    *head = false;
}

/* Ends were written from the innermost on; the line gave them the other way round. */
static void own_part_turn_ends(struct o2_own_part *p)
{
    struct prvcut_event *at = p->w->line + (p->w->line_count - p->ends);

    for (size_t i = 0; i + 1 < p->ends - i && !p->in_order; i++) {
        const struct prvcut_event kept = at[i];

        at[i] = at[p->ends - 1 - i];
        at[p->ends - 1 - i] = kept;
    }
    p->ends = 0;
    p->in_order = false;
}

/* The line is complete. Readings go where tracers put them, before the callers. */
static void own_part_end_line(struct o2_own_part *p)
{
    struct o2_own_worker *w = p->w;
    bool head = true;

    if (!p->in_line)
        return;
    if (p->ends > 1)
        own_part_turn_ends(p);
    p->ends = 0;
    p->in_line = p->in_order = false;
    p->base.counts.events++;
    own_part_note_time(p, p->line_time);
    /* A line comes whole. */
    if (p->batch.events + w->line_count + w->reading_count > O2_OWN_BATCH)
        own_part_hand_over(p);
    for (size_t i = 0; i < w->line_count; i++) {
        if (w->reading_count == 0 || !prvcut_role_is_caller(w->line[i].role))
            own_part_put_event(p, &w->line[i], &head);
    }
    for (size_t i = 0; i < w->reading_count; i++)
        own_part_put_event(p, &w->reading[i], &head);
    for (size_t i = 0; i < w->line_count && w->reading_count > 0; i++) {
        if (prvcut_role_is_caller(w->line[i].role))
            own_part_put_event(p, &w->line[i], &head);
    }
    w->line_count = w->reading_count = 0;
}

static bool own_part_marked(const OTF2_AttributeList *a, OTF2_AttributeRef mark)
{
    return a && OTF2_AttributeList_TestAttributeByID(a, mark);
}

static bool own_part_mark_value(const OTF2_AttributeList *a, OTF2_AttributeRef mark, int64_t *out)
{
    OTF2_AttributeValue value;
    OTF2_Type type;

    if (!own_part_marked(a, mark) ||
        OTF2_AttributeList_GetAttributeByID(a, mark, &type, &value) != OTF2_SUCCESS)
        return false;
    *out = type == OTF2_TYPE_UINT32 ? (int64_t)value.uint32 : value.int64;
    return true;
}

static bool own_part_is_reading(const struct prvcut_type_name *t)
{
    return t->gauge || prvcut_role_is_counter(t->role);
}

/* A pair belongs to the line at its time, unless it is marked as the first of another one. */
static void own_part_add_pair(struct o2_own_part *p, uint64_t time, const OTF2_AttributeList *a,
                              uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = &p->scan->trace->own->dictionary.type[type];
    struct o2_own_worker *w = p->w;
    struct prvcut_event **at = &w->line;
    size_t *count = &w->line_count, *room = &w->line_room;

    if (p->in_line && (time != p->line_time || own_part_marked(a, O2_OWN_LINE)))
        own_part_end_line(p);
    p->in_line = true;
    p->line_time = time;
    if (own_part_is_reading(t)) {
        at = &w->reading;
        count = &w->reading_count;
        room = &w->reading_room;
    }
    if (at == &w->line && p->ends > 0 && (value != 0 || !t->region))
        own_part_turn_ends(p);
    if (*count == *room && p->status == PRVCUT_OK)
        p->status = prvcut_grow((void **)at, room, *count + 1, sizeof **at, p->err);
    if (p->status < 0)
        return;
    (*at)[(*count)++] = (struct prvcut_event){ .time = time,
                                               .value = value,
                                               .type = t->number,
                                               .thread = p->thread & PRVCUT_THREADS_MAX,
                                               .role = (unsigned)t->role & 0x7f };
}

/* Nothing after `to` is wanted, but the state that reaches into the window must be ended. */
static OTF2_CallbackCode own_part_done(struct o2_own_part *p, uint64_t time)
{
    const uint64_t to = p->scan->base.to;

    if (p->status == PRVCUT_OK && (time <= to || (p->open && p->open_since <= to)))
        return OTF2_CALLBACK_SUCCESS;
    /* One that began behind it is nobody's. */
    p->open = false;
    return OTF2_CALLBACK_INTERRUPT;
}

static uint64_t own_part_time_of(struct o2_own_part *p, OTF2_TimeStamp tick)
{
    struct prvcut_counts *c = &p->base.counts;

    p->last = o2_time(p->scan->trace, p->thread, tick);
    if (p->last < p->latest) {
        c->unsorted++;
        if (p->latest - p->last > c->unsorted_ns)
            c->unsorted_ns = p->latest - p->last;
    }
    p->latest = p->last > p->latest ? p->last : p->latest;
    return p->last;
}

static void own_part_push(struct o2_own_part *p, struct o2_own_sinces *s, uint64_t key,
                          uint64_t time)
{
    if (s->count == s->room && p->status == PRVCUT_OK)
        p->status = prvcut_grow((void **)&s->at, &s->room, s->count + 1, sizeof *s->at, p->err);
    if (p->status == PRVCUT_OK)
        s->at[s->count++] = (struct o2_own_since){ key, time };
}

/* Take one out; false: it is not there. The latest ones are found first. */
static bool own_part_drop(struct o2_own_sinces *s, uint64_t key, uint64_t *time)
{
    for (size_t i = s->count; i > 0; i--) {
        if (s->at[i - 1].key != key)
            continue;
        *time = s->at[i - 1].time;
        memmove(s->at + i - 1, s->at + i, (s->count - i) * sizeof *s->at);
        s->count--;
        return true;
    }
    return false;
}

static bool own_part_is_mpi(const struct o2_own_part *p, uint32_t type)
{
    const uint32_t role = p->scan->trace->own->dictionary.type[type].role;

    return (PRVCUT_ROLE_BIT(role) & PRVCUT_ROLES_MPI) != 0;
}

/* What stands in the line of an entry beside it; what nobody wants is counted only, but for a
   reading, which moves others of its line. */
static void own_part_add_detail(struct o2_own_part *p, uint64_t time, uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = &p->scan->trace->own->dictionary.type[type];

    if ((p->roles >> t->role & 1) == 0 && !own_part_is_reading(t))
        p->base.counts.pairs++;
    else
        own_part_add_pair(p, time, NULL, type, value);
}

static void own_part_add_details(struct o2_own_part *p, uint64_t time, const OTF2_AttributeList *a)
{
    const struct o2_own *own = p->scan->trace->own;
    const uint32_t count = a ? OTF2_AttributeList_GetNumberOfElements(a) : 0;

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef id;
        OTF2_Type type;
        OTF2_AttributeValue value;
        uint32_t which;
        int64_t number;

        if (OTF2_AttributeList_GetAttributeByIndex(a, i, &id, &type, &value) != OTF2_SUCCESS)
            continue;
        which = id < O2_MARKS ? O2_NOWHERE : o2_ids_get(&own->attribute, id);
        if (which == O2_NOWHERE)
            continue;
        number = value.int64;
        if (which % O2_NEEDS != O2_DETAIL_TEXT ||
            o2_own_value_of(own, which / O2_NEEDS, value.stringRef, &number))
            own_part_add_detail(p, time, which / O2_NEEDS, number);
    }
}

static OTF2_CallbackCode own_part_on_enter(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct o2_own_region *r = o2_own_region_of(p->scan->trace->own, e->region);
    const uint64_t time = own_part_time_of(p, e->time);
    uint64_t before;

    if (!r || own_part_marked(e->attributes, O2_IMPLICIT))
        return own_part_done(p, time);
    own_part_add_pair(p, time, e->attributes, r->type, r->value);
    own_part_add_details(p, time, e->attributes);
    if (own_part_is_mpi(p, r->type)) {
        if (p->scan->trace->base.calls_flat)
            own_part_drop(&p->w->calls, r->type, &before);
        own_part_push(p, &p->w->calls, r->type, time);
    }
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_leave(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct o2_own_region *r = o2_own_region_of(p->scan->trace->own, e->region);
    const uint64_t time = own_part_time_of(p, e->time);
    uint64_t since;

    if (!r || own_part_marked(e->attributes, O2_IMPLICIT))
        return own_part_done(p, time);
    own_part_add_pair(p, time, e->attributes, r->type, 0);
    p->in_order |= p->ends++ == 0 && own_part_marked(e->attributes, O2_IN_ORDER);
    if (own_part_is_mpi(p, r->type))
        own_part_drop(&p->w->calls, r->type, &since);
    return own_part_done(p, time);
}

static void own_part_take_state(struct o2_own_part *p, uint64_t time, int64_t number)
{
    if (p->open)
        own_part_put_state(p, p->open_since, time, p->open_number);
    p->open = number >= 0;
    p->open_since = time;
    p->open_number = (uint32_t)number;
}

/* The first reading of a counter is its base only. */
static void own_part_take_reading(struct o2_own_part *p, uint64_t time, const OTF2_AttributeList *a,
                                  uint32_t type, uint64_t value)
{
    struct o2_own_total *total = &p->w->total[type];

    if (p->scan->trace->own->dictionary.type[type].gauge) {
        own_part_add_pair(p, time, a, type, (int64_t)value);
        return;
    }
    if (total->known)
        own_part_add_pair(p, time, a, type, (int64_t)(value - total->value));
    total->known = true;
    total->value = value;
}

/* It is told where it begins. */
static void own_part_put_overlap(struct o2_own_part *p, uint64_t begin, uint64_t end,
                                 uint32_t number)
{
    p->reach = end > p->reach ? end : p->reach;
    own_part_put_state(p, begin, end, number);
}

static OTF2_CallbackCode own_part_on_metric(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct o2_own *own = p->scan->trace->own;
    const uint64_t time = own_part_time_of(p, e->time);
    uint32_t which;

    if (e->count == 0)
        return own_part_done(p, time);
    if (e->metric == O2_STATES) {
        own_part_take_state(p, time, e->values[0].signed_int);
    } else if (e->metric == own->overlap) {
        if (e->count == 2)
            own_part_put_overlap(p, time, time + e->values[1].unsigned_int,
                                 (uint32_t)e->values[0].unsigned_int);
    } else {
        which = o2_ids_get(&own->metric, e->metric);
        if (which != O2_NOWHERE)
            own_part_take_reading(p, time, e->attributes, which / O2_NEEDS,
                                  e->values[0].unsigned_int);
    }
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_number(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const uint32_t which = o2_ids_get(&p->scan->trace->own->parameter, e->parameter);
    const uint64_t time = own_part_time_of(p, e->time);

    if (which != O2_NOWHERE)
        own_part_add_pair(p, time, e->attributes, which / O2_NEEDS, e->number);
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_text(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct o2_own *own = p->scan->trace->own;
    const uint32_t which = o2_ids_get(&own->parameter, e->parameter);
    const uint64_t time = own_part_time_of(p, e->time);
    int64_t value;

    if (which != O2_NOWHERE && o2_own_value_of(own, which / O2_NEEDS, e->text, &value))
        own_part_add_pair(p, time, e->attributes, which / O2_NEEDS, value);
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_measurement(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const uint32_t type = p->scan->trace->own->tracing;
    const uint64_t time = own_part_time_of(p, e->time);

    if (type != UINT32_MAX && !own_part_marked(e->attributes, O2_IMPLICIT))
        own_part_add_pair(p, time, e->attributes, type, e->mode == OTF2_MEASUREMENT_ON);
    return own_part_done(p, time);
}

static void own_part_put_half(struct o2_own_part *p, const struct o2_event *e,
                              struct prvcut_half half)
{
    const struct o2_trace *t = p->scan->trace;
    const struct o2_comm *c = o2_comm_of(&t->defs, e->comm);
    const struct prvcut_objects *o = &t->base.objects;
    int64_t partner;

    half.thread = p->thread;
    half.size = e->length;
    if (!own_part_mark_value(e->attributes, O2_TAG, &half.tag))
        half.tag = e->tag;
    half.communicator = c ? c->number : PRVCUT_NOBODY;
    half.peer = c ? o2_rank_thread(&t->defs, c, e->rank, p->thread) : PRVCUT_NOBODY;
    if (half.peer != PRVCUT_NOBODY && own_part_mark_value(e->attributes, O2_PARTNER, &partner)) {
        const uint32_t task = o->thread_task[half.peer];
        const uint32_t threads = o->task_first_thread[task + 1] - o->task_first_thread[task];

        if (partner >= 0 && partner < threads)
            half.peer = o->task_first_thread[task] + (uint32_t)partner;
    }
    p->base.counts.messages += !half.receive;
    own_part_note_time(p, half.time);
    if (!p->scan->base.consumer->messages)
        return;
    if (p->batch.halves == O2_OWN_BATCH)
        own_part_hand_over(p);
    p->batch.half[p->batch.halves++] = half;
}

static OTF2_CallbackCode own_part_on_send(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct prvcut_trace *t = &p->scan->trace->base;
    const uint64_t time = own_part_time_of(p, e->time);
    int64_t transfer = 0;
    uint64_t begins;

    own_part_mark_value(e->attributes, O2_TRANSFER, &transfer);
    begins = time + (uint64_t)transfer;
    /* In a cut it may begin behind the window. */
    if (t->end_told && transfer > 0 && begins > t->end_ns)
        begins = time > t->end_ns ? time : t->end_ns;
    own_part_put_half(p, e, (struct prvcut_half){ .time = time, .other = prvcut_other(begins) });
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_post(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    struct o2_own_sinces *posted = &p->w->posted;

    if (posted->count >= 2 * POSTED_MOST) {
        posted->count = POSTED_MOST;
        memmove(posted->at, posted->at + POSTED_MOST, POSTED_MOST * sizeof *posted->at);
    }
    own_part_push(p, posted, e->request, own_part_time_of(p, e->time));
    return own_part_done(p, own_part_time_of(p, e->time));
}

/*
 * Posted when the record says, or in the call that it stands in, or at once; what was posted before
 * the archive begins, as it begins.
 */
static OTF2_CallbackCode own_part_receive(struct o2_own_part *p, uint64_t time,
                                          const struct o2_event *e, uint64_t post)
{
    int64_t posted;

    if (own_part_mark_value(e->attributes, O2_POSTED, &posted))
        post = posted < 0 || (uint64_t)posted < time ? time - (uint64_t)posted : 0;
    own_part_put_half(
        p, e, (struct prvcut_half){ .time = time, .other = prvcut_other(post), .receive = true });
    return own_part_done(p, time);
}

static OTF2_CallbackCode own_part_on_receive(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    const struct o2_own_sinces *calls = &p->w->calls;
    const uint64_t time = own_part_time_of(p, e->time);

    return own_part_receive(p, time, e, calls->count > 0 ? calls->at[calls->count - 1].time : time);
}

static OTF2_CallbackCode own_part_on_complete(void *user, const struct o2_event *e)
{
    struct o2_own_part *p = user;
    uint64_t post = 0;

    own_part_drop(&p->w->posted, e->request, &post);
    return own_part_receive(p, own_part_time_of(p, e->time), e, post);
}

struct o2_event_calls o2_own_calls(struct o2_own_part *p)
{
    return (struct o2_event_calls){ .at = { [O2_EVENT_ENTER] = own_part_on_enter,
                                            [O2_EVENT_LEAVE] = own_part_on_leave,
                                            [O2_EVENT_METRIC] = own_part_on_metric,
                                            [O2_EVENT_PARAMETER_NUMBER] = own_part_on_number,
                                            [O2_EVENT_PARAMETER_TEXT] = own_part_on_text,
                                            [O2_EVENT_ON_OFF] = own_part_on_measurement,
                                            [O2_EVENT_SEND] = own_part_on_send,
                                            [O2_EVENT_ISEND] = own_part_on_send,
                                            [O2_EVENT_RECEIVE_REQUEST] = own_part_on_post,
                                            [O2_EVENT_RECEIVE] = own_part_on_receive,
                                            [O2_EVENT_IRECEIVE] = own_part_on_complete },
                                    .user = p };
}

/* A cut says again at its end what state holds there. */
enum prvcut_status o2_own_end(struct o2_own_part *p, uint64_t end)
{
    own_part_end_line(p);
    if (p->open && p->open_since < p->last)
        own_part_put_state(p, p->open_since, end, p->open_number);
    own_part_hand_over(p);
    return p->status;
}
