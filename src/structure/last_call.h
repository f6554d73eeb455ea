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

/**
 * How much longer it takes than usual until the last call of any thread begins in a loop's last
 * iteration, as a share of that: what is behind it may be no part of the loop. Usual is the median
 * of those before it.
 *
 * shape   begin: of that iteration on the thread that leads; HUGE_VAL: calls do not tell
 */
double prvcut_last_call_excess(const struct prvcut_known_loop *f, uint64_t begin);

#endif
