#ifndef PRVCUT_CLI_PATTERNS_OPTIONS_H
#define PRVCUT_CLI_PATTERNS_OPTIONS_H

#include "cli.h"

/* What stores the options of 'prvcut patterns'; as setters.h. */

bool cli_set_symbols(struct cli *c, const char *argument, const char **why);
bool cli_set_tolerant(struct cli *c, const char *argument, const char **why);
bool cli_set_of(struct cli *c, const char *argument, const char **why);
bool cli_set_filtered(struct cli *c, const char *argument, const char **why);
bool cli_set_patterns_level(struct cli *c, const char *argument, const char **why);
bool cli_set_min_length(struct cli *c, const char *argument, const char **why);

#endif
