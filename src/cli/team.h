#ifndef PRVCUT_CLI_TEAM_H
#define PRVCUT_CLI_TEAM_H

#include "cli.h"

/** Can ranks share what the command does? */
bool cli_team_takes(const struct cli_command *command);

/** Why they cannot, to be put behind the command's name; NULL: they can. */
const char *cli_team_why(const struct cli_command *command);

/**
 * Where the program is one of several ranks, a command that is proposed is one for ranks, too: the
 * program is called as they were, behind whatever started them, in each command that they can
 * share.
 *
 * shape   command: [room], commands with prvcut as a shell takes them; as it is where the longer
 *         one does not fit, or text, the reason, asks for prvcut alone
 */
void cli_team_call(char *command, size_t room, const struct cli *c, const char *text);

#endif
