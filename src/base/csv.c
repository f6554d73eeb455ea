#include "base/csv.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A table is read as a whole: at most so many bytes. */
#define CSV_MOST ((size_t)192 << 20)

enum prvcut_status prvcut_csv_open(struct prvcut_csv *c, const char *path, struct prvcut_error *err)
{
    size_t count;
    enum prvcut_status st;

    *c = (struct prvcut_csv){ .path = path };
    st = prvcut_source_slurp_text(path, CSV_MOST, &c->text, &count, err);
    if (st == PRVCUT_OK && memchr(c->text, '\0', count))
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%.300s: a byte of 0 in it: this is no text", path);
    c->rest = c->text;
    /* Editors of Windows begin a text with a mark of its encoding. */
    if (st == PRVCUT_OK && count >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0)
        c->rest += 3;
    return st;
}

/* The end of the field that begins there, and what ends it: a separator or the line's '\0'. */
static char *csv_field(char *at, char separator, char **field)
{
    const char tab = separator == '\t' ? ' ' : '\t';
    char *to, *end;

    while (*at == ' ' || *at == tab)
        at++;
    *field = at;
    if (*at != '"') {
        end = separator ? strchr(at, separator) : NULL;
        end = end ? end : at + strlen(at);
        for (to = end; to > at && (to[-1] == ' ' || to[-1] == tab); to--)
            continue;
        at = *end ? end + 1 : NULL;
        *to = '\0';
        return at;
    }
    to = *field;
    for (at++; *at && (*at != '"' || at[1] == '"'); at++)
        *to++ = *at == '"' ? *at++ : *at;
    end = separator ? strchr(at, separator) : NULL;
    *to = '\0';
    return end ? end + 1 : NULL;
}

static size_t csv_count(const char *line, char what)
{
    size_t count = 0;

    for (; *line; line++)
        count += *line == what;
    return count;
}

/* Of tabs and commas the more frequent ones: blanks may stand after commas, and commas in numbers.
 */
static void csv_separator(struct prvcut_csv *c, const char *line)
{
    const size_t tabs = csv_count(line, '\t'), commas = csv_count(line, ',');

    if (c->separator || *line == '#')
        return;
    if (strchr(line, ';'))
        c->separator = ';';
    else if (tabs > 0 || commas > 0)
        c->separator = tabs > commas ? '\t' : ',';
}

static enum prvcut_status csv_split(struct prvcut_csv *c, char *line, struct prvcut_error *err)
{
    csv_separator(c, line);
    for (c->fields = 0; line; c->fields++) {
        const enum prvcut_status st =
            prvcut_grow((void **)&c->field, &c->room, c->fields + 1, sizeof *c->field, err);

        if (st < 0)
            return st;
        line = csv_field(line, c->separator, &c->field[c->fields]);
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_csv_next(struct prvcut_csv *c, struct prvcut_error *err)
{
    while (*c->rest) {
        char *line = c->rest, *end = line + strcspn(line, "\n");

        c->rest = *end ? end + 1 : end;
        *end = '\0';
        c->line++;
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        if (line[strspn(line, " \t")] != '\0')
            return csv_split(c, line, err);
    }
    c->fields = 0;
    return PRVCUT_END;
}

bool prvcut_csv_number(const char *text, double *out)
{
    char *end;

    if (strcasecmp(text, "nan") == 0) {
        *out = (double)NAN;
        return true;
    }
    *out = strtod(text, &end);
    return end > text && *end == '\0' && isfinite(*out);
}

bool prvcut_csv_value(const struct prvcut_csv *c, const char *text, double *out)
{
    const char *comma = strchr(text, ',');
    char point[64];

    if (!comma || c->separator == ',' || strchr(text, '.') || strlen(text) >= sizeof point)
        return prvcut_csv_number(text, out);
    snprintf(point, sizeof point, "%s", text);
    point[comma - text] = '.';
    return prvcut_csv_number(point, out);
}

enum prvcut_status prvcut_csv_fail(const struct prvcut_csv *c, struct prvcut_error *err,
                                   const char *format, ...)
{
    char text[600];
    enum prvcut_status st;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    st = prvcut_fail(err, PRVCUT_EFORMAT, "%.300s:%llu: %s", c->path, (unsigned long long)c->line,
                     text);
    if (err && err->line == 0)
        err->line = c->line;
    return st;
}

void prvcut_csv_close(struct prvcut_csv *c)
{
    free(c->text);
    free(c->field);
    *c = (struct prvcut_csv){ .path = NULL };
}
