#ifndef PRVCUT_CLI_COMPLETION_H
#define PRVCUT_CLI_COMPLETION_H

#include "cli.h"

/** What may stand for an option's argument. */
enum cmp_kind { CMP_NOTHING, CMP_WORDS, CMP_FILE, CMP_FORMAT, CMP_METRIC };

/** Longest list of words, such as the names of all metrics. */
#define CMP_ROOM 1024

/** The kind of an argument as the help calls it; NULL where the option takes none. */
enum cmp_kind cmp_kind(const char *argument);

/**
 * The words that may stand for such an argument, separated by blanks; "" where there are none.
 * out has CMP_ROOM bytes; returns it.
 */
char *cmp_words(char *out, const char *argument);

/** Print what makes a shell ("bash", "zsh", "fish") complete command lines; false: no such shell.
 */
bool cli_completion(const char *shell);

/** The shells, separated by blanks. */
extern const char cli_shells[];

void cmp_bash(void);
void cmp_zsh(void);
void cmp_fish(void);

#endif
