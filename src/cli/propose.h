#ifndef PRVCUT_CLI_PROPOSE_H
#define PRVCUT_CLI_PROPOSE_H

#include "cli.h"

/**
 * The command that works in place of the one that was refused: what was typed, with as little
 * changed as makes it pass. Whether it passes is asked of the command itself, which runs up to
 * where it would open the trace (struct cli.rehearsed). False: none was found.
 *
 * works   arguments that are known to work, as cli_misuse has them; NULL: the fewest. They replace
 * what was typed only as far as that does not pass; where all of it does, the trace refused it, and
 * they do
 * trace   what TRACE stands for; NULL: nobody knows
 * out     where it is false: another command, which the trace proposes as it takes none of that
 * kind, with TRACE in it; or ""
 */
bool cli_propose(char *out, size_t room, const struct cli *c, const char *works, const char *trace);

#endif
