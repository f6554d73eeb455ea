#include "base/memory.h"
#include "pass/pass.h"
#include "stream/whole.h"
#include "structure/mask.h"

#include <stdlib.h>
#include <string.h>

/* A bound of time. Masks that are looked at: reading all of a run's spoilt half again would cost
 * too much. */
#define LOOKED_AT 32

/* What one thread did inside a mask. */
struct work {
    uint64_t read;         /* ns, of its last counter reading */
    uint64_t cycles, time; /* of its bursts */
    bool any;
    uint64_t pending_time, pending_cycles; /* an instant whose pairs are still coming */
    bool pending, call_ends;
};

/* One mask that is looked at. */
struct look {
    struct prvcut_mask *mask;
    struct prvcut_span span;
    double clogged;    /* s a byte, as of prvcut_masks */
    struct work *work; /* [threads]; NULL: messages tell */
    uint8_t *hit;      /* [threads] */
};

/* Some that are looked at in one reading. */
struct looks {
    struct look *at;
    size_t count;
    struct stm_whole whole; /* where messages tell */
};

/* The instant is complete: what was counted since the reading before. */
static void aff_settle(const struct look *l, struct work *w)
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

static void aff_look_event(struct look *l, const struct prvcut_event *e)
{
    struct work *w = &l->work[e->thread];

    if (e->time >= l->span.end)
        return;
    if (e->time != w->pending_time)
        aff_settle(l, w);
    w->pending_time = e->time;
    if (e->role == PRVCUT_ROLE_CYCLES) {
        w->pending = true;
        w->pending_cycles += e->value < 0 ? 0 : (uint64_t)e->value;
    } else {
        w->call_ends |= e->value == 0;
    }
}

static void aff_look_message(struct look *l, const struct prvcut_message *m)
{
    const uint64_t length = m->physical_receive - m->logical_send;

    if (m->physical_receive <= l->span.start || m->logical_send >= l->span.end ||
        m->physical_receive <= m->logical_send || m->size == 0)
        return;
    if ((double)length * 1e-9 / (double)m->size > l->clogged)
        l->hit[m->sender] = l->hit[m->receiver] = 1;
}

static enum prvcut_status aff_look_take(void *ctx, const struct prvcut_message *m,
                                        struct prvcut_error *err)
{
    const struct looks *all = ctx;

    (void)err;
    for (size_t i = 0; i < all->count; i++)
        aff_look_message(&all->at[i], m);
    return PRVCUT_OK;
}

static enum prvcut_status aff_look_begin(void *ctx, void *worker, void *part, uint64_t number,
                                         struct prvcut_error *err)
{
    (void)worker, (void)part, (void)err;
    stm_whole_begin(&((struct looks *)ctx)->whole, number);
    return PRVCUT_OK;
}

static enum prvcut_status aff_look_batch(void *ctx, void *worker, void *part,
                                         const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct looks *all = ctx;

    (void)worker, (void)part;
    if (!all->at[0].work)
        return stm_whole_batch(&all->whole, batch, err);
    for (size_t i = 0; i < batch->events; i++)
        aff_look_event(&all->at[0], &batch->event[i]);
    return PRVCUT_OK;
}

static enum prvcut_status aff_look_init(struct look *l, struct prvcut_masks *masks,
                                        struct prvcut_mask *m, uint32_t threads,
                                        struct prvcut_error *err)
{
    const bool clock = m->cause == PRVCUT_CAUSE_PREEMPTION;

    *l = (struct look){ .mask = m, .span = m->span, .clogged = masks->clogged };
    l->hit = prvcut_zeroed((size_t)threads + 1, 1, "threads", err);
    l->work = clock ? prvcut_zeroed((size_t)threads + 1, sizeof *l->work, "threads", err) : NULL;
    return l->hit && (!clock || l->work) ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Who was slow, or waited. */
static enum prvcut_status aff_look_end(struct look *l, const struct prvcut_masks *masks,
                                       uint32_t threads, struct prvcut_error *err)
{
    for (uint32_t i = 0; l->work && i < threads; i++) {
        aff_settle(l, &l->work[i]);
        l->hit[i] = l->work[i].time > 0 &&
                    (double)l->work[i].cycles / (double)l->work[i].time < masks->slow;
    }
    return prvcut_mask_list(l->mask, l->hit, threads, err);
}

/* Read what the masks hold; of ends of messages that are recorded apart, all of the trace. */
static enum prvcut_status aff_looks_read(struct looks *all, struct prvcut_trace *t,
                                         const struct prvcut_run *run, struct prvcut_error *err)
{
    const bool clock = all->at[0].work != NULL;
    const struct prvcut_listener listener = {
        .roles = clock ? PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES) : 0,
        .messages = !clock,
        .posts = !clock,
        .ctx = all,
        .begin = aff_look_begin,
        .batch = aff_look_batch,
    };
    const struct prvcut_listener *const listeners[] = { &listener };
    const bool whole = !clock && t->reader->halves;
    /* One worker: a thread's readings come in order. */
    struct prvcut_run one = *run;
    enum prvcut_status st = PRVCUT_OK;

    one.threads = 1;
    all->whole = (struct stm_whole){ .ctx = all, .take = aff_look_take };
    if (!clock)
        st = stm_whole_init(&all->whole, t, run, err);
    if (st == PRVCUT_OK)
        st = prvcut_pass_run(t, &one, whole ? NULL : &all->at[0].span, listeners, 1, NULL, err);
    if (st == PRVCUT_OK && !clock)
        st = stm_whole_end(&all->whole, err);
    stm_whole_fini(&all->whole);
    return st;
}

/* The masks are read in one go: a window of one, or the trace. */
static enum prvcut_status aff_look_at(struct prvcut_masks *masks, struct prvcut_mask *const *m,
                                      size_t count, struct prvcut_trace *t,
                                      const struct prvcut_run *run, struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;
    struct looks all = { .at = prvcut_zeroed(count, sizeof *all.at, "masks", err), .count = count };
    enum prvcut_status st = all.at ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = aff_look_init(&all.at[i], masks, m[i], threads, err);
    if (st == PRVCUT_OK)
        st = aff_looks_read(&all, t, run, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = aff_look_end(&all.at[i], masks, threads, err);
    for (size_t i = 0; all.at && i < count; i++) {
        free(all.at[i].hit);
        free(all.at[i].work);
    }
    free(all.at);
    return st;
}

static uint64_t aff_length(const struct prvcut_mask *m)
{
    return m->span.end - m->span.start;
}

/* The longest first: [LOOKED_AT] of those whose threads are not known. */
static size_t aff_choose_longest(struct prvcut_masks *m, struct prvcut_mask **out)
{
    size_t count = 0;

    for (size_t i = 0; i < m->count; i++) {
        size_t at = count < LOOKED_AT ? count++ : LOOKED_AT;

        if (m->at[i].thread) {
            count -= at < LOOKED_AT;
            continue;
        }
        for (; at > 0 && aff_length(out[at - 1]) < aff_length(&m->at[i]); at--)
            if (at < LOOKED_AT)
                out[at] = out[at - 1];
        if (at < LOOKED_AT)
            out[at] = &m->at[i];
    }
    return count;
}

enum prvcut_status prvcut_masks_affected(struct prvcut_masks *m, struct prvcut_trace *t,
                                         const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_mask *longest[LOOKED_AT], *clogged[LOOKED_AT];
    const size_t count = aff_choose_longest(m, longest);
    enum prvcut_status st = PRVCUT_OK;
    size_t together = 0;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        if (t->reader->halves && longest[i]->cause != PRVCUT_CAUSE_PREEMPTION)
            clogged[together++] = longest[i];
        else
            st = aff_look_at(m, &longest[i], 1, t, run, err);
    return st == PRVCUT_OK && together > 0 ? aff_look_at(m, clogged, together, t, run, err) : st;
}
