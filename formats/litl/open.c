#include "litl/litl.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "match/clocks.h"
#include "model/formats.h"

#include <stdlib.h>
#include <string.h>

/* Communicators that are told apart; whoever makes more makes them in a loop. */
#define COMMUNICATORS_MOST 16384u
/* Ranks that a log may speak of. */
#define RANKS_MOST ((int64_t)1 << 24)

/* --- What a first look at the log tells ------------------------------------------------------ */

static enum prvcut_status open_add_communicator(struct litl_trace *t, struct litl_process *p,
                                                uint64_t handle, uint64_t time,
                                                struct prvcut_error *err)
{
    void *at = p->communicator;
    enum prvcut_status st;

    st =
        prvcut_grow(&at, &p->communicator_room, p->communicators + 1, sizeof *p->communicator, err);
    p->communicator = at;
    if (st == PRVCUT_OK)
        p->communicator[p->communicators++] =
            (struct litl_communicator){ .handle = handle, .time = time, .first = t->members };
    return st;
}

static enum prvcut_status open_add_member(struct litl_trace *t, struct litl_process *p,
                                          int64_t rank, struct prvcut_error *err)
{
    void *at = t->member;
    enum prvcut_status st =
        prvcut_grow(&at, &t->member_room, t->members + 1, sizeof *t->member, err);

    t->member = at;
    if (st < 0)
        return st;
    t->member[t->members++] = rank >= 0 && rank < RANKS_MOST ? (uint32_t)rank : PRVCUT_NOBODY;
    p->communicator[p->communicators - 1].count++;
    return PRVCUT_OK;
}

static enum prvcut_status open_survey_world(struct litl_trace *t, struct litl_process *p,
                                            const int64_t *value, struct prvcut_error *err)
{
    enum prvcut_status st = open_add_communicator(t, p, (uint64_t)value[0], 0, err);

    if (st < 0)
        return st;
    p->communicator[p->communicators - 1].id = LITL_WORLD;
    st = open_add_communicator(t, p, (uint64_t)value[1], 0, err);
    return st < 0 ? st : open_add_member(t, p, p->rank, err);
}

/* left: ranks that the communicator defined last still has to name. */
static enum prvcut_status open_survey_event(struct litl_trace *t, struct litl_process *p,
                                            const struct litl_event *e, int64_t *left,
                                            struct prvcut_error *err)
{
    const struct litl_code *c = litl_code_find(e->code);
    const enum litl_meaning meaning = c ? c->meaning : LITL_NOTHING;
    int64_t value[LITL_PARAMETERS] = { 0 };
    unsigned count;
    bool odd;

    if (meaning != LITL_INIT && meaning != LITL_INIT_INFO && meaning != LITL_NEW_COMM &&
        meaning != LITL_NEW_COMM_INFO)
        return PRVCUT_OK;
    count = litl_parameters(e, c, value, &odd);
    if (meaning == LITL_INIT && count >= 2 && p->rank < 0 && value[0] < RANKS_MOST) {
        p->rank = value[0] >= 0 ? value[0] : -1;
        p->ranks = value[1];
    } else if (meaning == LITL_INIT_INFO && count == 2 && p->communicators == 0) {
        return open_survey_world(t, p, value, err);
    } else if (meaning == LITL_NEW_COMM && count == 2) {
        *left = p->communicators < COMMUNICATORS_MOST ? value[1] : 0;
        return open_add_communicator(t, p, (uint64_t)value[0], e->time, err);
    } else if (meaning == LITL_NEW_COMM_INFO && count == 1 && *left > 0) {
        --*left;
        return open_add_member(t, p, value[0], err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status open_survey_thread(struct litl_trace *t, uint32_t thread,
                                             struct prvcut_error *err)
{
    struct litl_process *p = &t->process[t->thread[thread].process];
    struct prvcut_error local = { 0 };
    struct litl_cursor c;
    struct litl_event e;
    int64_t left = 0;
    enum prvcut_status st = litl_cursor_init(&c, t, &t->thread[thread], err);

    while (st == PRVCUT_OK && (st = litl_cursor_next(&c, &e, &local)) == PRVCUT_OK) {
        /* Threads that share their events would take forever. */
        if (t->events++ > t->file.size / 14) {
            st = prvcut_fail(&local, PRVCUT_EFORMAT,
                             "%s: the file is too short for the events of its threads",
                             t->file.path);
            t->lenient = false;
            break;
        }
        if (e.time < t->start)
            t->start = e.time;
        st = open_survey_event(t, p, &e, &left, &local);
    }
    litl_cursor_fini(&c);
    if (st == PRVCUT_END || (st == PRVCUT_EFORMAT && t->lenient))
        return PRVCUT_OK;
    return st < 0 ? prvcut_fail_as(err, st, &local) : st;
}

/* --- Tasks ------------------------------------------------------------------------------------ */

/* By rank where all tell one and no two the same; else as the file has them. */
static bool open_ranks_hold(struct litl_trace *t)
{
    for (uint32_t i = 0; i < t->processes; i++) {
        const int64_t rank = t->process[i].rank;

        if (rank < 0 || (uint64_t)rank >= t->ranks || t->rank_task[rank] != PRVCUT_NOBODY)
            return false;
        t->rank_task[rank] = i;
    }
    return true;
}

static enum prvcut_status open_order_tasks(struct litl_trace *t, struct prvcut_error *err)
{
    uint32_t task = 0;

    for (uint32_t i = 0; i < t->processes; i++)
        if (t->process[i].rank >= (int64_t)t->ranks)
            t->ranks = (uint32_t)t->process[i].rank + 1;
    t->rank_task = prvcut_unset((size_t)t->ranks + 1, sizeof *t->rank_task, "ranks", err);
    t->order = prvcut_zeroed(t->processes, sizeof *t->order, "ranks", err);
    t->task = prvcut_zeroed(t->processes, sizeof *t->task, "ranks", err);
    if (!t->rank_task || !t->order || !t->task)
        return PRVCUT_ENOMEM;
    for (uint32_t r = 0; r < t->ranks; r++)
        t->rank_task[r] = PRVCUT_NOBODY;
    if (open_ranks_hold(t)) {
        for (uint32_t r = 0; r < t->ranks; r++)
            if (t->rank_task[r] != PRVCUT_NOBODY) {
                t->order[task] = t->rank_task[r];
                t->rank_task[r] = task++;
            }
    } else {
        t->ranks = 0;
        for (uint32_t i = 0; i < t->processes; i++)
            t->order[i] = i;
        litl_note(t->found, LITL_RANK_UNKNOWN, NULL, 0,
                  "processes stand as the file has them, messages have no partner");
    }
    for (uint32_t i = 0; i < t->processes; i++)
        t->task[t->order[i]] = i;
    return PRVCUT_OK;
}

static enum prvcut_status open_fill_objects(struct litl_trace *t, struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    uint32_t thread = 0;

    o->applications = 1;
    o->tasks = t->processes;
    o->application_first_task = prvcut_zeroed(2, sizeof *o->application_first_task, "threads", err);
    o->task_first_thread =
        prvcut_zeroed((size_t)o->tasks + 1, sizeof *o->task_first_thread, "threads", err);
    o->task_node = prvcut_zeroed(o->tasks, sizeof *o->task_node, "threads", err);
    o->thread_task = prvcut_zeroed(o->threads, sizeof *o->thread_task, "threads", err);
    if (!o->application_first_task || !o->task_first_thread || !o->task_node || !o->thread_task)
        return PRVCUT_ENOMEM;
    o->application_first_task[1] = o->tasks;
    for (uint32_t k = 0; k < o->tasks; k++) {
        o->task_first_thread[k] = thread;
        o->task_node[k] = UINT32_MAX;
        for (uint32_t i = 0; i < t->process[t->order[k]].threads; i++)
            o->thread_task[thread++] = k;
    }
    o->task_first_thread[o->tasks] = thread;
    return PRVCUT_OK;
}

/* --- Communicators -----------------------------------------------------------------------------
 */

/* A communicator of all processes: tasks of the objects' table. */
static enum prvcut_status open_publish(struct litl_trace *t, const struct litl_communicator *c,
                                       struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    const uint32_t count = c ? c->count : o->tasks;
    enum prvcut_status st;

    st = prvcut_grow((void **)&o->communicator, &t->communicator_room, (size_t)o->communicators + 1,
                     sizeof *o->communicator, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&o->member, &t->communicator_members_room,
                         (size_t)o->members + count + 1, sizeof *o->member, err);
    if (st < 0)
        return st;
    o->communicator[o->communicators] =
        (struct prvcut_communicator){ .id = o->communicators + 1, .first = o->members };
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t task = c ? litl_rank_task(t, c, i) : i;

        if (task != PRVCUT_NOBODY) {
            o->member[o->members++] = task;
            o->communicator[o->communicators].count++;
        }
    }
    o->communicators++;
    return PRVCUT_OK;
}

/* One that is known by an id: which process it was seen in first, and the how manieth of its kind.
 */
struct known {
    const struct litl_communicator *seen;
    uint32_t turn;
};

static bool open_same_members(const struct litl_trace *t, const struct litl_communicator *a,
                              const struct litl_communicator *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(t->member + a->first, t->member + b->first, a->count * sizeof *t->member) == 0);
}

/* The same members, and made the same number of times before: the same one in all processes. */
static enum prvcut_status open_name_communicators(struct litl_trace *t,
                                                  const struct litl_process *p, struct known *known,
                                                  struct prvcut_error *err)
{
    const struct prvcut_objects *o = &t->base.objects;

    for (size_t i = 0; i < p->communicators; i++) {
        struct litl_communicator *c = &p->communicator[i];
        uint32_t turn = 0, k;

        if (c->id == LITL_WORLD || c->count == 0)
            continue;
        for (size_t before = 0; before < i; before++)
            turn += p->communicator[before].id != LITL_WORLD &&
                    open_same_members(t, c, &p->communicator[before]);
        for (k = LITL_WORLD; k < o->communicators; k++)
            if (known[k].turn == turn && open_same_members(t, c, known[k].seen))
                break;
        if (k == COMMUNICATORS_MOST)
            continue;
        c->id = k + 1;
        if (k == o->communicators) {
            enum prvcut_status st = open_publish(t, c, err);

            if (st < 0)
                return st;
            known[k] = (struct known){ c, turn };
        }
    }
    return PRVCUT_OK;
}

/* What no number of different communicators exceeds, that of all processes with it. */
static size_t open_communicators_most(const struct litl_trace *t)
{
    size_t most = 1;

    for (uint32_t k = 0; k < t->processes && most < COMMUNICATORS_MOST; k++)
        most += t->process[k].communicators;
    return most < COMMUNICATORS_MOST ? most : COMMUNICATORS_MOST;
}

static enum prvcut_status open_fill_communicators(struct litl_trace *t, struct prvcut_error *err)
{
    struct known *known =
        prvcut_zeroed(open_communicators_most(t), sizeof *known, "communicators", err);
    enum prvcut_status st = known ? open_publish(t, NULL, err) : PRVCUT_ENOMEM;

    for (uint32_t k = 0; k < t->processes && st == PRVCUT_OK; k++)
        st = open_name_communicators(t, &t->process[t->order[k]], known, err);
    free(known);
    return st;
}

/* --- Clocks ------------------------------------------------------------------------------------
 */

struct clock_listener {
    struct litl_trace *trace;
    struct prvcut_clock_notes *notes;
    uint32_t task;
    uint32_t communicator; /* of the collective that is open; 0: none */
    uint64_t begin;
};

static enum prvcut_status open_clock_call(void *ctx, uint64_t time,
                                          const struct prvcut_mpi_call *call,
                                          const struct prvcut_event *detail, unsigned details,
                                          struct prvcut_error *err)
{
    struct clock_listener *l = ctx;
    const uint32_t communicator = l->communicator;

    l->communicator = 0;
    if (call && call->operation >= 0 && call->flow == PRVCUT_CLOCK_ALL) {
        for (unsigned i = 0; i < details; i++)
            if (detail[i].role == PRVCUT_ROLE_COMMUNICATOR)
                l->communicator = (uint32_t)detail[i].value;
        l->begin = time;
    }
    if (call || communicator == 0)
        return PRVCUT_OK;
    return prvcut_clock_note_collective(l->notes, l->task, communicator,
                                        l->trace->base.objects.communicator[communicator - 1].count,
                                        PRVCUT_CLOCK_ALL, PRVCUT_NOBODY, l->begin - l->trace->start,
                                        time - l->trace->start, err);
}

static enum prvcut_status open_clock_half(void *ctx, const struct prvcut_half *half,
                                          struct prvcut_error *err)
{
    struct clock_listener *l = ctx;
    uint32_t peer;

    if (half->peer == PRVCUT_NOBODY || half->communicator == PRVCUT_NOBODY)
        return PRVCUT_OK;
    peer = l->trace->base.objects.thread_task[half->peer];
    return (half->receive ? prvcut_clock_note_receive : prvcut_clock_note_send)(
        l->notes, l->task, peer, half->tag, half->time - l->trace->start, err);
}

/* Where a log was merged from several machines, their clocks began at different moments. */
static enum prvcut_status open_solve_clocks(struct litl_trace *t, bool raw,
                                            struct prvcut_error *err)
{
    struct clock_listener l = { .trace = t };
    const struct litl_listener listener = { &l, open_clock_call, open_clock_half };
    enum prvcut_status st = prvcut_clock_notes_new(&l.notes, t->base.objects.tasks, err);

    for (uint32_t i = 0; i < t->base.objects.threads && st == PRVCUT_OK; i++) {
        uint64_t span[3];

        /* The first thread of a process speaks for it: times must not go back. */
        l.task = t->task[t->thread[i].process];
        l.communicator = 0;
        if (t->thread[i].number == 1)
            st = litl_walk(t, i, &listener, NULL, span, err);
    }
    if (st == PRVCUT_OK && !raw)
        st = prvcut_clocks_solve(&t->base.clocks, l.notes, err);
    /* Beyond any time that a log can hold: nothing to go by. */
    if (st == PRVCUT_OK && t->base.clocks.most > INT64_C(1) << 61)
        prvcut_clocks_fini(&t->base.clocks);
    prvcut_clock_notes_free(l.notes);
    return st;
}

/* --- Open ----------------------------------------------------------------------------------------
 */

static const struct prvcut_label types[] = {
    { PRVCUT_TYPE_MPI_P2P, PRVCUT_ROLE_P2P, true, "MPI Point-to-point" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, PRVCUT_ROLE_COLLECTIVE, true, "MPI Collective Comm" },
    { PRVCUT_TYPE_MPI_OTHER, PRVCUT_ROLE_MPI_OTHER, true, "MPI Other" },
    { PRVCUT_TYPE_MPI_RMA, PRVCUT_ROLE_MPI_OTHER, true, "MPI One-sided" },
    { PRVCUT_TYPE_SIZE_SENT, PRVCUT_ROLE_SIZE, false, "Send Size in MPI Global OP" },
    { PRVCUT_TYPE_SIZE_RECEIVED, PRVCUT_ROLE_SIZE, false, "Recv Size in MPI Global OP" },
    { PRVCUT_TYPE_ROOT, PRVCUT_ROLE_ROOT, false, "Root in MPI Global OP" },
    { PRVCUT_TYPE_COMMUNICATOR, PRVCUT_ROLE_COMMUNICATOR, false, "Communicator in MPI Global OP" },
};
#define TYPES (sizeof types / sizeof *types)

static enum prvcut_status open_fill_labels(struct litl_trace *t, struct prvcut_error *err)
{
    t->base.type = prvcut_unset(1, sizeof types, "labels", err);
    t->base.state = prvcut_zeroed(PRVCUT_STATES, sizeof *t->base.state, "labels", err);
    if (!t->base.type || !t->base.state)
        return PRVCUT_ENOMEM;
    memcpy(t->base.type, types, sizeof types);
    t->base.types = TYPES;
    for (uint32_t i = 0; i < PRVCUT_STATES; i++)
        t->base.state[i] = (struct prvcut_label){ .number = i, .text = prvcut_state_text(i) };
    t->base.states = PRVCUT_STATES;
    return PRVCUT_OK;
}

static enum prvcut_status open_silent_call(void *ctx, uint64_t time,
                                           const struct prvcut_mpi_call *call,
                                           const struct prvcut_event *detail, unsigned details,
                                           struct prvcut_error *err)
{
    (void)ctx, (void)time, (void)call, (void)detail, (void)details, (void)err;
    return PRVCUT_OK;
}

static enum prvcut_status open_silent_half(void *ctx, const struct prvcut_half *half,
                                           struct prvcut_error *err)
{
    (void)ctx, (void)half, (void)err;
    return PRVCUT_OK;
}

/* Latest time of all, and what is wrong with the log. */
static enum prvcut_status open_survey_end(struct litl_trace *t, struct prvcut_error *err)
{
    const struct litl_listener listener = { NULL, open_silent_call, open_silent_half };
    const struct prvcut_clocks *clocks = &t->base.clocks;

    for (uint32_t i = 0; i < t->base.objects.threads; i++) {
        uint64_t span[3], last;
        const enum prvcut_status st = litl_walk(t, i, &listener, t->found, span, err);

        if (st < 0)
            return st;
        if (span[2] == 0)
            continue;
        last = span[1] - t->start;
        if (clocks->offset)
            last += (uint64_t)clocks->offset[t->task[t->thread[i].process]];
        if (last > t->base.end_ns)
            t->base.end_ns = last;
    }
    return PRVCUT_OK;
}

static enum prvcut_status open_read_all(struct litl_trace *t,
                                        const struct prvcut_open_options *options,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    t->lenient = options && options->lenient;
    t->base.path = prvcut_copied_text(prvcut_source_path(t->file.source), "a trace", err);
    if (!t->base.path)
        return PRVCUT_ENOMEM;
    t->file.path = t->base.path;
    t->start = UINT64_MAX;
    st = litl_file_read(t, err);
    for (uint32_t i = 0; i < t->base.objects.threads && st == PRVCUT_OK; i++)
        st = open_survey_thread(t, i, err);
    if (t->start == UINT64_MAX)
        t->start = 0;
    if (st < 0 || (st = open_order_tasks(t, err)) < 0 || (st = open_fill_objects(t, err)) < 0 ||
        (st = open_fill_communicators(t, err)) < 0 || (st = open_fill_labels(t, err)) < 0 ||
        (st = open_solve_clocks(t, options && options->raw_clocks, err)) < 0)
        return st;
    t->base.unit_ns = 1;
    t->base.bytes = prvcut_source_size(t->file.source);
    t->base.seekable = prvcut_source_is_seekable(t->file.source);
    t->base.codec = prvcut_source_codec(t->file.source);
    return open_survey_end(t, err);
}

enum prvcut_status litl_open(struct prvcut_trace **out, struct prvcut_source *source,
                             const struct prvcut_open_options *options, struct prvcut_error *err)
{
    struct litl_trace *t = prvcut_zeroed(1, sizeof *t, "a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!t) {
        prvcut_source_close(source);
        return PRVCUT_ENOMEM;
    }
    t->file.source = source;
    t->base.reader = &prvcut_litl_reader;
    t->base.wall_clock = INT64_MIN;
    st = open_read_all(t, options, err);
    if (st < 0) {
        litl_close(&t->base);
        return st;
    }
    *out = &t->base;
    return PRVCUT_OK;
}

void litl_close(struct prvcut_trace *trace)
{
    struct litl_trace *t = (struct litl_trace *)trace;

    if (!t)
        return;
    for (uint32_t i = 0; t->process && i < t->processes; i++)
        free(t->process[i].communicator);
    free(t->process);
    free(t->thread);
    free(t->order);
    free(t->task);
    free(t->rank_task);
    free(t->member);
    free(t->file.held);
    prvcut_source_close(t->file.source);
    prvcut_objects_fini(&t->base.objects);
    prvcut_clocks_fini(&t->base.clocks);
    free(t->base.type);
    free(t->base.state);
    free(t->base.path);
    free(t);
}
