#include "analysis/profile/profile_off.h"

#include "analysis/profile/profile_steps.h"
#include "base/memory.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

/* What a step is: tracing is off for a while, or is switched. */
enum { POF_STATE, POF_OFF, POF_ON };

/* A thread whose tracing is off, or was. */
struct pof_thread {
    uint64_t since; /* switched off by an event; valid with off */
    uint64_t told;  /* all before it has been counted */
    bool off;
};

struct prvcut_profile_off {
    struct prvcut_profile_found *found;
    struct prvcut_listener listener;
    struct pof_thread *thread; /* [threads] */
    struct prvcut_profile_adder adder;
};

/* --- Parts ------------------------------------------------------------------------------------ */

static bool pof_is_event(const struct prvcut_event *e)
{
    return e->role == PRVCUT_ROLE_TRACING;
}

static bool pof_is_state(const struct prvcut_state *s)
{
    return s->number == PRVCUT_STATE_TRACING_DISABLED && s->begin < s->end;
}

static enum prvcut_status pof_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t i = 0, k = 0;

    (void)ctx, (void)worker;
    while (st == PRVCUT_OK) {
        while (i < b->events && !pof_is_event(&b->event[i]))
            i++;
        while (k < b->states && !pof_is_state(&b->state[k]))
            k++;
        if (i == b->events && k == b->states)
            break;
        if (k == b->states || (i < b->events && b->event[i].time <= b->state[k].begin)) {
            const struct prvcut_event *e = &b->event[i++];

            st = prvcut_profile_steps_add(
                part,
                (struct prvcut_profile_step){ .from = e->time,
                                              .thread = e->thread,
                                              .what = e->value == 0 ? POF_OFF : POF_ON },
                err);
        } else {
            const struct prvcut_state *s = &b->state[k++];

            st = prvcut_profile_steps_add(
                part,
                (struct prvcut_profile_step){ .from = s->begin, .to = s->end, .thread = s->thread },
                err);
        }
    }
    return st;
}

static void pof_clear(void *part)
{
    prvcut_profile_steps_clear(part);
}

static void pof_part_fini(void *part)
{
    prvcut_profile_steps_fini(part);
}

/* --- In order --------------------------------------------------------------------------------- */

static enum prvcut_status pof_count(struct prvcut_profile_off *p, uint32_t thread,
                                    struct prvcut_span span, struct prvcut_error *err)
{
    struct pof_thread *t = &p->thread[thread];

    if (span.start < t->told)
        span.start = t->told;
    if (span.start >= span.end)
        return PRVCUT_OK;
    t->told = span.end;
    return prvcut_profile_spend(
        &p->adder, p->found, thread,
        (struct prvcut_proof_key){ PRVCUT_PROOF_STATE, PRVCUT_STATE_TRACING_DISABLED, 0 }, span,
        err);
}

/* It has been off up to a time. */
static enum prvcut_status pof_advance(struct prvcut_profile_off *p, uint32_t thread, uint64_t time,
                                      struct prvcut_error *err)
{
    struct pof_thread *t = &p->thread[thread];
    const struct prvcut_span span = { t->since, time };

    if (!t->off || time <= t->since)
        return PRVCUT_OK;
    t->since = time;
    return pof_count(p, thread, span, err);
}

static enum prvcut_status pof_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_profile_off *p = ctx;
    const struct prvcut_profile_steps *from = part;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_step *s = &from->at[i];
        struct pof_thread *t = &p->thread[s->thread];

        st = pof_advance(p, s->thread, s->from, err);
        if (st == PRVCUT_OK && s->what == POF_STATE)
            st = pof_count(p, s->thread, (struct prvcut_span){ s->from, s->to }, err);
        if (s->what == POF_STATE)
            continue;
        t->since = s->what == POF_OFF && !t->off ? s->from : t->since;
        t->off = s->what == POF_OFF;
    }
    return st;
}

static enum prvcut_status pof_ends(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct prvcut_profile_off *p = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < p->found->threads && st == PRVCUT_OK; i++)
        st = pof_advance(p, i, end_ns, err);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_off_new(struct prvcut_profile_off **out,
                                          struct prvcut_profile_found *f, struct prvcut_error *err)
{
    struct prvcut_profile_off *p = *out = prvcut_zeroed(1, sizeof *p, "states", err);

    if (!p)
        return PRVCUT_ENOMEM;
    p->found = f;
    p->listener = (struct prvcut_listener){
        .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_TRACING),
        .states = true,
        .ctx = p,
        .part = { sizeof(struct prvcut_profile_steps), "a part", NULL, pof_part_fini },
        .batch = pof_batch,
        .join = pof_join,
        .clear = pof_clear,
        .end = pof_ends,
    };
    p->thread = prvcut_zeroed((size_t)f->threads + 1, sizeof *p->thread, "threads", err);
    return p->thread ? prvcut_profile_adder_init(&p->adder, f, err) : PRVCUT_ENOMEM;
}

const struct prvcut_listener *prvcut_profile_off_listener(const struct prvcut_profile_off *p)
{
    return &p->listener;
}

enum prvcut_status prvcut_profile_off_end(struct prvcut_profile_off *p, struct prvcut_error *err)
{
    return prvcut_profile_merge_cells(&p->found->off, &p->adder.cell, err);
}

void prvcut_profile_off_free(struct prvcut_profile_off *p)
{
    if (!p)
        return;
    prvcut_profile_adder_fini(&p->adder);
    free(p->thread);
    free(p);
}
