#include "session.h"

#include <stdio.h>
#include <string.h>

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

enum cli_exit cli_session_clock(struct cli_session *s)
{
    const struct cli *c = s->cli;
    struct prvcut_trace *made = NULL;
    struct prvcut_clock_told told;
    enum prvcut_status st;
    enum cli_exit e;
    char help[40];

    snprintf(help, sizeof help, "prvcut help %s", c->command->name);
    if (c->sample.series && c->metrics && strcmp(c->metrics, "ipc") != 0)
        return cli_misuse_command(c, help,
                                  "--clock and --metric '%.60s': of a series only ipc is counted "
                                  "by instructions",
                                  c->metrics);
    st = prvcut_trace_open_instructions(&made, s->trace, &s->run, c->clock_step, c->metrics, &told,
                                        &s->err);
    if (st == PRVCUT_EUSAGE && (c->sample.series || !s->err.instead[0]))
        snprintf(s->err.instead, sizeof s->err.instead, "%s", help);
    e = cli_session_outcome(s, st);
    if (e != CLI_DONE)
        return e;
    s->trace = made;
    s->series.metric = told.metric;
    if (!c->quiet)
        cli_warn(c, "times count instructions of all threads: 1ns is one, an interval has %llu",
                 (unsigned long long)told.step);
    return CLI_DONE;
}

const char *cli_session_metrics(const struct cli_session *s, const char *other)
{
    if (s->series.metric)
        return s->series.metric;
    return s->cli->metrics ? s->cli->metrics : other;
}

enum cli_exit cli_session_timeline(struct cli_session *s)
{
    const struct cli *c = s->cli;
    struct prvcut_signals *own = NULL;
    enum cli_exit e;

    if (!c->timeline)
        return CLI_DONE;
    e = cli_session_outcome(s, prvcut_signals_of_paraver(s->trace, c->timeline, &own, &s->err));
    if (e == CLI_DONE && prvcut_signals_at(own, 0)->note)
        cli_warn(c, "%s: %s", c->timeline, prvcut_signals_at(own, 0)->note);
    if (e == CLI_DONE)
        e = cli_session_outcome(
            s, prvcut_trace_add_signal(s->trace, prvcut_signals_at(own, 0), &s->err));
    prvcut_signals_free(own);
    return e;
}
