#include "answer.h"
#include "contradict.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* Where the answer goes. */
struct ccm_outputs {
    struct cli_answer answer;
    char *plot;         /* owned; NULL: none */
    const char *matrix; /* NULL: none */
};

static enum prvcut_status ccm_text(struct cli_session *s, const struct prvcut_comm *found,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_comm_json(found, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_comm_csv(found, text, &s->err)
                              : prvcut_comm_text(found, s->cli->verbose, text, &s->err);
}

static bool ccm_to_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Files appear together; one of all may go to standard output. */
static enum cli_exit ccm_write(struct cli_session *s, const struct ccm_outputs *to, char *text,
                               const char *drawing, const char *matrix)
{
    struct prvcut_text file[2];
    size_t files = 0;

    if (drawing && !ccm_to_output(to->plot))
        file[files++] = (struct prvcut_text){ to->plot, drawing };
    if (matrix && !ccm_to_output(to->matrix))
        file[files++] = (struct prvcut_text){ to->matrix, matrix };
    if (!ccm_to_output(to->plot) && !ccm_to_output(to->matrix))
        return cli_answer_give_with(s->cli, &to->answer, text, file, files);
    free(text);
    if (cli_answer_give_with(s->cli, &to->answer, NULL, file, files) != CLI_DONE)
        return CLI_FAILED;
    return cli_print(ccm_to_output(to->plot) ? drawing : matrix);
}

static enum cli_exit ccm_give(struct cli_session *s, const struct ccm_outputs *to,
                              const struct prvcut_comm *found)
{
    char *text = NULL, *drawing = NULL, *matrix = NULL;
    enum cli_exit e = found->no_loop ? cli_no_loop(s->cli, found->no_loop) : CLI_DONE;

    if (e == CLI_DONE)
        e = cli_session_outcome(s, ccm_text(s, found, to->answer.form, &text));
    if (e == CLI_DONE && to->plot)
        e = cli_session_outcome(s, prvcut_comm_svg(found, &drawing, &s->err));
    if (e == CLI_DONE && to->matrix)
        e = cli_session_outcome(s, prvcut_comm_triplets(found, &matrix, &s->err));
    if (e == CLI_DONE)
        e = ccm_write(s, to, text, drawing, matrix);
    else
        free(text);
    free(drawing);
    free(matrix);
    return e;
}

static enum cli_exit ccm_run(struct cli_session *s, const struct ccm_outputs *to)
{
    const struct cli *c = s->cli;
    struct prvcut_comm_options o = {
        .size = sizeof o,
        .by = c->by & PRVCUT_PROFILE_BY_ITERATION ? PRVCUT_COMM_BY_ITERATION
              : c->by & PRVCUT_PROFILE_BY_REGION  ? PRVCUT_COMM_BY_REGION
                                                  : PRVCUT_COMM_BY_RUN,
        .region = c->region,
        .first = c->iteration[0],
        .last = c->iteration[1],
    };
    struct prvcut_comm *found = NULL;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_comm_make(s->trace, &s->run, &o, &found, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = ccm_give(s, to, found);
    prvcut_comm_free(found);
    return e;
}

/* Does it need the search for a loop? */
static bool ccm_searches(const struct cli *c)
{
    return c->region || c->iteration[0] > 0 || c->by != 0;
}

static enum cli_exit ccm_agree(const struct cli *c)
{
    const uint32_t views = PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION;
    const bool answer = c->json || c->csv || (c->output && strcmp(c->output, "-") == 0);

    if (c->by & ~views || (c->by & views) == views)
        return cli_misuse(c, "--by region TRACE", "--by: by region or by iteration");
    if (ccm_to_output(c->plot) + ccm_to_output(c->matrix) + answer > 1)
        return cli_misuse(c, "--plot out.svg --matrix out.tsv TRACE",
                          "only one of the drawing, the matrix and the answer can go to standard "
                          "output");
    return cli_one_selection(c);
}

/* Outputs are free before anything is read. */
static enum cli_exit ccm_free(struct cli_session *s, const struct ccm_outputs *to)
{
    const struct cli *c = s->cli;
    enum cli_exit e = cli_session_free(s, to->answer.path, c->force);

    if (e == CLI_DONE && to->plot && !ccm_to_output(to->plot))
        e = cli_session_free(s, to->plot, c->force);
    if (e == CLI_DONE && to->matrix && !ccm_to_output(to->matrix))
        e = cli_session_free(s, to->matrix, c->force);
    return e;
}

enum cli_exit cli_comm(struct cli *c)
{
    struct ccm_outputs to = { .plot = NULL, .matrix = c->matrix };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (cli_all_regions(c, c->by == PRVCUT_PROFILE_BY_REGION || c->by == 0))
        c->by = PRVCUT_PROFILE_BY_REGION;
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &to.answer);
    if (e == CLI_DONE)
        e = ccm_agree(c);
    if (e == CLI_DONE && ccm_searches(c))
        e = cli_session_needs_file(c, "the search for a loop");
    if (e == CLI_DONE)
        e = cli_session_name(&s, &to.plot, PRVCUT_FILE_SVG, c->plot);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = ccm_free(&s, &to);
    if (e == CLI_DONE)
        e = ccm_run(&s, &to);
    cli_answer_fini(&to.answer);
    free(to.plot);
    cli_session_end(&s);
    return e;
}
