#include "otf2/quick.h"

#include "base/memory.h"
#include "match/clocks.h"

/*
 * How much of each process's events is looked at: a sixteenth of the file, but enough events, and
 * beyond these as many as it takes to meet some messages or collectives.
 */
#define EVENTS_LEAST 8192u
#define EVENTS_MOST  (1u << 20)
#define SHARE        16u
#define EVENT_BYTES  15u /* as most of them take */
#define NOTES_ENOUGH 64u
#define STEP         2048u

/* One process's beginning on its way into the notes. */
struct prelude {
    const struct o2_trace *trace;
    struct prvcut_clock_notes *notes;
    const struct o2_comm *comm; /* of the last record */
    uint32_t thread, task;
    uint64_t last;  /* ns */
    uint64_t begin; /* ns, of the collective under way; UINT64_MAX none */
    uint32_t noted;
    enum prvcut_clock_flow flow[32]; /* [collective operation] */
    struct o2_quick *quick;
    enum prvcut_status status;
    struct prvcut_error *err;
};

/* ns of the process's own clock; never falling. */
static uint64_t clocks_own_time(struct prelude *p, uint64_t tick)
{
    const struct o2_trace *t = p->trace;
    const uint64_t ns = tick > t->defs.offset ? o2_ns(&t->scale, tick - t->defs.offset) : 0;

    if (ns > p->last)
        p->last = ns;
    return p->last;
}

static const struct o2_comm *clocks_find_comm(struct prelude *p, OTF2_CommRef id)
{
    if (!p->comm || p->comm->id != id)
        p->comm = o2_comm_of(&p->trace->defs, id);
    return p->comm;
}

static OTF2_CallbackCode clocks_done(const struct prelude *p)
{
    return p->status < 0 || prvcut_clock_notes_full(p->notes, p->task) ? OTF2_CALLBACK_INTERRUPT
                                                                       : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode clocks_message(struct prelude *p, const struct o2_event *e, bool receive)
{
    const struct o2_definitions *d = &p->trace->defs;
    const struct o2_comm *comm = clocks_find_comm(p, e->comm);
    const uint64_t ns = clocks_own_time(p, e->time);
    const uint32_t peer = comm ? o2_rank_thread(d, comm, e->rank, p->thread) : PRVCUT_NOBODY;
    uint32_t task;

    if (peer == PRVCUT_NOBODY || (task = d->location[peer].task) == p->task)
        return OTF2_CALLBACK_SUCCESS;
    p->noted++;
    p->status = (receive ? prvcut_clock_note_receive
                         : prvcut_clock_note_send)(p->notes, p->task, task, e->tag, ns, p->err);
    return clocks_done(p);
}

static OTF2_CallbackCode clocks_on_send(void *user, const struct o2_event *e)
{
    return clocks_message(user, e, false);
}

static OTF2_CallbackCode clocks_on_receive(void *user, const struct o2_event *e)
{
    return clocks_message(user, e, true);
}

static OTF2_CallbackCode clocks_on_begin(void *user, const struct o2_event *e)
{
    struct prelude *p = user;

    p->begin = clocks_own_time(p, e->time);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode clocks_on_end(void *user, const struct o2_event *e)
{
    struct prelude *p = user;
    const struct o2_definitions *d = &p->trace->defs;
    const struct o2_comm *comm = clocks_find_comm(p, e->comm);
    const uint64_t begin = p->begin, end = clocks_own_time(p, e->time);
    enum prvcut_clock_flow flow = e->op < 32 ? p->flow[e->op] : PRVCUT_CLOCK_NONE;
    uint32_t who = PRVCUT_NOBODY;

    p->begin = UINT64_MAX;
    if (begin == UINT64_MAX || !comm || comm->inter || comm->count < 2)
        return OTF2_CALLBACK_SUCCESS;
    if (flow != PRVCUT_CLOCK_ALL && flow != PRVCUT_CLOCK_NONE) {
        who = o2_rank_thread(d, comm, e->rank, p->thread);
        if (who == PRVCUT_NOBODY)
            flow = PRVCUT_CLOCK_NONE;
        else
            who = d->location[who].task;
    }
    p->noted++;
    p->status = prvcut_clock_note_collective(p->notes, p->task, comm->number, comm->count, flow,
                                             who, begin, end, p->err);
    return clocks_done(p);
}

/* Have so many events been looked at, or enough found? */
static bool clocks_enough(const struct prelude *p, uint64_t events)
{
    uint64_t want = p->trace->size[p->thread] / EVENT_BYTES / SHARE;

    if (want < EVENTS_LEAST)
        want = EVENTS_LEAST;
    return events >= want && (p->noted >= NOTES_ENOUGH || events >= EVENTS_MOST);
}

static struct o2_event_calls clocks_calls(struct prelude *p)
{
    return (struct o2_event_calls){ .at = { [O2_EVENT_SEND] = clocks_on_send,
                                            [O2_EVENT_ISEND] = clocks_on_send,
                                            [O2_EVENT_RECEIVE] = clocks_on_receive,
                                            [O2_EVENT_IRECEIVE] = clocks_on_receive,
                                            [O2_EVENT_COLLECTIVE_BEGIN] = clocks_on_begin,
                                            [O2_EVENT_COLLECTIVE_END] = clocks_on_end },
                                    .user = p };
}

/* As far as the quick way leads; events: how many that were. True: no more are needed. */
static bool clocks_read_quickly(struct prelude *p, uint64_t *events)
{
    const struct o2_event_calls calls = clocks_calls(p);
    enum o2_quick_end end = O2_QUICK_MORE;

    if (!o2_quick_open(p->quick, p->trace, p->thread))
        return false;
    while (end == O2_QUICK_MORE && !clocks_enough(p, *events)) {
        uint64_t count = 0;

        end = o2_quick_read(p->quick, &calls, STEP, &count);
        *events += count;
    }
    o2_quick_close(p->quick);
    return end != O2_QUICK_STOPPED;
}

static bool clocks_wants_more(void *ctx, uint64_t events)
{
    return !clocks_enough(ctx, events);
}

/* Behind so many events. Damage is told by the scan. */
static enum prvcut_status clocks_read_by_library(struct prelude *p, OTF2_Reader *r,
                                                 OTF2_EvtReader *e, uint64_t events)
{
    struct o2_event_calls calls = clocks_calls(p);
    const struct o2_events_way way = { p->trace, p->thread, STEP, clocks_wants_more, p };
    const enum prvcut_status st = o2_events_register(&calls, p->trace, p->thread, r, e, p->err);

    if (st < 0)
        return st;
    (void)o2_events_read(&way, r, e, &events);
    return o2_library_failed(p->trace->base.path, p->err);
}

static enum prvcut_status clocks_go_to_library(struct prelude *p, OTF2_Reader **r, uint64_t events)
{
    struct prvcut_error ignored = { 0 };
    OTF2_EvtReader *e;
    enum prvcut_status st;

    if (!*r && (st = o2_reader_open(r, p->trace, p->err)) < 0)
        return st;
    st = o2_location_open(&e, *r, p->trace, p->thread, &ignored);
    if (st < 0 && st != PRVCUT_EFORMAT)
        return prvcut_fail_as(p->err, st, &ignored);
    if (st != PRVCUT_OK)
        return PRVCUT_OK;
    if (o2_quick_hand_over(*r, e, 1, events) == OTF2_SUCCESS)
        st = clocks_read_by_library(p, *r, e, events);
    o2_library_clear();
    OTF2_Reader_CloseEvtReader(*r, e);
    return st;
}

static enum prvcut_status clocks_note_task(struct prelude *p, OTF2_Reader **r)
{
    enum prvcut_status st = PRVCUT_OK;
    uint64_t events = 0;

    if (p->trace->size[p->thread] == UINT64_MAX)
        return PRVCUT_OK;
    p->comm = NULL;
    p->last = 0;
    p->begin = UINT64_MAX;
    p->noted = 0;
    if (!clocks_read_quickly(p, &events))
        st = clocks_go_to_library(p, r, events);
    return st < 0 ? st : p->status;
}

/* The first thread of each process tells. */
static enum prvcut_status clocks_note_all(struct prelude *p, OTF2_Reader **r)
{
    const struct prvcut_objects *o = &p->trace->base.objects;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < o->tasks && st == PRVCUT_OK; i++) {
        if (o->task_first_thread[i] == o->task_first_thread[i + 1])
            continue;
        p->task = i;
        p->thread = o->task_first_thread[i];
        st = clocks_note_task(p, r);
    }
    return st;
}

enum prvcut_status o2_clocks(struct o2_trace *t, struct prvcut_error *err)
{
    struct prelude p = { .trace = t, .err = err };
    OTF2_Reader *r = NULL;
    enum prvcut_status st;

    for (size_t i = 0; i < sizeof p.flow / sizeof *p.flow; i++)
        p.flow[i] = PRVCUT_CLOCK_NONE;
    for (const struct prvcut_mpi_call *c = prvcut_mpi_calls; c->name; c++)
        if (c->operation >= 0 && c->operation < 32 && !c->nonblocking)
            p.flow[c->operation] = c->flow;
    st = prvcut_clock_notes_new(&p.notes, t->base.objects.tasks, err);
    if (st == PRVCUT_OK)
        st = o2_quick_new(&p.quick, err);
    if (st == PRVCUT_OK)
        st = clocks_note_all(&p, &r);
    if (st == PRVCUT_OK)
        st = prvcut_clocks_solve(&t->base.clocks, p.notes, err);
    prvcut_clock_notes_free(p.notes);
    o2_quick_free(p.quick);
    o2_reader_close(r);
    return st;
}
