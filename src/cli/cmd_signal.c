#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* Where the numbers and the drawing go. */
struct sig_outputs {
    struct cli_answer numbers;
    char *plot; /* owned */
};

static enum cli_exit sig_numbers(struct cli_session *s, const struct prvcut_signals *signals,
                                 enum prvcut_form form, char **text)
{
    return cli_session_outcome(s, form == PRVCUT_JSON ? prvcut_signals_json(signals, text, &s->err)
                                                      : prvcut_signals_csv(signals, text, &s->err));
}

/* The trace's name is the heading, and what was set: a drawing is soon far from its file. */
static enum cli_exit sig_drawing(struct cli_session *s, const struct prvcut_signals *signals,
                                 char **text)
{
    const char *path = s->cli->operand[0], *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    char title[512];

    snprintf(title, sizeof title, "%.220s%s%.220s%s", name, signals->set ? ", " : "",
             signals->set ? signals->set : "",
             signals->clock ? " (instructions for time: 1ns is one)" : "");
    return cli_session_outcome(s, prvcut_signals_svg(signals, title, text, &s->err));
}

static enum cli_exit sig_write(struct cli_session *s, const struct prvcut_signals *signals,
                               const struct sig_outputs *to)
{
    const struct cli *c = s->cli;
    char *numbers = NULL, *drawing = NULL;
    enum cli_exit e = CLI_DONE;

    if (to->plot)
        e = sig_drawing(s, signals, &drawing);
    if (e == CLI_DONE && (!to->plot || c->output || c->json || c->csv))
        e = sig_numbers(s, signals, to->numbers.form, &numbers);
    if (e == CLI_DONE && to->plot && strcmp(to->plot, "-") == 0)
        e = cli_print(drawing);
    else if (e == CLI_DONE) {
        const struct prvcut_text file = { to->plot, drawing };

        e = cli_answer_give_with(c, &to->numbers, numbers, &file, drawing != NULL);
        numbers = NULL;
    }
    free(numbers);
    free(drawing);
    return e;
}

static void sig_tell_absent(const struct cli *c, const struct prvcut_signals *signals)
{
    for (size_t i = 0; i < signals->count; i++)
        if (prvcut_signals_at(signals, i)->absent)
            cli_warn(c, "no %s: %s", prvcut_signals_at(signals, i)->name,
                     prvcut_signals_at(signals, i)->absent);
}

/* What steps tell beside their numbers. */
static void sig_tell_notes(const struct cli *c, const struct prvcut_signals *signals)
{
    for (size_t i = 0; i < signals->count; i++)
        if (prvcut_signals_at(signals, i)->note)
            cli_warn(c, "%s: %s", prvcut_signals_at(signals, i)->name,
                     prvcut_signals_at(signals, i)->note);
}

/* A step of the method in place of the signals. */
static enum cli_exit sig_show(struct cli_session *s, struct prvcut_signals **signals)
{
    struct prvcut_signals *step;
    const enum cli_exit e = cli_session_outcome(
        s, prvcut_signals_step(*signals, s->cli->show, s->run.set, &step, &s->err));

    if (e != CLI_DONE)
        return e;
    prvcut_signals_free(*signals);
    *signals = step;
    return CLI_DONE;
}

static enum cli_exit sig_run(struct cli_session *s, const struct sig_outputs *to)
{
    const struct cli *c = s->cli;
    struct prvcut_signals *signals = NULL;
    struct prvcut_span window;
    enum cli_exit e = c->region || c->iteration[0] > 0 ? cli_session_select(s, &window)
                                                       : cli_session_span(s, &window);

    if (e != CLI_DONE)
        return e;
    e = cli_session_outcome(s, prvcut_signals_compute(s->trace, &s->run,
                                                      cli_session_metrics(s, "bursts"), &window,
                                                      c->bins, &signals, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE && c->show)
        e = sig_show(s, &signals);
    if (e == CLI_DONE)
        e = sig_write(s, signals, to);
    if (e == CLI_DONE) {
        sig_tell_absent(c, signals);
        sig_tell_notes(c, signals);
    }
    prvcut_signals_free(signals);
    return e;
}

enum cli_exit cli_signal(struct cli *typed)
{
    struct sig_outputs to = { .plot = NULL };
    struct cli_session s;
    struct cli with;
    const struct cli *const c = cli_session_with_series(typed, &with);
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->plot && strcmp(c->plot, "-") == 0 &&
        (c->json || c->csv || (c->output && strcmp(c->output, "-") == 0)))
        e = cli_misuse(c, "--plot out.svg TRACE",
                       "--plot '-' and the numbers: only one can go to standard output");
    if (e == CLI_DONE)
        e = cli_one_selection(c);
    if (e == CLI_DONE && (c->region || c->iteration[0] > 0))
        e = cli_session_needs_file(c, "the search for a loop");
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_CSV, &to.numbers);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &to.plot, PRVCUT_FILE_SVG, c->plot);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, to.plot, c->force);
    if (e == CLI_DONE)
        e = cli_session_free(&s, to.numbers.path, c->force);
    if (e == CLI_DONE)
        e = sig_run(&s, &to);
    cli_answer_fini(&to.numbers);
    free(to.plot);
    cli_session_end(&s);
    return e;
}
