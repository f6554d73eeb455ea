#ifndef PRVCUT_CLI_QUOTE_H
#define PRVCUT_CLI_QUOTE_H

#include <stddef.h>

/**
 * A word as a shell takes it: in quotes where it would take it apart; control characters become
 * '?'. out has room for four times the word and 4; returns how many bytes, without an end.
 */
size_t cli_quote(char *out, const char *word);

/**
 * What was typed, with another word in place of one of its words, or of the end of one behind '=';
 * out stays as it is where that word is not there, or there is no room.
 */
void cli_put_typed(char *out, size_t room, const char *typed, const char *word, const char *other);

#endif
