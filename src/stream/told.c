#include "stream/told.h"

#include "model/roles.h"
#include "stream/flow.h"

/* Roles that have to be read. */
static uint32_t told_roles(const struct told *t)
{
    if ((t->sink->records && t->plan->roles == 0) || (t->plan->inner && t->plan->states))
        return 0;
    return (t->sink->records ? t->plan->roles : 0) | PRVCUT_ROLES_MPI | t->calls |
           (t->sink->collective ? PRVCUT_ROLES_OF_COLLECTIVE : 0);
}

/* Read all, thread by thread, and take it apart. */
static enum prvcut_status told_read(struct told *t, struct prvcut_error *err)
{
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
    first.states = t->plan->states && (t->sink->records || t->plan->inner);
    first.memory = told_memory(t) * TOLD_FIRST_SHARE;
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
    prvcut_uses_fini(&t->uses);
    t->uses = prvcut_uses_none();
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
                      .uses = prvcut_uses_none() };
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
    prvcut_uses_fini(&t.uses);
    told_free_sorters(&t);
    return st;
}
