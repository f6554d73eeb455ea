#include "session.h"

#include <stdlib.h>
#include <string.h>

/* Does a name end in .json or .csv, before the suffix of a compression? */
static bool sig_named(const char *path, const char *suffix)
{
    const size_t want = strlen(suffix);
    size_t n = strlen(path);

    if (n > 3 && strcmp(path + n - 3, ".gz") == 0)
        n -= 3;
    else if (n > 4 && strcmp(path + n - 4, ".zst") == 0)
        n -= 4;
    return n > want && memcmp(path + n - want, suffix, want) == 0;
}

/* A drawing in another format is looked for, or the numbers would be. */
static bool sig_is_no_drawing(const char *path)
{
    static const char *const others[] = { ".png", ".pdf", ".jpg", ".jpeg", ".gif",
                                          ".eps", ".ps",  ".csv", ".json", ".html" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sig_named(path, others[i]))
            return true;
    return false;
}

static enum cli_exit sig_write(struct cli_session *s, const struct prvcut_signals *signals)
{
    const struct cli *c = s->cli;
    const char *path = c->output ? c->output : "-";
    const bool json = c->json || sig_named(path, ".json");
    char *text = NULL;
    enum cli_exit e = cli_session_outcome(s, json ? prvcut_signals_json(signals, &text, &s->err)
                                                  : prvcut_signals_csv(signals, &text, &s->err));

    if (e == CLI_DONE && strcmp(path, "-") == 0)
        e = cli_print(text);
    else if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_text_write(path, text, c->force, &s->err));
    free(text);
    return e;
}

/* The trace's name is the heading: a drawing is soon far from its file. */
static enum cli_exit sig_plot(struct cli_session *s, const struct prvcut_signals *signals)
{
    const char *path = s->cli->operand[0], *slash = strrchr(path, '/');
    const char *to = s->cli->plot;
    char *text = NULL;
    enum cli_exit e = cli_session_outcome(
        s, prvcut_signals_svg(signals, slash && slash[1] ? slash + 1 : path, &text, &s->err));

    if (e == CLI_DONE && strcmp(to, "-") == 0)
        e = cli_print(text);
    else if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_text_write(to, text, s->cli->force, &s->err));
    free(text);
    return e;
}

static void sig_tell_absent(const struct cli *c, const struct prvcut_signals *signals)
{
    for (size_t i = 0; i < signals->count; i++)
        if (signals->at[i].absent)
            cli_warn(c, "no %s: %s", signals->at[i].name, signals->at[i].absent);
}

static enum cli_exit sig_run(struct cli_session *s)
{
    const struct cli *c = s->cli;
    struct prvcut_signals signals = { 0 };
    struct prvcut_span window;
    enum cli_exit e = cli_session_span(s, &window);

    if (e != CLI_DONE)
        return e;
    e = cli_session_outcome(s, prvcut_signals_compute(s->trace, &s->run,
                                                      c->metrics ? c->metrics : "bursts", &window,
                                                      c->bins, &signals, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE && c->plot)
        e = sig_plot(s, &signals);
    if (e == CLI_DONE && (!c->plot || c->output || c->json))
        e = sig_write(s, &signals);
    if (e == CLI_DONE)
        sig_tell_absent(c, &signals);
    prvcut_signals_fini(&signals);
    return e;
}

enum cli_exit cli_signal(struct cli *c)
{
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->json && c->output && sig_named(c->output, ".csv"))
        e = cli_misuse(c, "--json contradicts the name '%.200s'", c->output);
    if (e == CLI_DONE && c->plot && sig_is_no_drawing(c->plot))
        e = cli_misuse(c, "--plot writes SVG, which '%.200s' is not the name of", c->plot);
    if (e == CLI_DONE && c->plot && strcmp(c->plot, "-") == 0 &&
        (c->json || (c->output && strcmp(c->output, "-") == 0)))
        e = cli_misuse(c, "--plot - and the numbers cannot both go to standard output");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = sig_run(&s);
    cli_session_end(&s);
    return e;
}
