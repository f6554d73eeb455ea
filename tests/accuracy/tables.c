#include "tables.h"
#include "cuts.h"

#include <math.h>
#include <stdio.h>

/* As accuracy.c judges. */
#define ROOM 0.03

/* In the order of the two tables. */
static const char *const metrics[] = { "bursts",   "computing", "p2p",        "ipc",
                                       "inflight", "flops",     "collective", "instructions" };

#define METRICS (sizeof metrics / sizeof *metrics)

static unsigned right[METRICS], asked[METRICS];

void tables_head(void)
{
    printf("Main period in ms by one signal alone; in brackets: not the loop; -: the trace has no "
           "such "
           "signal.\n\n| trace | expected |");
    for (size_t i = 0; i < METRICS; i++)
        printf(" %s |", metrics[i]);
    printf("\n|---|--:|");
    for (size_t i = 0; i < METRICS; i++)
        printf("--:|");
    printf("\n");
}

static bool tables_is_right(const struct truth *t, const struct prvcut_reduction *r)
{
    for (unsigned i = 0; i < t->factors; i++) {
        const double f = t->factor[i], want = t->iterations / f;

        if (r->period_ns >= (1 - ROOM) * t->low * f && r->period_ns <= (1 + ROOM) * t->high * f &&
            (fabs(r->iterations - want) <= 0.1 * want || fabs(r->iterations - want) <= 1))
            return true;
    }
    return false;
}

static bool tables_is_absent(const struct prvcut_reduction *r)
{
    const struct prvcut_vote *v = prvcut_reduction_vote(r, 0);

    return !v || v->status == PRVCUT_STAND_ABSENT;
}

static void tables_cell(const struct truth *t, const char *path, size_t metric)
{
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .metrics = metrics[metric],
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    const enum prvcut_status st = cuts_reduce(path, 0, &options, &r, &err);
    const bool is = st == PRVCUT_OK && tables_is_right(t, r);

    if (st < 0)
        printf(" FAILED: %s |", err.text);
    else if (st == PRVCUT_NONE)
        printf(" %s |", tables_is_absent(r) ? "-" : "not found");
    else if (t->kind != TRUTH_PERIODIC || is)
        printf(" %.3g |", r->period_ns / 1e6);
    else
        printf(" (%.3g) |", r->period_ns / 1e6);
    if (t->kind == TRUTH_PERIODIC && st >= 0 && !(st == PRVCUT_NONE && tables_is_absent(r))) {
        asked[metric]++;
        right[metric] += is;
    }
    prvcut_reduction_free(r);
}

void tables_row(const struct truth *t, const char *name, const char *path)
{
    printf("| %s |", name);
    if (t->kind == TRUTH_PERIODIC)
        printf(" %.3g |", t->low / 1e6);
    else
        printf(" |");
    for (size_t i = 0; i < METRICS; i++)
        tables_cell(t, path, i);
    printf("\n");
    fflush(stdout);
}

void tables_total(void)
{
    printf("| right of the periodic ones | |");
    for (size_t i = 0; i < METRICS; i++)
        printf(" %u of %u |", right[i], asked[i]);
    printf("\n");
}
