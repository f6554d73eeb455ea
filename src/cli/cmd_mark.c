#include "mark.h"

/* What marking was told, in the terms of the library. */
static enum cli_exit mrk_options(struct cli_session *s, struct prvcut_structure_options *find)
{
    enum cli_exit e = cli_session_span(s, &find->only);

    return e == CLI_DONE ? cli_session_period(s, &find->period_ns) : e;
}

enum cli_exit cli_mark_report(struct cli_session *s, const struct prvcut_marking *m)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e;
    char *text = NULL;

    if (c->json)
        st = prvcut_marking_json(m, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_marking_text(m, &text, &s->err);
    e = cli_session_report(s, st, text);
    if (e != CLI_DONE || m->marks > 0)
        return e;
    if (!c->json)
        cli_tell_no_loop(c, m->structure->reason);
    return CLI_NO_LOOP;
}

enum cli_exit cli_mark_beside(struct cli_session *s, enum prvcut_status st,
                              struct prvcut_marking *m, const char *none,
                              enum prvcut_status (*tell)(const struct prvcut_marking *m,
                                                         char **text, struct prvcut_error *err))
{
    const struct cli *c = s->cli;
    enum cli_exit e = CLI_DONE;
    char *text = NULL;

    cli_progress_end(&s->progress);
    if (st == PRVCUT_NONE)
        cli_warn(c, "%s", none);
    else
        e = cli_session_outcome(s, st);
    if (st == PRVCUT_OK && !c->json && !c->csv && !c->quiet) {
        const enum prvcut_status told = tell(m, &text, &s->err);

        e = cli_session_report(s, told, text);
    }
    prvcut_marking_free(m);
    return e;
}

static enum cli_exit mrk_write(struct cli_session *s, const struct prvcut_mark_options *o,
                               struct prvcut_marking **m)
{
    const enum cli_exit e = cli_session_outcome(s, prvcut_mark(s->trace, &s->run, o, m, &s->err));

    cli_progress_end(&s->progress);
    return e;
}

enum cli_exit cli_mark_trace(struct cli_session *s, const char *path, bool force,
                             const char *timeline, struct prvcut_marking **out)
{
    const struct cli *c = s->cli;
    struct prvcut_structure_options find = { .metrics = c->metrics };
    struct prvcut_cut_options output;
    struct prvcut_mark_options o = { .find = &find, .output = &output };
    struct prvcut_signals *own = NULL;
    enum cli_exit e = cli_cut_options(c, &output);

    *out = NULL;
    output.path = path;
    output.force = force;
    if (e == CLI_DONE)
        e = cli_session_open(s);
    if (e == CLI_DONE)
        e = cli_session_free(s, path, force);
    if (e == CLI_DONE)
        e = mrk_options(s, &find);
    if (e == CLI_DONE && timeline) {
        e = cli_session_outcome(s, prvcut_signals_of_paraver(s->trace, timeline, &own, &s->err));
        o.timeline = own ? prvcut_signals_at(own, 0) : NULL;
        if (e == CLI_DONE && o.timeline && o.timeline->note)
            cli_warn(c, "%s: %s", timeline, o.timeline->note);
    }
    if (e == CLI_DONE)
        e = mrk_write(s, &o, out);
    prvcut_signals_free(own);
    return e;
}

enum cli_exit cli_mark(struct cli *c)
{
    struct prvcut_marking *m = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a mark");
    if (e == CLI_DONE)
        e = cli_mark_trace(&s, c->output, c->force, c->timeline, &m);
    if (e == CLI_DONE)
        e = cli_mark_report(&s, m);
    prvcut_marking_free(m);
    cli_session_end(&s);
    return e;
}
