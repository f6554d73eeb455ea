#include "base/memory.h"
#include "paraver/cut.h"

#include <stdlib.h>
#include <string.h>

/*
 * A straight border can cut through a collective: some of its tasks called it before the border,
 * the others after. Calls carry no number, so instances are matched inside the window: a
 * synchronising collective cannot end on any task before all have begun it. The earliest end of
 * the tasks' first synchronising calls therefore tells which of them are one instance; a task
 * whose first one begins later has left that instance on the other side of the border. From the
 * matched instance on, calls are matched by their number.
 */

/* Calls that no task can leave before all have entered, by Extrae's values of 50000002. */
static bool synchronises(int64_t call)
{
    return call == 8 || call == 10 || call == 11 || call == 12 || call == 17 || call == 18 ||
           call == 52 || call == 80 || call == 81;
}

/* One thread on one communicator. */
struct caller {
    bool any, synced;
    uint64_t before; /* calls before the first synchronising one */
    uint64_t calls;
    uint64_t begin, end; /* ns, of the first synchronising one */
};

/* A communicator that is used in the window. */
struct used {
    uint32_t application, id;
    struct caller *caller; /* [tasks of the application] */
};

struct prv_collectives {
    const struct prvcut_objects *objects;
    const struct prv_parse_plan *plan;
    struct used *used;
    size_t count, room;
    struct caller **present; /* [threads]: the call that each thread is in, if its end matters */
};

enum prvcut_status prv_collectives_new(struct prv_collectives **out, const struct prv_cutter *c,
                                       struct prvcut_error *err)
{
    struct prv_collectives *s = calloc(1, sizeof *s);

    *out = s;
    if (!s)
        return prvcut_no_memory(err, "collectives");
    s->objects = &c->plan.header->objects;
    s->plan = &c->plan;
    s->present = calloc((size_t)s->objects->threads + 1, sizeof(struct caller *));
    return s->present ? PRVCUT_OK : prvcut_no_memory(err, "collectives");
}

void prv_collectives_free(struct prv_collectives *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->used[i].caller);
    free(s->used);
    free((void *)s->present);
    free(s);
}

static uint32_t application_of(const struct prvcut_objects *o, uint32_t task)
{
    uint32_t a = 0;

    while (a + 1 < o->applications && o->application_first_task[a + 1] <= task)
        a++;
    return a;
}

static enum prvcut_status find_used(struct prv_collectives *s, uint32_t application, uint32_t id,
                                    struct used **out, struct prvcut_error *err)
{
    const struct prvcut_objects *o = s->objects;
    struct used *u;
    uint32_t tasks;

    for (size_t i = 0; i < s->count; i++)
        if (s->used[i].application == application && s->used[i].id == id) {
            *out = &s->used[i];
            return PRVCUT_OK;
        }
    if (prvcut_grow((void **)&s->used, &s->room, s->count + 1, sizeof *s->used, err) < 0)
        return PRVCUT_ENOMEM;
    tasks = o->application_first_task[application + 1] - o->application_first_task[application];
    u = &s->used[s->count];
    *u = (struct used){ application, id, calloc((size_t)tasks + 1, sizeof(struct caller)) };
    if (!u->caller)
        return prvcut_no_memory(err, "a communicator");
    s->count++;
    *out = u;
    return PRVCUT_OK;
}

enum prvcut_status prv_collectives_begin(struct prv_collectives *s, const struct prv_cut_line *l,
                                         uint64_t time, struct prvcut_error *err)
{
    struct prv_fields rest = l->pairs;
    const uint32_t task = s->objects->thread_task[l->event.thread];
    const uint32_t application = application_of(s->objects, task);
    int64_t value, call = 0, communicator = 0;
    struct caller *k;
    struct used *u = NULL;
    uint32_t type;
    bool region;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK) {
        const enum prvcut_role role = prv_labels_role(s->plan->labels, type, &region);

        if (role == PRVCUT_ROLE_COLLECTIVE)
            call = value;
        else if (role == PRVCUT_ROLE_COMMUNICATOR)
            communicator = value;
    }
    if (call == 0 || communicator <= 0 || communicator > UINT32_MAX)
        return PRVCUT_OK;
    if (find_used(s, application, (uint32_t)communicator, &u, err) < 0)
        return PRVCUT_ENOMEM;
    k = &u->caller[task - s->objects->application_first_task[application]];
    k->any = true;
    k->calls++;
    if (k->synced)
        return PRVCUT_OK;
    if (!synchronises(call)) {
        k->before++;
        return PRVCUT_OK;
    }
    k->synced = true;
    k->begin = time;
    k->end = UINT64_MAX;
    s->present[l->event.thread] = k;
    return PRVCUT_OK;
}

void prv_collectives_end(struct prv_collectives *s, uint32_t thread, uint64_t time)
{
    if (s->present[thread])
        s->present[thread]->end = time;
    s->present[thread] = NULL;
}

static const struct prvcut_communicator *members_of(const struct prvcut_objects *o,
                                                    const struct used *u)
{
    for (uint32_t i = 0; i < o->communicators; i++)
        if (o->communicator[i].application == u->application && o->communicator[i].id == u->id)
            return &o->communicator[i];
    return NULL;
}

struct range {
    uint64_t least, most;
};

static void widen(struct range *r, uint64_t v)
{
    if (v < r->least)
        r->least = v;
    if (v > r->most)
        r->most = v;
}

static uint64_t split_of(const struct prvcut_objects *o, const struct used *u)
{
    const struct prvcut_communicator *m = members_of(o, u);
    const uint32_t first = o->application_first_task[u->application];
    struct range before = { UINT64_MAX, 0 }, after = { UINT64_MAX, 0 };
    uint64_t met = UINT64_MAX, missed = 0;

    if (!m || m->count < 2)
        return 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct caller *k = &u->caller[o->member[m->first + i] - first];

        if (k->synced && k->end < met)
            met = k->end;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        const struct caller *k = &u->caller[o->member[m->first + i] - first];
        /* Who is not in the first instance, or comes too late for it, took part in it outside:
           all calls inside the window follow it. */
        const bool late = met < UINT64_MAX && (!k->synced || k->begin > met);

        missed |= late;
        widen(&before, late ? 0 : k->before);
        widen(&after, late ? k->calls + 1 : k->calls - k->before);
    }
    return before.most - before.least + missed + after.most - after.least;
}

uint64_t prv_collectives_split(struct prv_collectives *s)
{
    uint64_t split = 0;

    for (size_t i = 0; i < s->count; i++)
        split += split_of(s->objects, &s->used[i]);
    return split;
}
