#include "base/memory.h"
#include "paraver/cut.h"
#include "paraver/texts.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status before_cross_state(struct prv_cutter *c, const struct prv_cut_line *l,
                                             struct prvcut_error *err)
{
    const uint64_t from = prv_cut_from(c, l->state.thread);
    struct prvcut_put text = { .err = err };
    enum prvcut_status st;

    if (l->state.begin >= from || l->state.end <= from || prv_cut_to(c, l->state.thread) <= from)
        return PRVCUT_OK;
    prv_put_state(c, &text, l);
    st = prv_border_put(c, from, (uint64_t)l->state.thread << 32, &text);
    c->sum->states++;
    return st;
}

static enum prvcut_status before_line(struct prv_cutter *c, const struct prv_cut_line *l,
                                      struct prvcut_error *err)
{
    const struct prv_before *b = &c->before;

    if (l->kind == PRV_STATE && b->records)
        return before_cross_state(c, l, err);
    if (l->kind == PRV_MESSAGE && b->records)
        return prv_message_is_before(c, &l->message) ? prv_border_message(c, l, err) : PRVCUT_OK;
    if (l->kind != PRV_EVENT || !b->events || l->event.time >= prv_cut_from(c, l->event.thread))
        return PRVCUT_OK;
    if (b->only_told)
        return prv_open_only_event(c, l, &b->only, err);
    prv_collectives_count(c->collectives, l, false);
    return prv_open_event(c, l, err);
}

static int before_by_block(const void *a, const void *b)
{
    const struct prv_run *x = a, *y = b;

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* What a snapshot says is open, by the block that it began in. */
static enum prvcut_status before_sort_runs(const struct prv_snapshot *s, struct prv_run **out,
                                           struct prvcut_error *err)
{
    *out = prvcut_unset((s ? s->runs : 0) + 1, sizeof **out, "blocks", err);
    if (!*out)
        return PRVCUT_ENOMEM;
    if (s && s->runs > 0) {
        memcpy(*out, s->run, s->runs * sizeof **out);
        qsort(*out, s->runs, sizeof **out, before_by_block);
    }
    return PRVCUT_OK;
}

/* First position whose lines, from there on, tell what there is before a time: no other is later.
 */
static size_t before_position_before(const struct prv_cutter *c, uint64_t time)
{
    const struct prv_index *x = &c->trace->index;
    size_t at = 0;

    if (c->trace->unsorted > 0)
        return 0;
    while (at + 1 < x->blocks && x->block[at + 1].key < time)
        at++;
    return at;
}

size_t prv_cut_start(const struct prv_cutter *c)
{
    return before_position_before(c, c->first_from);
}

/* What is wanted of the block at c->block; false: nothing before that block's end is, of any. */
static bool before_look_at_block(struct prv_cutter *c)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_block *at = &x->block[c->block];
    struct prv_before *b = &c->before;

    if (c->trace->unsorted == 0 && c->block > b->snapshot && at->key >= c->last_from)
        return false;
    b->only = (struct prv_open_only){ .run = b->run + b->told, .order = c->order };
    while (b->told + b->only.runs < b->runs && b->only.run[b->only.runs].block == at->number)
        b->only.runs++;
    b->told += b->only.runs;
    b->only_told = c->block < b->snapshot;
    b->records = at->first < c->last_from && at->last >= c->first_from;
    b->events = !b->only_told || b->only.runs > 0;
    return true;
}

/* On to the first block from here on of which something is wanted. */
static void before_seek_before(struct prv_cutter *c)
{
    const size_t blocks = c->trace->index.blocks;

    for (; c->block < blocks; c->block++) {
        if (!before_look_at_block(c))
            c->block = blocks;
        if (c->block == blocks || c->before.records || c->before.events)
            return;
    }
}

static enum prvcut_status before_begin(struct prv_cutter *c, struct prvcut_error *err)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_snapshot *open;
    struct prv_before *b = &c->before;
    enum prvcut_status st;

    b->snapshot = prv_index_snapshot(x, prv_cut_start(c), &open);
    b->runs = open ? open->runs : 0;
    st = before_sort_runs(open, &b->run, err);
    if (st == PRVCUT_OK)
        st = prv_collectives_start(c->collectives, x, open, false, err);
    c->block = 0;
    if (st == PRVCUT_OK)
        before_seek_before(c);
    return st;
}

static void before_next(struct prv_cutter *c)
{
    if (c->before.only_told)
        prv_open_only_end(c, &c->before.only);
    c->block++;
    before_seek_before(c);
}

const struct prv_cut_step prv_cut_before = {
    .begin = before_begin, .line = before_line, .next = before_next, .end = prv_open_settle
};

/* --- Which collectives are whole ---------------------------------------------------------- */

static enum prvcut_status before_ends_line(struct prv_cutter *c, const struct prv_cut_line *l,
                                           struct prvcut_error *err)
{
    (void)err;
    if (l->kind == PRV_EVENT && l->event.time < prv_cut_to(c, l->event.thread) &&
        (!c->ends_inside || l->event.time >= prv_cut_from(c, l->event.thread)))
        prv_collectives_count(c->collectives, l, true);
    return PRVCUT_OK;
}

/* How many collectives there are before the right borders: from a snapshot on, or from the left
   ones where that is nearer. */
static enum prvcut_status before_ends_begin(struct prv_cutter *c, struct prvcut_error *err)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_snapshot *at;
    const size_t start = prv_cut_start(c);
    const size_t first = prv_index_snapshot(x, before_position_before(c, c->first_to), &at);
    enum prvcut_status st = PRVCUT_OK;

    c->ends_inside = first <= start;
    if (c->ends_inside)
        prv_collectives_go_on(c->collectives);
    else
        st = prv_collectives_start(c->collectives, x, at, true, err);
    c->block = x->called.count == 0 ? x->blocks : c->ends_inside ? start : first;
    return st;
}

static void before_ends_next(struct prv_cutter *c)
{
    const struct prv_index *x = &c->trace->index;

    c->block++;
    if (c->trace->unsorted == 0 && c->block < x->blocks && x->block[c->block].key >= c->last_to)
        c->block = x->blocks;
}

static enum prvcut_status before_ends_end(struct prv_cutter *c, struct prvcut_error *err)
{
    const enum prvcut_status st = prv_border_collectives(c, err);

    return st < 0 ? st
                  : prv_collectives_judge(c->collectives, c->trace->unsorted == 0,
                                          &c->sum->split_collectives, err);
}

const struct prv_cut_step prv_cut_ends = { .begin = before_ends_begin,
                                           .line = before_ends_line,
                                           .next = before_ends_next,
                                           .end = before_ends_end };
