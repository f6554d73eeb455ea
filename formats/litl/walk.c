#include "litl/litl.h"

#include "base/buffer.h"
#include "base/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Requests that one MPI_Waitall or MPI_Waitany may name. */
#define REQUESTS_MOST ((int64_t)1 << 20)

/* What waits at an address in the program that holds a request. */
struct request {
    uint64_t address; /* the key */
    int64_t tag;
    uint64_t size;
    uint32_t peer, communicator;
    bool receive;
    bool active; /* posted and not complete */
    bool persistent;
};

/* Where a walk along a thread is. */
struct walk {
    const struct litl_trace *trace;
    const struct litl_thread *thread;
    const struct litl_process *process;
    const struct litl_listener *listener;
    struct litl_found *found;
    const struct litl_code *open;   /* the call that is open; NULL: none */
    const struct litl_code *before; /* what further information belongs to */
    const struct litl_event *event;
    struct prvcut_half pending; /* receive of the call that is open */
    bool has_pending;
    uint64_t *waited; /* requests that the open call waits for */
    size_t waits, wait_room;
    int64_t waits_promised;
    struct request begun;         /* persistent request that is being described */
    struct prvcut_table requests; /* of struct request */
    uint64_t last;
};

void litl_note(struct litl_found *found, enum litl_finding kind, const struct litl_thread *thread,
               uint64_t offset, const char *text)
{
    char line[256];

    if (!found || found[kind].count++ > 0)
        return;
    if (thread)
        snprintf(line, sizeof line, "process %" PRIu32 ", thread %" PRIu32 ", byte %" PRIu64 ": %s",
                 thread->process + 1, thread->number, offset, text);
    else
        snprintf(line, sizeof line, "%s", text);
    prvcut_quote(found[kind].example, sizeof found[kind].example, line, strlen(line));
}

static void walk_note(struct walk *w, enum litl_finding kind, const char *text)
{
    litl_note(w->found, kind, w->thread, w->event->offset, text);
}

/* --- Requests ------------------------------------------------------------------------------- */

/* A request is posted, or described; whatever stood at its address is over. */
static enum prvcut_status walk_litl_post(struct walk *w, const struct request *posted,
                                         struct prvcut_error *err)
{
    struct request *r = prvcut_table_make(&w->requests, posted, err);

    if (!r)
        return PRVCUT_ENOMEM;
    *r = *posted;
    return PRVCUT_OK;
}

/* --- Messages ------------------------------------------------------------------------------- */

static enum prvcut_status walk_deliver(struct walk *w, struct prvcut_half half,
                                       struct prvcut_error *err)
{
    half.time = w->event->time;
    half.thread = litl_dense_thread(w->trace, (uint32_t)(w->thread - w->trace->thread));
    return w->listener->half(w->listener->ctx, &half, err);
}

static uint32_t walk_partner(const struct walk *w, const struct litl_communicator *c, int64_t rank)
{
    const uint32_t task = litl_rank_task(w->trace, c, rank);

    /* Messages go to processes: their first thread stands for them. */
    return task == PRVCUT_NOBODY ? PRVCUT_NOBODY : w->trace->base.objects.task_first_thread[task];
}

/* An end of a message from the parameters: size, partner, tag; handle of the communicator. */
static struct prvcut_half walk_half_of(const struct walk *w, bool receive, const int64_t *value,
                                       uint64_t handle)
{
    const struct litl_communicator *c = litl_communicator_at(w->process, handle, w->event->time);

    return (struct prvcut_half){ .size = value[0] > 0 ? (uint64_t)value[0] : 0,
                                 .tag = value[2],
                                 .peer = walk_partner(w, c, value[1]),
                                 .communicator = c ? c->id : PRVCUT_NOBODY,
                                 .receive = receive };
}

/* A request has been waited or tested for. */
static enum prvcut_status walk_complete(struct walk *w, uint64_t address, struct prvcut_error *err)
{
    struct request *r = prvcut_table_find(&w->requests, &address);

    if (!r || !r->active)
        return PRVCUT_OK;
    r->active = false;
    if (!r->receive)
        return PRVCUT_OK;
    return walk_deliver(w,
                        (struct prvcut_half){ .size = r->size,
                                              .tag = r->tag,
                                              .peer = r->peer,
                                              .communicator = r->communicator,
                                              .receive = true },
                        err);
}

/* --- Calls ----------------------------------------------------------------------------------- */

static enum prvcut_status walk_tell_call(struct walk *w, const char *name,
                                         const struct prvcut_event *detail, unsigned details,
                                         struct prvcut_error *err)
{
    return w->listener->call(w->listener->ctx, w->event->time,
                             name ? prvcut_mpi_call_of(name, NULL) : NULL, detail, details, err);
}

static enum prvcut_status walk_close_call(struct walk *w, struct prvcut_error *err)
{
    w->open = NULL;
    w->has_pending = false;
    w->waits = 0;
    return walk_tell_call(w, NULL, NULL, 0, err);
}

static void walk_add_detail(struct prvcut_event *detail, unsigned *details, uint32_t type,
                            enum prvcut_role role, int64_t value)
{
    detail[(*details)++] =
        (struct prvcut_event){ .type = type, .role = (unsigned)role & 0x7fu, .value = value };
}

/* What a collective's begin tells, as far as it is recorded. */
static unsigned walk_details_of(const struct walk *w, const int64_t *value, unsigned count,
                                struct prvcut_event *detail)
{
    const char *name = w->open->call;
    const struct litl_communicator *c;
    const bool root = count == 5 && value[2] == value[4];
    unsigned details = 0;

    if (count == 0)
        return 0;
    if (count >= 4) {
        const bool gives = strncmp(name, "MPI_Scatter", 11) != 0 &&
                           (root || count == 4 || strncmp(name, "MPI_Bcast", 9) != 0);

        walk_add_detail(detail, &details, gives ? PRVCUT_TYPE_SIZE_SENT : PRVCUT_TYPE_SIZE_RECEIVED,
                        PRVCUT_ROLE_SIZE, value[3]);
    }
    c = litl_communicator_at(w->process, (uint64_t)value[0], w->event->time);
    if (c)
        walk_add_detail(detail, &details, PRVCUT_TYPE_COMMUNICATOR, PRVCUT_ROLE_COMMUNICATOR,
                        c->id);
    if (root)
        walk_add_detail(detail, &details, PRVCUT_TYPE_ROOT, PRVCUT_ROLE_ROOT, 1);
    return details;
}

static enum prvcut_status walk_litl_start(struct walk *w, const struct litl_code *c,
                                          const int64_t *value, unsigned count,
                                          struct prvcut_error *err)
{
    struct prvcut_event detail[4];
    unsigned details = 0;
    enum prvcut_status st = PRVCUT_OK;

    /* MPI_Waitsome is recorded as one MPI_Wait for each request. */
    if (w->open == c && c->meaning == LITL_WAIT)
        return PRVCUT_OK;
    if (w->open) {
        walk_note(w, LITL_CALL_UNFINISHED, w->open->call);
        st = walk_close_call(w, err);
    }
    w->open = c;
    if (c->meaning == LITL_COLLECTIVE || c->meaning == LITL_BARRIER)
        details = walk_details_of(w, value, count, detail);
    if (st == PRVCUT_OK)
        st = walk_tell_call(w, c->call, detail, details, err);
    if (st == PRVCUT_OK && c->meaning == LITL_SEND && count == 4)
        st = walk_deliver(w, walk_half_of(w, false, value, (uint64_t)value[3]), err);
    if ((c->meaning == LITL_RECV || c->meaning == LITL_SENDRECV) && count == 4) {
        w->pending = walk_half_of(w, true, value, (uint64_t)value[3]);
        w->has_pending = true;
    }
    if (c->meaning == LITL_WAITALL || c->meaning == LITL_WAITANY)
        w->waits_promised = count > 0 && value[0] < REQUESTS_MOST ? value[0] : 0;
    return st;
}

static enum prvcut_status walk_complete_waited(struct walk *w, const struct litl_code *c,
                                               const int64_t *value, unsigned count,
                                               struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (c->meaning == LITL_WAITANY)
        return count == 2 && value[1] >= 0 && (uint64_t)value[1] < w->waits
                   ? walk_complete(w, w->waited[value[1]], err)
                   : PRVCUT_OK;
    for (size_t i = 0; c->meaning == LITL_WAITALL && i < w->waits && st == PRVCUT_OK; i++)
        st = walk_complete(w, w->waited[i], err);
    return st;
}

static enum prvcut_status walk_stop(struct walk *w, const struct litl_code *c, const int64_t *value,
                                    unsigned count, struct prvcut_error *err)
{
    const bool mine = w->open && strcmp(w->open->call, c->call) == 0;
    enum prvcut_status st = PRVCUT_OK;

    w->before = NULL;
    if (c->meaning == LITL_WAIT && count == 1)
        st = walk_complete(w, (uint64_t)value[0], err);
    if (!mine) {
        /* The other requests of an MPI_Waitsome. */
        if (c->meaning != LITL_WAIT)
            walk_note(w, LITL_CALL_NOT_OPEN, c->call);
        return st;
    }
    if (c->meaning == LITL_RECV && count == 4)
        st = walk_deliver(w, walk_half_of(w, true, value, (uint64_t)value[3]), err);
    else if (w->has_pending)
        st = walk_deliver(w, w->pending, err);
    else
        st = st < 0 ? st : walk_complete_waited(w, c, value, count, err);
    return st < 0 ? st : walk_close_call(w, err);
}

/* --- Calls of which one moment is recorded --------------------------------------------------- */

static enum prvcut_status walk_posted(struct walk *w, const struct litl_code *c,
                                      const int64_t *value, struct prvcut_error *err)
{
    const bool receive = c->meaning == LITL_IRECV;
    const struct prvcut_half half = walk_half_of(w, receive, value, (uint64_t)value[4]);
    const struct request r = { .address = (uint64_t)value[3],
                               .tag = half.tag,
                               .size = half.size,
                               .peer = half.peer,
                               .communicator = half.communicator,
                               .receive = receive,
                               .active = true };
    enum prvcut_status st = walk_litl_post(w, &r, err);

    return st == PRVCUT_OK && !receive ? walk_deliver(w, half, err) : st;
}

static enum prvcut_status walk_restart(struct walk *w, uint64_t address, struct prvcut_error *err)
{
    struct request *r = prvcut_table_find(&w->requests, &address);

    if (!r || !r->persistent)
        return PRVCUT_OK;
    r->active = true;
    if (r->receive)
        return PRVCUT_OK;
    return walk_deliver(
        w,
        (struct prvcut_half){
            .size = r->size, .tag = r->tag, .peer = r->peer, .communicator = r->communicator },
        err);
}

static enum prvcut_status walk_point(struct walk *w, const struct litl_code *c,
                                     const int64_t *value, unsigned count, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    /* It is over as soon as it has begun; inside another one it is part of that. */
    if (!w->open)
        st = walk_tell_call(w, c->call, NULL, 0, err);
    if (st == PRVCUT_OK && (c->meaning == LITL_ISEND || c->meaning == LITL_IRECV) && count == 5)
        st = walk_posted(w, c, value, err);
    if (st == PRVCUT_OK && c->meaning == LITL_WAIT && count == 1)
        st = walk_complete(w, (uint64_t)value[0], err);
    if (st == PRVCUT_OK && c->meaning == LITL_PERSISTENT && count == 1)
        st = walk_restart(w, (uint64_t)value[0], err);
    if ((c->meaning == LITL_SEND_INIT || c->meaning == LITL_RECV_INIT) && count == 3)
        w->begun = (struct request){ .size = value[1] > 0 ? (uint64_t)value[1] : 0,
                                     .peer = (uint32_t)value[2],
                                     .receive = c->meaning == LITL_RECV_INIT,
                                     .persistent = true };
    return st < 0 || w->open ? st : walk_tell_call(w, NULL, NULL, 0, err);
}

/* --- Further information ---------------------------------------------------------------------- */

static const struct litl_code more_request = { 0, LITL_INFO, LITL_MORE, NULL, "p" };
static const struct litl_code more_send = { 0, LITL_INFO, LITL_MORE, NULL, "iii" };
static const struct litl_code more_persistent = { 0, LITL_INFO, LITL_MORE, NULL, "ihp" };

static enum prvcut_status walk_more_waited(struct walk *w, const int64_t *value,
                                           struct prvcut_error *err)
{
    void *at = w->waited;
    enum prvcut_status st;

    if (w->waits_promised <= 0)
        return PRVCUT_OK;
    st = prvcut_grow(&at, &w->wait_room, w->waits + 1, sizeof *w->waited, err);
    w->waited = at;
    if (st < 0)
        return st;
    w->waits_promised--;
    w->waited[w->waits++] = (uint64_t)value[0];
    return PRVCUT_OK;
}

static enum prvcut_status walk_described(struct walk *w, const int64_t *value,
                                         struct prvcut_error *err)
{
    const struct litl_communicator *c =
        litl_communicator_at(w->process, (uint64_t)value[1], w->event->time);

    w->begun.tag = value[0];
    w->begun.communicator = c ? c->id : PRVCUT_NOBODY;
    w->begun.peer = walk_partner(w, c, (int32_t)w->begun.peer);
    w->begun.address = (uint64_t)value[2];
    return walk_litl_post(w, &w->begun, err);
}

static enum prvcut_status walk_more(struct walk *w, struct prvcut_error *err)
{
    const enum litl_meaning meaning = w->before ? w->before->meaning : LITL_NOTHING;
    int64_t value[LITL_PARAMETERS] = { 0 };
    bool odd;

    if (meaning == LITL_WAITALL || meaning == LITL_WAITANY)
        return litl_parameters(w->event, &more_request, value, &odd) == 1
                   ? walk_more_waited(w, value, err)
                   : PRVCUT_OK;
    if (meaning == LITL_SENDRECV && w->has_pending &&
        litl_parameters(w->event, &more_send, value, &odd) == 3) {
        const struct litl_process *p = w->process;
        struct prvcut_half half = walk_half_of(w, false, value, 0);

        /* The communicator is that of the receive. */
        for (size_t i = 0; i < p->communicators; i++)
            if (p->communicator[i].id == w->pending.communicator)
                half.peer = walk_partner(w, &p->communicator[i], value[1]);
        half.communicator = w->pending.communicator;
        w->before = NULL;
        return walk_deliver(w, half, err);
    }
    if ((meaning == LITL_SEND_INIT || meaning == LITL_RECV_INIT) &&
        litl_parameters(w->event, &more_persistent, value, &odd) == 3) {
        w->before = NULL;
        return walk_described(w, value, err);
    }
    return PRVCUT_OK;
}

/* --- The walk --------------------------------------------------------------------------------- */

static enum prvcut_status walk_litl_step(struct walk *w, const struct litl_code *c,
                                         struct prvcut_error *err)
{
    int64_t value[LITL_PARAMETERS] = { 0 };
    bool odd = false;
    const unsigned count = litl_parameters(w->event, c, value, &odd);

    if (odd)
        walk_note(w, LITL_PARAMETERS_ODD, c->call ? c->call : "communicator");
    else if (count == 0 && *c->layout)
        walk_note(w, LITL_PARAMETERS_LOST, c->call ? c->call : "communicator");
    if (c->meaning == LITL_MORE)
        return walk_more(w, err);
    if (c->action == LITL_START || c->action == LITL_POINT)
        w->before = c;
    switch (c->action) {
    case LITL_START:
        return walk_litl_start(w, c, value, count, err);
    case LITL_STOP:
        return walk_stop(w, c, value, count, err);
    case LITL_POINT:
        return walk_point(w, c, value, count, err);
    case LITL_INFO:
    case LITL_SILENT:
        return PRVCUT_OK;
    }
    return PRVCUT_OK;
}

static enum prvcut_status walk_take(struct walk *w, struct litl_event *e, uint64_t span[3],
                                    struct prvcut_error *err)
{
    const struct litl_code *c = litl_code_find(e->code);

    w->event = e;
    if (span[2]++ > 0 && e->time < w->last) {
        /* Nothing goes back: it happens when the latest one did. */
        walk_note(w, LITL_TIME_BACK, "earlier than the event before it");
        e->time = w->last;
    }
    w->last = e->time;
    if (e->time < span[0])
        span[0] = e->time;
    span[1] = e->time;
    if (c)
        return walk_litl_step(w, c, err);
    if (LITL_MODULE(e->code) == LITL_MODULE_MPI)
        walk_note(w, LITL_UNKNOWN_CODE, "an unknown event code");
    else
        walk_note(w, LITL_OTHER_MODULE, "an event of another module");
    return PRVCUT_OK;
}

static void walk_fini(struct walk *w)
{
    free(w->waited);
    prvcut_table_fini(&w->requests);
}

enum prvcut_status litl_walk(const struct litl_trace *t, uint32_t thread,
                             const struct litl_listener *listener, struct litl_found *found,
                             uint64_t span[3], struct prvcut_error *err)
{
    const struct litl_thread *const me = &t->thread[thread];
    struct walk w = { .trace = t,
                      .thread = me,
                      .process = &t->process[me->process],
                      .listener = listener,
                      .found = found,
                      .requests = PRVCUT_TABLE(struct request, tag, "requests") };
    struct prvcut_error local = { 0 };
    struct litl_event e;
    struct litl_cursor c;
    enum prvcut_status st = litl_cursor_init(&c, t, me, err);

    span[0] = UINT64_MAX;
    span[1] = span[2] = 0;
    if (st < 0)
        return st;
    while ((st = litl_cursor_next(&c, &e, &local)) == PRVCUT_OK)
        if ((st = walk_take(&w, &e, span, err)) < 0)
            break;
    if (st == PRVCUT_EFORMAT && local.text[0] != '\0') {
        litl_note(found, LITL_DAMAGED, me, c.at, "its events cannot be read from here on");
        st = t->lenient ? PRVCUT_END : prvcut_fail_as(err, st, &local);
    } else if (st < 0 && local.text[0] != '\0') {
        prvcut_fail_as(err, st, &local);
    }
    if (st == PRVCUT_END && w.open) {
        w.event = &e;
        e.time = w.last;
        walk_note(&w, LITL_CALL_UNFINISHED, w.open->call);
        st = walk_close_call(&w, err);
    }
    litl_cursor_fini(&c);
    walk_fini(&w);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}
