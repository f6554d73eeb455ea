#ifndef PRVCUT_STRUCTURE_REACH_H
#define PRVCUT_STRUCTURE_REACH_H

#include "structure/search.h"

/**
 * Follow a loop beyond what is known of the calls: where there are too many calls, only those of
 * the run's beginning were kept, and bins may be longer than an iteration.
 *
 * Small windows of the run are read again, at their own resolution, and searched: one where other
 * witnesses saw the loop last, some over all that is left, more around the place where it was not
 * seen any more, and at last across its end, which then is known to an iteration. Where a window's
 * calls tell, it must be the same loop by them, too, for another one may be as long. loop.span is
 * moved to where it ends; iterations and period_ns follow from how many calls there are in between,
 * where these were counted, else from what the windows saw, as if it became longer evenly. A loop
 * that ends before the calls do is left as it is. A bounded number of windows of a bounded number
 * of iterations each is read.
 *
 * shape   s: a search of any stretch; nothing is done but where calls that were cut short tell its
 *         loop, and the trace can be read anywhere
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
