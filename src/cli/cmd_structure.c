#include "session.h"

#include <stdlib.h>

static enum cli_exit str_options(struct cli_session *s, struct prvcut_structure_options *o)
{
    const enum cli_exit e = cli_session_span(s, &o->only);

    return e == CLI_DONE ? cli_session_period(s, &o->period_ns) : e;
}

/* A name that says JSON asks for it, as --json does. */
static bool str_json(const struct cli *c)
{
    return c->json || (c->output && prvcut_file_is(PRVCUT_FILE_JSON, c->output));
}

static enum cli_exit str_write(struct cli_session *s, const struct prvcut_structure *found,
                               const char *path)
{
    const struct cli *c = s->cli;
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    if (str_json(c))
        st = prvcut_structure_json(found, &text, &s->err);
    else if (c->tree)
        st = prvcut_structure_tree(found, &text, &s->err);
    else
        st = prvcut_structure_text(found, &text, &s->err);
    if (st == PRVCUT_OK && path)
        st = prvcut_text_write(path, text, c->force, &s->err);
    e = cli_session_outcome(s, st);
    if (e == CLI_DONE && !c->output && (c->json || !c->quiet))
        e = c->json || c->tree ? cli_print(text) : cli_print_report(c, text);
    free(text);
    return e;
}

static enum cli_exit str_run(struct cli_session *s, const struct prvcut_structure_options *o,
                             const char *path)
{
    struct prvcut_structure found = { 0 };
    const enum prvcut_status st = prvcut_structure_find(s->trace, &s->run, o, &found, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = str_write(s, &found, path);
    if (e == CLI_DONE && st == PRVCUT_END) {
        e = CLI_NO_LOOP;
        if (s->cli->quiet || s->cli->output)
            fprintf(stderr, "prvcut: no periodic structure: %s\n",
                    found.reason ? found.reason : "");
    }
    prvcut_structure_fini(&found);
    return e;
}

enum cli_exit cli_structure(struct cli *c)
{
    struct prvcut_structure_options o = { .metrics = c->metrics, .levels = c->levels };
    char *path = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->json && c->tree)
        e = cli_misuse(c, "--json contradicts --tree");
    if (e == CLI_DONE && c->tree && str_json(c))
        e = cli_misuse(c, "--tree contradicts the name '%.200s'", c->output);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "the search for levels");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &path, str_json(c) ? PRVCUT_FILE_JSON : PRVCUT_FILE_TEXT,
                             c->output);
    if (e == CLI_DONE)
        e = str_options(&s, &o);
    if (e == CLI_DONE)
        e = str_run(&s, &o, path);
    free(path);
    cli_session_end(&s);
    return e;
}
