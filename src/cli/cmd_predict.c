#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status prc_text(struct cli_session *s, const struct prvcut_prediction *p,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_prediction_json(p, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_prediction_csv(p, text, &s->err)
                              : prvcut_prediction_text(p, text, &s->err);
}

/* "Speedup of modelfactors.csv", "Speedup of app.4.prv and 2 more" */
static enum prvcut_status prc_drawing(struct cli_session *s, const struct prvcut_prediction *p,
                                      char **text)
{
    const char *path = s->cli->operand[0], *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    char title[300];

    if (s->cli->operands > 1)
        snprintf(title, sizeof title, "Speedup of %.250s and %zu more", name,
                 (size_t)s->cli->operands - 1);
    else
        snprintf(title, sizeof title, "Speedup of %.250s", name);
    return prvcut_prediction_svg(p, title, text, &s->err);
}

static enum cli_exit prc_give(struct cli_session *s, const struct prvcut_prediction *p,
                              const struct cli_answer *a, const char *plot)
{
    char *text = NULL, *drawing = NULL;
    enum cli_exit e = cli_session_outcome(s, prc_text(s, p, a->form, &text));

    if (e == CLI_DONE && plot)
        e = cli_session_outcome(s, prc_drawing(s, p, &drawing));
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

static enum cli_exit prc_run(struct cli_session *s, const struct cli_answer *a, const char *plot)
{
    const struct cli *c = s->cli;
    const struct prvcut_open_options open = cli_open_options(c);
    const struct prvcut_predict_options o = {
        .size = sizeof o,
        .processes = c->processes.at,
        .processes_count = c->processes.count,
        .fit = c->fit,
        .confidence = c->confidence,
        .fitted = c->from_runs.at,
        .fitted_count = c->from_runs.count,
        .open = &open,
    };
    struct prvcut_prediction *p = NULL;
    enum cli_exit e = cli_session_outcome(
        s, prvcut_predict_make(c->operand, (size_t)c->operands, &s->run, &o, &p, &s->err));

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = prc_give(s, p, a, plot);
    prvcut_prediction_free(p);
    return e;
}

enum cli_exit cli_predict(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    char *plot = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->processes.count == 0)
        e = cli_misuse(c, c->command->works, "--processes: for how many?");
    if (e == CLI_DONE && c->plot && strcmp(c->plot, "-") == 0 && (c->json || c->csv))
        e = cli_misuse(c, NULL, "--plot '-' and the numbers: only one can go to standard output");
    if (e == CLI_DONE)
        e = cli_session_spares(c, c->output);
    if (e == CLI_DONE)
        e = cli_session_spares(c, c->plot);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &plot, PRVCUT_FILE_SVG, c->plot);
    if (e == CLI_DONE && plot)
        e = cli_session_outcome(&s, prvcut_file_free(plot, c->force, &s.err));
    if (e == CLI_DONE)
        e = c->rehearsed ? CLI_REHEARSED : prc_run(&s, &a, plot);
    cli_answer_fini(&a);
    free(plot);
    cli_session_end(&s);
    return e;
}
