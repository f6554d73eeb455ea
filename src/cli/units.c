#include "setters.h"

#include <string.h>

size_t cli_word_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return SIZE_MAX;
}

static const char *const uni_units[] = { "ns", "us", "ms", "s" };

bool cli_is_unit(const char *text)
{
    return cli_word_of(text, uni_units, sizeof uni_units / sizeof *uni_units) != SIZE_MAX;
}

const char *cli_unit_begun(const char *word)
{
    for (size_t i = 0; i < sizeof uni_units / sizeof *uni_units; i++)
        if (strncmp(word, uni_units[i], strlen(uni_units[i])) == 0)
            return uni_units[i];
    return NULL;
}
