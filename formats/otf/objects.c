#include "otf/otf.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Deeper chains of parents are circles. */
#define DEPTH_MOST 64

uint32_t otf_process_of(const struct otf_trace *t, uint64_t id)
{
    const size_t at = prvcut_index_u32(t->process, t->processes, sizeof *t->process,
                                       offsetof(struct otf_process, id), id);

    return at < t->processes ? (uint32_t)at : OTF_NONE;
}

struct objects_wanted {
    const struct otf_trace *trace;
    const struct otf_stream *stream;
    uint64_t id;
};

static bool objects_not_below(const void *ctx, size_t i)
{
    const struct objects_wanted *w = ctx;

    return w->trace->process[w->stream->member[i]].id >= w->id;
}

uint32_t otf_member_of(const struct otf_trace *t, const struct otf_stream *s, uint64_t process)
{
    const struct objects_wanted w = { t, s, process };
    const size_t at = prvcut_first(0, s->members, objects_not_below, &w);

    return at < s->members && t->process[s->member[at]].id == process ? (uint32_t)at : OTF_NONE;
}

uint32_t otf_thread_of(const struct otf_trace *t, uint64_t process)
{
    uint32_t at;

    if (process < t->directs)
        return t->direct[process] > 0 ? t->direct[process] - 1 : PRVCUT_NOBODY;
    if (t->direct)
        return PRVCUT_NOBODY;
    at = otf_process_of(t, process);
    return at == OTF_NONE || t->process[at].thread == OTF_NONE ? PRVCUT_NOBODY
                                                               : t->process[at].thread;
}

/* A thread of the model on its way to its place. */
struct place {
    uint32_t process; /* index */
    uint32_t head;    /* index of the process that is its task's first thread */
    uint32_t rank;    /* of the head; OTF_NONE: unknown */
};

/*
 * The outermost ancestor that a stream holds: a rank with its threads is one task. GTG's
 * processes all have one container above them, which is not a task.
 */
static uint32_t object_head_of(const struct otf_trace *t, uint32_t process)
{
    uint32_t head = process;

    for (unsigned i = 0; i < DEPTH_MOST; i++) {
        const uint32_t parent = otf_process_of(t, t->process[head].parent);

        if (t->process[head].parent == 0 || parent == OTF_NONE ||
            t->process[parent].stream == OTF_NONE || (t->gtg && t->process[parent].parent == 0))
            return head;
        head = parent;
    }
    return process;
}

static int object_by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    if ((x->process == x->head) != (y->process == y->head))
        return x->process == x->head ? -1 : 1;
    return (x->process > y->process) - (x->process < y->process);
}

/* The group that numbers the ranks. */
static const struct otf_group *object_world(const struct otf_group *group, size_t groups)
{
    for (size_t i = 0; i < groups; i++)
        if (strstr(group[i].name, "COMM_WORLD") || strcmp(group[i].name, "MPI Communicator 0") == 0)
            return &group[i];
    return NULL;
}

static void object_rank(const struct otf_trace *t, struct place *place, size_t places,
                        const struct otf_group *w, const uint32_t *member, uint32_t *ranks)
{
    for (uint32_t i = 0; i < t->processes; i++)
        ranks[i] = OTF_NONE;
    for (size_t i = 0; w && i < w->count; i++) {
        const uint32_t p = otf_process_of(t, member[w->first + i]);

        if (p != OTF_NONE && ranks[p] == OTF_NONE)
            ranks[p] = (uint32_t)i;
    }
    for (size_t i = 0; i < places; i++)
        place[i].rank = ranks[place[i].head];
}

static enum prvcut_status object_number_threads(struct otf_trace *t, const struct place *place,
                                                struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    const size_t room = (size_t)o->threads + 1;
    uint64_t greatest = 0;

    o->applications = 1;
    o->application_first_task = prvcut_zeroed(2, sizeof *o->application_first_task, "threads", err);
    o->task_first_thread = prvcut_zeroed(room, sizeof *o->task_first_thread, "threads", err);
    o->task_node = prvcut_zeroed(room, sizeof *o->task_node, "threads", err);
    o->thread_task = prvcut_zeroed(room, sizeof *o->thread_task, "threads", err);
    t->by_thread = prvcut_zeroed(room, sizeof *t->by_thread, "threads", err);
    if (!o->application_first_task || !o->task_first_thread || !o->task_node || !o->thread_task ||
        !t->by_thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->threads; i++) {
        struct otf_process *p = &t->process[place[i].process];

        if (i == 0 || place[i].head != place[i - 1].head) {
            o->task_node[o->tasks] = UINT32_MAX;
            o->task_first_thread[o->tasks++] = i;
        }
        p->thread = i;
        t->by_thread[i] = place[i].process;
        o->thread_task[i] = o->tasks - 1;
        greatest = p->id > greatest ? p->id : greatest;
    }
    o->task_first_thread[o->tasks] = o->threads;
    o->application_first_task[1] = o->tasks;
    if (greatest >= 4 * (uint64_t)o->threads + 65536)
        return PRVCUT_OK;
    t->directs = (uint32_t)greatest + 1;
    t->direct = prvcut_zeroed(t->directs, sizeof *t->direct, "threads", err);
    if (!t->direct)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->threads; i++)
        t->direct[t->process[place[i].process].id] = i + 1;
    return PRVCUT_OK;
}

static enum prvcut_status object_list_members(struct otf_trace *t, struct prvcut_error *err)
{
    uint32_t at = 0;

    t->member =
        prvcut_zeroed((size_t)t->base.objects.threads + 1, sizeof *t->member, "threads", err);
    if (!t->member)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < t->processes; i++)
        if (t->process[i].stream != OTF_NONE)
            t->stream[t->process[i].stream].members++;
    for (uint32_t i = 0; i < t->streams; i++) {
        t->stream[i].member = t->member + at;
        at += t->stream[i].members;
        t->stream[i].members = 0;
    }
    for (uint32_t i = 0; i < t->processes; i++)
        if (t->process[i].stream != OTF_NONE) {
            struct otf_stream *s = &t->stream[t->process[i].stream];

            s->member[s->members++] = i;
        }
    return PRVCUT_OK;
}

/* Groups are also made of nodes and of teams of threads: only what holds whole tasks is kept. */
static bool object_holds_tasks(const struct otf_trace *t, const struct otf_group *g,
                               const uint32_t *member)
{
    if (strncmp(g->name, "NODE ", 5) == 0 || strncmp(g->name, "__NODE__", 8) == 0)
        return false;
    for (size_t i = 0; i < g->count; i++) {
        const uint32_t thread = otf_thread_of(t, member[g->first + i]);
        const struct prvcut_objects *o = &t->base.objects;

        if (thread == PRVCUT_NOBODY || o->task_first_thread[o->thread_task[thread]] != thread)
            return false;
    }
    return g->count > 0;
}

static int object_by_communicator(const void *a, const void *b)
{
    const struct prvcut_communicator *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static enum prvcut_status object_make_communicators(struct otf_trace *t,
                                                    const struct otf_group *group, size_t groups,
                                                    const uint32_t *member,
                                                    struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    size_t members = 0;

    for (size_t i = 0; i < groups; i++)
        members += group[i].count;
    if (members > UINT32_MAX || groups > UINT32_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%s: process groups with %zu members in all",
                           t->definitions, members);
    o->communicator = prvcut_zeroed(groups + 1, sizeof *o->communicator, "process groups", err);
    o->member = prvcut_zeroed(members + 1, sizeof *o->member, "process groups", err);
    if (!o->communicator || !o->member)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < groups; i++) {
        const struct otf_group *g = &group[i];

        if (!object_holds_tasks(t, g, member))
            continue;
        o->communicator[o->communicators++] = (struct prvcut_communicator){
            .id = g->id, .first = o->members, .count = (uint32_t)g->count
        };
        for (size_t k = 0; k < g->count; k++)
            o->member[o->members++] = o->thread_task[otf_thread_of(t, member[g->first + k])];
    }
    if (o->communicators > 0)
        qsort(o->communicator, o->communicators, sizeof *o->communicator, object_by_communicator);
    return PRVCUT_OK;
}

enum prvcut_status otf_objects_make(struct otf_trace *t, const struct otf_group *group,
                                    size_t groups, const uint32_t *member, struct prvcut_error *err)
{
    struct place *place = prvcut_zeroed((size_t)t->processes + 1, sizeof *place, "processes", err);
    uint32_t *ranks = prvcut_zeroed((size_t)t->processes + 1, sizeof *ranks, "processes", err);
    enum prvcut_status st = PRVCUT_OK;
    uint32_t count = 0;

    if (!place || !ranks)
        st = PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < t->processes && st == PRVCUT_OK; i++)
        if (t->process[i].stream != OTF_NONE) {
            const uint32_t parent = otf_process_of(t, t->process[i].parent);

            if (t->gtg && parent != OTF_NONE)
                t->process[parent].holder = true;
            place[count++] = (struct place){ .process = i, .head = object_head_of(t, i) };
        }
    if (st == PRVCUT_OK) {
        object_rank(t, place, count, object_world(group, groups), member, ranks);
        qsort(place, count, sizeof *place, object_by_place);
        t->base.objects.threads = count;
        st = object_number_threads(t, place, err);
    }
    if (st == PRVCUT_OK)
        st = object_list_members(t, err);
    if (st == PRVCUT_OK)
        st = object_make_communicators(t, group, groups, member, err);
    free(place);
    free(ranks);
    return st;
}
