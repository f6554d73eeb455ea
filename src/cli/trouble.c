#include "trouble.h"

#include "remedy.h"
#include "session.h"

#include "prvcut/records.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest name of a file that is told beside a mistake. */
#define PATH_SHOWN 200

/* What is wrong with an operand whatever the command line says, in few words, and what goes on from
   there. */
struct trouble {
    char text[300];
    const char *works; /* NULL: nothing is there */
    char instead[sizeof((struct prvcut_error *)NULL)->instead];
};

static bool tro_say(struct trouble *t, const char *path, const char *what, const char *works)
{
    snprintf(t->text, sizeof t->text, "'%.*s' %s", PATH_SHOWN, path, what);
    t->works = works;
    return true;
}

/* Is a file no input of the command, as far as its first bytes tell? */
static bool tro_is_no_input(struct trouble *t, const struct cli *c, const char *path, bool folder)
{
    const struct prvcut_open_options options = { .lenient = true, .no_index = true };
    const bool verifies = c->command->bit == CLI_VERIFY;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_trace *trace = NULL;
    const enum prvcut_status st = prvcut_trace_open(&trace, path, &options, &err);
    const bool takes = st == PRVCUT_OK && cli_takes(c, trace, &err) == PRVCUT_OK;

    prvcut_trace_close(trace);
    if (st == PRVCUT_OK && verifies)
        return tro_say(t, path, "is a trace, not an archive", "prvcut check TRACE");
    memcpy(t->instead, err.instead, sizeof t->instead);
    if (st == PRVCUT_OK && !takes)
        return tro_say(t, path, "is not a Paraver trace", t->instead);
    if (st != PRVCUT_ENOTRACE)
        return false;
    return tro_say(t, path,
                   verifies ? "is not an archive"
                   : folder ? "holds no trace"
                            : "is no trace",
                   "ls -l TRACE");
}

static bool tro_is_trouble(struct trouble *t, const struct cli *c, const char *path)
{
    struct stat s;

    if (strcmp(path, "-") == 0)
        return false;
    if (stat(path, &s) != 0)
        return tro_say(t, path, errno == ENOENT ? "is not there" : "cannot be reached", NULL);
    /* An archive is unpacked to look into it. */
    if (strstr(path, ".tar") || (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)))
        return false;
    /* A database is asked in place of a trace. */
    if (c->command->bit == CLI_SQL && prvcut_file_is(PRVCUT_FILE_SQLITE, path))
        return false;
    return tro_is_no_input(t, c, path, S_ISDIR(s.st_mode));
}

/* The file that is not mended with the command line: the trace, or its timeline; NULL: there
   is none. */
static const char *tro_find(struct trouble *t, const struct cli *c, const char *trace)
{
    const bool several = c->command->bit & (CLI_CONVERT | CLI_CSV | CLI_DIFF);
    int at = c->operands > 0 && c->operand[0] == c->slip ? 1 : 0;

    /* What stands before the only trace belongs to a mistake: "--iteratons 2 app.prv". */
    if (!trace && !several && c->operands > 0)
        at = c->operands - 1;
    /* One that is called alike is proposed already, and a member of an archive is no file. */
    for (int i = at; trace && i < c->operands; i++)
        if (c->operand[i] == trace)
            at = i;
    if (at >= c->operands || (trace && c->operand[at] != trace) ||
        (strchr(c->operand[at], ':') && access(c->operand[at], F_OK) != 0))
        return NULL;
    if (tro_is_trouble(t, c, c->operand[at]))
        return c->operand[at];
    if (c->command->bit != CLI_CSV || at + 1 >= c->operands ||
        access(c->operand[at + 1], F_OK) == 0)
        return NULL;
    return tro_is_trouble(t, c, c->operand[at + 1]) ? c->operand[at + 1] : NULL;
}

void cli_trouble(char *text, size_t room, char *command, size_t command_room, const struct cli *c,
                 const char *trace)
{
    /* A table is no trace, and no trouble. */
    const unsigned reads = (CLI_WORK | CLI_CSV | CLI_VERIFY) & ~(unsigned)CLI_PREDICT;
    struct trouble trouble;
    const size_t n = strlen(text);
    const char *path = NULL;

    /* A slip may name the trace itself. */
    if ((c->command->bit & reads) && !c->rehearsed && !(c->meant && access(c->meant, F_OK) == 0))
        path = tro_find(&trouble, c, trace);
    if (!path || strlen(path) > PATH_SHOWN || strstr(text, path) ||
        !(strstr(command, path) || strstr(command, "TRACE")))
        return;
    snprintf(text + n, room - n, "%s%s", n > 0 && text[n - 1] == '?' ? " " : "; ", trouble.text);
    if (trouble.works)
        snprintf(command, command_room, "%s", trouble.works);
    else
        cli_remedy_list(command, command_room, path);
}
