#include "convert/split.h"

#include "base/memory.h"
#include "match/callers.h"
#include "model/calls.h"

#include <stdlib.h>

/* A task's collectives on a communicator. */
struct cnv_split_row {
    uint32_t task, id;            /* the key */
    uint64_t before, inside, all; /* in the end what is open at the start is inside */
    uint64_t next;                /* of the next one that is written */
    struct prvcut_whole whole;
};

/* The last line on collectives that a thread has before the window. */
struct cnv_split_open {
    uint32_t thread; /* the key */
    uint32_t task, id;
    bool open;
};

#define ROWS  PRVCUT_TABLE(struct cnv_split_row, before, "collectives")
#define OPENS PRVCUT_TABLE(struct cnv_split_open, task, "threads")

static bool spl_begins(uint32_t role, uint32_t type, int64_t value)
{
    const struct prvcut_mpi_call *call =
        role == PRVCUT_ROLE_COLLECTIVE && value != 0 ? prvcut_mpi_call_by_value(type, value) : NULL;

    return call && call->operation >= 0 && !call->nonblocking;
}

bool cnv_split_begins(const struct prvcut_item *event)
{
    return spl_begins(event->role, event->event.type, event->event.value);
}

static void spl_take_pair(struct cnv_split_line *l, uint32_t role, uint32_t type, int64_t value)
{
    if (role == PRVCUT_ROLE_COMMUNICATOR)
        l->id = value;
    if (role != PRVCUT_ROLE_COLLECTIVE)
        return;
    l->any = true;
    l->begins += spl_begins(role, type, value);
}

static bool spl_is_known(const struct cnv_split_line *l)
{
    return l->begins > 0 && l->id > 0 && l->id <= UINT32_MAX;
}

/* --- While the trace is read --------------------------------------------------------------------
 */

void cnv_split_begin(struct cnv_split_list *l, const struct prvcut_objects *o,
                     struct prvcut_span window)
{
    l->rows = (struct prvcut_table)ROWS;
    l->opens = (struct prvcut_table)OPENS;
    l->objects = o;
    l->window = window;
}

static enum prvcut_status spl_end_line(struct cnv_split_list *l, struct prvcut_error *err)
{
    const struct cnv_split_line now = l->now;
    const bool before = now.time < l->window.start;
    struct cnv_split_row key = { .id = (uint32_t)now.id }, *row;
    struct cnv_split_open *open;

    l->now = (struct cnv_split_line){ .any = false };
    if (!now.any)
        return PRVCUT_OK;
    key.task = l->objects->thread_task[now.thread];
    if (spl_is_known(&now)) {
        row = prvcut_table_make(&l->rows, &key, err);
        if (!row)
            return PRVCUT_ENOMEM;
        row->all += now.begins;
        row->before += before ? now.begins : 0;
        row->inside += !before && now.time < l->window.end ? now.begins : 0;
    }
    if (!before)
        return PRVCUT_OK;
    open = prvcut_table_make(&l->opens, &now.thread, err);
    if (!open)
        return PRVCUT_ENOMEM;
    *open = (struct cnv_split_open){ now.thread, key.task, key.id, spl_is_known(&now) };
    return PRVCUT_OK;
}

enum prvcut_status cnv_split_note(struct cnv_split_list *l, const struct prvcut_batch *b,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];

        if (e->head) {
            st = spl_end_line(l, err);
            l->now = (struct cnv_split_line){ .thread = e->thread, .time = e->time };
        }
        spl_take_pair(&l->now, e->role, e->type, e->value);
    }
    return st;
}

void cnv_split_list_fini(struct cnv_split_list *l)
{
    prvcut_table_fini(&l->rows);
    prvcut_table_fini(&l->opens);
}

enum prvcut_status cnv_split_add(struct cnv_split *s, struct cnv_split_list *l,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = spl_end_line(l, err);
    const struct cnv_split_row *row = l->rows.at;
    const struct cnv_split_open *open = l->opens.at;

    if (s->rows.item == 0) {
        s->rows = (struct prvcut_table)ROWS;
        s->opens = (struct prvcut_table)OPENS;
    }
    for (size_t i = 0; i < l->rows.count && st == PRVCUT_OK; i++) {
        struct cnv_split_row *to = prvcut_table_make(&s->rows, &row[i], err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->before += row[i].before;
        to->inside += row[i].inside;
        to->all += row[i].all;
    }
    for (size_t i = 0; i < l->opens.count && st == PRVCUT_OK; i++) {
        struct cnv_split_open *to = prvcut_table_make(&s->opens, &open[i], err);

        if (!to)
            return PRVCUT_ENOMEM;
        *to = open[i];
    }
    return st;
}

/* --- Which are split ----------------------------------------------------------------------------
 */

/* What is open at the start is inside. */
static void spl_open(struct cnv_split *s)
{
    const struct cnv_split_open *open = s->opens.at;

    for (size_t i = 0; i < s->opens.count; i++) {
        const struct cnv_split_row key = { .task = open[i].task, .id = open[i].id };
        struct cnv_split_row *row = open[i].open ? prvcut_table_find(&s->rows, &key) : NULL;

        if (!row)
            continue;
        row->before--;
        row->inside++;
    }
}

enum prvcut_status cnv_split_settle(struct cnv_split *s, const struct prvcut_objects *o,
                                    struct prvcut_error *err)
{
    const size_t count = s->rows.count;
    struct prvcut_caller *caller = prvcut_zeroed(count + 1, sizeof *caller, "collectives", err);
    struct cnv_split_row *row = s->rows.at;
    enum prvcut_status st;
    uint64_t split;

    s->objects = o;
    if (!caller)
        return PRVCUT_ENOMEM;
    /* The one that is open at the start has its begin there. */
    for (size_t i = 0; i < count; i++)
        row[i].next = row[i].before;
    spl_open(s);
    for (size_t i = 0; i < count; i++)
        caller[i] = (struct prvcut_caller){
            .communicator = row[i].id,
            .application = prvcut_objects_application(o, row[i].task),
            .member = row[i].task,
            .taking = { row[i].before, row[i].inside, row[i].before + row[i].inside >= row[i].all },
            .whole = &row[i].whole,
        };
    st = prvcut_callers_judge(caller, count, prvcut_callers_are_tasks, o, &split, err);
    free(caller);
    return st;
}

/* Of the collective that a line begins; NULL: none, or none that is counted. */
static struct cnv_split_row *spl_row_of(const struct cnv_split *s, const struct prvcut_item *item,
                                        size_t count, uint32_t *begins)
{
    struct cnv_split_line l = { .thread = item->thread };
    struct cnv_split_row key = { 0 };

    for (size_t i = 0; i < count; i++)
        spl_take_pair(&l, item[i].role, item[i].event.type, item[i].event.value);
    *begins = l.begins;
    if (!spl_is_known(&l) || s->rows.count == 0)
        return NULL;
    key.task = s->objects->thread_task[l.thread];
    key.id = (uint32_t)l.id;
    return prvcut_table_find(&s->rows, &key);
}

uint32_t cnv_split_of(struct cnv_split *s, const struct prvcut_item *item, size_t count)
{
    uint32_t begins, split = 0;
    struct cnv_split_row *row = spl_row_of(s, item, count, &begins);

    for (uint32_t i = 0; row && i < begins; i++)
        if (!prvcut_whole_has(&row->whole, row->next++))
            split |= cnv_split_bit(i);
    return split;
}

bool cnv_split_has_open(const struct cnv_split *s, const struct prvcut_item *item, size_t count)
{
    uint32_t begins;
    const struct cnv_split_row *row = spl_row_of(s, item, count, &begins);

    /* Of several in a line the last one is open. */
    return row && !prvcut_whole_has(&row->whole, row->before);
}

void cnv_split_fini(struct cnv_split *s)
{
    prvcut_table_fini(&s->rows);
    prvcut_table_fini(&s->opens);
}
