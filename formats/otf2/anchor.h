#ifndef PRVCUT_OTF2_ANCHOR_H
#define PRVCUT_OTF2_ANCHOR_H

#include "base/error.h"

/**
 * Look at an anchor's numbers before the library does: it believes them, and does not come back
 * from wrong ones for hours.
 *
 * shape   stem: path of the archive's other files, without suffix
 * errors  PRVCUT_EFORMAT, PRVCUT_EIO
 */
enum prvcut_status o2_anchor_check(const char *path, const char *stem, struct prvcut_error *err);

#endif
