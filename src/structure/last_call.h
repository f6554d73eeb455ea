#ifndef PRVCUT_STRUCTURE_LAST_CALL_H
#define PRVCUT_STRUCTURE_LAST_CALL_H

#include "structure/known.h"

/**
 * How long iterations are until their last call begins on the thread that leads, the median: what
 * they do behind it may lead to the next one, which a loop's last one does not.
 *
 * shape   border: [borders] of that thread, ascending; *ns: left as it is where calls do not tell
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_last_call_find(double *ns, const struct prvcut_known_loop *f,
                                         const uint64_t *border, size_t borders,
                                         struct prvcut_error *err);

#endif
