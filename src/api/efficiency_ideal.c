#include "api/entries.h"
#include "prvcut/efficiency.h"

#include "analysis/efficiency/efficiency.h"
#include "api/efficiency_borders.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/remake.h"
#include "api/writers.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool efd_state(const void *ctx, struct prvcut_state *s)
{
    s->begin = prvcut_ideal_time(ctx, s->thread, s->begin);
    s->end = prvcut_ideal_time_before(ctx, s->thread, s->end);
    return s->begin < s->end;
}

static uint64_t efd_event(const void *ctx, uint32_t thread, uint64_t time)
{
    return prvcut_ideal_time(ctx, thread, time);
}

static uint64_t efd_last(const void *ctx, uint32_t thread)
{
    const struct prvcut_ideal *i = ctx;

    return prvcut_ideal_time(i, thread, i->last[thread]);
}

/* What was received before it was sent the replay leaves out; what is received behind all records
   (the trace ends before) is received at the end. */
static bool efd_message(const void *ctx, struct prvcut_message *m)
{
    const struct prvcut_ideal *i = ctx;
    uint64_t *const time[] = { &m->logical_send, &m->physical_send, &m->logical_receive,
                               &m->physical_receive };

    if (m->logical_send > m->physical_receive)
        return false;
    prvcut_ideal_message(i, m);
    for (size_t k = 0; k < sizeof time / sizeof *time; k++)
        *time[k] = *time[k] < i->end_ns ? *time[k] : i->end_ns;
    return true;
}

static enum prvcut_status efd_check(const struct prvcut_trace *t,
                                    const struct prvcut_efficiency_options *how,
                                    const struct prvcut_convert_options *to,
                                    struct prvcut_error *err)
{
    if (how->only.end > 0 || how->by != PRVCUT_EFFICIENCY_BY_RUN || how->region || how->first > 0 ||
        how->borders)
        return prvcut_fail(err, PRVCUT_EUSAGE, "an ideal run is that of a whole trace");
    return writers_again(t, to, "an ideal run", false, err);
}

/* Where each thread ends. */
static enum prvcut_status efd_keep_last(struct prvcut_ideal *ideal,
                                        const struct prvcut_efficiency_found *f,
                                        struct prvcut_error *err)
{
    ideal->last = prvcut_zeroed((size_t)f->threads + 1, sizeof *ideal->last, "threads", err);
    for (uint32_t i = 0; ideal->last && i < f->threads; i++)
        ideal->last[i] = f->reach[i].inside;
    return ideal->last ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Replay; each task has a clock, or each thread. *overlap: tasks' clocks do not do. */
static enum prvcut_status efd_replay(struct prvcut_ideal *ideal, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_efficiency_options *how, bool threads,
                                     bool *overlap, struct prvcut_error *err)
{
    struct prvcut_window all = { .to = api_efficiency_end(t) };
    const bool own = how->starts == PRVCUT_STARTS_AUTO ? t->own_window != NULL
                                                       : how->starts == PRVCUT_STARTS_OWN;
    uint64_t *bounds = NULL;
    const struct prvcut_efficiency_asked asked = {
        .stretch = &all,
        .stretches = 1,
        .only = { 0, all.to },
        .starts = own ? PRVCUT_EFFICIENCY_OWN : PRVCUT_EFFICIENCY_COMMON,
        .model = how->waits == PRVCUT_WAITS_CAUSAL ? PRVCUT_REPLAY_CAUSAL : PRVCUT_REPLAY_DIMEMAS,
        .eager = how->eager > 0 ? how->eager : PRVCUT_REPLAY_EAGER,
        .cap = PRVCUT_REPLAY_CAP,
        .threads = threads,
        .ideal = ideal,
    };
    struct prvcut_efficiency_found f = { 0 };
    enum prvcut_status st =
        prvcut_ideal_init(ideal, threads ? t->objects.threads : t->objects.tasks,
                          threads ? NULL : t->objects.thread_task, err);

    if (st == PRVCUT_OK && own)
        st = api_efficiency_own(&all, &bounds, t, err);
    if (st == PRVCUT_OK)
        st = prvcut_efficiency_read(&f, t, run, &asked, err);
    free(bounds);
    if (st == PRVCUT_OK && f.tasks > 1 && prvcut_efficiency_unreplayed(&f, f.any))
        st = prvcut_fail(err, PRVCUT_EUSAGE, "an ideal run is not known: %s",
                         prvcut_efficiency_unreplayed(&f, f.any));
    if (st == PRVCUT_OK)
        st = efd_keep_last(ideal, &f, err);
    *overlap = f.overlap;
    prvcut_efficiency_found_fini(&f);
    return st;
}

static enum prvcut_status efd_write(const struct prvcut_ideal *ideal, struct prvcut_trace *t,
                                    const struct prvcut_run *run,
                                    const struct prvcut_convert_options *to,
                                    struct made_convert_summary *out, struct prvcut_error *err)
{
    const struct prvcut_stream_clock clock = { .ctx = ideal,
                                               .end_ns = ideal->end_ns,
                                               .state = efd_state,
                                               .event = efd_event,
                                               .message = efd_message,
                                               .last = efd_last };
    const struct cnv_job job = { .trace = t, .run = run, .states = true, .clock = &clock };

    return remake_write(job, to, out, err);
}

enum prvcut_status api_efficiency_ideal(struct prvcut_trace *trace, const struct prvcut_run *run,
                                        const struct prvcut_efficiency_options *how,
                                        const struct prvcut_convert_options *to,
                                        struct made_convert_summary *out, struct prvcut_error *err)
{
    struct prvcut_ideal ideal = { 0 };
    bool overlap = false;
    enum prvcut_status st = efd_check(trace, how, to, err);

    if (st == PRVCUT_OK)
        st = efd_replay(&ideal, trace, run, how, false, &overlap, err);
    if (st == PRVCUT_OK && overlap) {
        prvcut_ideal_fini(&ideal);
        st = efd_replay(&ideal, trace, run, how, true, &overlap, err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_ideal_whole(&ideal, err);
    if (st == PRVCUT_OK)
        st = efd_write(&ideal, trace, run, to, out, err);
    prvcut_ideal_fini(&ideal);
    return prvcut_trace_outcome(trace, st, err);
}
