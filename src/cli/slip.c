#include "options.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The command that was meant, with the file that was named; where none was, its help. */
static enum cli_exit slip_refuse(const struct cli *c, const char *meant)
{
    struct cli other = *c;
    char works[40];

    other.command = cli_command_find(meant);
    other.slip = c->operand[0];
    other.meant = meant;
    snprintf(works, sizeof works, "prvcut help %s", meant);
    if (c->operands > 1)
        return cli_misuse(&other, NULL, "no command '%.200s'; did you mean '%s'?", c->operand[0],
                          meant);
    return cli_misuse_command(c, works, "no command '%.200s'; did you mean '%s'?", c->operand[0],
                              meant);
}

enum cli_exit cli_slip(const struct cli *c)
{
    const char *meant =
        c->operands > 0 && c->command->bit == CLI_REDUCE ? cli_command_meant(c->operand[0]) : NULL;

    return meant ? slip_refuse(c, meant) : CLI_DONE;
}

enum cli_exit cli_dashed(const struct cli *c)
{
    struct cli meant = *c;
    char file[1024];

    for (int i = 1; i < c->argc && strcmp(c->argv[i], "--") != 0; i++) {
        const char *word = c->argv[i];

        if (word[0] != '-' || word[1] == '\0' || access(word, F_OK) != 0 ||
            snprintf(file, sizeof file, "./%s", word) >= (int)sizeof file)
            continue;
        meant.slip = word;
        meant.meant = file;
        return cli_misuse(&meant, NULL,
                          "the file '%.200s' is taken for options: it begins with '-'", word);
    }
    return CLI_DONE;
}
