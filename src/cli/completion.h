#ifndef PRVCUT_CLI_COMPLETION_H
#define PRVCUT_CLI_COMPLETION_H

#include "options.h"

/** What may stand for an option's argument. */
enum cmp_kind { CMP_NOTHING, CMP_WORDS, CMP_FILE, CMP_FORMAT, CMP_METRIC, CMP_LIST, CMP_ROLE };

/** Longest list of words, such as the names of all metrics. */
#define CMP_ROOM 1024

/** The kind of an argument as the help calls it; NULL where the option takes none. */
enum cmp_kind cmp_kind(const char *argument);

/**
 * The words that may stand for this row's argument, separated by blanks; "" where there are none.
 * Rows of one name may have different ones. out has CMP_ROOM bytes; returns it.
 */
char *cmp_words(char *out, const struct cli_option *option);

/** How names of traces end, without the first point: "prv|prv.gz|otf2", between as given. */
void cmp_put_suffixes(const char *between);

/** The name that a command's program has, too. */
extern const char cmp_alias[];

/** Takes a trace; what else it takes is another file. */
bool cmp_takes_trace(const struct cli_command *command);
bool cmp_takes_second(const struct cli_command *command);

/** True where several of the words may stand, with commas between. */
bool cmp_is_list(const struct cli_option *option);

/** True for the first row of its name: rows of one name differ in commands, help and words only. */
bool cmp_first(size_t row);

/** Print the names of all commands. */
void cmp_put_commands(const char *between);

/** Print all options whose argument is the next word, in all their forms: "--output", "-o". */
void cmp_put_demanding(const char *between);

/** Print what makes a shell ("bash", "zsh", "fish") complete command lines; false: no such shell.
 */
bool cli_completion(const char *shell);

/** The shells, separated by blanks. */
extern const char cli_shells[];

/** What 'prvcut help' explains beside commands, separated by blanks. */
extern const char cmp_topics[];

void cmp_bash(void);
void cmp_zsh(void);
void cmp_fish(void);

#endif
