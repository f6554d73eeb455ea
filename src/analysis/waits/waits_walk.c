#include "analysis/waits/waits_find.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "follow/part.h"
#include "model/calls.h"
#include "model/regions.h"

#include <stdlib.h>

/* Callers of a call that are told. */
#define CALLERS 32

/* For sorting, together. */
#define WALK_MEMORY ((size_t)64 << 20)

/* A thread: what is open in it. */
struct wwk_thread {
    struct wts_finder *f;
    uint64_t nodes; /* that it had before others */
    bool in_call;
    unsigned parallel;                     /* depth of OpenMP's regions, in archives */
    uint64_t begin;                        /* ns, of the call */
    struct prvcut_follow_thread functions; /* notes: their nodes */
    int64_t caller[CALLERS];               /* from who makes the call on; 0: not told */
    uint64_t callers_at;
    unsigned callers;
};

/* All of them. */
struct wwk_walk {
    struct wts_finder *f;
    struct wwk_thread *thread;               /* [threads] */
    const struct prvcut_stream_sink *beside; /* is told, too; NULL: nobody */
};

/* --- Names ------------------------------------------------------------------------------------ */

/* A call of the stream; NULL is not known. */
static enum prvcut_status wwk_call(struct wts_finder *f, const struct prvcut_stream_call *c,
                                   struct wts_call *out, struct prvcut_error *err)
{
    *out = (struct wts_call){ .is = c != NULL };
    if (!c)
        return PRVCUT_OK;
    out->begin = c->span.start;
    out->end = c->span.end;
    out->thread = c->thread;
    return wts_meaning_of(f, c, out, err);
}

/* --- Paths ------------------------------------------------------------------------------------ */

static enum prvcut_status wwk_new_node(struct wwk_thread *w, uint32_t thread,
                                       const struct prvcut_waits_node *key, uint64_t *out,
                                       struct prvcut_error *err)
{
    struct wts_finder *f = w->f;

    if (!prvcut_table_make(&f->nodes, key, err) ||
        prvcut_grow((void **)&f->first, &f->first_room, f->nodes.count, sizeof *f->first, err) < 0)
        return PRVCUT_ENOMEM;
    *out = f->nodes.count - 1;
    f->first[*out] = WTS_FIRST(thread, w->nodes++);
    return PRVCUT_OK;
}

/* A node of the tree; who has it first counts thread by thread, whoever comes first by time. */
static enum prvcut_status wwk_node(struct wwk_thread *w, uint32_t thread, uint64_t parent,
                                   uint32_t type, int64_t value, uint64_t *out,
                                   struct prvcut_error *err)
{
    struct wts_finder *f = w->f;
    const struct prvcut_waits_node key = { .parent = parent, .type = type, .value = value };
    uint32_t *at =
        &f->node_at[prvcut_table_place(parent * 61 + type * 7 + (uint64_t)value, WTS_BITS)];
    const struct prvcut_waits_node *n = f->nodes.at;

    if (*at >= f->nodes.count || n[*at].parent != parent || n[*at].value != value ||
        n[*at].type != type) {
        n = prvcut_table_look(&f->nodes, &key, sizeof key, sizeof *n);
        if (!n)
            return wwk_new_node(w, thread, &key, out, err);
        *at = (uint32_t)(n - (const struct prvcut_waits_node *)f->nodes.at);
    }
    *out = *at;
    if (WTS_FIRST(thread, 0) < f->first[*out] >> 40 << 40)
        f->first[*out] = WTS_FIRST(thread, w->nodes++);
    return PRVCUT_OK;
}

/* The path of the functions that are open. */
static uint64_t wwk_around(const struct wwk_thread *w)
{
    const struct prvcut_stack *open = &w->functions.open;

    return open->count > 0 ? open->at[open->count - 1].note : 0;
}

/* Who called, as the call's record tells it, else what is open around it; then the call. */
static enum prvcut_status wwk_path(struct wwk_thread *w, const struct prvcut_stream_call *c,
                                   uint64_t *out, struct prvcut_error *err)
{
    const bool called = w->callers > 0 && w->callers_at == c->span.start;
    const bool flat = w->f->asked->flat;
    enum prvcut_status st = PRVCUT_OK;

    *out = called || flat ? 0 : wwk_around(w);
    for (unsigned i = called && !flat ? w->callers : 0; i-- > 0 && st == PRVCUT_OK;)
        if (w->caller[i] != 0)
            st = wwk_node(w, c->thread, *out, PRVCUT_TYPE_CALLER, w->caller[i], out, err);
    return st == PRVCUT_OK ? wwk_node(w, c->thread, *out, c->type, c->value, out, err) : st;
}

/* From here on it is about that thread. */
static struct wwk_thread *wwk_turn_to(struct wwk_walk *k, uint32_t thread)
{
    k->f->now = &k->f->each[thread];
    return &k->thread[thread];
}

static void wwk_caller(struct wwk_thread *w, const struct prvcut_item *i)
{
    const uint64_t level = (uint64_t)i->event.type - PRVCUT_TYPE_CALLER;

    if (level >= CALLERS || (w->in_call && i->time > w->begin))
        return;
    if (w->callers_at != i->time)
        w->callers = 0;
    w->callers_at = i->time;
    while (w->callers <= level)
        w->caller[w->callers++] = 0;
    w->caller[level] = i->event.value;
}

static enum prvcut_status wwk_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        if (item[i].kind == PRVCUT_ITEM_EVENT && item[i].role == PRVCUT_ROLE_CALLER)
            wwk_caller(wwk_turn_to(ctx, item[i].thread), &item[i]);
        else if (item[i].kind == PRVCUT_ITEM_EVENT)
            st = wts_lock_note(((struct wwk_walk *)ctx)->f, &item[i], err);
    return st;
}

static enum prvcut_status wwk_closed(void *ctx, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    (void)ctx, (void)f, (void)err;
    return PRVCUT_OK;
}

static const struct prvcut_follow_rules wwk_nested = { .how = PRVCUT_FOLLOW_NESTED,
                                                       .in_order = true,
                                                       .closed = wwk_closed };

static enum prvcut_status wwk_function(struct wwk_thread *w, const struct prvcut_stream_call *c,
                                       bool begins, struct prvcut_error *err)
{
    const struct prvcut_step step = { .time = begins ? c->span.start : c->span.end,
                                      .value = begins ? c->value : 0,
                                      .type = c->type,
                                      .thread = c->thread,
                                      .role = (uint8_t)c->role };
    struct prvcut_stack *open = &w->functions.open;
    const uint64_t parent = wwk_around(w);
    const size_t before = open->count;
    uint64_t node = 0;
    enum prvcut_status st;

    st = prvcut_follow_on(NULL, &w->functions, &wwk_nested, w, &step, err);
    if (st != PRVCUT_OK || open->count <= before)
        return st < 0 ? st : PRVCUT_OK;
    st = wwk_node(w, c->thread, parent, c->type, c->value, &node, err);
    open->at[open->count - 1].note = node;
    return st;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static void wwk_note_first(struct wts_finder *f, struct wts_call *of, const struct wts_call *c)
{
    const uint32_t task = f->out->objects->thread_task[c->thread];

    if (!of[task].is || c->thread < of[task].thread)
        of[task] = *c;
}

static enum prvcut_status wwk_ended(struct wwk_thread *w, const struct prvcut_stream_call *c,
                                    struct prvcut_error *err)
{
    struct wts_finder *f = w->f;
    struct wts_call call;
    struct wts_skeleton s = { .begin = c->span.start, .end = c->span.end, .thread = c->thread };
    enum prvcut_status st = wwk_call(f, c, &call, err);

    w->in_call = false;
    /* One that only ends could be any. */
    f->out->calls += c->value != 0;
    f->seen.talking += c->role == PRVCUT_ROLE_P2P || c->role == PRVCUT_ROLE_COLLECTIVE;
    f->last = c->span.end > f->last ? c->span.end : f->last;
    f->seen.moving += (call.kind & WTS_MOVES) != 0;
    f->seen.exchanges += (call.kind & WTS_EXCHANGES) != 0;
    s.kind = call.kind;
    if (st == PRVCUT_OK)
        st = wwk_path(w, c, &s.path, err);
    if (st == PRVCUT_OK)
        st = prvcut_sorter_add(f->skeleton, 0, &s, 1, err);
    if (call.kind & WTS_INIT)
        wwk_note_first(f, f->init, &call);
    if (call.kind & WTS_FINALIZE)
        wwk_note_first(f, f->finalize, &call);
    return st == PRVCUT_OK
               ? wts_tell(f, PRVCUT_WAITS_ON_CALL, &(struct wts_told){ .call = &call }, err)
               : st;
}

/* From where and up to where a thread does anything. */
static void wwk_reach(struct wts_finder *f, const struct prvcut_stream_call *c)
{
    struct prvcut_span *s = &f->span[c->thread];

    if (s->end == 0 || c->span.start < s->start)
        s->start = c->span.start;
    s->end = c->span.end > s->end ? c->span.end : s->end;
}

/* OpenMP; of parallel regions inside each other the outermost. */
static enum prvcut_status wwk_omp(struct wwk_thread *w, const struct prvcut_stream_call *c,
                                  bool begins, struct prvcut_error *err)
{
    struct wts_call call = { .what = 0 };
    enum prvcut_status st = wts_meaning_of(w->f, c, &call, err);
    enum wts_omp_kind omp;

    if (st < 0)
        return st;
    omp = ((const struct wts_meaning *)w->f->kinds.at)[call.what].omp;
    if (omp == WTS_OMP_PARALLEL && begins)
        w->parallel++;
    if (begins)
        return PRVCUT_OK;
    if (omp == WTS_OMP_PARALLEL) {
        w->parallel -= w->parallel > 0;
        omp = w->parallel > 0 ? WTS_OMP_NONE : omp;
    }
    return wts_omp_note(w->f, c, omp, err);
}

static enum prvcut_status wwk_on_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                      struct prvcut_error *err)
{
    struct wwk_thread *w = wwk_turn_to(ctx, c->thread);
    enum prvcut_status st = PRVCUT_OK;

    /* Where a call begins it may not be known when it ends. */
    if (!begins)
        wwk_reach(w->f, c);
    if (!(PRVCUT_ROLES_MPI >> c->role & 1)) {
        if (c->type == PRVCUT_TYPE_USER_FUNCTION)
            st = wwk_function(w, c, begins, err);
        return st == PRVCUT_OK ? wwk_omp(w, c, begins, err) : st;
    }
    if (!begins)
        return wwk_ended(w, c, err);
    w->in_call = true;
    w->begin = c->span.start;
    return PRVCUT_OK;
}

/* --- Messages --------------------------------------------------------------------------------- */

static void wwk_count(struct wts_finder *f, const struct prvcut_stream_message *m)
{
    struct prvcut_waits_found *o = f->out;

    if (m->fate == PRVCUT_FATE_WHOLE)
        o->messages++;
    else if (m->sender == PRVCUT_NOBODY || m->receiver == PRVCUT_NOBODY)
        o->bad_rank++;
    else if (m->sent == PRVCUT_NEVER)
        o->no_send++;
    else
        o->no_receive++;
}

/* A call that receives and waits for itself has posted the receive. */
static enum prvcut_status wwk_message_of(struct wts_finder *f,
                                         const struct prvcut_stream_message *m,
                                         struct wts_message *out, struct prvcut_error *err)
{
    const struct prvcut_objects *o = f->out->objects;
    enum prvcut_status st = wwk_call(f, m->send, &out->send, err);

    out->at = m->sent;
    out->got = m->completed;
    out->from = o->thread_task[m->sender];
    out->to = o->thread_task[m->receiver];
    if (st == PRVCUT_OK)
        st = wwk_call(f, m->complete, &out->receive, err);
    if (st == PRVCUT_OK)
        st = wwk_call(f, m->post, &out->post, err);
    if (!out->post.is && out->receive.is && !(out->receive.kind & WTS_LATER))
        out->post = out->receive;
    if (st == PRVCUT_OK)
        st = wwk_call(f, m->release, &out->done, err);
    if (out->send.kind & WTS_SENDS)
        out->done = out->send;
    return st;
}

static enum prvcut_status wwk_sent(struct wts_finder *f, const struct wts_message *m,
                                   struct prvcut_error *err)
{
    const bool starts = m->send.kind & WTS_STARTS;

    if (!starts && !(m->send.kind & WTS_SENDS))
        return PRVCUT_OK;
    f->seen.sends++;
    f->seen.unfinished += !m->done.is;
    f->seen.unposted += m->done.is && !m->post.is;
    return wts_tell(f, PRVCUT_WAITS_ON_SENT, &(struct wts_told){ .message = m }, err);
}

/* Some tracers record such calls, and nothing of their messages. */
static enum prvcut_status wwk_note_exchanged(struct wts_finder *f,
                                             const struct prvcut_stream_message *m,
                                             struct prvcut_error *err)
{
    const struct prvcut_stream_call *const of[] = { m->send, m->complete };
    struct wts_call call;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < 2 && st == PRVCUT_OK; i++) {
        st = wwk_call(f, of[i], &call, err);
        f->seen.exchanged += st == PRVCUT_OK && call.kind & WTS_EXCHANGES;
    }
    return st;
}

static enum prvcut_status wwk_on_message(void *ctx, const struct prvcut_stream_message *m,
                                         bool begins, struct prvcut_error *err)
{
    const struct prvcut_stream_sink *beside = ((struct wwk_walk *)ctx)->beside;
    struct wts_finder *f = ((struct wwk_walk *)ctx)->f;
    struct wts_message own = { .at = 0 };
    enum prvcut_status st = beside ? beside->message(beside->ctx, m, begins, err) : PRVCUT_OK;

    if (st < 0)
        return st;
    if (m->fate != PRVCUT_FATE_WHOLE) {
        if (begins && f->seen.exchanged == 0)
            st = wwk_note_exchanged(f, m, err);
        if (begins)
            wwk_count(f, m);
        return st;
    }
    wwk_turn_to(ctx, begins ? m->sender : m->receiver);
    st = wwk_message_of(f, m, &own, err);
    if (st < 0)
        return st;
    if (begins) {
        f->seen.exchanged += ((own.send.kind | own.receive.kind) & WTS_EXCHANGES) != 0;
        wwk_count(f, m);
        st = wts_compare(f, (struct wts_when){ own.at, own.from },
                         (struct wts_when){ own.got, own.to }, err);
        f->seen.callless += !own.send.is || !own.receive.is;
    }
    if (st >= 0 && begins && f->trace->reader->halves)
        st = wts_channels_note(f, m, &own, err);
    if (st < 0 || !own.send.is || !own.receive.is)
        return st;
    return begins
               ? wwk_sent(f, &own, err)
               : wts_tell(f, PRVCUT_WAITS_ON_RECEIVED, &(struct wts_told){ .message = &own }, err);
}

/* --- Collectives ------------------------------------------------------------------------------ */

static const struct prvcut_communicator *wwk_communicator(const struct wts_finder *f,
                                                          const struct prvcut_stream_collective *c)
{
    const struct prvcut_objects *o = f->out->objects;

    for (uint32_t i = 0; i < o->communicators; i++)
        if (o->communicator[i].application == c->application &&
            o->communicator[i].id == c->communicator)
            return &o->communicator[i];
    return NULL;
}

static size_t wwk_place(const struct wts_finder *f, const struct prvcut_communicator *c,
                        uint32_t task)
{
    for (uint32_t i = 0; c && i < c->count; i++)
        if (f->out->objects->member[c->first + i] == task)
            return i;
    return SIZE_MAX;
}

/* Members in the order of their ranks in the communicator, where that is known, else of tasks. */
static enum prvcut_status wwk_members(struct wts_finder *f,
                                      const struct prvcut_stream_collective *c,
                                      struct prvcut_error *err)
{
    /* Only the members of a scan have an order. */
    const bool scan =
        wts_kind_of(c->type, c->value, prvcut_value_text(&f->names, c->type, c->value)) & WTS_SCAN;
    const struct prvcut_communicator *k = scan ? wwk_communicator(f, c) : NULL;
    bool known = k != NULL && k->count == c->members;
    enum prvcut_status st =
        prvcut_grow((void **)&f->member, &f->member_room, c->members + 1, sizeof *f->member, err);

    for (uint32_t i = 0; known && i < c->members; i++)
        known = wwk_place(f, k, prvcut_stream_member(c, i)->task) != SIZE_MAX;
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        struct wts_member *to = &f->member[known ? wwk_place(f, k, m->task) : i];

        *to = (struct wts_member){ .rank = m->task,
                                   .sent = m->sent,
                                   .received = m->received,
                                   .root = m->root,
                                   .begin = m->call->span.start,
                                   .end = m->call->span.end };
        st = wwk_call(f, m->call, &to->call, err);
        if (st == PRVCUT_OK)
            st = wwk_call(f, m->complete, &to->done, err);
    }
    return st;
}

/* Of those that do not block it must be told when each member has it. */
static void wwk_count_posted(struct wts_finder *f, const struct wts_group *g)
{
    if (!(g->kind & WTS_NONBLOCKING))
        return;
    f->seen.started++;
    for (size_t i = 0; i < g->count; i++)
        if (!g->at[i].done.is) {
            f->seen.posted++;
            return;
        }
}

static enum prvcut_status wwk_on_collective(void *ctx, const struct prvcut_stream_collective *c,
                                            bool begins, struct prvcut_error *err)
{
    const struct prvcut_stream_sink *beside = ((struct wwk_walk *)ctx)->beside;
    struct wts_finder *f = ((struct wwk_walk *)ctx)->f;
    struct wts_group g = { .count = c->members };
    enum prvcut_status st = beside ? beside->collective(beside->ctx, c, begins, err) : PRVCUT_OK;

    if (st < 0)
        return st;
    if (!begins || c->expected < 2)
        return PRVCUT_OK;
    if (c->fate == PRVCUT_FATE_UNLIKE)
        f->out->unlike++;
    else if (c->fate != PRVCUT_FATE_WHOLE)
        f->out->incomplete++;
    else
        f->out->collectives++;
    if (c->fate != PRVCUT_FATE_WHOLE)
        return PRVCUT_OK;
    st = wwk_members(f, c, err);
    if (st < 0)
        return st;
    g.at = f->member;
    g.kind = f->member[0].call.kind;
    wwk_count_posted(f, &g);
    return wts_tell(f, PRVCUT_WAITS_ON_COLLECTIVE, &(struct wts_told){ .group = &g }, err);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* The first call of a kind of all ranks of an application: another one is a run of its own. */
static enum prvcut_status wwk_all_of(struct wts_finder *f, const struct wts_call *of,
                                     uint32_t application, enum prvcut_waits_event event,
                                     struct prvcut_error *err)
{
    const uint32_t *first = &f->out->objects->application_first_task[application];
    struct wts_group g = { .count = first[1] - first[0] };
    enum prvcut_status st =
        prvcut_grow((void **)&f->member, &f->member_room, g.count + 1, sizeof *f->member, err);

    for (uint32_t i = 0; i < g.count && st == PRVCUT_OK; i++) {
        const struct wts_call *c = &of[first[0] + i];

        f->member[i] = (struct wts_member){
            .call = *c, .begin = c->begin, .end = c->end, .rank = first[0] + i
        };
    }
    g.at = f->member;
    if (st < 0 || g.count == 0)
        return st;
    return wts_tell(f, event, &(struct wts_told){ .group = &g }, err);
}

/* The same of each application, where no rank lacks it. */
static enum prvcut_status wwk_all_ranks(struct wts_finder *f, const struct wts_call *of,
                                        enum prvcut_waits_event event, struct prvcut_error *err)
{
    const struct prvcut_objects *o = f->out->objects;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < o->tasks; i++)
        if (!of[i].is)
            return PRVCUT_OK;
    for (uint32_t i = 0; i < o->applications && st == PRVCUT_OK; i++)
        st = wwk_all_of(f, of, i, event, err);
    return st;
}

static enum prvcut_status wwk_start(struct wwk_walk *k, struct prvcut_error *err)
{
    const uint32_t threads = k->f->out->threads;
    const struct prvcut_waits_node root = { .parent = 0 };

    k->thread = prvcut_zeroed((size_t)threads + 1, sizeof *k->thread, "threads", err);
    if (!k->thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++) {
        k->thread[i].f = k->f;
        k->thread[i].functions.thread = i;
    }
    /* The root, whose key nothing else has: it has no type. */
    if (!prvcut_table_make(&k->f->nodes, &root, err) ||
        prvcut_grow((void **)&k->f->first, &k->f->first_room, 1, sizeof *k->f->first, err) < 0)
        return PRVCUT_ENOMEM;
    k->f->first[0] = 0;
    return PRVCUT_OK;
}

static void wwk_stop(struct wwk_walk *k)
{
    for (uint32_t i = 0; k->thread && i < k->f->out->threads; i++)
        prvcut_stack_fini(&k->thread[i].functions.open);
    free(k->thread);
}

enum prvcut_status wts_walk(struct wts_finder *f, struct prvcut_error *err)
{
    struct wwk_walk k = { .f = f };
    const uint32_t calls = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION);
    const struct prvcut_stream_sink sink = { .ctx = &k,
                                             .records = wwk_records,
                                             .call = wwk_on_call,
                                             .message = wwk_on_message,
                                             .collective = wwk_on_collective };
    const uint32_t roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_CALLER) |
                           (wts_locks_listed(f) ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_OTHER) : UINT32_C(0));
    const struct prvcut_stream_clock clock = wts_clock(f);
    const struct prvcut_stream_plan plan = { .trace = f->trace,
                                             .clock = f->drift ? &clock : NULL,
                                             .run = f->run,
                                             .by_thread = true,
                                             .between = f->between,
                                             .roles = roles,
                                             .memory = WALK_MEMORY,
                                             .phase = PRVCUT_PHASE_ANALYSING };
    struct prvcut_waits_beside *beside = f->drift ? NULL : f->asked->beside;
    enum prvcut_status st;

    f->kinds = (struct prvcut_table)PRVCUT_TABLE(struct wts_meaning, kind, "calls");
    st = wwk_start(&k, err);
    if (beside && !beside->begun)
        k.beside = beside->sink;
    if (st == PRVCUT_OK)
        st = prvcut_stream_tell(&plan, calls, false, &sink, err);
    if (k.beside) {
        beside->begun = true;
        beside->told = st == PRVCUT_OK;
    }
    wwk_stop(&k);
    if (st == PRVCUT_OK)
        st = wwk_all_ranks(f, f->init, PRVCUT_WAITS_ON_INIT, err);
    return st == PRVCUT_OK ? wwk_all_ranks(f, f->finalize, PRVCUT_WAITS_ON_FINALIZE, err) : st;
}
