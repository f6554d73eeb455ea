#ifndef PRVCUT_OTF2_WALK_STATE_H
#define PRVCUT_OTF2_WALK_STATE_H

#include "base/room.h"
#include "base/table.h"
#include "model/stack.h"
#include "otf2/quick.h"
#include "otf2/walk.h"

/* The inside of a walker, shared by walk*.c. */

/* Records of a batch; the rest of the room is for what one event adds at most. */
#define EVENTS_FULL PRVCUT_ROOM(4096u)
#define EVENTS_ROOM (EVENTS_FULL + PENDING_ROOM + 64u)
#define STATES_FULL 1024u
#define HALVES_FULL 1024u
#define ROOM_BEHIND 64u

/* Counters that wait for the region event of the same time. */
#define PENDING_ROOM 1024u

/* Regions that a mark may hold; where more are open, there is none. */
#define MARK_REGIONS 512u

/* User functions that may be left after the one around them. */
#define OVERLAP_MOST 64u

#define NO_LINE      SIZE_MAX

/* When a receive was posted. */
struct o2_post {
    uint64_t request; /* the key; may be used again once it is complete */
    uint64_t time;
};

/* A send that was started. */
struct o2_started {
    uint64_t request; /* the key, as of o2_post */
    struct prvcut_half half;
};

struct o2_pending {
    int64_t value;
    uint32_t type;
    enum prvcut_role role;
};

/* Where a location stands between two events; what a mark keeps. */
struct o2_standing {
    uint64_t last;       /* ns, of the last event */
    uint64_t since;      /* ns, of the state under way */
    uint64_t flush_end;  /* ns; while flushing */
    uint32_t state;      /* under way */
    uint32_t blocked;    /* open regions that hold computing back */
    uint32_t mpi;        /* open MPI calls */
    uint32_t flush, off; /* open flushes, and regions in which measurement is off */
    uint32_t depth;      /* open regions, in a mark */
    uint32_t readings;   /* counters with a last value */
    bool flushing;       /* by a record that tells its end */
    bool switched_off;   /* by a record */
    bool any;            /* an event has been seen */
};

struct o2_walker {
    const struct o2_plan *plan;
    const struct o2_trace *trace;
    unsigned worker;
    void *part;
    struct prvcut_batch batch;
    size_t line;     /* in batch.event: a collective's that may get details, only counters follow */
    size_t line_end; /* behind its last pair */
    /* location */
    const struct o2_location *location;
    uint32_t thread;
    uint32_t wants; /* event roles */
    bool states, all_states, halves;
    uint64_t start;     /* tick of time 0 */
    uint64_t add, take; /* ns, of the process's clock; one of them is 0 */
    struct o2_standing now;
    uint64_t next_mark; /* event at which one is due */
    uint64_t alarm;     /* ns, at which something is due */
    uint64_t first_tick, last_tick;
    struct prvcut_stack open;   /* regions; type: o2_region_place */
    const struct o2_comm *comm; /* of the last message */
    struct prvcut_table posts;  /* of o2_post: receives under way, where that is wanted */
    struct prvcut_table sends;  /* of o2_started: the same of sends */
    struct prvcut_half latest;  /* of all */
    struct o2_pending pending[PENDING_ROOM];
    size_t pendings;
    uint64_t pending_time;
    int64_t *reading; /* [slots] last values */
    bool *read;       /* [slots] */
    uint32_t *slot;   /* [now.readings] slots that have been read */
    struct o2_quick *quick;
    struct o2_event_calls calls;
    bool quickly; /* events come from there, else from the library */
    struct o2_walked *out;
    bool ended; /* the window's end was reached */
    enum prvcut_status status;
    struct prvcut_error *err;
};

extern const struct o2_region o2_undefined_region;

/* walk_deliver.c */

/** Roles that are wanted now: details may be cleared on the way. */
void o2_walker_look_at_wants(struct o2_walker *w);

/** Hand the batch over; a collective's line that may still get details stays for the next one. */
void o2_walker_deliver(struct o2_walker *w);

/** Counters of the line that was just begun, or that stand alone. */
void o2_walker_put_pending(struct o2_walker *w, uint64_t time, bool head);

/** When something is due next. */
void o2_walker_set_alarm(struct o2_walker *w);

/* walk.c */

/** What is due before an event; false: the event is not to be had. */
bool o2_walker_due(struct o2_walker *w, uint64_t *time, uint64_t tick, uint64_t position);

/* walk_regions.c */

/** It is open; a failure is the walker's. */
void o2_walker_push(struct o2_walker *w, uint32_t place);

void o2_walker_enter(struct o2_walker *w, uint64_t time, const struct o2_region *r);
void o2_walker_leave(struct o2_walker *w, uint64_t time, const struct o2_region *r);
void o2_walker_begin_flush(struct o2_walker *w, uint64_t time);
void o2_walker_end_flush(struct o2_walker *w, uint64_t time);
void o2_walker_begin_off(struct o2_walker *w, uint64_t time);
void o2_walker_end_off(struct o2_walker *w, uint64_t time);

/* walk_events.c */

/** What the plan's consumer needs; user is left to the caller. */
void o2_walker_calls(struct o2_event_calls *c, const struct o2_plan *plan);

/** NULL: not defined. */
static inline const struct o2_region *o2_region_find(const struct o2_plan *p, OTF2_RegionRef id)
{
    const uint32_t place = o2_ids_get(&p->region_at, id);

    return place != O2_NOWHERE ? &p->trace->defs.region[place] : NULL;
}

/* A callback's last act. */
static inline OTF2_CallbackCode o2_done(struct o2_walker *w)
{
    if (w->batch.events < EVENTS_FULL && w->batch.states < STATES_FULL &&
        w->batch.halves < HALVES_FULL)
        return OTF2_CALLBACK_SUCCESS;
    o2_walker_deliver(w);
    return w->status < 0 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/** A region as another process knows it, too: its place in the table, or behind it. */
static inline uint32_t o2_region_place(const struct o2_walker *w, const struct o2_region *r)
{
    const struct o2_definitions *d = &w->trace->defs;

    return (uint32_t)(r != &o2_undefined_region ? (size_t)(r - d->region) : d->regions);
}

static inline const struct o2_region *o2_region_at(const struct o2_walker *w, uint32_t place)
{
    const struct o2_definitions *d = &w->trace->defs;

    return place < d->regions ? &d->region[place] : &o2_undefined_region;
}

static inline bool o2_wanted(const struct o2_walker *w, enum prvcut_role role)
{
    return (w->wants >> role & 1) != 0;
}

static inline void o2_put(struct o2_walker *w, uint64_t time, uint32_t type, int64_t value,
                          enum prvcut_role role, bool head)
{
    w->batch.event[w->batch.events++] =
        (struct prvcut_event){ .time = time,
                               .value = value,
                               .type = type,
                               .thread = w->thread & PRVCUT_THREADS_MAX,
                               .role = (uint32_t)role & 127,
                               .head = head };
}

/* A line of one pair and the counters that wait for it. */
static inline void o2_put_line(struct o2_walker *w, uint64_t time, uint32_t type, int64_t value,
                               enum prvcut_role role)
{
    const bool want = o2_wanted(w, role);

    w->out->counts.events++;
    w->out->counts.pairs++;
    w->line = NO_LINE;
    if (want)
        o2_put(w, time, type, value, role, true);
    if (w->pendings > 0)
        o2_walker_put_pending(w, time, !want);
}

/* The state under way ends. */
static inline void o2_put_state(struct o2_walker *w, uint64_t end)
{
    const bool running = w->now.state == PRVCUT_STATE_RUNNING;

    if (end <= w->now.since)
        return;
    w->out->counts.states++;
    if (w->all_states || (w->states && running))
        w->batch.state[w->batch.states++] =
            (struct prvcut_state){ .begin = w->now.since,
                                   .end = end,
                                   .thread = w->thread,
                                   .running = running,
                                   .number = w->now.state & 0x7fffffffu };
}

/* Computing is held back from here on by one more region. */
static inline void o2_hold(struct o2_walker *w, uint64_t time, uint32_t state)
{
    if (w->now.blocked++ > 0)
        return;
    o2_put_state(w, time);
    w->now.since = time;
    w->now.state = state;
}

static inline void o2_release(struct o2_walker *w, uint64_t time)
{
    if (--w->now.blocked > 0)
        return;
    o2_put_state(w, time);
    w->now.since = time;
    w->now.state = PRVCUT_STATE_RUNNING;
}

static inline uint64_t o2_walker_time(const struct o2_walker *w, uint64_t tick)
{
    const uint64_t ns = tick > w->start ? o2_ns(&w->trace->scale, tick - w->start) : 0;

    return ns > w->take ? ns - w->take + w->add : w->add;
}

/* First act of every callback. */
static inline bool o2_arrive(struct o2_walker *w, const struct o2_event *e, uint64_t *time)
{
    *time = o2_walker_time(w, e->time);
    if (*time < w->now.last || *time >= w->alarm || e->position >= w->next_mark)
        if (!o2_walker_due(w, time, e->time, e->position))
            return false;
    w->now.last = *time;
    w->last_tick = e->time;
    return true;
}

/** Counters (walk_metrics.c). */
OTF2_CallbackCode o2_on_metric(void *user, const struct o2_event *e);

#endif
