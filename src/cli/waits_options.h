#ifndef PRVCUT_CLI_WAITS_OPTIONS_H
#define PRVCUT_CLI_WAITS_OPTIONS_H

#include "cli.h"

/* What stores the options of 'prvcut waits'; as setters.h. */

bool cli_set_waits_by(struct cli *c, const char *argument, const char **why);
bool cli_set_waits_clocks(struct cli *c, const char *argument, const char **why);

#endif
