#ifndef PRVCUT_CLI_STATUS_H
#define PRVCUT_CLI_STATUS_H

#include "prvcut/status.h"

#include <stddef.h>

/** Exit status of the program. The table below says what each means. */
enum cli_exit {
    CLI_REHEARSED = -1, /**< no status: the command would open the trace (struct cli) */
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_MISUSED = 2,
    CLI_DAMAGED = 3,
    CLI_NO_LOOP = 4,
    CLI_EXISTS = 5,
    CLI_LOSS = 6,
    CLI_WORSE = 7,
};

/**
 * One exit status. The table of these is the only place that explains them: help, manual pages and
 * tests follow it.
 */
struct cli_status {
    enum cli_exit status;
    unsigned commands; /**< who may end with it */
    const char *words; /**< what it means, without a full stop */
};

extern const struct cli_status cli_statuses[];
extern const size_t cli_status_count;

/** The exit status that the outcome of a library call asks for. */
enum cli_exit cli_status_of(enum prvcut_status st);

#endif
