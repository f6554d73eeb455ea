#ifndef PRVCUT_CLI_TOKENS_H
#define PRVCUT_CLI_TOKENS_H

#include "options.h"

/** A place in the command line. */
struct cli_cursor {
    int argc, next;
    char **argv;
    const char *letters; /* rest of a group of short options, such as "f" of -nf */
    bool plain;          /* `--` was seen */
};

enum cli_token_kind {
    CLI_TOKEN_END,
    CLI_TOKEN_OPERAND,
    CLI_TOKEN_OPTION,
    CLI_TOKEN_UNKNOWN,
    CLI_TOKEN_NO_ARGUMENT,
    CLI_TOKEN_ARGUMENT
};

/** One thing of the command line. */
struct cli_token {
    enum cli_token_kind kind;
    const struct cli_option *option; /* any row of that name */
    char text[64];                   /* the option as it was typed, cut short */
    const char *argument;            /* or the operand */
};

/** The next thing of the command line; what stands behind `--` is an operand. */
enum cli_token_kind cli_token_next(struct cli_cursor *at, struct cli_token *t);

/** The unit of a time that stands behind its number as a word of its own ("--from 10 ms"), the next
    word; NULL: it does not. */
const char *cli_time_apart(const struct cli_token *t, const struct cli_cursor *at);

/** The row of the same name that the command takes; NULL where it does not take it. */
const struct cli_option *cli_option_of(const struct cli_option *option, unsigned command);

#endif
