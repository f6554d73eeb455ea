#ifndef PRVCUT_CLI_TEAM_H
#define PRVCUT_CLI_TEAM_H

#include "cli.h"

/** A rank that was started with other words than rank 0. */
struct cli_team_other {
    unsigned rank;
    char *words; /**< as a shell takes them, behind the program's name; owned */
};

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

/**
 * Were all ranks started with the same words? Those for -T, which each takes for itself, do not
 * count. All come here first, and each hears whether they were; x: NULL: there is one.
 *
 * shape   out: of rank 0, where they were not: the first rank with others, and its words; owned by
 *         the caller
 * errors  CLI_MISUSED: they were not; CLI_FAILED, told: they could not be asked
 */
enum cli_exit cli_team_agrees(struct cli_team_other *out, int argc, char **argv,
                              const struct prvcut_exchange *x);

#endif
