#include "setters.h"

#include <stdint.h>
#include <string.h>

/* The place of a word, which is the value of what it names. */
static bool efo_word(unsigned *out, const char *argument, const char *const *words, size_t count)
{
    const size_t i = cli_word_of(argument, words, count);

    *out = (unsigned)i;
    return i != SIZE_MAX;
}

static const char *const efo_computing[] = { "running", "outside" };

bool cli_set_computing(struct cli *c, const char *argument, const char **why)
{
    unsigned i;

    *why = "is not running or outside";
    if (!efo_word(&i, argument, efo_computing, 2))
        return false;
    c->efficiency.computing = (enum prvcut_computing)i;
    return true;
}

bool cli_set_ideal_computing(struct cli *c, const char *argument, const char **why)
{
    unsigned i;

    *why = "is not running or outside";
    if (!efo_word(&i, argument, efo_computing, 2))
        return false;
    c->efficiency.ideal_computing = (enum prvcut_computing)i;
    return true;
}

bool cli_set_starts(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "auto", "common", "own" };
    unsigned i;

    *why = "is not own, common or auto";
    if (!efo_word(&i, argument, words, 3))
        return false;
    c->efficiency.starts = (enum prvcut_starts)i;
    return true;
}

bool cli_set_scaling(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "auto", "strong", "weak" };
    unsigned i;

    *why = "is not auto, strong or weak";
    if (!efo_word(&i, argument, words, 3))
        return false;
    c->efficiency.scaling = (enum prvcut_scaling)i;
    return true;
}

bool cli_set_form(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "multiplicative", "additive" };
    unsigned i;

    *why = "is not multiplicative or additive";
    if (!efo_word(&i, argument, words, 2))
        return false;
    c->efficiency.form = (enum prvcut_factors_form)i;
    return true;
}

bool cli_set_replay(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "dimemas", "causal" };
    unsigned i;

    *why = "is not dimemas or causal";
    if (!efo_word(&i, argument, words, 2))
        return false;
    c->efficiency.waits = (enum prvcut_waits)i;
    return true;
}

bool cli_set_eager(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a size such as 32768 or 64kB";
    return cli_size_of(argument, &c->efficiency.eager, why) && c->efficiency.eager > 0;
}

bool cli_set_borders(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a file";
    c->efficiency.borders = argument;
    return *argument != '\0';
}

bool cli_set_base(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a trace";
    c->base = argument;
    return *argument != '\0';
}

/* Both groups' names end with the first '='. */
static bool efo_same_name(const char *a, const char *b)
{
    const size_t length = strcspn(a, "=");

    return strncmp(a, b, length + 1) == 0;
}

bool cli_set_group(struct cli *c, const char *argument, const char **why)
{
    const char *traces = strchr(argument, '=');
    const size_t length = traces ? strlen(traces) : 0;

    *why = "is not NAME=TRACE[,TRACE...]";
    if (!traces || traces == argument || length < 2)
        return false;
    *why = "names an empty trace";
    if (traces[1] == ',' || traces[length - 1] == ',' || strstr(traces, ",,"))
        return false;
    *why = "has the name of another group; name all its traces at once";
    for (size_t i = 0; i < c->group.count; i++)
        if (efo_same_name(argument, c->group.at[i]))
            return false;
    *why = "is one too many; the limit is 64";
    if (c->group.count == CLI_LIST_MAX)
        return false;
    c->group.at[c->group.count++] = argument;
    return true;
}

bool cli_set_ideal(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a file";
    c->ideal = argument;
    return *argument != '\0';
}
