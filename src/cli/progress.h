#ifndef PRVCUT_CLI_PROGRESS_H
#define PRVCUT_CLI_PROGRESS_H

#include "passes.h"

#include <stdbool.h>
#include <stdint.h>

/** Tells on standard error how far the work is; zeroed tells nothing. */
struct cli_progress {
    bool shown;   /**< as a line for a person, which goes away again */
    bool json;    /**< as lines for a program, in place of it */
    bool verbose; /**< in words, once a phase is over */
    enum prvcut_phase phase;
    uint64_t bytes;                        /**< done in this phase */
    uint64_t total;                        /**< of this phase; 0 = unknown */
    double begin, last;                    /**< s: of this phase, of the last line */
    int width;                             /**< columns to erase */
    struct cli_pass pass[CLI_PASSES_MOST]; /**< what the command does, in order */
    unsigned passes;                       /**< 0: not known */
    struct cli_progress_state state;       /**< of them */
    double pass_begin;                     /**< s */
    unsigned named;                        /**< the last pass whose own phase came, from 1 */
    bool again;                            /**< it came more than once */
};

/** Tell how far a phase is; total 0 = unknown. Costs a look at the clock. */
void cli_progress_at(struct cli_progress *p, enum prvcut_phase phase, uint64_t done,
                     uint64_t total);

/** Erase the line, or end the last phase; call before other words go to standard error, and at the
 * end. */
void cli_progress_end(struct cli_progress *p);

#endif
