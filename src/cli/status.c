#include "status.h"

#include "cli.h"

#define EVERY (CLI_WORK | CLI_CSV | CLI_VERIFY | CLI_HELP | CLI_FORMATS)
#define OPENS (CLI_WORK | CLI_CSV | CLI_VERIFY)
#define SEARCHES                                                                                   \
    (CLI_REDUCE | CLI_CUT | CLI_STRUCTURE | CLI_MARK | CLI_CSV | CLI_SIGNAL | CLI_PROFILE |        \
     CLI_DIFF | CLI_EFFICIENCY | CLI_SAMPLE | CLI_COMM | CLI_FIND | CLI_WAITS | CLI_SQL |          \
     CLI_PATTERNS | CLI_CONVERT)
#define CREATES                                                                                    \
    (CLI_REDUCE | CLI_CUT | CLI_STRUCTURE | CLI_SIGNAL | CLI_FILTER | CLI_MARK | CLI_CONVERT |     \
     CLI_INDEX | CLI_INFO | CLI_PROFILE | CLI_DIFF | CLI_PREDICT | CLI_SAMPLE | CLI_EFFICIENCY |   \
     CLI_COMM | CLI_WAITS | CLI_PATTERNS | CLI_FIND | CLI_SQL | CLI_ARCHIVE | CLI_CHECK |          \
     CLI_VERIFY | CLI_FORMATS | CLI_HELP)

const struct cli_status cli_statuses[] = {
    { CLI_DONE, EVERY, "done" },
    { CLI_FAILED, EVERY, "failed: the system, no memory, or an interrupt" },
    { CLI_MISUSED, EVERY, "wrong usage" },
    { CLI_DAMAGED, OPENS, "the input is damaged, or is no trace" },
    { CLI_NO_LOOP, SEARCHES, "no loop was found" },
    { CLI_EXISTS, CREATES, "an output exists; -f replaces it" },
    { CLI_LOSS, CLI_CONVERT, "something would be lost, and --strict forbids that" },
    { CLI_WORSE, CLI_DIFF, "the second trace is worse by more than --fail-above allows" },
};
const size_t cli_status_count = sizeof cli_statuses / sizeof *cli_statuses;

enum cli_exit cli_status_of(enum prvcut_status st)
{
    switch (st) {
    case PRVCUT_OK:
    case PRVCUT_END:
    case PRVCUT_NONE:
    case PRVCUT_UNSOUND:
        return CLI_DONE;
    case PRVCUT_EUSAGE:
        return CLI_MISUSED;
    case PRVCUT_EFORMAT:
    case PRVCUT_ELIMIT:
    case PRVCUT_ENOTRACE:
        return CLI_DAMAGED;
    case PRVCUT_EEXIST:
        return CLI_EXISTS;
    case PRVCUT_ELOSS:
        return CLI_LOSS;
    case PRVCUT_EIO:
    case PRVCUT_ENOMEM:
    case PRVCUT_EINTERRUPTED:
        break;
    }
    return CLI_FAILED;
}
