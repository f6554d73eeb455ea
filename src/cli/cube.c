#include "cube.h"

enum prvcut_file cli_cube_kind(const struct cli *c)
{
    const bool named = c->output && !c->json && !c->csv;

    if (named && prvcut_file_is(PRVCUT_FILE_CUBEX, c->output))
        return PRVCUT_FILE_CUBEX;
    return named && prvcut_file_is(PRVCUT_FILE_CUBE, c->output) ? PRVCUT_FILE_CUBE
                                                                : PRVCUT_FILE_TEXT;
}

enum cli_exit cli_cube_start(const struct cli *c, struct cli_answer *a)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    enum prvcut_status st;

    *a = (struct cli_answer){ .path = NULL };
    st = prvcut_file_name(&a->path, cli_cube_kind(c), c->output, &err);
    if (st == PRVCUT_OK)
        st = prvcut_file_free(a->path, c->force, &err);
    return st < 0 ? cli_failed(c, st, &err) : CLI_DONE;
}
