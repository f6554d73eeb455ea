#include "browser.h"
#include "session.h"

#include <stdlib.h>

/* The path alone, or all; nothing for --quiet. */
static enum cli_exit cvw_tell(struct cli_session *s, const struct prvcut_view_page *v)
{
    const struct cli *c = s->cli;
    char *text = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (c->print) {
        const enum cli_exit e = cli_print(v->path);

        return e == CLI_DONE ? cli_print("\n") : e;
    }
    if (c->json)
        st = prvcut_view_page_json(v, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_view_page_text(v, &text, &s->err);
    return cli_session_report(s, st, text);
}

enum cli_exit cli_view(struct cli *c)
{
    struct prvcut_view_page_options o = {
        .size = sizeof o, .force = c->force, .seconds = c->seconds, .typed = c->typed
    };
    struct prvcut_view_page *v = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a page");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_view_page_make(s.trace, &s.run, &o, &v, &s.err));
    cli_progress_end(&s.progress);
    if (e == CLI_DONE)
        e = cvw_tell(&s, v);
    if (e == CLI_DONE && !c->print && !c->json)
        e = cli_browser(c, v->path);
    prvcut_view_page_free(v);
    cli_session_end(&s);
    return e;
}
