#ifndef PRVCUT_CLI_OPTIONS_H
#define PRVCUT_CLI_OPTIONS_H

#include "cli.h"

/** What of the output an option decides. What shows in it belongs to its provenance; a command that
    does the same once more needs both. */
enum cli_shapes {
    CLI_NOTHING, /**< false in the table */
    CLI_CONTENT, /**< true */
    CLI_PLACE,   /**< where and how it is written */
};

/**
 * One option. The table of these is the only place that knows an option: the parser, the help
 * and the test of the manual page read it.
 */
struct cli_option {
    const char *name; /**< without the dashes */
    char letter;      /**< short form; 0 where there is none */
    /** What the help calls its argument; NULL where it takes none; "[=x]": may be left out. */
    const char *argument;
    unsigned commands; /**< who takes it */
    const char *help;  /**< one line, its default in brackets */
    /** Store it; *why, where it returns false, goes on behind the argument: "is not ...". */
    bool (*set)(struct cli *c, const char *argument, const char **why);
    size_t flag;            /**< where set is NULL: offset in struct cli of what becomes true */
    enum cli_shapes shapes; /**< what of the output it decides */
    const char *example;    /**< an argument that works; NULL where it takes none */
};

extern const struct cli_option cli_options[];
extern const size_t cli_option_count;

/** An argument must follow; else it can only be attached by '='. */
bool cli_option_demands(const struct cli_option *option);

/**
 * A variable of the environment sets a default: an option wins, and a bad value is told as a
 * warning only.
 */
struct cli_variable {
    const char *name;
    const char *argument; /**< what it is set to, as the help calls it */
    const char *help;     /**< one line */
    bool (*set)(struct cli *c, const char *value, const char **why);
};

extern const struct cli_variable cli_variables[];
extern const size_t cli_variable_count;

/**
 * Read the environment and the command line; what they say goes into c, which holds defaults.
 *
 * Options stand before or after operands, `--` ends them. The first operand before `--` that
 * names a command is that command. Misuse is reported on standard error.
 */
enum cli_exit cli_parse(struct cli *c, int argc, char **argv);

/** Refuse a first word that is no file and almost the name of a command. */
enum cli_exit cli_slip(const struct cli *c);

/** Refuse a file that is taken for options, as its name begins with a dash. */
enum cli_exit cli_dashed(const struct cli *c);

/** The command that is meant by a word which is no file and almost its name; NULL: none is. */
const char *cli_command_meant(const char *word);

/** The option of the command that is meant by one that it has not, such as "--iteratoins"; NULL:
    nobody knows. */
const struct cli_option *cli_option_meant(const struct cli *c, const char *typed);

/** What stands behind that option in the fewest arguments that work. */
const char *cli_rest(const struct cli_command *command, const char *option);

/** Does that option stand on the command line? */
bool cli_given(const struct cli *c, const char *name);

/**
 * The fewest arguments of the command that work with that option among them ("--region 1.1"), in
 * out; returns out.
 */
const char *cli_works(char *out, size_t room, const struct cli *c, const char *option);

/**
 * The options on the command line that decide what another command finds and writes, too: its own
 * of the same names, as far as they shape its answer. Shape, owner: as struct prvcut_again has it;
 * ctx is a struct cli.
 */
char *cli_again(const void *ctx, const char *command, const char *without);

/** Release what parsing allocated. */
void cli_fini(struct cli *c);

#endif
