#include "prvcut/stream.h"

#include "api/filled.h"
#include "api/index.h"
#include "api/names.h"
#include "api/opening.h"
#include "base/memory.h"
#include "model/trace.h"
#include "stream/stream.h"

#include <inttypes.h>
#include <stdlib.h>

/* A program's taker. */
struct stream_program {
    struct prvcut_stream_taker taker;
    enum prvcut_status said; /* by the taker */
};

/* What a taker says ends the stream where it is not PRVCUT_OK; PRVCUT_END is no failure. */
static enum prvcut_status stream_said(struct stream_program *p, enum prvcut_status st,
                                      struct prvcut_error *err)
{
    if (st == PRVCUT_OK)
        return PRVCUT_OK;
    p->said = st;
    return prvcut_fail(err, st < 0 ? st : PRVCUT_EINTERRUPTED,
                       st < 0 ? "what the trace holds was refused" : "no more is wanted");
}

static enum prvcut_status stream_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                      struct prvcut_error *err)
{
    struct stream_program *p = ctx;

    return stream_said(p, p->taker.call(p->taker.ctx, c, begins), err);
}

static enum prvcut_status stream_message(void *ctx, const struct prvcut_stream_message *m,
                                         bool begins, struct prvcut_error *err)
{
    struct stream_program *p = ctx;

    return stream_said(p, p->taker.message(p->taker.ctx, m, begins), err);
}

static enum prvcut_status stream_collective(void *ctx, const struct prvcut_stream_collective *c,
                                            bool begins, struct prvcut_error *err)
{
    struct stream_program *p = ctx;

    return stream_said(p, p->taker.collective(p->taker.ctx, c, begins), err);
}

static struct prvcut_record stream_record(const struct prvcut_item *i)
{
    const bool state = i->kind == PRVCUT_ITEM_STATE;

    return (struct prvcut_record){ .kind = state ? PRVCUT_RECORD_STATE : PRVCUT_RECORD_EVENT,
                                   .thread = i->thread,
                                   .type = state ? 0 : i->event.type,
                                   .begin = i->time,
                                   .end = state ? i->state.end : i->time,
                                   .value = state ? (int64_t)i->state.number : i->event.value };
}

static enum prvcut_status stream_records(void *ctx, struct prvcut_item *item, size_t count,
                                         struct prvcut_error *err)
{
    struct stream_program *p = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const struct prvcut_record record = stream_record(&item[i]);

        st = stream_said(p, p->taker.records(p->taker.ctx, &record, 1), err);
    }
    return st;
}

static enum prvcut_status stream_checked(const struct prvcut_trace *trace,
                                         const struct prvcut_stream_options *o,
                                         struct prvcut_error *err)
{
    if (o->calls >> PRVCUT_ROLES != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "calls 0x%" PRIx32 ": bits up to 0x%" PRIx32 " stand for roles",
                           o->calls, PRVCUT_ROLE_BIT(PRVCUT_ROLES - 1));
    if (o->only.end == 0)
        return PRVCUT_OK;
    if (o->only.start >= o->only.end)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    return prvcut_window_begins_within(o->only.start, trace->end_ns, err);
}

static enum prvcut_status stream_tell(struct stream_program *p, struct prvcut_trace *trace,
                                      const struct prvcut_run *run,
                                      const struct prvcut_stream_options *o,
                                      struct prvcut_error *err)
{
    const struct prvcut_stream_sink sink = {
        .ctx = p,
        .records = p->taker.records ? stream_records : NULL,
        .call = p->taker.call ? stream_call : NULL,
        .message = p->taker.message ? stream_message : NULL,
        .collective = p->taker.collective ? stream_collective : NULL,
    };
    const struct prvcut_stream_plan plan = { .trace = trace,
                                             .run = run,
                                             .only = o->only,
                                             .by_thread = o->by_thread,
                                             .states = !o->no_states,
                                             .memory = o->memory,
                                             .scratch = o->scratch };
    const uint32_t calls = o->calls ? o->calls : PRVCUT_ROLES_MPI;
    struct prvcut_error own = { 0 };
    enum prvcut_status st = stream_checked(trace, o, err);

    if (st < 0)
        return st;
    st = prvcut_stream_tell(&plan, calls, prvcut_trace_can_window(trace), &sink, &own);
    if (st < 0 && p->said == PRVCUT_END)
        return PRVCUT_OK;
    if (st < 0)
        *err = own;
    return st;
}

enum prvcut_status prvcut_stream_run(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_stream_options *options,
                                     const struct prvcut_stream_taker *taker,
                                     struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct stream_program p = { .said = PRVCUT_OK };
    struct prvcut_stream_options o;
    enum prvcut_status st =
        prvcut_filled_take(&o, sizeof o, PRVCUT_FILLED_UP_TO(prvcut_stream_options, scratch),
                           options, "prvcut_stream_options", err);

    if (st == PRVCUT_OK)
        st = prvcut_filled_take(&p.taker, sizeof p.taker,
                                PRVCUT_FILLED_UP_TO(prvcut_stream_taker, records), taker,
                                "prvcut_stream_taker", err);
    if (st == PRVCUT_OK)
        st = prvcut_filled_take(&its_run, sizeof its_run, PRVCUT_FILLED_UP_TO(prvcut_run, ctx), run,
                                "prvcut_run", err);
    if (st < 0)
        return st;
    return prvcut_trace_outcome(trace, stream_tell(&p, trace, &its_run, &o, err), err);
}
