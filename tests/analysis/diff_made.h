#ifndef PRVCUT_TESTS_DIFF_MADE_H
#define PRVCUT_TESTS_DIFF_MADE_H

/** Two runs by hand, to be compared: threads that compute and make calls. */

#include "analysis/diff_stat.h"
#include "model/texts.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2

static struct prvcut_error error;
static const uint32_t task[ROWS] = { 0, 1 };

/* A run of two threads that compute and make the named calls, each once, for a tenth. */
static inline struct prvcut_diff_run made(size_t iterations, double length, const char *const *call,
                                          size_t calls)
{
    struct prvcut_diff_run r = { .iterations = iterations,
                                 .rows = ROWS,
                                 .threads = ROWS,
                                 .count = (double)iterations,
                                 .loop = true };

    for (size_t i = 0; i < calls; i++)
        ck_assert_int_eq(prvcut_texts_add(&r.call, &r.calls, call[i], &error), PRVCUT_OK);
    r.number = calloc(iterations + 1, sizeof *r.number);
    r.clear = calloc(iterations + 1, sizeof *r.clear);
    r.at = calloc((iterations + 1) * ROWS, prvcut_diff_width(&r) * sizeof *r.at);
    for (size_t i = 0; i <= iterations; i++)
        for (uint32_t t = 0; t < ROWS; t++) {
            const double times = i < iterations ? 1 : (double)iterations;
            double *at = prvcut_diff_at(&r, i, t);

            at[PRVCUT_DIFF_AT_LENGTH] = times * length;
            at[PRVCUT_DIFF_AT_RUNNING] = at[PRVCUT_DIFF_AT_OUTSIDE] = times * 0.8 * length;
            at[PRVCUT_DIFF_AT_CALLS] = times * 0.2 * length;
            at[PRVCUT_DIFF_AT_INSTRUCTIONS] = at[PRVCUT_DIFF_AT_CYCLES] = NAN;
            for (size_t c = 0; c < calls; c++) {
                at[PRVCUT_DIFF_AT_COLUMNS + c] = times * 0.1 * length;
                at[PRVCUT_DIFF_AT_COLUMNS + calls + c] = times;
            }
        }
    for (size_t i = 0; i < iterations; i++) {
        r.number[i] = i + 1;
        r.clear[i] = true;
    }
    return r;
}

/* More of a column in one iteration of a thread, and so in all. */
static inline void add(struct prvcut_diff_run *r, size_t iteration, uint32_t thread, size_t column,
                       double more)
{
    prvcut_diff_at(r, iteration, thread)[column] += more;
    prvcut_diff_at(r, r->iterations, thread)[column] += more;
}

static inline void add_length(struct prvcut_diff_run *r, size_t iteration, double more)
{
    for (uint32_t t = 0; t < ROWS; t++)
        add(r, iteration, t, PRVCUT_DIFF_AT_LENGTH, more);
}

static inline struct made_diff *compared(struct prvcut_diff_run run[2])
{
    struct made_diff *d = calloc(1, sizeof *d);

    d->is.by_thread = true;
    ck_assert_int_eq(prvcut_diff_compare(d, run, task, &error), PRVCUT_OK);
    prvcut_diff_run_fini(&run[0]);
    prvcut_diff_run_fini(&run[1]);
    return d;
}

static inline void released(struct made_diff *d)
{
    free(d->row);
    free(d->change);
    prvcut_texts_free(d->text, d->texts);
    free(d);
}

static inline const struct prvcut_diff_row *row(const struct made_diff *d,
                                                enum prvcut_diff_quantity quantity,
                                                const char *call)
{
    for (size_t i = 0; i < d->is.rows; i++)
        if (d->row[i].quantity == quantity && (!call || strcmp(d->row[i].call, call) == 0))
            return &d->row[i];
    ck_abort_msg("no such row");
}

static const char *const calls[] = { "MPI_Send", "MPI_Recv" };

#endif
