#ifndef PRVCUT_STRUCTURE_REACH_H
#define PRVCUT_STRUCTURE_REACH_H

#include "structure/search.h"

/**
 * Follow a loop beyond what is known of the calls: where there are too many calls, only those of
 * the run's beginning were kept, and bins may be longer than an iteration.
 *
 * Small windows of the run are read again, at their own resolution, and searched: some over all
 * that is left, then more around the place where the loop was not seen any more. loop.span is
 * moved to where it ends, iterations and period_ns follow from what the windows saw. A bounded
 * number of windows of a bounded number of iterations each is read.
 *
 * shape   s: a search of the whole span whose loop is told by calls that were cut short
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_reach(struct prvcut_search *s,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_trace *trace, const struct prvcut_run *run,
                                       struct prvcut_error *err);

/**
 * Where no loop was found in a large trace, or one that is in doubt: look at windows of it closer.
 * Several that agree make a loop: that of the calls, if it has the same period, else one whose span
 * is where the windows show it.
 *
 * errors  as prvcut_search_reach
 */
enum prvcut_status prvcut_search_closer(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_trace *trace, const struct prvcut_run *run,
                                        struct prvcut_error *err);

#endif
