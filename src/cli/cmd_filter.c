#include "filter_options.h"

#include <stdlib.h>
#include <string.h>

static enum cli_exit flt_report(struct cli_session *s, const struct prvcut_filter_summary *summary)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    if (c->json)
        st = prvcut_filter_summary_json(summary, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_filter_summary_text(summary, &text, &s->err);
    return cli_session_report(s, st, text);
}

static enum cli_exit flt_run(struct cli_session *s, const struct prvcut_cut_options *o)
{
    struct prvcut_filter_summary *summary;
    enum cli_exit e =
        cli_session_outcome(s, prvcut_filter_trace(s->trace, &s->run, o, &summary, &s->err));

    cli_progress_end(&s->progress);
    for (size_t i = 0; summary && i < summary->notes; i++)
        cli_warn(s->cli, "%s", summary->note[i]);
    if (e == CLI_DONE)
        e = flt_report(s, summary);
    prvcut_filter_summary_free(summary);
    return e;
}

enum cli_exit cli_filter(struct cli *c)
{
    struct cli_filters *f = cli_room(sizeof *f);
    struct prvcut_cut_options o;
    char *archive = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !f)
        e = cli_no_memory(c);
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o);
    if (e == CLI_DONE && strcmp(c->operand[0], "-") == 0 && !c->output && !c->dry_run)
        e = cli_misuse(c, "-o small.prv -", "'-' gives the output no name; add -o FILE");
    if (e == CLI_DONE)
        e = cli_filters_init(f, &s);
    if (e == CLI_DONE && f->count == 0)
        e = cli_misuse(c, c->command->works, "which records?");
    if (e == CLI_DONE)
        e = cli_session_name(&s, &archive, PRVCUT_FILE_ARCHIVE, c->archive);
    if (e == CLI_DONE) {
        o.archive = archive;
        o.filter = f->filter;
        o.filters = f->count;
        s.cut = &o;
        e = cli_session_open(&s);
    }
    if (e == CLI_DONE)
        e = flt_run(&s, &o);
    if (f)
        cli_filters_fini(f);
    free(f);
    free(archive);
    cli_session_end(&s);
    return e;
}
