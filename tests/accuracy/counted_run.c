#include "counted_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, PARTS = 6, WORKS = 24, REPEATS = 40, ITERATIONS = 120 };

/** What a thread does for a while. */
struct work {
    double instructions, cycles, misses; /* the last two: of one instruction */
};

/** What a thread has counted since it was read last. */
struct counted {
    double now, instructions, cycles, misses;
};

/** A reading of a thread. */
struct reading {
    double time, cycles, misses;
    unsigned thread;
};

struct making {
    struct counted_run *run;
    uint64_t seed;
    double clock, noise; /* cycles a ns; deviation of what a part counts, share of it */
    bool spins;          /* who waits counts on */
    struct counted thread[THREADS];
    struct reading *reading;
    size_t readings, room;
    bool full;
};

static double uniform(struct making *m)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->seed >> 11) * 0x1p-53;
}

static double between(struct making *m, double low, double high)
{
    return low * pow(high / low, uniform(m));
}

static double normal(struct making *m)
{
    const double a = uniform(m), b = uniform(m);

    return sqrt(-2 * log(1 - a)) * cos(6.283185307179586 * b);
}

static void read_counters(struct making *m, unsigned thread)
{
    struct counted *c = &m->thread[thread];

    if (m->readings == m->room) {
        const size_t room = m->room > 0 ? 2 * m->room : 1024;
        struct reading *more = realloc(m->reading, room * sizeof *more);

        m->full = !more;
        if (!more)
            return;
        m->reading = more;
        m->room = room;
    }
    m->reading[m->readings++] = (struct reading){ c->now, c->cycles, c->misses, thread };
    c->instructions = c->cycles = c->misses = 0;
}

/** A thread counts on, and is read each time that it counted enough. */
static void count(struct making *m, unsigned thread, const struct work *w)
{
    struct counted *c = &m->thread[thread];
    double left = w->instructions;

    while (left > 0 && !m->full) {
        const double step = fmin(left, m->run->each - c->instructions);

        c->now += step * w->cycles / m->clock;
        c->instructions += step;
        c->cycles += step * w->cycles;
        c->misses += step * w->misses;
        left -= step;
        if (c->instructions >= m->run->each - 0.5)
            read_counters(m, thread);
    }
}

/** A part, as it turns out this time. stretch: of its instructions */
static void pass(struct making *m, unsigned thread, const struct work *w, double stretch)
{
    const double jitter = m->run->jitter;
    /* Lognormal, of mean 1. */
    const double vary = exp(jitter * normal(m) - 0.5 * jitter * jitter);
    const struct work now = { w->instructions * stretch * vary,
                              w->cycles * fmax(0.3, 1 + m->noise * normal(m)),
                              w->misses * fmax(0.1, 1 + m->noise * normal(m)) };

    count(m, thread, &now);
}

/** All wait for the last one: in a loop that counts, or off the processor. Returns when that is. */
static double meet(struct making *m)
{
    const struct work spin = { 0, 0.6, 1e-5 };
    double last = 0;

    for (unsigned i = 0; i < m->run->threads; i++)
        last = fmax(last, m->thread[i].now);
    for (unsigned i = 0; i < m->run->threads; i++) {
        struct work w = spin;

        w.instructions = (last - m->thread[i].now) * m->clock / spin.cycles;
        if (m->spins)
            count(m, i, &w);
        m->thread[i].now = last;
    }
    return last;
}

/** Parts of unlike lengths, cycles and misses; of so many instructions in all. */
static void draw(struct making *m, struct work *w, unsigned parts, double instructions)
{
    double all = 0;

    for (unsigned i = 0; i < parts; i++) {
        w[i] = (struct work){ between(m, 0.4, 2.5), between(m, 0.4, 2.5), between(m, 1e-4, 3e-2) };
        /* The one after another is unlike it. */
        if (i > 0 && fabs(log(w[i].cycles / w[i - 1].cycles)) < 0.2)
            w[i].cycles *= w[i].cycles > 1 ? 0.6 : 1.7;
        all += w[i].instructions;
    }
    for (unsigned i = 0; i < parts; i++)
        w[i].instructions *= instructions / all;
}

static void all_pass(struct making *m, const struct work *w, unsigned parts, double stretch)
{
    for (unsigned t = 0; t < m->run->threads; t++)
        for (unsigned i = 0; i < parts; i++)
            pass(m, t, &w[i], stretch);
}

/** What the first thread does alone, while others wait: so many instructions. */
static void alone(struct making *m, double instructions)
{
    struct work w[WORKS];
    const unsigned parts = 1 + (unsigned)((WORKS - 1) * uniform(m) * uniform(m));

    draw(m, w, parts, instructions);
    for (unsigned i = 0; i < parts; i++)
        pass(m, 0, &w[i], 1);
    meet(m);
}

/** Before the loop: unlike parts, then perhaps something that repeats, or parts of an iteration. */
static void start_up(struct making *m, const struct work *own, unsigned parts, double instructions)
{
    const double kind = uniform(m);
    struct work w[PARTS];

    alone(m, instructions * between(m, 0.3, 1));
    if (kind < 0.25) {
        const unsigned repeats = 3 + (unsigned)(REPEATS * uniform(m));
        const unsigned parts_once = 1 + (unsigned)(2 * uniform(m));

        draw(m, w, parts_once, 0.5 * instructions / repeats);
        for (unsigned k = 0; k < repeats; k++)
            all_pass(m, w, parts_once, 1);
    } else if (kind < 0.5) {
        all_pass(m, own + (unsigned)(parts * uniform(m)), 1, between(m, 0.3, 3));
    }
    meet(m);
}

static int order_lengths(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void loop(struct making *m, const struct work *own, unsigned parts, unsigned iterations)
{
    /* The first one finds its caches empty. */
    const double first = uniform(m) < 0.3 ? between(m, 1, 1.5) : 1;

    double length[ITERATIONS];

    m->run->start = m->run->end = meet(m);
    for (unsigned k = 0; k < iterations; k++) {
        for (unsigned t = 0; t < m->run->threads; t++)
            for (unsigned i = 0; i < parts; i++) {
                struct work w = own[i];

                w.cycles *= k == 0 ? first : 1;
                pass(m, t, &w, 1);
            }
        length[k] = meet(m) - m->run->end;
        m->run->end += length[k];
    }
    m->run->iterations = iterations;
    qsort(length, iterations, sizeof *length, order_lengths);
    m->run->median = length[iterations / 2];
}

static void make(struct making *m)
{
    struct counted_run *run = m->run;
    const double kind = uniform(m);
    struct work own[PARTS];
    const unsigned iterations = (unsigned)between(m, 6, ITERATIONS);
    const unsigned parts = 2 + (unsigned)((PARTS - 1) * uniform(m));
    double instructions;

    run->threads = uniform(m) < 0.5 ? 1 : THREADS;
    run->each = floor(between(m, 1e6, 1e7));
    run->jitter = uniform(m) < 0.2 ? 0.001 : between(m, 0.005, 0.12);
    run->readings = between(m, 6, 80);
    m->clock = between(m, 1, 3.5);
    m->noise = between(m, 0.002, 0.05);
    m->spins = uniform(m) < 0.5;
    instructions = run->each * run->readings;
    draw(m, own, parts, instructions);
    start_up(m, own, parts, instructions * iterations * between(m, 0.02, 0.4));
    loop(m, own, parts, iterations);
    if (kind < 0.7)
        alone(m, instructions * iterations * between(m, 0.01, 0.2));
    run->all = meet(m);
}

static int order(const void *a, const void *b)
{
    const struct reading *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static bool write_labels(const char *name)
{
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%.200s.pcf", name);
    f = fopen(path, "w");
    if (!f)
        return false;
    fputs("EVENT_TYPE\n"
          "7  42000050 PAPI_TOT_INS [Instr completed]\n"
          "7  42000059 PAPI_TOT_CYC [Total cycles]\n"
          "7  42000000 PAPI_L1_DCM [Level 1 data cache misses]\n",
          f);
    return fclose(f) == 0;
}

static bool write_readings(const struct making *m, const char *name)
{
    const unsigned threads = m->run->threads;
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%.200s.prv", name);
    f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%.0f_ns:1(%u):1:1(%u:1)\n", m->run->all + 1, threads,
            threads);
    for (size_t i = 0; i < m->readings; i++) {
        const struct reading *r = &m->reading[i];

        fprintf(f, "2:%u:1:1:%u:%.0f:42000050:%.0f:42000059:%.0f:42000000:%.0f\n", r->thread + 1,
                r->thread + 1, r->time, m->run->each, r->cycles, r->misses);
    }
    return fclose(f) == 0;
}

bool counted_run_make(struct counted_run *out, uint64_t seed, const char *name)
{
    struct making m = { .run = out, .seed = seed * 2654435761u + 12345 };
    bool good;

    memset(out, 0, sizeof *out);
    for (int i = 0; i < 4; i++)
        uniform(&m);
    make(&m);
    if (m.readings > 0)
        qsort(m.reading, m.readings, sizeof *m.reading, order);
    good = !m.full && m.readings > 0 && write_labels(name) && write_readings(&m, name);
    free(m.reading);
    return good;
}
