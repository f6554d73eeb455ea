#include "convert/roots.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/calls.h"

#include <stdlib.h>

/* What a line has told. */
#define CALL         1u
#define COMMUNICATOR 2u

static bool roots_is_rooted(uint32_t type, int64_t value)
{
    const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(type, value);

    return call && (call->flow == PRVCUT_CLOCK_FROM_ROOT || call->flow == PRVCUT_CLOCK_TO_ROOT);
}

static enum prvcut_status roots_end_line(struct cnv_rooted_list *l, struct prvcut_error *err)
{
    const bool whole = l->known == (CALL | COMMUNICATOR);
    enum prvcut_status st = PRVCUT_OK;

    l->known = 0;
    if (!whole)
        return PRVCUT_OK;
    st = prvcut_grow((void **)&l->at, &l->room, l->count + 1, sizeof *l->at, err);
    if (st == PRVCUT_OK)
        l->at[l->count++] = l->now;
    return st;
}

static void roots_take_pair(struct cnv_rooted_list *l, uint32_t role, uint32_t type, int64_t value)
{
    if (role == PRVCUT_ROLE_COLLECTIVE && value != 0 && roots_is_rooted(type, value)) {
        l->known |= CALL;
    } else if (role == PRVCUT_ROLE_COMMUNICATOR) {
        l->known |= COMMUNICATOR;
        l->now.id = value;
    } else if (role == PRVCUT_ROLE_ROOT) {
        l->now.root = value == 1;
    }
}

enum prvcut_status cnv_rooted_note(struct cnv_rooted_list *l, const struct prvcut_batch *b,
                                   const struct prvcut_rules *rules, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];

        if (e->head) {
            st = roots_end_line(l, err);
            l->now = (struct cnv_rooted){ .thread = e->thread, .time = e->time };
        }
        if (!rules || cnv_sift_event(rules, e))
            roots_take_pair(l, e->role, e->type, e->value);
    }
    return st;
}

void cnv_rooted_fini(struct cnv_rooted_list *l)
{
    free(l->at);
    *l = (struct cnv_rooted_list){ 0 };
}

static int roots_by_member(const void *a, const void *b)
{
    const struct cnv_member *x = a, *y = b;

    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static int roots_by_place(const void *a, const void *b)
{
    const struct cnv_root_run *x = a, *y = b;

    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

enum prvcut_status cnv_roots_init(struct cnv_roots *r, const struct prvcut_objects *o,
                                  struct prvcut_error *err)
{
    r->objects = o;
    r->member = prvcut_zeroed((size_t)o->members + 1, sizeof *r->member, "communicators", err);
    r->last = prvcut_zeroed((size_t)o->communicators + 1, sizeof *r->last, "communicators", err);
    r->unknown =
        prvcut_zeroed((size_t)o->communicators + 1, sizeof *r->unknown, "communicators", err);
    if (!r->member || !r->last || !r->unknown)
        return PRVCUT_ENOMEM;
    for (uint32_t c = 0; c < o->communicators; c++) {
        const struct prvcut_communicator *k = &o->communicator[c];

        for (uint32_t m = k->first; m < k->first + k->count; m++)
            r->member[r->members++] = (struct cnv_member){
                .application = k->application, .id = k->id, .communicator = c, .task = o->member[m]
            };
    }
    qsort(r->member, r->members, sizeof *r->member, roots_by_member);
    return PRVCUT_OK;
}

void cnv_roots_fini(struct cnv_roots *r)
{
    free(r->origin);
    free(r->member);
    free(r->run);
    free(r->last);
    free(r->unknown);
    *r = (struct cnv_roots){ 0 };
}

/* The thread as a member of its application's communicator with that id; NULL: it is none. */
static struct cnv_member *roots_member_of(const struct cnv_roots *r, uint32_t thread, int64_t id)
{
    size_t at;
    struct cnv_member like = { .task = r->objects->thread_task[thread] };

    if (id < 0 || id > UINT32_MAX)
        return NULL;
    like.id = (uint32_t)id;
    like.application = prvcut_objects_application(r->objects, like.task);
    at = prvcut_index_by(&like, r->member, r->members, sizeof like, roots_by_member);
    return at < r->members ? &r->member[at] : NULL;
}

static enum prvcut_status roots_add_root(struct cnv_roots *r, const struct cnv_member *m,
                                         struct prvcut_error *err)
{
    size_t *last = &r->last[m->communicator];
    enum prvcut_status st;

    if (*last > 0) {
        struct cnv_root_run *run = &r->run[*last - 1];

        if (run->root == m->task && run->first + run->count == m->read) {
            run->count++;
            return PRVCUT_OK;
        }
    }
    st = prvcut_grow((void **)&r->run, &r->run_room, r->runs + 1, sizeof *r->run, err);
    if (st < 0)
        return st;
    r->run[r->runs++] = (struct cnv_root_run){
        .communicator = m->communicator, .root = m->task, .first = m->read, .count = 1
    };
    *last = r->runs;
    return PRVCUT_OK;
}

enum prvcut_status cnv_roots_add(struct cnv_roots *r, struct cnv_rooted_list *l, uint64_t from,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = roots_end_line(l, err);

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        const struct cnv_rooted *c = &l->at[i];
        struct cnv_member *m = roots_member_of(r, c->thread, c->id);

        if (!m)
            continue;
        if (c->root)
            st = roots_add_root(r, m, err);
        m->read++;
        m->written += c->time < from;
    }
    return st;
}

static void roots_compare_members(struct cnv_roots *r)
{
    for (size_t i = 1; i < r->members; i++)
        if (r->member[i].communicator == r->member[i - 1].communicator &&
            r->member[i].read != r->member[i - 1].read)
            r->unknown[r->member[i].communicator] = true;
    for (size_t i = 1; i < r->runs; i++)
        if (r->run[i].communicator == r->run[i - 1].communicator &&
            r->run[i].first < r->run[i - 1].first + r->run[i - 1].count)
            r->unknown[r->run[i].communicator] = true;
}

enum prvcut_status cnv_roots_settle(struct cnv_roots *r, const struct cnv_selection *selection,
                                    struct prvcut_error *err)
{
    if (r->runs > 0)
        qsort(r->run, r->runs, sizeof *r->run, roots_by_place);
    roots_compare_members(r);
    r->selection = selection;
    if (selection->all)
        return PRVCUT_OK;
    r->origin =
        prvcut_zeroed((size_t)selection->objects.threads + 1, sizeof *r->origin, "threads", err);
    if (!r->origin)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < r->objects->threads; t++)
        if (selection->thread[t] != PRVCUT_NOBODY)
            r->origin[selection->thread[t]] = t;
    return PRVCUT_OK;
}

struct sought_run {
    const struct cnv_root_run *run;
    uint32_t communicator;
    uint64_t k;
};

/* Does a run end behind the communicator's k-th collective? */
static bool roots_ends_behind(const void *ctx, size_t i)
{
    const struct sought_run *s = ctx;
    const struct cnv_root_run *run = &s->run[i];

    return run->communicator > s->communicator ||
           (run->communicator == s->communicator && run->first + run->count > s->k);
}

/* The run that holds a communicator's k-th rooted collective; NULL: none. */
static const struct cnv_root_run *roots_run_of(const struct cnv_roots *r, uint32_t communicator,
                                               uint64_t k)
{
    const struct sought_run s = { r->run, communicator, k };
    const size_t low = prvcut_first(0, r->runs, roots_ends_behind, &s);

    if (low == r->runs || r->run[low].communicator != communicator || r->run[low].first > k)
        return NULL;
    return &r->run[low];
}

/* Root of a communicator's k-th rooted collective + 1, as it is written; 0: not known. */
static uint32_t root_of(const struct cnv_roots *r, uint32_t communicator, uint64_t k)
{
    const struct cnv_root_run *run =
        r->unknown[communicator] ? NULL : roots_run_of(r, communicator, k);
    uint32_t thread;

    if (!run)
        return 0;
    if (!r->origin)
        return run->root + 1;
    thread = r->selection->thread[r->objects->task_first_thread[run->root]];
    return thread == PRVCUT_NOBODY ? 0 : r->selection->objects.thread_task[thread] + 1;
}

/* Of a thread as it is written. */
static struct cnv_member *roots_written_of(const struct cnv_roots *r, const struct cnv_rooted *c)
{
    return roots_member_of(r, r->origin ? r->origin[c->thread] : c->thread, c->id);
}

static void roots_tell_line(struct cnv_roots *r, const struct cnv_rooted *c,
                            struct prvcut_item *told)
{
    struct cnv_member *m = roots_written_of(r, c);

    if (m)
        told->event.root = root_of(r, m->communicator, m->written++);
}

void cnv_roots_tell(struct cnv_roots *r, struct prvcut_item *item, size_t count)
{
    struct cnv_rooted_list l = { 0 };
    struct prvcut_item *told = NULL;

    for (size_t i = 0; i < count; i++) {
        if (item[i].kind != PRVCUT_ITEM_EVENT)
            continue;
        if (item[i].head) {
            if (l.known == (CALL | COMMUNICATOR))
                roots_tell_line(r, &l.now, told);
            l = (struct cnv_rooted_list){ .now.thread = item[i].thread };
        }
        roots_take_pair(&l, item[i].role, item[i].event.type, item[i].event.value);
        if (item[i].role == PRVCUT_ROLE_COMMUNICATOR)
            told = &item[i];
    }
    if (l.known == (CALL | COMMUNICATOR))
        roots_tell_line(r, &l.now, told);
}

void cnv_roots_tell_again(struct cnv_roots *r, struct prvcut_item *line, size_t count)
{
    struct cnv_rooted_list l = { .now.thread = line->thread };
    struct cnv_member *m;

    for (size_t i = 0; i < count; i++)
        roots_take_pair(&l, line[i].role, line[i].event.type, line[i].event.value);
    m = l.known == (CALL | COMMUNICATOR) ? roots_written_of(r, &l.now) : NULL;
    if (!m)
        return;
    m->written--;
    cnv_roots_tell(r, line, count);
}
