#include "team.h"

#include <string.h>

bool cli_team_takes(const struct cli_command *command)
{
    return command->bit & (CLI_REDUCE | CLI_STRUCTURE | CLI_INDEX | CLI_PROFILE);
}

const char *cli_team_why(const struct cli_command *command)
{
    /* What meets messages with their receives takes records of all ranks in between each other. */
    const unsigned ordered = CLI_WAITS | CLI_COMM | CLI_PATTERNS | CLI_FIND | CLI_SQL | CLI_DIFF;

    return cli_team_takes(command)    ? NULL
           : command->bit & ordered   ? "which needs the trace in one order"
           : command->bit & CLI_MAKES ? "whose file one process writes"
           : command->bit & CLI_WORK  ? "for which each would read all of the trace"
                                      : "which has nothing to share";
}

/* Does that line of words, behind the program's name, begin with a command that ranks do not share?
 */
static bool tea_is_for_one(const char *words)
{
    const struct cli_command *command;
    char word[20];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
    command = cli_command_find(word);
    return command && !cli_team_takes(command);
}

/* Is it where the shell takes a command's name, not in that of a file? */
static bool tea_begins(const char *command, const char *at)
{
    return at == command || (at - command > 2 && at[-1] == ' ' && strchr("&;", at[-2]));
}

void cli_team_call(char *command, size_t room, const struct cli *c, const char *text)
{
    static const char alone[] = "prvcut ", team[] = "prvcut-mpi ";

    if (!c->exchange || strstr(text, "prvcut alone") || strstr(command, " --follow"))
        return;
    for (char *at = strstr(command, alone); at; at = strstr(at + 1, alone)) {
        char *rest = at + strlen(alone);

        if (!tea_begins(command, at) || tea_is_for_one(rest) ||
            strlen(command) + strlen(team) - strlen(alone) >= room)
            continue;
        memmove(at + strlen(team), rest, strlen(rest) + 1);
        memcpy(at, team, strlen(team));
    }
}
