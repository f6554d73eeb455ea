#include "follow_options.h"

#include "setters.h"

#include <stdlib.h>
#include <string.h>

/* A number of processes of any system ends there: 2^31 - 1. */
#define FOO_PID_MOST 2147483647

const char *const cli_follow_only[] = { "until-found", "idle", "pid", "spool", NULL };

bool cli_set_idle(struct cli *c, const char *argument, const char **why)
{
    return cli_seconds_of(argument, &c->follow.idle, why);
}

bool cli_set_pid(struct cli *c, const char *argument, const char **why)
{
    char *end;

    *why = "is not the number of a process";
    if (*argument < '1' || *argument > '9')
        return false;
    c->follow.pid = strtoll(argument, &end, 10);
    return *end == '\0' && c->follow.pid <= FOO_PID_MOST;
}

bool cli_set_spool(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a size such as 500MB or 4GB";
    return cli_size_of(argument, &c->follow.spool, why) && c->follow.spool > 0;
}
