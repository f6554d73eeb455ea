#include "predict_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES_LIMIT 1000000000ul

/* "16,32" */
static bool prs_list(struct cli_processes *list, const char *argument, const char **why)
{
    *why = "is not a list of numbers of processes such as 16,32";
    list->count = 0;
    for (const char *at = argument;; at++) {
        char *end;
        unsigned long n;

        if (*at < '0' || *at > '9')
            return false;
        errno = 0;
        n = strtoul(at, &end, 10);
        if (errno != 0 || n < 1 || n > PROCESSES_LIMIT || (*end && *end != ','))
            return false;
        if (list->count == CLI_LIST_MAX) {
            *why = "has too many numbers; the limit is 64";
            return false;
        }
        list->at[list->count++] = (uint32_t)n;
        at = end;
        if (*at == '\0')
            return true;
    }
}

bool cli_set_processes(struct cli *c, const char *argument, const char **why)
{
    return prs_list(&c->processes, argument, why);
}

bool cli_set_from_runs(struct cli *c, const char *argument, const char **why)
{
    return prs_list(&c->from_runs, argument, why);
}

bool cli_set_fit(struct cli *c, const char *argument, const char **why)
{
    *why = "is not loglinear, semilog, power or linear";
    for (enum prvcut_fit f = PRVCUT_FIT_LOGLINEAR; f <= PRVCUT_FIT_LINEAR; f++)
        if (strcmp(prvcut_fit_text(f), argument) == 0) {
            c->fit = f;
            return true;
        }
    return false;
}

bool cli_set_confidence(struct cli *c, const char *argument, const char **why)
{
    char *end;

    *why = "is not between 0 and 1, such as 0.95";
    if (*argument != '0' && *argument != '.')
        return false;
    c->confidence = strtod(argument, &end);
    return *end == '\0' && c->confidence > 0 && c->confidence < 1;
}
