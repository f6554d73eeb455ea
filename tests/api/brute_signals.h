#ifndef TESTS_API_BRUTE_SIGNALS_H
#define TESTS_API_BRUTE_SIGNALS_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Every metric of a Paraver trace with Extrae's numbers, computed the plain way: one interval after
 * the other, one bin after the other, in floating point. Nothing in it comes from what is tested.
 */

enum brute_metric {
    BRUTE_BURSTS,
    BRUTE_COMPUTING,
    BRUTE_P2P,
    BRUTE_COLLECTIVE,
    BRUTE_INFLIGHT,
    BRUTE_IPC,
    BRUTE_INSTRUCTIONS,
    BRUTE_FLOPS,
    BRUTE_FLUSHING,
    BRUTE_CLOCK,
    BRUTE_CLOGGED,
    BRUTE_METRICS
};

#define BRUTE_THREADS 64
#define BRUTE_FIELDS  256

/* What a thread is in, and when it began. */
struct brute_thread {
    uint64_t p2p, collective, flush, outside; /* begin + 1; 0 = not inside */
    uint64_t ended;                           /* time of the latest end of a call + 1 */
    uint64_t read, before;                    /* time of the last and the one before + 1 */
    uint64_t instructions, cycles;
    bool has_instructions, has_cycles, call_ends;
};

struct brute {
    uint64_t start, width, unit, end;
    size_t bins;
    bool from_calls; /* no running states: the time between calls */
    double *at[BRUTE_METRICS];
    double *ipc_threads, *clock_threads, *bytes; /* integrals */
    struct brute_thread thread[BRUTE_THREADS];
};

static inline void brute_add(const struct brute *b, double *at, uint64_t from, uint64_t to,
                             double weight)
{
    if (to <= from || to <= b->start)
        return;
    for (size_t k = from < b->start ? 0 : (size_t)((from - b->start) / b->width); k < b->bins;
         k++) {
        const uint64_t left = b->start + k * b->width, right = left + b->width;
        const uint64_t low = from > left ? from : left, high = to < right ? to : right;

        if (left >= to)
            break;
        if (high > low)
            at[k] += weight * (double)(high - low);
    }
}

static inline void brute_burst(struct brute *b, uint64_t from, uint64_t to)
{
    brute_add(b, b->at[BRUTE_COMPUTING], from, to, 1);
    brute_add(b, b->at[BRUTE_BURSTS], from, to, (double)(to - from));
}

/* What was counted since the reading before: all lines of the same instant are in. */
static inline void brute_count(struct brute *b, struct brute_thread *t)
{
    const uint64_t from = t->before - 1, to = t->read - 1;
    const double length = (double)(to - from);

    if (t->read == 0 || t->before == 0)
        return;
    if (t->has_instructions)
        brute_add(b, b->at[BRUTE_INSTRUCTIONS], from, to, (double)t->instructions / length);
    if (t->call_ends || !t->has_cycles || t->cycles == 0)
        return;
    brute_add(b, b->at[BRUTE_CLOCK], from, to, (double)t->cycles / length);
    brute_add(b, b->clock_threads, from, to, 1);
    if (!t->has_instructions)
        return;
    brute_add(b, b->at[BRUTE_IPC], from, to, (double)t->instructions / (double)t->cycles);
    brute_add(b, b->ipc_threads, from, to, 1);
}

static inline void brute_track(struct brute *b, double *at, uint64_t *since, uint64_t time,
                               bool open)
{
    if (*since > 0 && at)
        brute_add(b, at, *since - 1, time, 1);
    *since = open ? time + 1 : 0;
}

/* A line of event pairs of one thread; instants that hold no counter value are no readings. */
static inline void brute_event(struct brute *b, uint64_t *field, const int64_t *value, size_t pairs)
{
    struct brute_thread *t = &b->thread[field[1]];
    const uint64_t time = field[5] * b->unit;
    bool reads = false, ends = false;

    for (size_t i = 0; i < pairs; i++)
        reads |= field[6 + 2 * i] == 42000050 || field[6 + 2 * i] == 42000059;
    if (reads && (t->read == 0 || t->read - 1 != time)) {
        brute_count(b, t);
        t->before = t->read;
        t->read = time + 1;
        t->instructions = t->cycles = 0;
        t->has_instructions = t->has_cycles = t->call_ends = false;
    }
    for (size_t i = 0; i < pairs; i++) {
        const uint64_t type = field[6 + 2 * i];
        const bool open = value[7 + 2 * i] != 0;

        if (type == 50000001)
            brute_track(b, b->at[BRUTE_P2P], &t->p2p, time, open);
        if (type == 50000002)
            brute_track(b, b->at[BRUTE_COLLECTIVE], &t->collective, time, open);
        if (type == 40000003)
            brute_track(b, b->at[BRUTE_FLUSHING], &t->flush, time, open);
        if (type >= 50000001 && type <= 50000003) {
            if (t->outside > 0 && b->from_calls)
                brute_burst(b, t->outside - 1, time);
            t->outside = open ? 0 : time + 1;
            ends |= !open;
        }
        if (type == 42000050) {
            t->instructions += field[7 + 2 * i];
            t->has_instructions = true;
        }
        if (type == 42000059) {
            t->cycles += field[7 + 2 * i];
            t->has_cycles = true;
        }
    }
    /* The end of a call may stand in a line of its own, before that of the counters. */
    if (ends)
        t->ended = time + 1;
    if (t->read > 0 && t->read == t->ended)
        t->call_ends = true;
}

static inline void brute_message(struct brute *b, const uint64_t *field)
{
    const uint64_t sent = field[5] * b->unit, received = field[12] * b->unit;

    if (received <= sent)
        return;
    brute_add(b, b->at[BRUTE_INFLIGHT], sent, received, 1);
    brute_add(b, b->bytes, sent, received, (double)field[13] / (double)(received - sent));
}

static inline void brute_line(struct brute *b, const char *line)
{
    static uint64_t field[BRUTE_FIELDS];
    static int64_t value[BRUTE_FIELDS];
    size_t fields = 0;

    for (const char *at = line; fields < BRUTE_FIELDS; at++) {
        char *rest;

        value[fields] = strtoll(at, &rest, 10);
        field[fields] = (uint64_t)value[fields];
        fields++;
        at = rest;
        if (*at != ':')
            break;
    }
    if (field[0] == 1 && field[7] == 1 && !b->from_calls)
        brute_burst(b, field[5] * b->unit, field[6] * b->unit);
    else if (field[0] == 2)
        brute_event(b, field, value, (fields - 6) / 2);
    else if (field[0] == 3)
        brute_message(b, field);
}

static inline void brute_finish(struct brute *b)
{
    for (size_t i = 0; i < BRUTE_THREADS; i++) {
        struct brute_thread *t = &b->thread[i];

        brute_track(b, b->at[BRUTE_P2P], &t->p2p, b->end, false);
        brute_track(b, b->at[BRUTE_COLLECTIVE], &t->collective, b->end, false);
        brute_track(b, b->at[BRUTE_FLUSHING], &t->flush, b->end, false);
        brute_count(b, t);
    }
    for (size_t k = 0; k < b->bins; k++) {
        const double bytes = b->bytes[k] * 1e9, messages = b->at[BRUTE_INFLIGHT][k];

        b->at[BRUTE_CLOGGED][k] = bytes > 0 ? messages / bytes : 0;
        for (int m = 0; m < BRUTE_CLOGGED; m++)
            if (m != BRUTE_IPC && m != BRUTE_CLOCK)
                b->at[m][k] /= (double)b->width;
        if (b->ipc_threads[k] > 0)
            b->at[BRUTE_IPC][k] /= b->ipc_threads[k];
        if (b->clock_threads[k] > 0)
            b->at[BRUTE_CLOCK][k] /= b->clock_threads[k];
    }
}

static inline double *brute_zeros(size_t bins)
{
    double *at = calloc(bins, sizeof *at);

    ck_assert_ptr_nonnull(at);
    return at;
}

/* Cpus of the trace are its threads: the generator numbers them so. end: where open calls end. */
static inline struct brute *brute_compute(const char *path, uint64_t start, uint64_t width,
                                          size_t bins, uint64_t end, bool from_calls)
{
    static char line[1 << 20];
    struct brute *b = calloc(1, sizeof *b);
    FILE *file = fopen(path, "r");

    ck_assert(b && file);
    b->start = start;
    b->width = width;
    b->bins = bins;
    b->end = end;
    b->from_calls = from_calls;
    for (int m = 0; m < BRUTE_METRICS; m++)
        b->at[m] = brute_zeros(bins);
    b->ipc_threads = brute_zeros(bins);
    b->clock_threads = brute_zeros(bins);
    b->bytes = brute_zeros(bins);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            b->unit = strstr(line, "_ns") ? 1 : 1000;
        else if (line[0] >= '1' && line[0] <= '3')
            brute_line(b, line);
    }
    fclose(file);
    brute_finish(b);
    return b;
}

static inline void brute_free(struct brute *b)
{
    for (int m = 0; m < BRUTE_METRICS; m++)
        free(b->at[m]);
    free(b->ipc_threads);
    free(b->clock_threads);
    free(b->bytes);
    free(b);
}

#endif
