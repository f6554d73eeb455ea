#include "report/command.h"

#include <stdio.h>
#include <stdlib.h>

char *report_command(char *out, size_t room, const struct prvcut_again *again,
                     const struct report_command *c)
{
    char *options =
        again ? again->options(again->ctx, c->name, c->without ? c->without : "") : NULL;

    snprintf(out, room, "prvcut%s%s %s%s%s%s%s", *c->name ? " " : "", c->name, c->own,
             *c->own ? " " : "", options ? options : "", c->force ? "-f " : "", c->typed);
    free(options);
    return out;
}
