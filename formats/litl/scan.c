#include "litl/litl.h"

#include "base/memory.h"
#include "base/room.h"
#include "scan/scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Records of a kind that are handed over at once. */
#define BATCH PRVCUT_ROOM(4096u)
/* Calls between two looks at the caller's stop. */
#define CALLS_PER_LOOK 65536u

/* Threads in parallel, in the model's order; a part is a thread. */
struct pass {
    struct prvcut_scan base;
    struct scan *worker;      /* [workers] */
    uint32_t process, thread; /* the next one: of the order, of the process */
    uint32_t done;
};

struct item {
    struct prvcut_part base;
    uint32_t index; /* of the trace's threads */
};

/* One thread on its way to the consumer: a worker's. */
struct scan {
    const struct litl_trace *trace;
    struct prvcut_scan *base;
    struct prvcut_counts *counts; /* the part's */
    unsigned number;              /* of the worker */
    void *part;                   /* the consumer's */
    uint64_t span[3];
    int64_t shift;   /* from the process's clock to the trace's time */
    uint64_t begin;  /* of the present state; UINT64_MAX: none yet */
    uint32_t thread; /* dense */
    uint32_t roles;  /* wanted of this thread */
    uint32_t state;  /* number */
    uint32_t type;   /* of the open call; 0: none */
    enum prvcut_role role;
    unsigned calls;
    struct prvcut_batch batch;
};

static uint64_t scan_time_of(const struct scan *s, uint64_t time)
{
    return (uint64_t)((int64_t)(time - s->trace->start) + s->shift);
}

static enum prvcut_status scan_hand_over(struct scan *s, struct prvcut_error *err)
{
    const struct prvcut_consumer *c = s->base->consumer;
    struct prvcut_batch *b = &s->batch;
    enum prvcut_status st = PRVCUT_OK;

    if (b->states + b->events + b->halves > 0 && c->batch)
        st = c->batch(c->ctx, s->number, s->part, b, err);
    b->states = b->events = b->halves = 0;
    return st;
}

static enum prvcut_status scan_add_state(struct scan *s, uint64_t end, struct prvcut_error *err)
{
    const bool running = s->state == PRVCUT_STATE_RUNNING;

    if (s->begin == end)
        return PRVCUT_OK;
    s->counts->states++;
    if (s->base->consumer->states && (running || !s->base->consumer->running_only))
        s->batch.state[s->batch.states++] =
            (struct prvcut_state){ .begin = s->begin,
                                   .end = end,
                                   .thread = s->thread,
                                   .running = running,
                                   .number = s->state & 0x7fffffff };
    s->begin = end;
    return s->batch.states == BATCH ? scan_hand_over(s, err) : PRVCUT_OK;
}

static void scan_add_event(struct scan *s, uint64_t time, struct prvcut_event event, bool *head)
{
    s->counts->pairs++;
    if ((s->roles >> event.role & 1) == 0)
        return;
    event.time = time;
    event.thread = s->thread & 0xffffff;
    event.head = *head;
    *head = false;
    s->batch.event[s->batch.events++] = event;
}

static enum prvcut_status scan_look(struct scan *s, struct prvcut_error *err)
{
    if (++s->calls % CALLS_PER_LOOK != 0 || prvcut_scan_goes_on(s->base))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
}

static enum prvcut_status scan_on_call(void *ctx, uint64_t at, const struct prvcut_mpi_call *call,
                                       const struct prvcut_event *detail, unsigned details,
                                       struct prvcut_error *err)
{
    struct scan *s = ctx;
    const uint64_t time = scan_time_of(s, at);
    bool head = true;
    enum prvcut_status st;

    if (s->begin == UINT64_MAX)
        s->begin = scan_time_of(s, s->span[0]);
    st = scan_add_state(s, time, err);
    if (st < 0)
        return st;
    if (call) {
        s->type = call->type;
        s->role = call->role;
    }
    s->state = call ? (uint32_t)call->state : (uint32_t)PRVCUT_STATE_RUNNING;
    s->counts->events++;
    scan_add_event(s, time,
                   (struct prvcut_event){ .type = s->type,
                                          .role = (unsigned)s->role & 0x7fu,
                                          .value = call ? call->value : 0 },
                   &head);
    for (unsigned i = 0; i < details; i++)
        scan_add_event(s, time, detail[i], &head);
    /* A line is not torn: it has at most five pairs. */
    if (s->batch.events + 8 > BATCH)
        st = scan_hand_over(s, err);
    return st < 0 ? st : scan_look(s, err);
}

static enum prvcut_status scan_on_half(void *ctx, const struct prvcut_half *half,
                                       struct prvcut_error *err)
{
    struct scan *s = ctx;

    s->counts->messages++;
    if (!s->base->consumer->messages)
        return PRVCUT_OK;
    s->batch.half[s->batch.halves] = *half;
    s->batch.half[s->batch.halves++].time = scan_time_of(s, half->time);
    return s->batch.halves == BATCH ? scan_hand_over(s, err) : PRVCUT_OK;
}

static void scan_join_span(struct scan *s)
{
    const uint64_t first = scan_time_of(s, s->span[0]), last = scan_time_of(s, s->span[1]);

    if (first < s->counts->first_ns)
        s->counts->first_ns = first;
    if (last > s->counts->last_ns)
        s->counts->last_ns = last;
    s->counts->lines += s->span[2];
}

static enum prvcut_status scan_part(struct scan *s, uint32_t index, struct prvcut_error *err)
{
    const struct litl_listener listener = { s, scan_on_call, scan_on_half };
    enum prvcut_status st = litl_walk(s->trace, index, &listener, NULL, s->span, err);

    if (st == PRVCUT_OK && s->span[2] > 0) {
        if (s->begin == UINT64_MAX)
            s->begin = scan_time_of(s, s->span[0]);
        st = scan_add_state(s, scan_time_of(s, s->span[1]), err);
        scan_join_span(s);
    }
    return st < 0 ? st : scan_hand_over(s, err);
}

static enum prvcut_status scan_litl_next(struct prvcut_scan *base, struct prvcut_part *p,
                                         struct prvcut_error *err)
{
    struct pass *s = (struct pass *)base;
    const struct litl_trace *t = (struct litl_trace *)base->trace;

    (void)err;
    while (s->process < t->processes && s->thread == t->process[t->order[s->process]].threads) {
        s->process++;
        s->thread = 0;
    }
    if (s->process == t->processes)
        return PRVCUT_END;
    ((struct item *)p)->index = t->process[t->order[s->process]].first + s->thread++;
    p->number = litl_dense_thread(t, ((struct item *)p)->index);
    return PRVCUT_OK;
}

static enum prvcut_status scan_litl_decode(struct prvcut_scan *base, unsigned worker,
                                           struct prvcut_part *p, struct prvcut_error *err)
{
    const struct prvcut_consumer *c = base->consumer;
    struct scan *s = &((struct pass *)base)->worker[worker];
    const struct litl_trace *t = s->trace;
    const uint32_t index = ((struct item *)p)->index;
    const int64_t *offset = t->base.clocks.offset;

    s->thread = (uint32_t)p->number;
    s->shift = offset ? offset[t->task[t->thread[index].process]] : 0;
    s->roles = c->roles;
    if (c->detail && __atomic_load_n(&c->detail[s->thread], __ATOMIC_RELAXED) != 0)
        s->roles |= c->detail_roles;
    s->state = PRVCUT_STATE_RUNNING;
    s->begin = UINT64_MAX;
    s->batch.states = s->batch.events = s->batch.halves = 0;
    s->part = p->state;
    s->counts = &p->counts;
    return scan_part(s, index, err);
}

static enum prvcut_status scan_litl_joined(struct prvcut_scan *base, struct prvcut_part *p,
                                           struct prvcut_error *err)
{
    const struct prvcut_trace *t = base->trace;

    (void)p;
    (void)err;
    base->position = t->bytes / t->objects.threads * ++((struct pass *)base)->done;
    return PRVCUT_OK;
}

static const struct prvcut_parts threads = { .room = sizeof(struct item),
                                             .what = "a thread",
                                             .next = scan_litl_next,
                                             .decode = scan_litl_decode,
                                             .joined = scan_litl_joined };

static enum prvcut_status scan_workers_init(struct pass *s, struct prvcut_error *err)
{
    s->worker = prvcut_zeroed(s->base.workers, sizeof *s->worker, "workers", err);
    for (unsigned i = 0; s->worker && i < s->base.workers; i++) {
        struct scan *w = &s->worker[i];

        w->trace = (struct litl_trace *)s->base.trace;
        w->base = &s->base;
        w->number = i;
        w->batch.state = prvcut_unset(BATCH, sizeof *w->batch.state, "states", err);
        w->batch.event = prvcut_unset(BATCH, sizeof *w->batch.event, "events", err);
        w->batch.half = prvcut_unset(BATCH, sizeof *w->batch.half, "messages", err);
        if (!w->batch.state || !w->batch.event || !w->batch.half)
            return PRVCUT_ENOMEM;
    }
    return s->worker ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void scan_workers_fini(struct pass *s)
{
    for (unsigned i = 0; s->worker && i < s->base.workers; i++) {
        free(s->worker[i].batch.state);
        free(s->worker[i].batch.event);
        free(s->worker[i].batch.half);
    }
    free(s->worker);
}

enum prvcut_status litl_scan(struct prvcut_trace *trace, const struct prvcut_run *run,
                             const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                             struct prvcut_error *err)
{
    const struct litl_trace *t = (struct litl_trace *)trace;
    struct pass s = { .base = {
                          .trace = trace, .parts = &threads, .run = run, .consumer = consumer } };
    enum prvcut_status st;

    prvcut_scan_init(&s.base, t->base.objects.threads);
    s.base.counts.bytes = t->file.size;
    st = scan_workers_init(&s, err);
    if (st == PRVCUT_OK)
        st = prvcut_scan_run(&s.base, err);
    scan_workers_fini(&s);
    s.base.counts.skipped = t->found[LITL_DAMAGED].count;
    s.base.counts.unsorted = t->found[LITL_TIME_BACK].count;
    prvcut_scan_counts(&s.base, counts);
    prvcut_scan_fini(&s.base);
    return st;
}

enum prvcut_status litl_scan_window(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    uint64_t from, uint64_t to,
                                    const struct prvcut_consumer *consumer,
                                    struct prvcut_error *err)
{
    /* There is no index: all of it can hold such records. */
    (void)from, (void)to;
    return litl_scan(trace, run, consumer, NULL, err);
}
