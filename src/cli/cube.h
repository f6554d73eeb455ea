#ifndef PRVCUT_CLI_CUBE_H
#define PRVCUT_CLI_CUBE_H

#include "answer.h"

/** A file for CUBE, as -o names it; PRVCUT_FILE_TEXT: it is something else. */
enum prvcut_file cli_cube_kind(const struct cli *c);

/** What looks like a suffix, and is none of those that name an answer or a file for CUBE, is
 * refused.
 */
enum cli_exit cli_cube_which(const struct cli *c);

/** The name of that file in place of an answer, with its suffix; refused where it exists. */
enum cli_exit cli_cube_start(const struct cli *c, struct cli_answer *a);

#endif
