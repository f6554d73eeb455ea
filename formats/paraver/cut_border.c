#include "base/memory.h"
#include "base/search.h"
#include "paraver/cut.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Index of a region type; plan->regions: it is none. */
static unsigned region_index(const struct prv_parse_plan *plan, uint32_t type)
{
    return (unsigned)prvcut_index_u32(plan->region_type, plan->regions, sizeof *plan->region_type,
                                      0, type);
}

static enum prvcut_status remember(struct prv_open *o, const struct prv_cut_line *l, uint64_t order,
                                   struct prvcut_error *err)
{
    const size_t count = (size_t)(l->end - l->at);

    if (prvcut_grow((void **)&o->line, &o->room, count, 1, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(o->line, l->at, count);
    o->count = count;
    o->order = order;
    return PRVCUT_OK;
}

enum prvcut_status prv_border_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                    struct prvcut_error *err)
{
    struct prv_fields rest = l->pairs;
    uint32_t type;
    int64_t value;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK) {
        const unsigned region = region_index(&c->plan, type);
        struct prv_open *o;

        if (region == c->plan.regions)
            continue;
        o = &c->open[(size_t)l->event.thread * c->plan.regions + region];
        /* The latest one counts, also where lines are out of order. */
        if (l->event.time < o->time)
            continue;
        o->value = value;
        o->time = l->event.time;
        if (value != 0 && remember(o, l, c->order, err) < 0)
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static bool keeps_pair(const struct prv_cutter *c, uint32_t thread, uint32_t type, int64_t value,
                       uint64_t order)
{
    const unsigned region = region_index(&c->plan, type);
    const struct prv_open *o;
    bool is_region;
    enum prvcut_role role;

    if (region < c->plan.regions) {
        o = &c->open[(size_t)thread * c->plan.regions + region];
        return o->value != 0 && o->value == value && o->order == order;
    }
    role = prv_labels_role(c->plan.labels, type, &is_region);
    return role != PRVCUT_ROLE_INSTRUCTIONS && role != PRVCUT_ROLE_CYCLES &&
           role != PRVCUT_ROLE_FLOPS && role != PRVCUT_ROLE_COUNTER;
}

/* The opening line again, at the border, without what is no longer open and without counters. */
static enum prvcut_status reopen(struct prv_cutter *c, uint32_t thread, const struct prv_open *o,
                                 struct prvcut_put *text)
{
    struct prv_cut_line l = { .at = o->line, .end = o->line + o->count };
    const uint64_t from = prv_cut_from(c, thread);
    const enum prvcut_status st = prv_slow_line(&c->plan, l.at, l.end, &l.kind, &l.state, &l.event,
                                                &l.message, &l.pairs, text->err);
    struct prv_fields rest = l.pairs;
    uint32_t type;
    int64_t value;

    if (st < 0)
        return st;
    text->b.count = 0;
    prvcut_put_between(text, l.at, prv_field(&l, 5));
    prvcut_put_printf(text, "%" PRIu64, (from - c->base) / c->plan.header->unit_ns);
    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK)
        if (keeps_pair(c, thread, type, value, o->order))
            prvcut_put_printf(text, ":%" PRIu32 ":%" PRId64, type, value);
    prvcut_put_string(text, c->eol);
    return text->st < 0 ? text->st : prv_collectives_begin(c->collectives, &l, from, text->err);
}

enum prvcut_status prv_border_reopen(struct prv_cutter *c, uint32_t thread,
                                     struct prvcut_error *err)
{
    const struct prv_open *open = &c->open[(size_t)thread * c->plan.regions];
    struct prvcut_put text = { .err = err };
    uint64_t done = 0; /* orders start at 1 */
    enum prvcut_status st = PRVCUT_OK;

    if (!prv_cut_takes(c, thread))
        return PRVCUT_OK;
    /* Lines in the order in which they stood; one line may have opened several regions. */
    for (;;) {
        const struct prv_open *next = NULL;

        for (unsigned r = 0; r < c->plan.regions; r++)
            if (open[r].value != 0 && open[r].order > done &&
                (!next || open[r].order < next->order))
                next = &open[r];
        if (!next || st < 0)
            break;
        done = next->order;
        st = reopen(c, thread, next, &text);
        if (st == PRVCUT_OK)
            st = prv_border_add(&c->left, prv_cut_from(c, thread), ((uint64_t)thread << 32) + done,
                                &text.b, err);
        c->sum->reopened++;
    }
    prvcut_buffer_fini(&text.b);
    return st;
}

enum prvcut_status prv_border_close(struct prv_cutter *c, uint32_t thread, struct prvcut_error *err)
{
    const struct prv_open *open = &c->open[(size_t)thread * c->plan.regions];
    struct prvcut_put text = { .err = err };
    enum prvcut_status st;

    for (unsigned r = 0; r < c->plan.regions && prv_cut_takes(c, thread); r++) {
        struct prv_cut_line l = { .at = open[r].line };

        if (open[r].value == 0)
            continue;
        l.end = l.at + open[r].count;
        if (text.b.count == 0) {
            prvcut_put_between(&text, l.at, prv_field(&l, 5));
            prvcut_put_printf(&text, "%" PRIu64,
                              (prv_cut_to(c, thread) - c->base) / c->plan.header->unit_ns);
        }
        prvcut_put_printf(&text, ":%" PRIu32 ":0", c->plan.region_type[r]);
    }
    st = text.st;
    if (text.b.count > 0) {
        c->sum->closed++;
        prvcut_put_string(&text, c->eol);
        st = text.st < 0 ? text.st
                         : prv_border_add(&c->right, prv_cut_to(c, thread), thread, &text.b, err);
    }
    prvcut_buffer_fini(&text.b);
    return st;
}

enum prvcut_status prv_border_add(struct prv_border_lines *b, uint64_t time, uint64_t order,
                                  const struct prvcut_buffer *text, struct prvcut_error *err)
{
    struct prv_border_line *l;

    if (b->count == b->room &&
        prvcut_grow((void **)&b->at, &b->room, b->count + 1, sizeof *b->at, err) < 0)
        return PRVCUT_ENOMEM;
    l = &b->at[b->count];
    *l = (struct prv_border_line){ time, order, malloc(text->count + 1), text->count };
    if (!l->text)
        return prvcut_no_memory(err, "a line at the border");
    if (text->count > 0)
        memcpy(l->text, text->at, text->count);
    b->count++;
    return PRVCUT_OK;
}

static int by_time(const void *a, const void *b)
{
    const struct prv_border_line *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void prv_border_sort(struct prv_border_lines *b)
{
    if (b->count > 0)
        qsort(b->at, b->count, sizeof *b->at, by_time);
}

void prv_border_fini(struct prv_border_lines *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->at[i].text);
    free(b->at);
    memset(b, 0, sizeof *b);
}
