#include "analysis/timeline_calls.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A begin or an end. */
struct step {
    uint64_t time;
    int64_t value;
    uint32_t type, thread;
};

struct part {
    uint64_t number;
    struct step *at;
    size_t count, room;
};

enum prvcut_status tl_calls_init(struct tl_calls *c, struct tl_grid *grid, bool by_thread,
                                 struct prvcut_error *err)
{
    *c = (struct tl_calls){ .grid = grid, .by_thread = by_thread };
    c->thread = calloc((size_t)grid->threads + 1, sizeof *c->thread);
    return c->thread ? PRVCUT_OK : prvcut_no_memory(err, "threads");
}

enum prvcut_status tl_calls_begin(uint64_t part, void **state, struct prvcut_error *err)
{
    struct part *p = prvcut_zeroed(1, sizeof *p, "a block", err);

    if (!p)
        return PRVCUT_ENOMEM;
    p->number = part;
    *state = p;
    return PRVCUT_OK;
}

enum prvcut_status tl_calls_batch(const struct tl_calls *c, void *state,
                                  const struct prvcut_batch *b, struct prvcut_error *err)
{
    const uint32_t wanted = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION);
    struct part *p = state;

    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];
        void *at = p->at;

        if (!(wanted & PRVCUT_ROLE_BIT(e->role)) || e->thread >= c->grid->threads)
            continue;
        if (prvcut_grow(&at, &p->room, p->count + 1, sizeof *p->at, err) < 0)
            return PRVCUT_ENOMEM;
        p->at = at;
        p->at[p->count++] = (struct step){ e->time, e->value, e->type, e->thread };
    }
    return PRVCUT_OK;
}

void tl_calls_discard(void *state)
{
    struct part *p = state;

    if (p)
        free(p->at);
    free(p);
}

/* What the thread was in up to now counts. */
static void count(struct tl_calls *c, uint32_t thread, uint64_t until)
{
    struct tl_follow *f = &c->thread[thread];
    const struct tl_keys *keys = c->grid->keys;
    const struct prvcut_frame *in = f->open.count > 0 ? &f->open.at[f->open.count - 1] : NULL;
    const size_t key =
        in ? tl_keys_find(keys, in->type, in->value) : tl_keys_find(keys, TL_OUTSIDE, 0);

    if (f->begun && f->since < until)
        tl_grid_add(c->grid, 0, thread, key, &(struct prvcut_span){ f->since, until });
}

/* Its first event after something was left out: an end tells of a call of that type before it. */
static void begin(struct tl_calls *c, const struct step *s)
{
    struct tl_follow *f = &c->thread[s->thread];
    const struct tl_keys *keys = c->grid->keys;
    const size_t key =
        s->value == 0 ? tl_keys_find(keys, s->type, TL_ANY) : tl_keys_find(keys, TL_OUTSIDE, 0);

    f->begun = true;
    if (c->gap && !c->by_thread)
        tl_grid_add(c->grid, 0, s->thread, key, &(struct prvcut_span){ 0, s->time });
}

static enum prvcut_status follow(struct tl_calls *c, const struct step *s, struct prvcut_error *err)
{
    struct tl_follow *f = &c->thread[s->thread];
    enum prvcut_status st = PRVCUT_OK;
    size_t index;

    if (f->begun)
        count(c, s->thread, s->time);
    else
        begin(c, s);
    f->since = s->time;
    if (s->value != 0)
        st = prvcut_stack_enter(&f->open,
                                &(struct prvcut_frame){ .value = s->value, .type = s->type }, err);
    else if (prvcut_stack_leave(&f->open, s->type, &index))
        prvcut_stack_remove(&f->open, index);
    return st < 0 ? st : PRVCUT_OK;
}

/* Parts were left out: they hold nothing of the window, but may hold ends of what is open. */
static void forget(struct tl_calls *c)
{
    for (uint32_t t = 0; t < c->grid->threads; t++) {
        c->thread[t].open.count = 0;
        c->thread[t].open.beyond = 0;
        c->thread[t].begun = false;
    }
    c->gap = true;
}

enum prvcut_status tl_calls_join(struct tl_calls *c, void *state, struct prvcut_error *err)
{
    const struct part *p = state;
    enum prvcut_status st = PRVCUT_OK;

    if (!c->by_thread && p->number != c->next)
        forget(c);
    c->next = p->number + 1;
    for (size_t i = 0; i < p->count && st == PRVCUT_OK; i++)
        st = follow(c, &p->at[i], err);
    return st;
}

void tl_calls_end(struct tl_calls *c)
{
    for (uint32_t t = 0; t < c->grid->threads; t++)
        count(c, t, UINT64_MAX);
}

void tl_calls_fini(struct tl_calls *c)
{
    for (uint32_t t = 0; c->thread && t < c->grid->threads; t++)
        prvcut_stack_fini(&c->thread[t].open);
    free(c->thread);
    memset(c, 0, sizeof *c);
}
