#include "match/numbered.h"
#include "stream/told.h"

static bool groups_before(const struct told_key *a, const struct told_key *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->thread != b->thread ? a->thread < b->thread : a->order < b->order;
}

static struct told_key groups_key(const struct told_part *p, bool end)
{
    return (struct told_key){ end ? p->call.span.end : p->call.span.start, p->order[end] + 1,
                              p->call.thread, end ? TOLD_GROUP_ENDS : TOLD_GROUP_BEGINS };
}

/* Where it begins and ends: by time with all members, thread by thread with the first to begin. */
static void groups_place(const struct told *t, const struct told_part *part, size_t count,
                         struct told_key key[2])
{
    size_t first = 0;

    key[0] = groups_key(&part[0], false);
    key[1] = groups_key(&part[0], true);
    for (size_t i = 1; i < count; i++) {
        const struct told_key begin = groups_key(&part[i], false), end = groups_key(&part[i], true);

        if (groups_before(&begin, &key[0])) {
            key[0] = begin;
            first = i;
        }
        key[1] = groups_before(&key[1], &end) ? end : key[1];
    }
    if (t->plan->by_thread)
        key[1] = groups_key(&part[first], true);
}

/* Its times and kind, from its parts. */
static void groups_sum(struct told_group *g, const struct told_part *part, size_t count)
{
    struct prvcut_stream_collective *c = &g->collective;

    c->type = part[0].call.type;
    c->value = part[0].call.value;
    c->first_begin = c->first_end = UINT64_MAX;
    c->root = PRVCUT_NOBODY;
    for (size_t i = 0; i < count; i++) {
        const struct prvcut_span *s = &part[i].call.span;

        c->first_begin = s->start < c->first_begin ? s->start : c->first_begin;
        c->last_begin = s->start > c->last_begin ? s->start : c->last_begin;
        c->first_end = s->end < c->first_end ? s->end : c->first_end;
        c->last_end = s->end > c->last_end ? s->end : c->last_end;
        c->root = part[i].root ? part[i].of.task : c->root;
    }
}

static bool groups_alike(const void *a, const void *b)
{
    const struct told_part *x = a, *y = b;

    return x->call.type == y->call.type && x->call.value == y->call.value;
}

static bool groups_crosses(const struct told *t, const struct prvcut_stream_collective *c)
{
    return c->first_begin < t->from || (t->to != UINT64_MAX && c->last_end >= t->to);
}

/* A collective, with its members. */
static enum prvcut_status groups_put(void *ctx, const struct prvcut_numbered_group *of,
                                     struct prvcut_error *err)
{
    struct told *t = ctx;
    const struct told_part *part = of->part;
    struct told_group g = { .id = t->id++,
                            .collective = { .application = part->of.application,
                                            .communicator = part->of.communicator,
                                            .nonblocking = part->of.nonblocking,
                                            .members = (uint32_t)of->count,
                                            .expected = of->expected } };
    struct told_key key[2];
    enum prvcut_status st;

    groups_sum(&g, part, of->count);
    if (!told_touches(t, g.collective.first_begin, g.collective.last_end))
        return PRVCUT_OK;
    groups_place(t, part, of->count, key);
    g.collective.fate = of->unlike                                     ? PRVCUT_FATE_UNLIKE
                        : g.collective.members < g.collective.expected ? PRVCUT_FATE_ALONE
                        : groups_crosses(t, &g.collective)             ? PRVCUT_FATE_CROSSES
                                                                       : PRVCUT_FATE_WHOLE;
    g.key = key[0];
    st = prvcut_sorter_add(t->group, 0, &g, 1, err);
    g.key = key[1];
    if (st == PRVCUT_OK)
        st = prvcut_sorter_add(t->group, 0, &g, 1, err);
    for (size_t i = 0; i < of->count && st == PRVCUT_OK; i++) {
        struct told_group member = { .key = key[0], .id = g.id, .part = part[i] };

        member.key.kind = TOLD_GROUP_MEMBER;
        member.inside = told_clip(t, &member.part.call);
        member.part.done.is = member.part.done.is && told_clip(t, &member.part.done.call);
        st = prvcut_sorter_add(t->group, 0, &member, 1, err);
    }
    return st;
}

enum prvcut_status told_groups(struct told *t, struct prvcut_error *err)
{
    struct prvcut_numbered_parts n = { .sorter = { t->part },
                                       .size = sizeof(struct told_part),
                                       .objects = &t->plan->trace->objects,
                                       .alike = groups_alike,
                                       .ctx = t,
                                       .met = groups_put };
    enum prvcut_status st = told_sorter(t, &n.sorter[1], n.size, prvcut_numbered_by_place, err);

    if (st == PRVCUT_OK)
        st = prvcut_numbered_meet(&n, err);
    prvcut_sorter_free(n.sorter[1]);
    return st;
}
