#ifndef PRVCUT_CLI_PROGRESS_H
#define PRVCUT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** A line on standard error that tells how far the work is; zeroed shows nothing. */
struct cli_progress {
    bool shown, verbose;
    char phase[24];     /**< "" before the first */
    uint64_t bytes;     /**< done in this phase */
    double begin, last; /**< s: of this phase, of the last line */
    int width;          /**< columns to erase */
};

/** Tell how far a phase is; total 0 = unknown. Costs a look at the clock. */
void cli_progress_at(struct cli_progress *p, const char *phase, uint64_t done, uint64_t total);

/** Erase the line; call before other words go to standard error, and at the end. */
void cli_progress_end(struct cli_progress *p);

#endif
