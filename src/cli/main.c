#include "heap.h"
#include "options.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The command that the program is called by the name of, as Paraver calls it; NULL: none. */
static char *main_alias(const char *program)
{
    static char command[] = "csv-analysis";
    const char *slash = program ? strrchr(program, '/') : NULL;
    const char *name = slash ? slash + 1 : program;

    /* As of late, and as older ones do. */
    if (name && (strcmp(name, command) == 0 || strcmp(name, "spectral-csv-analysis") == 0))
        return command;
    return NULL;
}

static bool main_is_pipe(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISFIFO(s.st_mode);
}

/* Ranks that share the reading: all go the same way, and one of them writes. */
static enum cli_exit main_share(struct cli *c)
{
    if (!c->exchange)
        return CLI_DONE;
    if (!cli_team_takes(c->command) || c->follow.wanted)
        return cli_misuse_command(
            c, c->typed, "ranks cannot share '%s', %s; run it with prvcut alone",
            c->follow.wanted ? "--follow" : c->command->name,
            c->follow.wanted ? "which reads what is not there yet" : cli_team_why(c->command));
    if (!(c->command->bit & CLI_REDUCE) && c->operands > 0 && main_is_pipe(c->operand[0]))
        return cli_misuse_command(
            c, c->typed,
            "ranks cannot share '%.200s', a pipe: each would take a part of it; run "
            "it with prvcut alone",
            c->operand[0]);
    if (c->exchange->rank > 0)
        c->second = c->dry_run = c->force = true;
    return CLI_DONE;
}

/* Ranks that do not all do the same would wait for each other; rank 0 says so. */
static enum cli_exit main_unlike(const struct cli *c, const struct cli_team_other *other)
{
    return other->words
               ? cli_misuse_command(c, c->typed,
                                    "the ranks were started with different commands: rank 0 with "
                                    "'prvcut-mpi%.300s', rank %u with 'prvcut-mpi%.300s'",
                                    c->typed + strlen("prvcut"), other->rank, other->words)
               : CLI_MISUSED;
}

static int main_run(int argc, char **argv, const struct prvcut_exchange *x)
{
    struct cli c = { .bins = 1000, .log = CLI_WARNINGS, .exchange = x, .tell = cli_misuse_tell };
    struct cli_team_other other;
    enum cli_exit e, agree;

    agree = cli_team_agrees(&other, argc, argv, x);
    if (agree == CLI_FAILED)
        return agree;
    if (argc < 2) {
        cli_usage(stderr);
        free(other.words);
        return CLI_MISUSED;
    }
    cli_catch_signals();
    e = cli_parse(&c, argc, argv);
    if (e == CLI_DONE && agree != CLI_DONE)
        e = main_unlike(&c, &other);
    free(other.words);
    if (e == CLI_DONE && c.help != CLI_HELP_NONE)
        e = cli_help_asked(&c);
    else if (e == CLI_DONE && (e = main_share(&c)) == CLI_DONE)
        e = c.command->run(&c);
    cli_fini(&c);
    return (int)e;
}

int cli_main(int argc, char **argv, const struct prvcut_exchange *x)
{
    char *alias = main_alias(argc > 0 ? argv[0] : NULL);
    char **words;
    int status;

    cli_heap_settle();
    if (!alias)
        return main_run(argc, argv, x);
    words = cli_room(((size_t)argc + 2) * sizeof *words);
    if (!words) {
        fputs("prvcut: out of memory\n", stderr);
        return CLI_FAILED;
    }
    words[0] = argv[0];
    words[1] = alias;
    for (int i = 1; i <= argc; i++)
        words[i + 1] = argv[i];
    status = main_run(argc + 1, words, x);
    free(words);
    return status;
}
