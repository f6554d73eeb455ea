#include "paraver/cut.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct prv_cut_step *const rd_steps[PRV_CUT_STEPS] = { &prv_cut_before, &prv_cut_ends,
                                                                    &prv_cut_late,
                                                                    &prv_cut_inside };

/** Cutters on their way through one reading. */
struct rd_reading {
    struct prv_cutter *cutter; /* [count] */
    size_t count;
    struct prv_cutter **now; /* [nows] those that want the present block; owned */
    size_t nows;
    struct prv_texts *texts;
    struct prv_cut_progress told;
};

/* Who wants a block; those who are in the window, which is what people wait for, are counted. */
static void reading_ask(struct rd_reading *r, size_t block)
{
    r->nows = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct prv_cutter *c = &r->cutter[i];

        if (c->step == PRV_CUT_STEPS || c->block != block)
            continue;
        r->now[r->nows++] = c;
        r->told.done += c->step + 1 == PRV_CUT_STEPS;
    }
}

static enum prvcut_status reading_take_line(const struct rd_reading *r,
                                            const struct prv_cut_line *l, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < r->nows && st >= 0; i++)
        st = rd_steps[r->now[i]->step]->line(r->now[i], l, err);
    return st;
}

/* Every line of a block; lines that a lenient scan skipped are skipped again. */
static enum prvcut_status reading_each_line(const struct rd_reading *r, const struct prv_text *text,
                                            struct prvcut_error *err)
{
    const struct prv_parse_plan *plan = &r->cutter->plan;
    const struct prv_trace *trace = r->cutter->trace;
    const struct prv_index *x = &trace->index;
    const size_t position = prv_index_position(x, text->number);
    uint64_t lines = 0;

    for (const char *at = text->at; at < text->end; lines++) {
        const char *newline = memchr(at, '\n', (size_t)(text->end - at));
        struct prv_cut_line l = { .at = at, .end = newline, .eol_end = newline + 1 };
        struct prvcut_error local = { 0 };
        enum prvcut_status st;

        if (l.end > l.at && l.end[-1] == '\r')
            l.end--;
        at = newline + 1;
        for (size_t i = 0; i < r->nows; i++)
            r->now[i]->order++;
        st = prv_slow_line(plan, l.at, l.end, &l.kind, &l.state, &l.event, &l.message, &l.pairs,
                           &local);
        if (st == PRVCUT_EFORMAT && plan->lenient)
            continue;
        if (st < 0)
            return prvcut_fail(err, PRVCUT_EIO, "%s: changed while it was read: %s",
                               trace->base.path, local.text);
        if (l.kind == PRV_IGNORED)
            continue;
        st = reading_take_line(r, &l, err);
        if (st < 0)
            return st;
    }
    if (position == x->blocks || x->block[position].lines != lines)
        return prvcut_fail(err, PRVCUT_EIO, "%s: changed while it was read: lines are gone",
                           trace->base.path);
    return PRVCUT_OK;
}

/* Steps that want nothing more are at their end, and the next one begins. */
static enum prvcut_status reading_go_on(struct prv_cutter *c, struct prvcut_error *err)
{
    const size_t blocks = c->trace->index.blocks;
    enum prvcut_status st = PRVCUT_OK;

    while (c->step < PRV_CUT_STEPS && c->block >= blocks && st == PRVCUT_OK) {
        st = rd_steps[c->step]->end(c, err);
        if (st == PRVCUT_OK && ++c->step < PRV_CUT_STEPS)
            st = rd_steps[c->step]->begin(c, err);
    }
    return st;
}

static enum prvcut_status reading_block(struct rd_reading *r, size_t block,
                                        struct prvcut_error *err)
{
    const struct prv_index *x = &r->cutter->trace->index;
    struct prv_text *text;
    enum prvcut_status st = prv_cut_tell(&r->told, err);

    if (st < 0)
        return st;
    reading_ask(r, block);
    st = prv_texts_get(r->texts, x->block[block].number, &text, err);
    if (st == PRVCUT_OK)
        st = reading_each_line(r, text, err);
    for (size_t i = 0; i < r->nows && st == PRVCUT_OK; i++)
        rd_steps[r->now[i]->step]->next(r->now[i]);
    return st;
}

/*
 * The next block of a reading that is at `at`: going on is cheap, and so is going back as far as
 * blocks are kept; where nobody wants anything there, the reading begins again.
 */
static size_t reading_next(const struct rd_reading *r, size_t at)
{
    const size_t blocks = r->cutter->trace->index.blocks;
    size_t ahead = blocks, least = blocks;

    for (size_t i = 0; i < r->count; i++) {
        const struct prv_cutter *c = &r->cutter[i];

        if (c->step == PRV_CUT_STEPS)
            continue;
        least = c->block < least ? c->block : least;
        if (c->block + PRV_TEXTS_KEPT > at && c->block < ahead)
            ahead = c->block;
    }
    return ahead < blocks ? ahead : least;
}

static void reading_count_windows(struct rd_reading *r)
{
    for (size_t k = 0; k < r->count; k++) {
        const struct prv_cutter *c = &r->cutter[k];
        const struct prv_index *x = &c->trace->index;

        for (size_t i = prv_index_find(x, prv_cut_start(c), c->first_from, c->last_to);
             i < x->blocks; i = prv_index_find(x, i + 1, c->first_from, c->last_to))
            r->told.all++;
    }
}

static enum prvcut_status reading_lines(void *ctx, const struct prv_text *text,
                                        struct prvcut_error *err)
{
    return reading_each_line(ctx, text, err);
}

/* What only one of them wants is written by several workers, as far as it lies between borders. */
static enum prvcut_status reading_middle(struct rd_reading *r, struct prvcut_error *err)
{
    const struct prv_cut_middle wish = {
        .texts = r->texts, .told = &r->told, .ctx = r, .lines = reading_lines
    };
    enum prvcut_status st;

    r->now[0] = r->cutter;
    r->nows = 1;
    st = prv_cut_middle(r->cutter, &wish, err);
    return st == PRVCUT_OK ? reading_go_on(r->cutter, err) : st;
}

static enum prvcut_status reading_run(struct rd_reading *r, struct prvcut_error *err)
{
    const size_t blocks = r->cutter->trace->index.blocks;
    enum prvcut_status st = PRVCUT_OK;
    size_t at = 0;

    for (size_t i = 0; i < r->count && st == PRVCUT_OK; i++)
        st = rd_steps[0]->begin(&r->cutter[i], err);
    while (st == PRVCUT_OK) {
        for (size_t i = 0; i < r->count && st == PRVCUT_OK; i++)
            st = reading_go_on(&r->cutter[i], err);
        if (st == PRVCUT_OK && r->count == 1 && r->cutter->step + 1 == PRV_CUT_STEPS)
            st = reading_middle(r, err);
        at = reading_next(r, at);
        if (st < 0 || at == blocks)
            break;
        st = reading_block(r, at, err);
    }
    return st;
}

enum prvcut_status prv_cut_read(struct prv_cutter *c, size_t count, struct prv_texts *texts,
                                const struct prvcut_run *run, struct prvcut_error *err)
{
    struct rd_reading r = { .cutter = c, .count = count, .texts = texts, .told.run = run };
    enum prvcut_status st;

    r.now = prvcut_unset(count, sizeof(struct prv_cutter *), "cuts", err);
    if (!r.now)
        return PRVCUT_ENOMEM;
    reading_count_windows(&r);
    st = reading_run(&r, err);
    free(r.now);
    return st;
}
