#include "stream/told.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Records that are read from a sorter at a time. */
#define AHEAD 256

enum { TELL_ITEM, TELL_CALL, TELL_MESSAGE, TELL_GROUP, TELL_SOURCES };

/* Sorted records, one after the other. */
struct tell_source {
    struct prvcut_sorter *sorter; /* NULL: none */
    size_t size;
    char *at; /* [AHEAD] */
    size_t next, count;
};

/* What has begun and not ended. */
struct tell_under_way {
    uint64_t id; /* the key */
    uint64_t number;
    struct tell_group *group; /* of a collective; owned */
};

/* A collective with its members. */
struct tell_group {
    struct prvcut_stream_collective collective; /* first: what programs see */
    struct prvcut_stream_member *member;        /* [members] */
    struct told_part *part;                     /* [members] */
};

struct tell {
    struct told *told;
    struct tell_source source[TELL_SOURCES];
    struct prvcut_table under_way; /* of tell_under_way */
    uint64_t *freed;               /* [frees] numbers that may be given again */
    size_t frees, freed_room;
    uint64_t numbers;           /* given so far at once */
    uint64_t taken, all, steps; /* records, for the progress */
};

const struct prvcut_stream_member *prvcut_stream_member(
    const struct prvcut_stream_collective *collective, uint32_t i)
{
    return i < collective->members ? &((const struct tell_group *)collective)->member[i] : NULL;
}

/* The head of a source; *out NULL: it is through. */
static enum prvcut_status tel_peek(struct tell_source *s, const struct told_key **out,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = NULL;
    if (!s->sorter)
        return PRVCUT_OK;
    if (s->next == s->count) {
        s->next = 0;
        st = prvcut_sorter_next(s->sorter, s->at, AHEAD, &s->count, err);
    }
    if (s->count > 0)
        *out = (const struct told_key *)(const void *)(s->at + s->next * s->size);
    return st < 0 ? st : PRVCUT_OK;
}

static bool tel_before(const struct tell *t, const struct told_key *a, const struct told_key *b)
{
    const bool by_thread = t->told->plan->by_thread;
    const uint64_t x[3] = { by_thread ? a->thread : a->time, by_thread ? a->time : a->thread,
                            a->order };
    const uint64_t y[3] = { by_thread ? b->thread : b->time, by_thread ? b->time : b->thread,
                            b->order };

    for (unsigned i = 0; i < 2; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return x[2] < y[2];
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* One that nothing under way has; thread by thread, where ends may come first, its own. */
static enum prvcut_status tel_number(struct tell *t, uint64_t id, struct tell_under_way **out,
                                     struct prvcut_error *err)
{
    struct tell_under_way *u = *out = prvcut_table_make(&t->under_way, &id, err);

    if (!u)
        return PRVCUT_ENOMEM;
    u->number = t->frees > 0 ? t->freed[--t->frees] : t->numbers++;
    return PRVCUT_OK;
}

static enum prvcut_status tel_forget(struct tell *t, uint64_t id, struct prvcut_error *err)
{
    const struct tell_under_way *u = prvcut_table_find(&t->under_way, &id);
    const enum prvcut_status st =
        prvcut_grow((void **)&t->freed, &t->freed_room, t->frees + 1, sizeof *t->freed, err);

    if (st == PRVCUT_OK)
        t->freed[t->frees++] = u->number;
    prvcut_table_drop(&t->under_way, &id);
    return st;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static enum prvcut_status tel_call(struct tell *t, const void *record, struct prvcut_error *err)
{
    const struct told_call *c = record;
    const struct prvcut_stream_sink *sink = t->told->sink;

    return sink->call(sink->ctx, &c->call, c->key.kind, err);
}

static enum prvcut_status tel_item(struct tell *t, const void *record, struct prvcut_error *err)
{
    struct prvcut_item item = ((const struct told_item *)record)->item;
    const struct prvcut_stream_sink *sink = t->told->sink;

    return sink->records(sink->ctx, &item, 1, err);
}

static enum prvcut_status tel_message(struct tell *t, const void *record, struct prvcut_error *err)
{
    const struct told_message *r = record;
    const struct prvcut_stream_sink *sink = t->told->sink;
    const bool begins = r->key.kind;
    struct prvcut_stream_message m;
    struct tell_under_way *u = prvcut_table_find(&t->under_way, &r->id);
    enum prvcut_status st = PRVCUT_OK;

    if (!t->told->plan->by_thread && begins)
        st = tel_number(t, r->id, &u, err);
    if (st < 0)
        return st;
    m = told_message_view(r, u ? u->number : r->id);
    st = sink->message(sink->ctx, &m, begins, err);
    return st == PRVCUT_OK && u && !begins ? tel_forget(t, r->id, err) : st;
}

static void tel_group_free(struct tell_group *g)
{
    if (!g)
        return;
    free(g->member);
    free(g->part);
    free(g);
}

static enum prvcut_status tel_group_new(struct tell_group **out, const struct told_group *r,
                                        struct prvcut_error *err)
{
    struct tell_group *g = *out = prvcut_zeroed(1, sizeof *g, "a collective", err);

    if (!g)
        return PRVCUT_ENOMEM;
    g->collective = r->collective;
    g->member = prvcut_zeroed(r->collective.members, sizeof *g->member, "members", err);
    g->part = prvcut_zeroed(r->collective.members, sizeof *g->part, "members", err);
    return g->member && g->part ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The members stand right behind the beginning. */
static enum prvcut_status tel_members(struct tell *t, struct tell_group *g,
                                      struct prvcut_error *err)
{
    struct tell_source *s = &t->source[TELL_GROUP];
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < g->collective.members && st == PRVCUT_OK; i++) {
        const struct told_key *head;
        const struct told_group *r;

        st = tel_peek(s, &head, err);
        if (st < 0)
            break;
        r = (const struct told_group *)head;
        s->next++;
        g->part[i] = r->part;
        g->member[i] =
            (struct prvcut_stream_member){ .task = r->part.of.task,
                                           .root = r->part.root,
                                           .sent = r->part.sent,
                                           .received = r->part.received,
                                           .call = r->inside ? &g->part[i].call : NULL,
                                           .complete =
                                               r->part.done.is ? &g->part[i].done.call : NULL };
    }
    return st;
}

static enum prvcut_status tel_group(struct tell *t, const void *record, struct prvcut_error *err)
{
    const struct told_group *r = record;
    const struct prvcut_stream_sink *sink = t->told->sink;
    const bool begins = r->key.kind == TOLD_GROUP_BEGINS;
    const uint64_t id = r->id;
    struct tell_under_way *u = prvcut_table_find(&t->under_way, &id);
    enum prvcut_status st = PRVCUT_OK;

    if (begins) {
        struct tell_group *g = NULL;

        st = tel_group_new(&g, r, err);
        if (st == PRVCUT_OK)
            st = tel_number(t, id, &u, err);
        if (st < 0) {
            tel_group_free(g);
            return st;
        }
        u->group = g;
        g->collective.number = t->told->plan->by_thread ? id : u->number;
        st = tel_members(t, g, err);
    }
    if (st == PRVCUT_OK)
        st = sink->collective(sink->ctx, &u->group->collective, begins, err);
    if (st != PRVCUT_OK || begins)
        return st;
    tel_group_free(u->group);
    return tel_forget(t, id, err);
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status tel_progress(struct tell *t, struct prvcut_error *err)
{
    const struct prvcut_stream_plan *p = t->told->plan;
    const struct prvcut_run *run = p->run;

    if (t->steps++ % 4096 != 0)
        return PRVCUT_OK;
    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (run->progress)
        run->progress(run->ctx, p->phase ? p->phase : PRVCUT_PHASE_ANALYSING, t->taken, t->all);
    return PRVCUT_OK;
}

/* The earliest of all; END: there are no more. */
static enum prvcut_status tel_step(struct tell *t, struct prvcut_error *err)
{
    static enum prvcut_status (*const tells[TELL_SOURCES])(
        struct tell *, const void *, struct prvcut_error *) = { tel_item, tel_call, tel_message,
                                                                tel_group };
    const struct told_key *least = NULL, *head;
    unsigned from = 0;
    enum prvcut_status st = tel_progress(t, err);

    for (unsigned i = 0; i < TELL_SOURCES && st == PRVCUT_OK; i++) {
        st = tel_peek(&t->source[i], &head, err);
        if (st == PRVCUT_OK && head && (!least || tel_before(t, head, least))) {
            least = head;
            from = i;
        }
    }
    if (st < 0 || !least)
        return st < 0 ? st : PRVCUT_END;
    t->source[from].next++;
    t->taken++;
    return tells[from](t, least, err);
}

static enum prvcut_status tel_open(struct tell *t, struct prvcut_error *err)
{
    const struct told *d = t->told;
    const struct tell_source source[TELL_SOURCES] = {
        { .sorter = d->item, .size = sizeof(struct told_item) },
        { .sorter = d->call, .size = sizeof(struct told_call) },
        { .sorter = d->message, .size = sizeof(struct told_message) },
        { .sorter = d->group, .size = sizeof(struct told_group) },
    };
    enum prvcut_status st = PRVCUT_OK;

    memcpy(t->source, source, sizeof source);
    for (unsigned i = 0; i < TELL_SOURCES && st == PRVCUT_OK; i++) {
        struct tell_source *s = &t->source[i];

        if (!s->sorter)
            continue;
        st = prvcut_sorter_finish(s->sorter, err);
        t->all += prvcut_sorter_count(s->sorter);
        s->at = prvcut_unset(AHEAD, s->size, "records", err);
        if (!s->at)
            st = PRVCUT_ENOMEM;
    }
    return st;
}

static void tel_close(struct tell *t)
{
    const struct tell_under_way *u = t->under_way.at;

    for (size_t i = 0; i < t->under_way.count; i++)
        tel_group_free(u[i].group);
    prvcut_table_fini(&t->under_way);
    for (unsigned i = 0; i < TELL_SOURCES; i++)
        free(t->source[i].at);
    free(t->freed);
}

enum prvcut_status told_tell(struct told *told, struct prvcut_error *err)
{
    struct tell t = { .told = told,
                      .under_way =
                          PRVCUT_TABLE(struct tell_under_way, number, "messages under way") };
    enum prvcut_status st = tel_open(&t, err);

    while (st == PRVCUT_OK)
        st = tel_step(&t, err);
    tel_close(&t);
    return st < 0 ? st : PRVCUT_OK;
}
