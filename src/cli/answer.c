#include "answer.h"
#include "options.h"

#include "prvcut/json.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_file ans_file(enum prvcut_form form)
{
    static const enum prvcut_file files[] = { [PRVCUT_TEXT] = PRVCUT_FILE_TEXT,
                                              [PRVCUT_FULL_TEXT] = PRVCUT_FILE_TEXT,
                                              [PRVCUT_JSON] = PRVCUT_FILE_JSON,
                                              [PRVCUT_CSV] = PRVCUT_FILE_CSV };

    return files[form];
}

static bool ans_tabulates(const struct cli *c)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (strcmp(cli_options[i].name, "csv") == 0 && (cli_options[i].commands & c->command->bit))
            return true;
    return false;
}

static enum prvcut_form ans_form(const struct cli *c, enum prvcut_form usual)
{
    if (c->json)
        return PRVCUT_JSON;
    if (c->csv)
        return PRVCUT_CSV;
    if (c->output && prvcut_file_is(PRVCUT_FILE_JSON, c->output))
        return PRVCUT_JSON;
    if (c->output && ans_tabulates(c) && prvcut_file_is(PRVCUT_FILE_CSV, c->output))
        return PRVCUT_CSV;
    return usual == PRVCUT_TEXT && c->verbose ? PRVCUT_FULL_TEXT : usual;
}

enum cli_exit cli_answer_start(const struct cli *c, enum prvcut_form usual, struct cli_answer *a)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    enum prvcut_status st = PRVCUT_OK;

    *a = (struct cli_answer){ .form = ans_form(c, usual) };
    if (c->json && c->csv)
        return cli_misuse(c, NULL, "--json and --csv: which one?");
    if (!c->output || strcmp(c->output, "-") == 0)
        return CLI_DONE;
    st = prvcut_file_name(&a->path, ans_file(a->form), c->output, &err);
    if (st == PRVCUT_OK)
        st = prvcut_file_free(a->path, c->force, &err);
    return st < 0 ? cli_failed(c, st, &err) : CLI_DONE;
}

/* To files what goes to files, as one set. */
static enum prvcut_status answer_write(const struct cli *c, const struct cli_answer *a,
                                       const char *text, const struct prvcut_text *beside,
                                       size_t besides, struct prvcut_error *err)
{
    struct prvcut_text file[3];
    size_t files = 0;

    if (c->second)
        return PRVCUT_OK;
    for (; files < besides; files++)
        file[files] = beside[files];
    if (text && a->path)
        file[files++] = (struct prvcut_text){ a->path, text };
    return files > 0 ? prvcut_texts_write(file, files, c->force, err) : PRVCUT_OK;
}

enum cli_exit cli_answer_give_with(const struct cli *c, const struct cli_answer *a, char *text,
                                   const struct prvcut_text *beside, size_t besides)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e = CLI_DONE;

    if (text && a->form == PRVCUT_JSON)
        st = prvcut_json_command(&text, c->typed, &err);
    if (st == PRVCUT_OK)
        st = answer_write(c, a, text, beside, besides, &err);
    if (st < 0)
        e = cli_failed(c, st, &err);
    else if (text && !a->path && (a->form == PRVCUT_JSON || a->form == PRVCUT_CSV))
        e = cli_print(text);
    else if (text && !a->path && !c->quiet)
        e = cli_print_report(c, text);
    free(text);
    return e;
}

enum cli_exit cli_answer_give(const struct cli *c, const struct cli_answer *a, char *text)
{
    return cli_answer_give_with(c, a, text, NULL, 0);
}

void cli_answer_fini(struct cli_answer *a)
{
    free(a->path);
    *a = (struct cli_answer){ .path = NULL };
}
