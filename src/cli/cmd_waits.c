#include "answer.h"
#include "contradict.h"
#include "cube.h"
#include "mark.h"

static enum prvcut_status cwt_text(struct cli_session *s, const struct prvcut_wait_states *w,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_waits_json(w, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_waits_csv(w, text, &s->err)
                              : prvcut_waits_text(w, text, &s->err);
}

static enum cli_exit cwt_cube(struct cli_session *s, const struct prvcut_waits_options *o,
                              const char *path)
{
    const enum prvcut_status st =
        prvcut_waits_cube(s->trace, &s->run, o, path, s->cli->force, &s->err);

    cli_progress_end(&s->progress);
    return st == PRVCUT_NONE ? cli_no_loop(s->cli, s->err.text) : cli_session_outcome(s, st);
}

/* A copy of the trace, with marks where calls wait. */
static enum cli_exit cwt_mark(struct cli_session *s, const struct prvcut_wait_states *w)
{
    struct prvcut_cut_options to;
    struct prvcut_marking *m = NULL;
    const enum cli_exit e = cli_cut_options(s->cli, &to);
    enum prvcut_status st;

    to.path = s->cli->search.mark;
    if (e != CLI_DONE)
        return e;
    st = prvcut_waits_mark(w, s->trace, &s->run, &to, &m, &s->err);
    return cli_mark_beside(s, st, m, "no call waits: there is nothing to mark",
                           prvcut_waits_marked_text);
}

static enum cli_exit cwt_run(struct cli_session *s, const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    struct prvcut_waits_options o = {
        .size = sizeof o,
        .by = c->waits.by,
        .region = c->region,
        .first = c->iteration[0],
        .last = c->iteration[1],
        .top = c->top,
        .tasks = c->tasks,
        .causes = c->waits.causes,
        .critical = c->waits.critical,
        .clocks = c->waits.clocks,
        .marks = c->search.mark != NULL,
    };
    struct prvcut_wait_states *found = NULL;
    char *text = NULL;
    enum cli_exit e = CLI_DONE;

    if (c->from || c->to)
        e = cli_session_span(s, &o.only);
    if (e == CLI_DONE && cli_cube_kind(c) != PRVCUT_FILE_TEXT)
        return cwt_cube(s, &o, a->path);
    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_waits_make(s->trace, &s->run, &o, &found, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE && found->no_loop)
        e = cli_no_loop(c, found->no_loop);
    if (e == CLI_DONE)
        e = cli_session_outcome(s, cwt_text(s, found, a->form, &text));
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    if (e == CLI_DONE && c->search.mark)
        e = cwt_mark(s, found);
    prvcut_wait_states_free(found);
    return e;
}

/* Does it need the search for a loop? */
static bool cwt_searches(const struct cli *c)
{
    return c->region || c->iteration[0] > 0 || c->waits.by == PRVCUT_WAITS_BY_REGION ||
           c->waits.by == PRVCUT_WAITS_BY_ITERATION;
}

/* A report for CUBE is by call path and thread, and holds all. */
static enum cli_exit cwt_start(const struct cli *c, struct cli_answer *a)
{
    const enum cli_exit e = cli_cube_which(c);

    if (e != CLI_DONE || cli_cube_kind(c) == PRVCUT_FILE_TEXT)
        return e != CLI_DONE ? e : cli_answer_start(c, PRVCUT_TEXT, a);
    if (c->waits.by != PRVCUT_WAITS_BY_METRIC)
        return cli_misuse(c, "-o waits.cubex TRACE",
                          "a report for CUBE is by call path and thread: leave out --by");
    if (c->search.mark)
        return cli_misuse(c, "-o waits.cubex TRACE",
                          "-o a report for CUBE and --mark are two runs: leave one out");
    if (c->top > 0)
        return cli_misuse(c, "-o waits.cubex TRACE",
                          "a report for CUBE holds all call paths: leave out --top");
    return cli_cube_start(c, a);
}

enum cli_exit cli_waits(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (cli_all_regions(c, c->waits.by == PRVCUT_WAITS_BY_REGION ||
                               c->waits.by == PRVCUT_WAITS_BY_METRIC))
        c->waits.by = PRVCUT_WAITS_BY_REGION;
    if (e == CLI_DONE)
        e = cwt_start(c, &a);
    if (e == CLI_DONE)
        e = cli_one_selection(c);
    if (e == CLI_DONE && cwt_searches(c))
        e = cli_session_needs_file(c, "the search for a loop");
    if (e == CLI_DONE && c->search.mark)
        e = cli_session_needs_file(c, "a mark");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, a.path, c->force);
    if (e == CLI_DONE && c->search.mark)
        e = cli_session_free(&s, c->search.mark, c->force);
    if (e == CLI_DONE)
        e = cwt_run(&s, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
