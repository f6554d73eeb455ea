#include "session.h"

#include <stdlib.h>
#include <string.h>

bool cli_several_regions(const struct cli *c)
{
    return c->region && (strcmp(c->region, "all") == 0 || strpbrk(c->region, ",-"));
}

const char *cli_first_region(char out[80], const struct cli *c)
{
    const char *region = strcmp(c->region, "all") == 0 ? "longest" : c->region;

    snprintf(out, 80, "--region %.*s TRACE", (int)strcspn(region, ",-"), region);
    return out;
}

enum cli_exit cli_one_selection(const struct cli *c)
{
    char works[80];

    if (cli_several_regions(c))
        return cli_misuse(c, cli_first_region(works, c),
                          "--region: '%.100s' names several; which one?", c->region);
    return CLI_DONE;
}

unsigned cli_deepest_region(const struct cli *c)
{
    unsigned deepest = 1;

    for (const char *at = c->region; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ".") < strcspn(at, ",") && strtoul(at, NULL, 10) > deepest)
            deepest = (unsigned)strtoul(at, NULL, 10);
    return deepest;
}
