#include "stream/told.h"

#define DEFAULT_MEMORY ((size_t)64 << 20)
#define SHARES         16

size_t told_memory(const struct told *t)
{
    return (t->plan->memory > 0 ? t->plan->memory : DEFAULT_MEMORY) / SHARES;
}

enum prvcut_status told_sorter(const struct told *t, struct prvcut_sorter **out, size_t size,
                               int (*compare)(const void *, const void *), struct prvcut_error *err)
{
    const struct prvcut_sorter_options o = { .size = size,
                                             .compare = compare,
                                             .memory = told_memory(t),
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
    return x->key.kind == TOLD_GROUP_MEMBER ? told_order(x->part.of.task, y->part.of.task) : 0;
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

int told_part_by_member(const void *a, const void *b)
{
    const struct told_part *x = a, *y = b;
    const int c = prvcut_numbered_by_member(&x->of, &y->of);

    if (c != 0)
        return c;
    if (x->call.span.start != y->call.span.start)
        return told_order(x->call.span.start, y->call.span.start);
    return told_order(x->order[0], y->order[0]);
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

void told_free_sorters(struct told *t)
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

enum prvcut_status told_sorters(struct told *t, struct prvcut_error *err)
{
    const struct prvcut_stream_sink *k = t->sink;
    const bool by_thread = t->plan->by_thread;
    int (*const key)(const void *, const void *) =
        by_thread ? told_key_by_thread : told_key_by_time;
    int (*const group)(const void *, const void *) =
        by_thread ? told_group_by_thread : told_group_by_time;
    int (*const end)(const void *, const void *) =
        t->whole ? prvcut_end_by_number : prvcut_end_by_channel;
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
