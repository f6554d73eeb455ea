#include "session.h"

#include <stdio.h>

enum prvcut_status cli_session_open_series(struct cli_session *s,
                                           const struct prvcut_open_options *options)
{
    const struct cli *c = s->cli;
    const enum prvcut_status st = prvcut_trace_open_series(&s->trace, c->sample.series, c->metrics,
                                                           options, &s->series, &s->err);

    if (st == PRVCUT_EUSAGE || st == PRVCUT_EFORMAT)
        snprintf(s->err.instead, sizeof s->err.instead, "prvcut help %s", c->command->name);
    return st;
}

const struct cli *cli_session_with_series(const struct cli *c, struct cli *with)
{
    if (!c->sample.series || c->operands > 0)
        return c;
    *with = *c;
    with->operand = (const char **)(uintptr_t)&c->sample.series;
    with->operands = 1;
    return with;
}

const char *cli_session_metrics(const struct cli_session *s, const char *other)
{
    if (s->cli->sample.series)
        return s->series.metric;
    return s->cli->metrics ? s->cli->metrics : other;
}
