#include "filter_options.h"

#include <stdlib.h>

static enum cli_exit cut_report(struct cli_session *s, const struct prvcut_cut_summary *summary)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    for (size_t i = 0; i < summary->notes; i++)
        cli_warn(c, "%s", summary->note[i]);
    if (c->json)
        st = prvcut_cut_summary_json(summary, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_cut_summary_text(summary, &text, &s->err);
    return cli_session_report(s, st, text);
}

/* As Paraver's cutter does; the command line wins where it says the same. */
static enum prvcut_status cut_as_paraver(struct cli_session *s, const struct prvcut_config *config,
                                         const struct prvcut_cut_options *o,
                                         struct prvcut_cut_summary *summary)
{
    struct prvcut_cutter cutter = config->cutter;
    struct prvcut_cut_options limited = *o;

    cutter.original_time |= s->cli->keep_time;
    if (limited.max_bytes == 0)
        limited.max_bytes = config->cutter_max_bytes;
    return prvcut_cut_as_paraver(s->trace, &s->run, &cutter, &limited, summary, &s->err);
}

static enum cli_exit cut_run(struct cli_session *s, const struct cli_filters *f,
                             const struct prvcut_cut_options *o)
{
    struct prvcut_cut_summary summary = { 0 };
    struct prvcut_span window;
    enum cli_exit e = cli_session_span(s, &window);
    enum prvcut_status st;

    if (e != CLI_DONE)
        return e;
    if (f->cutter)
        st = cut_as_paraver(s, f->cutter, o, &summary);
    else
        st = prvcut_cut(s->trace, &s->run, &window, o, &summary, &s->err);
    e = cli_session_outcome(s, st);
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cut_report(s, &summary);
    prvcut_cut_summary_fini(&summary);
    return e;
}

/* Where the window comes from: the options or a configuration, not both. */
static enum cli_exit cut_window(const struct cli *c, const struct cli_filters *f)
{
    if (!c->from && !c->to && !f->cutter)
        return cli_misuse(c, "which window? --from, --to or both are needed");
    if (!f->cutter)
        return CLI_DONE;
    if (c->from || c->to)
        return cli_misuse(c, "--from and --to contradict a configuration that has a <cutter>");
    if (c->keep_messages)
        return cli_misuse(c, "Paraver's cutter drops half messages: --messages keep contradicts a "
                             "configuration that has a <cutter>");
    return CLI_DONE;
}

enum cli_exit cli_cut(struct cli *c)
{
    struct cli_filters *f = calloc(1, sizeof *f);
    struct prvcut_cut_options o;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !f)
        e = cli_failed(PRVCUT_ENOMEM, &(struct prvcut_error){ .text = "out of memory" });
    if (e == CLI_DONE)
        e = cli_filters_init(f, &s);
    if (e == CLI_DONE)
        e = cut_window(c, f);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a cut");
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE) {
        o.filter = f->filter;
        o.filters = f->count;
        o.max_bytes = c->max_size;
        e = cut_run(&s, f, &o);
    }
    if (f)
        cli_filters_fini(f);
    free(f);
    cli_session_end(&s);
    return e;
}
