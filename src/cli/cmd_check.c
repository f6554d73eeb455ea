#include "answer.h"
#include "session.h"

static enum cli_exit chk_run(struct cli_session *s, const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    struct prvcut_open_options options = cli_open_options(c);
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    options.strict = c->strict;
    st = prvcut_check(c->operand[0], &s->run, &options, a->form, &text, &s->err);
    e = cli_session_outcome(s, st);
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    return e == CLI_DONE && st == PRVCUT_UNSOUND ? CLI_DAMAGED : e;
}

enum cli_exit cli_check(struct cli *c)
{
    struct cli_session s;
    struct cli_answer a = { .path = NULL };
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = c->rehearsed ? CLI_REHEARSED : chk_run(&s, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
