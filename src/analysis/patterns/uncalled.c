#include "analysis/patterns/uncalled.h"

#include "base/memory.h"
#include "model/calls.h"

#include <stdlib.h>

/* More than that share of the thread's time is no rounding. */
#define MUCH 0.01
/* One in so many messages. */
#define LONE 20u

static enum prvcut_status unc_batch(void *ctx, unsigned worker, void *state,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    static const uint32_t communicates =
        1u << PRVCUT_STATE_WAITING_MESSAGE | 1u << PRVCUT_STATE_BLOCKING_SEND |
        1u << PRVCUT_STATE_TEST_PROBE | 1u << PRVCUT_STATE_WAIT |
        1u << PRVCUT_STATE_IMMEDIATE_SEND | 1u << PRVCUT_STATE_IMMEDIATE_RECEIVE |
        1u << PRVCUT_STATE_GROUP_COMMUNICATION | 1u << PRVCUT_STATE_SEND_RECEIVE;
    struct pat_uncalled *u = ctx;

    (void)worker, (void)state, (void)err;
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *s = &b->state[i];

        /* Sums of integers: the same in any order. */
        if (s->number < PRVCUT_STATES && communicates >> s->number & 1 && s->end > s->begin)
            __atomic_fetch_add(&u->ns[s->thread], s->end - s->begin, __ATOMIC_RELAXED);
    }
    return PRVCUT_OK;
}

enum prvcut_status pat_uncalled_init(struct pat_uncalled *u, uint32_t threads,
                                     struct prvcut_error *err)
{
    *u = (struct pat_uncalled){ .also = { .states = true, .ctx = u, .batch = unc_batch } };
    u->ns = prvcut_zeroed((size_t)threads + 1, sizeof *u->ns, "threads", err);
    return u->ns ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void pat_uncalled_fini(struct pat_uncalled *u)
{
    free(u->ns);
    u->ns = NULL;
}

bool pat_uncalled_is(const struct pat_uncalled *u, const struct pat_thread *t)
{
    uint64_t called = 0, messages = 0, span;

    if (t->regions || t->calls == 0)
        return false;
    for (size_t i = 0; i < t->calls; i++) {
        const struct pat_symbol *s = &t->symbol[t->call[i].symbol];

        messages += s->messages;
        if (s->role == PRVCUT_ROLE_P2P || s->role == PRVCUT_ROLE_COLLECTIVE)
            called += t->call[i].end - t->call[i].begin;
    }
    span = t->call[t->calls - 1].end - t->call[0].begin;
    return LONE * t->lone > messages ||
           (u->ns[t->thread] > called && (double)(u->ns[t->thread] - called) > MUCH * (double)span);
}
