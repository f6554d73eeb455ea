#include "answer.h"

enum cli_exit cli_formats(struct cli *c)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct cli_answer a;
    char *text = NULL;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e;

    if (c->operands > 0)
        return cli_misuse(c, "", "'prvcut formats' takes no trace, '%.200s' is one too many",
                          c->operand[0]);
    e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE && c->rehearsed)
        e = CLI_REHEARSED;
    if (e == CLI_DONE)
        st = a.form == PRVCUT_JSON  ? prvcut_formats_json(&text, &err)
             : a.form == PRVCUT_CSV ? prvcut_formats_csv(&text, &err)
                                    : prvcut_formats_text(&text, &err);
    if (st < 0)
        e = cli_failed(c, st, &err);
    else if (e == CLI_DONE)
        e = cli_answer_give(c, &a, text);
    cli_answer_fini(&a);
    return e;
}
