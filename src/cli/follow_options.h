#ifndef PRVCUT_CLI_FOLLOW_OPTIONS_H
#define PRVCUT_CLI_FOLLOW_OPTIONS_H

#include "cli.h"

/** Setters of how a growing trace is followed, as those of setters.h. */
bool cli_set_idle(struct cli *c, const char *argument, const char **why);
bool cli_set_pid(struct cli *c, const char *argument, const char **why);
bool cli_set_spool(struct cli *c, const char *argument, const char **why);

/** The options that tell how a trace is followed, which only one that is followed takes; ends with
    NULL. */
extern const char *const cli_follow_only[];

#endif
