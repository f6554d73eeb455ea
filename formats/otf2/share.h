#ifndef PRVCUT_OTF2_SHARE_H
#define PRVCUT_OTF2_SHARE_H

#include "scan/scan.h"

/* Several processes read an archive together: each of them some of the locations. */

/** As count of struct prvcut_parts: the locations. */
const char *o2_share_count(struct prvcut_scan *s, uint64_t *out);

/** The marks that each process left on its locations; all have them at last. */
extern const struct prvcut_shares o2_share_marks;

#endif
