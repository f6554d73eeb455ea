#include "base/memory.h"
#include "otf2/cut_follow.h"
#include "otf2/mark.h"
#include "otf2/quick.h"
#include "otf2/sieve.h"

/* Events between two looks at the caller's wish to stop. */
#define BATCH ((uint64_t)1 << 18)

static enum prvcut_phase rea_phase(const struct o2_cutter *c)
{
    return c->marker  ? PRVCUT_PHASE_MARKING
           : c->sieve ? PRVCUT_PHASE_FILTERING
                      : PRVCUT_PHASE_CUTTING;
}

static bool rea_stopped(struct o2_cutter *c, uint64_t events)
{
    bool stop;

    pthread_mutex_lock(&c->lock);
    /* Events are no bytes, and how many there will be is not known. */
    if (c->run->progress && events > 0)
        c->run->progress(c->run->ctx, rea_phase(c), 0, 0);
    stop = c->run->stop && c->run->stop(c->run->ctx);
    pthread_mutex_unlock(&c->lock);
    return stop;
}

static enum prvcut_status rea_status(struct o2_place *p, OTF2_ErrorCode code,
                                     struct prvcut_error *err)
{
    if (p->status == PRVCUT_ENOMEM)
        return prvcut_no_memory(err, "what is open at a border");
    if (p->written != OTF2_SUCCESS)
        return o2_write_fail(p->cutter, p->written, err);
    if (code == OTF2_SUCCESS || code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return PRVCUT_OK;
    if (p->cutter->trace->lenient && !o2_library_refused()) {
        o2_library_clear();
        return PRVCUT_OK;
    }
    return o2_fail(p->cutter->trace, p->thread, code, err);
}

static bool rea_wants_more(void *ctx, uint64_t events)
{
    struct o2_place *p = ctx;

    p->stopped = rea_stopped(p->cutter, events);
    return !p->stopped;
}

/* Read from where the reader stands until a callback has enough. */
static enum prvcut_status rea_drain(struct o2_place *p, OTF2_Reader *r, OTF2_EvtReader *e,
                                    struct prvcut_error *err)
{
    const struct o2_events_way way = { p->cutter->trace, p->thread, BATCH, rea_wants_more, p };
    uint64_t events = 0;
    const OTF2_ErrorCode code = o2_events_read(&way, r, e, &events);

    return p->stopped ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted")
                      : rea_status(p, code, err);
}

enum prvcut_status o2_place_with(struct o2_place *p, OTF2_Reader **r, struct o2_events_span at,
                                 OTF2_EvtReaderCallbacks *callbacks, struct o2_event_calls *calls,
                                 struct prvcut_error *err)
{
    const struct o2_trace *t = p->cutter->trace;
    OTF2_EvtReader *e = NULL;
    enum prvcut_status st = PRVCUT_OK;
    OTF2_ErrorCode code;

    if (!callbacks)
        return prvcut_no_memory(err, "a reader");
    if (t->lenient && t->size[p->thread] == UINT64_MAX)
        st = PRVCUT_END;
    if (st == PRVCUT_OK && !*r)
        st = o2_reader_open(r, t, err);
    if (st == PRVCUT_OK)
        st = o2_location_open(&e, *r, t, p->thread, err);
    if (st == PRVCUT_END) { /* no file, and no events are missing, or that does not matter */
        OTF2_EvtReaderCallbacks_Delete(callbacks);
        return PRVCUT_OK;
    }
    if (st == PRVCUT_OK) {
        code = o2_quick_hand_over(*r, e, at.first, at.last);
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_RegisterEvtCallbacks(*r, e, callbacks, calls);
        st = code == OTF2_SUCCESS ? rea_drain(p, *r, e, err) : o2_fail(t, p->thread, code, err);
    }
    if (e)
        OTF2_Reader_CloseEvtReader(*r, e);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return st;
}

/* As far as the quick way leads: PRVCUT_END: the library is to go on behind `events` events. */
static enum prvcut_status rea_quickly(struct o2_place *p, const struct o2_event_calls *calls,
                                      struct o2_quick *q, uint64_t *events,
                                      struct prvcut_error *err)
{
    enum o2_quick_end end = O2_QUICK_MORE;

    *events = 0;
    if (!o2_quick_open(q, p->cutter->trace, p->thread))
        return PRVCUT_END;
    while (end == O2_QUICK_MORE) {
        uint64_t count = 0;

        end = o2_quick_read(q, calls, BATCH, &count);
        if (rea_stopped(p->cutter, count))
            return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    }
    *events = o2_quick_events(q);
    if (end == O2_QUICK_STOPPED)
        return PRVCUT_END;
    o2_library_clear();
    return rea_status(p, end == O2_QUICK_SHORT ? OTF2_ERROR_INVALID_RECORD : OTF2_SUCCESS, err);
}

static enum prvcut_status rea_party(struct o2_place *p, struct o2_party *g, OTF2_Reader **r,
                                    struct prvcut_error *err)
{
    struct o2_quick *q;
    uint64_t events = 0;
    enum prvcut_status st = o2_quick_new(&q, err);
    struct o2_event_calls calls;

    o2_cut_calls(&calls, g, false);
    if (st == PRVCUT_OK)
        st = rea_quickly(p, &calls, q, &events, err);
    o2_quick_free(q);
    if (st == PRVCUT_END)
        st = o2_place_with(p, r, (struct o2_events_span){ 1, events },
                           o2_cut_callbacks(&calls, false), &calls, err);
    return st;
}

/* The location ends while a collective is under way. */
static enum prvcut_status rea_end(struct o2_place *p, struct prvcut_error *err)
{
    if (p->begun)
        o2_need(p, o2_stretch_append(p, OTF2_UNDEFINED_COMM));
    p->begun = p->rma_begun = false;
    prvcut_table_fini(&p->pending);
    for (size_t i = 0; i < p->channels.count; i++)
        o2_need(p, o2_order_end(((struct o2_channel *)p->channels.at)[i].order));
    return rea_status(p, OTF2_SUCCESS, err);
}

static void rea_begin(struct o2_place *p, enum o2_phase phase)
{
    p->phase = phase;
    p->over = false;
    p->answer = OTF2_CALLBACK_SUCCESS;
}

enum prvcut_status o2_place_survey(struct o2_cutter *row, size_t rows, uint32_t thread,
                                   OTF2_Reader **r, struct prvcut_error *err)
{
    struct o2_party g;
    enum prvcut_status st = o2_party_init(&g, row, rows, thread, err);

    for (size_t i = 0; i < rows; i++)
        rea_begin(&row[i].place[thread], O2_BEFORE);
    if (st == PRVCUT_OK)
        st = rea_party(&row->place[thread], &g, r, err);
    /* Windows that begin behind the location's end. */
    if (st == PRVCUT_OK)
        o2_party_begin(&g, UINT64_MAX);
    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        st = rea_end(&row[i].place[thread], err);
    o2_party_fini(&g);
    return st;
}

enum prvcut_status o2_place_write(struct o2_place *p, OTF2_Reader **r, struct prvcut_error *err)
{
    struct o2_party g;
    struct o2_event_calls calls;
    enum prvcut_status st;

    rea_begin(p, O2_WRITING);
    /* It is over before the window, and no event follows where the reading would begin. */
    if (p->position > 0 && !p->alive)
        return PRVCUT_OK;
    st = o2_party_alone(&g, p, err);
    o2_cut_calls(&calls, &g, true);
    if (st == PRVCUT_OK)
        st = o2_place_with(p, r, (struct o2_events_span){ p->position + 1, p->position },
                           o2_cut_callbacks(&calls, true), &calls, err);
    o2_party_fini(&g);
    if (st < 0)
        return st;
    if (p->due)
        o2_due_put(p, UINT64_MAX);
    o2_place_close(p);
    return rea_status(p, OTF2_SUCCESS, err);
}
