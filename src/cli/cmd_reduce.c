#include "session.h"

#include <stdlib.h>

static enum cli_exit red_options(struct cli_session *s, struct prvcut_reduce_options *o)
{
    enum cli_exit e = cli_session_span(s, &o->only);

    return e == CLI_DONE ? cli_session_period(s, &o->period_ns) : e;
}

static enum cli_exit red_report(struct cli_session *s, const struct prvcut_reduction *r)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    if (c->json)
        st = prvcut_reduction_json(r, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_reduction_text(r, &text, &s->err);
    return cli_session_report(s, st, text);
}

/* Exit status 4 has its words, also where no report tells them. */
static void red_tell_nothing(const struct cli *c, const struct prvcut_reduction *r)
{
    if (r->periodic)
        fprintf(stderr,
                "prvcut: nothing repeats at level %u; the deepest level with a loop is %u\n",
                c->level > 0 ? c->level : 1, r->structure.levels);
    else if (c->quiet)
        fprintf(stderr, "prvcut: no periodic structure: %s\n", r->reason ? r->reason : "");
}

static enum cli_exit red_run(struct cli_session *s, const struct prvcut_reduce_options *o,
                             const char *archive)
{
    struct prvcut_reduction r = { 0 };
    const enum prvcut_status st =
        archive ? prvcut_reduce_to_archive(s->trace, &s->run, o, archive, &r, &s->err)
                : prvcut_reduce(s->trace, &s->run, o, &r, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = red_report(s, &r);
    if (e == CLI_DONE && st == PRVCUT_END) {
        e = CLI_NO_LOOP;
        red_tell_nothing(s->cli, &r);
    }
    prvcut_reduction_fini(&r);
    return e;
}

enum cli_exit cli_reduce(struct cli *c)
{
    struct prvcut_reduce_options o = { .iterations = c->iterations,
                                       .metrics = c->metrics,
                                       .align = c->align,
                                       .level = c->level,
                                       .regions = c->regions,
                                       .outliers = c->outliers,
                                       .proof = c->proof };
    char *report = NULL, *archive = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->archive && (c->output || c->report))
        e = cli_misuse(c, "--archive takes all into one file, so %s names nothing",
                       c->output ? "--output" : "--report");
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a cut");
    if (e == CLI_DONE)
        e = cli_cut_options(c, &o.cut);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &report, PRVCUT_FILE_HTML, c->report);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &archive, PRVCUT_FILE_ARCHIVE, c->archive);
    o.report = report;
    if (e == CLI_DONE)
        e = red_options(&s, &o);
    if (e == CLI_DONE)
        e = red_run(&s, &o, archive);
    free(report);
    free(archive);
    cli_session_end(&s);
    return e;
}
