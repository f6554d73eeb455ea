#ifndef PRVCUT_CLI_CONTRADICT_H
#define PRVCUT_CLI_CONTRADICT_H

#include "session.h"

/** Refuse options of which one makes another void; needs no trace. */
enum cli_exit cli_contradictions(const struct cli *c);

/** Does --region all ask for rows of regions, so that no region is selected any more? rows: they
   are of regions, or of nothing that was asked for. */
bool cli_all_regions(struct cli *c, bool rows);

#endif
