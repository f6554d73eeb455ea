#include "cube.h"

#include <stdlib.h>
#include <string.h>

/* Letters of what is taken for a suffix. */
#define LEAST 2
#define MOST  6

enum prvcut_file cli_cube_kind(const struct cli *c)
{
    const bool named = c->output && !c->json && !c->csv;

    if (named && prvcut_file_is(PRVCUT_FILE_CUBEX, c->output))
        return PRVCUT_FILE_CUBEX;
    return named && prvcut_file_is(PRVCUT_FILE_CUBE, c->output) ? PRVCUT_FILE_CUBE
                                                                : PRVCUT_FILE_TEXT;
}

/* Does a name end in what looks like a suffix, say ".foo"? "lu.A" and "run.16" do not. */
static bool cub_looks_named(const char *path)
{
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base ? base : path, '.');
    const size_t letters = dot ? strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") : 0;

    return letters >= LEAST && letters <= MOST && dot[1 + letters] == '\0';
}

static bool cub_is_known(const char *path)
{
    for (int kind = 0; kind <= PRVCUT_FILE_CUBE; kind++)
        if (prvcut_file_is((enum prvcut_file)kind, path))
            return true;
    return false;
}

enum cli_exit cli_cube_which(const struct cli *c)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *name = NULL;
    bool appended;

    if (!c->output || c->json || c->csv || cub_is_known(c->output) || !cub_looks_named(c->output))
        return CLI_DONE;
    /* Suffixes of other things are refused by who knows them. */
    appended = prvcut_file_name(&name, PRVCUT_FILE_TEXT, c->output, &err) == PRVCUT_OK &&
               strcmp(name, c->output) != 0;
    free(name);
    if (!appended)
        return CLI_DONE;
    return cli_misuse(c, "-o report.cubex TRACE",
                      "%s: of which kind? Its suffix says it: .txt, .json, .csv, .cubex or .cube",
                      c->output);
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
