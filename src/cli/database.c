#include "database.h"

#include <stdlib.h>
#include <string.h>

/* Options of conversions to other formats. */
static enum cli_exit dat_agree(const struct cli *c)
{
    if (c->for_scalasca)
        return cli_misuse(c, NULL, "--for-scalasca goes with OTF2 archives");
    if (c->archive)
        return cli_misuse(c, NULL, "--archive: a database is one file already");
    if (c->dry_run)
        return cli_misuse(c, NULL, "--dry-run: nothing of a trace is lost in a database");
    return cli_one_selection(c);
}

enum cli_exit cli_no_database(const struct cli *c)
{
    const char *what = c->region ? "region" : c->iteration[0] > 0 ? "iteration" : NULL;

    return what ? cli_misuse(c, NULL,
                             "--%s goes with databases (.sqlite); prvcut cut writes a trace of it",
                             what)
                : CLI_DONE;
}

static enum cli_exit dat_write(struct cli_session *s, const char *path)
{
    const struct cli *c = s->cli;
    struct prvcut_database_options o = { .size = sizeof o,
                                         .region = c->region,
                                         .first = c->iteration[0],
                                         .last = c->iteration[1],
                                         .tasks = c->tasks };
    struct prvcut_database *made = NULL;
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (e == CLI_DONE)
        e = cli_session_outcome(
            s, prvcut_database_make(s->trace, &s->run, &o, path, c->force, &made, &s->err));
    cli_progress_end(&s->progress);
    /* Iterations were named, and there is no loop. */
    if (e == CLI_DONE && !made)
        e = cli_no_loop(c, s->err.text);
    if (e == CLI_DONE && (c->json || !c->quiet)) {
        st = c->json ? prvcut_database_json(made, &text, &s->err)
                     : prvcut_database_text(made, &text, &s->err);
        e = cli_session_report(s, st, text);
    }
    prvcut_database_free(made);
    return e;
}

enum cli_exit cli_database(struct cli_session *s)
{
    const struct cli *c = s->cli;
    char *path = NULL;
    enum cli_exit e = dat_agree(c);

    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a database");
    if (e == CLI_DONE)
        e = cli_session_name(s, &path, PRVCUT_FILE_SQLITE, c->operand[1]);
    if (e == CLI_DONE)
        e = cli_session_open(s);
    if (e == CLI_DONE)
        e = dat_write(s, path);
    free(path);
    cli_session_end(s);
    return e;
}
