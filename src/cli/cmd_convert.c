#include "database.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Definitions tell what the format loses, and only the records what is left out of them. */
static enum cli_exit con_tell_losses(const struct cli *c, const char *text)
{
    static const char run[] = "prvcut convert ";
    const char *rest = strncmp(c->typed, run, strlen(run)) == 0 ? run : "prvcut ";

    fputs(*text ? text : "the format can hold every kind of record in this trace\n", stdout);
    printf("single records (a send without its receive) may be left out; to count "
           "them:\n%s--strict %s\n",
           rest, c->typed + strlen(rest));
    return cli_print("");
}

static enum cli_exit con_losses_json(struct cli_session *s, const struct prvcut_convert_options *o)
{
    char *text = NULL;
    const enum prvcut_status st = prvcut_convert_losses_json(s->trace, o, &text, &s->err);

    return cli_session_report(s, st, text);
}

/* What the target cannot carry: words before the work, or the answer itself where none is done. */
static enum cli_exit con_losses(struct cli_session *s, const struct prvcut_convert_options *o)
{
    const struct cli *c = s->cli;
    char *text = NULL;
    enum cli_exit e;

    if (c->json && c->dry_run && !c->strict)
        return con_losses_json(s, o);
    e = cli_session_outcome(s, prvcut_convert_losses(s->trace, o, &text, &s->err));

    if (e == CLI_DONE && c->dry_run && !c->strict)
        e = con_tell_losses(c, text);
    else if (e == CLI_DONE && c->log >= CLI_WARNINGS)
        fputs(text, stderr);
    free(text);
    return e;
}

static enum cli_exit con_report(struct cli_session *s, const struct prvcut_convert_summary *sum)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    if (c->json)
        st = prvcut_convert_summary_json(sum, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_convert_summary_text(sum, &text, &s->err);
    return cli_session_report(s, st, text);
}

/* Standard output may be where the trace goes: then words about it go elsewhere. */
static enum cli_exit con_run(struct cli_session *s, const struct prvcut_convert_options *o)
{
    const struct cli *c = s->cli;
    struct prvcut_convert_summary *sum = NULL;
    enum prvcut_status st = prvcut_convert(s->trace, &s->run, o, &sum, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);
    const bool streamed = sum && sum->files > 0 && strcmp(sum->file[0], "-") == 0;

    cli_progress_end(&s->progress);
    if (e == CLI_DONE && o->dry_run && !c->json)
        e = cli_print("nothing would be lost\n");
    else if (e == CLI_DONE && !streamed)
        e = con_report(s, sum);
    prvcut_convert_summary_free(sum);
    return e;
}

/* -o OUT stands for the second word. */
static enum cli_exit con_output(struct cli *c)
{
    if (!c->output)
        return CLI_DONE;
    if (c->operands > 1)
        return cli_misuse(c, c->command->works, "two outputs were given, '%.200s' and -o '%.200s'",
                          c->operand[1], c->output);
    if (c->operands == 1)
        c->operand[c->operands++] = c->output;
    c->output = NULL;
    return CLI_DONE;
}

/* "which format? Its suffix says it (.prv, .otf2, .sqlite), or -O FORMAT" */
static char *con_which(char *out, size_t room)
{
    const char *suffix;
    size_t n = (size_t)snprintf(out, room, "which format? Its suffix says it (");

    for (size_t i = 0; (suffix = prvcut_convert_suffix(i)) && n < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%s, ", suffix);
    if (n < room)
        snprintf(out + n, room - n, ".sqlite), or -O FORMAT");
    return out;
}

/* A name like that one that says its format. */
static void con_propose(struct cli_session *s, const char *out)
{
    static const char *const database[] = { ".sqlite", ".sqlite3", ".db" };
    const char *suffix = ".paje", *dot;
    char name[200];
    size_t n;

    snprintf(name, sizeof name, "%s", out);
    for (n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
        name[n - 1] = '\0';
    dot = strrchr(name, '.');
    if (dot && dot > name && !strchr(dot, '/')) {
        for (size_t i = 0; i < sizeof database / sizeof *database; i++)
            if (strcasecmp(dot, database[i]) == 0)
                suffix = ".sqlite";
        n = (size_t)(dot - name);
    }
    snprintf(s->err.instead, sizeof s->err.instead, "=%.*s%s", (int)n, name, suffix);
}

/* Which format an output has is said by its name or by -O. */
static enum cli_exit con_format(struct cli_session *s)
{
    char which[160];
    const char *out = s->cli->operand[1];
    struct stat folder;

    if (s->cli->format || prvcut_convert_format(out))
        return CLI_DONE;
    con_which(which, sizeof which);
    if (strcmp(out, "-") == 0 && s->cli->archive)
        return cli_misuse(s->cli, s->cli->command->works,
                          "'-': what goes into an archive has a name");
    if (strcmp(out, "-") == 0)
        return cli_misuse(s->cli, "-O paje TRACE -", "'-': %s", which);
    s->err.status = PRVCUT_EUSAGE;
    if (stat(out, &folder) == 0 && S_ISDIR(folder.st_mode)) {
        snprintf(s->err.text, sizeof s->err.text, "'%.400s' is a folder; name a file in it", out);
        snprintf(s->err.instead, sizeof s->err.instead, "=%.200s%sout.paje", out,
                 out[strlen(out) - 1] == '/' ? "" : "/");
        return cli_session_outcome(s, PRVCUT_EUSAGE);
    }
    snprintf(s->err.text, sizeof s->err.text, "'%.400s': %s", out, which);
    con_propose(s, out);
    return cli_session_outcome(s, PRVCUT_EUSAGE);
}

enum cli_exit cli_convert(struct cli *c)
{
    struct prvcut_convert_options o = { .size = sizeof o,
                                        .format = c->format,
                                        .tasks = c->tasks,
                                        .strict = c->strict,
                                        .force = c->force,
                                        .dry_run = c->dry_run,
                                        .for_scalasca = c->for_scalasca,
                                        .command = c->provenance };
    char *archive = NULL;
    struct cli_session s;
    const enum cli_exit named = con_output(c);
    enum cli_exit e = cli_session_start(&s, c);

    if (named != CLI_DONE)
        e = named;
    if (e == CLI_DONE && cli_is_database(c))
        return cli_database(&s);
    if (e == CLI_DONE)
        e = cli_no_database(c);
    if (e == CLI_DONE)
        e = con_format(&s);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &archive, PRVCUT_FILE_ARCHIVE, c->archive);
    if (e == CLI_DONE) {
        o.path = c->operand[1];
        o.archive = archive;
        e = cli_session_open(&s);
    }
    if (e == CLI_DONE)
        e = cli_session_span(&s, &o.only);
    if (e == CLI_DONE)
        e = con_losses(&s, &o);
    if (e == CLI_DONE && (!c->dry_run || c->strict))
        e = con_run(&s, &o);
    free(archive);
    cli_session_end(&s);
    return e;
}
