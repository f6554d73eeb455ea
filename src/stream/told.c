#include "stream/told.h"

#include "stream/flow.h"

#include <string.h>

/* The memory for sorting, in shares: of the first step, of each sorter of the second. */
#define DEFAULT_MEMORY ((size_t)64 << 20)
#define SHARES         16
#define FIRST_SHARE    8

enum prvcut_status told_sorter(const struct told *t, struct prvcut_sorter **out, size_t size,
                               int (*compare)(const void *, const void *), struct prvcut_error *err)
{
    const size_t memory = t->plan->memory > 0 ? t->plan->memory : DEFAULT_MEMORY;
    const struct prvcut_sorter_options o = { .size = size,
                                             .compare = compare,
                                             .memory = memory / SHARES,
                                             .scratch = t->plan->scratch,
                                             .feeds = 1,
                                             .stop = t->plan->run->stop,
                                             .stop_ctx = t->plan->run->ctx };

    return prvcut_sorter_new(out, &o, err);
}

static int told_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int told_key_by_time(const void *a, const void *b)
{
    const struct told_key *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->thread != y->thread ? told_order(x->thread, y->thread)
                                  : told_order(x->order, y->order);
}

static int told_key_by_thread(const void *a, const void *b)
{
    const struct told_key *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->time != y->time ? told_order(x->time, y->time) : told_order(x->order, y->order);
}

/* Members behind the beginning of their collective, by task. */
static int told_group_rest(const void *a, const void *b)
{
    const struct told_group *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->key.kind != y->key.kind)
        return x->key.kind < y->key.kind ? -1 : 1;
    return x->key.kind == TOLD_GROUP_MEMBER ? told_order(x->part.task, y->part.task) : 0;
}

static int told_group_by_time(const void *a, const void *b)
{
    const int c = told_key_by_time(a, b);

    return c != 0 ? c : told_group_rest(a, b);
}

static int told_group_by_thread(const void *a, const void *b)
{
    const int c = told_key_by_thread(a, b);

    return c != 0 ? c : told_group_rest(a, b);
}

static int told_sequence_compare(const struct told_sequence *x, const struct told_sequence *y)
{
    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return told_order(x->nonblocking, y->nonblocking);
}

int told_part_by_member(const void *a, const void *b)
{
    const struct told_part *x = a, *y = b;
    const int c = told_sequence_compare(&x->sequence, &y->sequence);

    if (c != 0)
        return c;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->call.span.start != y->call.span.start)
        return told_order(x->call.span.start, y->call.span.start);
    return told_order(x->order[0], y->order[0]);
}

int told_part_by_place(const void *a, const void *b)
{
    const struct told_part *x = a, *y = b;
    const int c = told_sequence_compare(&x->sequence, &y->sequence);

    if (c != 0)
        return c;
    return x->k != y->k ? told_order(x->k, y->k) : told_order(x->task, y->task);
}

bool told_clip(const struct told *t, struct prvcut_stream_call *c)
{
    if (!told_touches(t, c->span.start, c->span.end))
        return false;
    if (c->span.start < t->from) {
        c->span.start = t->from;
        c->no_begin = true;
    }
    if (c->span.end > t->to) {
        c->span.end = t->to;
        c->no_end = true;
    }
    return true;
}

static void told_free_sorters(struct told *t)
{
    prvcut_sorter_free(t->call);
    prvcut_sorter_free(t->item);
    prvcut_sorter_free(t->message);
    prvcut_sorter_free(t->group);
    prvcut_sorter_free(t->end[0]);
    prvcut_sorter_free(t->end[1]);
    prvcut_sorter_free(t->part);
    t->call = t->item = t->message = t->group = t->end[0] = t->end[1] = t->part = NULL;
}

static enum prvcut_status told_sorters(struct told *t, struct prvcut_error *err)
{
    const struct prvcut_stream_sink *k = t->sink;
    const bool by_thread = t->plan->by_thread;
    int (*const key)(const void *, const void *) =
        by_thread ? told_key_by_thread : told_key_by_time;
    int (*const group)(const void *, const void *) =
        by_thread ? told_group_by_thread : told_group_by_time;
    int (*const end)(const void *, const void *) =
        t->whole ? stm_end_by_number : stm_end_by_channel;
    enum prvcut_status st = PRVCUT_OK;

    if (k->call && !t->between)
        st = told_sorter(t, &t->call, sizeof(struct told_call), key, err);
    if (st == PRVCUT_OK && k->records && !t->between)
        st = told_sorter(t, &t->item, sizeof(struct told_item), key, err);
    if (st == PRVCUT_OK && k->message && !t->between)
        st = told_sorter(t, &t->message, sizeof(struct told_message), key, err);
    for (unsigned i = 0; i < 2 && st == PRVCUT_OK && k->message && !t->between; i++)
        st = told_sorter(t, &t->end[i], sizeof(struct told_end), end, err);
    if (st == PRVCUT_OK && k->collective)
        st = told_sorter(t, &t->group, sizeof(struct told_group), group, err);
    if (st == PRVCUT_OK && k->collective)
        st = told_sorter(t, &t->part, sizeof(struct told_part), told_part_by_member, err);
    return st;
}

/* Roles that have to be read. */
static uint32_t told_roles(const struct told *t)
{
    const uint32_t details = PRVCUT_ROLE_BIT(PRVCUT_ROLE_SIZE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_ROOT) |
                             PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR);

    if (t->sink->records && t->plan->roles == 0)
        return 0;
    return (t->sink->records ? t->plan->roles : 0) | PRVCUT_ROLES_MPI | t->calls |
           (t->sink->collective ? details : 0);
}

/* Read all, thread by thread, and take it apart. */
static enum prvcut_status told_read(struct told *t, struct prvcut_error *err)
{
    const size_t memory = t->plan->memory > 0 ? t->plan->memory : DEFAULT_MEMORY;
    struct prvcut_stream_plan first = *t->plan;
    struct told_walk *walk = NULL;
    struct prvcut_stream_sink sink = { .records = told_walk_records };
    enum prvcut_status st;

    first.only = t->partly ? t->plan->only : (struct prvcut_span){ 0 };
    first.blocks = t->partly;
    first.by_thread = first.ends = true;
    first.completions = t->part != NULL;
    first.whole_messages = false;
    first.no_messages = !t->sink->message;
    first.roles = told_roles(t);
    first.states = t->sink->records && t->plan->states;
    first.memory = memory / SHARES * FIRST_SHARE;
    if (t->between) {
        first.ends = false;
        first.whole_messages = true;
        return told_live_read(t, &first, err);
    }
    st = told_walk_new(&walk, t, err);
    sink.ctx = walk;
    if (st == PRVCUT_OK)
        st = prvcut_stream_new(&t->records, &first, err);
    if (st == PRVCUT_OK)
        st = prvcut_stream_gather(t->records, err);
    if (st == PRVCUT_OK) {
        t->end_ns = t->records->from + prvcut_stream_length(t->records);
        st = prvcut_stream_deliver(t->records, &sink, err);
    }
    if (st == PRVCUT_OK)
        st = told_walk_end(walk, err);
    prvcut_stream_free(t->records);
    told_walk_free(walk);
    return st;
}

/* Ordinals count from the run's beginning; regions around a window leave no record in it. */
static bool told_may_be_partly(const struct told *t)
{
    const struct prvcut_stream_sink *k = t->sink;

    return t->windowed && !k->collective && (t->whole || !k->message) &&
           (!k->call || (t->calls & ~PRVCUT_ROLES_MPI) == 0);
}

/* A thread that neither begins nor ends a call in the window may be in one all through it. */
static bool told_is_blind(const struct told *t)
{
    return t->partly && !t->plan->near && (t->call || t->message) &&
           t->heard < t->plan->trace->objects.threads;
}

static enum prvcut_status told_read_again(struct told *t, struct prvcut_error *err)
{
    enum prvcut_status st;

    told_free_sorters(t);
    stm_uses_fini(&t->uses);
    t->uses = stm_uses_none();
    t->partly = false;
    st = told_sorters(t, err);
    return st == PRVCUT_OK ? told_read(t, err) : st;
}

enum prvcut_status prvcut_stream_tell(const struct prvcut_stream_plan *plan, uint32_t calls,
                                      bool read, const struct prvcut_stream_sink *sink,
                                      struct prvcut_error *err)
{
    struct told t = { .plan = plan,
                      .sink = sink,
                      .whole = !plan->trace->reader->halves,
                      .calls = calls,
                      .to = plan->only.end > 0 ? plan->only.end : UINT64_MAX,
                      .uses = stm_uses_none() };
    enum prvcut_status st;

    t.windowed = prvcut_stream_window(plan, &t.from);
    if (t.windowed && plan->only.end >= plan->trace->end_ns)
        t.to = UINT64_MAX;
    t.partly = read && told_may_be_partly(&t);
    t.between = plan->between && t.whole && !t.windowed && !plan->states && !plan->trace->once &&
                plan->by_thread;
    st = told_sorters(&t, err);
    if (st == PRVCUT_OK)
        st = told_read(&t, err);
    if (st == PRVCUT_OK && told_is_blind(&t))
        st = told_read_again(&t, err);
    if (st == PRVCUT_OK && t.message)
        st = told_messages(&t, err);
    if (st == PRVCUT_OK && t.group)
        st = told_groups(&t, err);
    if (st == PRVCUT_OK)
        st = told_tell(&t, err);
    stm_uses_fini(&t.uses);
    told_free_sorters(&t);
    return st;
}
