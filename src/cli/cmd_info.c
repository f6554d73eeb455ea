#include "answer.h"
#include "session.h"

enum cli_exit cli_info(struct cli *c)
{
    struct cli_session s;
    struct cli_answer a = { .path = NULL };
    char *text = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_info(s.trace, &s.run, a.form, &text, &s.err));
    cli_progress_end(&s.progress);
    if (e == CLI_DONE)
        e = cli_answer_give(c, &a, text);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
