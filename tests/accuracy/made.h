#ifndef ACCURACY_MADE_H
#define ACCURACY_MADE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Signals as programs make them, with truth: a few processes that go through the phases of an
 * iteration, each phase with a level of its own, after a start-up and before an end that do
 * something else. The lengths of all phases vary; an iteration may hold a loop of its own. What is
 * seen is the sum over the processes, in bins.
 */

enum { MADE_BINS = 1 << 15 };

enum made_kind {
    MADE_PLAIN,    /* a loop of unlike phases */
    MADE_NESTED,   /* a loop in it, and some phases more */
    MADE_TURNS,    /* two or three parts in turn that differ a little */
    MADE_COUNTERS, /* rates of a counter while a phase lasts, with noise */
    MADE_SAMPLED,  /* the same, known at times of its own only */
    MADE_LOOPS,
    MADE_NOISE = MADE_LOOPS, /* no loop: bursts of any length at any distance */
    MADE_STEPS,              /* no loop: levels that last for any time */
    MADE_WALK,               /* no loop: a random walk */
    MADE_KINDS
};

struct made {
    double at[MADE_BINS];
    double start, end, iterations; /* of the loop, bins: mean of the processes; 0: none */
    double jitter;                 /* of a phase's length, share of it */
    size_t processes, inner;       /* inner: iterations of the loop in an iteration */
    enum made_kind kind;
    unsigned metric;
    uint64_t seed;
};

/**
 * One signal of a kind; another one for each seed. metric: what is measured of the same run, from 0
 * on: its phases last as long, at other levels.
 */
void made_make(struct made *m, enum made_kind kind, uint64_t seed, unsigned metric);

#endif
