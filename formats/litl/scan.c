#include "litl/litl.h"

#include "base/room.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Records of a kind that are handed over at once. */
#define BATCH PRVCUT_ROOM(4096u)
/* Calls between two looks at the caller's stop. */
#define CALLS_PER_LOOK 65536u

/* One thread on its way to the consumer. */
struct scan {
    struct litl_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_consumer *consumer;
    struct prvcut_counts *counts;
    void *part; /* the consumer's */
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

static uint64_t time_of(const struct scan *s, uint64_t time)
{
    return (uint64_t)((int64_t)(time - s->trace->start) + s->shift);
}

static enum prvcut_status hand_over(struct scan *s, struct prvcut_error *err)
{
    struct prvcut_batch *b = &s->batch;
    enum prvcut_status st = PRVCUT_OK;

    if (b->states + b->events + b->halves > 0 && s->consumer->batch)
        st = s->consumer->batch(s->consumer->ctx, 0, s->part, b, err);
    b->states = b->events = b->halves = 0;
    return st;
}

static enum prvcut_status add_state(struct scan *s, uint64_t end, struct prvcut_error *err)
{
    const bool running = s->state == PRVCUT_STATE_RUNNING;

    if (s->begin == end)
        return PRVCUT_OK;
    s->counts->states++;
    if (s->consumer->states && (running || !s->consumer->running_only))
        s->batch.state[s->batch.states++] =
            (struct prvcut_state){ .begin = s->begin,
                                   .end = end,
                                   .thread = s->thread,
                                   .running = running,
                                   .number = s->state & 0x7fffffff };
    s->begin = end;
    return s->batch.states == BATCH ? hand_over(s, err) : PRVCUT_OK;
}

static void add_event(struct scan *s, uint64_t time, struct prvcut_event event, bool *head)
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

static enum prvcut_status look(struct scan *s, struct prvcut_error *err)
{
    if (++s->calls % CALLS_PER_LOOK != 0 || !s->run || !s->run->stop || !s->run->stop(s->run->ctx))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
}

static enum prvcut_status on_call(void *ctx, uint64_t at, const struct prvcut_mpi_call *call,
                                  const struct prvcut_event *detail, unsigned details,
                                  struct prvcut_error *err)
{
    struct scan *s = ctx;
    const uint64_t time = time_of(s, at);
    bool head = true;
    enum prvcut_status st;

    if (s->begin == UINT64_MAX)
        s->begin = time_of(s, s->span[0]);
    st = add_state(s, time, err);
    if (st < 0)
        return st;
    if (call) {
        s->type = call->type;
        s->role = call->role;
    }
    s->state = call ? (uint32_t)call->state : (uint32_t)PRVCUT_STATE_RUNNING;
    s->counts->events++;
    add_event(s, time,
              (struct prvcut_event){ .type = s->type,
                                     .role = (unsigned)s->role & 0x7fu,
                                     .value = call ? call->value : 0 },
              &head);
    for (unsigned i = 0; i < details; i++)
        add_event(s, time, detail[i], &head);
    /* A line is not torn: it has at most five pairs. */
    if (s->batch.events + 8 > BATCH)
        st = hand_over(s, err);
    return st < 0 ? st : look(s, err);
}

static enum prvcut_status on_half(void *ctx, const struct prvcut_half *half,
                                  struct prvcut_error *err)
{
    struct scan *s = ctx;

    s->counts->messages++;
    if (!s->consumer->messages)
        return PRVCUT_OK;
    s->batch.half[s->batch.halves] = *half;
    s->batch.half[s->batch.halves++].time = time_of(s, half->time);
    return s->batch.halves == BATCH ? hand_over(s, err) : PRVCUT_OK;
}

static void join_span(struct scan *s)
{
    const uint64_t first = time_of(s, s->span[0]), last = time_of(s, s->span[1]);

    if (first < s->counts->first_ns)
        s->counts->first_ns = first;
    if (last > s->counts->last_ns)
        s->counts->last_ns = last;
    s->counts->lines += s->span[2];
}

static enum prvcut_status scan_part(struct scan *s, uint32_t index, struct prvcut_error *err)
{
    const struct litl_listener listener = { s, on_call, on_half };
    enum prvcut_status st = litl_walk(s->trace, index, &listener, NULL, s->span, err);

    if (st == PRVCUT_OK && s->span[2] > 0) {
        if (s->begin == UINT64_MAX)
            s->begin = time_of(s, s->span[0]);
        st = add_state(s, time_of(s, s->span[1]), err);
        join_span(s);
    }
    return st < 0 ? st : hand_over(s, err);
}

/* One thread is one part. */
static enum prvcut_status scan_thread(struct scan *s, uint32_t index, struct prvcut_error *err)
{
    const struct prvcut_consumer *c = s->consumer;
    const struct litl_trace *t = s->trace;
    enum prvcut_status st = PRVCUT_OK;

    s->thread = litl_dense_thread(t, index);
    s->shift = t->base.clocks.offset ? t->base.clocks.offset[t->task[t->thread[index].process]] : 0;
    s->roles = c->roles;
    if (c->detail && c->detail[s->thread])
        s->roles |= c->detail_roles;
    s->state = PRVCUT_STATE_RUNNING;
    s->begin = UINT64_MAX;
    s->part = NULL;
    if (c->begin)
        st = c->begin(c->ctx, 0, s->thread, &s->part, err);
    if (st < 0)
        return st;
    st = scan_part(s, index, err);
    if (st == PRVCUT_OK && c->join)
        st = c->join(c->ctx, s->part, err);
    if (c->discard)
        c->discard(c->ctx, s->part);
    return st;
}

static enum prvcut_status scan_all(struct scan *s, struct prvcut_error *err)
{
    const struct litl_trace *t = s->trace;
    uint32_t done = 0;
    enum prvcut_status st = PRVCUT_OK;

    s->batch.state = malloc(BATCH * sizeof *s->batch.state);
    s->batch.event = malloc(BATCH * sizeof *s->batch.event);
    s->batch.half = malloc(BATCH * sizeof *s->batch.half);
    if (!s->batch.state || !s->batch.event || !s->batch.half)
        st = prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a batch");
    /* In the model's order of threads. */
    for (uint32_t k = 0; k < t->processes && st == PRVCUT_OK; k++) {
        const struct litl_process *p = &t->process[t->order[k]];

        for (uint32_t i = 0; i < p->threads && st == PRVCUT_OK; i++) {
            st = scan_thread(s, p->first + i, err);
            done++;
            if (st == PRVCUT_OK && s->run && s->run->progress)
                s->run->progress(s->run->ctx, "reading",
                                 t->base.bytes / t->base.objects.threads * done, t->base.bytes);
        }
    }
    free(s->batch.state);
    free(s->batch.event);
    free(s->batch.half);
    return st;
}

enum prvcut_status litl_scan(struct prvcut_trace *trace, const struct prvcut_run *run,
                             const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                             struct prvcut_error *err)
{
    struct litl_trace *t = (struct litl_trace *)trace;
    struct prvcut_counts sum = { .first_ns = UINT64_MAX, .bytes = t->file.size };
    struct scan s = { .trace = t, .run = run, .consumer = consumer, .counts = &sum };
    const enum prvcut_status st = scan_all(&s, err);

    if (sum.first_ns == UINT64_MAX)
        sum.first_ns = 0;
    sum.skipped = t->found[LITL_DAMAGED].count;
    sum.unsorted = t->found[LITL_TIME_BACK].count;
    if (counts)
        *counts = sum;
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
