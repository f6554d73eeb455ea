#ifndef PRVCUT_STRUCTURE_WHOLE_H
#define PRVCUT_STRUCTURE_WHOLE_H

#include "structure/search.h"

/**
 * Let a loop that was found be of whole iterations, and its numbers those of the thread that leads:
 * its span goes from the first border to the last one, its period is that span over the number of
 * iterations.
 *
 * Iterations that are none like the others go from either end: one of at most a tenth of the
 * shortest other one, a first one that is far longer than all others (a warm-up that calls the
 * same), a last one that ends with the loop's last call before it is over, where it counts and
 * makes fewer calls or is followed by others.
 *
 * shape   s: of a whole run; its calls lose the same iterations on all threads
 *         nothing is done where no loop was found
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_whole(struct prvcut_search *s, uint64_t given_ns,
                                       struct prvcut_error *err);

#endif
