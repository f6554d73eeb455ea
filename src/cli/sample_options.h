#ifndef PRVCUT_CLI_SAMPLE_OPTIONS_H
#define PRVCUT_CLI_SAMPLE_OPTIONS_H

#include "cli.h"

/* What stores the options of 'prvcut sample', and of series elsewhere; as setters.h. */

bool cli_set_series(struct cli *c, const char *argument, const char **why);
bool cli_set_clock(struct cli *c, const char *argument, const char **why);
bool cli_set_choose_by(struct cli *c, const char *argument, const char **why);
bool cli_set_predict(struct cli *c, const char *argument, const char **why);
bool cli_set_clusters(struct cli *c, const char *argument, const char **why);
bool cli_set_length(struct cli *c, const char *argument, const char **why);
bool cli_set_plan(struct cli *c, const char *argument, const char **why);
bool cli_set_simpoints(struct cli *c, const char *argument, const char **why);
bool cli_set_sample_period(struct cli *c, const char *argument, const char **why);
bool cli_set_sample_level(struct cli *c, const char *argument, const char **why);

#endif
