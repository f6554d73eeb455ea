#include "session.h"

enum cli_exit cli_index(struct cli *c)
{
    const struct prvcut_index_options o = { .force = c->force, .dry_run = c->dry_run };
    struct prvcut_index_result *r = NULL;
    struct cli_session s;
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "an index");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_index_write(s.trace, &s.run, &o, &r, &s.err));
    cli_progress_end(&s.progress);
    if (e == CLI_DONE && (c->json || !c->quiet)) {
        const enum prvcut_status st = prvcut_index_result_text(r, c->json, &text, &s.err);

        e = cli_session_report(&s, st, text);
    }
    prvcut_index_result_free(r);
    cli_session_end(&s);
    return e;
}
