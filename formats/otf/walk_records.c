#include "otf/walk.h"

#include "base/memory.h"
#include "model/told_windows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper stacks are a trace's fault. */
#define DEPTH_MOST ((size_t)1 << 20)

/* Stands for a function that no definition names. */
static const struct otf_region undefined = {
    .kind = OTF_USER, .role = PRVCUT_ROLE_REGION, .state = PRVCUT_STATE_RUNNING, .name = ""
};

enum prvcut_status otf_walk_fault(struct otf_walk *w, enum otf_fault fault,
                                  struct prvcut_error *err, const char *format, ...)
{
    const char *path = w->stream->path ? w->stream->path : w->trace->base.path;
    char text[512];
    va_list args;

    w->counts.base.skipped++;
    if (!w->sink && w->trace->lenient)
        return PRVCUT_OK;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (w->sink)
        return w->sink->note(w->sink->ctx, fault, w->stream, w->line, text, err);
    if (err && err->status == PRVCUT_OK)
        err->line = w->line;
    prvcut_instead(err, "--lenient");
    if (w->line == 0)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%.400s: %s", path, text);
    return prvcut_fail(err, PRVCUT_EFORMAT, "%.400s:%" PRIu64 ": %s", path, w->line, text);
}

enum prvcut_status otf_walk_flush(struct otf_walk *w, struct prvcut_error *err)
{
    const struct prvcut_batch b = { .event = w->event,
                                    .state = w->state,
                                    .half = w->half,
                                    .events = w->events,
                                    .states = w->states,
                                    .halves = w->halves };

    w->events = w->states = w->halves = 0;
    if (!w->consumer->batch || b.events + b.states + b.halves == 0)
        return PRVCUT_OK;
    return w->consumer->batch(w->consumer->ctx, w->worker, w->part, &b, err);
}

static bool walk_rec_wanted(const struct otf_walk *w, uint32_t role, uint32_t thread)
{
    const struct prvcut_consumer *c = w->consumer;

    return c->roles >> role & 1 || (c->detail_roles >> role & 1 && c->detail &&
                                    __atomic_load_n(&c->detail[thread], __ATOMIC_RELAXED) != 0);
}

enum prvcut_status otf_walk_state(struct otf_walk *w, struct otf_track *t, uint64_t end,
                                  struct prvcut_error *err)
{
    const bool running = t->state == PRVCUT_STATE_RUNNING;
    const uint64_t since = t->since;

    t->since = end;
    if (t->holder || end <= since)
        return PRVCUT_OK;
    w->counts.base.states++;
    if (!w->consumer->states || (w->consumer->running_only && !running))
        return PRVCUT_OK;
    w->state[w->states++] = (struct prvcut_state){ .begin = since,
                                                   .end = end,
                                                   .thread = t->thread,
                                                   .running = running,
                                                   .number = t->state & INT32_MAX };
    return w->states == OTF_BATCH ? otf_walk_flush(w, err) : PRVCUT_OK;
}

static enum prvcut_status walk_rec_change_state(struct otf_walk *w, struct otf_track *t,
                                                uint32_t state, struct prvcut_error *err)
{
    enum prvcut_status st = otf_walk_state(w, t, otf_walk_time(w, t), err);

    t->state = state;
    return st;
}

static enum prvcut_status walk_rec_put_event(struct otf_walk *w, const struct prvcut_event *e,
                                             struct prvcut_error *err)
{
    w->event[w->events++] = *e;
    return w->events == OTF_BATCH ? otf_walk_flush(w, err) : PRVCUT_OK;
}

enum prvcut_status otf_walk_line(struct otf_walk *w, struct otf_track *t, struct prvcut_error *err)
{
    const size_t pairs = t->pairs;
    enum prvcut_status st = PRVCUT_OK;
    bool head = true;

    t->pairs = 0;
    t->waiting = false;
    if (pairs == 0)
        return PRVCUT_OK;
    w->counts.base.events++;
    w->counts.base.pairs += pairs;
    /* A line comes whole. */
    if (w->events + pairs > OTF_BATCH)
        st = otf_walk_flush(w, err);
    for (size_t i = 0; i < pairs && st == PRVCUT_OK; i++) {
        if (!walk_rec_wanted(w, t->line[i].role, t->thread))
            continue;
        t->line[i].head = head;
        head = false;
        st = walk_rec_put_event(w, &t->line[i], err);
    }
    return st;
}

static struct prvcut_event walk_rec_make_event(const struct otf_walk *w, const struct otf_track *t,
                                               uint32_t type, int64_t value, enum prvcut_role role)
{
    return (struct prvcut_event){ .time = otf_walk_time(w, t),
                                  .value = value,
                                  .type = type,
                                  .thread = t->thread & PRVCUT_THREADS_MAX,
                                  .role = (unsigned)role & 127,
                                  .head = 1 };
}

static enum prvcut_status walk_rec_add_pair(struct otf_track *t, struct prvcut_event e,
                                            struct prvcut_error *err)
{
    void *at = t->line;
    enum prvcut_status st = prvcut_grow(&at, &t->pair_room, t->pairs + 1, sizeof *t->line, err);

    t->line = at;
    if (st == PRVCUT_OK)
        t->line[t->pairs++] = e;
    return st;
}

/* What waits goes first, unless the new pair belongs to its line. */
static enum prvcut_status walk_rec_settle(struct otf_walk *w, struct otf_track *t,
                                          struct prvcut_error *err)
{
    if (t->pairs > 0 && (t->waiting || t->line[0].time != otf_walk_time(w, t)))
        return otf_walk_line(w, t, err);
    return PRVCUT_OK;
}

/* A region begins or ends; the counters read at this moment stand in the same line. */
static enum prvcut_status walk_rec_put_region(struct otf_walk *w, struct otf_track *t,
                                              const struct prvcut_event *e, bool wait,
                                              struct prvcut_error *err)
{
    enum prvcut_status st;

    if (t->pairs == 0 && !wait) {
        w->counts.base.events++;
        w->counts.base.pairs++;
        return walk_rec_wanted(w, e->role, t->thread) ? walk_rec_put_event(w, e, err) : PRVCUT_OK;
    }
    st = walk_rec_settle(w, t, err);
    if (st == PRVCUT_OK)
        st = walk_rec_add_pair(t, *e, err);
    t->waiting = wait;
    return st < 0 || wait ? st : otf_walk_line(w, t, err);
}

/* Of a function that was entered, too: definitions do not change. */
static const struct otf_region *walk_rec_region(const struct otf_walk *w, uint64_t id)
{
    const struct otf_region *g = otf_region_of(w->trace, w->stream, id);

    return g ? g : &undefined;
}

/* A call inside another one. */
static bool walk_rec_is_nested(const struct prvcut_frame *f, const struct otf_region *g)
{
    return g->kind == OTF_MPI && f->role != g->role;
}

static bool walk_rec_computes(const struct otf_region *g)
{
    return g->kind == OTF_USER;
}

/* A function begins, with the place in the source that it is entered from in the same line. */
static enum prvcut_status walk_rec_put_enter(struct otf_walk *w, struct otf_track *t,
                                             const struct prvcut_event *e, uint64_t site, bool wait,
                                             struct prvcut_error *err)
{
    const bool sited = site > 0 && site <= UINT32_MAX && w->trace->sites;
    enum prvcut_status st = walk_rec_put_region(w, t, e, wait || sited, err);

    if (st == PRVCUT_OK && sited)
        st = walk_rec_add_pair(t,
                               walk_rec_make_event(w, t, PRVCUT_TYPE_CALLER_LINE, (int64_t)site,
                                                   PRVCUT_ROLE_CALLER_LINE),
                               err);
    return st < 0 || wait || !sited ? st : otf_walk_line(w, t, err);
}

static enum prvcut_status walk_rec_enter(struct otf_walk *w, const struct otf_record *r,
                                         uint64_t offset, struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    const struct otf_region *g = walk_rec_region(w, r->number);
    const bool nested = g->kind == OTF_MPI && t->call > 0;
    const struct prvcut_frame frame = { .value = (int64_t)r->number,
                                        .note = offset,
                                        .role = (nested ? PRVCUT_ROLE_REGION : g->role) & 0xff };
    enum prvcut_status st = PRVCUT_OK;

    if (g == &undefined)
        st = otf_walk_fault(w, OTF_FAULT_FUNCTION, err,
                            "function %" PRIx64 " is entered, but not defined", r->number);
    if (t->open.count >= DEPTH_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s:%" PRIu64 ": process %" PRIx32 " is in more than %zu functions",
                           w->stream->path, w->line, t->process, DEPTH_MOST);
    if (st == PRVCUT_OK)
        st = prvcut_stack_push(&t->open, &frame, err);
    if (st < 0)
        return st;
    if (g->kind == OTF_MPI && !nested)
        t->call = t->open.count;
    if (!walk_rec_computes(g) && t->held == 0) {
        t->held = t->open.count;
        st = walk_rec_change_state(w, t, g->state, err);
    }
    if (st == PRVCUT_OK && g != &undefined) {
        const struct prvcut_event e = nested
                                          ? walk_rec_make_event(w, t, PRVCUT_TYPE_USER_FUNCTION,
                                                                g->nested, PRVCUT_ROLE_REGION)
                                          : walk_rec_make_event(w, t, g->type, g->value, g->role);

        st = walk_rec_put_enter(w, t, &e, r->site, !nested && g->role == PRVCUT_ROLE_COLLECTIVE,
                                err);
    }
    return st;
}

/* The outermost call, and the outermost region that holds computing back, of those left. */
static enum prvcut_status walk_rec_find_held(struct otf_walk *w, struct otf_track *t,
                                             struct prvcut_error *err)
{
    uint32_t state = PRVCUT_STATE_RUNNING;

    t->held = t->call = 0;
    for (size_t i = t->open.count; i > 0; i--) {
        const struct prvcut_frame *f = &t->open.at[i - 1];
        const struct otf_region *g = walk_rec_region(w, (uint64_t)f->value);

        if (g->kind == OTF_MPI && !walk_rec_is_nested(f, g))
            t->call = i;
        if (!walk_rec_computes(g)) {
            t->held = i;
            state = g->state;
        }
    }
    return state == t->state ? PRVCUT_OK : walk_rec_change_state(w, t, state, err);
}

/* One of the functions ends. */
static enum prvcut_status walk_rec_leave_at(struct otf_walk *w, struct otf_track *t, size_t at,
                                            struct prvcut_error *err)
{
    const struct prvcut_frame f = t->open.at[at];
    const struct otf_region *g = walk_rec_region(w, (uint64_t)f.value);
    enum prvcut_status st = PRVCUT_OK;

    prvcut_stack_remove(&t->open, at);
    if (t->held > at || t->call > at)
        st = walk_rec_find_held(w, t, err);
    if (st == PRVCUT_OK && g != &undefined) {
        const struct prvcut_event e =
            walk_rec_is_nested(&f, g)
                ? walk_rec_make_event(w, t, PRVCUT_TYPE_USER_FUNCTION, 0, PRVCUT_ROLE_REGION)
                : walk_rec_make_event(w, t, g->type, g->kind == OTF_OFF, g->role);

        /* The line that waits for a collective's data waits no longer. */
        if (t->waiting)
            st = otf_walk_line(w, t, err);
        if (st == PRVCUT_OK)
            st = walk_rec_put_region(w, t, &e, false, err);
    }
    return st;
}

/* Functions that overlap instead of being nested: those inside stay. */
static enum prvcut_status walk_rec_leave_outer(struct otf_walk *w, size_t at,
                                               struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    enum prvcut_status st = PRVCUT_OK;

    if (w->sink) {
        st = otf_walk_fault(w, OTF_FAULT_OVERLAP, err,
                            "process %" PRIx32 " leaves function %" PRIx64 ", but entered %" PRIx64
                            " last",
                            t->process, (uint64_t)t->open.at[at].value,
                            (uint64_t)t->open.at[t->open.count - 1].value);
        w->counts.base.skipped--;
    }
    return st < 0 ? st : walk_rec_leave_at(w, t, at, err);
}

static enum prvcut_status walk_rec_leave(struct otf_walk *w, const struct otf_record *r,
                                         struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    size_t at;

    if (!otf_open_find(&t->open, r->number, &at))
        return otf_walk_fault(w, OTF_FAULT_LEAVE, err,
                              "process %" PRIx32 " leaves function %" PRIx64 ", but is not in it",
                              t->process, r->number);
    if (at + 1 < t->open.count)
        return walk_rec_leave_outer(w, at, err);
    return walk_rec_leave_at(w, t, at, err);
}

/* Ordinals decide which ends of messages belong together; a later cut wants them at every mark. */
static enum prvcut_status walk_rec_count_end(struct otf_walk *w, const struct otf_record *r,
                                             struct prvcut_error *err)
{
    const unsigned end = r->kind == OTF_RECEIVE;
    struct otf_stream *s = w->stream;
    struct otf_channel key, *k;

    if (w->windowed || s->marked || !s->counted ||
        !otf_channel_key(w->trace, w->now->process, r, &key))
        return PRVCUT_OK;
    k = otf_channel_make(&s->channels, &key, err);
    if (!k)
        return PRVCUT_ENOMEM;
    k->inside[end]++;
    if (s->channels.count > OTF_CHANNELS_MOST ||
        s->channels.count > OTF_CHANNELS_ALL / w->trace->streams) {
        prvcut_table_fini(&s->channels);
        s->counted = false;
    }
    return PRVCUT_OK;
}

static enum prvcut_status walk_rec_message(struct otf_walk *w, const struct otf_record *r,
                                           struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    const bool receive = r->kind == OTF_RECEIVE;
    enum prvcut_status st;

    *(receive ? &w->counts.receives : &w->counts.sends) += 1;
    if (r->comm > UINT32_MAX || r->tag > INT64_MAX || r->number > UINT32_MAX)
        return otf_walk_fault(w, OTF_FAULT_NUMBER, err,
                              "a message with an id or a tag that its field cannot hold");
    st = walk_rec_count_end(w, r, err);
    if (st < 0 || !w->consumer->messages)
        return st;
    w->half[w->halves++] =
        (struct prvcut_half){ .time = otf_walk_time(w, t),
                              .size = r->length,
                              .tag = (int64_t)r->tag,
                              .thread = t->thread,
                              .peer = otf_thread_of(w->trace, r->number),
                              .communicator = (uint32_t)otf_channel_comm(w->trace, r->comm),
                              .receive = receive };
    return w->halves == OTF_BATCH ? otf_walk_flush(w, err) : PRVCUT_OK;
}

/* Sizes, communicator and root of the collective that the thread has just entered. */
static enum prvcut_status walk_rec_collective(struct otf_walk *w, const struct otf_record *r,
                                              uint64_t offset, struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    const struct {
        uint32_t type;
        uint64_t value;
        enum prvcut_role role;
    } data[] = { { PRVCUT_TYPE_SIZE_SENT, r->sent, PRVCUT_ROLE_SIZE },
                 { PRVCUT_TYPE_SIZE_RECEIVED, r->received, PRVCUT_ROLE_SIZE },
                 { PRVCUT_TYPE_COMMUNICATOR, r->comm, PRVCUT_ROLE_COMMUNICATOR },
                 { PRVCUT_TYPE_ROOT, 1, PRVCUT_ROLE_ROOT } };
    const size_t count = r->root == t->process ? 4 : 3;
    enum prvcut_status st = walk_rec_count_end(w, r, err);

    if (st < 0)
        return st;
    if (r->kind == OTF_COLLECTIVE_BEGIN) {
        t->collectives++;
        t->collective = offset;
    }
    if (!t->waiting)
        return PRVCUT_OK;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        struct prvcut_event e = walk_rec_make_event(
            w, t, data[i].type, data[i].value > INT64_MAX ? INT64_MAX : (int64_t)data[i].value,
            data[i].role);

        /* All of a line happens at one time: that of the call's begin. */
        e.time = t->line[0].time;
        st = walk_rec_add_pair(t, e, err);
    }
    return st < 0 ? st : otf_walk_line(w, t, err);
}

static int64_t walk_rec_whole(double v)
{
    if (!(v > -9.2e18 && v < 9.2e18))
        return v > 0 ? INT64_MAX : v < 0 ? INT64_MIN : 0;
    return (int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

int64_t otf_counter_value(const struct otf_counter *k, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    double d;
    float f;

    if (k->is_double) {
        memcpy(&d, &bits, sizeof d);
        return walk_rec_whole(d);
    }
    if (k->is_float) {
        memcpy(&f, &low, sizeof f);
        return walk_rec_whole((double)f);
    }
    if (k->is_signed && k->bits == 32)
        return (int32_t)low;
    if (k->is_signed && k->bits == 16)
        return (int16_t)(uint16_t)bits;
    return (int64_t)bits;
}

/* Running totals become what was counted since the last reading. */
static enum prvcut_status walk_rec_counter(struct otf_walk *w, const struct otf_record *r,
                                           struct prvcut_error *err)
{
    struct otf_track *t = w->now;
    const struct otf_counter *k = otf_counter_of(w->trace, w->stream, r->number);
    struct otf_reading *last;
    enum prvcut_status st = PRVCUT_OK;
    int64_t value;

    if (!k)
        return otf_walk_fault(w, OTF_FAULT_COUNTER, err,
                              "counter %" PRIx64 " has a value, but no definition", r->number);
    if (!t->counter)
        t->counter =
            prvcut_zeroed((size_t)w->trace->counters + 1, sizeof *t->counter, "counters", err);
    if (!t->counter)
        return PRVCUT_ENOMEM;
    value = otf_counter_value(k, r->value);
    last = &t->counter[k->number];
    if (!k->gauge) {
        int64_t before = last->seen ? otf_counter_value(k, last->value) : 0;
        bool more = last->seen && value > before;

        /* A total since the process began is counted whole at first, unless that is the trace's
           begin, and when it was set back. */
        if (k->whole && (last->seen ? value < before
                                    : !prvcut_told_windows_begin(&w->trace->base, t->thread,
                                                                 otf_walk_time(w, t)))) {
            more = value > 0;
            before = 0;
        }
        value = more ? (int64_t)((uint64_t)value - (uint64_t)before) : 0;
        value = value < 0 ? INT64_MAX : value;
    }
    *last = (struct otf_reading){ .value = r->value, .seen = true };
    st = walk_rec_settle(w, t, err);
    return st < 0 ? st
                  : walk_rec_add_pair(t, walk_rec_make_event(w, t, k->type, value, k->role), err);
}

enum prvcut_status otf_walk_record(struct otf_walk *w, const struct otf_record *r, uint64_t offset,
                                   struct prvcut_error *err)
{
    switch (r->kind) {
    case OTF_ENTER:
        return walk_rec_enter(w, r, offset, err);
    case OTF_LEAVE:
        return walk_rec_leave(w, r, err);
    case OTF_SEND:
    case OTF_RECEIVE:
        return walk_rec_message(w, r, err);
    case OTF_COLLECTIVE:
    case OTF_COLLECTIVE_BEGIN:
        return walk_rec_collective(w, r, offset, err);
    case OTF_COUNTER:
        return walk_rec_counter(w, r, err);
    case OTF_COLLECTIVE_END:
        w->now->collectives -= w->now->collectives > 0;
        break;
    case OTF_PROCESS_BEGIN:
    case OTF_PROCESS_END:
        w->now->begun = r->kind == OTF_PROCESS_BEGIN;
        break;
    case OTF_COMMENT:
    case OTF_NOTHING:
    case OTF_OTHER:
    case OTF_TIME:
    case OTF_PROCESS:
    case OTF_KEY_VALUE:
    case OTF_BAD:
    case OTF_TOO_LARGE:
        break;
    }
    return PRVCUT_OK;
}
