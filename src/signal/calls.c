#include "signal/calls.h"

#include "base/buffer.h"
#include "model/calls.h"
#include "model/roles.h"
#include "signal/call_ends.h"
#include "signal/call_mix.h"
#include "signal/call_tags.h"

#include <stdlib.h>
#include <string.h>

/* Memory for the calls of all threads together, and of the last one that is left. */
#define BYTES_ALL ((size_t)24 << 20)
#define BYTES_ONE ((size_t)56 << 20)
/* Ends of a thread's messages that wait to be joined into its calls. */
#define ENDS_KEPT ((size_t)1 << 15)

static enum prvcut_status calls_add_call(struct prvcut_call_list *l, const struct prvcut_call *c,
                                         struct prvcut_error *err)
{
    if (l->calls == l->call_room &&
        prvcut_grow((void **)&l->call, &l->call_room, l->calls + 1, sizeof *l->call, err) < 0)
        return PRVCUT_ENOMEM;
    l->call[l->calls++] = *c;
    return PRVCUT_OK;
}

static enum prvcut_status calls_sig_add_end(struct prvcut_call_list *l,
                                            const struct prvcut_message_end *e,
                                            struct prvcut_error *err)
{
    if (l->ends == l->end_room &&
        prvcut_grow((void **)&l->end, &l->end_room, l->ends + 1, sizeof *l->end, err) < 0)
        return PRVCUT_ENOMEM;
    l->end[l->ends++] = *e;
    return PRVCUT_OK;
}

static uint32_t calls_peer(uint32_t peer, uint64_t tag)
{
    return prvcut_call_peer(prvcut_call_mix(peer, 3), prvcut_call_mix(peer, tag));
}

static struct prvcut_message_end calls_send_at(uint64_t time, uint32_t peer, uint64_t tag,
                                               uint64_t size)
{
    return (struct prvcut_message_end){ .time = time & UINT64_MAX >> 1,
                                        .peer = calls_peer(peer, tag),
                                        .size = prvcut_call_mix(size, 7) };
}

/* A receive belongs to the call that completes it: only some formats tell which one posted it, and
   what arrives before it is posted waits for that. */
static struct prvcut_message_end calls_receive_at(uint64_t time, uint64_t posted, uint32_t peer,
                                                  uint64_t tag, uint64_t size)
{
    return (struct prvcut_message_end){ .time = (time > posted ? time : posted) & UINT64_MAX >> 1,
                                        .receive = true,
                                        .posted = posted,
                                        .peer = calls_peer(peer, tag),
                                        .size = prvcut_call_mix(size, 8) };
}

/* Where a thread's calls of this part go to; NULL: nowhere. */
static struct prvcut_call_list *calls_list_of(const struct prvcut_call_threads *t,
                                              struct prvcut_call_list *list, uint32_t thread)
{
    struct prvcut_call_list *l;

    if (!t->chosen[thread])
        return NULL;
    l = &list[t->chosen[thread] - 1];
    return l->full || l->given_up ? NULL : l;
}

/*
 * What a thread may keep within one part: its share of the memory while it is not given up, as
 * every second one is, again and again; so much as is left when all parts are as large.
 */
static size_t calls_bytes_most(const struct prvcut_call_threads *t, unsigned place)
{
    unsigned left = t->count;

    for (unsigned p = place; p > 0 && p % 2 == 0; p /= 2)
        left = (left + 1) / 2;
    return place == 0 ? BYTES_ONE : BYTES_ALL / left;
}

/* Only between batches, so that calls and ends stop together. */
static void calls_limit_lists(const struct prvcut_call_threads *t, struct prvcut_call_list *list)
{
    for (unsigned i = 0; i < t->count; i++) {
        struct prvcut_call_list *l = &list[i];

        if (l->full || l->given_up || prvcut_call_list_bytes(l) <= calls_bytes_most(t, i))
            continue;
        l->full = i == 0;
        if (!l->full) {
            prvcut_call_list_fini(l);
            l->given_up = true;
        }
    }
}

static enum prvcut_status calls_add_message(const struct prvcut_call_threads *t,
                                            struct prvcut_call_list *list,
                                            const struct prvcut_message *m,
                                            struct prvcut_error *err)
{
    struct prvcut_call_list *from = calls_list_of(t, list, m->sender),
                            *to = calls_list_of(t, list, m->receiver);
    const uint64_t tag = (uint64_t)m->tag;
    const struct prvcut_message_end send =
        calls_send_at(m->logical_send, m->receiver, tag, m->size);
    const struct prvcut_message_end receive =
        calls_receive_at(m->physical_receive, m->logical_receive, m->sender, tag, m->size);
    enum prvcut_status st = from ? calls_sig_add_end(from, &send, err) : PRVCUT_OK;

    return to && st == PRVCUT_OK ? calls_sig_add_end(to, &receive, err) : st;
}

static enum prvcut_status calls_sig_add_half(const struct prvcut_call_threads *t,
                                             struct prvcut_call_list *list,
                                             const struct prvcut_half *h, struct prvcut_error *err)
{
    struct prvcut_call_list *l = calls_list_of(t, list, h->thread);
    const uint64_t tag = (uint64_t)h->tag;
    const struct prvcut_message_end end =
        h->receive ? calls_receive_at(h->time, prvcut_other_time(h, 0), h->peer, tag, h->size)
                   : calls_send_at(h->time, h->peer, tag, h->size);

    return l ? calls_sig_add_end(l, &end, err) : PRVCUT_OK;
}

uint32_t prvcut_call_of_burst(void)
{
    return prvcut_call_mix(1, 1);
}

/* The line is complete: a call if one begins, or if a burst of burst mode has callers. */
static enum prvcut_status calls_end_line(const struct prvcut_call_threads *t,
                                         struct prvcut_call_list *list,
                                         struct prvcut_call_line *line, struct prvcut_error *err)
{
    struct prvcut_call_list *l;
    struct prvcut_call *last;
    enum prvcut_status st = PRVCUT_OK;

    if (line->any && (line->begins || (line->callers && !line->ends))) {
        l = calls_list_of(t, list, line->thread);
        last = l && l->calls > 0 ? &l->call[l->calls - 1] : NULL;
        if (last && last->time == line->call.time) {
            /* Extrae writes some calls on several lines: MPI_Sendrecv, or with counters. */
            last->call += line->call.call;
            last->peer += line->call.peer;
            last->size += line->call.size;
            last->site += line->call.site;
        } else if (l) {
            if (!line->begins)
                line->call.call = prvcut_call_of_burst();
            l->bare |= l->calls == 0 && !line->begins;
            st = calls_add_call(l, &line->call, err);
        }
    }
    memset(line, 0, sizeof *line);
    return st;
}

static void calls_fold(struct prvcut_call_line *line, const struct prvcut_event *e, uint32_t roles)
{
    const uint32_t h = prvcut_call_mix(e->type, (uint64_t)e->value);

    if (roles >> e->role & 1) {
        line->begins |= e->value != 0;
        line->ends |= e->value == 0;
        if (e->value != 0)
            line->call.call += h;
    } else if (prvcut_role_is_caller(e->role)) {
        line->callers = true;
        line->call.site += h;
    } else if (e->role == PRVCUT_ROLE_SIZE) {
        line->call.size += h;
    } else if (e->role == PRVCUT_ROLE_ROOT || e->role == PRVCUT_ROLE_COMMUNICATOR) {
        line->call.peer += h;
    }
}

static enum prvcut_status calls_add_state(const struct prvcut_call_threads *t,
                                          struct prvcut_call_list *list,
                                          const struct prvcut_state *s, struct prvcut_error *err)
{
    struct prvcut_call_list *l = s->running ? NULL : calls_list_of(t, list, s->thread);
    const struct prvcut_call call = { .time = s->begin, .call = prvcut_call_mix(2, s->number) };

    return l ? calls_add_call(l, &call, err) : PRVCUT_OK;
}

enum prvcut_status prvcut_calls_batch(const struct prvcut_call_threads *t,
                                      struct prvcut_call_list *list,
                                      const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct prvcut_call_line line = { .any = false };
    enum prvcut_status st = PRVCUT_OK;

    calls_limit_lists(t, list);
    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &batch->event[i];

        if (e->head && line.any)
            st = calls_end_line(t, list, &line, err);
        if (!t->chosen[e->thread])
            continue;
        line.any = true;
        line.thread = e->thread;
        line.call.time = e->time;
        calls_fold(&line, e, t->roles);
    }
    if (st == PRVCUT_OK)
        st = calls_end_line(t, list, &line, err);
    for (size_t i = 0; t->states && i < batch->states && st == PRVCUT_OK; i++)
        st = calls_add_state(t, list, &batch->state[i], err);
    for (size_t i = 0; i < batch->messages && st == PRVCUT_OK; i++)
        st = calls_add_message(t, list, &batch->message[i], err);
    for (size_t i = 0; i < batch->halves && st == PRVCUT_OK; i++)
        st = calls_sig_add_half(t, list, &batch->half[i], err);
    return st;
}

/* A part may begin between two lines of one call: then its first call goes on with the last one. */
static size_t calls_go_on(struct prvcut_call_list *a, const struct prvcut_call_list *p)
{
    struct prvcut_call *last = a->calls > 0 ? &a->call[a->calls - 1] : NULL;

    if (!last || p->calls == 0 || last->time != p->call[0].time)
        return 0;
    last->call += p->call[0].call - (p->bare ? prvcut_call_of_burst() : 0);
    last->peer += p->call[0].peer;
    last->size += p->call[0].size;
    last->site += p->call[0].site;
    return 1;
}

/* Ends that are older than the last call have all the calls that they can be in. So many are kept
   before that, and twice as many as were too young the last time: each is sorted a few times. */
static void calls_join_old_ends(struct prvcut_call_list *l)
{
    if (l->late || l->calls == 0 || l->ends <= (l->ends_most > 0 ? l->ends_most : ENDS_KEPT))
        return;
    prvcut_call_ends_join(l, l->call[l->calls - 1].time, false);
    l->ends_most = ENDS_KEPT + 2 * l->ends;
}

/* Are the calls from one on later than the one before each? */
static bool calls_sorted(const struct prvcut_call_list *l, size_t from)
{
    for (size_t i = from > 0 ? from : 1; i < l->calls; i++)
        if (l->call[i].time < l->call[i - 1].time)
            return false;
    return true;
}

static enum prvcut_status calls_append(const struct prvcut_call_threads *t,
                                       struct prvcut_call_list *a, const struct prvcut_call_list *p,
                                       struct prvcut_error *err)
{
    const size_t first = t->states ? 0 : calls_go_on(a, p), calls = p->calls - first;

    if (calls > 0) {
        if (prvcut_grow((void **)&a->call, &a->call_room, a->calls + calls, sizeof *a->call, err) <
            0)
            return PRVCUT_ENOMEM;
        memcpy(a->call + a->calls, p->call + first, calls * sizeof *p->call);
        a->calls += calls;
        a->late = a->late || !calls_sorted(a, a->calls - calls);
    }
    if (p->ends > 0) {
        if (prvcut_grow((void **)&a->end, &a->end_room, a->ends + p->ends, sizeof *a->end, err) < 0)
            return PRVCUT_ENOMEM;
        memcpy(a->end + a->ends, p->end, p->ends * sizeof *p->end);
        a->ends += p->ends;
        calls_join_old_ends(a);
    }
    return PRVCUT_OK;
}

/* What is not kept of a part, behind what was: its first call may go on with the last one. */
static enum prvcut_status calls_pass_over(const struct prvcut_call_threads *t,
                                          struct prvcut_call_list *a,
                                          const struct prvcut_call_list *p,
                                          struct prvcut_error *err)
{
    struct prvcut_call_marks *m = &a->beyond;
    const uint64_t last = m->calls > 0   ? m->last
                          : a->calls > 0 ? a->call[a->calls - 1].time
                                         : UINT64_MAX;
    size_t k = p->calls > 0 && !t->states && p->call[0].time == last;
    enum prvcut_status st = PRVCUT_OK;

    m->lost |= p->full;
    for (; k < p->calls && st == PRVCUT_OK; k++)
        st = prvcut_call_marks_add(m, p->call[k].time, err);
    return st;
}

static void calls_give_up(struct prvcut_call_threads *t, struct prvcut_call_list *all,
                          unsigned place)
{
    prvcut_call_list_fini(&all[place]);
    all[place].given_up = true;
    __atomic_store_n(&t->detail[t->thread[place]], 0, __ATOMIC_RELAXED);
}

/* Every second of the threads that are still collected; the first is never given up. */
static void calls_give_up_half(struct prvcut_call_threads *t, struct prvcut_call_list *all)
{
    unsigned left = 0;

    for (unsigned i = 0; i < t->count; i++) {
        if (all[i].given_up || left++ % 2 == 0)
            continue;
        calls_give_up(t, all, i);
    }
}

enum prvcut_status prvcut_calls_join(struct prvcut_call_threads *t, struct prvcut_call_list *all,
                                     const struct prvcut_call_list *part, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t bytes = 0;

    for (unsigned i = 0; i < t->count && st == PRVCUT_OK; i++) {
        struct prvcut_call_list *a = &all[i];

        if (a->given_up)
            continue;
        if (a->full) {
            st = calls_pass_over(t, a, &part[i], err);
            continue;
        }
        if (part[i].given_up) {
            calls_give_up(t, all, i);
            continue;
        }
        /* A part that is a whole run is taken as far as it was followed. */
        a->full = a->calls > 0 &&
                  prvcut_call_list_bytes(a) + prvcut_call_list_bytes(&part[i]) > BYTES_ONE;
        st = a->full ? calls_pass_over(t, a, &part[i], err) : calls_append(t, a, &part[i], err);
        a->beyond.lost |= part[i].full;
        a->full |= part[i].full;
        bytes += prvcut_call_list_bytes(a);
    }
    if (bytes > BYTES_ALL)
        calls_give_up_half(t, all);
    return st;
}

static int calls_by_call_time(const void *a, const void *b)
{
    const struct prvcut_call *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

void prvcut_calls_finish(struct prvcut_call_list *l)
{
    if (!calls_sorted(l, 0))
        qsort(l->call, l->calls, sizeof *l->call, calls_by_call_time);
    prvcut_call_ends_join(l, l->full && l->calls > 0 ? l->call[l->calls - 1].time + 1 : UINT64_MAX,
                          true);
    free(l->end);
    l->end = NULL;
    l->ends = l->end_room = 0;
}

/* MPI_Iprobe, MPI_Test, MPI_Testany, as Extrae numbers them. */
static const uint16_t polls[] = { 62, 39, 126 };

bool prvcut_call_polls(uint32_t call)
{
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++)
        if (call == prvcut_call_mix(PRVCUT_TYPE_MPI_P2P, polls[i]))
            return true;
    return false;
}

/* Room for so many is kept for the next part. */
#define ROOM_KEPT ((size_t)1 << 15)

void prvcut_call_list_reset(struct prvcut_call_list *l)
{
    if (l->call_room > ROOM_KEPT || l->end_room > ROOM_KEPT)
        prvcut_call_list_fini(l);
    l->calls = l->ends = l->joined = l->ends_most = 0;
    l->full = l->given_up = l->bare = l->late = false;
}

void prvcut_call_list_fini(struct prvcut_call_list *l)
{
    free(l->call);
    free(l->end);
    prvcut_call_marks_fini(&l->beyond);
    memset(l, 0, sizeof *l);
}

/* --- For an index or another process ---------------------------------------------------------- */

/* Bytes of an end as it is handed on. */
#define END_BYTES 28

void prvcut_call_put(struct prvcut_put *p, const struct prvcut_call *c)
{
    const uint32_t what[] = { c->call, c->peer, c->size, c->site };

    prvcut_put_u64(p, c->time);
    prvcut_put_u32s(p, what, 4);
}

void prvcut_call_get(struct prvcut_get *g, struct prvcut_call *c)
{
    uint32_t what[4] = { 0 };

    c->time = prvcut_get_u64(g);
    prvcut_get_u32s(g, what, 4);
    c->call = what[0];
    c->peer = what[1];
    c->size = what[2];
    c->site = what[3];
}

void prvcut_call_lists_put(struct prvcut_put *p, const struct prvcut_call_threads *t,
                           const struct prvcut_call_list *all)
{
    for (unsigned i = 0; i < t->count; i++) {
        const struct prvcut_call_list *l = &all[i];

        prvcut_put_u32(p, l->full);
        prvcut_put_u32(p, l->given_up);
        prvcut_put_u32(p, l->late);
        prvcut_put_u64(p, l->joined);
        prvcut_put_u64(p, l->ends_most);
        prvcut_put_u64(p, l->calls);
        for (size_t k = 0; k < l->calls; k++)
            prvcut_call_put(p, &l->call[k]);
        prvcut_put_u64(p, l->ends);
        for (size_t k = 0; k < l->ends; k++) {
            prvcut_put_u64(p, l->end[k].time);
            prvcut_put_u32(p, l->end[k].receive);
            prvcut_put_u64(p, l->end[k].posted);
            prvcut_put_u32(p, l->end[k].peer);
            prvcut_put_u32(p, l->end[k].size);
        }
        prvcut_call_marks_put(p, &l->beyond);
    }
}

static void call_get_calls(struct prvcut_get *g, struct prvcut_call_list *l)
{
    l->calls = l->call_room = prvcut_get_count(g, PRVCUT_CALL_BYTES);
    l->call = prvcut_get_room(g, l->calls, sizeof *l->call);
    for (size_t k = 0; l->call && k < l->calls; k++)
        prvcut_call_get(g, &l->call[k]);
}

static void call_get_ends(struct prvcut_get *g, struct prvcut_call_list *l)
{
    l->ends = l->end_room = prvcut_get_count(g, END_BYTES);
    l->end = prvcut_get_room(g, l->ends, sizeof *l->end);
    for (size_t k = 0; l->end && k < l->ends; k++) {
        l->end[k].time = prvcut_get_u64(g) & (UINT64_MAX >> 1);
        l->end[k].receive = prvcut_get_bool(g);
        l->end[k].posted = prvcut_get_u64(g);
        l->end[k].peer = prvcut_get_u32(g);
        l->end[k].size = prvcut_get_u32(g);
    }
}

void prvcut_call_lists_get(struct prvcut_get *g, struct prvcut_call_threads *t,
                           struct prvcut_call_list *all)
{
    for (unsigned i = 0; i < t->count; i++) {
        struct prvcut_call_list *l = &all[i];

        prvcut_call_list_fini(l);
        l->full = prvcut_get_bool(g);
        if (prvcut_get_bool(g))
            calls_give_up(t, all, i);
        l->late = prvcut_get_bool(g);
        l->joined = prvcut_get_u64(g);
        l->ends_most = prvcut_get_u64(g);
        call_get_calls(g, l);
        call_get_ends(g, l);
        prvcut_call_marks_get(g, &l->beyond);
        l->calls = l->call ? l->calls : 0;
        l->ends = l->end ? l->ends : 0;
    }
}
