#include "cli.h"
#include "quote.h"

#include "prvcut/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first operand that is there, for commands that can be typed; NULL: there is none. */
static const char *mis_trace(const struct cli *c)
{
    for (int i = 0; i < c->operands; i++)
        if (access(c->operand[i], F_OK) == 0)
            return c->operand[i];
    return NULL;
}

/* "TRACE" becomes the trace that was named. */
static void mis_put_works(char *out, size_t room, const struct cli *c, const char *works)
{
    static const char *const places[] = { "TRACE", "ARCHIVE" };
    const char *trace = mis_trace(c);
    size_t n = strlen(out);

    while (*works && n + 1 < room) {
        size_t place = 0;

        for (size_t i = 0; trace && i < sizeof places / sizeof *places; i++)
            if (strncmp(works, places[i], strlen(places[i])) == 0)
                place = strlen(places[i]);
        if (place > 0 && strlen(trace) * 4 + 4 < room - n) {
            n += cli_quote(out + n, trace);
            works += place;
            continue;
        }
        out[n++] = *works++;
    }
    out[n] = '\0';
}

/* Is it a file, or what the command line calls one? */
static bool mis_is_file(const struct cli *c, const char *name)
{
    const char *const named[] = { c->output, c->report, c->archive, c->plot, c->timeline };

    for (int i = 0; i < c->operands; i++)
        if (strcmp(c->operand[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i] && strcmp(named[i], name) == 0)
            return true;
    return access(name, F_OK) == 0;
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
        if (!mis_is_file(c, out))
            continue;
        *line = strtoull(at + 1, &rest, 10);
        if (rest == at + 1 || *rest != ':')
            *line = 0;
        return true;
    }
    return false;
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
    f.line = err && err->line > 0 ? err->line : line;
    f.offset = err ? err->offset : 0;
    if (prvcut_failure_json(&f, &json, &ignored) == PRVCUT_OK &&
        prvcut_json_command(&json, c->typed, &ignored) == PRVCUT_OK)
        cli_print(json);
    free(json);
}

enum cli_exit cli_misuse(const struct cli *c, const char *works, const char *format, ...)
{
    char text[2048];
    va_list args;
    size_t n;

    va_start(args, format);
    vsnprintf(text, sizeof text / 2, format, args);
    va_end(args);
    n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s %s: %s%s", n > 0 && text[n - 1] == '?' ? "" : ";",
             works ? "try" : "see", works ? c->command->synopsis : "prvcut help",
             works && !*works ? "" : " ");
    if (works)
        mis_put_works(text, sizeof text, c, works);
    else
        strncat(text, c->command->name, sizeof text - strlen(text) - 1);
    n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    cli_words(text);
    mis_tell_json(c, CLI_MISUSED, text, NULL);
    return CLI_MISUSED;
}

/* A trace goes to standard output, and its reader went away. */
static bool mis_left_alone(const struct prvcut_error *err)
{
    const char *reason = strerror(EPIPE);
    const size_t length = strlen(err->text), tail = strlen(reason);

    return strncmp(err->text, "-: ", 3) == 0 && length > tail &&
           strcmp(err->text + length - tail, reason) == 0;
}

enum cli_exit cli_failed(const struct cli *c, enum prvcut_status st, const struct prvcut_error *err)
{
    const enum cli_exit e = cli_status_of(st);
    const char *text = err->text[0] ? err->text : "failed for an unknown reason";

    if (st == PRVCUT_EIO && mis_left_alone(err))
        return CLI_FAILED;
    if (st == PRVCUT_EUSAGE)
        return cli_misuse(c, NULL, "%s", text);
    if (st == PRVCUT_EINTERRUPTED)
        text = "interrupted; nothing was written";
    cli_words(text);
    mis_tell_json(c, e, text, err);
    return e;
}

enum cli_exit cli_no_memory(const struct cli *c)
{
    return cli_failed(c, PRVCUT_ENOMEM, &(struct prvcut_error){ .text = "out of memory" });
}

enum cli_exit cli_no_loop(const struct cli *c, const char *reason)
{
    char text[300];

    snprintf(text, sizeof text, "no loop was found: %.250s", reason ? reason : "");
    cli_words(text);
    mis_tell_json(c, CLI_NO_LOOP, text, NULL);
    return CLI_NO_LOOP;
}
