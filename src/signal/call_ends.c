#include "signal/call_ends.h"

#include "base/search.h"
#include "model/calls.h"
#include "signal/call_mix.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- What calls do with receives -------------------------------------------------------------- */

/* MPI_Test, MPI_Testall, MPI_Testany, MPI_Testsome, as Extrae numbers them among other calls. */
static const uint16_t cen_tests[] = { 39, 125, 126, 127, 128 };

/* What a call completes of the receives; UNKNOWN: the call is not known. */
enum cen_kind { END_NONE, END_ONE, END_MANY, END_UNKNOWN };

#define END_KINDS 256 /* more than there are MPI calls */

/* Known calls by their hashes, those that complete something in front. */
struct cen_kinds {
    uint32_t hash[END_KINDS];
    size_t one, complete, count; /* the first ones complete one, then come those that do many */
};

static enum cen_kind cen_kind_of(const struct prvcut_mpi_call *c)
{
    if (c->type != PRVCUT_TYPE_MPI_P2P)
        return END_NONE;
    if (c->state == PRVCUT_STATE_WAITING_MESSAGE || c->state == PRVCUT_STATE_SEND_RECEIVE ||
        strcmp(c->name, "MPI_Wait") == 0 || strcmp(c->name, "MPI_Waitany") == 0)
        return END_ONE;
    return c->state == PRVCUT_STATE_WAIT || strncmp(c->name, "MPI_Test", 8) == 0 ? END_MANY
                                                                                 : END_NONE;
}

static void cen_kinds_add(struct cen_kinds *k, enum cen_kind kind)
{
    for (const struct prvcut_mpi_call *c = prvcut_mpi_calls; c->name && k->count < END_KINDS; c++)
        if (cen_kind_of(c) == kind)
            k->hash[k->count++] = prvcut_call_mix(c->type, c->value);
}

static void cen_kinds_make(struct cen_kinds *k)
{
    k->count = 0;
    cen_kinds_add(k, END_ONE);
    k->one = k->count;
    cen_kinds_add(k, END_MANY);
    for (size_t i = 0; i < sizeof cen_tests / sizeof *cen_tests; i++)
        k->hash[k->count++] = prvcut_call_mix(PRVCUT_TYPE_MPI_OTHER, cen_tests[i]);
    k->complete = k->count;
    cen_kinds_add(k, END_NONE);
}

/* Of the first `count` known ones. */
static enum cen_kind cen_kind_at(const struct cen_kinds *k, size_t count, uint32_t call)
{
    for (size_t i = 0; i < count; i++)
        if (k->hash[i] == call)
            return i < k->one ? END_ONE : i < k->complete ? END_MANY : END_NONE;
    return END_UNKNOWN;
}

/* --- Joining ---------------------------------------------------------------------------------- */

#define END_LATE 64 /* receives that wait for calls behind one that completes another */

/* The receives of a thread on their way into its calls, in the order of time. */
struct cen_walk {
    struct prvcut_call_list *l;
    struct cen_kinds kinds;
    size_t place; /* of the call that the last one was put into, or is in `late` for */
    size_t next;  /* of the call that completes receives that was found last for what arrived */
    struct prvcut_message_end late[END_LATE]; /* the first is the one that `place` completes */
    size_t lates;
};

/* Ends of one call in any order: their hashes are added. */
static int cen_by_time(const void *a, const void *b)
{
    const struct prvcut_message_end *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

/* The call that was the last to begin by then; without one, the first. */
static size_t cen_last_by(const struct prvcut_call_list *l, uint64_t time)
{
    const size_t after = time < UINT64_MAX
                             ? prvcut_lower_u64(l->call, l->calls, sizeof *l->call,
                                                offsetof(struct prvcut_call, time), time + 1)
                             : l->calls;

    return after > 0 ? after - 1 : 0;
}

static void cen_join_one(struct prvcut_call *c, const struct prvcut_message_end *e)
{
    c->peer += e->peer;
    c->size += e->size;
}

/* The next call from one on that completes receives; l->calls: none. */
static size_t cen_next(const struct cen_walk *w, size_t from)
{
    const struct prvcut_call_list *l = w->l;

    while (from < l->calls &&
           cen_kind_at(&w->kinds, w->kinds.complete, l->call[from].call) == END_UNKNOWN)
        from++;
    return from;
}

/*
 * Where a receive that arrives in call i belongs: l->calls if to none that there is yet. A call
 * that begins as the last one ends may have it, too, where the clock is coarse.
 */
static size_t cen_place(struct cen_walk *w, size_t i, const struct prvcut_message_end *e)
{
    const struct cen_kinds *k = &w->kinds;
    const struct prvcut_call *c = &w->l->call[i];

    if (cen_kind_at(k, k->count, c->call) != END_NONE)
        return i;
    if (i > 0 && c->time == e->time && e->posted < e->time &&
        cen_kind_at(k, k->complete, c[-1].call) != END_UNKNOWN)
        return i - 1;
    return w->next = cen_next(w, w->next > i ? w->next : i + 1);
}

/* Which of the late ones was posted first: calls mostly complete them in that order. */
static size_t cen_first_posted(const struct cen_walk *w)
{
    size_t first = 0;

    for (size_t i = 1; i < w->lates; i++)
        if (w->late[i].posted < w->late[first].posted)
            first = i;
    return first;
}

/* Let calls before one complete what is late; what they leave is late for the next one. */
static void cen_settle(struct cen_walk *w, size_t before)
{
    while (w->lates > 0 && w->place < before) {
        struct prvcut_call *c = &w->l->call[w->place];
        const bool one = cen_kind_at(&w->kinds, w->kinds.one, c->call) == END_ONE;

        if (one && w->lates > 1) {
            const size_t first = cen_first_posted(w);

            cen_join_one(c, &w->late[first]);
            w->lates--;
            memmove(&w->late[first], &w->late[first + 1], (w->lates - first) * sizeof *w->late);
            w->place = cen_next(w, w->place + 1);
            continue;
        }
        while (w->lates > 0)
            cen_join_one(c, &w->late[--w->lates]);
    }
}

static void cen_receive(struct cen_walk *w, size_t i, const struct prvcut_message_end *e)
{
    const size_t place = cen_place(w, i, e);

    cen_settle(w, place);
    if (w->lates == 0)
        w->place = place;
    /* Of calls before that one, those that complete receives have theirs. */
    if (w->lates < END_LATE && place >= i &&
        (place >= w->place ||
         cen_kind_at(&w->kinds, w->kinds.complete, w->l->call[place].call) != END_UNKNOWN))
        w->late[w->lates++] = *e;
    else
        cen_join_one(&w->l->call[place < w->l->calls ? place : i], e);
}

/* The last call that completes receives; without one, l->calls. */
static size_t cen_last(const struct cen_walk *w)
{
    const struct prvcut_call_list *l = w->l;

    for (size_t i = l->calls; i-- > 0;)
        if (cen_kind_at(&w->kinds, w->kinds.complete, l->call[i].call) != END_UNKNOWN)
            return i;
    return l->calls;
}

/* What is late for a call that may have others yet waits, as if it arrived there; else it belongs
   where it arrived. */
static size_t cen_keep(struct cen_walk *w, size_t kept, bool last)
{
    struct prvcut_call_list *l = w->l;

    for (size_t i = 0; i < w->lates; i++) {
        struct prvcut_message_end *e = &w->late[i];

        if (last || w->place >= l->calls) {
            cen_join_one(&l->call[cen_last_by(l, e->time)], e);
            continue;
        }
        e->time = l->call[w->place].time & UINT64_MAX >> 1;
        l->end[kept++] = *e;
    }
    return kept;
}

void prvcut_call_ends_join(struct prvcut_call_list *l, uint64_t before, bool last)
{
    struct cen_walk w = { .l = l, .lates = 0 };
    size_t i, k = 0, kept = 0, complete;

    if (l->ends == 0 || l->calls == 0) {
        l->joined += last ? l->ends : 0;
        return;
    }
    cen_kinds_make(&w.kinds);
    complete = last ? l->calls : cen_last(&w);
    qsort(l->end, l->ends, sizeof *l->end, cen_by_time);
    i = cen_last_by(l, l->end[0].time);
    for (; k < l->ends && l->end[k].time < before; k++) {
        const struct prvcut_message_end e = l->end[k];

        while (i + 1 < l->calls && l->call[i + 1].time <= e.time)
            i++;
        if (e.receive && complete < l->calls && e.time >= l->call[complete].time)
            l->end[kept++] = e;
        else if (l->call[i].time <= e.time && e.receive)
            cen_receive(&w, i, &e);
        else if (l->call[i].time <= e.time)
            cen_join_one(&l->call[i], &e);
    }
    cen_settle(&w, complete);
    kept = cen_keep(&w, kept, last);
    l->joined += k - kept;
    memmove(l->end + kept, l->end + k, (l->ends - k) * sizeof *l->end);
    l->ends -= k - kept;
}
