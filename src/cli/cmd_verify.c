#include "session.h"

#include <stdlib.h>

enum cli_exit cli_verify(struct cli *c)
{
    struct prvcut_archive_result r = { 0 };
    enum prvcut_status st = PRVCUT_OK;
    struct cli_session s;
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE) {
        st = prvcut_archive_verify(c->operand[0], &s.run, &r, &s.err);
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
