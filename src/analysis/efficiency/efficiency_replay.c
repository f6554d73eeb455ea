#include "analysis/efficiency/efficiency_replay.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

/* Values of an event type whose kinds are at hand. */
#define KINDS_TYPES  8u
#define KINDS_VALUES 1024u
#define KIND_KNOWN   0x80000000u

/* A communicator by its name. */
struct ere_name {
    uint32_t application, id;
    uint64_t group;
};

/* A lane that has got to so many of its borders: begin and end of each stretch. */
struct ere_lane {
    size_t border;
    uint32_t thread;     /* that tells the borders: its first */
    uint32_t owner;      /* whose call it is in */
    bool begun, started; /* at a time that may be another yet; at one that is sure */
};

struct eff_replay {
    struct prvcut_efficiency_found *out;
    const struct prvcut_efficiency_asked *asked;
    struct prvcut_dictionary names;
    struct prvcut_replay *replay;
    struct prvcut_replay_group *group; /* [groups]: communicators, then one an application */
    uint32_t groups;
    uint32_t *rank;              /* of all groups */
    uint32_t *lane_rank;         /* [lanes]: tasks */
    struct prvcut_table name;    /* of ere_name */
    uint32_t *world;             /* [applications]: group of all its tasks */
    struct ere_lane *lane;       /* [lanes] */
    const uint32_t *thread_lane; /* [threads]; NULL: each is its own */
    struct prvcut_message *wait; /* [waits] messages as late as now */
    size_t waits, room;
    uint64_t now, until;
    bool closed, halves;
    uint32_t kind[KINDS_TYPES][KINDS_VALUES];
};

static uint32_t ere_lane_of(const struct eff_replay *r, uint32_t thread)
{
    return r->thread_lane ? r->thread_lane[thread] : thread;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static uint32_t ere_ask_kind(const struct eff_replay *r, uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&r->names, type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;

    return prvcut_replay_kind_of(type, value, v ? v->text : NULL);
}

static uint32_t ere_kind(struct eff_replay *r, uint32_t type, int64_t value)
{
    const uint32_t row = type - PRVCUT_TYPE_MPI_P2P;
    uint32_t *kind;

    if (row >= KINDS_TYPES || value < 0 || value >= KINDS_VALUES)
        return ere_ask_kind(r, type, value);
    kind = &r->kind[row][value];
    if (!(*kind & KIND_KNOWN))
        *kind = ere_ask_kind(r, type, value) | KIND_KNOWN;
    return *kind & ~KIND_KNOWN;
}

static uint32_t ere_group(const struct eff_replay *r, uint32_t task, uint32_t kind, uint32_t id)
{
    const struct ere_name key = { prvcut_objects_application(r->out->objects, task), id, 0 };
    const struct ere_name *found;

    if (kind & PRVCUT_REPLAY_INIT)
        return r->world[key.application];
    if (!(kind & PRVCUT_REPLAY_COLLECTIVE) || id == PRVCUT_NOBODY)
        return PRVCUT_NOBODY;
    found = prvcut_table_look(&r->name, &key, r->name.key, sizeof key);
    return found ? (uint32_t)found->group : PRVCUT_NOBODY;
}

/* --- What happens ----------------------------------------------------------------------------- */

/* Messages as late as now, once all calls of that time are told. */
static enum prvcut_status ere_flush(struct eff_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < r->waits && st == PRVCUT_OK; i++)
        st = prvcut_replay_message(r->replay, &r->wait[i], r->halves, err);
    r->waits = 0;
    return st;
}

/* The window is over: what is open is cut there. */
static enum prvcut_status ere_close(struct eff_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = ere_flush(r, err);

    if (st == PRVCUT_OK)
        st = prvcut_replay_time(r->replay, r->until, err);
    r->closed = true;
    for (uint32_t i = 0; i < r->out->lanes && st == PRVCUT_OK; i++)
        if (prvcut_replay_inside(r->replay, i))
            st = prvcut_replay_leave(r->replay, i, r->until, true, err);
    return st;
}

enum prvcut_status eff_replay_time(struct eff_replay *r, uint64_t time, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (time <= r->now || r->closed)
        return PRVCUT_OK;
    r->now = time;
    if (time > r->until)
        return ere_close(r, err);
    if (r->waits > 0)
        st = ere_flush(r, err);
    return st == PRVCUT_OK ? prvcut_replay_time(r->replay, time, err) : st;
}

void eff_replay_start(struct eff_replay *r, uint32_t thread, uint64_t time, bool sure)
{
    struct ere_lane *l = &r->lane[ere_lane_of(r, thread)];

    if (sure ? !l->started : !l->begun)
        prvcut_replay_start(r->replay, ere_lane_of(r, thread), time);
    l->begun = true;
    l->started |= sure;
}

enum prvcut_status eff_replay_enter(struct eff_replay *r, const struct eff_event *e,
                                    struct prvcut_error *err)
{
    const uint32_t lane = ere_lane_of(r, e->thread);
    const uint32_t kind = ere_kind(r, e->type, e->value);
    const uint32_t group =
        ere_group(r, r->out->objects->thread_task[e->thread], kind, e->communicator);
    uint32_t *any = &r->out->any_of[prvcut_efficiency_application(r->out->objects, e->thread)];

    if (r->closed || e->time >= r->until)
        return PRVCUT_OK;
    if (prvcut_replay_inside(r->replay, lane)) {
        r->out->overlap |= r->lane[lane].owner != e->thread;
        return PRVCUT_OK;
    }
    r->lane[lane].owner = e->thread;
    if (kind & (PRVCUT_REPLAY_SENDS | PRVCUT_REPLAY_POSTS))
        *any |= PRVCUT_EFFICIENCY_ANY_P2P;
    if (kind & PRVCUT_REPLAY_COLLECTIVE && group != PRVCUT_NOBODY)
        *any |= PRVCUT_EFFICIENCY_ANY_COLLECTIVE;
    return prvcut_replay_enter(r->replay,
                               &(struct prvcut_replay_call){
                                   .begin = e->time,
                                   .lane = lane,
                                   .kind = kind,
                                   .value = (int64_t)((uint64_t)e->type << 32 ^ (uint64_t)e->value),
                                   .group = group,
                                   .root = e->root != 0 },
                               err);
}

enum prvcut_status eff_replay_leave(struct eff_replay *r, uint32_t thread, uint64_t end, bool cut,
                                    struct prvcut_error *err)
{
    const uint32_t lane = ere_lane_of(r, thread);

    if (!prvcut_replay_inside(r->replay, lane) || r->lane[lane].owner != thread)
        return PRVCUT_OK;
    return prvcut_replay_leave(r->replay, lane, end < r->until ? end : r->until, cut, err);
}

enum prvcut_status eff_replay_message(struct eff_replay *r, const struct prvcut_message *m,
                                      struct prvcut_error *err)
{
    const uint64_t from = r->asked->only.start;
    enum prvcut_status st = eff_replay_time(r, m->physical_send, err);

    if (st < 0 || r->closed)
        return st;
    if (m->logical_send < from || m->physical_receive < from || m->physical_receive > r->until) {
        r->out->crossing += m->physical_send >= from;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&r->wait, &r->room, r->waits + 1, sizeof *r->wait, err) < 0)
        return PRVCUT_ENOMEM;
    r->wait[r->waits] = *m;
    r->wait[r->waits].sender = ere_lane_of(r, m->sender);
    r->wait[r->waits++].receiver = ere_lane_of(r, m->receiver);
    return PRVCUT_OK;
}

/* --- Borders ---------------------------------------------------------------------------------- */

static uint64_t *ere_clock(const struct eff_replay *r, size_t stretch, uint32_t lane, bool end)
{
    struct prvcut_span *s = &r->out->clock[stretch * r->out->lanes + lane];

    return end ? &s->end : &s->start;
}

static uint64_t ere_border(const struct eff_replay *r, uint32_t lane, size_t border)
{
    const struct prvcut_span *w =
        &r->out->window[border / 2 * r->out->threads + r->lane[lane].thread];

    return border % 2 ? w->end : w->start;
}

/* While it computes before the call the ideal time goes on with the recorded one; in the call it is
   that of its end. */
static void ere_pass_borders(struct eff_replay *r, const struct prvcut_replay_left *c)
{
    struct ere_lane *l = &r->lane[c->lane];

    for (; l->border < 2 * r->out->stretches; l->border++) {
        const uint64_t time = ere_border(r, c->lane, l->border);
        const uint64_t before = time < c->recorded.start ? c->recorded.start - time : 0;

        if (time >= c->recorded.end)
            return;
        *ere_clock(r, l->border / 2, c->lane, l->border % 2) =
            time <= c->recorded.start
                ? c->ideal.start - (before < c->ideal.start ? before : c->ideal.start)
                : c->ideal.end;
    }
}

/* The longest wait of the stretch that the call ends in. */
static void ere_keep_wait(const struct eff_replay *r, const struct prvcut_replay_left *c)
{
    const size_t border = r->lane[c->lane].border;
    struct prvcut_efficiency_wait *w = &r->asked->wait[border / 2];
    const uint64_t ns = c->ideal.end - c->ideal.start;

    if (border % 2 == 0 || c->waited == PRVCUT_NOBODY || ns <= w->ns)
        return;
    *w = (struct prvcut_efficiency_wait){ .ns = ns,
                                          .type = (uint32_t)((uint64_t)c->value >> 32),
                                          .value = (int64_t)((uint64_t)c->value & UINT32_MAX),
                                          .lane = c->lane,
                                          .waited = c->waited };
}

static void ere_left(void *ctx, const struct prvcut_replay_left *c)
{
    struct eff_replay *r = ctx;

    if (r->asked->ideal)
        prvcut_ideal_add(r->asked->ideal, c->lane, c->recorded, c->ideal);
    ere_pass_borders(r, c);
    if (r->asked->wait)
        ere_keep_wait(r, c);
}

/* --- The end ---------------------------------------------------------------------------------- */

enum prvcut_status eff_replay_close(struct eff_replay *r, struct prvcut_error *err)
{
    return r->closed ? PRVCUT_OK : ere_flush(r, err);
}

/* A lane's last record, in its window. */
static uint64_t ere_last(const struct eff_replay *r, uint32_t lane)
{
    const struct prvcut_objects *o = r->out->objects;
    const bool threads = r->asked->threads;
    const uint32_t first = threads ? lane : o->task_first_thread[lane];
    const uint32_t end = threads ? lane + 1 : o->task_first_thread[lane + 1];
    uint64_t last = 0;

    for (uint32_t i = first; i < end; i++)
        last = r->out->reach[i].inside > last ? r->out->reach[i].inside : last;
    return last < r->until ? last : r->until;
}

static void ere_end_ideal(struct prvcut_ideal *i, uint32_t lane, uint64_t recorded, uint64_t ideal,
                          uint64_t end)
{
    i->lane[lane].recorded = recorded;
    i->lane[lane].ideal = ideal;
    i->end_ns = end > i->end_ns ? end : i->end_ns;
}

static void ere_end_lane(struct eff_replay *r, uint32_t lane)
{
    const uint64_t ideal = prvcut_replay_ideal(r->replay, lane);
    const uint64_t recorded = prvcut_replay_recorded(r->replay, lane);
    const uint64_t last = ere_last(r, lane);

    r->out->ideal[lane] = ideal + (last > recorded ? last - recorded : 0);
    if (r->asked->ideal)
        ere_end_ideal(r->asked->ideal, lane, recorded, ideal, r->out->ideal[lane]);
    for (struct ere_lane *l = &r->lane[lane]; l->border < 2 * r->out->stretches; l->border++) {
        const uint64_t time = ere_border(r, lane, l->border);
        const uint64_t upto = time < last ? time : last;

        *ere_clock(r, l->border / 2, lane, l->border % 2) =
            ideal + (upto > recorded ? upto - recorded : 0);
    }
}

enum prvcut_status eff_replay_end(struct eff_replay *r, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_replay_finish(r->replay, err);
    const uint64_t unended = r->out->counts.unended;

    if (st < 0)
        return st;
    r->out->counts = *prvcut_replay_counts(r->replay);
    r->out->counts.unended = unended;
    for (uint32_t i = 0; i < r->out->lanes; i++)
        ere_end_lane(r, i);
    return PRVCUT_OK;
}

/* --- Its life --------------------------------------------------------------------------------- */

static int ere_by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* A group of the tasks at rank[0 .. count), each once, in order. */
static void ere_set_group(struct prvcut_replay_group *g, uint32_t *rank, uint32_t count)
{
    uint32_t kept = 0;

    if (count > 0)
        qsort(rank, count, sizeof *rank, ere_by_number);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || rank[i] != rank[kept - 1])
            rank[kept++] = rank[i];
    *g = (struct prvcut_replay_group){ rank, kept };
}

static enum prvcut_status ere_name_group(struct eff_replay *r, uint32_t i, struct prvcut_error *err)
{
    const struct prvcut_objects *o = r->out->objects;
    const struct prvcut_communicator *c = &o->communicator[i];
    const struct ere_name key = { c->application, c->id, 0 };
    struct ere_name *name = prvcut_table_make(&r->name, &key, err);
    const uint32_t tasks =
        o->application_first_task[c->application + 1] - o->application_first_task[c->application];

    if (!name)
        return PRVCUT_ENOMEM;
    name->group = i;
    if (r->group[i].ranks == tasks && r->world[c->application] == PRVCUT_NOBODY)
        r->world[c->application] = i;
    return PRVCUT_OK;
}

/* The communicators, and for each application all of its tasks, for it may have none of these. */
static enum prvcut_status ere_groups(struct eff_replay *r, struct prvcut_error *err)
{
    const struct prvcut_objects *o = r->out->objects;
    uint32_t *all;
    enum prvcut_status st = PRVCUT_OK;

    r->group = prvcut_zeroed((size_t)o->communicators + o->applications + 1, sizeof *r->group,
                             "communicators", err);
    r->rank =
        prvcut_zeroed((size_t)o->members + o->tasks + 1, sizeof *r->rank, "communicators", err);
    r->world = prvcut_zeroed((size_t)o->applications + 1, sizeof *r->world, "communicators", err);
    if (!r->group || !r->rank || !r->world)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->applications; i++)
        r->world[i] = PRVCUT_NOBODY;
    if (o->members > 0)
        memcpy(r->rank, o->member, o->members * sizeof *r->rank);
    for (uint32_t i = 0; i < o->communicators; i++)
        ere_set_group(&r->group[i], r->rank + o->communicator[i].first, o->communicator[i].count);
    for (uint32_t i = 0; i < o->communicators && st == PRVCUT_OK; i++)
        st = ere_name_group(r, i, err);
    all = r->rank + o->members;
    for (uint32_t i = 0; i < o->tasks; i++)
        all[i] = i;
    r->groups = o->communicators;
    for (uint32_t i = 0; i < o->applications; i++) {
        const uint32_t first = o->application_first_task[i];

        if (r->world[i] == PRVCUT_NOBODY)
            r->world[i] = r->groups;
        ere_set_group(&r->group[r->groups++], all + first,
                      o->application_first_task[i + 1] - first);
    }
    return st;
}

static enum prvcut_status ere_lanes(struct eff_replay *r, struct prvcut_error *err)
{
    const struct prvcut_objects *o = r->out->objects;
    const bool threads = r->asked->threads;

    r->lane = prvcut_zeroed((size_t)r->out->lanes + 1, sizeof *r->lane, "threads", err);
    if (!r->lane)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < r->out->lanes; i++)
        r->lane[i].thread = threads ? i : o->task_first_thread[i];
    r->thread_lane = threads ? NULL : o->thread_task;
    return PRVCUT_OK;
}

static enum prvcut_status ere_init(struct eff_replay *r, struct prvcut_trace *t,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = t->reader->describe(t, &r->names, err);

    if (st == PRVCUT_OK)
        st = ere_groups(r, err);
    if (st == PRVCUT_OK)
        st = ere_lanes(r, err);
    return st;
}

enum prvcut_status eff_replay_new(struct eff_replay **out, struct prvcut_efficiency_found *f,
                                  struct prvcut_trace *t,
                                  const struct prvcut_efficiency_asked *asked,
                                  struct prvcut_error *err)
{
    struct eff_replay *r = *out = prvcut_zeroed(1, sizeof *r, "a replay", err);
    enum prvcut_status st;

    if (!r)
        return PRVCUT_ENOMEM;
    r->out = f;
    r->asked = asked;
    r->halves = t->reader->halves;
    r->until = asked->only.end;
    r->name = (struct prvcut_table)PRVCUT_TABLE(struct ere_name, group, "communicators");
    st = ere_init(r, t, err);
    if (st < 0)
        return st;
    return prvcut_replay_new(
        &r->replay,
        &(struct prvcut_replay_options){ .lanes = f->lanes,
                                         .rank = asked->threads ? f->objects->thread_task : NULL,
                                         .group = r->group,
                                         .groups = r->groups,
                                         .model = asked->model,
                                         .eager = asked->eager,
                                         .cap = asked->cap,
                                         .from = asked->only.start,
                                         .left = ere_left,
                                         .ctx = r },
        err);
}

void eff_replay_free(struct eff_replay *r)
{
    if (!r)
        return;
    prvcut_dictionary_fini(&r->names);
    prvcut_replay_free(r->replay);
    prvcut_table_fini(&r->name);
    free(r->group);
    free(r->rank);
    free(r->world);
    free(r->lane);
    free(r->wait);
    free(r);
}
