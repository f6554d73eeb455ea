#include "match/numbered.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"
#include "model/batch.h"

#include <stdlib.h>
#include <string.h>

/* Parts that are read from a sorter at a time. */
#define PARTS 256

/* What is known of a communicator's sequence once all parts are counted. */
struct numbered_sequence {
    uint32_t application, communicator, nonblocking, zero; /* the key */
    uint64_t least, most;                                  /* of the members' collectives */
    uint32_t tasks;
    bool unlike; /* from here on members did not call the same */
};

struct numbered_walk {
    const struct prvcut_numbered_parts *numbering;
    struct prvcut_table sequences; /* of numbered_sequence */
    char *read;                    /* [PARTS] */
    char *now;                     /* [count] the parts of the present collective */
    size_t count, room;
};

static int numbered_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int numbered_sequences(const struct prvcut_numbered *x, const struct prvcut_numbered *y)
{
    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return numbered_order(x->nonblocking, y->nonblocking);
}

int prvcut_numbered_by_member(const void *a, const void *b)
{
    const struct prvcut_numbered *x = a, *y = b;
    const int c = numbered_sequences(x, y);

    return c != 0 ? c : numbered_order(x->task, y->task);
}

int prvcut_numbered_by_place(const void *a, const void *b)
{
    const struct prvcut_numbered *x = a, *y = b;
    const int c = numbered_sequences(x, y);

    if (c != 0)
        return c;
    return x->k != y->k ? numbered_order(x->k, y->k) : numbered_order(x->task, y->task);
}

static struct prvcut_numbered *numbered_at(const struct numbered_walk *w, char *parts, size_t i)
{
    return (struct prvcut_numbered *)(void *)(parts + i * w->numbering->size);
}

static struct numbered_sequence numbered_key(const struct prvcut_numbered *part)
{
    return (struct numbered_sequence){ .application = part->application,
                                       .communicator = part->communicator,
                                       .nonblocking = part->nonblocking };
}

/* A member's parts have ended, this is the last one. */
static enum prvcut_status numbered_count(struct numbered_walk *w,
                                         const struct prvcut_numbered *last,
                                         struct prvcut_error *err)
{
    const struct numbered_sequence key = numbered_key(last);
    struct numbered_sequence *s = prvcut_table_make(&w->sequences, &key, err);
    const uint64_t count = last->k + 1;

    if (!s)
        return PRVCUT_ENOMEM;
    s->least = s->tasks == 0 || count < s->least ? count : s->least;
    s->most = count > s->most ? count : s->most;
    s->tasks++;
    return PRVCUT_OK;
}

/* Number each member's parts, in their order. */
static enum prvcut_status numbered_number(struct numbered_walk *w, struct prvcut_error *err)
{
    struct prvcut_sorter *const *sorter = w->numbering->sorter;
    struct prvcut_numbered last = { 0 };
    bool any = false;
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(sorter[0], err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(sorter[0], w->read, PARTS, &count, err)) == PRVCUT_OK) {
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            struct prvcut_numbered *part = numbered_at(w, w->read, i);
            const bool same = any && prvcut_numbered_by_member(part, &last) == 0;

            if (any && !same)
                st = numbered_count(w, &last, err);
            part->k = same ? last.k + 1 : 0;
            last = *part;
            any = true;
        }
        if (st == PRVCUT_OK)
            st = prvcut_sorter_add(sorter[1], 0, w->read, count, err);
    }
    if (st >= 0 && any)
        st = numbered_count(w, &last, err);
    return st < 0 ? st : PRVCUT_OK;
}

/* Tasks of a communicator; one that is not defined, or lists none: those that called. */
static uint32_t numbered_expected(const struct prvcut_objects *o, const struct numbered_sequence *s)
{
    const uint32_t a = s->application;
    const struct prvcut_communicator *m;

    if (s->communicator == PRVCUT_NOBODY)
        return o->application_first_task[a + 1] - o->application_first_task[a];
    m = prvcut_objects_communicator(o, a, s->communicator);
    return m && m->count > s->tasks ? m->count : s->tasks;
}

/* Calls that do not tell their communicator are all tasks' where all count alike. */
static bool numbered_together(const struct numbered_sequence *s, uint32_t expected)
{
    return s->communicator != PRVCUT_NOBODY || (s->least == s->most && s->tasks == expected);
}

static bool numbered_unlike(const struct numbered_walk *w)
{
    for (size_t i = 1; i < w->count; i++)
        if (!w->numbering->alike(w->now, w->now + i * w->numbering->size))
            return true;
    return false;
}

/* All parts of the present collective are there. */
static enum prvcut_status numbered_settle(struct numbered_walk *w, struct prvcut_error *err)
{
    const struct prvcut_numbered_parts *n = w->numbering;
    struct numbered_sequence key, *s;
    struct prvcut_numbered_group group;
    enum prvcut_status st = PRVCUT_OK;

    if (w->count == 0)
        return PRVCUT_OK;
    key = numbered_key(numbered_at(w, w->now, 0));
    s = prvcut_table_find(&w->sequences, &key);
    s->unlike = s->unlike || numbered_unlike(w);
    group.unlike = s->unlike;
    group.expected = numbered_expected(n->objects, s);
    group.count = numbered_together(s, group.expected) ? w->count : 1;
    for (size_t i = 0; i < w->count && st == PRVCUT_OK; i += group.count) {
        group.part = w->now + i * n->size;
        st = n->met(n->ctx, &group, err);
    }
    w->count = 0;
    return st;
}

static bool numbered_same(const struct prvcut_numbered *a, const struct prvcut_numbered *b)
{
    return a->k == b->k && numbered_sequences(a, b) == 0;
}

static enum prvcut_status numbered_take(struct numbered_walk *w, const struct prvcut_numbered *part,
                                        struct prvcut_error *err)
{
    const size_t size = w->numbering->size;
    enum prvcut_status st = PRVCUT_OK;

    if (w->count > 0 && !numbered_same(part, numbered_at(w, w->now, 0)))
        st = numbered_settle(w, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&w->now, &w->room, w->count + 1, size, err);
    if (st == PRVCUT_OK)
        memcpy(w->now + w->count++ * size, part, size);
    return st;
}

static enum prvcut_status numbered_gather(struct numbered_walk *w, struct prvcut_error *err)
{
    struct prvcut_sorter *sorter = w->numbering->sorter[1];
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(sorter, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(sorter, w->read, PARTS, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
            st = numbered_take(w, numbered_at(w, w->read, i), err);
    return st < 0 ? st : numbered_settle(w, err);
}

enum prvcut_status prvcut_numbered_meet(const struct prvcut_numbered_parts *n,
                                        struct prvcut_error *err)
{
    struct numbered_walk w = {
        .numbering = n,
        .sequences = PRVCUT_TABLE(struct numbered_sequence, least, "communicators"),
        .read = prvcut_unset(PARTS, n->size, "collectives", err),
    };
    enum prvcut_status st = w.read ? numbered_number(&w, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK)
        st = numbered_gather(&w, err);
    prvcut_table_fini(&w.sequences);
    free(w.read);
    free(w.now);
    return st;
}
