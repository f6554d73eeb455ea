#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

static bool prt_colours(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static enum cli_exit prt_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_DONE;
    if (errno != EPIPE)
        fprintf(stderr, "prvcut: cannot write to standard output: %s\n", strerror(errno));
    return CLI_FAILED;
}

enum cli_exit cli_print(const char *text)
{
    fputs(text, stdout);
    return prt_flush();
}

/* A line of a report that starts with a capital letter starts with a heading of one word. */
enum cli_exit cli_print_report(const char *text)
{
    if (!prt_colours())
        return cli_print(text);
    while (*text) {
        const size_t line = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        const size_t word = isupper((unsigned char)*text) ? strcspn(text, " \n") : 0;

        if (word > 0)
            printf(BOLD "%.*s" PLAIN, (int)word, text);
        fwrite(text + word, 1, line - word, stdout);
        text += line;
    }
    return prt_flush();
}
