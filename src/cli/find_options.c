#include "find_options.h"

#include <stdlib.h>
#include <string.h>

bool cli_set_like(struct cli *c, const char *argument, const char **why)
{
    *why = "names nothing to look for";
    c->like = argument;
    return *argument != '\0';
}

bool cli_set_in(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a trace";
    c->search.in = argument;
    return *argument != '\0' && strcmp(argument, "-") != 0;
}

bool cli_set_find_mark(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a trace to write";
    c->search.mark = argument;
    return *argument != '\0' && strcmp(argument, "-") != 0;
}

bool cli_set_find_cut(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a cut to write";
    c->search.cut = argument;
    return *argument != '\0' && strcmp(argument, "-") != 0;
}

/* "3", "10%" */
bool cli_set_max_distance(struct cli *c, const char *argument, const char **why)
{
    char *end;
    const double number = strtod(argument, &end);

    *why = "is not a number of edits such as 3, or a share such as 10%";
    if (*argument < '0' || *argument > '9' || strpbrk(argument, "xXpP"))
        return false;
    c->search.near = true;
    c->search.by_share = strcmp(end, "%") == 0;
    if (c->search.by_share) {
        c->search.share = number / 100;
        *why = "leaves nothing that is not found; below 100%";
        return number < 100;
    }
    c->search.edits = (uint64_t)number;
    return *end == '\0' && number < 1e9 && (double)c->search.edits == number;
}
