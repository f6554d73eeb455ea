#include "sql_options.h"

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
    static const struct {
        const char *name;
        double seconds;
    } units[] = { { "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "h", 3600 } };
    char *end;
    const double n = strtod(argument, &end);

    *why = "is not a time such as 500ms, 10s or 5min";
    if (*argument < '0' || *argument > '9' || strpbrk(argument, "xXpP"))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            c->sql.seconds = n * units[i].seconds;
    return c->sql.seconds > 0;
}
