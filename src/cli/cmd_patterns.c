#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status ptn_text(struct cli_session *s, const struct prvcut_patterns *p,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_patterns_json(p, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_patterns_csv(p, text, &s->err)
                              : prvcut_patterns_report(p, s->cli->verbose, text, &s->err);
}

/* The answer, and a drawing beside it or in its place. */
static enum cli_exit ptn_give(struct cli_session *s, const struct prvcut_patterns *p,
                              const struct cli_answer *a, const char *plot)
{
    char *text = NULL, *drawing = NULL;
    enum cli_exit e = cli_session_outcome(s, ptn_text(s, p, a->form, &text));

    if (e == CLI_DONE && plot)
        e = cli_session_outcome(s, prvcut_patterns_svg(p, &drawing, &s->err));
    if (e == CLI_DONE && plot && strcmp(plot, "-") == 0) {
        e = cli_print(drawing);
    } else if (e == CLI_DONE) {
        const struct prvcut_text file = { plot, drawing };

        e = cli_answer_give_with(s->cli, a, text, &file, plot != NULL);
        text = NULL;
    }
    free(text);
    free(drawing);
    return e;
}

/* The trace without what is like others. owns: *text, what was written, is the caller's */
static enum cli_exit ptn_filter(struct cli_session *s, const struct prvcut_patterns *p, char **text)
{
    const struct cli *c = s->cli;
    const struct prvcut_convert_options to = {
        .size = sizeof to, .path = c->patterns.filtered, .force = c->force, .command = c->provenance
    };
    struct prvcut_convert_summary *sum = NULL;
    const enum prvcut_status st = prvcut_patterns_filter(p, s->trace, &s->run, &to, &sum, &s->err);
    enum cli_exit e;

    cli_progress_end(&s->progress);
    if (st == PRVCUT_NONE)
        return cli_no_loop(c, s->err.text);
    e = cli_session_outcome(s, st);
    if (e == CLI_DONE && !c->json && !c->csv && !c->quiet)
        e = cli_session_outcome(s, prvcut_convert_summary_text(sum, text, &s->err));
    prvcut_convert_summary_free(sum);
    return e;
}

/* What was written is told behind the points; where nothing was, that alone. */
static enum cli_exit ptn_tell(struct cli_session *s, const struct prvcut_patterns *p,
                              const struct cli_answer *a, const char *plot)
{
    char *text = NULL;
    enum cli_exit e = s->cli->patterns.filtered ? ptn_filter(s, p, &text) : CLI_DONE;

    if (e == CLI_DONE)
        e = ptn_give(s, p, a, plot);
    if (e == CLI_DONE && text)
        e = cli_session_report(s, PRVCUT_OK, text);
    else
        free(text);
    return e;
}

static enum cli_exit ptn_run(struct cli_session *s, const struct cli_answer *a, const char *plot)
{
    const struct cli *c = s->cli;
    struct prvcut_patterns_options o = {
        .size = sizeof o,
        .symbols = c->patterns.symbols,
        .tolerant = c->patterns.tolerant,
        .of = c->patterns.of,
        .tasks = c->tasks,
        .points = c->patterns.points,
        .top = c->top,
        .all = c->patterns.all,
        .each_thread = c->patterns.each_thread,
        /* The outermost loop need not be that of most time at the top. */
        .level = c->patterns.level > 1 ? c->patterns.level : 0,
        .repeats = c->patterns.repeats,
        .raw = c->patterns.raw,
        .least_length = c->patterns.least_length,
    };
    struct prvcut_patterns *p = NULL;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_patterns_make(s->trace, &s->run, &o, &p, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = ptn_tell(s, p, a, plot);
    prvcut_patterns_free(p);
    return e;
}

static enum cli_exit ptn_check(const struct cli *c)
{
    const struct {
        const char *option;
        bool given;
    } pointed[] = { { "--top", c->top > 0 },
                    { "--all", c->patterns.all },
                    { "--level", c->patterns.level > 0 },
                    { "--filtered", c->patterns.filtered != NULL },
                    { "--plot", c->plot != NULL } };

    for (size_t i = 0; i < sizeof pointed / sizeof *pointed; i++)
        if (pointed[i].given && !c->patterns.points)
            return cli_misuse(c, "--poi TRACE", "%s is of points of interest: --poi",
                              pointed[i].option);
    if (c->patterns.each_thread && !c->patterns.filtered)
        return cli_misuse(c, "--poi TRACE", "--each-thread is of --filtered");
    if (c->patterns.points && c->patterns.repeats)
        return cli_misuse(c, "--repeats TRACE", "points or repeats? One of them at a time");
    if ((c->patterns.raw || c->patterns.least_length > 0) && !c->patterns.repeats)
        return cli_misuse(c, "--repeats TRACE", "%s is of repeats: --repeats",
                          c->patterns.raw ? "--raw" : "--min-length");
    if (c->plot && strcmp(c->plot, "-") == 0 && (c->json || c->csv))
        return cli_misuse(c, NULL,
                          "--plot '-' and the numbers: only one can go to standard output");
    return CLI_DONE;
}

enum cli_exit cli_patterns(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    char *plot = NULL;
    struct cli_session s;
    enum cli_exit e = ptn_check(c);

    if (e != CLI_DONE)
        return e;
    e = cli_session_start(&s, c);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "the choice of symbols");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, a.path, c->force);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &plot, PRVCUT_FILE_SVG, c->plot);
    if (e == CLI_DONE && plot && strcmp(plot, "-") != 0)
        e = cli_session_free(&s, plot, c->force);
    if (e == CLI_DONE)
        e = ptn_run(&s, &a, plot);
    cli_answer_fini(&a);
    free(plot);
    cli_session_end(&s);
    return e;
}
