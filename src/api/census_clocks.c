#include "api/census_clocks.h"

#include "base/memory.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

/* --- A part --------------------------------------------------------------------------------- */

enum prvcut_status clocks_part_init(struct clocks_part *p, uint32_t threads,
                                    struct prvcut_error *err)
{
    if (p->call)
        return PRVCUT_OK;
    p->call = prvcut_zeroed(threads, sizeof *p->call, "threads", err);
    p->threads = threads;
    return p->call ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* One that says nothing has its place all the same: the k-th ones belong together. */
static const struct prvcut_span ccl_says_nothing = { 0, UINT64_MAX };

static enum prvcut_status ccl_end_call(struct clocks_part *p, uint32_t thread, uint64_t time,
                                       struct prvcut_error *err)
{
    struct clocks_call *c = &p->call[thread];
    const struct prvcut_span span = { c->begin, time };

    c->open = false;
    if (c->communicator == PRVCUT_NOBODY)
        return PRVCUT_OK;
    return prvcut_samples_member(&p->samples, thread, c->communicator,
                                 c->all ? span : ccl_says_nothing, err);
}

enum prvcut_status clocks_event(struct clocks_part *p, const struct prvcut_event *e,
                                struct prvcut_error *err)
{
    struct clocks_call *c;

    if (e->thread >= p->threads)
        return PRVCUT_OK;
    c = &p->call[e->thread];
    if (e->role == PRVCUT_ROLE_COLLECTIVE && e->value != 0) {
        const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(e->type, e->value);

        *c = (struct clocks_call){ .begin = e->time,
                                   .communicator = PRVCUT_NOBODY,
                                   .open = call && !call->nonblocking,
                                   .all = call && call->flow == PRVCUT_CLOCK_ALL };
    } else if (e->role == PRVCUT_ROLE_COMMUNICATOR && c->open && e->time == c->begin) {
        c->communicator = (uint32_t)e->value;
    } else if (e->role == PRVCUT_ROLE_COLLECTIVE && c->open) {
        return ccl_end_call(p, e->thread, e->time, err);
    }
    return PRVCUT_OK;
}

void clocks_part_empty(struct clocks_part *p)
{
    prvcut_samples_clear(&p->samples);
    if (p->call)
        memset(p->call, 0, p->threads * sizeof *p->call);
}

void clocks_part_fini(struct clocks_part *p)
{
    prvcut_samples_fini(&p->samples);
    free(p->call);
    p->call = NULL;
}

/* --- All ------------------------------------------------------------------------------------ */

enum prvcut_status clocks_lone(const struct prvcut_samples *all, const struct prvcut_objects *o,
                               struct census_messages *out, struct prvcut_error *err)
{
    struct prvcut_lone lone = prvcut_lone_none(o, 0);
    const enum prvcut_status st = prvcut_samples_lone(all, &lone, err);
    const struct prvcut_lone_channel *at;
    size_t count;
    bool sends;

    at = prvcut_lone_channels(&lone, &count);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const uint64_t ends = prvcut_lone_ends(&at[i], &sends);

        *(sends ? &out->lone_sends : &out->lone_receives) += ends;
    }
    prvcut_lone_fini(&lone);
    return st;
}

/* One was to be earlier than the other, or at the same time. */
static void ccl_compare(void *ctx, uint64_t earlier, uint64_t later)
{
    struct census_clocks *out = ctx;

    out->checked++;
    if (later >= earlier)
        return;
    out->contradictions++;
    if (earlier - later > out->worst_ns)
        out->worst_ns = earlier - later;
}

static void ccl_compare_members(void *ctx, uint64_t last_begin, uint64_t first_end)
{
    if (last_begin > ccl_says_nothing.start && first_end < ccl_says_nothing.end)
        ccl_compare(ctx, last_begin, first_end);
}

enum prvcut_status clocks_end(const struct prvcut_samples *all, struct census_clocks *out,
                              struct prvcut_error *err)
{
    const struct prvcut_samples_taker compare = { .ctx = out,
                                                  .message = ccl_compare,
                                                  .collective = ccl_compare_members };

    return prvcut_samples_told(all, &compare, err);
}
