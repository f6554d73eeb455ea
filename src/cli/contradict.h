#ifndef PRVCUT_CLI_CONTRADICT_H
#define PRVCUT_CLI_CONTRADICT_H

#include "session.h"

/** Refuse options of which one makes another void; needs no trace. */
enum cli_exit cli_contradictions(const struct cli *c);

#endif
