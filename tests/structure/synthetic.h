#ifndef TESTS_STRUCTURE_SYNTHETIC_H
#define TESTS_STRUCTURE_SYNTHETIC_H

#include "model/trace.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/*
 * A small program in memory, as a format would deliver it that records threads apart: a ring of
 * processes that exchange messages and meet in an allreduce now and then.
 */

enum { SYNTH_RANKS = 11, SYNTH_ITERATIONS = 40, SYNTH_INNER = 3 };

struct synth_options {
    unsigned seed;
    unsigned workers;         /* threads without calls in each process, beside its first */
    unsigned collective_each; /* an allreduce every so many iterations; 0: never */
    bool pipeline;            /* each waits for the one before it: ranks are far apart in time */
    unsigned rare_each;       /* a process's second thread calls every so many iterations */
    bool no_receives;         /* they are not recorded */
    bool wrong_communicator;  /* of receives */
};

struct synth_thread {
    struct prvcut_event *event;
    struct prvcut_half *half;
    size_t events, event_room, halves, half_room;
};

struct synth {
    struct prvcut_trace base;
    struct synth_options options;
    struct synth_thread *thread;
    uint64_t mark[SYNTH_ITERATIONS + 1][SYNTH_RANKS]; /* start of each iteration; the loop's end */
    uint64_t now[SYNTH_RANKS];
    uint32_t first[SYNTH_RANKS + 1];
    unsigned seed;
};

static inline uint32_t synth_draw(struct synth *s, uint32_t below)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return (s->seed >> 8) % below;
}

static inline void synth_event(struct synth *s, uint32_t thread, uint64_t time,
                               enum prvcut_role role, int64_t value, bool head)
{
    struct synth_thread *t = &s->thread[thread];

    if (t->events == t->event_room) {
        t->event_room = 2 * t->event_room + 64;
        t->event = realloc(t->event, t->event_room * sizeof *t->event);
        ck_assert_ptr_nonnull(t->event);
    }
    t->event[t->events++] = (struct prvcut_event){ .time = time,
                                                   .value = value,
                                                   .type = 50000000 + (uint32_t)role,
                                                   .thread = thread & 0xffffff,
                                                   .role = (uint32_t)role & 127,
                                                   .head = head };
}

static inline void synth_half(struct synth *s, uint32_t rank, uint32_t peer, uint64_t time,
                              bool receive)
{
    struct synth_thread *t = &s->thread[s->first[rank]];

    if (receive && s->options.no_receives)
        return;
    if (t->halves == t->half_room) {
        t->half_room = 2 * t->half_room + 64;
        t->half = realloc(t->half, t->half_room * sizeof *t->half);
        ck_assert_ptr_nonnull(t->half);
    }
    t->half[t->halves++] =
        (struct prvcut_half){ .time = time,
                              .size = 1000,
                              .tag = 5,
                              .thread = s->first[rank],
                              .peer = s->first[peer],
                              .communicator = receive && s->options.wrong_communicator ? 9 : 1,
                              .receive = receive };
}

/* A call from now to `end`. */
static inline void synth_call(struct synth *s, uint32_t rank, enum prvcut_role role, int64_t value,
                              uint64_t end)
{
    synth_event(s, s->first[rank], s->now[rank], role, value, true);
    if (role == PRVCUT_ROLE_COLLECTIVE)
        synth_event(s, s->first[rank], s->now[rank], PRVCUT_ROLE_COMMUNICATOR, 1, false);
    synth_event(s, s->first[rank], end, role, 0, true);
    s->now[rank] = end + 100 + synth_draw(s, 400);
}

/* Send to the right, receive from the left. */
static inline void synth_exchange(struct synth *s)
{
    uint64_t arrives[SYNTH_RANKS];

    for (uint32_t r = 0; r < SYNTH_RANKS; r++) {
        const uint32_t right = (r + 1) % SYNTH_RANKS;

        /* A pipeline: what is sent depends on what came from the left. */
        if (s->options.pipeline && r > 0) {
            const uint64_t end = s->now[r] + 100 > arrives[r] ? s->now[r] + 100 : arrives[r];

            synth_half(s, r, r - 1, end - 10, true);
            synth_call(s, r, PRVCUT_ROLE_P2P, 2, end);
            s->now[r] += 20000;
        }
        if (s->options.pipeline && right == 0)
            break;
        synth_half(s, r, right, s->now[r] + 10, false);
        arrives[right] = s->now[r] + 2000 + synth_draw(s, 500);
        synth_call(s, r, PRVCUT_ROLE_P2P, 1, s->now[r] + 500);
    }
    for (uint32_t r = 0; r < SYNTH_RANKS && !s->options.pipeline; r++) {
        const uint64_t end = s->now[r] + 100 > arrives[r] ? s->now[r] + 100 : arrives[r];

        synth_half(s, r, (r + SYNTH_RANKS - 1) % SYNTH_RANKS, end - 10, true);
        synth_call(s, r, PRVCUT_ROLE_P2P, 2, end);
    }
}

static inline void synth_allreduce(struct synth *s)
{
    uint64_t last = 0;

    for (uint32_t r = 0; r < SYNTH_RANKS; r++)
        last = s->now[r] > last ? s->now[r] : last;
    for (uint32_t r = 0; r < SYNTH_RANKS; r++)
        synth_call(s, r, PRVCUT_ROLE_COLLECTIVE, 10, last + 300 + synth_draw(s, 300));
}

static inline void synth_iteration(struct synth *s, unsigned i)
{
    for (uint32_t r = 0; r < SYNTH_RANKS; r++) {
        if (s->options.rare_each > 0 && i % s->options.rare_each == 0) {
            synth_event(s, s->first[r] + 1, s->now[r] + 7000, PRVCUT_ROLE_MPI_OTHER, 31, true);
            synth_event(s, s->first[r] + 1, s->now[r] + 8000, PRVCUT_ROLE_MPI_OTHER, 0, true);
        }
        s->mark[i][r] = s->now[r];
        s->now[r] += 50000 + synth_draw(s, 20000);
        /* Unlike processes: some make a call more. */
        if (r % 3 == 0)
            synth_call(s, r, PRVCUT_ROLE_MPI_OTHER, 30, s->now[r] + 50);
    }
    for (unsigned k = 0; k < SYNTH_INNER; k++) {
        synth_exchange(s);
        for (uint32_t r = 0; r < SYNTH_RANKS; r++)
            s->now[r] += 10000 + synth_draw(s, 5000);
    }
    if (s->options.collective_each > 0 && i % s->options.collective_each == 0)
        synth_allreduce(s);
    for (uint32_t r = 0; r < SYNTH_RANKS; r++)
        synth_call(s, r, PRVCUT_ROLE_P2P, 3, s->now[r] + 100);
}

static inline void synth_program(struct synth *s)
{
    for (uint32_t r = 0; r < SYNTH_RANKS; r++) {
        s->now[r] = 1000000 + synth_draw(s, 100000);
        synth_call(s, r, PRVCUT_ROLE_COLLECTIVE, 7, s->now[r] + 2000000);
    }
    for (unsigned i = 0; i < SYNTH_ITERATIONS; i++)
        synth_iteration(s, i);
    for (uint32_t r = 0; r < SYNTH_RANKS; r++)
        s->mark[SYNTH_ITERATIONS][r] = s->now[r];
    synth_allreduce(s);
    for (uint32_t r = 0; r < SYNTH_RANKS; r++)
        s->base.end_ns = s->now[r] > s->base.end_ns ? s->now[r] : s->base.end_ns;
}

/* One part a thread, in two batches. */
static inline enum prvcut_status synth_part(struct synth *s, uint32_t t, uint64_t from, uint64_t to,
                                            const struct prvcut_consumer *k,
                                            struct prvcut_error *err)
{
    struct synth_thread *d = &s->thread[t];
    struct prvcut_batch b[2] = { { 0 }, { 0 } };
    void *state = NULL;
    enum prvcut_status st = PRVCUT_OK;
    size_t e = 0, h = 0;

    b[0].event = d->event;
    b[0].half = d->half;
    for (int i = 0; i < 2; i++) {
        const uint64_t end = i == 0 ? from + (to - from) / 2 : to;

        while (i == 0 && e < d->events && d->event[e].time < from)
            e++, b[0].event++;
        while (i == 0 && h < d->halves && d->half[h].time < from)
            h++, b[0].half++;
        if (i == 1 && d->events > 0)
            b[1].event = d->event + e;
        if (i == 1 && d->halves > 0)
            b[1].half = d->half + h;
        for (; e < d->events && d->event[e].time < end; e++)
            b[i].events++;
        for (; h < d->halves && d->half[h].time < end; h++)
            b[i].halves++;
        if (!k->messages)
            b[i].halves = 0;
    }
    if (k->begin)
        st = k->begin(k->ctx, 0, t, &state, err);
    for (int i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = k->batch(k->ctx, 0, state, &b[i], err);
    if (k->join && st == PRVCUT_OK)
        st = k->join(k->ctx, state, err);
    if (k->discard && state)
        k->discard(k->ctx, state);
    return st;
}

static inline enum prvcut_status synth_scan_window(struct prvcut_trace *t,
                                                   const struct prvcut_run *run, uint64_t from,
                                                   uint64_t to, const struct prvcut_consumer *k,
                                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    (void)run;
    for (uint32_t i = 0; i < t->objects.threads && st == PRVCUT_OK; i++)
        st = synth_part((struct synth *)t, i, from, to, k, err);
    return st;
}

static inline enum prvcut_status synth_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                            const struct prvcut_consumer *k,
                                            struct prvcut_counts *counts, struct prvcut_error *err)
{
    if (counts)
        *counts = (struct prvcut_counts){ .last_ns = t->end_ns };
    return synth_scan_window(t, run, 0, t->end_ns + 1, k, err);
}

static inline const struct prvcut_reader *synth_reader(void)
{
    static const struct prvcut_format format = { .name = "synthetic", .title = "Synthetic" };
    static const struct prvcut_reader reader = { .format = &format,
                                                 .halves = true,
                                                 .by_thread = true,
                                                 .calls_nest = true,
                                                 .scan = synth_scan,
                                                 .scan_window = synth_scan_window };

    return &reader;
}

static inline struct synth *synth_new(const struct synth_options *options)
{
    struct synth *s = calloc(1, sizeof *s);
    struct prvcut_objects *o;
    const uint32_t each = 1 + options->workers;

    ck_assert_ptr_nonnull(s);
    s->options = *options;
    s->seed = options->seed;
    s->base.reader = synth_reader();
    s->base.wall_clock = INT64_MIN;
    o = &s->base.objects;
    o->applications = 1;
    o->tasks = SYNTH_RANKS;
    o->threads = SYNTH_RANKS * each;
    o->application_first_task = calloc(2, sizeof *o->application_first_task);
    o->task_first_thread = calloc(SYNTH_RANKS + 1, sizeof *o->task_first_thread);
    o->thread_task = calloc(o->threads, sizeof *o->thread_task);
    s->thread = calloc(o->threads, sizeof *s->thread);
    ck_assert(o->application_first_task && o->task_first_thread && o->thread_task && s->thread);
    o->application_first_task[1] = SYNTH_RANKS;
    for (uint32_t r = 0; r <= SYNTH_RANKS; r++)
        s->first[r] = o->task_first_thread[r] = r * each;
    for (uint32_t t = 0; t < o->threads; t++)
        o->thread_task[t] = t / each;
    synth_program(s);
    return s;
}

static inline void synth_free(struct synth *s)
{
    for (uint32_t t = 0; t < s->base.objects.threads; t++) {
        free(s->thread[t].event);
        free(s->thread[t].half);
    }
    free(s->thread);
    prvcut_objects_fini(&s->base.objects);
    free(s);
}

#endif
