#include "session.h"

#include <stdlib.h>

static enum cli_exit arc_run(struct cli_session *s, const char *path)
{
    const struct cli *c = s->cli;
    const struct prvcut_open_options open = cli_open_options(c);
    const struct prvcut_archive_options o = { .size = sizeof o,
                                              .path = path,
                                              .command = c->provenance,
                                              .force = c->force,
                                              .form = c->json ? PRVCUT_JSON : PRVCUT_TEXT };
    char *text = NULL;
    const enum cli_exit e =
        cli_session_outcome(s, prvcut_archive_traces(c->operand, (size_t)c->operands, &s->run,
                                                     &open, &o, &text, &s->err));

    cli_progress_end(&s->progress);
    if (e == CLI_DONE && (c->json || !c->quiet))
        return cli_session_report(s, PRVCUT_OK, text);
    free(text);
    return e;
}

enum cli_exit cli_archive(struct cli *c)
{
    struct cli_session s;
    char *path = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !c->output)
        e = cli_misuse(c, c->command->works, "what is the archive called? add -o FILE.tar.zst");
    if (e == CLI_DONE)
        e = cli_session_name(&s, &path, PRVCUT_FILE_ARCHIVE, c->output);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_file_free(path, c->force, &s.err));
    if (e == CLI_DONE)
        e = c->rehearsed ? CLI_REHEARSED : arc_run(&s, path);
    free(path);
    cli_session_end(&s);
    return e;
}
