#include "session.h"

#include "prvcut/json.h"

#include <stdlib.h>

enum cli_exit cli_session_outcome(struct cli_session *s, enum prvcut_status st)
{
    if (st >= 0)
        return CLI_DONE;
    cli_progress_end(&s->progress);
    return cli_failed(s->cli, st, &s->err);
}

enum cli_exit cli_session_report(struct cli_session *s, enum prvcut_status st, char *text)
{
    enum cli_exit e;

    if (st >= 0 && text && s->cli->json)
        st = prvcut_json_command(&text, s->cli->typed, &s->err);
    e = cli_session_outcome(s, st);
    if (e == CLI_DONE && text)
        e = s->cli->json ? cli_print(text) : cli_print_report(s->cli, text);
    free(text);
    return e;
}
