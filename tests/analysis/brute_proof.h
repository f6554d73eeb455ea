#ifndef TESTS_BRUTE_PROOF_H
#define TESTS_BRUTE_PROOF_H

/*
 * The values of a proof, computed once more from the text of a .prv and its .pcf, as naively as can
 * be: every record against every region and every mask, all in double precision. Shares no code
 * with the library.
 */
#include "tests/tools/brute_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct brute_label {
    char kind; /* 's' state, 't' type, 'v' value of a type */
    uint32_t type;
    int64_t number;
    char *text;
};

struct brute_sum {
    char kind; /* 's' state, 'c' call, 'm' message, 'k' counter */
    char name[200];
    double amount, count;
};

struct brute_span {
    int64_t start, end;
};

struct brute_slot {
    struct brute_span *window; /* [threads], ns */
    const struct brute_span *mask;
    size_t masks;
    double iterations; /* of the whole window, where masked time counted */
    struct brute_sum *sum;
    size_t sums;
    double *running, *mpi, *calls, *length; /* [threads] */
    bool *seen;
};

struct brute_follow {
    char call[200];
    bool open, read, read_twice;
    int64_t since, last, before;
};

struct brute_proof {
    struct cut trace;
    char *text;
    struct brute_label *label;
    size_t labels;
    struct brute_slot *slot;
    size_t slots;
    struct brute_follow *thread;
    bool running; /* some state is */
};

/* ---- labels ---- */

static void brute_label_add(struct brute_proof *p, const struct brute_label *l)
{
    p->label = brute_room(p->label, p->labels + 1, sizeof *p->label);
    p->label[p->labels++] = *l;
}

static char *brute_label_text(const char *line)
{
    size_t n = strlen(line);

    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
        n--;
    return brute_copy(line, n);
}

static void brute_labels(struct brute_proof *p, char *text)
{
    enum { NOTHING, STATES, TYPES, VALUES } where = NOTHING;
    size_t block = 0;

    for (char *line = text, *next; line && *line; line = next) {
        long long a, b;
        int at = 0;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (strncmp(line, "STATES_COLOR", 12) == 0) {
            where = NOTHING;
        } else if (strncmp(line, "STATES", 6) == 0) {
            where = STATES;
        } else if (strncmp(line, "EVENT_TYPE", 10) == 0) {
            where = TYPES;
            block = p->labels;
        } else if (strncmp(line, "VALUES", 6) == 0) {
            where = VALUES;
        } else if (where == STATES && sscanf(line, "%lld %n", &a, &at) == 1 && at > 0) {
            brute_label_add(p, &(struct brute_label){ 's', 0, a, brute_label_text(line + at) });
        } else if (where == TYPES && sscanf(line, "%lld %lld %n", &a, &b, &at) == 2 && at > 0) {
            brute_label_add(
                p, &(struct brute_label){ 't', (uint32_t)b, 0, brute_label_text(line + at) });
        } else if (where == VALUES && sscanf(line, "%lld %n", &a, &at) == 1 && at > 0) {
            for (size_t i = block, all = p->labels; i < all; i++)
                if (p->label[i].kind == 't')
                    brute_label_add(p, &(struct brute_label){ 'v', p->label[i].type, a,
                                                              brute_label_text(line + at) });
        } else if (*line >= 'A' && *line <= 'Z') {
            where = NOTHING;
        }
    }
}

static void brute_name(const struct brute_proof *p, char kind, uint32_t type, int64_t number,
                       char out[200])
{
    for (size_t i = 0; i < p->labels; i++)
        if (p->label[i].kind == kind && p->label[i].type == type && p->label[i].number == number) {
            snprintf(out, 200, "%s", p->label[i].text);
            return;
        }
    snprintf(out, 200, "type %u number %lld", type, (long long)number);
}

/* ---- what lies inside ---- */

static double brute_overlap(const struct brute_span *w, const struct brute_span *mask, size_t masks,
                            struct brute_span s)
{
    double ns;

    s.start = s.start > w->start ? s.start : w->start;
    s.end = s.end < w->end ? s.end : w->end;
    if (s.start >= s.end)
        return 0;
    ns = (double)(s.end - s.start);
    for (size_t i = 0; i < masks; i++)
        ns -= brute_overlap(&mask[i], NULL, 0, s);
    return ns;
}

static double brute_inside(const struct brute_slot *s, size_t thread, int64_t from, int64_t to)
{
    return brute_overlap(&s->window[thread], s->mask, s->masks, (struct brute_span){ from, to });
}

static bool brute_holds(const struct brute_slot *s, size_t thread, int64_t time)
{
    return brute_inside(s, thread, time, time + 1) > 0;
}

static void brute_add(struct brute_slot *s, char kind, const char *name, double amount,
                      double count)
{
    size_t i = 0;

    while (i < s->sums && (s->sum[i].kind != kind || strcmp(s->sum[i].name, name) != 0))
        i++;
    if (i == s->sums) {
        s->sum = brute_room(s->sum, s->sums + 1, sizeof *s->sum);
        memset(&s->sum[i], 0, sizeof s->sum[i]);
        s->sum[i].kind = kind;
        snprintf(s->sum[i].name, sizeof s->sum[i].name, "%s", name);
        s->sums++;
    }
    s->sum[i].amount += amount;
    s->sum[i].count += count;
}

static void brute_end_call(struct brute_proof *p, size_t thread, int64_t time)
{
    const struct brute_follow *f = &p->thread[thread];

    for (size_t i = 0; i < p->slots && f->open; i++) {
        const double ns = brute_inside(&p->slot[i], thread, f->since, time);

        if (ns <= 0)
            continue;
        brute_add(&p->slot[i], 'c', f->call, ns, 0);
        p->slot[i].mpi[thread] += ns;
        p->slot[i].seen[thread] = true;
    }
}

static void brute_call(struct brute_proof *p, size_t thread, int64_t time, uint32_t type,
                       int64_t value)
{
    struct brute_follow *f = &p->thread[thread];

    brute_end_call(p, thread, time);
    f->open = value != 0;
    f->since = time;
    if (!f->open)
        return;
    brute_name(p, 'v', type, value, f->call);
    for (size_t i = 0; i < p->slots; i++)
        if (brute_holds(&p->slot[i], thread, time)) {
            brute_add(&p->slot[i], 'c', f->call, 0, 1);
            p->slot[i].calls[thread]++;
            p->slot[i].seen[thread] = true;
        }
}

static void brute_counter(struct brute_proof *p, size_t thread, int64_t time, uint32_t type,
                          int64_t value)
{
    struct brute_follow *f = &p->thread[thread];
    char name[200];

    if (!f->read || f->last != time) {
        f->read_twice = f->read;
        f->before = f->last;
        f->last = time;
        f->read = true;
    }
    if (type == 42000050)
        snprintf(name, sizeof name, "instructions");
    else if (type == 42000059)
        snprintf(name, sizeof name, "cycles");
    else if (type == 42000066)
        snprintf(name, sizeof name, "floating-point operations");
    else
        brute_name(p, 't', type, 0, name);
    if (strstr(name, " ["))
        *strstr(name, " [") = '\0';
    for (size_t i = 0; i < p->slots && f->read_twice && value > 0; i++) {
        const double ns = brute_inside(&p->slot[i], thread, f->before, time);

        if (ns > 0)
            brute_add(&p->slot[i], 'k', name, (double)value * ns / (double)(time - f->before), 1);
    }
}

static bool brute_counts(uint32_t type)
{
    return (type >= 42000000 && type <= 44999999) || (type >= 47000000 && type <= 49999999);
}

static void brute_record(struct brute_proof *p, const struct record *r)
{
    static int64_t f[4096];
    const size_t n = brute_numbers(r->text, f, 4096);
    const int64_t unit = p->trace.unit;
    char name[200];

    if (f[0] == 1) {
        brute_name(p, 's', 0, f[7], name);
        p->running |= f[7] == 1;
    }
    for (size_t i = 0; i < p->slots && f[0] == 1; i++) {
        const double ns = brute_inside(&p->slot[i], r->thread, f[5] * unit, f[6] * unit);

        if (ns <= 0)
            continue;
        brute_add(&p->slot[i], 's', name, ns, 0);
        p->slot[i].running[r->thread] += f[7] == 1 ? ns : 0;
        p->slot[i].seen[r->thread] = true;
    }
    for (size_t i = 0; i < p->slots && f[0] == 3; i++)
        if (brute_holds(&p->slot[i], r->thread, f[5] * unit))
            brute_add(&p->slot[i], 'm', "", (double)f[13], 1);
    for (size_t i = 6; i + 1 < n && f[0] == 2; i += 2)
        if (f[i] >= 50000001 && f[i] <= 50000005)
            brute_call(p, r->thread, f[5] * unit, (uint32_t)f[i], f[i + 1]);
        else if (brute_counts((uint32_t)f[i]))
            brute_counter(p, r->thread, f[5] * unit, (uint32_t)f[i], f[i + 1]);
}

/* ---- all of it ---- */

/** Read a plain trace. */
static inline void brute_proof_read(struct brute_proof *p, const char *prv)
{
    char *labels = brute_copy(prv, strlen(prv)), *text;

    memset(p, 0, sizeof *p);
    p->text = brute_file(prv, true);
    brute_read_trace(&p->trace, p->text);
    memcpy(labels + strlen(labels) - 3, "pcf", 3);
    text = brute_file(labels, false);
    if (text)
        brute_labels(p, text);
    free(text);
    free(labels);
}

/** A slot of one window for all threads, to be changed by the caller. */
static inline struct brute_slot *brute_proof_slot(struct brute_proof *p, struct brute_span span)
{
    const size_t threads = p->trace.threads;
    struct brute_slot *s;

    p->slot = brute_room(p->slot, p->slots + 1, sizeof *p->slot);
    s = &p->slot[p->slots++];
    memset(s, 0, sizeof *s);
    s->window = brute_room(NULL, threads, sizeof *s->window);
    s->running = calloc(threads, sizeof *s->running);
    s->mpi = calloc(threads, sizeof *s->mpi);
    s->calls = calloc(threads, sizeof *s->calls);
    s->length = calloc(threads, sizeof *s->length);
    s->seen = calloc(threads, sizeof *s->seen);
    for (size_t i = 0; i < threads; i++)
        s->window[i] = span;
    return s;
}

/** Fill all slots; end: of the trace, ns. */
static inline void brute_proof_fill(struct brute_proof *p, int64_t end)
{
    p->thread = calloc(p->trace.threads, sizeof *p->thread);
    for (size_t i = 0; i < p->trace.records; i++)
        brute_record(p, &p->trace.record[i]);
    for (size_t t = 0; t < p->trace.threads; t++) {
        brute_end_call(p, t, end);
        for (size_t i = 0; i < p->slots; i++)
            p->slot[i].length[t] = brute_inside(&p->slot[i], t, 0, INT64_MAX);
    }
}

static inline void brute_proof_fini(struct brute_proof *p)
{
    for (size_t i = 0; i < p->slots; i++) {
        free(p->slot[i].window);
        free(p->slot[i].sum);
        free(p->slot[i].running);
        free(p->slot[i].mpi);
        free(p->slot[i].calls);
        free(p->slot[i].length);
        free(p->slot[i].seen);
    }
    for (size_t i = 0; i < p->labels; i++)
        free(p->label[i].text);
    free(p->label);
    free(p->slot);
    free(p->thread);
    free(p->trace.thread);
    free(p->trace.record);
    free(p->trace.head);
    free(p->text);
}

static inline double brute_of(const struct brute_slot *s, char kind, const char *name, bool count)
{
    for (size_t i = 0; i < s->sums; i++)
        if (s->sum[i].kind == kind && strcmp(s->sum[i].name, name) == 0)
            return count ? s->sum[i].count : s->sum[i].amount;
    return 0;
}

/** Parallel efficiency, load balance, communication efficiency: of a runtime that is the mean of
 * all threads' own; other: the slot that it is compared with, which has a say in which threads
 * count. */
static inline void brute_efficiency(const struct brute_proof *p, const struct brute_slot *s,
                                    const struct brute_slot *other, double out[3])
{
    double sum = 0, most = 0, time = 0, n = 0;

    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < p->trace.threads; i++) {
        const double t = p->running ? s->running[i] : s->length[i] - s->mpi[i];

        if (s->length[i] <= 0 || s->running[i] + s->mpi[i] + s->calls[i] + other->running[i] +
                                         other->mpi[i] + other->calls[i] <=
                                     0)
            continue;
        sum += t;
        most = t > most ? t : most;
        time += (double)s->length[i];
        n++;
    }
    if (most <= 0)
        return;
    out[1] = sum / n / most;
    out[2] = most / (time / n);
    out[0] = sum / time;
}

/** ns of the threads that do something in either slot. */
static inline double brute_time(const struct brute_proof *p, const struct brute_slot *s,
                                const struct brute_slot *other)
{
    double sum = 0;

    for (size_t i = 0; i < p->trace.threads; i++)
        sum += s->seen[i] || other->seen[i] ? s->length[i] : 0;
    return sum;
}

#endif
