#ifndef PRVCUT_CLI_QUOTE_H
#define PRVCUT_CLI_QUOTE_H

#include <stddef.h>

/**
 * A word as a shell takes it: in quotes where it would take it apart; control characters become
 * '?'. out has room for four times the word and 4; returns how many bytes, without an end.
 */
size_t cli_quote(char *out, const char *word);

#endif
