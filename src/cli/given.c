#include "options.h"

#include "follow_options.h"
#include "operands.h"
#include "suggest.h"
#include "tokens.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of an option, with its dashes. */
#define GIV_NAME 40

bool cli_given(const struct cli *c, const char *name)
{
    struct cli_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct cli_token t;

    while (cli_token_next(&at, &t) != CLI_TOKEN_END)
        if (t.kind == CLI_TOKEN_OPTION && strcmp(t.option->name, name) == 0)
            return true;
    return false;
}

const char *cli_rest(const struct cli_command *command, const char *option)
{
    /* A region stands in place of a window. */
    const bool window = strcmp(option, "region") == 0 || strcmp(option, "iteration") == 0;
    /* And a named output in place of the second word. */
    const bool output = strcmp(option, "output") == 0;

    /* What holds traces has none beside it. */
    if (strcmp(option, "group") == 0 || strcmp(option, "series") == 0)
        return "";
    for (const char *const *only = cli_follow_only; *only; only++)
        if (strcmp(option, *only) == 0)
            return "--follow TRACE";
    return (window && command->bit == CLI_CUT) || (output && command->bit == CLI_CONVERT)
               ? "TRACE"
               : command->works;
}

const char *cli_works(char *out, size_t room, const struct cli *c, const char *option)
{
    char name[GIV_NAME], given[GIV_NAME];
    const char *rest;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(option + 2, " "), option + 2);
    snprintf(given, sizeof given, "--%.30s ", name);
    rest = strstr(c->command->works, given) ? "TRACE" : cli_rest(c->command, name);
    snprintf(out, room, "%s %s", option, rest);
    return out;
}

const char *cli_command_meant(const char *word)
{
    const char *best = NULL;
    unsigned least = cli_edits_allowed(word) + 1;

    for (size_t i = 1; i < cli_command_count; i++) {
        const unsigned edits = cli_edits(word, cli_commands[i].name);

        if (edits < least) {
            least = edits;
            best = cli_commands[i].name;
        }
    }
    return best && access(word, F_OK) != 0 ? best : NULL;
}

const char *cli_converts_to(const struct cli *c)
{
    return c->command->bit == CLI_CONVERT && c->operands > 1 && !c->archive ? c->operand[1] : NULL;
}

/* Commands that read a trace once take it from a named pipe. */
bool cli_must_save(const struct cli *c, const char *trace)
{
    const unsigned once = CLI_FILTER | CLI_INFO | CLI_CHECK | CLI_CONVERT | CLI_SIGNAL |
                          CLI_PROFILE | CLI_EFFICIENCY | CLI_COMM | CLI_WAITS;
    struct stat s;

    return trace && !(c->command->bit & once) && !c->follow.wanted && stat(trace, &s) == 0 &&
           S_ISFIFO(s.st_mode);
}
