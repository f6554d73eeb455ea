#include "answer.h"
#include "options.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static enum cli_exit str_options(struct cli_session *s, struct prvcut_structure_options *o)
{
    const enum cli_exit e = cli_session_span(s, &o->only);

    return e == CLI_DONE ? cli_session_period(s, &o->period_ns) : e;
}

static enum prvcut_status str_text(struct cli_session *s, const struct prvcut_structure *found,
                                   const struct prvcut_limits *limits, enum prvcut_form form,
                                   char **text)
{
    const struct cli *c = s->cli;

    if (form == PRVCUT_JSON)
        return prvcut_structure_json(found, text, &s->err);
    if (form == PRVCUT_CSV)
        return prvcut_iterations_csv(found, limits, text, &s->err);
    if (limits->first > 0)
        return prvcut_iterations_text(found, limits, text, &s->err);
    if (c->tree)
        return prvcut_structure_tree(found, text, &s->err);
    return form == PRVCUT_FULL_TEXT ? prvcut_structure_text(found, text, &s->err)
                                    : prvcut_structure_brief(found, cli_columns(), text, &s->err);
}

/* As the job notes it of the levels that it cuts. */
static void str_tell_levels(const struct cli *c, unsigned deepest)
{
    if (!c->level || strcmp(c->level, "all") == 0 || c->quiet)
        return;
    for (const char *at = c->level; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strtoul(at, NULL, 10) > deepest)
            cli_warn(c, "no loop at level %lu; the deepest level with a loop is %u",
                     strtoul(at, NULL, 10), deepest);
}

static enum cli_exit str_run(struct cli_session *s, const struct prvcut_structure_options *o,
                             const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    const struct prvcut_limits limits = {
        .regions = c->region, .levels = c->level, .first = c->iteration[0], .last = c->iteration[1]
    };
    struct prvcut_structure *found = NULL;
    char *text = NULL;
    const enum prvcut_status st = prvcut_structure_find(s->trace, &s->run, o, &found, &s->err);
    const unsigned deepest = found ? found->levels : 0;
    enum cli_exit e = cli_session_outcome(s, st);

    if (st == PRVCUT_OK)
        e = cli_session_outcome(s, prvcut_structure_limit(found, &limits, &s->err));
    if (st == PRVCUT_OK && e == CLI_DONE)
        str_tell_levels(c, deepest);
    if (e == CLI_DONE && c->tree)
        e = cli_session_outcome(s, prvcut_structure_nests(found, s->trace, &s->run, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cli_session_outcome(s, str_text(s, found, &limits, a->form, &text));
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    if (e == CLI_DONE && st == PRVCUT_NONE) {
        e = CLI_NO_LOOP;
        if (c->quiet || a->path || a->form == PRVCUT_CSV || limits.first > 0)
            cli_tell_no_loop(c, found->reason);
    }
    prvcut_structure_free(found);
    return e;
}

/* Where unusual iterations are told, so is why they are long. */
static size_t str_causes(const struct cli *c, const struct cli_answer *a)
{
    const bool tells = a->form != PRVCUT_CSV && c->iteration[0] == 0 && !c->tree;

    return tells || a->form == PRVCUT_JSON ? PRVCUT_STRUCTURE_CAUSES : 0;
}

static enum cli_exit str_contradictions(const struct cli *c, const struct cli_answer *a)
{
    if (c->tree && (a->form == PRVCUT_JSON || a->form == PRVCUT_CSV))
        return cli_misuse(c, "--tree TRACE", "--tree and %s: which one?",
                          c->json  ? "--json"
                          : c->csv ? "--csv"
                                   : c->output);
    return CLI_DONE;
}

enum cli_exit cli_structure(struct cli *typed)
{
    struct prvcut_structure_options o = { .size = sizeof o, .levels = typed->depth };
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    struct cli with;
    const struct cli *const c = cli_session_with_series(typed, &with);
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = str_contradictions(c, &a);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "the search for loops");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, a.path, c->force);
    if (e == CLI_DONE)
        e = cli_session_timeline(&s);
    if (e == CLI_DONE)
        e = str_options(&s, &o);
    o.metrics = cli_session_metrics(&s, NULL);
    o.causes = str_causes(c, &a);
    if (e == CLI_DONE)
        e = str_run(&s, &o, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
