#include "otf/otf.h"

#include "base/memory.h"
#include "base/search.h"
#include "match/clocks.h"
#include "otf/lines.h"
#include "otf/text.h"

#include <stdlib.h>
#include <string.h>

/* Text of a stream's begin that is looked at. */
#define LOOKED_MOST ((uint64_t)16 << 20)
/* Of all streams together, but at least one chunk of each. */
#define LOOKED_ALL ((uint64_t)512 << 20)

/* A collective that a process is in. */
struct inside {
    uint64_t match, comm, root, begin;
    const struct otf_operation *operation; /* NULL: in none */
};

struct look {
    const struct otf_trace *trace;
    const struct otf_stream *stream;
    struct prvcut_clock_notes *notes;
    struct inside *inside; /* [members] */
    uint32_t member;       /* current process; OTF_NONE: not a task's first thread */
    uint64_t now;
};

static uint32_t clocks_task_of(const struct otf_trace *t, uint64_t process)
{
    const uint32_t thread = otf_thread_of(t, process);

    return thread == PRVCUT_NOBODY ? PRVCUT_NOBODY : t->base.objects.thread_task[thread];
}

static uint32_t clocks_own_task(const struct look *l)
{
    const struct otf_process *p = &l->trace->process[l->stream->member[l->member]];

    return l->trace->base.objects.thread_task[p->thread];
}

/* Only first threads: the times of a task must not go back. */
static void clocks_look_process(struct look *l, uint64_t id)
{
    const struct prvcut_objects *o = &l->trace->base.objects;
    uint32_t thread;

    l->member = otf_member_of(l->trace, l->stream, id);
    if (l->member == OTF_NONE)
        return;
    thread = l->trace->process[l->stream->member[l->member]].thread;
    if (o->task_first_thread[o->thread_task[thread]] != thread)
        l->member = OTF_NONE;
}

static enum prvcut_status clocks_note_collective(struct look *l, const struct inside *c,
                                                 uint64_t end, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &l->trace->base.objects;
    const uint32_t id = (uint32_t)c->comm;
    const struct prvcut_communicator *comm =
        prvcut_find_u32(o->communicator, o->communicators, sizeof *o->communicator,
                        offsetof(struct prvcut_communicator, id), id);
    enum prvcut_clock_flow flow;
    uint32_t root = PRVCUT_NOBODY;

    if (!comm || c->comm > UINT32_MAX || !otf_flow_of(c->operation, &flow))
        return PRVCUT_OK;
    if (flow != PRVCUT_CLOCK_ALL) {
        root = clocks_task_of(l->trace, c->root);
        if (root == PRVCUT_NOBODY)
            return PRVCUT_OK;
    }
    return prvcut_clock_note_collective(l->notes, clocks_own_task(l), id, comm->count, flow, root,
                                        c->begin, end, err);
}

static enum prvcut_status clocks_look_collective(struct look *l, const struct otf_record *r,
                                                 struct prvcut_error *err)
{
    struct inside *c = &l->inside[l->member];
    enum prvcut_status st = PRVCUT_OK;

    if (r->kind == OTF_COLLECTIVE_END) {
        if (c->operation && c->match == r->number)
            st = clocks_note_collective(l, c, l->now, err);
        c->operation = NULL;
        return st;
    }
    *c = (struct inside){ .match = r->match,
                          .comm = r->comm,
                          .root = r->root,
                          .begin = l->now,
                          .operation = otf_operation_of(l->trace, l->stream, r->number) };
    if (r->kind == OTF_COLLECTIVE && c->operation) {
        const uint64_t duration = otf_time(l->trace, l->trace->origin + r->duration);

        if (r->duration < UINT64_MAX - l->trace->origin)
            st = clocks_note_collective(l, c, l->now + duration, err);
        c->operation = NULL;
    }
    return st;
}

static enum prvcut_status clocks_look_message(struct look *l, const struct otf_record *r,
                                              struct prvcut_error *err)
{
    const uint32_t peer = clocks_task_of(l->trace, r->number);

    if (peer == PRVCUT_NOBODY || r->comm > UINT32_MAX)
        return PRVCUT_OK;
    if (r->kind == OTF_SEND)
        return prvcut_clock_note_send(l->notes, clocks_own_task(l), peer, (int64_t)r->tag, l->now,
                                      err);
    return prvcut_clock_note_receive(l->notes, clocks_own_task(l), peer, (int64_t)r->tag, l->now,
                                     err);
}

static enum prvcut_status clocks_look_record(struct look *l, const struct otf_record *r,
                                             struct prvcut_error *err)
{
    if (r->kind == OTF_COLLECTIVE || r->kind == OTF_COLLECTIVE_BEGIN ||
        r->kind == OTF_COLLECTIVE_END)
        return clocks_look_collective(l, r, err);
    return r->kind == OTF_SEND || r->kind == OTF_RECEIVE ? clocks_look_message(l, r, err)
                                                         : PRVCUT_OK;
}

static bool clocks_all_full(const struct look *l)
{
    const struct otf_trace *t = l->trace;

    for (uint32_t i = 0; i < l->stream->members; i++)
        if (!prvcut_clock_notes_full(
                l->notes, t->base.objects.thread_task[t->process[l->stream->member[i]].thread]))
            return false;
    return true;
}

/* PRVCUT_END: damage, which the scan tells of. */
static enum prvcut_status clocks_look_line(struct look *l, const struct otf_record *r,
                                           struct prvcut_error *err)
{
    uint64_t now;

    if (r->kind == OTF_BAD || r->kind == OTF_TOO_LARGE)
        return PRVCUT_END;
    if (r->kind == OTF_TIME) {
        now = otf_time(l->trace, r->number);
        if (now < l->now)
            return PRVCUT_END;
        l->now = now;
    } else if (r->kind == OTF_PROCESS) {
        clocks_look_process(l, r->number);
    } else if (l->member != OTF_NONE) {
        return clocks_look_record(l, r, err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status clocks_look_stream(struct look *l, uint64_t most,
                                             struct prvcut_error *err)
{
    struct otf_lines x;
    struct otf_record r;
    enum prvcut_status st = otf_lines_open(&x, l->stream->path, l->stream->packed, 0, err);

    l->inside = prvcut_zeroed((size_t)l->stream->members + 1, sizeof *l->inside, "clocks", err);
    if (!l->inside)
        st = PRVCUT_ENOMEM;
    while (st == PRVCUT_OK && x.text.offset < most && !clocks_all_full(l)) {
        st = otf_lines_more(&x, err);
        while (st == PRVCUT_OK && otf_lines_next(&x, &r))
            st = clocks_look_line(l, &r, err);
    }
    free(l->inside);
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static enum prvcut_status clocks_look_all(struct otf_trace *t, struct prvcut_clock_notes *notes,
                                          struct prvcut_error *err)
{
    const uint64_t share = LOOKED_ALL / t->streams;
    const uint64_t most = share < LOOKED_MOST ? share : LOOKED_MOST;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        struct look l = { .trace = t, .stream = &t->stream[i], .notes = notes, .member = OTF_NONE };

        if (!l.stream->empty)
            st = clocks_look_stream(&l, most, err);
    }
    return st;
}

enum prvcut_status otf_clocks_find(struct otf_trace *t, struct prvcut_error *err)
{
    struct prvcut_clock_notes *notes = NULL;
    enum prvcut_status st;

    if (t->base.objects.tasks < 2)
        return PRVCUT_OK;
    st = prvcut_clock_notes_new(&notes, t->base.objects.tasks, err);
    if (st == PRVCUT_OK)
        st = clocks_look_all(t, notes, err);
    if (st == PRVCUT_OK)
        st = prvcut_clocks_solve(&t->base.clocks, notes, err);
    prvcut_clock_notes_free(notes);
    return st;
}
