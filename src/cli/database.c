#include "database.h"
#include "quote.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options of conversions to other formats. */
static enum cli_exit dat_agree(const struct cli *c)
{
    if (c->for_scalasca)
        return cli_misuse(c, NULL, "--for-scalasca goes with OTF2 archives");
    if (c->archive)
        return cli_misuse(c, NULL, "--archive: a database is one file already");
    return cli_one_selection(c);
}

/* As a trace these are cut, and converted then; who only wanted to look still does. */
enum cli_exit cli_no_database(const struct cli *c)
{
    const char *what = c->region ? "region" : c->iteration[0] > 0 ? "iteration" : NULL;
    char command[1024];
    size_t n;

    if (!what)
        return CLI_DONE;
    n = (size_t)snprintf(command, sizeof command, "prvcut cut %s--%s ", c->dry_run ? "-n " : "",
                         what);
    if (c->region && 4 * strlen(c->region) + 40 < sizeof command - n)
        n += cli_quote(command + n, c->region);
    else if (!c->region && c->iteration[1] > c->iteration[0])
        n += (size_t)snprintf(command + n, sizeof command - n, "%" PRIu64 "-%" PRIu64,
                              c->iteration[0], c->iteration[1]);
    else if (!c->region)
        n += (size_t)snprintf(command + n, sizeof command - n, "%" PRIu64, c->iteration[0]);
    snprintf(command + n, sizeof command - n, " TRACE");
    return cli_misuse_command(
        c, command, "--%s goes with databases (.sqlite); prvcut cut writes a trace of it", what);
}

/* All of a trace goes into a database: what would be refused is. */
static enum cli_exit dat_rehearse(struct cli_session *s, const char *path)
{
    const struct cli *c = s->cli;
    struct prvcut_convert_options o = {
        .size = sizeof o, .path = path, .tasks = c->tasks, .force = c->force
    };
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (e != CLI_DONE)
        return e;
    st = c->json ? prvcut_convert_losses_json(s->trace, &o, &text, &s->err)
                 : prvcut_convert_losses(s->trace, &o, &text, &s->err);
    if (c->json || st < 0)
        return cli_session_report(s, st, text);
    free(text);
    return cli_print("nothing would be lost\n");
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
        e = c->dry_run ? dat_rehearse(s, path) : dat_write(s, path);
    free(path);
    cli_session_end(s);
    return e;
}
