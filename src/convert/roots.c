#include "convert/roots.h"

#include "base/buffer.h"
#include "base/memory.h"
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

enum prvcut_status cnv_roots_init(struct cnv_roots *r, const struct prvcut_objects *o,
                                  struct prvcut_error *err)
{
    return prvcut_rooted_init(&r->known, o, err);
}

void cnv_roots_fini(struct cnv_roots *r)
{
    free(r->origin);
    prvcut_rooted_fini(&r->known);
    *r = (struct cnv_roots){ 0 };
}

enum prvcut_status cnv_roots_add(struct cnv_roots *r, struct cnv_rooted_list *l, uint64_t from,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = roots_end_line(l, err);

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        const struct cnv_rooted *c = &l->at[i];
        struct prvcut_rooted_member *m = prvcut_rooted_member(&r->known, c->thread, c->id);

        if (!m)
            continue;
        st = prvcut_rooted_add(&r->known, m, c->root, err);
        m->mark += c->time < from;
    }
    return st;
}

enum prvcut_status cnv_roots_settle(struct cnv_roots *r, const struct cnv_selection *selection,
                                    struct prvcut_error *err)
{
    prvcut_rooted_settle(&r->known);
    r->selection = selection;
    if (selection->all)
        return PRVCUT_OK;
    r->origin =
        prvcut_zeroed((size_t)selection->objects.threads + 1, sizeof *r->origin, "threads", err);
    if (!r->origin)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < r->known.objects->threads; t++)
        if (selection->thread[t] != PRVCUT_NOBODY)
            r->origin[selection->thread[t]] = t;
    return PRVCUT_OK;
}

/* Root of a communicator's k-th rooted collective + 1, as it is written; 0: not known. */
static uint32_t root_of(const struct cnv_roots *r, uint32_t communicator, uint64_t k)
{
    const uint32_t root = prvcut_rooted_root(&r->known, communicator, k);
    uint32_t thread;

    if (root == PRVCUT_NOBODY)
        return 0;
    if (!r->origin)
        return root + 1;
    thread = r->selection->thread[r->known.objects->task_first_thread[root]];
    return thread == PRVCUT_NOBODY ? 0 : r->selection->objects.thread_task[thread] + 1;
}

/* Of a thread as it is written. */
static struct prvcut_rooted_member *roots_written_of(const struct cnv_roots *r,
                                                     const struct cnv_rooted *c)
{
    return prvcut_rooted_member(&r->known, r->origin ? r->origin[c->thread] : c->thread, c->id);
}

static void roots_tell_line(struct cnv_roots *r, const struct cnv_rooted *c,
                            struct prvcut_item *told)
{
    struct prvcut_rooted_member *m = roots_written_of(r, c);

    if (m)
        told->event.root = root_of(r, m->communicator, m->mark++);
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
    struct prvcut_rooted_member *m;

    for (size_t i = 0; i < count; i++)
        roots_take_pair(&l, line[i].role, line[i].event.type, line[i].event.value);
    m = l.known == (CALL | COMMUNICATOR) ? roots_written_of(r, &l.now) : NULL;
    if (!m)
        return;
    m->mark--;
    cnv_roots_tell(r, line, count);
}
