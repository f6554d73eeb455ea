#include "base/ordered.h"
#include "otf2/own_part.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status set_callbacks(struct o2_own_part *p, OTF2_EvtReader *events)
{
    OTF2_EvtReaderCallbacks *c = o2_own_callbacks();
    OTF2_ErrorCode code;

    if (!c)
        return prvcut_fail(p->err, PRVCUT_ENOMEM, "out of memory");
    code = OTF2_Reader_RegisterEvtCallbacks(p->w->reader, events, c, p);
    OTF2_EvtReaderCallbacks_Delete(c);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_fail(p->scan->trace, p->thread, code, p->err);
}

static bool stopped(struct o2_own_pass *s)
{
    bool stop = false;

    if (s->run && s->run->stop) {
        pthread_mutex_lock(&s->caller);
        stop = s->run->stop(s->run->ctx);
        pthread_mutex_unlock(&s->caller);
    }
    return stop;
}

static enum prvcut_status read_events(struct o2_own_part *p, OTF2_EvtReader *events)
{
    const struct o2_trace *t = p->scan->trace;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    uint64_t count = O2_MARK_EVENTS;

    while (code == OTF2_SUCCESS && count == O2_MARK_EVENTS) {
        if (stopped(p->scan))
            return prvcut_fail(p->err, PRVCUT_EINTERRUPTED, "interrupted");
        count = 0;
        code = OTF2_Reader_ReadLocalEvents(p->w->reader, events, O2_MARK_EVENTS, &count);
        p->counts.lines += count;
        /* In a file that was cut short, chunks come again and again. */
        if (code == OTF2_SUCCESS && p->counts.lines > t->size[p->thread] / O2_EVENT_LEAST)
            code = OTF2_ERROR_INVALID_RECORD;
    }
    if (p->status < 0)
        return p->status;
    if (code != OTF2_SUCCESS && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return o2_fail(t, p->thread, code, p->err);
    if (code == OTF2_SUCCESS)
        t->marks[p->thread].events = p->counts.lines;
    return PRVCUT_OK;
}

/* All of a location, or what stands before the damage, where that will do. */
static enum prvcut_status read_location(struct o2_own_part *p, struct prvcut_error *err)
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
        st = set_callbacks(p, events);
    if (st == PRVCUT_OK)
        st = read_events(p, events);
    if (events)
        OTF2_Reader_CloseEvtReader(p->w->reader, events);
    whole = st >= 0;
    if (st == PRVCUT_EFORMAT && t->lenient && p->status == PRVCUT_OK) {
        p->counts.skipped++;
        st = PRVCUT_OK;
    }
    if (st == PRVCUT_OK)
        st = o2_own_end(p, whole ? t->base.end_ns : p->last);
    return st < 0 ? prvcut_fail(err, st, "%s", damage.text) : PRVCUT_OK;
}

static uint32_t roles_of(const struct prvcut_consumer *c, uint32_t thread)
{
    const bool detail = c->detail && __atomic_load_n(&c->detail[thread], __ATOMIC_RELAXED) != 0;

    return detail ? c->roles | c->detail_roles : c->roles;
}

static void clear(struct o2_own_part *p)
{
    struct o2_own_worker *w = p->w;

    p->ends = 0;
    w->line_count = w->reading_count = 0;
    w->calls.count = w->posted.count = 0;
    memset(w->total, 0, (p->scan->trace->own->dictionary.types + 1) * sizeof *w->total);
    p->batch = (struct prvcut_batch){ .state = w->state, .event = w->event, .half = w->half };
    p->counts.first_ns = UINT64_MAX;
    p->roles = roles_of(p->scan->consumer, p->thread);
}

static enum prvcut_status own_take(void *ctx, unsigned worker, void **item,
                                   struct prvcut_error *err)
{
    struct o2_own_pass *s = ctx;
    struct o2_own_part *p;

    (void)worker;
    if (stopped(s))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (s->next == s->trace->defs.locations)
        return PRVCUT_END;
    p = calloc(1, sizeof *p);
    if (!p)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory");
    p->scan = s;
    p->thread = s->next++;
    *item = p;
    return PRVCUT_OK;
}

static enum prvcut_status own_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct o2_own_pass *s = ctx;
    const struct prvcut_consumer *c = s->consumer;
    struct o2_own_part *p = item;
    enum prvcut_status st = PRVCUT_OK;

    p->worker = worker;
    p->w = &s->worker[worker];
    clear(p);
    if (c->begin)
        st = c->begin(c->ctx, worker, p->thread, &p->state, err);
    p->begun = st == PRVCUT_OK;
    return st == PRVCUT_OK ? read_location(p, err) : st;
}

static enum prvcut_status own_join(void *ctx, void *item, enum prvcut_status failed,
                                   struct prvcut_error *err)
{
    struct o2_own_pass *s = ctx;
    struct o2_own_part *p = item;
    struct prvcut_counts *sum = &s->counts;

    if (failed < 0)
        return failed;
    sum->states += p->counts.states;
    sum->events += p->counts.events;
    sum->pairs += p->counts.pairs;
    sum->messages += p->counts.messages;
    sum->lines += p->counts.lines;
    sum->skipped += p->counts.skipped;
    if (p->counts.first_ns < sum->first_ns)
        sum->first_ns = p->counts.first_ns;
    if (p->counts.last_ns > sum->last_ns)
        sum->last_ns = p->counts.last_ns;
    if (s->trace->size[p->thread] != UINT64_MAX)
        sum->bytes += s->trace->size[p->thread];
    if (s->run && s->run->progress) {
        pthread_mutex_lock(&s->caller);
        s->run->progress(s->run->ctx, "reading", sum->bytes, s->trace->base.bytes);
        pthread_mutex_unlock(&s->caller);
    }
    return s->consumer->join ? s->consumer->join(s->consumer->ctx, p->state, err) : PRVCUT_OK;
}

static void own_drop(void *ctx, void *item)
{
    struct o2_own_pass *s = ctx;
    struct o2_own_part *p = item;

    if (p->begun && s->consumer->discard)
        s->consumer->discard(s->consumer->ctx, p->state);
    free(p);
}

static enum prvcut_status workers_init(struct o2_own_pass *s, unsigned workers,
                                       struct prvcut_error *err)
{
    const size_t types = s->trace->own->dictionary.types + 1;

    s->worker = calloc(workers, sizeof *s->worker);
    for (unsigned i = 0; s->worker && i < workers; i++) {
        struct o2_own_worker *w = &s->worker[i];

        w->state = calloc(O2_OWN_BATCH, sizeof *w->state);
        w->event = calloc(O2_OWN_BATCH, sizeof *w->event);
        w->half = calloc(O2_OWN_BATCH, sizeof *w->half);
        w->total = calloc(types, sizeof *w->total);
        if (!w->state || !w->event || !w->half || !w->total)
            return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for workers");
    }
    return s->worker ? PRVCUT_OK : prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for workers");
}

static void workers_fini(struct o2_own_pass *s, unsigned workers)
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
                               const struct prvcut_consumer *consumer, uint64_t to,
                               struct prvcut_counts *counts, struct prvcut_error *err)
{
    const unsigned workers = prvcut_workers(run ? run->threads : 0);
    struct o2_own_pass s = {
        .trace = t, .run = run, .consumer = consumer, .to = to, .counts = { .first_ns = UINT64_MAX }
    };
    const struct prvcut_ordered ordered = { &s, own_take, own_work, own_join, own_drop };
    enum prvcut_status st = workers_init(&s, workers, err);

    pthread_mutex_init(&s.caller, NULL);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&ordered, workers, err);
    workers_fini(&s, workers);
    pthread_mutex_destroy(&s.caller);
    if (s.counts.first_ns == UINT64_MAX)
        s.counts.first_ns = 0;
    t->scanned |= st == PRVCUT_OK && to == UINT64_MAX;
    if (st == PRVCUT_OK && counts)
        *counts = s.counts;
    return st;
}
