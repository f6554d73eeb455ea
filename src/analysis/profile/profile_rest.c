#include "analysis/profile/profile_rest.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a step is. */
enum { PRE_STATE, PRE_BEGINS, PRE_ENDS };

struct prvcut_profile_rest {
    struct prvcut_profile_found *found;
    struct prvcut_profile_resting *thread; /* [threads] */
    struct prvcut_profile_adder adder;     /* since a thread's first call */
    struct prvcut_profile_adder before;    /* before it */
};

/* --- A thread --------------------------------------------------------------------------------- */

/* Up to a time: what of it is rest. */
static inline struct prvcut_span pre_advance(struct prvcut_profile_resting *t, uint64_t time)
{
    const struct prvcut_span span = { t->since, time < t->end ? time : t->end };

    t->since = time > t->since ? time : t->since;
    return t->is || span.start >= span.end ? (struct prvcut_span){ 0, 0 } : span;
}

static inline void pre_take(struct prvcut_profile_resting *t, const struct prvcut_profile_step *s)
{
    if (s->what == PRE_STATE) {
        t->since = s->from;
        t->end = s->to;
        t->state = s->type;
        t->told = true;
        return;
    }
    t->before |= !t->calls && s->what == PRE_ENDS;
    t->calls = true;
    t->begun |= s->what == PRE_BEGINS;
    t->is = s->what == PRE_BEGINS || (t->is && t->in != s->type);
    t->in = s->what == PRE_BEGINS ? s->type : t->in;
}

/* --- Parts ------------------------------------------------------------------------------------ */

static enum prvcut_status pre_enter(struct prvcut_rows *w, struct prvcut_profile_rest_part *p,
                                    uint32_t thread, struct prvcut_error *err)
{
    struct prvcut_profile_resting *t =
        prvcut_rows_make(w, thread, (void **)&p->seen, &p->count, &p->room, sizeof *t, err);

    if (!t)
        return PRVCUT_ENOMEM;
    *t = (struct prvcut_profile_resting){ .thread = thread };
    return PRVCUT_OK;
}

static inline enum prvcut_status pre_step(struct prvcut_rows *w, struct prvcut_profile_rest_part *p,
                                          struct prvcut_profile_adder *a,
                                          const struct prvcut_profile_found *f,
                                          const struct prvcut_profile_step *s,
                                          struct prvcut_error *err)
{
    struct prvcut_profile_resting *t;
    enum prvcut_status st = PRVCUT_OK;
    struct prvcut_span rest;

    if (!prvcut_rows_has(w, s->thread) && pre_enter(w, p, s->thread, err) < 0)
        return PRVCUT_ENOMEM;
    t = &p->seen[prvcut_rows_at(w, s->thread)];
    rest = pre_advance(t, s->from);
    if (!t->begun || !t->told)
        st = prvcut_profile_steps_add(&p->step, *s, err);
    else if (rest.end > 0)
        st = prvcut_profile_rests(a, f, s->thread, t->state, rest, err);
    pre_take(t, s);
    return st;
}

/* Running is no rest: nothing is told of it. */
static inline bool pre_of_event(const struct prvcut_event *e)
{
    return PRVCUT_ROLES_MPI >> e->role & 1;
}

static inline bool pre_of_state(const struct prvcut_state *s)
{
    return !s->running && s->begin < s->end;
}

enum prvcut_status prvcut_profile_rest_batch(struct prvcut_rows *w,
                                             struct prvcut_profile_rest_part *part,
                                             struct prvcut_profile_adder *a,
                                             const struct prvcut_profile_found *f,
                                             const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t i = 0, k = 0;

    while (st == PRVCUT_OK) {
        struct prvcut_profile_step step = { .amount = 0 };

        while (i < b->events && !pre_of_event(&b->event[i]))
            i++;
        while (k < b->states && !pre_of_state(&b->state[k]))
            k++;
        if (i == b->events && k == b->states)
            break;
        if (k == b->states || (i < b->events && b->event[i].time <= b->state[k].begin)) {
            const struct prvcut_event *e = &b->event[i++];

            step.from = e->time;
            step.thread = e->thread;
            step.type = e->type;
            step.what = e->value != 0 ? PRE_BEGINS : PRE_ENDS;
        } else {
            const struct prvcut_state *s = &b->state[k++];

            step.from = s->begin;
            step.to = s->end;
            step.thread = s->thread;
            step.type = s->number;
            step.what = PRE_STATE;
        }
        st = pre_step(w, part, a, f, &step, err);
    }
    return st;
}

void prvcut_profile_rest_part_clear(struct prvcut_profile_rest_part *part)
{
    part->count = 0;
    prvcut_profile_steps_clear(&part->step);
}

void prvcut_profile_rest_part_fini(struct prvcut_profile_rest_part *part)
{
    free(part->seen);
    prvcut_profile_steps_fini(&part->step);
    memset(part, 0, sizeof *part);
}

/* --- In order --------------------------------------------------------------------------------- */

/* What a thread was in up to a time is told. */
static enum prvcut_status pre_tell(struct prvcut_profile_rest *p, uint32_t thread, uint64_t time,
                                   struct prvcut_error *err)
{
    struct prvcut_profile_resting *t = &p->thread[thread];
    const struct prvcut_span rest = pre_advance(t, time);

    if (rest.end == 0)
        return PRVCUT_OK;
    return prvcut_profile_rests(t->calls ? &p->adder : &p->before, p->found, thread, t->state, rest,
                                err);
}

enum prvcut_status prvcut_profile_rest_join(struct prvcut_profile_rest *p,
                                            const struct prvcut_profile_rest_part *part,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < part->step.count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_step *s = &part->step.at[i];

        st = pre_tell(p, s->thread, s->from, err);
        pre_take(&p->thread[s->thread], s);
    }
    for (size_t i = 0; i < part->count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_resting *seen = &part->seen[i];
        struct prvcut_profile_resting *t = &p->thread[seen->thread];
        const bool before = t->before;

        if (!seen->begun || !seen->told)
            continue;
        *t = *seen;
        t->before = before;
    }
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_rest_new(struct prvcut_profile_rest **out,
                                           struct prvcut_profile_found *f, struct prvcut_error *err)
{
    struct prvcut_profile_rest *p = *out = prvcut_zeroed(1, sizeof *p, "states", err);
    enum prvcut_status st;

    if (!p)
        return PRVCUT_ENOMEM;
    p->found = f;
    p->thread = prvcut_zeroed((size_t)f->threads + 1, sizeof *p->thread, "threads", err);
    st = p->thread ? prvcut_profile_adder_init(&p->adder, f, err) : PRVCUT_ENOMEM;
    return st == PRVCUT_OK ? prvcut_profile_adder_init(&p->before, f, err) : st;
}

/* Before a call that had begun before the trace, a thread was in it. */
static void pre_forget(struct prvcut_profile_rest *p)
{
    struct prvcut_profile_cell *c = p->before.rest.at;

    for (size_t i = 0; i < p->before.rest.count; i++)
        if (c[i].key.thread < p->found->threads && p->thread[c[i].key.thread].before)
            c[i].amount = 0;
}

enum prvcut_status prvcut_profile_rest_end(struct prvcut_profile_rest *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < p->found->threads && st == PRVCUT_OK; i++)
        st = pre_tell(p, i, p->thread[i].end, err);
    pre_forget(p);
    if (st == PRVCUT_OK)
        st = prvcut_profile_merge_cells(&p->found->rest, &p->before.rest, err);
    return st == PRVCUT_OK ? prvcut_profile_merge_cells(&p->found->rest, &p->adder.rest, err) : st;
}

void prvcut_profile_rest_free(struct prvcut_profile_rest *p)
{
    if (!p)
        return;
    prvcut_profile_adder_fini(&p->adder);
    prvcut_profile_adder_fini(&p->before);
    free(p->thread);
    free(p);
}
