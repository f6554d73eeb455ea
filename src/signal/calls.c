#include "signal/calls.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* Memory for the calls of all threads together, and of the last one that is left. */
#define BYTES_ALL ((size_t)24 << 20)
#define BYTES_ONE ((size_t)60 << 20)

/* Order-independent hashes: sums of well mixed words. */
static uint32_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0x632be59bd9b4e019));

    x ^= x >> 31;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 32) | 1u;
}

static enum prvcut_status add_call(struct prvcut_call_list *l, const struct prvcut_call *c,
                                   struct prvcut_error *err)
{
    if (l->calls == l->call_room &&
        prvcut_grow((void **)&l->call, &l->call_room, l->calls + 1, sizeof *l->call, err) < 0)
        return PRVCUT_ENOMEM;
    l->call[l->calls++] = *c;
    return PRVCUT_OK;
}

static enum prvcut_status add_end(struct prvcut_call_list *l, uint64_t time, uint32_t partner,
                                  const struct prvcut_message *m, struct prvcut_error *err)
{
    if (l->ends == l->end_room &&
        prvcut_grow((void **)&l->end, &l->end_room, l->ends + 1, sizeof *l->end, err) < 0)
        return PRVCUT_ENOMEM;
    l->end[l->ends++] = (struct prvcut_message_end){ .time = time,
                                                     .peer = mix(partner, (uint64_t)m->tag),
                                                     .size = mix(m->size, 7) };
    return PRVCUT_OK;
}

/* The line is complete: a call if an MPI call begins, or if a burst of burst mode has callers. */
static enum prvcut_status end_line(const struct prvcut_call_threads *t,
                                   struct prvcut_call_list *list, struct prvcut_call_line *line,
                                   struct prvcut_error *err)
{
    struct prvcut_call_list *l;
    struct prvcut_call *last;
    enum prvcut_status st = PRVCUT_OK;

    if (line->any && (line->begins || (line->callers && !line->ends))) {
        l = &list[t->chosen[line->thread] - 1];
        last = l->calls > 0 ? &l->call[l->calls - 1] : NULL;
        if (last && last->time == line->call.time) {
            /* Extrae writes some calls on several lines: MPI_Sendrecv, or with counters. */
            last->call += line->call.call;
            last->peer += line->call.peer;
            last->size += line->call.size;
            last->site += line->call.site;
        } else {
            if (!line->begins)
                line->call.call = mix(1, 1);
            st = add_call(l, &line->call, err);
        }
    }
    memset(line, 0, sizeof *line);
    return st;
}

static void fold(struct prvcut_call_line *line, const struct prvcut_event *e)
{
    const uint32_t h = mix(e->type, (uint64_t)e->value);

    if (PRVCUT_ROLES_MPI >> e->role & 1) {
        line->begins |= e->value != 0;
        line->ends |= e->value == 0;
        if (e->value != 0)
            line->call.call += h;
    } else if (e->role == PRVCUT_ROLE_CALLER || e->role == PRVCUT_ROLE_CALLER_LINE) {
        line->callers = true;
        line->call.site += h;
    } else if (e->role == PRVCUT_ROLE_SIZE) {
        line->call.size += h;
    } else if (e->role == PRVCUT_ROLE_ROOT || e->role == PRVCUT_ROLE_COMMUNICATOR) {
        line->call.peer += h;
    }
}

enum prvcut_status prvcut_calls_batch(const struct prvcut_call_threads *t,
                                      struct prvcut_call_list *list,
                                      const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct prvcut_call_line line = { .any = false };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &batch->event[i];

        if (e->head && line.any)
            st = end_line(t, list, &line, err);
        if (!t->chosen[e->thread])
            continue;
        line.any = true;
        line.thread = e->thread;
        line.call.time = e->time;
        fold(&line, e);
    }
    if (st == PRVCUT_OK)
        st = end_line(t, list, &line, err);
    for (size_t i = 0; i < batch->messages && st == PRVCUT_OK; i++) {
        const struct prvcut_message *m = &batch->message[i];

        if (t->chosen[m->sender])
            st = add_end(&list[t->chosen[m->sender] - 1], m->logical_send, m->receiver, m, err);
        if (t->chosen[m->receiver] && st == PRVCUT_OK)
            st = add_end(&list[t->chosen[m->receiver] - 1], m->logical_receive, m->sender, m, err);
    }
    return st;
}

static size_t bytes_of(const struct prvcut_call_list *l)
{
    return l->calls * sizeof *l->call + l->ends * sizeof *l->end;
}

static enum prvcut_status append(struct prvcut_call_list *a, const struct prvcut_call_list *p,
                                 struct prvcut_error *err)
{
    if (p->calls > 0) {
        if (prvcut_grow((void **)&a->call, &a->call_room, a->calls + p->calls, sizeof *a->call,
                        err) < 0)
            return PRVCUT_ENOMEM;
        memcpy(a->call + a->calls, p->call, p->calls * sizeof *p->call);
        a->calls += p->calls;
    }
    if (p->ends > 0) {
        if (prvcut_grow((void **)&a->end, &a->end_room, a->ends + p->ends, sizeof *a->end, err) < 0)
            return PRVCUT_ENOMEM;
        memcpy(a->end + a->ends, p->end, p->ends * sizeof *p->end);
        a->ends += p->ends;
    }
    return PRVCUT_OK;
}

/* Every second of the threads that are still collected; the first is never given up. */
static void give_up_half(struct prvcut_call_threads *t, struct prvcut_call_list *all)
{
    unsigned left = 0;

    for (unsigned i = 0; i < t->count; i++) {
        if (all[i].given_up || left++ % 2 == 0)
            continue;
        prvcut_call_list_fini(&all[i]);
        all[i].given_up = true;
        __atomic_store_n(&t->detail[t->thread[i]], 0, __ATOMIC_RELAXED);
    }
}

enum prvcut_status prvcut_calls_join(struct prvcut_call_threads *t, struct prvcut_call_list *all,
                                     const struct prvcut_call_list *part, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t bytes = 0;

    for (unsigned i = 0; i < t->count && st == PRVCUT_OK; i++) {
        struct prvcut_call_list *a = &all[i];

        if (a->given_up || a->full)
            continue;
        a->full = bytes_of(a) + bytes_of(&part[i]) > BYTES_ONE;
        if (!a->full)
            st = append(a, &part[i], err);
        bytes += bytes_of(a);
    }
    if (bytes > BYTES_ALL)
        give_up_half(t, all);
    return st;
}

static int by_call_time(const void *a, const void *b)
{
    const struct prvcut_call *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

/* Ends of one call in any order: their hashes are added. */
static int by_end_time(const void *a, const void *b)
{
    const struct prvcut_message_end *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static bool sorted(const struct prvcut_call_list *l)
{
    for (size_t i = 1; i < l->calls; i++)
        if (l->call[i].time < l->call[i - 1].time)
            return false;
    return true;
}

void prvcut_calls_finish(struct prvcut_call_list *l)
{
    size_t k = 0;

    if (!sorted(l))
        qsort(l->call, l->calls, sizeof *l->call, by_call_time);
    if (l->ends > 0)
        qsort(l->end, l->ends, sizeof *l->end, by_end_time);
    for (size_t i = 0; i < l->calls; i++) {
        const uint64_t next = i + 1 < l->calls ? l->call[i + 1].time
                              : l->full        ? l->call[i].time + 1
                                               : UINT64_MAX;

        /* A send or receive is posted when its call begins, MPI_Irecv when it ends. */
        while (k < l->ends && l->end[k].time < l->call[i].time)
            k++;
        for (; k < l->ends && l->end[k].time < next; k++) {
            l->call[i].peer += l->end[k].peer;
            l->call[i].size += l->end[k].size;
        }
    }
    free(l->end);
    l->end = NULL;
    l->ends = l->end_room = 0;
}

void prvcut_call_list_fini(struct prvcut_call_list *l)
{
    free(l->call);
    free(l->end);
    memset(l, 0, sizeof *l);
}
