#include "patterns_options.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS_LIMIT 99

bool cli_set_symbols(struct cli *c, const char *argument, const char **why)
{
    *why = "is none of auto, call, partner, size, site and all";
    for (unsigned i = 0; prvcut_symbols_text((enum prvcut_symbols)i); i++)
        if (strcmp(argument, prvcut_symbols_text((enum prvcut_symbols)i)) == 0) {
            c->patterns.symbols = (enum prvcut_symbols)i;
            return true;
        }
    return false;
}

bool cli_set_tolerant(struct cli *c, const char *argument, const char **why)
{
    *why = "is none of auto, never and always";
    for (unsigned i = 0; prvcut_tolerant_text((enum prvcut_tolerant)i); i++)
        if (strcmp(argument, prvcut_tolerant_text((enum prvcut_tolerant)i)) == 0) {
            c->patterns.tolerant = (enum prvcut_tolerant)i;
            return true;
        }
    return false;
}

bool cli_set_of(struct cli *c, const char *argument, const char **why)
{
    struct prvcut_error err = { 0 };

    *why = "is not a list of mpi, openmp, pthread and function";
    return prvcut_patterns_kinds(argument, &c->patterns.of, &err) == PRVCUT_OK;
}

bool cli_set_filtered(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a trace to write";
    c->patterns.filtered = argument;
    return *argument != '\0';
}

bool cli_set_patterns_level(struct cli *c, const char *argument, const char **why)
{
    char *end;
    unsigned long n;

    *why = "is not a number from 1 to 99";
    if (*argument < '0' || *argument > '9')
        return false;
    n = strtoul(argument, &end, 10);
    c->patterns.level = (unsigned)n;
    return *end == '\0' && n >= 1 && n <= LEVELS_LIMIT;
}

bool cli_set_min_length(struct cli *c, const char *argument, const char **why)
{
    char *end;
    unsigned long n;

    *why = "is not a number of calls from 1 to 1000000";
    if (*argument < '0' || *argument > '9')
        return false;
    n = strtoul(argument, &end, 10);
    c->patterns.least_length = (uint32_t)n;
    return *end == '\0' && n >= 1 && n <= 1000000;
}
