#ifndef PRVCUT_CLI_H
#define PRVCUT_CLI_H

#include "prvcut/convert.h"
#include "prvcut/inspect.h"
#include "prvcut/reduce.h"
#include "prvcut/signals.h"
#include "prvcut/trace.h"

#include <stdio.h>

/** Exit status of the program. */
enum cli_exit {
    CLI_DONE = 0,
    CLI_FAILED = 1,  /**< input or output refused, out of memory, interrupted */
    CLI_MISUSED = 2, /**< wrong usage */
    CLI_DAMAGED = 3, /**< the input is damaged or not a trace */
    CLI_NO_LOOP = 4, /**< a sound trace without periodic structure */
};

/** Commands, as bits: which command takes which option. */
enum cli_commands {
    CLI_REDUCE = 1u << 0,
    CLI_CUT = 1u << 1,
    CLI_INFO = 1u << 2,
    CLI_CHECK = 1u << 3,
    CLI_SIGNAL = 1u << 4,
    CLI_HELP = 1u << 5,
    CLI_CONVERT = 1u << 6,
    CLI_FORMATS = 1u << 7,
    CLI_WORK = CLI_REDUCE | CLI_CUT | CLI_INFO | CLI_CHECK | CLI_SIGNAL | CLI_CONVERT,
};

enum cli_help { CLI_HELP_NONE, CLI_HELP_SHORT, CLI_HELP_FULL, CLI_HELP_VERSION };
enum cli_when { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };

/** Everything the command line says; texts are borrowed from argv. */
struct cli {
    const struct cli_command *command;
    char **operand; /**< [operands]; owned array of borrowed texts */
    int operands;
    const char **role; /**< NULL-ended; owned array of borrowed texts; NULL where none was given */
    size_t roles;
    char *provenance; /**< the command line as a shell would take it; owned */
    unsigned iterations;
    size_t bins;
    int threads;
    const char *metrics, *from, *to, *period, *output, *compress, *align, *format, *tasks;
    enum cli_when progress;
    enum cli_help help;
    bool keep_time, keep_messages, json, dry_run, force, lenient, quiet, verbose;
    bool raw_clocks, align_clocks, all_definitions, strict;
};

/** A command: what it is called, what it takes, what it does. */
struct cli_command {
    const char *name; /**< "" for the one that runs when none is named */
    unsigned bit;
    const char *synopsis; /**< how to call it, without the operands */
    const char *operands; /**< what follows the options */
    const char *summary;  /**< one line */
    const char *about;    /**< further lines for its help */
    enum cli_exit (*run)(struct cli *c);
};

/** The first one is what runs when no command is named. */
extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;

/** The command of that name; NULL where there is none. */
const struct cli_command *cli_command_find(const char *name);

/** What the command line asks for in place of work: --help, -h, --version. */
enum cli_exit cli_help_asked(const struct cli *c);

/** The short usage of the whole program, for whoever gave no argument at all. */
void cli_usage(FILE *to);

/** Report a misuse on standard error, with the usage and a pointer to the right help. */
enum cli_exit cli_misuse(const struct cli *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Report a failed call on standard error. */
enum cli_exit cli_failed(enum prvcut_status st, const struct prvcut_error *err);

/** Print data on standard output; a reader that went away is not worth a word. */
enum cli_exit cli_print(const char *text);

/** As cli_print, with the headings in bold where a terminal shows them. */
enum cli_exit cli_print_report(const char *text);

/** True once the user asked to stop. */
bool cli_stopped(void);

enum cli_exit cli_reduce(struct cli *c);
enum cli_exit cli_cut(struct cli *c);
enum cli_exit cli_info(struct cli *c);
enum cli_exit cli_check(struct cli *c);
enum cli_exit cli_signal(struct cli *c);
enum cli_exit cli_convert(struct cli *c);
enum cli_exit cli_formats(struct cli *c);
enum cli_exit cli_help(struct cli *c);

#endif
