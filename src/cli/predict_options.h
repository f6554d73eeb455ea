#ifndef PRVCUT_CLI_PREDICT_OPTIONS_H
#define PRVCUT_CLI_PREDICT_OPTIONS_H

#include "cli.h"

/* What stores the options of 'prvcut predict'; as setters.h. */

bool cli_set_processes(struct cli *c, const char *argument, const char **why);
bool cli_set_from_runs(struct cli *c, const char *argument, const char **why);
bool cli_set_fit(struct cli *c, const char *argument, const char **why);
bool cli_set_confidence(struct cli *c, const char *argument, const char **why);

#endif
