#ifndef PRVCUT_CLI_FIND_OPTIONS_H
#define PRVCUT_CLI_FIND_OPTIONS_H

#include "cli.h"

/** Setters of what is looked for, as those of setters.h. */
bool cli_set_like(struct cli *c, const char *argument, const char **why);
bool cli_set_in(struct cli *c, const char *argument, const char **why);
bool cli_set_find_mark(struct cli *c, const char *argument, const char **why);
bool cli_set_find_cut(struct cli *c, const char *argument, const char **why);
bool cli_set_max_distance(struct cli *c, const char *argument, const char **why);

#endif
