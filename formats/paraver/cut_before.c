#include "base/memory.h"
#include "paraver/cut.h"
#include "paraver/texts.h"

#include <stdlib.h>
#include <string.h>

/* How a block before the borders is read. */
struct before {
    const struct prv_open_only *only; /* NULL: all that it opens counts */
    bool events, records;
};

static enum prvcut_status cross_state(struct prv_cutter *c, const struct prv_cut_line *l,
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

static enum prvcut_status before_line(struct prv_cutter *c, const struct prv_cut_line *l, void *ctx,
                                      struct prvcut_error *err)
{
    const struct before *b = ctx;

    if (l->kind == PRV_STATE && b->records)
        return cross_state(c, l, err);
    if (l->kind == PRV_MESSAGE && b->records)
        return prv_message_is_before(c, &l->message) ? prv_border_message(c, l, err) : PRVCUT_OK;
    if (l->kind != PRV_EVENT || !b->events || l->event.time >= prv_cut_from(c, l->event.thread))
        return PRVCUT_OK;
    if (b->only)
        return prv_open_only_event(c, l, b->only, err);
    prv_collectives_count(c->collectives, l, false);
    return prv_open_event(c, l, err);
}

static int by_block(const void *a, const void *b)
{
    const struct prv_run *x = a, *y = b;

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* What a snapshot says is open, by the block that it began in. */
static enum prvcut_status sort_runs(const struct prv_snapshot *s, struct prv_run **out,
                                    struct prvcut_error *err)
{
    *out = prvcut_unset((s ? s->runs : 0) + 1, sizeof **out, "blocks", err);
    if (!*out)
        return PRVCUT_ENOMEM;
    if (s && s->runs > 0) {
        memcpy(*out, s->run, s->runs * sizeof **out);
        qsort(*out, s->runs, sizeof **out, by_block);
    }
    return PRVCUT_OK;
}

/* First position whose lines, from there on, tell what there is before a time: no other is later.
 */
static size_t position_before(const struct prv_cutter *c, uint64_t time)
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
    return position_before(c, c->first_from);
}

/* A block before the borders. */
static enum prvcut_status read_one(struct prv_cutter *c, struct prv_texts *texts, uint64_t number,
                                   struct before *how, struct prvcut_error *err)
{
    struct prv_text *text;
    enum prvcut_status st;

    if (!how->records && !how->events)
        return PRVCUT_OK;
    st = prv_texts_get(texts, number, &text, err);
    if (st == PRVCUT_OK)
        st = prv_cut_each_line(c, text, before_line, how, err);
    if (st == PRVCUT_OK && how->only)
        prv_open_only_end(c, how->only);
    return st;
}

static enum prvcut_status read_before(struct prv_cutter *c, struct prv_texts *texts,
                                      struct prvcut_error *err)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_snapshot *open;
    const size_t snapshot = prv_index_snapshot(x, prv_cut_start(c), &open);
    const size_t runs = open ? open->runs : 0;
    const bool sorted = c->trace->unsorted == 0;
    struct prv_run *run;
    size_t told = 0;
    enum prvcut_status st = sort_runs(open, &run, err);

    if (st == PRVCUT_OK)
        st = prv_collectives_start(c->collectives, x, open, false, err);
    for (size_t i = 0; i < x->blocks && st == PRVCUT_OK; i++) {
        const struct prv_block *b = &x->block[i];
        struct prv_open_only only = { .run = run + told, .order = c->order };
        struct before how = { .records = b->first < c->last_from && b->last >= c->first_from };

        if (sorted && i > snapshot && b->key >= c->last_from)
            break;
        while (told + only.runs < runs && only.run[only.runs].block == b->number)
            only.runs++;
        told += only.runs;
        how.only = i < snapshot ? &only : NULL;
        how.events = i >= snapshot || only.runs > 0;
        st = read_one(c, texts, b->number, &how, err);
    }
    free(run);
    return st;
}

/* --- Which collectives are whole ---------------------------------------------------------- */

static enum prvcut_status end_line(struct prv_cutter *c, const struct prv_cut_line *l, void *ctx,
                                   struct prvcut_error *err)
{
    const bool *inside = ctx;

    (void)err;
    if (l->kind == PRV_EVENT && l->event.time < prv_cut_to(c, l->event.thread) &&
        (!*inside || l->event.time >= prv_cut_from(c, l->event.thread)))
        prv_collectives_count(c->collectives, l, true);
    return PRVCUT_OK;
}

/* How many collectives there are before the right borders: from a snapshot on, or from the left
   ones where that is nearer. */
static enum prvcut_status count_ends(struct prv_cutter *c, struct prv_texts *texts,
                                     struct prvcut_error *err)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_snapshot *at;
    const size_t start = prv_cut_start(c);
    size_t first = prv_index_snapshot(x, position_before(c, c->first_to), &at);
    bool inside = first <= start;
    enum prvcut_status st = PRVCUT_OK;

    if (inside) {
        first = start;
        prv_collectives_go_on(c->collectives);
    } else {
        st = prv_collectives_start(c->collectives, x, at, true, err);
    }
    for (size_t i = first; i < x->blocks && st == PRVCUT_OK && x->called.count > 0; i++) {
        struct prv_text *text;

        if (c->trace->unsorted == 0 && i > first && x->block[i].key >= c->last_to)
            break;
        st = prv_texts_get(texts, x->block[i].number, &text, err);
        if (st == PRVCUT_OK)
            st = prv_cut_each_line(c, text, end_line, &inside, err);
    }
    return st;
}

static enum prvcut_status judge_collectives(struct prv_cutter *c, struct prv_texts *texts,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = count_ends(c, texts, err);

    if (st == PRVCUT_OK)
        st = prv_border_collectives(c, err);
    return st < 0 ? st
                  : prv_collectives_judge(c->collectives, c->trace->unsorted == 0,
                                          &c->sum->split_collectives, err);
}

enum prvcut_status prv_cut_before(struct prv_cutter *c, struct prv_texts *texts,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = read_before(c, texts, err);

    if (st == PRVCUT_OK)
        st = prv_open_settle(c, err);
    return st < 0 ? st : judge_collectives(c, texts, err);
}
