#include "base/buffer.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/search.h"
#include "paraver/cut.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_open_init(struct prv_open *o, uint32_t threads, unsigned regions,
                                 struct prvcut_error *err)
{
    o->stack = prvcut_zeroed((size_t)threads + 1, sizeof *o->stack, "threads", err);
    o->latest = prvcut_zeroed((size_t)threads * regions + 1, sizeof *o->latest, "threads", err);
    return o->stack && o->latest ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prv_open_fini(struct prv_open *o, uint32_t threads)
{
    for (uint32_t i = 0; o->stack && i < threads; i++)
        prvcut_stack_fini(&o->stack[i]);
    for (size_t i = 0; i < o->lines; i++)
        free(o->line[i].text);
    free(o->stack);
    free(o->latest);
    free(o->line);
    prv_border_fini(&o->late);
    memset(o, 0, sizeof *o);
}

unsigned prv_region_index(const struct prv_parse_plan *plan, uint32_t type)
{
    return (unsigned)prvcut_index_u32(plan->region_type, plan->regions, sizeof *plan->region_type,
                                      0, type);
}

static enum prvcut_status opn_keep(struct prv_cutter *c, const struct prv_cut_line *l,
                                   size_t *place, struct prvcut_error *err)
{
    struct prv_open *o = &c->open;
    const size_t count = (size_t)(l->end - l->at);
    char *text = prvcut_unset(1, count + 1, "a line at the border", err);

    if (!text)
        return PRVCUT_ENOMEM;
    memcpy(text, l->at, count);
    size_t at = o->lines;

    if (o->spare > 0) {
        at = o->spare - 1;
        o->spare = o->line[at].next;
    } else if (prvcut_grow((void **)&o->line, &o->room, at + 1, sizeof *o->line, err) < 0) {
        free(text);
        return PRVCUT_ENOMEM;
    } else {
        o->lines++;
    }
    o->line[at] =
        (struct prv_open_line){ .text = text, .count = count, .order = c->order, .used = 1 };
    o->used++;
    *place = at; /* Not before it is kept: who has a place lets go of it. */
    return PRVCUT_OK;
}

/* One user less of a line: a region that it began, or who reads it. */
static void opn_drop(struct prv_open *o, size_t place)
{
    struct prv_open_line *line = &o->line[place];

    if (--line->used > 0)
        return;
    free(line->text);
    *line = (struct prv_open_line){ .next = o->spare };
    o->spare = (uint32_t)place + 1;
    o->used--;
}

/* A region begins; *place: of the line, SIZE_MAX before it is kept. */
static enum prvcut_status opn_begin(struct prv_cutter *c, const struct prv_cut_line *l,
                                    const struct prvcut_frame *frame, size_t *place,
                                    struct prvcut_error *err)
{
    struct prv_open *o = &c->open;
    struct prvcut_stack *stack = &o->stack[l->event.thread];
    enum prvcut_status st = PRVCUT_OK;

    if (*place == SIZE_MAX && o->used == PRV_OPEN_LINES) {
        stack->beyond++;
        return PRVCUT_OK;
    }
    st = prvcut_stack_enter(stack, frame, err);
    if (st != PRVCUT_OK)
        return st < 0 ? st : PRVCUT_OK;
    if (*place == SIZE_MAX)
        st = opn_keep(c, l, place, err);
    if (st < 0) {
        stack->count--;
        return st;
    }
    stack->at[stack->count - 1].note = *place;
    o->line[*place].used++;
    return PRVCUT_OK;
}

static void opn_remove(struct prv_open *o, struct prvcut_stack *stack, size_t index)
{
    const size_t place = (size_t)stack->at[index].note;

    prvcut_stack_remove(stack, index);
    opn_drop(o, place);
}

/* Is it told by a snapshot, for a block before the window? */
static bool opn_is_told(const struct prv_open_only *only, uint64_t row)
{
    return !only || prvcut_index_u64(only->run, only->runs, sizeof *only->run,
                                     offsetof(struct prv_run, row), row) < only->runs;
}

static void opn_end(struct prv_cutter *c, uint32_t thread, uint32_t type,
                    const struct prv_open_only *only)
{
    struct prv_open *o = &c->open;
    struct prvcut_stack *stack = &o->stack[thread];
    size_t index;

    if (!prvcut_stack_leave(stack, type, &index))
        return;
    /* What began before the block stays: the snapshot has seen its end. */
    if (!only || o->line[stack->at[index].note].order > only->order)
        opn_remove(o, stack, index);
}

/* A pair of a line: a region begins or ends, if the block's snapshot tells of it. */
static enum prvcut_status opn_pair(struct prv_cutter *c, const struct prv_cut_line *l,
                                   const struct prv_open_pair *pair,
                                   const struct prv_open_only *only, size_t *place,
                                   struct prvcut_error *err)
{
    const uint64_t row = prv_index_row(c->plan.regions, l->event.thread, pair->region);
    const struct prvcut_frame frame = { .begin = l->event.time,
                                        .type = pair->type,
                                        .value = pair->value };

    /* The latest one counts, also where lines are out of order. */
    if (!opn_is_told(only, row) || l->event.time < c->open.latest[row])
        return PRVCUT_OK;
    c->open.latest[row] = l->event.time;
    if (pair->value == 0 || !c->plan.nests[pair->region])
        opn_end(c, l->event.thread, pair->type, only);
    return pair->value != 0 ? opn_begin(c, l, &frame, place, err) : PRVCUT_OK;
}

static enum prvcut_status opn_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                    const struct prv_open_only *only, struct prvcut_error *err)
{
    struct prv_fields rest = l->pairs;
    struct prv_open_pair pair;
    size_t place = SIZE_MAX;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && prv_slow_pair(&rest, &pair.type, &pair.value, NULL) == PRVCUT_OK) {
        pair.region = prv_region_index(&c->plan, pair.type);
        if (pair.region < c->plan.regions)
            st = opn_pair(c, l, &pair, only, &place, err);
    }
    /* What it began may have ended in the same line. */
    if (place != SIZE_MAX)
        opn_drop(&c->open, place);
    return st;
}

enum prvcut_status prv_open_pairs(struct prv_cutter *c, const struct prv_cut_line *l,
                                  const struct prv_open_pair *pair, size_t pairs,
                                  struct prvcut_error *err)
{
    size_t place = SIZE_MAX;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < pairs && st == PRVCUT_OK; i++)
        st = opn_pair(c, l, &pair[i], NULL, &place, err);
    if (place != SIZE_MAX)
        opn_drop(&c->open, place);
    return st;
}

/* --- Lines out of order ----------------------------------------------------------------------- */

/* So many wait: what is further out of order counts where it stands. */
#define OPN_LATE PRVCUT_ROOM((size_t)1 << 18)

/* The earliest lines that wait have their turn, all but the last `keep`. */
static enum prvcut_status opn_take_turns(struct prv_cutter *c, size_t keep,
                                         struct prvcut_error *err)
{
    struct prv_border_lines *late = &c->open.late;
    const size_t turns = late->count > keep ? late->count - keep : 0;
    const uint64_t order = c->order;
    enum prvcut_status st = PRVCUT_OK;

    prv_border_sort(late);
    for (size_t i = 0; i < turns && st == PRVCUT_OK; i++) {
        struct prv_cut_line l = { .at = late->at[i].text,
                                  .end = late->at[i].text + late->at[i].count };

        st = prv_slow_line(&c->plan, l.at, l.end, &l.kind, &l.state, &l.event, &l.message, &l.pairs,
                           err);
        c->order = late->at[i].order;
        if (st == PRVCUT_OK)
            st = opn_event(c, &l, NULL, err);
    }
    for (size_t i = 0; i < turns; i++)
        free(late->at[i].text);
    if (turns > 0)
        memmove(late->at, late->at + turns, (late->count - turns) * sizeof *late->at);
    late->count -= turns;
    c->order = order;
    return st;
}

enum prvcut_status prv_open_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                  struct prvcut_error *err)
{
    enum prvcut_status st;

    if (c->trace->unsorted == 0)
        return opn_event(c, l, NULL, err);
    st = prv_border_add(&c->open.late, l->event.time, c->order, l->at, (size_t)(l->end - l->at),
                        err);
    if (st == PRVCUT_OK && c->open.late.count >= OPN_LATE)
        st = opn_take_turns(c, OPN_LATE / 2, err);
    return st;
}

enum prvcut_status prv_open_settle(struct prv_cutter *c, struct prvcut_error *err)
{
    return opn_take_turns(c, 0, err);
}

/* --- Blocks before the window ----------------------------------------------------------------- */

enum prvcut_status prv_open_only_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                       const struct prv_open_only *only, struct prvcut_error *err)
{
    return opn_event(c, l, only, err);
}

void prv_open_only_end(struct prv_cutter *c, const struct prv_open_only *only)
{
    for (size_t i = 0; i < only->runs; i++) {
        const struct prv_run *r = &only->run[i];
        struct prvcut_stack *stack = &c->open.stack[r->row / c->plan.regions];
        const uint64_t region = r->row % c->plan.regions;
        const uint32_t type = c->plan.region_type[region];
        uint32_t kept = 0;

        for (size_t k = 0; k < stack->count;) {
            const struct prvcut_frame *f = &stack->at[k];

            if (f->type != type || c->open.line[f->note].order <= only->order || kept++ < r->count)
                k++;
            else
                opn_remove(&c->open, stack, k);
        }
        stack->beyond = 0;
    }
}
