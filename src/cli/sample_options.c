#include "sample_options.h"

#include "setters.h"

#include <stdlib.h>
#include <string.h>

#define CLUSTERS_LIMIT 64
#define LEVELS_LIMIT   99
#define LENGTH_LIMIT   10000.0
#define CLOCK_LIMIT    UINT64_C(1000000000000) /* instructions in an interval */

static bool smo_text(const char **out, const char *argument, const char *wrong, const char **why)
{
    *why = wrong;
    *out = argument;
    return *argument != '\0';
}

bool cli_set_series(struct cli *c, const char *argument, const char **why)
{
    return smo_text(&c->sample.series, argument, "is not the name of a file", why);
}

bool cli_set_clock(struct cli *c, const char *argument, const char **why)
{
    static const char word[] = "instructions";
    const bool counted = strncmp(argument, word, strlen(word)) == 0;
    const char *rest = counted ? argument + strlen(word) : "";
    char *end = NULL;

    *why = "is not time, instructions or instructions=N with N from 1 to 10^12";
    c->instructions = counted;
    c->clock_step = 0;
    if (!counted || !*rest)
        return counted || strcmp(argument, "time") == 0;
    if (rest[0] != '=' || rest[1] < '0' || rest[1] > '9')
        return false;
    c->clock_step = strtoull(rest + 1, &end, 10);
    return *end == '\0' && c->clock_step > 0 && c->clock_step <= CLOCK_LIMIT;
}

bool cli_set_choose_by(struct cli *c, const char *argument, const char **why)
{
    return smo_text(&c->sample.choose_by, argument, "is not the name of a counter", why);
}

bool cli_set_predict(struct cli *c, const char *argument, const char **why)
{
    return smo_text(&c->sample.predict, argument, "is not the name of a counter", why);
}

bool cli_set_plan(struct cli *c, const char *argument, const char **why)
{
    return smo_text(&c->sample.plan, argument, "is not a list of counters such as A,B;C", why);
}

bool cli_set_simpoints(struct cli *c, const char *argument, const char **why)
{
    return smo_text(&c->sample.simpoints, argument, "is not the beginning of names of files", why);
}

static bool smo_number(const char *argument, unsigned long most, unsigned *out)
{
    char *end;
    unsigned long n;

    if (*argument < '0' || *argument > '9')
        return false;
    n = strtoul(argument, &end, 10);
    *out = (unsigned)n;
    return *end == '\0' && n >= 1 && n <= most;
}

bool cli_set_clusters(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a number from 1 to 64";
    return smo_number(argument, CLUSTERS_LIMIT, &c->sample.clusters);
}

bool cli_set_sample_level(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a number from 1 to 99";
    return smo_number(argument, LEVELS_LIMIT, &c->sample.level);
}

/* "20%,100%" */
bool cli_set_length(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of shares of an iteration such as 20%,100%";
    c->sample.lengths = 0;
    for (const char *at = argument;; at++) {
        char *end;
        double x;

        if ((*at < '0' || *at > '9') && *at != '.')
            return false;
        x = strtod(at, &end);
        if (*end == '%')
            end++;
        if (!(x > 0 && x <= LENGTH_LIMIT) || (*end && *end != ','))
            return false;
        if (c->sample.lengths == CLI_LIST_MAX) {
            *why = "has too many numbers; the limit is 64";
            return false;
        }
        c->sample.length[c->sample.lengths++] = x / 100;
        at = end;
        if (*at == '\0')
            return true;
    }
}

/* Of a series it is a number of intervals, of a trace a time: which of them is known only later. */
bool cli_set_sample_period(struct cli *c, const char *argument, const char **why)
{
    char *end;
    const double x = strtod(argument, &end);

    c->period = argument;
    if (end > argument && *end == '\0' && x > 0)
        return true;
    return cli_is_time(c, argument, why);
}
