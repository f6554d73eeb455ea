#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Reports are wrapped at that. */
#define COLUMNS_FEW  80
#define COLUMNS_MANY 132

#define BOLD         "\033[1m"
#define YELLOW       "\033[33m"
#define PLAIN        "\033[0m"

bool cli_colours(const struct cli *c, int file)
{
    const char *term = getenv("TERM");

    if (c->color != CLI_AUTO)
        return c->color == CLI_ALWAYS;
    return isatty(file) && term && strcmp(term, "dumb") != 0;
}

/* Texts may come from anywhere. C1 controls count in UTF-8 only: a lone byte may be old Latin. */
static void prt_escaped(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        const bool pair = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;

        if (pair)
            fprintf(stderr, "\\x%02x", *at++);
        if (pair || *at < ' ' || *at == 127)
            fprintf(stderr, "\\x%02x", *at);
        else
            fputc(*at, stderr);
    }
    fputc('\n', stderr);
}

void cli_words(const char *text)
{
    fputs("prvcut: ", stderr);
    prt_escaped(text);
}

void cli_warn(const struct cli *c, const char *format, ...)
{
    const bool colours = cli_colours(c, STDERR_FILENO);
    char text[1024];
    va_list args;

    if (c->log < CLI_WARNINGS || c->rehearsed)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "%sprvcut:%s ", colours ? YELLOW : "", colours ? PLAIN : "");
    prt_escaped(text);
}

static enum cli_exit prt_flush(void)
{
    const bool whole = fflush(stdout) == 0 && !ferror(stdout);

    cli_bare(false);
    if (whole)
        return CLI_DONE;
    if (errno != EPIPE)
        fprintf(stderr, "prvcut: cannot write to standard output: %s\n", strerror(errno));
    return CLI_FAILED;
}

/* Files are in place when this is called; what a pipe has not taken yet is nobody's loss. */
unsigned cli_columns(void)
{
    struct winsize size;

    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                   size.ws_col >= COLUMNS_MANY
               ? COLUMNS_MANY
               : COLUMNS_FEW;
}

enum cli_exit cli_print(const char *text)
{
    cli_bare(true);
    fputs(text, stdout);
    return prt_flush();
}

/* Columns of the longest heading and the two blanks behind it. */
#define HEADING_MOST 14

/* A heading begins with a capital letter and ends before two blanks; 0: the line has none. */
static size_t prt_heading(const char *line)
{
    const char *blanks = isupper((unsigned char)*line) ? strstr(line, "  ") : NULL;
    const size_t length = blanks ? (size_t)(blanks - line) : 0;

    return length + 2 <= HEADING_MOST && length < strcspn(line, "\n") ? length : 0;
}

enum cli_exit cli_print_report(const struct cli *c, const char *text)
{
    if (!cli_colours(c, STDOUT_FILENO))
        return cli_print(text);
    cli_bare(true);
    while (*text) {
        const size_t line = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        const size_t heading = prt_heading(text);

        if (heading > 0)
            printf(BOLD "%.*s" PLAIN, (int)heading, text);
        fwrite(text + heading, 1, line - heading, stdout);
        text += line;
    }
    return prt_flush();
}

char *cli_time(char out[40], uint64_t ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
        int digits;
    } unit[] = { { "s", 1000000000, 9 }, { "ms", 1000000, 6 }, { "us", 1000, 3 }, { "ns", 1, 0 } };
    size_t i = 0, n;

    while (unit[i].ns > 1 && ns < unit[i].ns)
        i++;
    n = (size_t)snprintf(out, 40, "%llu.%0*llu", (unsigned long long)(ns / unit[i].ns),
                         unit[i].digits, (unsigned long long)(ns % unit[i].ns));
    while (out[n - 1] == '0')
        n--;
    n -= out[n - 1] == '.';
    snprintf(out + n, 40 - n, "%s", unit[i].name);
    return out;
}
