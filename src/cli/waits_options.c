#include "waits_options.h"

#include "setters.h"

#include <stdint.h>

bool cli_set_waits_by(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "rank", "path", "region", "iteration" };
    const size_t i = cli_word_of(argument, words, sizeof words / sizeof *words);

    *why = "is not rank, path, region or iteration";
    if (i == SIZE_MAX)
        return false;
    c->waits.by = (enum prvcut_waits_by)(i + PRVCUT_WAITS_BY_RANK);
    return true;
}

bool cli_set_waits_clocks(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "piecewise", "constant", "raw" };
    const size_t i = cli_word_of(argument, words, sizeof words / sizeof *words);

    *why = "is not piecewise, constant or raw";
    if (i == SIZE_MAX)
        return false;
    c->raw_clocks |= i == 2;
    c->waits.clocks = i == 0 ? PRVCUT_WAITS_CLOCKS_PIECEWISE : PRVCUT_WAITS_CLOCKS_CONSTANT;
    return true;
}
