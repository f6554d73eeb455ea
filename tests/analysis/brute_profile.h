#ifndef TESTS_BRUTE_PROFILE_H
#define TESTS_BRUTE_PROFILE_H

/*
 * What threads of a plain .prv in ns do in a window, computed once more from its lines, in their
 * order and as naively as can be. Shares no code with the library.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BRUTE_THREADS = 64, BRUTE_CALLS = 96, BRUTE_TYPES = 64 };

struct brute_call {
    uint64_t type, value;
    uint64_t entered, ns, least, most, parts, open;
    uint64_t *part; /* [parts] ns; owned */
};

/* A span of a thread's time: in a call, or in a state. */
struct brute_span {
    uint64_t from, to, number;
};

struct brute_spans {
    struct brute_span *at; /* [count]; owned */
    size_t count;
};

struct brute_thread {
    uint64_t task, number;
    uint64_t lo, hi; /* its window */
    struct brute_call call[BRUTE_CALLS];
    size_t calls;
    uint64_t state[BRUTE_TYPES]; /* ns by number */
    uint64_t last, read;         /* latest record inside, latest reading of counters */
    uint64_t first, end;         /* earliest and latest record */
    bool seen, called;
    uint64_t sent, sent_bytes, received, received_bytes;
    uint64_t counter[BRUTE_TYPES]; /* by index of brute_profile.type */
    uint64_t begin, type, value;   /* of the call that is open; value 0: none */
    struct brute_spans in, other;  /* calls, and states but running */
    uint64_t rest[BRUTE_TYPES];    /* ns of states outside calls, by number */
};

struct brute_profile {
    uint64_t end;
    struct brute_thread thread[BRUTE_THREADS];
    size_t threads;
    uint64_t type[BRUTE_TYPES]; /* of counters */
    size_t types;
    uint64_t lost;
};

static inline uint64_t brute_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t brute_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t brute_inside(const struct brute_thread *t, uint64_t from, uint64_t to)
{
    const uint64_t start = brute_max(from, t->lo), end = brute_min(to, t->hi);

    return end > start ? end - start : 0;
}

static inline struct brute_thread *brute_thread_of(struct brute_profile *b, uint64_t task,
                                                   uint64_t number)
{
    for (size_t i = 0; i < b->threads; i++)
        if (b->thread[i].task == task && b->thread[i].number == number)
            return &b->thread[i];
    fprintf(stderr, "no thread %" PRIu64 ".%" PRIu64 "\n", task, number);
    abort();
}

static inline struct brute_call *brute_call_of(struct brute_thread *t, uint64_t type,
                                               uint64_t value)
{
    size_t i = 0;

    while (i < t->calls && (t->call[i].type != type || t->call[i].value != value))
        i++;
    if (i == t->calls) {
        if (t->calls == BRUTE_CALLS)
            abort();
        t->call[t->calls++] = (struct brute_call){ .type = type, .value = value };
    }
    return &t->call[i];
}

static inline void brute_keep(struct brute_spans *s, uint64_t from, uint64_t to, uint64_t number)
{
    if (to <= from)
        return;
    if ((s->count & (s->count + 1)) == 0)
        s->at = realloc(s->at, (2 * s->count + 1) * sizeof *s->at);
    s->at[s->count++] = (struct brute_span){ from, to, number };
}

/* What of the states lies outside calls; both stand in order of time, and neither overlap. */
static inline void brute_rest(struct brute_thread *t)
{
    size_t first = 0;

    for (size_t i = 0; i < t->other.count; i++) {
        const struct brute_span *s = &t->other.at[i];

        t->rest[s->number] += brute_inside(t, s->from, s->to);
        while (first < t->in.count && t->in.at[first].to <= s->from)
            first++;
        for (size_t k = first; k < t->in.count && t->in.at[k].from < s->to; k++)
            t->rest[s->number] -= brute_inside(t, brute_max(s->from, t->in.at[k].from),
                                               brute_min(s->to, t->in.at[k].to));
    }
}

static inline void brute_close(struct brute_thread *t, uint64_t end, bool open)
{
    struct brute_call *c = brute_call_of(t, t->type, t->value);
    const uint64_t ns = brute_inside(t, t->begin, end);
    const bool empty = end <= t->begin && t->begin >= t->lo && t->begin < t->hi;

    c->entered += t->begin >= t->lo && t->begin < t->hi;
    brute_keep(&t->in, t->begin, end, 0);
    t->value = 0;
    if (t->begin <= t->hi)
        t->last = brute_max(t->last, brute_min(end, t->hi));
    if (ns == 0 && !empty)
        return;
    c->ns += ns;
    c->least = c->parts == 0 ? ns : brute_min(c->least, ns);
    c->most = brute_max(c->most, ns);
    c->open += open;
    if ((c->parts & (c->parts + 1)) == 0)
        c->part = realloc(c->part, 2 * (c->parts + 1) * sizeof *c->part);
    c->part[c->parts++] = ns;
}

/* It was open from the first record on. */
static inline void brute_before(struct brute_thread *t, uint64_t time, uint64_t type)
{
    t->begin = t->first;
    t->type = type;
    t->value = (uint64_t)INT64_MIN;
    brute_close(t, time, false);
    brute_call_of(t, type, (uint64_t)INT64_MIN)->entered = 0;
}

static inline void brute_seen(struct brute_thread *t, uint64_t time)
{
    t->first = t->seen ? brute_min(t->first, time) : time;
    t->seen = true;
}

static inline void brute_pair(struct brute_profile *b, struct brute_thread *t, uint64_t time,
                              uint64_t type, uint64_t value)
{
    if (type < 50000001 || type > 50000005)
        return;
    if (t->value != 0)
        brute_close(t, time, false);
    else if (value == 0 && !t->called && t->first < time)
        brute_before(t, time, type);
    else if (value == 0)
        b->lost++;
    t->called = true;
    t->begin = time;
    t->type = type;
    t->value = value;
}

/* As if each ns of (read, time] had counted as much; what is not whole goes to the later. */
static inline void brute_count(struct brute_profile *b, struct brute_thread *t, uint64_t time,
                               uint64_t type, uint64_t value)
{
    const uint64_t start = brute_min(brute_max(t->lo, t->read), time);
    const uint64_t end = brute_max(brute_min(t->hi, time), start);
    const long double all = (long double)(time - t->read);
    size_t i = 0;

    while (i < b->types && b->type[i] != type)
        i++;
    if (i == b->types)
        b->type[b->types++] = type;
    if (t->read == time)
        t->counter[i] += time >= t->lo && time < t->hi ? value : 0;
    else if (end - start == time - t->read)
        t->counter[i] += value;
    else
        t->counter[i] += (uint64_t)((long double)value * (long double)(end - start) / all);
}

static inline void brute_event(struct brute_profile *b, char *line)
{
    uint64_t field[6], type[512], value[512];
    size_t pairs = 0;
    struct brute_thread *t;
    bool read = false;
    char *at = line;

    for (int i = 0; i < 6; i++, at++)
        field[i] = strtoull(at, &at, 10);
    t = brute_thread_of(b, field[3], field[4]);
    brute_seen(t, field[5]);
    t->end = brute_max(t->end, field[5]);
    if (field[5] <= t->hi)
        t->last = brute_max(t->last, field[5]);
    for (at--; *at == ':' && pairs < 512; pairs++) {
        type[pairs] = strtoull(at + 1, &at, 10);
        value[pairs] = strtoull(at + 1, &at, 10);
    }
    for (size_t i = 0; i < pairs; i++) {
        brute_pair(b, t, field[5], type[i], value[i]);
        if (type[i] >= 42000000 && type[i] < 45000000) {
            brute_count(b, t, field[5], type[i], value[i]);
            read = true;
        }
    }
    if (read)
        t->read = field[5];
}

static inline void brute_state(struct brute_profile *b, char *line)
{
    uint64_t field[8];
    struct brute_thread *t;
    char *at = line;

    for (int i = 0; i < 8; i++, at++)
        field[i] = strtoull(at, &at, 10);
    t = brute_thread_of(b, field[3], field[4]);
    t->state[field[7]] += brute_inside(t, field[5], field[6]);
    if (field[5] < field[6])
        brute_seen(t, field[5]);
    if (field[7] != 1)
        brute_keep(&t->other, field[5], field[6], field[7]);
    t->end = brute_max(t->end, field[5] < field[6] ? field[6] : 0);
    if (field[5] <= t->hi && field[5] < field[6])
        t->last = brute_max(t->last, brute_min(field[6], t->hi));
}

static inline void brute_message(struct brute_profile *b, char *line)
{
    uint64_t field[15];
    struct brute_thread *from, *to;
    char *at = line;

    for (int i = 0; i < 15; i++, at++)
        field[i] = strtoull(at, &at, 10);
    from = brute_thread_of(b, field[3], field[4]);
    to = brute_thread_of(b, field[9], field[10]);
    if (field[5] >= from->lo && field[5] < from->hi) {
        from->sent++;
        from->sent_bytes += field[13];
    }
    if (field[12] >= to->lo && field[12] < to->hi) {
        to->received++;
        to->received_bytes += field[13];
    }
}

/* ":DURATION_ns:NODES(...):1:TASKS(THREADS:NODE,...)" */
static inline void brute_header(struct brute_profile *b, char *line)
{
    char *at = strstr(line, "):");

    b->end = strtoull(at + 2, &at, 10);
    at = strchr(strchr(at + 1, ':') + 1, ':') + 1; /* behind applications */
    at = strchr(at, '(');
    for (uint64_t task = 1; *at == '(' || *at == ','; task++) {
        const uint64_t threads = strtoull(at + 1, &at, 10);

        for (uint64_t i = 1; i <= threads; i++)
            b->thread[b->threads++] = (struct brute_thread){ .task = task, .number = i };
        at = at + 1 + strcspn(at + 1, ",)");
    }
}

/**
 * shape   window: of each thread, where it is not NULL; else the first one is of all; an end of
 *         UINT64_MAX: all of it
 * owns    b is filled in here, released with brute_profile_fini
 */
static inline void brute_profile_read(struct brute_profile *b, const char *path,
                                      const uint64_t (*window)[2], bool each)
{
    static char line[1 << 16];
    FILE *f = fopen(path, "r");

    memset(b, 0, sizeof *b);
    if (!f || !fgets(line, sizeof line, f))
        abort();
    brute_header(b, line);
    for (size_t i = 0; i < b->threads; i++) {
        b->thread[i].lo = window[each ? i : 0][0];
        b->thread[i].hi = window[each ? i : 0][1];
    }
    while (fgets(line, sizeof line, f)) {
        if (*line == '1')
            brute_state(b, line);
        else if (*line == '2')
            brute_event(b, line);
        else if (*line == '3')
            brute_message(b, line);
    }
    fclose(f);
    for (size_t i = 0; i < b->threads; i++) {
        if (b->thread[i].value != 0)
            brute_close(&b->thread[i], b->thread[i].end, true);
        brute_rest(&b->thread[i]);
    }
}

static inline void brute_profile_fini(struct brute_profile *b)
{
    for (size_t i = 0; i < b->threads; i++) {
        for (size_t k = 0; k < b->thread[i].calls; k++)
            free(b->thread[i].call[k].part);
        free(b->thread[i].in.at);
        free(b->thread[i].other.at);
    }
}

#endif
