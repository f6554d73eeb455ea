#ifndef PRVCUT_CLI_PASSES_H
#define PRVCUT_CLI_PASSES_H

#include "cli.h"

/** A step of a command's work: the phase that it begins with, and its share of the work. */
struct cli_pass {
    enum prvcut_phase phase;
    double weight; /**< relative to those of the other passes */
};

/** Most passes of any command. */
#define CLI_PASSES_MOST 7

/** The passes that a command line asks for, in their order; one that may not come counts, too.
    Returns how many. */
unsigned cli_passes(const struct cli *c, struct cli_pass out[CLI_PASSES_MOST]);

/** Which pass is under way when the library tells a phase; what the plan does not have belongs to
    the present one. */
unsigned cli_passes_at(const struct cli_pass *pass, unsigned passes, unsigned present,
                       enum prvcut_phase phase);

/** How far a command is. */
struct cli_progress_state {
    unsigned at;          /**< pass under way, from 0 */
    double share;         /**< of it that is done, 0 to 1; < 0: not known */
    double seconds;       /**< since it began */
    double before;        /**< s that the earlier passes took */
    double before_weight; /**< their weights; those that did not come have none */
};

/** Seconds left over all passes; < 0: not known yet. */
double cli_passes_left(const struct cli_pass *pass, unsigned passes,
                       const struct cli_progress_state *s);

/** "4s", "2min 5s": whole seconds, rounded up; returns out. */
char *cli_whole_seconds(char out[32], double seconds);

#endif
