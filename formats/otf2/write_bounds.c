#include "otf2/write.h"

#include "base/buffer.h"
#include "model/texts.h"

#include <stdlib.h>
#include <string.h>

/* Items that wait for the first MPI call, which tells whether MPI_Init is recorded. If there are
   more before it, an added one stands right before that call. */
#define HELD_MOST ((size_t)65536)

void o2w_bounds_fini(struct o2w_bounds *b)
{
    free(b->held);
}

void o2w_bounds_begin(struct o2w *w)
{
    const uint32_t thread = w->at.thread;

    w->bounds.first = w->outline->objects->task_first_thread[w->at.task] == thread;
    w->bounds.calls = w->bounds.init = w->bounds.finalize = false;
    w->bounds.count = 0;
    w->bounds.full = w->bounds.off = w->bounds.around = false;
    w->bounds.holds = w->bounds.wanted && w->bounds.first;
}

/* A call of no time, which no record tells: the way back leaves it out. */
static enum prvcut_status bounds_add_call(struct o2w *w, uint64_t time, const char *name,
                                          struct prvcut_error *err)
{
    uint32_t region;
    enum prvcut_status st =
        o2w_region_made_up(&w->names, prvcut_mpi_call_of(name, NULL), &region, err);

    w->at.last = time;
    if (st == PRVCUT_OK)
        st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);
    if (st == PRVCUT_OK)
        st = o2w_done(w, OTF2_EvtWriter_Enter(w->at.events, w->attributes, time, region),
                      "the begin of a region", err);
    if (st == PRVCUT_OK)
        st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);
    return st == PRVCUT_OK
               ? o2w_done(w, OTF2_EvtWriter_Leave(w->at.events, w->attributes, time, region),
                          "the end of a region", err)
               : st;
}

/* Around all that a process does stands a region, else what it does outside of regions is nobody's
   time. */
static enum prvcut_status bounds_add_around(struct o2w *w, uint64_t time, bool enter,
                                            struct prvcut_error *err)
{
    uint32_t region;
    enum prvcut_status st = PRVCUT_OK;

    if (!w->bounds.wanted || !w->bounds.first || w->bounds.around == enter)
        return PRVCUT_OK;
    w->bounds.around = enter;
    w->at.last = time;
    st = o2w_region_around(&w->names, &region, err);
    if (st == PRVCUT_OK)
        st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);
    if (st < 0)
        return st;
    return enter ? o2w_done(w, OTF2_EvtWriter_Enter(w->at.events, w->attributes, time, region),
                            "the begin of a region", err)
                 : o2w_done(w, OTF2_EvtWriter_Leave(w->at.events, w->attributes, time, region),
                            "the end of a region", err);
}

/* The MPI call that begins first in a run, as far as it bounds; *any: there is one. */
static enum prvcut_status bounds_first_call(struct o2w *w, const struct prvcut_item *item,
                                            size_t count, bool *any, enum prvcut_mpi_bound *bound,
                                            struct prvcut_error *err)
{
    uint32_t type, region;
    enum prvcut_status st = PRVCUT_OK;

    *any = false;
    *bound = PRVCUT_MPI_INSIDE;
    for (size_t i = 0; i < count && !*any && st == PRVCUT_OK; i++) {
        if (item[i].kind != PRVCUT_ITEM_EVENT || item[i].event.value == 0 ||
            (PRVCUT_ROLE_BIT(item[i].role) & PRVCUT_ROLES_MPI) == 0)
            continue;
        *any = true;
        st = o2w_type_of(&w->names, item[i].event.type, item[i].role, &type, err);
        if (st == PRVCUT_OK)
            st = o2w_region_of(&w->names, type, item[i].event.value, &region, err);
        if (st == PRVCUT_OK)
            *bound = w->names.region[region].bound;
    }
    return st;
}

/* Hand over what waited, run by run. */
static enum prvcut_status bounds_release(struct o2w *w, struct prvcut_error *err)
{
    struct o2w_bounds *b = &w->bounds;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0, next; i < b->count && st == PRVCUT_OK; i = next) {
        for (next = i + 1; next < b->count && b->held[next].time == b->held[i].time;)
            next++;
        st = o2w_run(w, b->held + i, next - i, b->sum, err);
    }
    b->count = 0;
    return st;
}

/* It is known whether MPI_Init comes: without it, it stands before all that was held. */
static enum prvcut_status bounds_decide(struct o2w *w, bool init, uint64_t time,
                                        struct prvcut_error *err)
{
    struct o2w_bounds *b = &w->bounds;
    enum prvcut_status st = PRVCUT_OK;

    b->holds = false;
    if (!init)
        st = bounds_add_call(w, b->count > 0 ? b->held[0].time : time, "MPI_Init", err);
    return st == PRVCUT_OK ? bounds_release(w, err) : st;
}

static enum prvcut_status bounds_hold(struct o2w *w, const struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct o2w_bounds *b = &w->bounds;
    const enum prvcut_status st =
        prvcut_grow((void **)&b->held, &b->room, b->count + count, sizeof *b->held, err);

    if (st < 0)
        return st;
    memcpy(b->held + b->count, item, count * sizeof *item);
    b->count += count;
    return PRVCUT_OK;
}

enum prvcut_status o2w_bounds_run(struct o2w *w, const struct prvcut_item *item, size_t count,
                                  struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct o2w_bounds *b = &w->bounds;
    enum prvcut_mpi_bound bound;
    enum prvcut_status st;
    bool any;

    b->sum = sum;
    st = b->around ? PRVCUT_OK : bounds_add_around(w, item->time, true, err);
    if (st < 0)
        return st;
    if (!b->holds)
        return o2w_run(w, item, count, sum, err);
    st = bounds_first_call(w, item, count, &any, &bound, err);
    if (st == PRVCUT_OK && !any && !b->full && b->count + count <= HELD_MOST)
        return bounds_hold(w, item, count, err);
    b->full = true;
    if (st == PRVCUT_OK)
        st = any ? bounds_decide(w, bound == PRVCUT_MPI_INIT, item->time, err)
                 : bounds_release(w, err);
    return st == PRVCUT_OK ? o2w_run(w, item, count, sum, err) : st;
}

enum prvcut_status o2w_bounds_end(struct o2w *w, struct prvcut_error *err)
{
    struct o2w_bounds *b = &w->bounds;
    enum prvcut_status st = b->around ? PRVCUT_OK : bounds_add_around(w, w->at.last, true, err);

    if (st == PRVCUT_OK && b->holds)
        st = bounds_decide(w, false, w->at.last, err);
    if (st == PRVCUT_OK)
        st = o2w_thread_end(w, err);
    if (st == PRVCUT_OK && b->wanted && b->off)
        st = o2w_put_mode(w, w->at.last, true, err);
    if (st < 0 || !b->first)
        return st;
    b->any_calls |= b->calls;
    b->no_init |= !b->init;
    b->no_finalize |= !b->finalize;
    if (b->wanted && !b->finalize)
        st = bounds_add_call(w, w->at.last, "MPI_Finalize", err);
    return st == PRVCUT_OK ? bounds_add_around(w, w->at.last, false, err) : st;
}

enum prvcut_status o2w_bounds_tell(const struct o2w *w, struct made_convert_summary *sum,
                                   struct prvcut_error *err)
{
    const struct o2w_bounds *b = &w->bounds;
    const char *text = NULL;

    if (w->outline->objects->tasks < 2 || !b->any_calls)
        return PRVCUT_OK;
    if (b->wanted)
        text = b->no_init && b->no_finalize
                   ? "MPI_Init and MPI_Finalize added where ranks have none"
               : b->no_init     ? "MPI_Init added where ranks have none"
               : b->no_finalize ? "MPI_Finalize added where ranks have none"
                                : NULL;
    else if (b->no_init)
        text = "not all ranks have MPI_Init: Scalasca takes this only with --no-rootcause "
               "--no-critical-path; convert with --for-scalasca to add the calls";
    else if (b->no_finalize)
        text = "not all ranks have MPI_Finalize: Scalasca will find no critical path; convert with "
               "--for-scalasca to add the calls";
    return text ? prvcut_texts_add(&sum->is.note, &sum->is.notes, text, err) : PRVCUT_OK;
}
