#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A trace in place of an archive is no damage. */
static enum prvcut_status ver_explain(struct cli_session *s, enum prvcut_status st, size_t entries)
{
    const char *path = s->cli->operand[0];
    struct prvcut_open_options options = cli_open_options(s->cli);
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    struct stat folder;

    options.lenient = options.no_index = true;
    if (stat(path, &folder) == 0 && S_ISDIR(folder.st_mode)) {
        snprintf(s->err.instead, sizeof s->err.instead, "ls ARCHIVE");
        st = PRVCUT_ENOTRACE;
    } else if (entries == 0 && (st == PRVCUT_EFORMAT || st == PRVCUT_ENOTRACE))
        snprintf(s->err.instead, sizeof s->err.instead, "prvcut help verify");
    if (st != PRVCUT_ENOTRACE || entries > 0 || strcmp(path, "-") == 0 ||
        prvcut_trace_open(&s->trace, path, &options, &ignored) < 0)
        return st;
    snprintf(s->err.text, sizeof s->err.text,
             "'%.800s' is a trace, not an archive that --archive wrote", path);
    snprintf(s->err.instead, sizeof s->err.instead, "prvcut check TRACE");
    return st;
}

static enum cli_exit ver_run(struct cli_session *s, const struct cli_answer *a)
{
    struct prvcut_archive_result *r = NULL;
    char *text = NULL;
    enum prvcut_status st = prvcut_archive_verify(s->cli->operand[0], &s->run, &r, &s->err);
    enum cli_exit e;

    st = ver_explain(s, st, r ? r->entries : 0);
    e = cli_session_outcome(s, st);
    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = cli_session_outcome(
            s, a->form == PRVCUT_CSV
                   ? prvcut_archive_result_csv(r, &text, &s->err)
                   : prvcut_archive_result_text(r, a->form == PRVCUT_JSON, &text, &s->err));
    if (e == CLI_DONE)
        e = cli_answer_give(s->cli, a, text);
    prvcut_archive_result_free(r);
    return e == CLI_DONE && st == PRVCUT_UNSOUND ? CLI_DAMAGED : e;
}

enum cli_exit cli_verify(struct cli *c)
{
    struct cli_session s;
    struct cli_answer a = { .path = NULL };
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = c->rehearsed ? CLI_REHEARSED : ver_run(&s, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
