#include "cli.h"

#include <stdlib.h>

enum cli_exit cli_formats(struct cli *c)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    if (c->operands > 0)
        return cli_misuse(c, "it takes no trace: '%.200s'", c->operand[0]);
    st = c->json ? prvcut_formats_json(&text, &err) : prvcut_formats_text(&text, &err);
    e = st < 0 ? cli_failed(st, &err) : cli_print(text);
    free(text);
    return e;
}
