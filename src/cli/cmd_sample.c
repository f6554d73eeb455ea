#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status sml_text(struct cli_session *s, const struct prvcut_sample *p,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_sample_json(p, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_sample_csv(p, text, &s->err)
                              : prvcut_sample_text(p, text, &s->err);
}

static struct prvcut_sample_options sml_options(const struct cli *c)
{
    return (struct prvcut_sample_options){
        .size = sizeof(struct prvcut_sample_options),
        .choose_by = c->sample.choose_by,
        .predict = c->sample.predict,
        .clusters = c->sample.clusters,
        .length = c->sample.length,
        .lengths = c->sample.lengths,
        .plan = c->sample.plan,
        .level = c->sample.level,
    };
}

/* The clusters of the length that they are best at. */
static enum cli_exit sml_simpoints(struct cli_session *s, const struct prvcut_sample *p)
{
    const size_t best = prvcut_sample_best(p, PRVCUT_TECHNIQUE_MSP);

    if (!s->cli->sample.simpoints)
        return CLI_DONE;
    if (best == SIZE_MAX)
        return cli_misuse_command(s->cli, "prvcut help sample",
                                  "--simpoints: no length has clusters; shorter ones may");
    return cli_session_outcome(
        s, prvcut_sample_simpoints(p, best, s->cli->sample.simpoints, s->cli->force, &s->err));
}

static enum cli_exit sml_give(struct cli_session *s, const struct cli_answer *a,
                              const struct prvcut_sample *p)
{
    const struct cli *c = s->cli;
    char *text = NULL;
    enum cli_exit e;

    if (p->no_loop)
        return cli_no_loop(c, p->no_loop);
    e = cli_session_outcome(s, sml_text(s, p, a->form, &text));
    if (e == CLI_DONE)
        e = sml_simpoints(s, p);
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    else
        free(text);
    return e;
}

static enum cli_exit sml_series(struct cli_session *s, const struct cli_answer *a)
{
    struct prvcut_sample_options o = sml_options(s->cli);
    struct prvcut_sample *p = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    o.period = s->cli->period ? strtod(s->cli->period, NULL) : 0;
    st = prvcut_sample_series(s->cli->sample.series, &s->run, &o, &p, &s->err);
    if (st == PRVCUT_EUSAGE && !s->err.instead[0])
        snprintf(s->err.instead, sizeof s->err.instead, "prvcut help sample");
    e = cli_session_outcome(s, st);
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = sml_give(s, a, p);
    prvcut_sample_free(p);
    return e;
}

static enum cli_exit sml_trace(struct cli_session *s, const struct cli_answer *a)
{
    struct prvcut_sample_options o = sml_options(s->cli);
    struct prvcut_sample *p = NULL;
    uint64_t period = 0;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (e == CLI_DONE)
        e = cli_session_period(s, &period);
    o.period = (double)period;
    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_sample_trace(s->trace, &s->run, &o, &p, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = sml_give(s, a, p);
    prvcut_sample_free(p);
    return e;
}

/* A plan and a window need a trace; a series is no trace. */
static enum cli_exit sml_check(const struct cli *c)
{
    const struct {
        const char *option;
        bool given;
    } traced[] = { { "--plan", c->sample.plan != NULL },
                   { "--from", c->from != NULL },
                   { "--to", c->to != NULL },
                   { "--level", c->sample.level > 0 } };

    if (!c->sample.series)
        return CLI_DONE;
    if (c->operands > 0)
        return cli_misuse_command(c, "prvcut help sample", "a trace or a series: which one?");
    for (size_t i = 0; i < sizeof traced / sizeof *traced; i++)
        if (traced[i].given)
            return cli_misuse_command(c, "prvcut help sample", "%s needs a trace",
                                      traced[i].option);
    if (c->period && c->period[strspn(c->period, "0123456789.")] != '\0')
        return cli_misuse_command(c, "prvcut help sample",
                                  "--period of a series is a number of intervals");
    return CLI_DONE;
}

enum cli_exit cli_sample(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    enum cli_exit e = sml_check(c);

    if (e != CLI_DONE)
        return e;
    e = cli_session_start(&s, c);
    if (e == CLI_DONE && c->sample.series)
        e = cli_session_spares(c, c->output);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE && c->sample.series) {
        e = c->rehearsed ? CLI_REHEARSED : sml_series(&s, &a);
    } else {
        if (e == CLI_DONE)
            e = cli_session_needs_file(c, "a sample");
        if (e == CLI_DONE)
            e = cli_session_open(&s);
        if (e == CLI_DONE)
            e = cli_session_free(&s, a.path, c->force);
        if (e == CLI_DONE)
            e = sml_trace(&s, &a);
    }
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
