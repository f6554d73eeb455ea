#include "cli.h"

#include <stdarg.h>
#include <stdio.h>

/* What is refused is told by whoever the command line was given: a command that is only tried, to
   be proposed, tells nothing (struct cli.tell). */

enum cli_exit cli_misuse(const struct cli *c, const char *works, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return c->tell ? c->tell(c, works, NULL, text) : CLI_MISUSED;
}

enum cli_exit cli_misuse_command(const struct cli *c, const char *command, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return c->tell ? c->tell(c, NULL, command, text) : CLI_MISUSED;
}
