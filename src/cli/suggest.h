#ifndef PRVCUT_CLI_SUGGEST_H
#define PRVCUT_CLI_SUGGEST_H

/**
 * Edits (insert, drop, replace, swap neighbours) that turn one word into the other; a large
 * number where a word is longer than any that could be meant.
 */
unsigned cli_edits(const char *a, const char *b);

/** How many edits still make a slip of the finger in a word as long as this one. */
unsigned cli_edits_allowed(const char *word);

#endif
