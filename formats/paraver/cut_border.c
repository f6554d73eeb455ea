#include "paraver/cut.h"

#include "model/roles.h"

#include <inttypes.h>

/** Regions that one line began, next to each other in a thread's stack. */
struct border_begun {
    const struct prvcut_frame *frame; /* [frames] */
    size_t frames;
    bool whole; /* else without what tells of a collective */
};

/* Is it in the line again? Pairs stand in the order in which their regions began. */
static bool border_keeps_pair(const struct prv_cutter *c, struct border_begun *left, uint32_t type,
                              int64_t value)
{
    bool is_region;
    enum prvcut_role role;

    if (prv_region_index(&c->plan, type) < c->plan.regions) {
        if (left->frames == 0 || left->frame->type != type || left->frame->value != value)
            return false;
        left->frame++;
        left->frames--;
        return true;
    }
    role = prv_labels_role(c->plan.labels, type, &is_region);
    return (left->whole || !prvcut_role_tells_collective(role)) && !prvcut_role_is_counter(role);
}

/* The line that began them, read again. */
static enum prvcut_status border_read_opening(const struct prv_cutter *c, size_t place,
                                              struct prv_cut_line *l, struct prvcut_error *err)
{
    const struct prv_open_line *line = &c->open.line[place];

    *l = (struct prv_cut_line){ .at = line->text, .end = line->text + line->count };
    return prv_slow_line(&c->plan, l->at, l->end, &l->kind, &l->state, &l->event, &l->message,
                         &l->pairs, err);
}

enum prvcut_status prv_border_collectives(struct prv_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t t = 0; t < c->plan.header->objects.threads && st == PRVCUT_OK; t++) {
        const struct prvcut_stack *open = &c->open.stack[t];

        for (size_t i = 0; prv_cut_takes(c, t) && i < open->count && st == PRVCUT_OK; i++) {
            struct prv_cut_line l;
            bool region;

            if (prv_labels_role(c->plan.labels, open->at[i].type, &region) !=
                PRVCUT_ROLE_COLLECTIVE)
                continue;
            st = border_read_opening(c, open->at[i].note, &l, err);
            if (st == PRVCUT_OK)
                prv_collectives_reopen(c->collectives, &l);
        }
    }
    return st;
}

static bool border_begins_collective(const struct prv_cutter *c, const struct border_begun *begun)
{
    bool region;

    for (size_t i = 0; i < begun->frames; i++)
        if (prv_labels_role(c->plan.labels, begun->frame[i].type, &region) ==
            PRVCUT_ROLE_COLLECTIVE)
            return true;
    return false;
}

/* The opening line again, at the border, without what is no longer open and without counters. */
static enum prvcut_status border_prv_reopen(struct prv_cutter *c, uint32_t thread,
                                            const struct border_begun *begun,
                                            struct prvcut_put *text)
{
    const uint64_t from = prv_cut_from(c, thread);
    struct border_begun left = *begun;
    struct prv_cut_line l;
    const enum prvcut_status st = border_read_opening(c, begun->frame[0].note, &l, text->err);
    struct prv_fields rest;
    uint32_t type;
    int64_t value;

    if (st < 0)
        return st;
    rest = l.pairs;
    left.whole =
        !border_begins_collective(c, begun) || prv_collectives_take_open(c->collectives, &l);
    text->b.count = 0;
    prvcut_put_between(text, l.at, prv_field(&l, 5));
    prvcut_put_printf(text, "%" PRIu64, (from - c->base) / c->plan.header->unit_ns);
    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK)
        if (border_keeps_pair(c, &left, type, value))
            prvcut_put_printf(text, ":%" PRIu32 ":%" PRId64, type, value);
    prvcut_put_string(text, c->eol);
    return text->st;
}

enum prvcut_status prv_border_reopen(struct prv_cutter *c, uint32_t thread,
                                     struct prvcut_error *err)
{
    const struct prvcut_stack *open = &c->open.stack[thread];
    struct prvcut_put text = { .err = err };
    struct border_begun begun;
    enum prvcut_status st = PRVCUT_OK;

    if (!prv_cut_takes(c, thread))
        return PRVCUT_OK;
    /* In the order in which they began; one line may have opened several regions. */
    for (size_t i = 0; i < open->count && st == PRVCUT_OK; i += begun.frames) {
        begun = (struct border_begun){ &open->at[i], 1, false };
        while (i + begun.frames < open->count &&
               begun.frame[begun.frames].note == begun.frame[0].note)
            begun.frames++;
        st = border_prv_reopen(c, thread, &begun, &text);
        if (st == PRVCUT_OK)
            st = prv_border_add(&c->left, prv_cut_from(c, thread),
                                ((uint64_t)thread << 32) + c->open.line[begun.frame[0].note].order,
                                text.b.at, text.b.count, err);
        c->sum->reopened++;
    }
    prvcut_buffer_fini(&text.b);
    return st;
}

/* A line that ends one region of each type that has more of them than were ended before. false:
   there are none. */
static bool border_close_round(const struct prv_cutter *c, uint32_t thread, const uint32_t *open,
                               uint32_t ended, struct prvcut_put *text)
{
    const struct prvcut_stack *stack = &c->open.stack[thread];
    const struct prv_open_line *line;
    struct prv_cut_line l = { 0 };

    for (unsigned r = 0; r < c->plan.regions; r++) {
        if (open[r] <= ended)
            continue;
        if (!l.at) {
            for (size_t i = 0; i < stack->count && !l.at; i++)
                if (stack->at[i].type == c->plan.region_type[r]) {
                    line = &c->open.line[stack->at[i].note];
                    l.at = line->text;
                    l.end = line->text + line->count;
                }
            prvcut_put_between(text, l.at, prv_field(&l, 5));
            prvcut_put_printf(text, "%" PRIu64,
                              (prv_cut_end(c, thread) - c->base) / c->plan.header->unit_ns);
        }
        prvcut_put_printf(text, ":%" PRIu32 ":0", c->plan.region_type[r]);
    }
    if (l.at)
        prvcut_put_string(text, c->eol);
    return l.at != NULL;
}

enum prvcut_status prv_border_close(struct prv_cutter *c, uint32_t thread, struct prvcut_error *err)
{
    const struct prvcut_stack *stack = &c->open.stack[thread];
    struct prvcut_put text = { .err = err };
    uint32_t open[PRV_REGION_TYPES] = { 0 };
    enum prvcut_status st;

    if (!prv_cut_takes(c, thread) || stack->count == 0)
        return PRVCUT_OK;
    for (size_t i = 0; i < stack->count; i++)
        open[prv_region_index(&c->plan, stack->at[i].type)]++;
    for (uint32_t ended = 0; border_close_round(c, thread, open, ended, &text); ended++)
        c->sum->closed++;
    st = text.st < 0 ? text.st
                     : prv_border_add(&c->right, prv_cut_to(c, thread), thread, text.b.at,
                                      text.b.count, err);
    prvcut_buffer_fini(&text.b);
    return st;
}

enum prvcut_status prv_border_put(struct prv_cutter *c, uint64_t time, uint64_t order,
                                  struct prvcut_put *line)
{
    const enum prvcut_status st =
        line->st < 0 ? line->st
                     : prv_border_add(&c->left, time, order, line->b.at, line->b.count, line->err);

    prvcut_buffer_fini(&line->b);
    return st;
}
