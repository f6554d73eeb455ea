#include "operands.h"

#include "options.h"
#include "remedy.h"
#include "suggest.h"
#include "tokens.h"

#include <string.h>
#include <unistd.h>

/* "prvcut reduce a.prv": a word that other programs have as a command. */
static bool opd_is_no_command(const struct cli *c)
{
    return c->command->bit == CLI_REDUCE && c->operands == 2 && !strchr(c->operand[0], '/') &&
           !strchr(c->operand[0], '.') && access(c->operand[0], F_OK) != 0 &&
           access(c->operand[1], F_OK) == 0;
}

/* An archive is made of a trace first. */
static enum cli_exit opd_no_archive(const struct cli *c)
{
    struct cli making = *c;

    if (cli_remedy_trace(true))
        return cli_misuse(c, c->command->works, "which archive?");
    if (!cli_remedy_trace(false))
        return cli_misuse_command(c, "prvcut help verify", "which archive?");
    making.command = &cli_commands[0];
    return cli_misuse_command(&making, "prvcut --archive small.tar.zst TRACE", "which archive?");
}

static enum cli_exit opd_no_trace(const struct cli *c)
{
    if (c->command->bit == CLI_VERIFY)
        return opd_no_archive(c);
    if (c->command->bit == CLI_CSV && cli_remedy_trace(false) && access("useful.csv", F_OK) != 0)
        return cli_misuse_command(c, "prvcut mark TRACE", "which trace, and which timeline of it?");
    if (c->command->bit == CLI_PREDICT)
        return cli_misuse_command(c, "prvcut help predict",
                                  "which runs? Name traces, or tables of factors");
    return cli_misuse(c, c->command->works, "which trace?");
}

/* Times are often typed as they are read, with a blank. */
static enum cli_exit opd_time_apart(const struct cli *c)
{
    struct cli_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct cli_token t;

    while (cli_token_next(&at, &t) != CLI_TOKEN_END) {
        const char *unit = cli_time_apart(&t, &at);

        if (unit)
            return cli_misuse(c, NULL, "%s %.40s %s: a time is one word, %.40s%s", t.text,
                              t.argument, unit, t.argument, unit);
    }
    return CLI_DONE;
}

static enum cli_exit opd_two_traces(const struct cli *c)
{
    return cli_misuse(c, c->command->works,
                      "two traces were given, '%.200s' and '%.200s'; which one?", c->operand[0],
                      c->operand[1]);
}

enum cli_exit cli_operands(const struct cli *c)
{
    const unsigned command = c->command->bit;
    const enum cli_exit slip = cli_slip(c);
    enum cli_exit dashed = CLI_DONE, apart;

    if (slip != CLI_DONE)
        return slip;
    if (c->operands == 0 || (command == CLI_CONVERT && access(c->operand[0], F_OK) != 0))
        dashed = cli_dashed(c);
    if (dashed != CLI_DONE)
        return dashed;
    if (opd_is_no_command(c))
        return cli_misuse(c, NULL, "no command '%.200s'", c->operand[0]);
    if (c->operands == 0 && c->sample.series)
        return CLI_DONE;
    if (c->sample.series && c->operand[0] != c->sample.series) {
        char works[40];

        snprintf(works, sizeof works, "prvcut help %s", c->command->name);
        return cli_misuse_command(c, works, "a trace or a series: which one?");
    }
    if (c->operands == 0)
        return opd_no_trace(c);
    if (!*c->operand[0])
        return cli_misuse(c, NULL, "the name of the trace is empty");
    if (c->operands > 1 && (apart = opd_time_apart(c)) != CLI_DONE)
        return apart;
    if (command == CLI_CSV && c->operands != 2 && c->operands != 3)
        return cli_misuse_command(
            c, "prvcut mark TRACE",
            "'prvcut csv-analysis' takes a trace, its timeline and, if you like, "
            "how many iterations to show");
    if (command == CLI_CONVERT && c->operands == 1)
        return cli_misuse(c, c->command->works, "convert '%.200s' to what?", c->operand[0]);
    if (command == CLI_CONVERT && c->operands > 2)
        return cli_misuse(c, c->command->works, "one trace and one output: '%.200s' is too much",
                          c->operand[2]);
    if (command == CLI_SQL && c->operands == 1)
        return cli_misuse(c, c->command->works, "ask '%.200s' what?", c->operand[0]);
    if (command == CLI_SQL && c->operands > 2)
        return cli_misuse(c, c->command->works,
                          "one trace and one question, in quotes: '%.200s' is too much",
                          c->operand[2]);
    if (command == CLI_DIFF && c->operands == 1)
        return cli_misuse(c, c->command->works, "compare '%.200s' with what?", c->operand[0]);
    if (command == CLI_DIFF && c->operands > 2)
        return cli_misuse(c, c->command->works, "two traces are compared: '%.200s' is too much",
                          c->operand[2]);
    if (c->operands > 1 && !(command & (CLI_CONVERT | CLI_CSV | CLI_DIFF | CLI_PREDICT |
                                        CLI_EFFICIENCY | CLI_SQL | CLI_ARCHIVE)))
        return opd_two_traces(c);
    return CLI_DONE;
}
