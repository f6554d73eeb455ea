#ifndef PRVCUT_ANALYSIS_PATTERNS_TOLD_H
#define PRVCUT_ANALYSIS_PATTERNS_TOLD_H

#include "analysis/patterns/tree.h"

/**
 * Names of symbols that read differently where the symbols are: calls of one name that are told
 * apart by partner, bytes, tag, root or communicator have that behind their name, "Send(to 3)";
 * those that differ in something else, as where they are called, have a number, "Send#2".
 *
 * shape   out: [symbols]; each NULL where the name alone tells the symbol
 * owns    out's texts are the caller's to free(), also after a failure
 * returns any: is there one that is not NULL?
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_told(char **out, bool *any, const struct pat_argued *argued, size_t symbols,
                            const struct prvcut_dictionary *names, struct prvcut_error *err);

#endif
