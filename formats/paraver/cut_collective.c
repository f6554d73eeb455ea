#include "base/memory.h"
#include "base/table.h"
#include "model/crossing.h"
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

/* Whose collective begins in the line; NULL: none, or it is not known. */
static struct cll_row *cll_row_of(struct prv_collectives *s, const struct prv_cut_line *l)
{
    struct prv_calling calling = { .begins = false };
    struct prv_fields rest = l->pairs;
    struct prv_called key;
    int64_t value;
    uint32_t type;
    bool region;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK)
        prv_calling_pair(s->plan, &calling, prv_labels_role(s->plan->labels, type, &region), value);
    if (!prv_calling_is_known(&calling))
        return NULL;
    key = (struct prv_called){ .task = s->objects->thread_task[l->event.thread],
                               .communicator = (uint32_t)calling.communicator };
    return prvcut_table_find(&s->rows, &key);
}

void prv_collectives_count(struct prv_collectives *s, const struct prv_cut_line *l, bool right)
{
    struct cll_row *row = cll_row_of(s, l);

    if (row)
        ++*(right ? &row->end : &row->before);
}

void prv_collectives_reopen(struct prv_collectives *s, const struct prv_cut_line *l)
{
    struct cll_row *row = cll_row_of(s, l);

    if (row && row->before > 0)
        row->before--;
}

bool prv_collectives_take(struct prv_collectives *s, const struct prv_cut_line *l)
{
    struct cll_row *row = cll_row_of(s, l);
    uint64_t ordinal;

    if (!row)
        return true;
    ordinal = row->next++;
    return ordinal >= row->whole.low && ordinal < row->whole.high;
}

/* --- Which are whole ----------------------------------------------------------------------------
 */

/* A row and its communicator's application. */
struct cll_part {
    struct cll_row *row;
    uint32_t application;
};

static int cll_by_communicator(const void *a, const void *b)
{
    const struct cll_part *x = a, *y = b;

    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->row->communicator != y->row->communicator)
        return x->row->communicator < y->row->communicator ? -1 : 1;
    if (x->row->before != y->row->before)
        return x->row->before < y->row->before ? -1 : 1;
    return (x->row->task > y->row->task) - (x->row->task < y->row->task);
}

static uint32_t cll_application_of(const struct prvcut_objects *o, uint32_t task)
{
    uint32_t a = 0;

    while (a + 1 < o->applications && o->application_first_task[a + 1] <= task)
        a++;
    return a;
}

static const struct prvcut_communicator *cll_communicator_of(const struct prvcut_objects *o,
                                                             const struct cll_part *part)
{
    for (uint32_t i = 0; i < o->communicators; i++)
        if (o->communicator[i].application == part->application &&
            o->communicator[i].id == part->row->communicator)
            return &o->communicator[i];
    return NULL;
}

static bool cll_is_member(const struct prvcut_objects *o, const struct prvcut_communicator *m,
                          uint32_t task)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (o->member[m->first + i] == task)
            return true;
    return false;
}

/* The parts of one communicator; how many of its collectives are split. Who is not known to call
   together keeps all. */
static uint64_t cll_judge_parts(const struct prvcut_objects *o, struct cll_part *part, size_t count,
                                struct prvcut_taking *taking, bool ordered)
{
    const struct prvcut_communicator *m = cll_communicator_of(o, part);
    struct prvcut_whole whole = { 0, UINT64_MAX };
    bool known = m && m->count > 1;
    uint64_t split = 0;

    for (size_t i = 0; i < count; i++) {
        const struct cll_row *row = part[i].row;

        known = known && cll_is_member(o, m, row->task);
        taking[i] = (struct prvcut_taking){ row->before,
                                            row->end > row->before ? row->end - row->before : 0,
                                            row->end >= row->all };
    }
    if (known)
        split = prvcut_collectives_inside(taking, count, &whole);
    for (size_t i = 0; i < count; i++) {
        part[i].row->whole = ordered ? whole : (struct prvcut_whole){ 0, UINT64_MAX };
        part[i].row->next = part[i].row->before;
    }
    return split;
}

enum prvcut_status prv_collectives_judge(struct prv_collectives *s, bool ordered, uint64_t *split,
                                         struct prvcut_error *err)
{
    const size_t count = s->rows.count;
    struct cll_row *row = s->rows.at;
    struct cll_part *part = prvcut_unset(count + 1, sizeof *part, "collectives", err);
    struct prvcut_taking *taking = prvcut_unset(count + 1, sizeof *taking, "collectives", err);

    *split = 0;
    for (size_t i = 0; part && i < count; i++)
        part[i] = (struct cll_part){ &row[i], cll_application_of(s->objects, row[i].task) };
    if (part && taking && count > 0) {
        qsort(part, count, sizeof *part, cll_by_communicator);
        for (size_t i = 0, n; i < count; i += n) {
            for (n = 1; i + n < count && part[i + n].application == part[i].application &&
                        part[i + n].row->communicator == part[i].row->communicator;)
                n++;
            *split += cll_judge_parts(s->objects, &part[i], n, taking, ordered);
        }
    }
    free(taking);
    free(part);
    return part && taking ? PRVCUT_OK : PRVCUT_ENOMEM;
}
