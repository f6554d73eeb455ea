#include "prvcut/records.h"
#include "api/entries.h"

#include "api/index.h"
#include "api/names.h"
#include "api/objects.h"
#include "api/opening.h"
#include "base/memory.h"
#include "model/regions.h"
#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 4096

/* Records on their way from batches to whoever takes them. */
struct delivery {
    const struct prvcut_records_wish *wish;
    unsigned kinds;
    struct prvcut_record record[ROOM];
    size_t count;
    enum prvcut_status status; /* what the taker said */
};

static enum prvcut_status rec_deliver(struct delivery *d)
{
    if (d->status == PRVCUT_OK && d->count > 0)
        d->status = d->wish->take(d->wish->ctx, d->record, d->count);
    d->count = 0;
    return d->status;
}

static enum prvcut_status rec_put(struct delivery *d, const struct prvcut_record *r)
{
    const uint64_t end = r->end > r->begin ? r->end : r->begin + 1;

    if (!(d->kinds & (unsigned)r->kind) ||
        (d->wish->only.end > 0 && (r->begin >= d->wish->only.end || end <= d->wish->only.start)))
        return d->status;
    d->record[d->count++] = *r;
    return d->count == ROOM ? rec_deliver(d) : d->status;
}

static enum prvcut_status rec_put_states(struct delivery *d, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->states && d->status == PRVCUT_OK; i++)
        rec_put(d, &(struct prvcut_record){ .kind = PRVCUT_RECORD_STATE,
                                            .thread = b->state[i].thread,
                                            .begin = b->state[i].begin,
                                            .end = b->state[i].end,
                                            .value = b->state[i].number });
    return d->status;
}

static enum prvcut_status rec_put_events(struct delivery *d, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->events && d->status == PRVCUT_OK; i++)
        rec_put(d, &(struct prvcut_record){ .kind = PRVCUT_RECORD_EVENT,
                                            .thread = b->event[i].thread,
                                            .type = b->event[i].type,
                                            .begin = b->event[i].time,
                                            .end = b->event[i].time,
                                            .value = b->event[i].value });
    return d->status;
}

static enum prvcut_status rec_put_messages(struct delivery *d, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->messages && d->status == PRVCUT_OK; i++)
        rec_put(d, &(struct prvcut_record){ .kind = PRVCUT_RECORD_MESSAGE,
                                            .thread = b->message[i].sender,
                                            .peer = b->message[i].receiver,
                                            .begin = b->message[i].logical_send,
                                            .end = b->message[i].physical_receive,
                                            .value = b->message[i].tag,
                                            .size = b->message[i].size });
    for (size_t i = 0; i < b->halves && d->status == PRVCUT_OK; i++)
        rec_put(d, &(struct prvcut_record){ .kind = b->half[i].receive ? PRVCUT_RECORD_RECEIVE
                                                                       : PRVCUT_RECORD_SEND,
                                            .thread = b->half[i].thread,
                                            .peer = b->half[i].peer,
                                            .begin = b->half[i].time,
                                            .end = b->half[i].time,
                                            .value = b->half[i].tag,
                                            .size = b->half[i].size });
    return d->status;
}

/* A taker that wants no more ends the scan as an interruption, which is taken back afterwards.
 */
static enum prvcut_status rec_on_batch(void *ctx, unsigned worker, void *state,
                                       const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct delivery *d = ctx;
    enum prvcut_status st = rec_put_states(d, batch);

    (void)worker;
    (void)state;
    if (st == PRVCUT_OK)
        st = rec_put_events(d, batch);
    if (st == PRVCUT_OK)
        st = rec_put_messages(d, batch);
    if (st == PRVCUT_END)
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "no more records are wanted");
    return st < 0 ? prvcut_fail(err, st, "the records were refused") : st;
}

static enum prvcut_status rec_read_all(struct delivery *d, struct prvcut_trace *trace,
                                       const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_span *only = &d->wish->only;
    const unsigned messages = PRVCUT_RECORD_MESSAGE | PRVCUT_RECORD_SEND | PRVCUT_RECORD_RECEIVE;
    const struct prvcut_consumer consumer = {
        .ctx = d,
        .roles = d->kinds & PRVCUT_RECORD_EVENT ? UINT32_MAX : 0,
        .states = d->kinds & PRVCUT_RECORD_STATE,
        .messages = d->kinds & messages,
        .batch = rec_on_batch,
    };
    struct prvcut_run alone = run ? *run : (struct prvcut_run){ 0 };

    alone.threads = 1;
    if (only->end > 0 && prvcut_trace_can_window(trace))
        return trace->reader->scan_window(trace, &alone, only->start, only->end, &consumer, err);
    return trace->reader->scan(trace, &alone, &consumer, NULL, err);
}

enum prvcut_status api_records_read(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_records_wish *wish,
                                    struct prvcut_error *err)
{
    struct delivery *d = prvcut_zeroed(1, sizeof *d, "records", err);
    struct prvcut_error own = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (!d)
        return PRVCUT_ENOMEM;
    d->wish = wish;
    d->kinds = wish->kinds ? wish->kinds : ~0u;
    /* At its very end there may be records. */
    if (wish->only.start > trace->end_ns)
        st = prvcut_window_begins_within(wish->only.start, trace->end_ns, &own);
    if (st == PRVCUT_OK)
        st = rec_read_all(d, trace, run, &own);
    if (st == PRVCUT_OK)
        st = rec_deliver(d);
    if (d->status == PRVCUT_END)
        st = PRVCUT_OK;
    else if (st < 0)
        prvcut_fail(err, st, "%s", own.text[0] ? own.text : "the records were refused");
    free(d);
    return prvcut_trace_outcome(trace, st, err);
}

uint32_t prvcut_trace_threads(const struct prvcut_trace *trace)
{
    return trace->objects.threads;
}

uint32_t prvcut_trace_tasks(const struct prvcut_trace *trace)
{
    return trace->objects.tasks;
}

uint32_t prvcut_trace_applications(const struct prvcut_trace *trace)
{
    return trace->objects.applications;
}

uint32_t prvcut_trace_task_of(const struct prvcut_trace *trace, uint32_t thread)
{
    return trace->objects.thread_task[thread];
}

const char *prvcut_trace_format(const struct prvcut_trace *trace)
{
    return trace->reader->format->name;
}

enum prvcut_status prvcut_names_new(struct prvcut_names **out, struct prvcut_trace *trace,
                                    struct prvcut_error *err)
{
    struct prvcut_names *names = prvcut_zeroed(1, sizeof *names, "the names of a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!names)
        return PRVCUT_ENOMEM;
    names->threads = trace->objects.threads;
    names->tasks = trace->objects.tasks;
    names->nodes = trace->objects.nodes;
    st = trace->reader->describe(trace, &names->dictionary, err);
    if (st < 0)
        free(names);
    else
        *out = names;
    return st;
}

void prvcut_names_free(struct prvcut_names *names)
{
    if (names)
        prvcut_dictionary_fini(&names->dictionary);
    free(names);
}

const char *prvcut_names_state(const struct prvcut_names *names, int64_t state)
{
    const struct prvcut_state_name *s =
        state < 0 || state > UINT32_MAX
            ? NULL
            : prvcut_dictionary_state(&names->dictionary, (uint32_t)state);

    return s ? s->text : NULL;
}

const char *prvcut_names_type(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t ? t->text : NULL;
}

const char *prvcut_names_value(const struct prvcut_names *names, uint32_t type, int64_t value)
{
    return prvcut_value_text(&names->dictionary, type, value);
}
