#include "answer.h"
#include "session.h"

#include <string.h>

static enum prvcut_status dff_text(struct cli_session *s, const struct prvcut_diff *d,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_diff_json(d, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_diff_csv(d, text, &s->err)
                              : prvcut_diff_text(d, form, text, &s->err);
}

/* A failure is told of the trace that it names. */
static enum cli_exit dff_outcome(struct cli_session side[2], enum prvcut_status st)
{
    const char *text = side[0].err.text, *const *path = side[0].cli->operand;
    const unsigned of = strstr(text, path[1]) && !strstr(text, path[0]) ? 1 : 0;

    side[1].err = side[0].err;
    return cli_session_outcome(&side[of], st);
}

/* It is asked for, and one of the two has none. */
static enum cli_exit dff_no_loop(const struct cli_session side[2], const struct prvcut_diff *d)
{
    const unsigned at = d->no_loop[0] ? 0 : 1;
    char reason[250];

    snprintf(reason, sizeof reason, "%.100s: %.130s", d->name[at], d->no_loop[at]);
    return cli_no_loop(side[0].cli, reason);
}

static enum cli_exit dff_run(struct cli_session side[2], const struct cli_answer *a)
{
    const struct cli *c = side[0].cli;
    struct prvcut_diff_options o = {
        .size = sizeof o, .region = c->region, .limited = c->fails_above, .above = c->above
    };
    struct prvcut_diff *found = NULL;
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    cli_one_level(c, &o.level);
    st = prvcut_diff_make(side[0].trace, side[1].trace, &side[0].run, &o, &found, &side[0].err);
    cli_progress_end(&side[0].progress);
    e = dff_outcome(side, st);
    if (e == CLI_DONE && st == PRVCUT_NONE)
        e = dff_no_loop(side, found);
    if (e == CLI_DONE)
        e = cli_session_outcome(&side[0], dff_text(&side[0], found, a->form, &text));
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    if (e == CLI_DONE)
        e = found->unlike ? CLI_NO_LOOP : found->exceeded ? CLI_WORSE : CLI_DONE;
    prvcut_diff_free(found);
    return e;
}

static enum cli_exit dff_selection(const struct cli *c)
{
    char works[80];

    if (c->region && c->level)
        return cli_misuse(c, NULL, "--region and --level: which one?");
    if (c->region && (strcmp(c->region, "all") == 0 || strchr(c->region, '-') ||
                      (strchr(c->region, ',') && strchr(strchr(c->region, ',') + 1, ','))))
        return cli_misuse(c, cli_first_region(works, c),
                          "--region: '%.100s' names several; one of each, or one of both?",
                          c->region);
    if (!cli_one_level(c, NULL))
        return cli_misuse(c, NULL, "--level: '%.100s' names several; which one?", c->level);
    return CLI_DONE;
}

/* The second trace is a session's only one, with all else as it is. */
static void dff_second(struct cli_session side[2], struct cli *second)
{
    second->operand++;
    second->operands--;
    side[1] = side[0];
    side[1].cli = second;
    side[1].trace = NULL;
}

enum cli_exit cli_diff(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    struct cli second = *c;
    struct cli_session side[2];
    enum cli_exit e = cli_session_start(&side[0], c);

    dff_second(side, &second);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = dff_selection(c);
    for (unsigned i = 0; i < 2 && e == CLI_DONE; i++)
        e = cli_session_needs_file(side[i].cli, "the search for loops");
    for (unsigned i = 0; i < 2 && e == CLI_DONE; i++) {
        e = cli_session_open(&side[i]);
        if (e == CLI_DONE)
            e = cli_session_free(&side[i], a.path, c->force);
    }
    if (e == CLI_DONE)
        e = dff_run(side, &a);
    cli_answer_fini(&a);
    cli_session_end(&side[1]);
    cli_session_end(&side[0]);
    return e;
}
