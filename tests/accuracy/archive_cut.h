#ifndef ACCURACY_ARCHIVE_CUT_H
#define ACCURACY_ARCHIVE_CUT_H

#include "archive_text.h"

/**
 * Is a cut, with the times of the original, sound beside it?
 *
 * The tool reads it and complains of nothing new; regions are opened and closed in pairs; of each
 * message that has two ends in the original both are kept or none, and each collective is kept by
 * all its participants or by none.
 *
 * shape   straight: cut at one time for all; collectives may then be cut, too
 * owns    the original's items are marked, the returned text is constant; "" nothing is wrong
 */
const char *archive_cut_judge(struct archive_text *original, const struct archive_text *cut,
                              bool straight);

#endif
