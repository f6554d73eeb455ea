#include "session.h"

#include <stdlib.h>

static enum cli_exit cut_report(struct cli_session *s, const struct prvcut_cut_summary *summary)
{
    const struct cli *c = s->cli;
    enum cli_exit e = CLI_DONE;
    char *text = NULL;

    if (c->json)
        e = cli_session_outcome(s, prvcut_cut_summary_json(summary, &text, &s->err));
    else if (!c->quiet)
        e = cli_session_outcome(s, prvcut_cut_summary_text(summary, &text, &s->err));
    if (e == CLI_DONE && text)
        e = c->json ? cli_print(text) : cli_print_report(text);
    free(text);
    return e;
}

static enum cli_exit cut_run(struct cli_session *s, const struct prvcut_cut_options *o)
{
    struct prvcut_cut_summary summary = { 0 };
    struct prvcut_span window;
    enum cli_exit e = cli_session_span(s, &window);

    if (e != CLI_DONE)
        return e;
    e = cli_session_outcome(s, prvcut_cut(s->trace, &s->run, &window, o, &summary, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cut_report(s, &summary);
    prvcut_cut_summary_fini(&summary);
    return e;
}

enum cli_exit cli_cut(struct cli *c)
{
    struct prvcut_cut_options o;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !c->from && !c->to)
        e = cli_misuse(c, "which window? --from, --to or both are needed");
    if (e == CLI_DONE)
        e = cli_session_needs_file(c);
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cut_run(&s, &o);
    cli_session_end(&s);
    return e;
}
