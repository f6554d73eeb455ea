#ifndef PRVCUT_CLI_TROUBLE_H
#define PRVCUT_CLI_TROUBLE_H

#include "cli.h"

/**
 * Where the trace is none of what the command takes either, whatever is mended of the command line:
 * both are told, and in place of the command that is proposed, what goes on from the trace.
 *
 * shape   text, command: as they are without that; "TRACE" in the command stands for the trace
 * trace   the one that a proposal is of; NULL: none
 */
void cli_trouble(char *text, size_t room, char *command, size_t command_room, const struct cli *c,
                 const char *trace);

#endif
