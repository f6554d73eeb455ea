#ifndef PRVCUT_CLI_SQL_OPTIONS_H
#define PRVCUT_CLI_SQL_OPTIONS_H

#include "cli.h"

/** Setters of questions, as those of setters.h. */
bool cli_set_rows(struct cli *c, const char *argument, const char **why);
bool cli_set_time_limit(struct cli *c, const char *argument, const char **why);

#endif
