#ifndef ACCURACY_PARAVER_CUT_H
#define ACCURACY_PARAVER_CUT_H

#include "prvcut/trace.h"

/** A cut of a Paraver trace. */
struct paraver_cut {
    const char *original, *cut;       /**< paths of plain files */
    const char *folder;               /**< scratch */
    struct prvcut_span window;        /**< hull */
    const struct prvcut_span *thread; /**< [threads]; NULL: the hull for all */
    uint32_t threads;
};

/** Does it hold just what the reference program cuts? Constant text; "" it does. */
const char *paraver_cut_compare(const struct paraver_cut *c);

/**
 * Marks of the first process in its own window, and do all others keep the same ones? Of these is
 * known only when the first and when the last one came to each mark.
 *
 * shape   held: set where the trace has marks and each thread its own window
 * owns    constant text; "" nothing is wrong
 */
const char *paraver_cut_count(const struct paraver_cut *c, size_t *held);

#endif
