#include "base/memory.h"
#include "pass/pass.h"
#include "structure/mask.h"

#include <stdlib.h>
#include <string.h>

/* Masks that are looked at: reading all of a run's spoilt half again would cost too much. */
#define LOOKED_AT 32

/* What one thread did inside a mask. */
struct work {
    uint64_t read;         /* ns, of its last counter reading */
    uint64_t cycles, time; /* of its bursts */
    bool any;
    uint64_t pending_time, pending_cycles; /* an instant whose pairs are still coming */
    bool pending, call_ends;
};

struct look {
    const struct prvcut_masks *masks;
    struct prvcut_span span;
    struct work *work; /* [threads] */
    uint8_t *hit;      /* [threads] */
};

/* The instant is complete: what was counted since the reading before. */
static void settle(const struct look *l, struct work *w)
{
    const uint64_t from = w->read > l->span.start ? w->read : l->span.start;

    if (w->pending && w->any && !w->call_ends && w->pending_time > from &&
        w->read >= l->span.start) {
        w->cycles += w->pending_cycles;
        w->time += w->pending_time - w->read;
    }
    if (w->pending) {
        w->any = true;
        w->read = w->pending_time;
    }
    w->pending = w->call_ends = false;
    w->pending_cycles = 0;
}

static void look_event(struct look *l, const struct prvcut_event *e)
{
    struct work *w = &l->work[e->thread];

    if (e->time >= l->span.end)
        return;
    if (e->time != w->pending_time)
        settle(l, w);
    w->pending_time = e->time;
    if (e->role == PRVCUT_ROLE_CYCLES) {
        w->pending = true;
        w->pending_cycles += e->value < 0 ? 0 : (uint64_t)e->value;
    } else {
        w->call_ends |= e->value == 0;
    }
}

static void look_message(struct look *l, const struct prvcut_message *m)
{
    const uint64_t length = m->physical_receive - m->logical_send;

    if (m->physical_receive <= l->span.start || m->logical_send >= l->span.end ||
        m->physical_receive <= m->logical_send || m->size == 0)
        return;
    if ((double)length * 1e-9 / (double)m->size > l->masks->clogged)
        l->hit[m->sender] = l->hit[m->receiver] = 1;
}

static enum prvcut_status look_batch(void *ctx, void *worker, void *part,
                                     const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct look *l = ctx;

    (void)worker;
    (void)part;
    (void)err;
    for (size_t i = 0; l->work && i < batch->events; i++)
        look_event(l, &batch->event[i]);
    for (size_t i = 0; !l->work && i < batch->messages; i++)
        look_message(l, &batch->message[i]);
    return PRVCUT_OK;
}

static enum prvcut_status look_at(struct prvcut_masks *masks, struct prvcut_mask *m,
                                  struct prvcut_trace *t, const struct prvcut_run *run,
                                  struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;
    const bool clock = m->cause == PRVCUT_CAUSE_PREEMPTION;
    struct look l = { .masks = masks, .span = m->span };
    const struct prvcut_listener listener = {
        .roles = clock ? PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES) : 0,
        .messages = !clock,
        .ctx = &l,
        .batch = look_batch,
    };
    const struct prvcut_listener *const all[] = { &listener };
    /* One worker: a thread's readings come in order. */
    struct prvcut_run one = *run;
    enum prvcut_status st;

    one.threads = 1;
    l.hit = calloc((size_t)threads + 1, 1);
    l.work = clock ? calloc((size_t)threads + 1, sizeof *l.work) : NULL;
    if (!l.hit || (clock && !l.work))
        st = prvcut_no_memory(err, "masks");
    else
        st = prvcut_pass_run(t, &one, &m->span, all, 1, NULL, err);
    for (uint32_t i = 0; st == PRVCUT_OK && clock && i < threads; i++) {
        settle(&l, &l.work[i]);
        l.hit[i] =
            l.work[i].time > 0 && (double)l.work[i].cycles / (double)l.work[i].time < masks->slow;
    }
    if (st == PRVCUT_OK)
        st = prvcut_mask_list(m, l.hit, threads, err);
    free(l.hit);
    free(l.work);
    return st;
}

static uint64_t length(const struct prvcut_mask *m)
{
    return m->span.end - m->span.start;
}

enum prvcut_status prvcut_masks_affected(struct prvcut_masks *m, struct prvcut_trace *t,
                                         const struct prvcut_run *run, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned n = 0; n < LOOKED_AT && st == PRVCUT_OK; n++) {
        struct prvcut_mask *longest = NULL;

        for (size_t i = 0; i < m->count; i++)
            if (!m->at[i].thread && (!longest || length(&m->at[i]) > length(longest)))
                longest = &m->at[i];
        if (!longest)
            break;
        st = look_at(m, longest, t, run, err);
    }
    return st;
}
