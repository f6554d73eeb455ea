#include "session.h"

enum prvcut_status cli_takes(const struct cli *c, const struct prvcut_trace *trace,
                             struct prvcut_error *err)
{
    static const struct {
        unsigned commands;
        enum prvcut_ability what;
    } needs[] = {
        { CLI_FILTER, PRVCUT_ABLE_FILTER },
        { CLI_MARK | CLI_CSV, PRVCUT_ABLE_MARK },
        { CLI_INDEX, PRVCUT_ABLE_INDEX },
    };

    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (c->command->bit & needs[i].commands)
            return prvcut_trace_can(trace, needs[i].what, err);
    return PRVCUT_OK;
}
