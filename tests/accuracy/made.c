#include "made.h"

#include <math.h>
#include <string.h>

enum { PROCESSES = 8, PHASES = 8 };

/** What a process does for a while. */
struct phase {
    double length, level, noise; /* bins; what each process adds; its deviation, share of it */
};

static double uniform(struct made *m)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->seed >> 11) * 0x1p-53;
}

static double between(struct made *m, double low, double high)
{
    return low * pow(high / low, uniform(m));
}

/** What another metric shows where the first one has a level of up to 63: one of its own. */
static double level_of(const struct made *m, double level)
{
    uint64_t x = (uint64_t)level + 64 * (uint64_t)m->metric;

    if (m->metric == 0)
        return level;
    x = (x ^ x >> 4) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return (double)(x >> 59);
}

static double normal(struct made *m)
{
    const double a = uniform(m), b = uniform(m);

    return sqrt(-2 * log(1 - a)) * cos(6.283185307179586 * b);
}

/** Add a level over [from, to), exact to fractions of a bin. */
static void raise_level(struct made *m, double from, double to, double level)
{
    from = fmin(fmax(0, from), MADE_BINS - 1);
    to = fmin(fmax(0, to), MADE_BINS - 1);
    for (size_t i = (size_t)from; i <= (size_t)to && from < to; i++)
        m->at[i] += level * (fmin(to, (double)i + 1) - fmax(from, (double)i));
}

/** One process goes through a phase from a time on; returns its end. */
static double pass(struct made *m, double from, const struct phase *p, double stretch)
{
    /* Lognormal, of mean 1. */
    const double vary = exp(m->jitter * normal(m) - 0.5 * m->jitter * m->jitter);
    const double length = p->length * stretch * vary;

    raise_level(m, from, from + length, p->level * fmax(0, 1 + p->noise * normal(m)));
    return from + length;
}

static void phases(struct made *m, struct phase *p, size_t count, double length)
{
    double all = 0;

    for (size_t i = 0; i < count; i++) {
        p[i].length = between(m, 0.3, 3);
        p[i].level = fmax(0.1, level_of(m, floor(between(m, 1, 30))) - (i % 2 == 1 ? 0.9 : 0));
        p[i].noise = m->kind >= MADE_COUNTERS ? 0.1 : 0;
        all += p[i].length;
    }
    for (size_t i = 0; i < count; i++)
        p[i].length *= length / all;
}

/** What is no loop: phases of all lengths, each once. */
static void scatter(struct made *m, double from, double to)
{
    for (double t = from; t < to;) {
        const double length = between(m, 20, 1500);

        raise_level(m, t, fmin(to, t + length), level_of(m, floor(between(m, 1, 40))));
        t += length;
    }
}

/** All processes wait for the last one. */
static void meet(double *now, size_t processes)
{
    double last = 0;

    for (size_t r = 0; r < processes; r++)
        last = fmax(last, now[r]);
    for (size_t r = 0; r < processes; r++)
        now[r] = last;
}

static void iteration(struct made *m, double *now, const struct phase *own, size_t owns,
                      const struct phase *inner, size_t inners)
{
    for (size_t k = 0; k < m->inner; k++) {
        for (size_t r = 0; r < m->processes; r++)
            for (size_t i = 0; i < inners; i++) {
                struct phase p = inner[i];

                /* Parts in turn: the last phase of one is longer and another level. */
                if (m->kind == MADE_TURNS && i + 1 == inners) {
                    p.length *= 1 + 0.6 * (double)k;
                    p.level *= 1 + 0.8 * (double)k;
                }
                now[r] = pass(m, now[r], &p, 1);
            }
        meet(now, m->processes);
    }
    for (size_t r = 0; r < m->processes; r++)
        for (size_t i = 0; i < owns; i++)
            now[r] = pass(m, now[r], &own[i], 1);
    meet(now, m->processes);
}

/** What is only known at some times keeps its mean between them. */
static void sample(struct made *m, double each)
{
    for (double t = 0; t < MADE_BINS;) {
        const double next = t + each * between(m, 0.7, 1.4);
        const size_t from = (size_t)t, to = next < MADE_BINS ? (size_t)next : MADE_BINS;
        double sum = 0;

        for (size_t i = from; i < to; i++)
            sum += m->at[i];
        for (size_t i = from; i < to; i++)
            m->at[i] = sum / (double)(to - from);
        t = to > from ? (double)to : next;
    }
}

static void make_loop(struct made *m)
{
    struct phase own[PHASES], inner[PHASES];
    double now[PROCESSES], period, share;
    size_t owns, inners, count;

    m->processes = 1 + (size_t)(PROCESSES * uniform(m));
    m->jitter = uniform(m) < 0.2 ? 0.01 : between(m, 0.02, 0.35);
    m->start = MADE_BINS * 0.4 * uniform(m) * uniform(m);
    m->end = MADE_BINS * (1 - 0.3 * uniform(m) * uniform(m));
    owns = 2 + (size_t)(5 * uniform(m));
    inners = 2 + (size_t)(3 * uniform(m));
    if (m->kind == MADE_NESTED)
        m->inner = 4 + (size_t)(30 * uniform(m));
    else if (m->kind == MADE_TURNS)
        m->inner = 2 + (size_t)(2 * uniform(m));
    count = (size_t)between(m, 6, m->kind == MADE_NESTED ? 40 : 200);
    period = (m->end - m->start) / (double)count;
    share = m->inner > 0 ? between(m, 0.05, 0.4) : 1;
    phases(m, own, owns, period * share);
    phases(m, inner, inners, m->inner > 0 ? period * (1 - share) / (double)m->inner : 1);
    scatter(m, MADE_BINS * 0.002, m->start);
    for (size_t r = 0; r < m->processes; r++)
        now[r] = m->start;
    while (now[0] + 0.5 * period < m->end) {
        iteration(m, now, own, owns, inner, inners);
        m->iterations++;
    }
    m->end = fmin(now[0], MADE_BINS);
    scatter(m, m->end, MADE_BINS);
    if (m->kind == MADE_SAMPLED)
        sample(m, period / between(m, 6, 20));
}

static double exponential(struct made *m, double mean)
{
    return -mean * log(1 - uniform(m));
}

static void make_bursts(struct made *m)
{
    const double gap = between(m, 10, 1000), length = gap * between(m, 0.2, 2);

    for (double t = 0; t < MADE_BINS; t += exponential(m, gap)) {
        const double end = t + exponential(m, length);

        raise_level(m, t, end, level_of(m, 1 + floor(8 * uniform(m))));
        t = end;
    }
}

static void make_steps(struct made *m)
{
    const double length = between(m, 20, 1500);

    for (double t = 0; t < MADE_BINS;) {
        const double end = t + exponential(m, length);

        raise_level(m, t, end, level_of(m, floor(8 * uniform(m))));
        t = end;
    }
}

static void make_walk(struct made *m)
{
    double level = 100;

    for (size_t i = 0; i < MADE_BINS; i++)
        m->at[i] = level = fmax(0, level + normal(m));
}

void made_make(struct made *m, enum made_kind kind, uint64_t seed, unsigned metric)
{
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->metric = metric;
    /* Kinds of one seed have nothing in common, either. */
    m->seed = (seed + 7919 * (uint64_t)kind) * 2654435761u + 12345;
    /* Walks have nothing in common. */
    m->seed += kind == MADE_WALK ? metric * 0x9e3779b97f4a7c15u : 0;
    for (int i = 0; i < 4; i++)
        uniform(m);
    if (kind < MADE_LOOPS)
        make_loop(m);
    else if (kind == MADE_NOISE)
        make_bursts(m);
    else if (kind == MADE_STEPS)
        make_steps(m);
    else
        make_walk(m);
}
