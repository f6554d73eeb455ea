#include "stream/told.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * The k-th collective of one member of a communicator is the k-th of all others. Parts are sorted
 * by member and numbered, then by number.
 */

#define PARTS 256

/* What is known of a communicator's sequence once all parts are counted. */
struct groups_sequence {
    struct told_sequence sequence; /* the key */
    uint64_t least, most;          /* of the members' collectives */
    uint32_t tasks;
    bool unlike; /* from here on members did not call the same */
};

struct groups {
    struct told *told;
    struct prvcut_table sequences; /* of groups_sequence */
    struct prvcut_sorter *numbered;
    struct told_part *now; /* [count] the parts of the present collective */
    size_t count, room;
};

static bool groups_same(const struct told_sequence *a, const struct told_sequence *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* A member's sequence has ended, with so many collectives. */
static enum prvcut_status groups_count(struct groups *g, const struct told_sequence *sequence,
                                       uint64_t count, struct prvcut_error *err)
{
    struct groups_sequence *s = prvcut_table_make(&g->sequences, sequence, err);

    if (!s)
        return PRVCUT_ENOMEM;
    s->least = s->tasks == 0 || count < s->least ? count : s->least;
    s->most = count > s->most ? count : s->most;
    s->tasks++;
    return PRVCUT_OK;
}

/* Number each member's parts, in their order. */
static enum prvcut_status groups_number(struct groups *g, struct prvcut_error *err)
{
    struct told_part part[PARTS], last = { 0 };
    uint64_t k = 0;
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(g->told->part, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(g->told->part, part, PARTS, &count, err)) == PRVCUT_OK) {
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            if (k > 0 &&
                (part[i].task != last.task || !groups_same(&part[i].sequence, &last.sequence))) {
                st = groups_count(g, &last.sequence, k, err);
                k = 0;
            }
            part[i].k = k++;
            last = part[i];
        }
        if (st == PRVCUT_OK)
            st = prvcut_sorter_add(g->numbered, 0, part, count, err);
    }
    if (st >= 0 && k > 0)
        st = groups_count(g, &last.sequence, k, err);
    return st < 0 ? st : PRVCUT_OK;
}

/* Tasks of a communicator; one that is not defined, or lists none: those that called. */
static uint32_t groups_expected(const struct told *t, const struct groups_sequence *s)
{
    const struct prvcut_objects *o = &t->plan->trace->objects;
    const uint32_t a = s->sequence.application;
    const struct prvcut_communicator *m;

    if (s->sequence.communicator == PRVCUT_NOBODY)
        return o->application_first_task[a + 1] - o->application_first_task[a];
    m = prvcut_objects_communicator(o, a, s->sequence.communicator);
    return m && m->count > s->tasks ? m->count : s->tasks;
}

/* Calls that do not tell their communicator are all tasks' where all count alike. */
static bool groups_together(const struct groups_sequence *s, uint32_t expected)
{
    return s->sequence.communicator != PRVCUT_NOBODY ||
           (s->least == s->most && s->tasks == expected);
}

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
        c->root = part[i].root ? part[i].task : c->root;
    }
}

static bool groups_alike(const struct told_part *part, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (part[i].call.type != part[0].call.type || part[i].call.value != part[0].call.value)
            return false;
    return true;
}

static bool groups_crosses(const struct told *t, const struct prvcut_stream_collective *c)
{
    return c->first_begin < t->from || (t->to != UINT64_MAX && c->last_end >= t->to);
}

static enum prvcut_status groups_put(struct told *t, struct groups_sequence *s,
                                     const struct told_part *part, size_t count,
                                     struct prvcut_error *err)
{
    struct told_group g = { .id = t->id++,
                            .collective = { .application = s->sequence.application,
                                            .communicator = s->sequence.communicator,
                                            .nonblocking = s->sequence.nonblocking,
                                            .members = (uint32_t)count,
                                            .expected = groups_expected(t, s) } };
    struct told_key key[2];
    enum prvcut_status st;

    groups_sum(&g, part, count);
    if (!told_touches(t, g.collective.first_begin, g.collective.last_end))
        return PRVCUT_OK;
    groups_place(t, part, count, key);
    g.collective.fate = s->unlike                                      ? PRVCUT_FATE_UNLIKE
                        : g.collective.members < g.collective.expected ? PRVCUT_FATE_ALONE
                        : groups_crosses(t, &g.collective)             ? PRVCUT_FATE_CROSSES
                                                                       : PRVCUT_FATE_WHOLE;
    g.key = key[0];
    st = prvcut_sorter_add(t->group, 0, &g, 1, err);
    g.key = key[1];
    if (st == PRVCUT_OK)
        st = prvcut_sorter_add(t->group, 0, &g, 1, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        struct told_group member = { .key = key[0], .id = g.id, .part = part[i] };

        member.key.kind = TOLD_GROUP_MEMBER;
        member.inside = told_clip(t, &member.part.call);
        member.part.done.is = member.part.done.is && told_clip(t, &member.part.done.call);
        st = prvcut_sorter_add(t->group, 0, &member, 1, err);
    }
    return st;
}

/* All parts of the present collective are there. */
static enum prvcut_status groups_settle(struct groups *g, struct prvcut_error *err)
{
    struct groups_sequence *s;
    size_t step;
    enum prvcut_status st = PRVCUT_OK;

    if (g->count == 0)
        return PRVCUT_OK;
    s = prvcut_table_find(&g->sequences, &g->now[0].sequence);
    s->unlike = s->unlike || !groups_alike(g->now, g->count);
    step = groups_together(s, groups_expected(g->told, s)) ? g->count : 1;
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i += step)
        st = groups_put(g->told, s, g->now + i, step, err);
    g->count = 0;
    return st;
}

static enum prvcut_status groups_take(struct groups *g, const struct told_part *p,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (g->count > 0 && (p->k != g->now[0].k || !groups_same(&p->sequence, &g->now[0].sequence)))
        st = groups_settle(g, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&g->now, &g->room, g->count + 1, sizeof *g->now, err);
    if (st == PRVCUT_OK)
        g->now[g->count++] = *p;
    return st;
}

static enum prvcut_status groups_gather(struct groups *g, struct prvcut_error *err)
{
    struct told_part part[PARTS];
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(g->numbered, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(g->numbered, part, PARTS, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
            st = groups_take(g, &part[i], err);
    return st < 0 ? st : groups_settle(g, err);
}

enum prvcut_status told_groups(struct told *t, struct prvcut_error *err)
{
    struct groups g = { .told = t,
                        .sequences = PRVCUT_TABLE(struct groups_sequence, least, "communicators") };
    enum prvcut_status st =
        told_sorter(t, &g.numbered, sizeof(struct told_part), told_part_by_place, err);

    if (st == PRVCUT_OK)
        st = groups_number(&g, err);
    if (st == PRVCUT_OK)
        st = groups_gather(&g, err);
    prvcut_sorter_free(g.numbered);
    prvcut_table_fini(&g.sequences);
    free(g.now);
    return st;
}
