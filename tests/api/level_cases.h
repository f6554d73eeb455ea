#ifndef TESTS_API_LEVEL_CASES_H
#define TESTS_API_LEVEL_CASES_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Random options of the generator. A case is its number: the same number, the same options.
 */
struct level_case {
    unsigned number;
    bool aperiodic;
    bool calls; /* are in the trace */
    char options[1024];
};

#define LEVEL_DEPTH 3        /* nested loops inside the outermost */
#define LEVEL_BYTES 2000000. /* of a trace, at most, about */

struct level_draw {
    uint64_t state;
    struct level_case *c;
    size_t count; /* of the text */
    double tasks, iterations, period;
    double inner[LEVEL_DEPTH];
    unsigned depth;
    bool pipeline, skewed, changed;
};

/* 0 <= u < 1; an odd step and two multiplications spread the counter over 64 bits. */
static inline double draw_real(struct level_draw *d)
{
    uint64_t x = d->state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static inline double draw_between(struct level_draw *d, double least, double most)
{
    return least + (most - least) * draw_real(d);
}

/* Even in the logarithm. */
static inline double draw_log(struct level_draw *d, double least, double most)
{
    return least * pow(most / least, draw_real(d));
}

static inline double draw_count(struct level_draw *d, double least, double most)
{
    return floor(draw_between(d, least, most + 1));
}

static inline bool draw_one_in(struct level_draw *d, double n)
{
    return draw_real(d) * n < 1;
}

static inline void draw_add(struct level_draw *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void draw_add(struct level_draw *d, const char *format, ...)
{
    const size_t room = sizeof d->c->options - d->count;
    va_list arguments;

    va_start(arguments, format);
    d->count += (size_t)vsnprintf(d->c->options + d->count, room, format, arguments);
    va_end(arguments);
}

/* Calls of a task in one iteration, about; bursts and the generator's own bodies. */
static inline double draw_calls(const struct level_draw *d)
{
    double sum = d->pipeline ? 40 : 12, runs = 1;

    for (unsigned i = 0; i < d->depth; i++) {
        runs *= d->inner[i];
        sum += runs * (i % 2 == 0 ? 11 : 3);
    }
    return sum;
}

static inline bool draw_fits(const struct level_draw *d)
{
    const double call_bytes = 250;

    return d->tasks * d->iterations * draw_calls(d) * call_bytes <= LEVEL_BYTES;
}

/* Drawn anew until the trace is small; the deepest ones have few of everything. */
static inline void draw_sizes(struct level_draw *d)
{
    const double share = draw_real(d);

    d->depth = share < 0.15 ? 0 : share < 0.5 ? 1 : share < 0.82 ? 2 : LEVEL_DEPTH;
    for (unsigned turn = 0; turn < 2000; turn++) {
        d->tasks = floor(draw_log(d, 2, 17));
        d->iterations = floor(draw_log(d, 4, 201));
        for (unsigned i = 0; i < d->depth; i++)
            d->inner[i] = floor(draw_log(d, 3, 13));
        if (draw_fits(d))
            return;
    }
    d->tasks = 2;
    d->iterations = 4;
    for (unsigned i = 0; i < d->depth; i++)
        d->inner[i] = 3;
}

/* A burst of any of the levels is 50 us to 2 ms long. */
static inline void draw_period(struct level_draw *d)
{
    double runs = 1, sum = 1;

    for (unsigned i = 0; i < d->depth; i++)
        sum += runs *= d->inner[i];
    d->period = floor(sum * draw_log(d, 200e3, 2e6));
}

static inline void draw_shape(struct level_draw *d)
{
    draw_add(d, "--tasks %.0f --iterations %.0f --period-ns %.0f", d->tasks, d->iterations,
             d->period);
    for (unsigned i = 0; i < d->depth; i++)
        draw_add(d, "%s%.0f", i == 0 ? " --inner " : ",", d->inner[i]);
    if (d->pipeline)
        draw_add(d, " --pipeline");
    if (d->skewed)
        draw_add(d, " --skew-ns %.0f", draw_between(d, 0.02, 0.5) * d->period / (d->tasks - 1));
    draw_add(d, " --init-ns %.0f --end-ns %.0f", draw_log(d, 0.3, 10) * d->period,
             draw_log(d, 0.1, 3) * d->period);
}

static inline void draw_noise(struct level_draw *d)
{
    draw_add(d, " --jitter %.3f", draw_between(d, 0, 0.15));
    draw_add(d, " --imbalance %.2f", draw_between(d, 0, draw_one_in(d, 3) ? 1 : 0.15));
    if (draw_one_in(d, 2))
        draw_add(d, " --drift %.2f", draw_between(d, 0.01, 0.5));
}

/* Flushes of a task come every so many iterations, at least. */
static inline void draw_flushes(struct level_draw *d)
{
    const double apart = draw_between(d, 5, 20), least = d->iterations / 6;

    draw_add(d, " --flush-every %.0f --flush-ns %.0f",
             4 * draw_calls(d) * (apart > least ? apart : least), draw_log(d, 0.2, 2) * d->period);
}

static inline void draw_events(struct level_draw *d)
{
    if (d->iterations >= 12 && draw_one_in(d, 3)) {
        const bool shorter = draw_one_in(d, 2);

        draw_add(d, " --change-at %.2f --change-period %.0f", draw_between(d, 0.3, 0.7),
                 (shorter ? draw_between(d, 0.35, 0.8) : draw_between(d, 1.25, 2.5)) * d->period);
        d->changed = true;
    } else if (d->iterations >= 10 && draw_one_in(d, 2)) {
        draw_flushes(d);
    }
    if (d->iterations >= 12 && draw_one_in(d, 4))
        draw_add(d, " --every-k %.0f", draw_count(d, 3, 10));
    if (draw_one_in(d, 14))
        draw_add(d, " --silent 1");
    else if (draw_one_in(d, 14))
        draw_add(d, " --short-lived %.0f", draw_count(d, 1, 2));
}

static inline void draw_records(struct level_draw *d)
{
    d->c->calls = false;
    if (draw_one_in(d, 25)) {
        draw_add(d, " --burst-mode");
    } else if (draw_one_in(d, 6)) {
        draw_add(d, " --no-calls");
    } else {
        d->c->calls = true;
        draw_add(d, " --callers %.0f", draw_count(d, 0, 3));
        if (draw_one_in(d, 8))
            draw_add(d, " --no-states");
        if (draw_one_in(d, 3))
            draw_add(d, " --counters");
    }
    draw_add(d, " --seed %u", d->c->number);
}

static inline void level_case_periodic(struct level_case *c, unsigned number)
{
    struct level_draw d = { .state = number, .c = c };
    double form;

    *c = (struct level_case){ .number = number };
    form = draw_real(&d);
    d.pipeline = form < 0.2;
    d.skewed = form > 0.75;
    draw_sizes(&d);
    draw_period(&d);
    draw_shape(&d);
    draw_noise(&d);
    draw_events(&d);
    draw_records(&d);
}

static inline void level_case_aperiodic(struct level_case *c, unsigned number)
{
    struct level_draw d = { .state = number, .c = c };

    *c = (struct level_case){ .number = number, .aperiodic = true };
    d.tasks = draw_count(&d, 2, 16);
    d.iterations = floor(draw_log(&d, 10, 600) / d.tasks) + 3;
    d.period = draw_log(&d, 500e3, 50e6);
    draw_add(&d, "--aperiodic");
    draw_add(&d, " --tasks %.0f --iterations %.0f --period-ns %.0f", d.tasks, d.iterations,
             d.period);
    draw_add(&d, " --init-ns %.0f --end-ns %.0f", draw_log(&d, 0.3, 10) * d.period,
             draw_log(&d, 0.1, 3) * d.period);
    draw_noise(&d);
    if (draw_one_in(&d, 5))
        draw_add(&d, " --flush-every %.0f --flush-ns %.0f", draw_log(&d, 100, 2000),
                 draw_log(&d, 0.2, 2) * d.period);
    if (draw_one_in(&d, 10))
        draw_add(&d, " --threads-per-task %.0f", draw_count(&d, 2, 3));
    if (draw_one_in(&d, 10))
        draw_add(&d, " --silent 1");
    draw_records(&d);
}

#endif
