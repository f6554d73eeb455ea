#include "session.h"

#include <stdlib.h>
#include <string.h>

/* A trace in place of an archive is no damage. */
static void ver_explain(struct cli_session *s, enum prvcut_status st, size_t entries)
{
    const char *path = s->cli->operand[0];
    struct prvcut_open_options options = cli_open_options(s->cli);
    struct prvcut_error ignored = { .status = PRVCUT_OK };

    options.lenient = options.no_index = true;
    if (st != PRVCUT_ENOTRACE || entries > 0 || strcmp(path, "-") == 0 ||
        prvcut_trace_open(&s->trace, path, &options, &ignored) < 0)
        return;
    snprintf(
        s->err.text, sizeof s->err.text,
        "%.800s is no archive that --archive wrote but a trace; 'prvcut check' looks at traces",
        path);
}

enum cli_exit cli_verify(struct cli *c)
{
    struct prvcut_archive_result r = { 0 };
    enum prvcut_status st = PRVCUT_OK;
    struct cli_session s;
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE) {
        st = prvcut_archive_verify(c->operand[0], &s.run, &r, &s.err);
        ver_explain(&s, st, r.entries);
        e = cli_session_outcome(&s, st);
    }
    cli_progress_end(&s.progress);
    if (e == CLI_DONE && (c->json || !c->quiet))
        e = cli_session_outcome(&s, prvcut_archive_result_text(&r, c->json, &text, &s.err));
    if (e == CLI_DONE && text)
        e = cli_print(text);
    if (e == CLI_DONE && st == PRVCUT_END)
        e = CLI_DAMAGED;
    prvcut_archive_result_fini(&r);
    free(text);
    cli_session_end(&s);
    return e;
}
