#include "session.h"

#include <stdlib.h>

enum cli_exit cli_check(struct cli *c)
{
    struct prvcut_open_options options = cli_open_options(c);
    enum prvcut_status st = PRVCUT_OK;
    struct cli_session s;
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    options.strict = c->strict;
    if (e == CLI_DONE) {
        st = prvcut_check(c->operand[0], &s.run, &options, cli_form(c), &text, &s.err);
        e = cli_session_outcome(&s, st);
    }
    cli_progress_end(&s.progress);
    if (e == CLI_DONE && (c->json || !c->quiet))
        e = cli_print(text);
    if (e == CLI_DONE && st == PRVCUT_END)
        e = CLI_DAMAGED;
    free(text);
    cli_session_end(&s);
    return e;
}
