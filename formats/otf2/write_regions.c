#include "otf2/write.h"

#include "model/regions.h"

/* What all records of a line share: the first one tells that the line is one of its own. */
static enum prvcut_status write_region_begin_record(struct o2w *w, struct prvcut_error *err)
{
    if (!w->own_line)
        return PRVCUT_OK;
    w->own_line = false;
    return o2w_mark(w, O2_OWN_LINE, OTF2_TYPE_UINT8, 1, err);
}

static enum prvcut_status write_region_metric(struct o2w *w, uint64_t time, uint32_t type,
                                              OTF2_Type value_type, uint64_t value,
                                              struct prvcut_error *err)
{
    const OTF2_MetricValue v = { .unsigned_int = value };
    uint32_t id;
    const enum prvcut_status st = o2w_need(&w->names, type, O2_METRIC, &id, err);

    if (st < 0)
        return st;
    return o2w_done(
        w, OTF2_EvtWriter_Metric(w->at.events, w->attributes, time, id, 1, &value_type, &v),
        "a counter", err);
}

/* A counter begins with its base, so that differences of what follows are all that was counted. */
static enum prvcut_status write_region_put_counter(struct o2w *w, uint64_t time, uint32_t type,
                                                   int64_t value, struct prvcut_error *err)
{
    struct prvcut_nested_type *t = prvcut_nesting_type(&w->at.nest, type);
    enum prvcut_status st = PRVCUT_OK;

    if (!t->counted)
        st = write_region_metric(w, time, type, OTF2_TYPE_UINT64, 0, err);
    t->counted = true;
    t->total += (uint64_t)value;
    if (st == PRVCUT_OK)
        st = write_region_begin_record(w, err);
    return st == PRVCUT_OK ? write_region_metric(w, time, type, OTF2_TYPE_UINT64, t->total, err)
                           : st;
}

static enum prvcut_status write_region_put_gauge(struct o2w *w, uint64_t time, uint32_t type,
                                                 int64_t value, struct prvcut_error *err)
{
    const enum prvcut_status st = write_region_begin_record(w, err);

    return st == PRVCUT_OK
               ? write_region_metric(w, time, type, OTF2_TYPE_INT64, (uint64_t)value, err)
               : st;
}

static enum prvcut_status write_region_put_point(struct o2w *w, uint64_t time, uint32_t type,
                                                 int64_t value, struct prvcut_error *err)
{
    const OTF2_StringRef label = o2w_label_of(&w->names.type[type], value);
    const bool text = label != OTF2_UNDEFINED_STRING;
    OTF2_ErrorCode code;
    uint32_t id;
    enum prvcut_status st = o2w_need(&w->names, type, text ? O2_TEXT : O2_NUMBER, &id, err);

    if (st == PRVCUT_OK)
        st = write_region_begin_record(w, err);
    if (st < 0)
        return st;
    if (text)
        code = OTF2_EvtWriter_ParameterString(w->at.events, w->attributes, time, id, label);
    else
        code = OTF2_EvtWriter_ParameterInt(w->at.events, w->attributes, time, id, value);
    return o2w_done(w, code, "a parameter", err);
}

enum prvcut_status o2w_put_mode(struct o2w *w, uint64_t time, bool on, struct prvcut_error *err)
{
    const enum prvcut_status st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);

    return st == PRVCUT_OK ? o2w_done(w,
                                      OTF2_EvtWriter_MeasurementOnOff(
                                          w->at.events, w->attributes, time,
                                          on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF),
                                      "the measurement's state", err)
                           : st;
}

/* Tracing goes on or off. Scalasca takes what is off for a region, whose ends must be there: what
    was off before the first record, or is to the end. */
static enum prvcut_status write_region_tracing(struct o2w *w, uint64_t time, bool on,
                                               struct prvcut_error *err)
{
    const bool again = w->bounds.off != on;

    w->bounds.off = !on;
    return w->bounds.wanted && again ? o2w_put_mode(w, time, !on, err) : PRVCUT_OK;
}

static enum prvcut_status write_region_put_tracing(struct o2w *w, uint64_t time, uint32_t type,
                                                   int64_t value, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (value != 0 && value != 1)
        return write_region_put_point(w, time, type, value, err);
    st = write_region_tracing(w, time, value != 0, err);
    if (st == PRVCUT_OK)
        st = write_region_begin_record(w, err);
    if (st < 0)
        return st;
    return o2w_done(
        w,
        OTF2_EvtWriter_MeasurementOnOff(w->at.events, w->attributes, time,
                                        value ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF),
        "the measurement's state", err);
}

static enum prvcut_status write_enter(struct o2w *w, uint64_t time,
                                      const struct prvcut_nested *open, struct prvcut_error *err)
{
    return o2w_done(w, OTF2_EvtWriter_Enter(w->at.events, w->attributes, time, open->region),
                    "the begin of a region", err);
}

static enum prvcut_status write_leave(struct o2w *w, uint64_t time,
                                      const struct prvcut_nested *open, struct prvcut_error *err)
{
    return o2w_done(w, OTF2_EvtWriter_Leave(w->at.events, w->attributes, time, open->region),
                    "the end of a region", err);
}

static enum prvcut_status write_region_end_collective(struct o2w *w, uint64_t time,
                                                      const struct prvcut_nested *open,
                                                      struct prvcut_error *err)
{
    const struct prvcut_mpi_call *call = w->names.region[open->region].call;

    if (open->match == 0)
        return PRVCUT_OK;
    return o2w_done(w,
                    OTF2_EvtWriter_MpiCollectiveEnd(
                        w->at.events, NULL, time, (OTF2_CollectiveOp)call->operation,
                        open->communicator, open->root, open->sent, open->received),
                    "the end of a collective", err);
}

/* Interrupted ones are marked: a collective ends inside the call that it began in, and only once.
 */
static enum prvcut_status write_region_interrupt(void *writer, uint64_t time,
                                                 struct prvcut_nested *r, struct prvcut_error *err)
{
    struct o2w *w = writer;
    enum prvcut_status st = write_region_end_collective(w, time, r, err);

    r->match = 0;
    if (st == PRVCUT_OK)
        st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);
    return st == PRVCUT_OK ? write_leave(w, time, r, err) : st;
}

static enum prvcut_status write_region_resume(void *writer, uint64_t time, struct prvcut_nested *r,
                                              struct prvcut_error *err)
{
    struct o2w *w = writer;
    const enum prvcut_status st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);

    return st == PRVCUT_OK ? write_enter(w, time, r, err) : st;
}

static enum prvcut_status write_region_leave(void *writer, uint64_t time, struct prvcut_nested *r,
                                             bool implicit, struct prvcut_error *err)
{
    struct o2w *w = writer;
    enum prvcut_status st = write_region_end_collective(w, time, r, err);

    if (st == PRVCUT_OK && implicit)
        st = o2w_mark(w, O2_IMPLICIT, OTF2_TYPE_UINT8, 1, err);
    else if (st == PRVCUT_OK)
        st = write_region_begin_record(w, err);
    if (st == PRVCUT_OK && !implicit && w->in_order)
        st = o2w_mark(w, O2_IN_ORDER, OTF2_TYPE_UINT8, 1, err);
    w->in_order &= implicit;
    if (st == PRVCUT_OK)
        st = write_leave(w, time, r, err);
    if (w->names.region[r->region].flow == O2W_IRECV)
        o2w_post_is_over(w, time);
    return st;
}

static struct prvcut_nested_type *write_region_type(void *writer, uint32_t type)
{
    return &((struct o2w *)writer)->names.type[type].now;
}

const struct prvcut_nesting_format o2w_nesting = { .type = write_region_type,
                                                   .interrupt = write_region_interrupt,
                                                   .resume = write_region_resume,
                                                   .leave = write_region_leave };

static enum prvcut_status write_region_put_end(struct o2w *w, uint64_t time, uint32_t type,
                                               struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_nesting_end(&w->at.nest, time, type, err);

    if (st != PRVCUT_END)
        return st;
    w->unpaired++;
    return write_region_put_point(w, time, type, 0, err);
}

static bool write_region_is_end(const struct o2w *w, const struct o2w_pair *pair)
{
    return w->names.type[pair->type].kind == O2W_REGION && pair->item->event.value == 0;
}

/* Do the ends name the innermost regions in the order of their begins? The first is `from`. */
static bool write_region_outside_in(const struct o2w *w, size_t from, size_t until)
{
    size_t inner = 0;

    for (size_t i = until; i > from; i--) {
        if (w->pair[i - 1].done || !write_region_is_end(w, &w->pair[i - 1]))
            continue;
        if (!prvcut_nesting_is(&w->at.nest, inner++, w->pair[i - 1].type))
            return false;
    }
    return true;
}

/*
 * Ends that follow each other in a line. Lines name them in the order of the begins more often than
 * not: then they are written from the innermost on, and only those that are not so are marked.
 */
static enum prvcut_status write_region_put_ends(struct o2w *w, uint64_t time, size_t from,
                                                size_t until, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t ends = 0;
    bool reverse;

    for (size_t i = from; i < until; i++)
        ends += !w->pair[i].done && write_region_is_end(w, &w->pair[i]);
    reverse = ends > 1 && write_region_outside_in(w, from, until);
    w->in_order = ends > 1 && !reverse;
    for (size_t i = from; i < until && st == PRVCUT_OK; i++) {
        struct o2w_pair *pair = &w->pair[reverse ? until - 1 - (i - from) : i];

        if (pair->done || !write_region_is_end(w, pair))
            continue;
        st = write_region_put_end(w, time, pair->type, err);
        pair->done = true;
    }
    w->in_order = false;
    return st;
}

/* Everything that is known of a collective; false: not enough for a record. */
static bool write_region_collective_of(struct o2w *w, size_t place, struct prvcut_nested *open)
{
    const struct prvcut_item *line = w->pair[0].item;
    const struct prvcut_mpi_call *call = w->names.region[open->region].call;
    struct prvcut_held_call told;
    uint32_t root; /* task + 1 */

    if (!call || call->operation < 0 || call->nonblocking)
        return false;
    prvcut_held_call_of(&told, line, (size_t)(w->items_end - line),
                        (size_t)(w->pair[place].item - line));
    if (!prvcut_held_call_is_collective(&told, w->at.task, &root))
        return false;
    open->communicator =
        o2w_map_get(&w->comms.by_id, w->comms.application[w->at.task], (uint64_t)told.communicator);
    if (open->communicator == UINT32_MAX)
        return false;
    open->sent = told.sent < 0 ? 0 : (uint64_t)told.sent;
    open->received = told.received < 0 ? 0 : (uint64_t)told.received;
    open->root = root > 0
                     ? o2w_comm_rank(&w->comms, w->outline->objects, open->communicator, root - 1)
                     : OTF2_UNDEFINED_UINT32;
    return true;
}

/* Is one of a type's details among the attributes already? */
static bool write_region_has_detail(const struct o2w *w, const struct o2w_type *t)
{
    return (t->id[O2_DETAIL_NUMBER] != UINT32_MAX &&
            OTF2_AttributeList_TestAttributeByID(w->attributes, t->id[O2_DETAIL_NUMBER])) ||
           (t->id[O2_DETAIL_TEXT] != UINT32_MAX &&
            OTF2_AttributeList_TestAttributeByID(w->attributes, t->id[O2_DETAIL_TEXT]));
}

static enum prvcut_status write_region_add_detail(struct o2w *w, const struct o2w_pair *pair,
                                                  struct prvcut_error *err)
{
    const int64_t value = pair->item->event.value;
    const OTF2_StringRef label = o2w_label_of(&w->names.type[pair->type], value);
    const bool text = label != OTF2_UNDEFINED_STRING;
    uint32_t id;
    const enum prvcut_status st =
        o2w_need(&w->names, pair->type, text ? O2_DETAIL_TEXT : O2_DETAIL_NUMBER, &id, err);

    if (st < 0)
        return st;
    return o2w_done(w,
                    text ? OTF2_AttributeList_AddStringRef(w->attributes, id, label)
                         : OTF2_AttributeList_AddInt64(w->attributes, id, value),
                    "an attribute", err);
}

/* The line's details, as attributes of the region that it begins; where it begins several
   collectives, those behind each. */
static enum prvcut_status write_region_add_details(struct o2w *w, size_t place, size_t pairs,
                                                   struct prvcut_error *err)
{
    const bool collective = prvcut_item_begins_collective(w->pair[place].item);
    size_t from = 0, until = place + 1;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < place && collective; i++)
        from = prvcut_item_begins_collective(w->pair[i].item) ? place : from;
    while (until < pairs && !(collective && prvcut_item_begins_collective(w->pair[until].item)))
        until++;
    for (size_t i = from; i < until && st == PRVCUT_OK; i++) {
        const struct o2w_type *t = &w->names.type[w->pair[i].type];

        if (t->kind != O2W_DETAIL || w->pair[i].done || write_region_has_detail(w, t))
            continue;
        w->pair[i].done = true;
        st = write_region_add_detail(w, &w->pair[i], err);
    }
    return st;
}

/* A call that may bound what MPI does. */
static void write_region_note_bound(struct o2w *w, const struct o2w_region *r)
{
    w->bounds.calls = true;
    w->bounds.init |= r->bound == PRVCUT_MPI_INIT;
    w->bounds.finalize |= r->bound == PRVCUT_MPI_FINALIZE;
}

static enum prvcut_status write_region_put_begin(struct o2w *w, uint64_t time, size_t place,
                                                 size_t pairs, struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    const uint32_t type = w->pair[place].type;
    struct prvcut_nested open = { .type = type, .since = time };
    const struct o2w_region *region;
    const bool flat = w->names.type[type].flat &&
                      !(at->nest.calls_nest && w->names.type[type].role != PRVCUT_ROLE_FLUSH);
    enum prvcut_status st = prvcut_nesting_make_room(&at->nest, time, type, flat, err);

    if (st == PRVCUT_END)
        return write_region_put_point(w, time, type, w->pair[place].item->event.value, err);
    if (st == PRVCUT_OK)
        st = o2w_region_of(&w->names, type, w->pair[place].item->event.value, &open.region, err);
    if (st < 0)
        return st;
    region = &w->names.region[open.region];
    open.mpi = region->mpi;
    if (region->mpi)
        write_region_note_bound(w, region);
    open.match = write_region_collective_of(w, place, &open);
    st = write_region_begin_record(w, err);
    if (st == PRVCUT_OK)
        st = write_region_add_details(w, place, pairs, err);
    if (st == PRVCUT_OK)
        st = write_enter(w, time, &open, err);
    prvcut_nesting_begin(&at->nest, &open);
    if (st == PRVCUT_OK && open.match > 0)
        st = o2w_done(w, OTF2_EvtWriter_MpiCollectiveBegin(at->events, NULL, time),
                      "the begin of a collective", err);
    if (st == PRVCUT_OK && region->flow == O2W_IRECV)
        st = o2w_post(w, time, err);
    return st;
}

static enum prvcut_status write_region_put_pair(struct o2w *w, uint64_t time, size_t place,
                                                size_t pairs, struct prvcut_error *err)
{
    struct o2w_pair *pair = &w->pair[place];
    const int64_t value = pair->item->event.value;

    switch (w->names.type[pair->type].kind) {
    case O2W_REGION:
        return write_region_put_begin(w, time, place, pairs, err);
    case O2W_TRACING:
        return write_region_put_tracing(w, time, pair->type, value, err);
    case O2W_COUNTER:
    case O2W_GAUGE:
    case O2W_DETAIL:
    case O2W_POINT:
        break;
    }
    return write_region_put_point(w, time, pair->type, value, err);
}

static bool write_region_begins(const struct o2w *w, const struct o2w_pair *pair)
{
    return w->names.type[pair->type].kind == O2W_REGION && pair->item->event.value != 0;
}

/* Readings stand before the region event that they belong to, as measurement systems write them. */
static enum prvcut_status write_region_put_readings(struct o2w *w, uint64_t time, size_t pairs,
                                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < pairs && st == PRVCUT_OK; i++) {
        struct o2w_pair *pair = &w->pair[i];
        const enum o2w_kind kind = w->names.type[pair->type].kind;

        if (kind != O2W_COUNTER && kind != O2W_GAUGE)
            continue;
        pair->done = true;
        st = kind == O2W_COUNTER
                 ? write_region_put_counter(w, time, pair->type, pair->item->event.value, err)
                 : write_region_put_gauge(w, time, pair->type, pair->item->event.value, err);
    }
    return st;
}

/* Whether a pair is written in its place in the line, not before or behind it. */
static bool write_region_in_place(const struct o2w *w, const struct o2w_pair *pair, bool begun)
{
    return !pair->done && !(begun && w->names.type[pair->type].kind == O2W_DETAIL);
}

/* The pairs from `from` on that are written in place and end regions; returns where they stop. */
static size_t write_region_ends_until(const struct o2w *w, size_t from, size_t pairs, bool begun)
{
    size_t i = from;

    while (i < pairs &&
           (write_region_is_end(w, &w->pair[i]) || !write_region_in_place(w, &w->pair[i], begun)))
        i++;
    return i;
}

enum prvcut_status o2w_line(struct o2w *w, uint64_t time, size_t pairs, struct prvcut_error *err)
{
    enum prvcut_status st = write_region_put_readings(w, time, pairs, err);
    bool begun = false;

    /* Details that stand before the begin belong to it as well. */
    for (size_t i = 0; i < pairs && !begun; i++)
        begun = write_region_begins(w, &w->pair[i]);
    for (size_t i = 0; i < pairs && st == PRVCUT_OK; i++) {
        if (!write_region_in_place(w, &w->pair[i], begun))
            continue;
        if (write_region_is_end(w, &w->pair[i]))
            st =
                write_region_put_ends(w, time, i, write_region_ends_until(w, i, pairs, begun), err);
        else
            st = write_region_put_pair(w, time, i, pairs, err);
    }
    /* A detail given twice cannot be an attribute twice. */
    for (size_t i = 0; i < pairs && st == PRVCUT_OK && begun; i++) {
        if (!w->pair[i].done && w->names.type[w->pair[i].type].kind == O2W_DETAIL)
            st =
                write_region_put_point(w, time, w->pair[i].type, w->pair[i].item->event.value, err);
    }
    return st;
}
