#include "session.h"

#include <stdlib.h>

static enum cli_exit red_options(struct cli_session *s, struct prvcut_reduce_options *o)
{
    const struct cli *c = s->cli;
    enum cli_exit e = cli_session_span(s, &o->only);

    if (e == CLI_DONE && c->period)
        e = cli_session_outcome(
            s, prvcut_time_parse(c->period, prvcut_trace_end(s->trace), &o->period_ns, &s->err));
    if (e == CLI_DONE && c->period && o->period_ns == 0)
        e = cli_misuse(c, "a period of nothing: --period %.200s", c->period);
    return e;
}

static enum cli_exit red_report(struct cli_session *s, const struct prvcut_reduction *r)
{
    const struct cli *c = s->cli;
    enum cli_exit e = CLI_DONE;
    char *text = NULL;

    if (c->json)
        e = cli_session_outcome(s, prvcut_reduction_json(r, &text, &s->err));
    else if (!c->quiet)
        e = cli_session_outcome(s, prvcut_reduction_text(r, &text, &s->err));
    if (e == CLI_DONE && text)
        e = c->json ? cli_print(text) : cli_print_report(text);
    free(text);
    return e;
}

static enum cli_exit red_run(struct cli_session *s, const struct prvcut_reduce_options *o)
{
    struct prvcut_reduction r = { 0 };
    const enum prvcut_status st = prvcut_reduce(s->trace, &s->run, o, &r, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = red_report(s, &r);
    if (e == CLI_DONE && st == PRVCUT_END) {
        e = CLI_NO_LOOP;
        if (s->cli->quiet)
            fprintf(stderr, "prvcut: no periodic structure: %s\n", r.reason ? r.reason : "");
    }
    prvcut_reduction_fini(&r);
    return e;
}

enum cli_exit cli_reduce(struct cli *c)
{
    struct prvcut_reduce_options o = { .iterations = c->iterations,
                                       .metrics = c->metrics,
                                       .align = c->align };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_session_needs_file(c);
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o.cut);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = red_options(&s, &o);
    if (e == CLI_DONE)
        e = red_run(&s, &o);
    cli_session_end(&s);
    return e;
}
