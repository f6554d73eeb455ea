#include "otf2/own_part.h"
#include "otf2/share.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Before each mark's stride. */
static bool own_wants_more(void *ctx, uint64_t events)
{
    struct o2_own_part *p = ctx;

    if (p->status == PRVCUT_OK && !prvcut_scan_goes_on(&p->scan->base))
        p->status = prvcut_fail(p->err, PRVCUT_EINTERRUPTED, "interrupted");
    if (p->status == PRVCUT_OK && p->scan->marking && events > 0)
        p->status = o2_own_mark(p);
    return p->status == PRVCUT_OK;
}

static enum prvcut_status own_read_events(struct o2_own_part *p, OTF2_EvtReader *e)
{
    const struct o2_trace *t = p->scan->trace;
    struct o2_event_calls calls = o2_own_calls(p);
    const struct o2_events_way way = { t, p->thread, o2_own_stride(p), own_wants_more, p };
    enum prvcut_status st = o2_events_register(&calls, t, p->thread, p->w->reader, e, p->err);
    OTF2_ErrorCode code;

    if (st < 0)
        return st;
    code = o2_events_read(&way, p->w->reader, e, &p->base.counts.lines);
    if (p->status < 0)
        return p->status;
    if (code != OTF2_SUCCESS && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return o2_fail(t, p->thread, code, p->err);
    if (code == OTF2_SUCCESS && p->scan->marking)
        t->marks[p->thread].events = p->base.counts.lines;
    return PRVCUT_OK;
}

/* From the beginning, or from a mark before the window. */
static enum prvcut_status own_begin(struct o2_own_part *p, OTF2_EvtReader *events)
{
    uint64_t event;
    const enum prvcut_status st = o2_own_resume(p, &event);
    const OTF2_ErrorCode code =
        st == PRVCUT_OK && event > 1 ? OTF2_EvtReader_Seek(events, event) : OTF2_SUCCESS;

    return code == OTF2_SUCCESS ? st : o2_fail(p->scan->trace, p->thread, code, p->err);
}

/* All of a location, or what stands before the damage, where that will do. */
static enum prvcut_status own_read_location(struct o2_own_part *p, struct prvcut_error *err)
{
    struct o2_trace *t = p->scan->trace;
    struct prvcut_error damage = { 0 };
    OTF2_EvtReader *events = NULL;
    enum prvcut_status st = PRVCUT_OK;
    bool whole;

    p->err = &damage;
    if (!p->w->reader)
        st = o2_reader_open(&p->w->reader, t, &damage);
    if (st == PRVCUT_OK)
        st = o2_location_open(&events, p->w->reader, t, p->thread, &damage);
    if (st == PRVCUT_OK)
        st = own_begin(p, events);
    if (st == PRVCUT_OK)
        st = own_read_events(p, events);
    if (events)
        OTF2_Reader_CloseEvtReader(p->w->reader, events);
    whole = st >= 0;
    if (st == PRVCUT_EFORMAT && t->lenient && p->status == PRVCUT_OK) {
        p->base.counts.skipped++;
        st = PRVCUT_OK;
    }
    if (st == PRVCUT_OK)
        st = o2_own_end(p, whole ? t->base.end_ns : p->last);
    if (p->scan->marking)
        t->marks[p->thread].read = st == PRVCUT_OK;
    return st < 0 ? prvcut_fail_as(err, st, &damage) : PRVCUT_OK;
}

static uint32_t own_roles_of(const struct prvcut_consumer *c, uint32_t thread)
{
    const bool detail = c->detail && __atomic_load_n(&c->detail[thread], __ATOMIC_RELAXED) != 0;

    return detail ? c->roles | c->detail_roles : c->roles;
}

static void own_clear(struct o2_own_part *p)
{
    struct o2_own_worker *w = p->w;

    p->ends = 0;
    w->line_count = w->reading_count = 0;
    w->calls.count = w->posted.count = 0;
    memset(w->total, 0, (p->scan->trace->own->dictionary.types + 1) * sizeof *w->total);
    p->batch = (struct prvcut_batch){ .state = w->state, .event = w->event, .half = w->half };
    p->base.counts.first_ns = UINT64_MAX;
    p->roles = own_roles_of(p->scan->base.consumer, p->thread);
}

static enum prvcut_status own_next(struct prvcut_scan *base, struct prvcut_part *part,
                                   struct prvcut_error *err)
{
    struct o2_own_pass *s = (struct o2_own_pass *)base;

    (void)err;
    if (s->next == s->trace->defs.locations)
        return PRVCUT_END;
    part->number = s->next++;
    return PRVCUT_OK;
}

static enum prvcut_status own_decode(struct prvcut_scan *base, unsigned worker,
                                     struct prvcut_part *part, struct prvcut_error *err)
{
    struct o2_own_pass *s = (struct o2_own_pass *)base;
    struct o2_own_part *p = (struct o2_own_part *)part;

    *p = (struct o2_own_part){ .base = *part,
                               .scan = s,
                               .w = &s->worker[worker],
                               .worker = worker,
                               .thread = (uint32_t)part->number };
    own_clear(p);
    return own_read_location(p, err);
}

static enum prvcut_status own_joined(struct prvcut_scan *base, struct prvcut_part *part,
                                     struct prvcut_error *err)
{
    const struct o2_own_pass *s = (struct o2_own_pass *)base;

    (void)err;
    if (s->trace->size[part->number] != UINT64_MAX)
        base->counts.bytes += s->trace->size[part->number];
    base->position = base->counts.bytes;
    return PRVCUT_OK;
}

static void own_begin_with(struct prvcut_scan *base, uint64_t number)
{
    ((struct o2_own_pass *)base)->next = (uint32_t)number;
}

static const struct prvcut_parts own_locations = { .room = sizeof(struct o2_own_part),
                                                   .what = "a location",
                                                   .next = own_next,
                                                   .decode = own_decode,
                                                   .joined = own_joined,
                                                   .count = o2_share_count,
                                                   .begin = own_begin_with,
                                                   .pieces = &o2_share_marks };

static enum prvcut_status own_workers_init(struct o2_own_pass *s, unsigned workers,
                                           struct prvcut_error *err)
{
    const size_t types = s->trace->own->dictionary.types + 1;

    s->worker = prvcut_zeroed(workers, sizeof *s->worker, "workers", err);
    for (unsigned i = 0; s->worker && i < workers; i++) {
        struct o2_own_worker *w = &s->worker[i];

        w->state = prvcut_zeroed(O2_OWN_BATCH, sizeof *w->state, "workers", err);
        w->event = prvcut_zeroed(O2_OWN_BATCH, sizeof *w->event, "workers", err);
        w->half = prvcut_zeroed(O2_OWN_BATCH, sizeof *w->half, "workers", err);
        w->total = prvcut_zeroed(types, sizeof *w->total, "workers", err);
        if (!w->state || !w->event || !w->half || !w->total)
            return PRVCUT_ENOMEM;
    }
    return s->worker ? PRVCUT_OK : prvcut_no_memory(err, "workers");
}

static void own_workers_fini(struct o2_own_pass *s, unsigned workers)
{
    for (unsigned i = 0; s->worker && i < workers; i++) {
        struct o2_own_worker *w = &s->worker[i];

        o2_reader_close(w->reader);
        free(w->state);
        free(w->event);
        free(w->half);
        free(w->line);
        free(w->reading);
        free(w->total);
        free(w->calls.at);
        free(w->posted.at);
    }
    free(s->worker);
}

enum prvcut_status o2_own_scan(struct o2_trace *t, const struct prvcut_run *run,
                               const struct prvcut_consumer *consumer, struct prvcut_span only,
                               struct prvcut_counts *counts, struct prvcut_error *err)
{
    struct o2_own_pass s = { .base = { .trace = &t->base,
                                       .parts = &own_locations,
                                       .run = run,
                                       .consumer = consumer,
                                       .windowed = only.end != UINT64_MAX,
                                       .to = only.end },
                             .trace = t,
                             .marking = only.end == UINT64_MAX && !t->scanned,
                             .from = only.start };
    enum prvcut_status st;

    prvcut_scan_init(&s.base, UINT_MAX);
    st = own_workers_init(&s, s.base.workers, err);
    if (st == PRVCUT_OK)
        st = prvcut_scan_run(&s.base, err);
    own_workers_fini(&s, s.base.workers);
    t->scanned |= st == PRVCUT_OK && only.end == UINT64_MAX;
    if (st == PRVCUT_OK)
        prvcut_scan_counts(&s.base, counts);
    prvcut_scan_fini(&s.base);
    return st;
}
