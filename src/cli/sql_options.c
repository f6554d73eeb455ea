#include "sql_options.h"

#include "setters.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_LIMIT 1e9

bool cli_set_rows(struct cli *c, const char *argument, const char **why)
{
    char *end;
    const double n = strtod(argument, &end);

    *why = "is not a number from 1 to 1000000000";
    if (argument[strspn(argument, "0123456789")] != '\0' || n < 1 || n > ROWS_LIMIT)
        return false;
    c->sql.rows = (uint64_t)n;
    return true;
}

bool cli_set_time_limit(struct cli *c, const char *argument, const char **why)
{
    return cli_seconds_of(argument, &c->seconds, why);
}
