#ifndef PRVCUT_CLI_OPERANDS_H
#define PRVCUT_CLI_OPERANDS_H

#include "cli.h"

/** Refuse a command line that does not name what its command takes, such as one trace. */
enum cli_exit cli_operands(const struct cli *c);

/** The file that a conversion is told to write; NULL: none, or only a name in an archive. */
const char *cli_converts_to(const struct cli *c);

#endif
