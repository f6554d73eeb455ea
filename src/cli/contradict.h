#ifndef PRVCUT_CLI_CONTRADICT_H
#define PRVCUT_CLI_CONTRADICT_H

#include "session.h"

/** Refuse options of which one makes another void; needs no trace. */
enum cli_exit cli_contradictions(const struct cli *c);

/**
 * Rows of regions: --region all is all of them, so that no region is selected any more, and
 * --iteration has no place in them.
 *
 * shape   rows: regions are asked for; none: no rows are; *all: --region all asks for them
 */
enum cli_exit cli_region_rows(struct cli *c, bool rows, bool none, bool *all);

#endif
