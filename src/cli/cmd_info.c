#include "session.h"

#include <stdlib.h>

enum cli_exit cli_info(struct cli *c)
{
    struct cli_session s;
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_info(s.trace, &s.run, cli_form(c), &text, &s.err));
    cli_progress_end(&s.progress);
    if (e == CLI_DONE && (c->json || !c->quiet))
        e = cli_print(text);
    free(text);
    cli_session_end(&s);
    return e;
}
