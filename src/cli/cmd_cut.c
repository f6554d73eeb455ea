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
                                         struct prvcut_cut_summary **summary)
{
    struct prvcut_cutter cutter = *config->cutter;
    struct prvcut_cut_options limited = *o;

    cutter.original_time |= s->cli->keep_time;
    if (limited.max_bytes == 0)
        limited.max_bytes = config->cutter_max_bytes;
    return prvcut_cut_as_paraver(s->trace, &s->run, &cutter, &limited, summary, &s->err);
}

static bool cut_by_name(const struct cli *c)
{
    return c->region || c->iteration[0] > 0;
}

/* A window between two times, whoever gave them. */
static enum cli_exit cut_times(struct cli_session *s, const struct cli_filters *f,
                               const struct prvcut_cut_options *o,
                               struct prvcut_cut_summary **summary)
{
    struct prvcut_span window;
    const enum cli_exit e = cli_session_span(s, &window);

    if (e != CLI_DONE)
        return e;
    return cli_session_outcome(
        s, f->cutter ? cut_as_paraver(s, f->cutter, o, summary)
                     : prvcut_cut(s->trace, &s->run, &window, o, summary, &s->err));
}

static enum cli_exit cut_named(struct cli_session *s, const struct prvcut_cut_options *o,
                               struct prvcut_cut_summary **summary)
{
    const struct prvcut_selection what = cli_selection(s->cli);
    const enum prvcut_status st = prvcut_cut_named(s->trace, &s->run, &what, o, summary, &s->err);

    if (st != PRVCUT_NONE)
        return cli_session_outcome(s, st);
    cli_progress_end(&s->progress);
    return cli_no_loop(s->cli, s->err.text);
}

static enum cli_exit cut_run(struct cli_session *s, const struct cli_filters *f,
                             const struct prvcut_cut_options *o)
{
    struct prvcut_cut_summary *summary = NULL;
    enum cli_exit e =
        cut_by_name(s->cli) ? cut_named(s, o, &summary) : cut_times(s, f, o, &summary);

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cut_report(s, summary);
    prvcut_cut_summary_free(summary);
    return e;
}

/* Where the window comes from: times, a name, or a configuration, and only one of them. */
static enum cli_exit cut_window(const struct cli *c, const struct cli_filters *f)
{
    const char *cutter = "a configuration with a <cutter>";

    if (!c->from && !c->to && !cut_by_name(c) && !f->cutter)
        return cli_misuse(c, c->command->works,
                          "which window? give --from, --to, --region or --iteration");
    if (!f->cutter && cut_by_name(c) && (c->from || c->to))
        return cli_misuse(c, NULL, "%s and %s name two windows; keep one",
                          c->region ? "--region" : "--iteration", c->from ? "--from" : "--to");
    if (!f->cutter)
        return cli_one_selection(c);
    if (c->from || c->to || cut_by_name(c))
        return cli_misuse(c, NULL, "%s and %s: which window?",
                          c->from     ? "--from"
                          : c->to     ? "--to"
                          : c->region ? "--region"
                                      : "--iteration",
                          cutter);
    if (c->keep_messages)
        return cli_misuse(
            c, NULL, "--messages keep and %s: Paraver's cutter drops messages with one end outside",
            cutter);
    return CLI_DONE;
}

enum cli_exit cli_cut(struct cli *c)
{
    struct cli_filters *f = cli_room(sizeof *f);
    struct prvcut_cut_options o;
    char *archive = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !f)
        e = cli_no_memory(c);
    if (e == CLI_DONE)
        e = cli_filters_init(f, &s);
    if (e == CLI_DONE)
        e = cut_window(c, f);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a cut");
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &archive, PRVCUT_FILE_ARCHIVE, c->archive);
    if (e == CLI_DONE) {
        o.archive = archive;
        o.filter = f->filter;
        o.filters = f->count;
        o.max_bytes = c->max_size;
        s.cut = &o;
        e = cli_session_open(&s);
    }
    if (e == CLI_DONE)
        e = cut_run(&s, f, &o);
    if (f)
        cli_filters_fini(f);
    free(f);
    free(archive);
    cli_session_end(&s);
    return e;
}
