#include "follow/follow.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

/* A worker's room: its way to its part's threads, then the room of who is told. */
struct follow_room {
    struct prvcut_rows way;
    void (*fini)(void *theirs);
    max_align_t theirs[];
};

/* A part: its own threads, or, in order, the events. */
struct follow_part {
    struct prvcut_follow_part threads;
    struct prvcut_step *step;
    size_t steps, room;
};

struct prvcut_follow {
    struct prvcut_follow_options options;
    struct prvcut_follow_rules rules;
    struct prvcut_listener listener;
    struct prvcut_follow_carry carry;
    struct follow_room *joins; /* for what is told where parts are joined */
    bool gap;                  /* parts were left out before the present one */
};

/* Where it is told. */
struct follow_to {
    const struct prvcut_follow *f;
    struct follow_room *room;
};

static enum prvcut_status follow_closed(void *ctx, const struct prvcut_followed *told,
                                        struct prvcut_error *err)
{
    const struct follow_to *to = ctx;
    const struct prvcut_follow_options *o = &to->f->options;

    if (!o->closed || (o->outermost && told->depth > 0))
        return PRVCUT_OK;
    return o->closed(o->ctx, to->room->theirs, told, err);
}

/* --- Rooms ------------------------------------------------------------------------------------ */

static enum prvcut_status follow_room_init(void *ctx, void *room, struct prvcut_error *err)
{
    const struct prvcut_follow *f = ctx;
    const struct prvcut_pass_room *theirs = &f->options.worker;
    struct follow_room *r = room;
    enum prvcut_status st = prvcut_rows_init(&r->way, f->carry.threads, err);

    r->fini = theirs->fini;
    return st == PRVCUT_OK && theirs->init ? theirs->init(f->options.ctx, r->theirs, err) : st;
}

static void follow_room_fini(void *room)
{
    struct follow_room *r = room;

    if (r->fini)
        r->fini(r->theirs);
    prvcut_rows_fini(&r->way);
}

static void follow_part_fini(void *room)
{
    struct follow_part *p = room;

    prvcut_follow_part_fini(&p->threads);
    free(p->step);
}

static void follow_clear(void *room)
{
    struct follow_part *p = room;

    prvcut_follow_part_clear(&p->threads);
    p->steps = 0;
}

/* --- A part ----------------------------------------------------------------------------------- */

static enum prvcut_status follow_begin(void *ctx, void *worker, void *part, uint64_t number,
                                       struct prvcut_error *err)
{
    (void)number, (void)ctx, (void)part, (void)err;
    prvcut_rows_begin(&((struct follow_room *)worker)->way);
    return PRVCUT_OK;
}

static enum prvcut_status follow_keep(struct follow_part *p, const struct prvcut_step *e,
                                      struct prvcut_error *err)
{
    if (p->steps == p->room &&
        prvcut_grow((void **)&p->step, &p->room, p->steps + 1, sizeof *p->step, err) < 0)
        return PRVCUT_ENOMEM;
    p->step[p->steps++] = *e;
    return PRVCUT_OK;
}

static enum prvcut_status follow_batch(void *ctx, void *worker, void *part,
                                       const struct prvcut_batch *batch, struct prvcut_error *err)
{
    const struct prvcut_follow *f = ctx;
    struct follow_to to = { f, worker };
    struct follow_part *p = part;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &batch->event[i];
        const struct prvcut_step step = prvcut_step_of(e);

        if (!(f->options.roles >> e->role & 1) || e->thread >= f->carry.threads)
            continue;
        st = f->rules.in_order
                 ? follow_keep(p, &step, err)
                 : prvcut_follow_step(&to.room->way, &p->threads, &f->rules, &to, &step, err);
    }
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* What the thread was in until now. */
static enum prvcut_status follow_spent(struct prvcut_follow *f,
                                       const struct prvcut_follow_thread *t, uint64_t until,
                                       struct prvcut_error *err)
{
    const struct prvcut_follow_options *o = &f->options;
    const struct prvcut_stack *s = &t->open;

    if (!o->spent || until <= s->since)
        return PRVCUT_OK;
    return o->spent(o->ctx, f->joins->theirs, t->thread, s->count > 0 ? &s->at[s->count - 1] : NULL,
                    (struct prvcut_span){ s->since, until }, err);
}

/* A thread's first event. Behind what was left out, an end tells what the thread was in before. */
static enum prvcut_status follow_first(struct prvcut_follow *f, struct prvcut_follow_thread *t,
                                       const struct prvcut_step *e, struct prvcut_error *err)
{
    const struct prvcut_follow_options *o = &f->options;
    const struct prvcut_frame in = { .type = e->type, .role = e->role };

    t->begun = true;
    t->thread = e->thread;
    t->first = t->open.since = e->time;
    if (!o->spent || !f->gap)
        return PRVCUT_OK;
    return o->spent(o->ctx, f->joins->theirs, t->thread, e->value == 0 ? &in : NULL,
                    (struct prvcut_span){ 0, e->time }, err);
}

/* What began innermost is told, with the note of what it is in. */
static enum prvcut_status follow_opened(const struct prvcut_follow *f,
                                        struct prvcut_follow_thread *t, struct prvcut_error *err)
{
    struct prvcut_frame *in = &t->open.at[t->open.count - 1];

    if (!f->rules.own)
        in->note = t->open.count > 1 ? in[-1].note : 0;
    return f->options.opened(f->options.ctx, f->joins->theirs, t->thread, in, err);
}

static enum prvcut_status follow_in_order(struct prvcut_follow *f, const struct prvcut_step *e,
                                          struct prvcut_error *err)
{
    struct prvcut_follow_thread *t = &f->carry.thread[e->thread];
    struct follow_to to = { f, f->joins };
    enum prvcut_status st =
        t->begun ? follow_spent(f, t, e->time, err) : follow_first(f, t, e, err);

    if (st < 0)
        return st;
    if (f->rules.own)
        prvcut_stack_spend(&t->open, e->time);
    else if (e->time > t->open.since)
        t->open.since = e->time;
    st = prvcut_follow_on(NULL, t, &f->rules, &to, e, err);
    if (st < 0 || !f->options.opened || e->value == 0 || t->open.beyond > 0)
        return st;
    return follow_opened(f, t, err);
}

static enum prvcut_status follow_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_follow *f = ctx;
    const struct follow_part *p = part;
    struct follow_to to = { f, f->joins };
    enum prvcut_status st = PRVCUT_OK;

    if (!f->rules.in_order)
        return prvcut_follow_join(&f->carry, &p->threads, &f->rules, &to, err);
    for (size_t i = 0; i < p->steps && st == PRVCUT_OK; i++)
        st = follow_in_order(f, &p->step[i], err);
    return st;
}

static enum prvcut_status follow_gap(void *ctx, struct prvcut_error *err)
{
    struct prvcut_follow *f = ctx;

    (void)err;
    prvcut_follow_forget(&f->carry);
    f->gap = true;
    return PRVCUT_OK;
}

static enum prvcut_status follow_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct prvcut_follow *f = ctx;
    struct follow_to to = { f, f->joins };
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; f->options.spent && i < f->carry.threads && st == PRVCUT_OK; i++)
        if (f->carry.thread[i].begun)
            st = follow_spent(f, &f->carry.thread[i], end_ns, err);
    if (st == PRVCUT_OK)
        st = prvcut_follow_run_ends(&f->carry, end_ns, &f->rules, &to, err);
    return st == PRVCUT_OK && f->options.merge
               ? f->options.merge(f->options.ctx, f->joins->theirs, err)
               : st;
}

static enum prvcut_status follow_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    const struct prvcut_follow_options *o = &((struct prvcut_follow *)ctx)->options;

    return o->merge ? o->merge(o->ctx, ((struct follow_room *)worker)->theirs, err) : PRVCUT_OK;
}

/* --- Life ------------------------------------------------------------------------------------- */

static struct prvcut_listener follow_listener(struct prvcut_follow *f)
{
    return (struct prvcut_listener){
        .roles = f->options.roles,
        .ctx = f,
        .worker = { sizeof(struct follow_room) + f->options.worker.bytes,
                    f->options.worker.what ? f->options.worker.what : "workers", follow_room_init,
                    follow_room_fini },
        .part = { sizeof(struct follow_part), "a part", NULL, follow_part_fini },
        .begin = follow_begin,
        .batch = follow_batch,
        .gap = follow_gap,
        .join = follow_join,
        .clear = follow_clear,
        .end = follow_end,
        .merge = follow_merge,
    };
}

enum prvcut_status prvcut_follow_new(struct prvcut_follow **out, const struct prvcut_trace *t,
                                     const struct prvcut_follow_options *options,
                                     struct prvcut_error *err)
{
    struct prvcut_follow *f = prvcut_zeroed(1, sizeof *f, "what threads are in", err);
    enum prvcut_status st;

    *out = NULL;
    if (!f)
        return PRVCUT_ENOMEM;
    f->options = *options;
    f->rules = (struct prvcut_follow_rules){
        .how = options->how,
        .own = options->own,
        .in_order = options->in_order || options->outermost || options->spent || options->opened,
        .closed = follow_closed,
    };
    f->listener = follow_listener(f);
    st = prvcut_follow_carry_init(&f->carry, t->objects.threads, err);
    if (st == PRVCUT_OK)
        f->joins = prvcut_zeroed(1, f->listener.worker.bytes, f->listener.worker.what, err);
    if (st == PRVCUT_OK)
        st = f->joins ? follow_room_init(f, f->joins, err) : PRVCUT_ENOMEM;
    if (st < 0)
        prvcut_follow_free(f);
    else
        *out = f;
    return st;
}

const struct prvcut_listener *prvcut_follow_listener(const struct prvcut_follow *f)
{
    return &f->listener;
}

void prvcut_follow_free(struct prvcut_follow *f)
{
    if (!f)
        return;
    if (f->joins)
        follow_room_fini(f->joins);
    free(f->joins);
    prvcut_follow_carry_fini(&f->carry);
    free(f);
}
