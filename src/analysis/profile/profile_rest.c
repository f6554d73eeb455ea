#include "analysis/profile/profile_rest.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What changes where a thread is. */
struct pre_step {
    uint64_t time, end; /* end: of a state; 0: an MPI call begins or ends */
    uint32_t thread;
    uint32_t what; /* number of the state, or the call's type */
    bool begins;   /* of a call */
};

/* Of a part, in order. */
struct pre_part {
    struct pre_step *step;
    size_t steps, room;
};

/* Where a thread is. */
struct pre_thread {
    uint64_t since, end; /* the state lasts from since, as far as it is told, to end */
    uint32_t state;
    uint32_t in;    /* the type of the call that it is in; valid with is */
    bool is, calls; /* it is in a call; it has made one */
    bool before;    /* its first call had begun before the trace */
};

struct prvcut_profile_rest {
    struct prvcut_profile_found *found;
    struct prvcut_listener listener;
    struct pre_thread *thread;          /* [threads] */
    struct prvcut_profile_adder adder;  /* since a thread's first call */
    struct prvcut_profile_adder before; /* before it */
};

/* --- Parts ------------------------------------------------------------------------------------ */

static enum prvcut_status pre_add(struct pre_part *p, struct pre_step step,
                                  struct prvcut_error *err)
{
    if (p->steps == p->room &&
        prvcut_grow((void **)&p->step, &p->room, p->steps + 1, sizeof *p->step, err) < 0)
        return PRVCUT_ENOMEM;
    p->step[p->steps++] = step;
    return PRVCUT_OK;
}

/* Running is no rest, but ends what was. */
static enum prvcut_status pre_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t i = 0, k = 0;

    (void)ctx, (void)worker;
    while ((i < b->events || k < b->states) && st == PRVCUT_OK) {
        const struct prvcut_event *e = &b->event[i];
        const struct prvcut_state *s = &b->state[k];

        if (i < b->events && !(PRVCUT_ROLES_MPI >> e->role & 1)) {
            i++;
        } else if (k < b->states && (s->running || s->begin >= s->end)) {
            k++;
        } else if (k == b->states || (i < b->events && e->time <= s->begin)) {
            st = pre_add(part, (struct pre_step){ e->time, 0, e->thread, e->type, e->value != 0 },
                         err);
            i++;
        } else {
            st = pre_add(part, (struct pre_step){ s->begin, s->end, s->thread, s->number, false },
                         err);
            k++;
        }
    }
    return st;
}

static void pre_clear(void *part)
{
    ((struct pre_part *)part)->steps = 0;
}

static void pre_part_fini(void *part)
{
    free(((struct pre_part *)part)->step);
    memset(part, 0, sizeof(struct pre_part));
}

/* --- In order --------------------------------------------------------------------------------- */

/* What a thread was in up to a time is told. */
static enum prvcut_status pre_advance(struct prvcut_profile_rest *p, uint32_t thread, uint64_t time,
                                      struct prvcut_error *err)
{
    struct pre_thread *t = &p->thread[thread];
    const struct prvcut_span span = { t->since, time < t->end ? time : t->end };

    if (time > t->since)
        t->since = time;
    if (t->is || span.start >= span.end)
        return PRVCUT_OK;
    return prvcut_profile_spend(t->calls ? &p->adder : &p->before, p->found, thread,
                                (struct prvcut_proof_key){ PRVCUT_PROOF_STATE, t->state, 0 }, span,
                                err);
}

static enum prvcut_status pre_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_profile_rest *p = ctx;
    const struct pre_part *from = part;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->steps && st == PRVCUT_OK; i++) {
        const struct pre_step *s = &from->step[i];
        struct pre_thread *t = &p->thread[s->thread];

        st = pre_advance(p, s->thread, s->time, err);
        if (s->end > 0) {
            t->since = s->time;
            t->end = s->end;
            t->state = s->what;
        } else {
            t->before |= !t->calls && !s->begins;
            t->calls = true;
            t->is = s->begins || (t->is && t->in != s->what);
            t->in = s->begins ? s->what : t->in;
        }
    }
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_rest_new(struct prvcut_profile_rest **out,
                                           struct prvcut_profile_found *f, struct prvcut_error *err)
{
    struct prvcut_profile_rest *p = prvcut_zeroed(1, sizeof *p, "states", err);
    enum prvcut_status st;

    *out = p;
    if (!p)
        return PRVCUT_ENOMEM;
    p->found = f;
    p->listener = (struct prvcut_listener){
        .roles = PRVCUT_ROLES_MPI,
        .states = true,
        .ctx = p,
        .part = { sizeof(struct pre_part), "a part", NULL, pre_part_fini },
        .batch = pre_batch,
        .join = pre_join,
        .clear = pre_clear,
    };
    p->thread = prvcut_zeroed((size_t)f->threads + 1, sizeof *p->thread, "threads", err);
    st = p->thread ? prvcut_profile_adder_init(&p->adder, f, err) : PRVCUT_ENOMEM;
    return st == PRVCUT_OK ? prvcut_profile_adder_init(&p->before, f, err) : st;
}

const struct prvcut_listener *prvcut_profile_rest_listener(const struct prvcut_profile_rest *p)
{
    return &p->listener;
}

/* Before a call that had begun before the trace, a thread was in it. */
static void pre_forget(struct prvcut_profile_rest *p)
{
    struct prvcut_profile_cell *c = p->before.cell.at;

    for (size_t i = 0; i < p->before.cell.count; i++)
        if (c[i].key.thread < p->found->threads && p->thread[c[i].key.thread].before)
            c[i].amount = 0;
}

enum prvcut_status prvcut_profile_rest_end(struct prvcut_profile_rest *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < p->found->threads && st == PRVCUT_OK; i++)
        st = pre_advance(p, i, p->thread[i].end, err);
    pre_forget(p);
    if (st == PRVCUT_OK)
        st = prvcut_profile_merge_cells(&p->found->rest, &p->before, err);
    return st == PRVCUT_OK ? prvcut_profile_merge_cells(&p->found->rest, &p->adder, err) : st;
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
