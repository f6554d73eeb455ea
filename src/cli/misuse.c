#include "options.h"
#include "propose.h"
#include "quote.h"
#include "remedy.h"
#include "team.h"
#include "trouble.h"

#include "prvcut/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How the library tells that a file that is followed is another one now; which may be followed,
   from its beginning on. */
#define MIS_REPLACED ": another file took its place"
#define MIS_ANEW     ": was written anew"

/* The file itself of "ARCHIVE:MEMBER"; any other name as it is. */
static const char *mis_archive(char *out, size_t room, const char *name)
{
    const char *colon = access(name, F_OK) == 0 ? NULL : strrchr(name, ':');

    if (colon && colon > name && (size_t)(colon - name) < room)
        snprintf(out, room, "%.*s", (int)(colon - name), name);
    else
        snprintf(out, room, "%s", name);
    return out;
}

static bool mis_is_there(const char *name)
{
    char archive[1024];

    return access(mis_archive(archive, sizeof archive, name), F_OK) == 0;
}

/* Does it name several traces of which none is there? */
static bool mis_all_absent(const struct cli *c)
{
    const bool one =
        c->command->bit & (CLI_WORK | CLI_VERIFY) & ~(unsigned)(CLI_CONVERT | CLI_DIFF);

    for (int i = 0; i < c->operands; i++)
        if (mis_is_there(c->operand[i]) || strcmp(c->operand[i], "-") == 0)
            return false;
    return one && c->operands > 1 && !c->slip;
}

/* The first operand that is there, or called like one that is, for commands that can be typed;
 * NULL: there is none. */
static const char *mis_trace(const struct cli *c)
{
    for (int i = 0; i < c->operands && strcmp(c->operand[0], "-") != 0; i++)
        if (mis_is_there(c->operand[i]))
            return c->operand[i];
    if (c->operands == 0)
        return cli_remedy_trace(c->command->bit == CLI_VERIFY);
    return strcmp(c->operand[0], "-") == 0 ? NULL : cli_remedy_alike(c->operand[0]);
}

/* "TRACE" becomes the trace that was named, and "useful.csv" the timeline. */
static void mis_put_works(char *out, size_t room, const struct cli *c, const char *trace,
                          const char *works)
{
    char archive[1024];
    const char *second = c->operands > 1 && mis_is_there(c->operand[1]) ? c->operand[1] : NULL;
    const struct {
        const char *place, *file;
    } files[] = { { "TRACE", trace },
                  { "ARCHIVE", trace ? mis_archive(archive, sizeof archive, trace) : NULL },
                  { "useful.csv", second },
                  { "other.prv", second } };
    size_t n = strlen(out);

    while (*works && n + 1 < room) {
        size_t i = 0;

        while (i < sizeof files / sizeof *files &&
               !(files[i].file && strncmp(works, files[i].place, strlen(files[i].place)) == 0))
            i++;
        if (i < sizeof files / sizeof *files && strlen(files[i].file) * 4 + 4 < room - n) {
            n += cli_quote(out + n, files[i].file);
            works += strlen(files[i].place);
            continue;
        }
        out[n++] = *works++;
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

/* Is it a file, or what the command line calls one? */
static bool mis_is_file(const struct cli *c, const char *name)
{
    const char *const named[] = {
        c->output, c->report, c->archive, c->plot, c->timeline, c->matrix
    };

    for (int i = 0; i < c->operands; i++)
        if (strcmp(c->operand[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i] && strcmp(named[i], name) == 0)
            return true;
    return access(name, F_OK) == 0;
}

/* Is it told of a name that such a file is not there, or cannot be made? */
static bool mis_lacks(const char *reason)
{
    static const char *const words[] = { ": cannot be ", ": the file of " };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(reason, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* A file that the text begins with, perhaps in quotes, with its line where it tells one:
   "app.prv:7: ...". */
static bool mis_file(const struct cli *c, const char *text, char *out, size_t room, uint64_t *line)
{
    static const char exists[] = " exists";
    const char end = *text == '\'' ? '\'' : ':';

    text += *text == '\'';
    for (const char *at = strchr(text, end); at; at = strchr(at + 1, end)) {
        const size_t length = (size_t)(at - text);
        char *rest = NULL;

        if (length == 0 || length >= room)
            return false;
        memcpy(out, text, length);
        out[length] = '\0';
        if (length > strlen(exists) && strcmp(out + length - strlen(exists), exists) == 0)
            out[length - strlen(exists)] = '\0';
        if (!mis_is_file(c, out) && !mis_lacks(at))
            continue;
        *line = strtoull(at + 1, &rest, 10);
        if (rest == at + 1 || *rest != ':')
            *line = 0;
        return true;
    }
    return false;
}

/* The operand that a misuse is about; NULL: none, or a command that there is not. */
static const char *mis_operand(const struct cli *c)
{
    const bool command = c->operands > 1 && (c->command->bit == CLI_REDUCE || c->slip);

    if (c->operands == 0 || access(c->operand[0], F_OK) == 0)
        return c->operands == 0 ? NULL : c->operand[0];
    if (command && access(c->operand[1], F_OK) == 0)
        return c->operand[1];
    if (c->command->bit & (CLI_HELP | CLI_FORMATS))
        return NULL;
    return cli_command_meant(c->operand[0]) ? NULL : c->operand[0];
}

/* What a program reads of a failure, on standard output. */
static void mis_tell_json(const struct cli *c, enum cli_exit e, const char *text,
                          const struct prvcut_error *err)
{
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    struct prvcut_failure f = { .status = (int)e, .text = text };
    char file[1024], *json = NULL;
    uint64_t line = 0;

    if (!c->json)
        return;
    if (mis_file(c, text, file, sizeof file, &line))
        f.file = file;
    else
        f.file = err && c->operands > 0 ? c->operand[0] : mis_operand(c);
    f.line = err && err->line > 0 ? err->line : line;
    f.offset = err ? err->offset : 0;
    if (prvcut_failure_json(&f, &json, &ignored) == PRVCUT_OK &&
        prvcut_json_command(&json, c->typed, &ignored) == PRVCUT_OK)
        cli_print(json);
    free(json);
}

/* A pipe that was opened, as argv has it; NULL: none. */
static const char *mis_gone;

void cli_pipe_is_read(const char *path)
{
    struct stat s;
    const bool input = strcmp(path, "-") == 0;

    if (input ? fstat(STDIN_FILENO, &s) == 0 && !S_ISREG(s.st_mode)
              : stat(path, &s) == 0 && S_ISFIFO(s.st_mode))
        mis_gone = path;
}

/* Would a command read it again? What it brought does not come twice. */
static bool mis_reads_gone(const char *command)
{
    char word[1024];
    size_t n;

    if (!mis_gone || 4 * strlen(mis_gone) + 4 > sizeof word)
        return false;
    word[n = cli_quote(word, mis_gone)] = '\0';
    for (const char *at = strstr(command, word); at; at = strstr(at + 1, word))
        if (at > command && at[-1] == ' ' && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return strstr(command, " TRACE") != NULL;
}

/* The text, and behind it the command that works; "" for none. */
static void mis_put_all(char *out, size_t room, const struct cli *c, const char *text,
                        const char *command, const struct prvcut_error *err)
{
    const char *trace = mis_trace(c);
    size_t n = strlen(text);

    /* What was opened is there, by whatever name. */
    if (!trace && err && c->operands > 0 && strcmp(c->operand[0], "-") != 0)
        trace = c->operand[0];
    snprintf(out, room / 2, "%s", text);
    if (!*command || mis_reads_gone(command))
        return;
    strcat(out, n > 0 && text[n - 1] == '?' ? " try: " : "; try: ");
    n = strlen(out);
    mis_put_works(out, room, c, trace, command);
    cli_team_call(out + n, room - n, c, text);
}

static enum cli_exit mis_tell(const struct cli *c, enum cli_exit e, const char *text,
                              const char *command, const struct prvcut_error *err)
{
    char all[3072];

    if (c->rehearsed)
        return e;
    mis_put_all(all, sizeof all, c, text, command, err);
    cli_words(all);
    mis_tell_json(c, e, all, err);
    return e;
}

/* What was typed, as it passes with these arguments, or else the least that works; what comes
   through a pipe is saved first. */
static void mis_propose(char *out, size_t room, const struct cli *c, const char *works,
                        const char *least)
{
    char name[24], other[300];
    struct cli saving = *c;
    const char *trace = mis_trace(c);
    size_t n = 0;

    if (c->rehearsed)
        return;
    if (!trace && mis_all_absent(c)) {
        cli_remedy_list(out, room, c->operand[0]);
        return;
    }
    if (cli_must_save(c, trace) && strlen(trace) < room / 8) {
        saving.saved = cli_remedy_free_name(name);
        n = (size_t)snprintf(out, room, "cat ");
        n += cli_quote(out + n, trace);
        n += (size_t)snprintf(out + n, room - n, " >%s && ", name);
    }
    if (cli_propose(out + n, room - n, &saving, works, trace))
        return;
    if (out[n]) {
        snprintf(other, sizeof other, "%s", out + n);
        out[n] = '\0';
        mis_put_works(out, room, c, trace, other);
        return;
    }
    /* Who only wanted to look does not write, and what may be replaced still may. */
    n += (size_t)snprintf(out + n, room - n, "%s %s%s", c->command->synopsis,
                          c->dry_run ? "-n " : "", c->force ? "-f " : "");
    mis_put_works(out, room, c, saving.saved ? saving.saved : trace, least);
}

enum cli_exit cli_misuse_tell(const struct cli *c, const char *works, const char *command,
                              const char *text)
{
    char all[1024], proposed[1536] = "";

    if (command)
        return mis_tell(c, CLI_MISUSED, text, command, NULL);
    snprintf(all, sizeof all, "%s", text);
    mis_propose(proposed, sizeof proposed, c, works, works ? works : c->command->works);
    cli_trouble(all, sizeof all, proposed, sizeof proposed, c, mis_trace(c));
    return mis_tell(c, CLI_MISUSED, all, proposed, NULL);
}

/* A trace goes to standard output, and its reader went away. */
static bool mis_left_alone(const struct prvcut_error *err)
{
    const char *reason = strerror(EPIPE);
    const size_t length = strlen(err->text), tail = strlen(reason);

    return strncmp(err->text, "-: ", 3) == 0 && length > tail &&
           strcmp(err->text + length - tail, reason) == 0;
}

static bool mis_is_other(const char *text)
{
    return strstr(text, MIS_REPLACED) || strstr(text, MIS_ANEW);
}

/* What was typed, with another name for an output or for the trace. */
static void mis_rename(char *out, size_t room, const struct cli *c, const struct prvcut_error *err)
{
    const char *other = err->instead + 1, *output = cli_remedy_output(c, err->text, other);
    const char *file =
        output || err->status != PRVCUT_ENOTRACE || c->operands == 0 ? output : c->operand[0];
    struct cli renamed = *c;
    char word[1536];

    if (file)
        cli_remedy_rename(&renamed, file, other, word, sizeof word);
    mis_propose(out, room, &renamed, NULL, c->command->works);
}

/* Is it a record that --lenient skips? */
static bool mis_skips(const struct cli *c, enum cli_exit e, const struct prvcut_error *err)
{
    const unsigned reads = (CLI_WORK | CLI_CSV) & ~(unsigned)CLI_CHECK;

    return e == CLI_DAMAGED && err->status == PRVCUT_EFORMAT && err->line > 1 && !c->lenient &&
           (c->command->bit & reads) && c->operands > 0 &&
           strncmp(err->text, c->operand[0], strlen(c->operand[0])) == 0;
}

/* What shows a trace without a loop, or that part of it that was looked at. */
static void mis_without_loop(char *out, size_t room, const struct cli *c, const char *reason)
{
    const bool window = c->from || c->to;
    const char *const times[] = { c->from, c->to };
    size_t n;

    if (strstr(reason, "no records")) {
        snprintf(out, room, "prvcut check TRACE");
        return;
    }
    snprintf(out, room, "%s",
             c->command->bit == CLI_DIFF                ? "prvcut diff TRACE other.prv"
             : c->command->bit == CLI_SIGNAL && !window ? "prvcut signal TRACE"
             : c->command->bit == CLI_CUT || !window    ? "prvcut cut --from 40% --to 60% TRACE"
                                                        : "prvcut cut");
    n = strlen(out);
    for (size_t i = 0; window && c->command->bit != CLI_CUT && i < 2; i++)
        if (times[i] && 4 * strlen(times[i]) + 20 < room - n) {
            n += (size_t)snprintf(out + n, room - n, i == 0 ? " --from " : " --to ");
            n += cli_quote(out + n, times[i]);
        }
    if (window && c->command->bit != CLI_CUT)
        snprintf(out + n, room - n, " TRACE");
}

/* What was typed, without one word of it. */
static void mis_drop(char *out, size_t room, const struct cli *c, const char *word)
{
    const char *at = strstr(c->typed, word);

    if (at && (at[strlen(word)] == ' ' || at[strlen(word)] == '\0'))
        snprintf(out, room, "%.*s%s", (int)(at - c->typed), c->typed, at + strlen(word));
}

/* The option that a text begins with ("--period: ..."), without dashes; "" for none. */
static const char *mis_option(char out[40], const struct cli *c, const char *text)
{
    snprintf(out, 40, "%.*s", (int)(strncmp(text, "--", 2) == 0 ? strcspn(text + 2, " :") : 0),
             text + 2);
    return cli_given(c, out) ? out : NULL;
}

/* What was typed, without the option that the trace refused; what was not typed is not refused. */
static void mis_without(char *out, size_t room, const struct cli *c, const char *text)
{
    char option[40];
    struct cli less = *c;

    less.refused = mis_option(option, c, text);
    mis_propose(out, room, &less, NULL, c->command->works);
}

/* Another command; who only wanted to look does not write, and who named times meant these. */
static void mis_other(char *out, size_t room, const struct cli *c, const char *command)
{
    static const char *const writing[] = { "prvcut cut", "prvcut convert" };
    static const char middle[] = "prvcut convert --from 40% --to 60%";
    const char *const times[] = { c->from, c->to };

    if (c->from && c->to && strncmp(command, middle, sizeof middle - 1) == 0 &&
        4 * (strlen(c->from) + strlen(c->to)) + strlen(command) + 30 < room) {
        size_t n = (size_t)snprintf(out, room, "prvcut convert%s", c->dry_run ? " -n" : "");

        for (size_t i = 0; i < 2; i++) {
            n += (size_t)snprintf(out + n, room - n, i == 0 ? " --from " : " --to ");
            n += cli_quote(out + n, times[i]);
        }
        snprintf(out + n, room - n, "%s", command + sizeof middle - 1);
        return;
    }
    for (size_t i = 0; c->dry_run && i < sizeof writing / sizeof *writing; i++) {
        const size_t n = strlen(writing[i]);

        if (strncmp(command, writing[i], n) == 0) {
            snprintf(out, room, "%s -n%s", writing[i], command + n);
            return;
        }
    }
    snprintf(out, room, "%s", command);
}

/* The command that works in place of what failed: what the library knows, or of misuse the least
   that the command takes. */
static void mis_instead(char *out, size_t room, const struct cli *c, enum cli_exit e,
                        const struct prvcut_error *err)
{
    char works[1024], needed[300];

    snprintf(needed, sizeof needed, "%s TRACE", err->instead);
    *out = '\0';
    if (strcmp(err->instead, "--force") == 0)
        mis_propose(out, room, c, "-f TRACE", c->command->works);
    else if (e == CLI_DAMAGED && c->lenient && *err->instead == '-')
        cli_remedy_damage(out, room, c, err);
    else if (*err->instead == '=')
        mis_rename(out, room, c, err);
    else if (*err->instead && *err->instead != '-')
        mis_other(out, room, c, err->instead);
    else if (*err->instead)
        mis_propose(out, room, c, needed, cli_works(works, sizeof works, c, err->instead));
    else if (e == CLI_MISUSED && cli_remedy_folder(out, room, c, err->text))
        return;
    else if (e == CLI_MISUSED && strstr(err->text, ": is a folder, not a file"))
        mis_propose(out, room, c, "-o small.prv TRACE", "-o small.prv TRACE");
    else if (e == CLI_NO_LOOP)
        mis_without_loop(out, room, c, err->text);
    /* Ranks refuse what one process does as it was typed. */
    else if ((e == CLI_DAMAGED && c->follow.wanted && mis_is_other(err->text)) ||
             (e == CLI_MISUSED && c->exchange && strstr(err->text, "run prvcut alone")))
        snprintf(out, room, "%s", c->typed);
    else if (e == CLI_LOSS)
        mis_drop(out, room, c, " --strict");
    else if (e == CLI_MISUSED || (e == CLI_DAMAGED && cli_remedy_without(c, err->text)))
        mis_without(out, room, c, err->text);
    else if (mis_skips(c, e, err))
        mis_propose(out, room, c, "--lenient TRACE", c->command->works);
    else if (e == CLI_DAMAGED)
        cli_remedy_damage(out, room, c, err);
    else if (e == CLI_FAILED)
        cli_remedy(out, room, c, err->text);
}

enum cli_exit cli_failed(const struct cli *c, enum prvcut_status st, const struct prvcut_error *err)
{
    const enum cli_exit e = cli_status_of(st);
    char command[1536], text[1024];

    if (st == PRVCUT_EIO && mis_left_alone(err))
        return CLI_FAILED;
    snprintf(text, sizeof text, "%s", err->text[0] ? err->text : "failed for an unknown reason");
    /* A limit of time says itself which. */
    if (st == PRVCUT_EINTERRUPTED && cli_stopped()) {
        /* Told here, and so not once more by the timer that ends what cannot be told. */
        cli_bare(false);
        snprintf(text, sizeof text, "interrupted; nothing was written");
    }
    mis_instead(command, sizeof command, c, e, err);
    if (st == PRVCUT_EUSAGE || st == PRVCUT_EIO || st == PRVCUT_EFORMAT)
        cli_trouble(text, sizeof text, command, sizeof command, c, mis_trace(c));
    if (c->renamed && e == CLI_MISUSED && *err->instead && !strchr("-=", *err->instead))
        snprintf(c->renamed->command, sizeof c->renamed->command, "%s", err->instead);
    return mis_tell(c, e, text, command, err);
}

enum cli_exit cli_no_memory(const struct cli *c)
{
    return cli_failed(c, PRVCUT_ENOMEM, &(struct prvcut_error){ .text = "out of memory" });
}

void cli_tell_no_loop(const struct cli *c, const char *reason)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    char command[1536], all[3072];

    snprintf(err.text, sizeof err.text, "no loop was found: %.900s", reason ? reason : "");
    mis_instead(command, sizeof command, c, CLI_NO_LOOP, &err);
    mis_put_all(all, sizeof all, c, err.text, command, &err);
    cli_words(all);
}

enum cli_exit cli_no_loop(const struct cli *c, const char *reason)
{
    const struct prvcut_error none = { .status = PRVCUT_OK };
    char text[300], next[600];

    snprintf(text, sizeof text, "no loop was found: %.250s", reason ? reason : "");
    if (c->sample.series) {
        snprintf(next, sizeof next, "prvcut sample --period 20 --series ");
        if (strlen(c->sample.series) * 4 + 4 < sizeof next - strlen(next))
            next[strlen(next) + cli_quote(next + strlen(next), c->sample.series)] = '\0';
    } else {
        mis_without_loop(next, sizeof next, c, text);
    }
    return mis_tell(c, CLI_NO_LOOP, text, next, &none);
}
