#include "base/memory.h"
#include "base/table.h"
#include "match/callers.h"
#include "paraver/cut.h"

#include <stdlib.h>

/*
 * A straight border can cut through a collective: some of its tasks called it before the border,
 * the others after. Calls carry no number, but the index knows how many came before a block, and
 * how many there are.
 */

/* A task's collectives on a communicator. */
struct cll_row {
    uint32_t task, communicator; /* the key */
    uint64_t before, end, all;   /* left border, right border, whole trace */
    uint64_t next;               /* of the next one that is written */
    struct prvcut_whole whole;
};

struct prv_collectives {
    const struct prvcut_objects *objects;
    const struct prv_parse_plan *plan;
    struct prvcut_table rows; /* of struct cll_row */
};

enum prvcut_status prv_collectives_new(struct prv_collectives **out, const struct prv_cutter *c,
                                       struct prvcut_error *err)
{
    struct prv_collectives *s = prvcut_zeroed(1, sizeof *s, "collectives", err);

    *out = s;
    if (!s)
        return PRVCUT_ENOMEM;
    s->objects = &c->plan.header->objects;
    s->plan = &c->plan;
    s->rows = (struct prvcut_table)PRVCUT_TABLE(struct cll_row, before, "collectives");
    return PRVCUT_OK;
}

void prv_collectives_free(struct prv_collectives *s)
{
    if (s)
        prvcut_table_fini(&s->rows);
    free(s);
}

enum prvcut_status prv_collectives_start(struct prv_collectives *s, const struct prv_index *x,
                                         const struct prv_snapshot *at, bool right,
                                         struct prvcut_error *err)
{
    const struct prv_called *called = x->called.at;

    for (size_t i = 0; i < x->called.count; i++) {
        const uint64_t count = at && i < at->calleds ? at->called[i] : 0;
        struct cll_row *row = prvcut_table_make(&s->rows, &called[i], err);

        if (!row)
            return PRVCUT_ENOMEM;
        row->all = called[i].count;
        *(right ? &row->end : &row->before) = count;
    }
    return PRVCUT_OK;
}

void prv_collectives_go_on(struct prv_collectives *s)
{
    struct cll_row *row = s->rows.at;

    for (size_t i = 0; i < s->rows.count; i++)
        row[i].end = row[i].before;
}

/* Whose collectives begin in the line, and how many; NULL: none, or it is not known. */
static struct cll_row *cll_row_of(struct prv_collectives *s, const struct prv_cut_line *l,
                                  uint32_t *count)
{
    struct prv_calling calling = { .begins = 0 };
    struct prv_fields rest = l->pairs;
    struct prv_called key;
    int64_t value;
    uint32_t type;
    bool region;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK)
        prv_calling_pair(s->plan, &calling, prv_labels_role(s->plan->labels, type, &region), value);
    *count = calling.begins;
    if (!prv_calling_is_known(&calling))
        return NULL;
    key = (struct prv_called){ .task = s->objects->thread_task[l->event.thread],
                               .communicator = (uint32_t)calling.communicator };
    return prvcut_table_find(&s->rows, &key);
}

void prv_collectives_count(struct prv_collectives *s, const struct prv_cut_line *l, bool right)
{
    uint32_t count;
    struct cll_row *row = cll_row_of(s, l, &count);

    if (row)
        *(right ? &row->end : &row->before) += count;
}

void prv_collectives_reopen(struct prv_collectives *s, const struct prv_cut_line *l)
{
    uint32_t count;
    struct cll_row *row = cll_row_of(s, l, &count);

    /* Of several in a line the last one is open. */
    if (row && row->before > 0)
        row->before--;
}

uint32_t prv_collectives_take(struct prv_collectives *s, const struct prv_cut_line *l)
{
    uint32_t count, whole = PRV_ALL_WHOLE;
    struct cll_row *row = cll_row_of(s, l, &count);

    for (uint32_t i = 0; row && i < count; i++)
        if (!prvcut_whole_has(&row->whole, row->next++))
            whole &= ~prv_collective_bit(i);
    return whole;
}

bool prv_collectives_take_open(struct prv_collectives *s, const struct prv_cut_line *l)
{
    uint32_t count;
    struct cll_row *row = cll_row_of(s, l, &count);

    return !row || prvcut_whole_has(&row->whole, row->next++);
}

bool prv_collectives_take_all(struct prv_collectives *s, const struct prv_called *called,
                              size_t count)
{
    size_t taken = 0;

    for (; taken < count; taken++) {
        struct cll_row *row = prvcut_table_find(&s->rows, &called[taken]);

        if (row && !prvcut_whole_has(&row->whole, row->next))
            break;
        if (row)
            row->next++;
    }
    if (taken == count)
        return true;
    while (taken-- > 0) {
        struct cll_row *row = prvcut_table_find(&s->rows, &called[taken]);

        if (row)
            row->next--;
    }
    return false;
}

/* --- Which are whole ----------------------------------------------------------------------------
 */

enum prvcut_status prv_collectives_judge(struct prv_collectives *s, bool ordered, uint64_t *split,
                                         struct prvcut_error *err)
{
    const size_t count = s->rows.count;
    struct cll_row *row = s->rows.at;
    struct prvcut_caller *caller = prvcut_zeroed(count + 1, sizeof *caller, "collectives", err);
    enum prvcut_status st;

    if (!caller)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const uint64_t inside = row[i].end > row[i].before ? row[i].end - row[i].before : 0;

        row[i].next = row[i].before;
        caller[i] = (struct prvcut_caller){
            .communicator = row[i].communicator,
            .application = prvcut_objects_application(s->objects, row[i].task),
            .member = row[i].task,
            .taking = { row[i].before, inside, row[i].end >= row[i].all },
            .whole = &row[i].whole,
        };
    }
    st = prvcut_callers_judge(caller, count, prvcut_callers_are_tasks, s->objects, split, err);
    for (size_t i = 0; i < count && !ordered; i++)
        row[i].whole = PRVCUT_ALL_WHOLE;
    free(caller);
    return st;
}
