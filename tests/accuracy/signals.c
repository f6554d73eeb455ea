/*
 * How often is the loop right that signals show, without the calls?
 *
 * usage   accuracy_signals [CASES [SEED]]
 *         random signals, drawn anew at each run, so many of each kind (20; 100 of each are 500
 * with a loop), from a seed on (of the clock), with each wrong answer: what does one alone show,
 *         and is none told where there is none? Of three signals of a run, asked together: is the
 *         confidence a probability?
 *         accuracy_signals --traces [NAME...]
 *         real traces: by each signal alone, as two tables of Casas' thesis; all together; by
 *         bursts alone. These only; none: all, or those that long tests take
 * exit    1 where a limit (see LIMITS here and in tables.c) does not hold; 0 also where there are
 *         no traces
 */
#include "answer.h"
#include "made.h"
#include "runner.h"
#include "structure/search.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASES    20
#define TOGETHER 3    /* signals of a run */
#define WIDTH    1000 /* ns, of a bin */
#define ROOM     0.05 /* of the period */
#define COUNT    0.1  /* of the iterations, or one */
#define SURE     0.5  /* strength that a vote believes */

/* LIMITS: shares that hold but for chance */
#define RIGHT      0.90 /* of the signals with a loop */
#define SURE_RIGHT 0.90 /* of what three signals tell with a confidence of VERY_SURE and more */
#define VERY_SURE  0.90
#define NONE       0.95 /* of those without one: none is told, or not surely */
#define DEVIATIONS 3    /* of the number of right ones, that are chance */

static const char *const names[MADE_KINDS] = { "plain",   "nested", "turns", "counters",
                                               "sampled", "bursts", "steps", "walk" };

static struct made made;
static double together[PRVCUT_SIGNALS][MADE_BINS];

static bool is_right(const struct prvcut_loop *l)
{
    const double period = (made.end - made.start) / made.iterations;

    if (made.iterations == 0)
        return !l->found || l->strength < SURE;
    return l->found && fabs(l->period_ns / WIDTH / period - 1) < ROOM &&
           fabs(l->iterations - made.iterations) <= fmax(1, COUNT * made.iterations);
}

/* A false one could not be asked. */
static bool ask(enum made_kind kind, uint64_t seed, bool *right)
{
    const struct prvcut_signal in = {
        .name = "made", .unit = "", .width = WIDTH, .at = made.at, .bins = MADE_BINS
    };
    struct prvcut_loop l;

    made_make(&made, kind, seed, 0);
    if (prvcut_signal_loop_find(&l, &in, NULL, 0, NULL, NULL) < 0)
        return false;
    *right = is_right(&l);
    if (!*right)
        printf("  %-10s%-12llu%8.1f of %8.1f bins%8.1f of %6.0f  strength %.2f\n", names[kind],
               (unsigned long long)seed, l.period_ns / WIDTH,
               made.iterations > 0 ? (made.end - made.start) / made.iterations : 0, l.iterations,
               made.iterations, l.strength);
    return true;
}

/** How sure are they that tell a loop, and how many are right? */
struct sure {
    struct score score;
    unsigned told, right; /* of those that are VERY_SURE */
};

/* The signals of a run, by the search that a job without calls makes. */
static enum prvcut_status search(struct prvcut_search *out, enum made_kind kind, uint64_t seed)
{
    struct prvcut_signal signal[PRVCUT_SIGNALS] = { { .name = "" } };
    const struct prvcut_search_input in = { .span = { 0, (uint64_t)MADE_BINS * WIDTH },
                                            .signal = signal,
                                            .metrics = (1u << TOGETHER) - 1 };

    for (unsigned i = 0; i < TOGETHER; i++) {
        made_make(&made, kind, seed, i);
        memcpy(together[i], made.at, sizeof made.at);
        signal[i] = (struct prvcut_signal){
            .name = "made", .unit = "", .width = WIDTH, .at = together[i], .bins = MADE_BINS
        };
    }
    return prvcut_search_find(out, &in, &(struct prvcut_run){ .threads = 1 }, NULL);
}

/* A false one could not be asked. */
static bool ask_together(struct sure *sure, enum made_kind kind, uint64_t seed)
{
    struct prvcut_search s;
    const enum prvcut_status st = search(&s, kind, seed);
    struct answer a = { .period = 0 };
    bool right;

    if (st >= 0) {
        right = made.iterations > 0 ? is_right(&s.loop) : !s.loop.found;
        if (s.loop.found) {
            a.period = s.loop.period_ns;
            a.confidence = s.confidence;
        }
        score_count(&sure->score, &a, right);
        sure->told += a.confidence >= VERY_SURE;
        sure->right += a.confidence >= VERY_SURE && right;
        if (!right && a.confidence > SURE)
            printf("  together: %-10s%-12llu%8.1f of %8.1f bins  confidence %.2f\n", names[kind],
                   (unsigned long long)seed, a.period / WIDTH,
                   made.iterations > 0 ? (made.end - made.start) / made.iterations : 0,
                   a.confidence);
    }
    prvcut_search_fini(&s);
    return st >= 0;
}

static bool share_holds(const char *what, double right, double all, double limit)
{
    const double least = all * limit - DEVIATIONS * sqrt(all * limit * (1 - limit));

    printf("%s: %.0f of %.0f, %.0f are chance\n", what, right, all, fmax(0, ceil(least)));
    return right >= least;
}

static bool judge_made(unsigned long cases, unsigned long seed)
{
    unsigned right[MADE_KINDS] = { 0 }, with = 0, without = 0;
    struct sure sure = { .told = 0 };
    bool good;

    printf("seed %lu\n", seed);
    for (unsigned kind = 0; kind < MADE_KINDS; kind++)
        for (unsigned long k = 0; k < cases; k++) {
            bool own;

            if (!ask((enum made_kind)kind, seed + k, &own) ||
                !ask_together(&sure, (enum made_kind)kind, seed + k))
                return false;
            right[kind] += own;
            *(kind < MADE_LOOPS ? &with : &without) += own;
        }
    for (unsigned kind = 0; kind < MADE_KINDS; kind++)
        printf("%-10s%4u of %lu\n", names[kind], right[kind], cases);
    printf("three signals together: %u of %u right, %u confidently wrong\n", sure.score.right,
           sure.score.all, sure.score.confident);
    score_print_bins(&sure.score);
    good = share_holds("with a loop", with, (double)(MADE_LOOPS * cases), RIGHT);
    good =
        share_holds("without", without, (double)((MADE_KINDS - MADE_LOOPS) * cases), NONE) && good;
    return share_holds("surely told", sure.right, sure.told, SURE_RIGHT) && good;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--traces") == 0)
        return test_status(tables_print(argc - 2, argv + 2));
    return test_status(
        judge_made(argc > 1 ? strtoul(argv[1], NULL, 10) : CASES,
                   argc > 2 ? strtoul(argv[2], NULL, 10) : (unsigned long)time(NULL)));
}
