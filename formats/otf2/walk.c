#include "otf2/walk_state.h"

#include "base/memory.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct o2_region o2_undefined_region = {
    .kind = O2_USER,
    .type = PRVCUT_TYPE_USER_FUNCTION,
    .value = O2_UNDEFINED_VALUE,
    .role = PRVCUT_ROLE_REGION,
    .state = PRVCUT_STATE_RUNNING,
    .user_value = O2_UNDEFINED_VALUE,
    .name = "(undefined region)",
    .file = "",
};

enum prvcut_status o2_plan_init(struct o2_plan *p, struct prvcut_error *err)
{
    const struct o2_definitions *d = &p->trace->defs;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < d->regions && st == PRVCUT_OK; i++)
        st = o2_ids_put(&p->region_at, d->region[i].id, i, err);
    return st;
}

void o2_plan_fini(struct o2_plan *p)
{
    o2_ids_fini(&p->region_at);
}

/* Snapshot: the standing, the open regions, the readings. */
static void walk_leave_mark(struct o2_walker *w, uint64_t position, uint64_t tick)
{
    struct o2_marks *m = &w->plan->trace->marks[w->thread];
    struct prvcut_buffer *b = &m->state;

    w->next_mark = position + O2_MARK_EVENTS;
    if (w->open.count > MARK_REGIONS)
        return;
    w->now.depth = (uint32_t)w->open.count;
    if (m->count == m->room && (w->status = prvcut_grow((void **)&m->at, &m->room, m->count + 1,
                                                        sizeof *m->at, w->err)) < 0)
        return;
    m->at[m->count++] = (struct o2_mark){
        .event = position,
        .time = tick,
        .state = b->count,
        .offset = w->quickly ? o2_quick_offset(w->quick) : 0,
    };
    w->status = prvcut_buffer_append(b, &w->now, sizeof w->now, w->err);
    for (size_t i = 0; i < w->open.count && w->status == PRVCUT_OK; i++) {
        const uint32_t place = w->open.at[i].type;

        w->status = prvcut_buffer_append(b, &place, sizeof place, w->err);
    }
    for (uint32_t i = 0; i < w->now.readings && w->status == PRVCUT_OK; i++) {
        const int64_t pair[2] = { w->slot[i], w->reading[w->slot[i]] };

        w->status = prvcut_buffer_append(b, pair, sizeof pair, w->err);
    }
}

static void walk_forget_readings(struct o2_walker *w)
{
    for (uint32_t i = 0; i < w->now.readings; i++)
        w->read[w->slot[i]] = false;
    w->now.readings = 0;
}

static void walk_resume(struct o2_walker *w, const struct o2_mark *mark)
{
    const char *at = w->plan->trace->marks[w->thread].state.at + mark->state;
    uint32_t readings;

    memcpy(&w->now, at, sizeof w->now);
    at += sizeof w->now;
    for (uint32_t i = 0; i < w->now.depth && w->status == PRVCUT_OK; i++) {
        uint32_t place;

        memcpy(&place, at + i * sizeof place, sizeof place);
        o2_walker_push(w, place);
    }
    at += w->now.depth * sizeof(uint32_t);
    readings = w->now.readings;
    w->now.readings = 0;
    for (uint32_t i = 0; i < readings; i++) {
        int64_t pair[2];

        memcpy(pair, at + i * sizeof pair, sizeof pair);
        w->slot[w->now.readings++] = (uint32_t)pair[0];
        w->read[pair[0]] = true;
        w->reading[pair[0]] = pair[1];
    }
}

/* What is due before an event at `time`; false: the window has ended, the event is not to be had.
 */
bool o2_walker_due(struct o2_walker *w, uint64_t *time, uint64_t tick, uint64_t position)
{
    if (!w->now.any) {
        w->now.any = true;
        w->now.since = *time;
        w->now.last = *time;
        w->now.state = PRVCUT_STATE_RUNNING;
        w->first_tick = tick;
        w->next_mark = w->plan->marking ? O2_MARK_EVENTS + 1 : UINT64_MAX;
    }
    if (*time < w->now.last) {
        struct prvcut_counts *c = &w->out->counts;

        /* Times do not go back in what is delivered. */
        if (w->now.last - *time > c->unsorted_ns)
            c->unsorted_ns = w->now.last - *time;
        *time = w->now.last;
        if (c->unsorted++ == 0)
            c->first_unsorted = position;
    }
    if (w->pendings > 0 && *time > w->pending_time) {
        w->out->counts.events++;
        o2_walker_put_pending(w, w->pending_time, true);
    }
    if (w->now.flushing && *time >= w->now.flush_end) {
        w->now.flushing = false;
        o2_walker_end_flush(w, w->now.flush_end > w->now.last ? w->now.flush_end : w->now.last);
    }
    /* What a collective tells at its end belongs to its begin. */
    if (w->plan->windowed && *time >= w->plan->to && w->line == NO_LINE) {
        w->ended = true;
        w->now.last = *time;
        return false;
    }
    if (position >= w->next_mark)
        walk_leave_mark(w, position, tick);
    o2_walker_set_alarm(w);
    return w->status == PRVCUT_OK;
}

enum prvcut_status o2_walker_new(struct o2_walker **out, const struct o2_plan *plan,
                                 unsigned worker, struct prvcut_error *err)
{
    const struct o2_definitions *d = &plan->trace->defs;
    struct o2_walker *w = prvcut_zeroed(1, sizeof *w, "a trace", err);

    *out = NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->plan = plan;
    w->trace = plan->trace;
    w->posts = (struct prvcut_table)PRVCUT_TABLE(struct o2_post, time, "receives under way");
    w->sends = (struct prvcut_table)PRVCUT_TABLE(struct o2_started, half, "sends under way");
    w->worker = worker;
    w->batch.event = prvcut_zeroed(EVENTS_ROOM, sizeof *w->batch.event, "records", err);
    w->batch.state =
        prvcut_zeroed(STATES_FULL + ROOM_BEHIND, sizeof *w->batch.state, "records", err);
    w->batch.half = prvcut_zeroed(HALVES_FULL + ROOM_BEHIND, sizeof *w->batch.half, "records", err);
    w->reading = prvcut_zeroed(d->slots + (size_t)1, sizeof *w->reading, "records", err);
    w->read = prvcut_zeroed(d->slots + (size_t)1, sizeof *w->read, "records", err);
    w->slot = prvcut_zeroed(d->slots + (size_t)1, sizeof *w->slot, "records", err);
    if (!w->batch.event || !w->batch.state || !w->batch.half || !w->reading || !w->read ||
        !w->slot) {
        o2_walker_free(w);
        return PRVCUT_ENOMEM;
    }
    if (o2_quick_new(&w->quick, err) < 0) {
        o2_walker_free(w);
        return PRVCUT_ENOMEM;
    }
    o2_walker_calls(&w->calls, plan);
    w->calls.user = w;
    *out = w;
    return PRVCUT_OK;
}

void o2_walker_free(struct o2_walker *w)
{
    if (!w)
        return;
    o2_quick_free(w->quick);
    free(w->batch.event);
    free(w->batch.state);
    free(w->batch.half);
    free(w->reading);
    free(w->read);
    free(w->slot);
    prvcut_stack_fini(&w->open);
    prvcut_table_fini(&w->posts);
    prvcut_table_fini(&w->sends);
    free(w);
}

static void walk_begin_location(struct o2_walker *w, uint32_t thread, void *part,
                                struct o2_walked *out, struct prvcut_error *err)
{
    const struct o2_trace *t = w->trace;
    const struct prvcut_consumer *c = w->plan->consumer;
    const int64_t *offset = t->base.clocks.offset;
    const int64_t add = offset ? offset[t->defs.location[thread].task] : 0;
    const OTF2_LocationType type = t->defs.location[thread].type;

    walk_forget_readings(w);
    w->now = (struct o2_standing){ 0 };
    prvcut_stack_clear(&w->open);
    w->part = part;
    w->location = &t->defs.location[thread];
    w->thread = thread;
    w->start = t->defs.offset;
    w->add = add > 0 ? (uint64_t)add : 0;
    w->take = add < 0 ? (uint64_t)-add : 0;
    /* Streams of devices and of measured values do not compute. */
    w->states = c->states && type != OTF2_LOCATION_TYPE_METRIC &&
                type != OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    w->all_states = w->states && !c->running_only;
    w->halves = c->messages;
    prvcut_table_clear(&w->posts);
    prvcut_table_clear(&w->sends);
    w->line = NO_LINE;
    w->pendings = 0;
    w->next_mark = 0;
    w->first_tick = UINT64_MAX;
    w->last_tick = 0;
    w->ended = false;
    w->status = PRVCUT_OK;
    w->err = err;
    w->out = out;
    w->batch.events = w->batch.states = w->batch.halves = 0;
    *out = (struct o2_walked){ .counts = { .first_ns = UINT64_MAX } };
    o2_walker_look_at_wants(w);
    o2_walker_set_alarm(w);
}

/* A location's last words. */
static void walk_end_location(struct o2_walker *w)
{
    if (w->pendings > 0) {
        w->out->counts.events++;
        w->line = NO_LINE;
        o2_walker_put_pending(w, w->pending_time, true);
    }
    if (w->now.flushing && !w->ended) {
        w->now.flushing = false;
        if (w->now.flush_end > w->now.last)
            w->now.last = w->now.flush_end;
        o2_walker_end_flush(w, w->now.last);
    }
    if (w->now.any)
        o2_put_state(w, w->now.last);
    w->line = NO_LINE;
    o2_walker_deliver(w);
}

/* The last mark from which nothing of the window is missed; NULL: the beginning. */
static bool walk_is_in_window(const void *ctx, size_t mark)
{
    const struct o2_walker *w = ctx;

    return o2_walker_time(w, w->trace->marks[w->thread].at[mark].time) >= w->plan->from;
}

static const struct o2_mark *walk_entry(const struct o2_walker *w)
{
    const struct o2_marks *m = &w->trace->marks[w->thread];
    size_t low;

    if (!w->plan->windowed)
        return NULL;
    low = prvcut_first(0, m->count, walk_is_in_window, w);
    return low > 0 ? &m->at[low - 1] : NULL;
}

static enum prvcut_status walk_fail_here(const struct o2_walker *w, OTF2_ErrorCode code,
                                         uint64_t events)
{
    const enum prvcut_status st = o2_fail(w->trace, w->thread, code, w->err);
    struct prvcut_error *err = w->err;
    size_t count;

    if (err && err->status == st && (count = strlen(err->text)) < sizeof err->text - 40)
        snprintf(err->text + count, sizeof err->text - count, " (after event %" PRIu64 ")", events);
    return st;
}

/* Begin a location: from its beginning, or from the mark before the window. */
static void walk_begin_reading(struct o2_walker *w, const struct o2_mark *mark)
{
    if (!mark)
        return;
    walk_resume(w, mark);
    w->next_mark = UINT64_MAX;
    o2_walker_set_alarm(w);
}

static bool walk_go_on(const struct o2_walker *w)
{
    return !w->plan->go_on || w->plan->go_on(w->plan->ctx);
}

/* As far as the quick way leads. */
static enum o2_quick_end walk_read_quickly(struct o2_walker *w, const struct o2_mark *mark)
{
    enum o2_quick_end end = O2_QUICK_STOPPED;

    w->quickly =
        o2_quick_open(w->quick, w->trace, w->thread) && (!mark || o2_quick_seek(w->quick, mark));
    if (!w->quickly)
        return end;
    do {
        uint64_t count = 0;

        end = o2_quick_read(w->quick, &w->calls, O2_MARK_EVENTS, &count);
        w->out->counts.lines += count;
        if (end == O2_QUICK_MORE && !walk_go_on(w)) {
            w->status = prvcut_fail(w->err, PRVCUT_EINTERRUPTED, "interrupted");
            end = O2_QUICK_INTERRUPTED;
        }
    } while (end == O2_QUICK_MORE);
    return end;
}

static bool walk_wants_more(void *ctx, uint64_t events)
{
    struct o2_walker *w = ctx;

    (void)events;
    if (w->status == PRVCUT_OK && !walk_go_on(w))
        w->status = prvcut_fail(w->err, PRVCUT_EINTERRUPTED, "interrupted");
    return w->status == PRVCUT_OK;
}

/* Behind `events` events. */
static enum prvcut_status walk_read_by_library(struct o2_walker *w, OTF2_Reader *r,
                                               OTF2_EvtReader *e, uint64_t events)
{
    const struct o2_events_way way = { w->trace, w->thread, O2_MARK_EVENTS, walk_wants_more, w };
    const uint64_t before = events;
    const OTF2_ErrorCode code = o2_events_read(&way, r, e, &events);

    w->out->counts.lines += events - before;
    if (w->status < 0)
        return w->status;
    return code == OTF2_SUCCESS || w->ended ? PRVCUT_OK : walk_fail_here(w, code, events);
}

/* Open the library's reader of the location and let it read what is behind [first, events]. */
static enum prvcut_status walk_go_to_library(struct o2_walker *w, OTF2_Reader **r, uint64_t first,
                                             uint64_t events)
{
    OTF2_EvtReader *e;
    enum prvcut_status st = PRVCUT_OK;
    OTF2_ErrorCode code;

    w->quickly = false;
    if (!*r)
        st = o2_reader_open(r, w->trace, w->err);
    if (st == PRVCUT_OK)
        st = o2_location_open(&e, *r, w->trace, w->thread, w->err);
    if (st != PRVCUT_OK)
        return st;
    code = o2_quick_hand_over(*r, e, first, events);
    st = code == OTF2_SUCCESS ? o2_events_register(&w->calls, w->trace, w->thread, *r, e, w->err)
                              : walk_fail_here(w, code, events);
    if (st == PRVCUT_OK)
        st = walk_read_by_library(w, *r, e, events);
    OTF2_Reader_CloseEvtReader(*r, e);
    return st;
}

static enum prvcut_status walk_read_events(struct o2_walker *w, OTF2_Reader **r)
{
    const struct o2_mark *mark = walk_entry(w);
    enum o2_quick_end end;
    const uint64_t first = mark ? mark->event : 1;
    uint64_t events = first - 1;

    walk_begin_reading(w, mark);
    if (w->status < 0)
        return w->status;
    end = walk_read_quickly(w, mark);
    if (w->quickly)
        events = o2_quick_events(w->quick);
    o2_quick_close(w->quick);
    if (end == O2_QUICK_STOPPED)
        return walk_go_to_library(w, r, first, events);
    if (end == O2_QUICK_SHORT) {
        o2_library_clear();
        return walk_fail_here(w, OTF2_ERROR_INVALID_RECORD, events);
    }
    return w->status;
}

/* What the trace keeps of a location that was read to its end. */
static void walk_keep(const struct o2_walker *w)
{
    struct o2_marks *m = &w->plan->trace->marks[w->thread];

    m->events = w->out->counts.lines;
    m->first = w->first_tick;
    m->last = w->last_tick;
    m->read = true;
}

enum prvcut_status o2_walk(struct o2_walker *w, OTF2_Reader **r, uint32_t thread, void *part,
                           struct o2_walked *out, struct prvcut_error *err)
{
    struct prvcut_error damage = { 0 };
    enum prvcut_status st;

    walk_begin_location(w, thread, part, out, &damage);
    st = walk_read_events(w, r);
    if (st == PRVCUT_EFORMAT && w->trace->lenient && w->status == PRVCUT_OK) {
        out->counts.skipped++;
        st = PRVCUT_OK;
    }
    if (st < 0)
        return prvcut_fail_as(err, st, &damage);
    if (w->now.any)
        walk_end_location(w);
    out->counts.bytes = w->trace->size[thread] == UINT64_MAX ? 0 : w->trace->size[thread];
    if (w->first_tick <= w->last_tick) {
        out->counts.first_ns = o2_walker_time(w, w->first_tick);
        out->counts.last_ns = w->now.last;
    }
    if (w->plan->marking)
        walk_keep(w);
    return w->status < 0 ? prvcut_fail_as(err, w->status, &damage) : PRVCUT_OK;
}
