#include "analysis/efficiency/ideal.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_ideal_init(struct prvcut_ideal *i, uint32_t lanes,
                                     const uint32_t *thread_lane, struct prvcut_error *err)
{
    *i = (struct prvcut_ideal){ .lanes = lanes, .thread_lane = thread_lane };
    i->lane = prvcut_zeroed((size_t)lanes + 1, sizeof *i->lane, "threads", err);
    return i->lane ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_ideal_fini(struct prvcut_ideal *i)
{
    for (uint32_t k = 0; i->lane && k < i->lanes; k++)
        free(i->lane[k].call);
    free(i->lane);
    free(i->last);
    memset(i, 0, sizeof *i);
}

void prvcut_ideal_add(struct prvcut_ideal *i, uint32_t lane, struct prvcut_span recorded,
                      struct prvcut_span ideal)
{
    struct prvcut_ideal_lane *l = &i->lane[lane];

    if (i->full || i->disordered || i->no_memory)
        return;
    i->full = i->calls == PRVCUT_IDEAL_CALLS;
    i->disordered = recorded.end < recorded.start || ideal.end < ideal.start ||
                    (l->calls > 0 && (recorded.start < l->call[l->calls - 1].recorded.end ||
                                      ideal.start < l->call[l->calls - 1].ideal.end));
    i->no_memory =
        prvcut_grow((void **)&l->call, &l->room, l->calls + 1, sizeof *l->call, NULL) < 0;
    if (i->full || i->disordered || i->no_memory)
        return;
    l->call[l->calls++] = (struct prvcut_ideal_call){ recorded, ideal };
    i->calls++;
}

enum prvcut_status prvcut_ideal_whole(const struct prvcut_ideal *i, struct prvcut_error *err)
{
    if (i->no_memory)
        return prvcut_no_memory(err, "the calls of an ideal run");
    if (i->full)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "the run has more than %zu calls, too many to write as an ideal one; "
                           "cut it first",
                           PRVCUT_IDEAL_CALLS);
    if (i->disordered)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "calls of one task overlap or go back in time: no ideal run can be "
                           "written");
    return PRVCUT_OK;
}

struct idl_place {
    const struct prvcut_ideal_call *call;
    uint64_t time;
    bool at;
};

static bool idl_is_later(const void *ctx, size_t i)
{
    const struct idl_place *p = ctx;
    const uint64_t begin = p->call[i].recorded.start;

    return begin > p->time || (!p->at && begin == p->time);
}

/* How many calls of a lane begin before a time, or (at) then, too. */
static size_t idl_begun(const struct prvcut_ideal_lane *l, uint64_t time, bool at)
{
    const struct idl_place place = { l->call, time, at };

    return prvcut_first(0, l->calls, idl_is_later, &place);
}

static const struct prvcut_ideal_lane *idl_lane(const struct prvcut_ideal *i, uint32_t thread)
{
    return &i->lane[i->thread_lane ? i->thread_lane[thread] : thread];
}

static uint64_t idl_back(uint64_t ideal, uint64_t by)
{
    return by < ideal ? ideal - by : 0;
}

/* A time of which so many calls have begun. */
static uint64_t idl_time(const struct prvcut_ideal_lane *l, size_t begun, uint64_t time)
{
    const struct prvcut_ideal_call *c = begun > 0 ? &l->call[begun - 1] : NULL;

    if (!c && l->calls == 0)
        return time < l->recorded ? idl_back(l->ideal, l->recorded - time)
                                  : l->ideal + (time - l->recorded);
    if (!c)
        return idl_back(l->call[0].ideal.start, l->call[0].recorded.start - time);
    if (time >= c->recorded.end)
        return c->ideal.end + (time - c->recorded.end);
    return time - c->recorded.start < c->ideal.end - c->ideal.start
               ? c->ideal.start + (time - c->recorded.start)
               : c->ideal.end;
}

uint64_t prvcut_ideal_time(const struct prvcut_ideal *i, uint32_t thread, uint64_t time)
{
    const struct prvcut_ideal_lane *l = idl_lane(i, thread);

    return idl_time(l, idl_begun(l, time, true), time);
}

uint64_t prvcut_ideal_time_before(const struct prvcut_ideal *i, uint32_t thread, uint64_t time)
{
    const struct prvcut_ideal_lane *l = idl_lane(i, thread);

    return idl_time(l, idl_begun(l, time, false), time);
}

/* Where the call of that time begins; between two calls it is the second. */
static uint64_t idl_call_begins(const struct prvcut_ideal_lane *l, uint64_t time)
{
    const size_t begun = idl_begun(l, time, true);

    return begun > 0 && time <= l->call[begun - 1].recorded.end ? l->call[begun - 1].ideal.start
                                                                : idl_time(l, begun, time);
}

/* Where the call of that time ends; between two calls it is the first. */
static uint64_t idl_call_ends(const struct prvcut_ideal_lane *l, uint64_t time)
{
    const size_t before = idl_begun(l, time, false), begun = idl_begun(l, time, true);

    if (before > 0 && time <= l->call[before - 1].recorded.end)
        return l->call[before - 1].ideal.end;
    return begun > before ? l->call[before].ideal.end : idl_time(l, begun, time);
}

void prvcut_ideal_message(const struct prvcut_ideal *i, struct prvcut_message *m)
{
    const struct prvcut_ideal_lane *from = idl_lane(i, m->sender), *to = idl_lane(i, m->receiver);
    const bool causal = m->logical_send <= m->physical_receive;
    const bool posted = m->logical_receive <= m->physical_receive;

    m->logical_send = idl_call_begins(from, m->logical_send);
    m->physical_send = idl_time(from, idl_begun(from, m->physical_send, true), m->physical_send);
    m->logical_receive = idl_call_begins(to, m->logical_receive);
    m->physical_receive = idl_call_ends(to, m->physical_receive);
    /* Of those for which nobody waited in the replay. */
    if (causal && m->physical_receive < m->logical_send)
        m->physical_receive = m->logical_send;
    if (posted && m->logical_receive > m->physical_receive)
        m->logical_receive = m->physical_receive;
    if (causal && m->physical_send > m->physical_receive)
        m->physical_send = m->physical_receive;
    if (m->physical_send < m->logical_send)
        m->physical_send = m->logical_send;
}
