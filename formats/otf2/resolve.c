#include "otf2/raw.h"

#include "base/memory.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct resolve_wanted {
    const struct o2_definitions *d;
    OTF2_LocationRef id;
};

static bool resolve_is_not_below(const void *ctx, size_t i)
{
    const struct resolve_wanted *w = ctx;

    return w->d->location[w->d->by_id[i]].id >= w->id;
}

uint32_t o2_thread_of(const struct o2_definitions *d, OTF2_LocationRef id)
{
    const size_t low =
        prvcut_first(0, d->locations, resolve_is_not_below, &(struct resolve_wanted){ d, id });

    return low < d->locations && d->location[d->by_id[low]].id == id ? d->by_id[low]
                                                                     : PRVCUT_NOBODY;
}

static void *resolve_room(size_t count, size_t size, struct prvcut_error *err)
{
    return prvcut_zeroed(count + 1, size, "definitions", err);
}

/* While tasks and threads are put in order. */
struct order {
    const struct o2_raw *raw;
    struct o2_trace *trace;
    uint32_t *rank; /* [raw processes] of MPI; UINT32_MAX none */
    uint32_t *task; /* [raw processes] dense; accelerators have their creator's */
    struct o2_ids raw_location;
};

/* The MPI locations in order of rank; NULL: no MPI. */
static const struct o2_raw_group *resolve_ranks(const struct o2_raw *raw)
{
    const struct o2_raw_group *g = raw->group.at;

    for (size_t i = 0; i < raw->group.count; i++)
        if (g[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS && g[i].paradigm == OTF2_PARADIGM_MPI)
            return &g[i];
    return NULL;
}

/* An accelerator's locations are threads of the process that drives it. */
static uint32_t resolve_owner(const struct o2_raw *raw, uint32_t process)
{
    const struct o2_raw_process *p = raw->process.at;
    uint32_t at = process;

    for (int steps = 0; at != O2_NOWHERE && p[at].accelerator && steps < 8; steps++) {
        const uint32_t up = o2_ids_get(&raw->process_at, p[at].creator);

        if (up == O2_NOWHERE || up == at)
            break;
        at = up;
    }
    return at;
}

static enum prvcut_status resolve_find_ranks(struct order *o, struct prvcut_error *err)
{
    const struct o2_raw *raw = o->raw;
    const struct o2_raw_location *l = raw->location.at;
    const struct o2_raw_group *g = resolve_ranks(raw);

    memset(o->rank, 0xff, raw->process.count * sizeof *o->rank);
    for (size_t i = 0; i < raw->location.count; i++)
        if (o2_ids_put(&o->raw_location, l[i].id, i, err) < 0)
            return err ? err->status : PRVCUT_ENOMEM;
    for (uint32_t r = 0; g && r < g->count; r++) {
        const uint64_t id = ((const uint64_t *)raw->group_member.at)[g->first + r];
        const uint32_t at = o2_ids_get(&o->raw_location, id);
        uint32_t p;

        if (at == O2_NOWHERE)
            continue;
        p = resolve_owner(raw, o2_ids_get(&raw->process_at, l[at].group));
        if (p != O2_NOWHERE && o->rank[p] == UINT32_MAX)
            o->rank[p] = r;
    }
    return PRVCUT_OK;
}

struct place {
    uint32_t rank, index;
};

static int resolve_by_rank(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static enum prvcut_status resolve_place_tasks(struct order *o, struct prvcut_error *err)
{
    const struct o2_raw *raw = o->raw;
    const struct o2_raw_process *p = raw->process.at;
    struct o2_definitions *d = raw->defs;
    struct place *place = resolve_room(raw->process.count, sizeof *place, err);
    uint32_t count = 0;

    d->process = resolve_room(raw->process.count, sizeof *d->process, err);
    if (!place || !d->process) {
        free(place);
        return PRVCUT_ENOMEM;
    }
    for (uint32_t i = 0; i < raw->process.count; i++)
        if (resolve_owner(raw, i) == i)
            place[count++] = (struct place){ o->rank[i], i };
    qsort(place, count, sizeof *place, resolve_by_rank);
    for (uint32_t i = 0; i < count; i++) {
        d->process[i].id = p[place[i].index].id;
        d->process[i].name = o2_raw_text(raw, p[place[i].index].name);
        o->task[place[i].index] = i;
    }
    d->processes = count;
    free(place);
    return PRVCUT_OK;
}

/* Threads of a task follow each other in order of definition. */
static enum prvcut_status resolve_place_threads(struct order *o, struct prvcut_error *err)
{
    const struct o2_raw *raw = o->raw;
    const struct o2_raw_location *l = raw->location.at;
    struct o2_definitions *d = raw->defs;
    struct prvcut_objects *obj = &o->trace->base.objects;
    uint32_t *next = resolve_room(d->processes, sizeof *next, err);
    uint32_t *task_of = resolve_room(raw->location.count, sizeof *task_of, err);
    enum prvcut_status st = next && task_of ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; i < raw->location.count && st == PRVCUT_OK; i++) {
        const uint32_t p = o2_ids_get(&raw->process_at, l[i].group);

        /* A second definition of an id is left out; the first one may be read for both. */
        if (o2_ids_get(&o->raw_location, l[i].id) != i) {
            task_of[i] = UINT32_MAX;
            continue;
        }
        if (p == O2_NOWHERE) {
            st = prvcut_fail(err, PRVCUT_EFORMAT,
                             "%.500s.def: location %" PRIu64
                             " belongs to location group %u, which is not defined",
                             o->trace->stem, l[i].id, l[i].group);
            break;
        }
        task_of[i] = o->task[resolve_owner(raw, p)];
        obj->task_first_thread[task_of[i] + 1]++;
        d->locations++;
    }
    for (uint32_t i = 0; i < d->processes && st == PRVCUT_OK; i++) {
        obj->task_first_thread[i + 1] += obj->task_first_thread[i];
        next[i] = obj->task_first_thread[i];
    }
    for (size_t i = 0; i < raw->location.count && st == PRVCUT_OK; i++) {
        uint32_t thread;

        if (task_of[i] == UINT32_MAX)
            continue;
        thread = next[task_of[i]]++;
        d->location[thread] = (struct o2_location){ .id = l[i].id,
                                                    .thread = thread,
                                                    .task = task_of[i],
                                                    .type = l[i].type,
                                                    .promised = l[i].events,
                                                    .name = o2_raw_text(raw, l[i].name) };
        obj->thread_task[thread] = task_of[i];
    }
    free(next);
    free(task_of);
    return st;
}

struct by_id {
    uint64_t id;
    uint32_t index;
};

static int resolve_compare_id(const void *a, const void *b)
{
    const struct by_id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static enum prvcut_status resolve_sort_locations(struct o2_definitions *d, struct prvcut_error *err)
{
    struct by_id *sorted = resolve_room(d->locations, sizeof *sorted, err);

    if (!sorted)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < d->locations; i++)
        sorted[i] = (struct by_id){ d->location[i].id, i };
    qsort(sorted, d->locations, sizeof *sorted, resolve_compare_id);
    for (uint32_t i = 0; i < d->locations; i++)
        d->by_id[i] = sorted[i].index;
    free(sorted);
    return PRVCUT_OK;
}

static enum prvcut_status resolve_threads(const struct o2_raw *raw, struct o2_trace *t,
                                          struct prvcut_error *err)
{
    const size_t processes = raw->process.count, locations = raw->location.count;
    struct prvcut_objects *obj = &t->base.objects;
    struct o2_definitions *d = raw->defs;
    struct order o = { .raw = raw, .trace = t };
    enum prvcut_status st = PRVCUT_ENOMEM;

    if (locations > PRVCUT_THREADS_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%.500s.def: %zu locations are more than %u",
                           t->stem, locations, PRVCUT_THREADS_MAX);
    o.rank = resolve_room(processes, sizeof *o.rank, err);
    o.task = resolve_room(processes, sizeof *o.task, err);
    d->location = resolve_room(locations, sizeof *d->location, err);
    d->by_id = resolve_room(locations, sizeof *d->by_id, err);
    obj->task_first_thread = resolve_room(processes + 1, sizeof *obj->task_first_thread, err);
    obj->thread_task = resolve_room(locations, sizeof *obj->thread_task, err);
    if (o.rank && o.task && d->location && d->by_id && obj->task_first_thread && obj->thread_task)
        st = resolve_find_ranks(&o, err);
    if (st == PRVCUT_OK)
        st = resolve_place_tasks(&o, err);
    if (st == PRVCUT_OK)
        st = resolve_place_threads(&o, err);
    if (st == PRVCUT_OK)
        st = resolve_sort_locations(d, err);
    free(o.rank);
    free(o.task);
    o2_ids_fini(&o.raw_location);
    return st;
}

/* The node of a process: the nearest place above it that is called a node, else the nearest. */
static uint32_t resolve_node_of(const struct o2_raw *raw, OTF2_SystemTreeNodeRef from)
{
    const struct o2_raw_node *n = raw->node.at;
    uint32_t at = o2_ids_get(&raw->node_at, from);

    for (int steps = 0; at != O2_NOWHERE && steps < 64; steps++) {
        if (strcmp(o2_raw_text(raw, n[at].kind), "node") == 0)
            return at;
        at = o2_ids_get(&raw->node_at, n[at].parent);
    }
    return o2_ids_get(&raw->node_at, from);
}

static enum prvcut_status resolve_nodes(const struct o2_raw *raw, struct o2_trace *t,
                                        struct prvcut_error *err)
{
    const struct o2_raw_process *p = raw->process.at;
    const struct o2_raw_node *n = raw->node.at;
    struct prvcut_objects *obj = &t->base.objects;
    struct o2_definitions *d = raw->defs;
    uint32_t *dense = resolve_room(raw->node.count, sizeof *dense, err);

    d->node = resolve_room(raw->node.count + 1, sizeof *d->node, err);
    obj->node_cpus = resolve_room(raw->node.count + 1, sizeof *obj->node_cpus, err);
    obj->task_node = resolve_room(d->processes, sizeof *obj->task_node, err);
    obj->application_first_task = resolve_room(2, sizeof *obj->application_first_task, err);
    if (!dense || !d->node || !obj->node_cpus || !obj->task_node || !obj->application_first_task) {
        free(dense);
        return PRVCUT_ENOMEM;
    }
    for (uint32_t i = 0; i < d->processes; i++) {
        const uint32_t raw_at = o2_ids_get(&raw->process_at, d->process[i].id);
        const uint32_t at = resolve_node_of(raw, p[raw_at].node);
        /* Processes that stand nowhere share one node without a name, the last slot. */
        uint32_t *slot = at == O2_NOWHERE ? &dense[raw->node.count] : &dense[at];

        if (*slot == 0) {
            d->node[d->nodes] = at == O2_NOWHERE ? "" : o2_raw_text(raw, n[at].name);
            *slot = ++d->nodes;
        }
        d->process[i].node = *slot - 1;
        obj->task_node[i] = *slot - 1;
        obj->node_cpus[*slot - 1] += obj->task_first_thread[i + 1] - obj->task_first_thread[i];
    }
    free(dense);
    obj->applications = 1;
    obj->application_first_task[1] = d->processes;
    obj->tasks = d->processes;
    obj->threads = d->locations;
    obj->nodes = d->nodes;
    obj->cpus = d->locations;
    return PRVCUT_OK;
}

/* Appends a group's members as threads; ranks go through the list of all MPI locations. */
static uint32_t resolve_add_members(const struct o2_raw *raw, uint32_t group,
                                    struct o2_definitions *d)
{
    const struct o2_raw_group *all = resolve_ranks(raw), *g = raw->group.at;
    const uint64_t *member = raw->group_member.at;

    if (group == O2_NOWHERE)
        return 0;
    g += group;
    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t id = member[g->first + i];

        if (g->type == OTF2_GROUP_TYPE_COMM_GROUP &&
            (g->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) == 0)
            id = all && id < all->count ? member[all->first + id] : OTF2_UNDEFINED_LOCATION;
        d->member[d->members++] = o2_thread_of(d, id);
    }
    return g->count;
}

static uint32_t resolve_late(const struct o2_raw *raw, uint32_t at, OTF2_GroupRef id)
{
    return at == O2_NOWHERE ? o2_ids_get(&raw->group_at, id) : at;
}

/* Communicators of MPI; of several with one id the last one holds. */
static size_t resolve_pick_comms(const struct o2_raw *raw, struct by_id *out)
{
    const struct o2_raw_comm *c = raw->comm.at;
    const struct o2_raw_group *g = raw->group.at;
    size_t count = 0, kept = 0;

    for (uint32_t i = 0; i < raw->comm.count; i++) {
        const uint32_t at = resolve_late(raw, c[i].at, c[i].group);

        if (at == O2_NOWHERE || g[at].paradigm == OTF2_PARADIGM_MPI)
            out[count++] = (struct by_id){ c[i].id, i };
    }
    qsort(out, count, sizeof *out, resolve_compare_id);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || out[i + 1].id != out[i].id)
            out[kept++] = out[i];
    return kept;
}

static enum prvcut_status resolve_count_members(const struct o2_raw *raw, const struct by_id *at,
                                                size_t count, size_t *members,
                                                struct prvcut_error *err)
{
    const struct o2_raw_comm *c = raw->comm.at;
    const struct o2_raw_group *g = raw->group.at;

    *members = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = resolve_late(raw, c[at[i].index].at, c[at[i].index].group);
        const uint32_t b = resolve_late(raw, c[at[i].index].other_at, c[at[i].index].other);

        *members += a == O2_NOWHERE ? 0 : g[a].count;
        *members += b == O2_NOWHERE ? 0 : g[b].count;
        if (*members >= UINT32_MAX)
            return prvcut_fail(err, PRVCUT_ELIMIT, "communicators with more than %u members in all",
                               UINT32_MAX - 1);
    }
    return PRVCUT_OK;
}

static enum prvcut_status resolve_comms(const struct o2_raw *raw, struct prvcut_error *err)
{
    const struct o2_raw_comm *c = raw->comm.at;
    const struct o2_raw_group *g = raw->group.at;
    struct o2_definitions *d = raw->defs;
    struct by_id *at = resolve_room(raw->comm.count, sizeof *at, err);
    size_t count, members;

    if (!at)
        return PRVCUT_ENOMEM;
    count = resolve_pick_comms(raw, at);
    if (resolve_count_members(raw, at, count, &members, err) < 0) {
        free(at);
        return PRVCUT_ELIMIT;
    }
    d->world = PRVCUT_NOBODY;
    d->comm = resolve_room(count, sizeof *d->comm, err);
    d->member = resolve_room(members, sizeof *d->member, err);
    for (size_t i = 0; i < count && d->comm && d->member; i++) {
        const struct o2_raw_comm *from = &c[at[i].index];
        const uint32_t a = resolve_late(raw, from->at, from->group);
        struct o2_comm *to = &d->comm[d->comms++];

        to->id = from->id;
        to->number = (uint32_t)d->comms;
        to->name = o2_raw_text(raw, from->name);
        if (d->world == PRVCUT_NOBODY && strcmp(to->name, "MPI_COMM_WORLD") == 0)
            d->world = to->number;
        to->inter = from->inter;
        to->self = a != O2_NOWHERE && g[a].type == OTF2_GROUP_TYPE_COMM_SELF;
        to->first = (uint32_t)d->members;
        to->count = resolve_add_members(raw, a, d);
        to->other_first = (uint32_t)d->members;
        to->other_count =
            from->inter
                ? resolve_add_members(raw, resolve_late(raw, from->other_at, from->other), d)
                : 0;
    }
    free(at);
    return d->comm && d->member ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The model's view of the communicators; intercommunicators and those of one list nobody. */
static enum prvcut_status resolve_list_comms(const struct o2_definitions *d,
                                             struct prvcut_objects *obj, struct prvcut_error *err)
{
    obj->communicator = resolve_room(d->comms, sizeof *obj->communicator, err);
    obj->member = resolve_room(d->members, sizeof *obj->member, err);
    if (!obj->communicator || !obj->member)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < d->comms; i++) {
        struct prvcut_communicator *c = &obj->communicator[obj->communicators++];

        *c = (struct prvcut_communicator){ .id = d->comm[i].number, .first = obj->members };
        for (uint32_t m = 0; m < d->comm[i].count && !d->comm[i].inter; m++) {
            const uint32_t thread = d->member[d->comm[i].first + m];

            if (thread != PRVCUT_NOBODY)
                obj->member[obj->members++] = d->location[thread].task;
        }
        c->count = obj->members - c->first;
    }
    return PRVCUT_OK;
}

enum prvcut_status o2_raw_resolve(const struct o2_raw *raw, struct o2_trace *t,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = resolve_threads(raw, t, err);

    if (st == PRVCUT_OK)
        st = resolve_nodes(raw, t, err);
    if (st == PRVCUT_OK)
        st = resolve_comms(raw, err);
    if (st == PRVCUT_OK)
        st = resolve_list_comms(raw->defs, &t->base.objects, err);
    if (st == PRVCUT_OK)
        st = o2_raw_resolve_regions(raw, err);
    if (st == PRVCUT_OK)
        st = o2_raw_resolve_metrics(raw, err);
    return st;
}
