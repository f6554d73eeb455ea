#ifndef PRVCUT_CLI_ANSWER_H
#define PRVCUT_CLI_ANSWER_H

#include "cli.h"

#include "prvcut/signals.h"

/** How and where a command answers. */
struct cli_answer {
    enum prvcut_form form; /**< --json, --csv, -v say it */
    char *path;            /**< NULL: standard output; owned */
};

/**
 * Decide it, before anything is read: by --json and --csv, else by the suffix that -o names, else
 * `usual`. Contradictions and files that exist are refused and told.
 *
 * owns    a is initialised here, released with cli_answer_fini, also after a failure
 */
enum cli_exit cli_answer_start(const struct cli *c, enum prvcut_form usual, struct cli_answer *a);

/**
 * Give the answer, which is released; NULL counts as none. Text is kept back by --quiet, headings
 * are bold where the terminal allows it.
 */
enum cli_exit cli_answer_give(const struct cli *c, const struct cli_answer *a, char *text);

/** The same with other files beside it, two at most: of all that are files, all appear, or none. */
enum cli_exit cli_answer_give_with(const struct cli *c, const struct cli_answer *a, char *text,
                                   const struct prvcut_text *beside, size_t besides);

void cli_answer_fini(struct cli_answer *a);

#endif
