#ifndef PRVCUT_BASE_ORDERED_H
#define PRVCUT_BASE_ORDERED_H

#include "base/error.h"

/**
 * Work in parallel on a sequence of items, and join the results in the order of the sequence.
 *
 * `take` and `join` are never run by two workers at once (but one may take while another joins);
 * `work` runs in parallel. The first failure in the order of the sequence wins, so that the
 * outcome does not depend on the number of workers.
 */
struct prvcut_ordered {
    void *ctx;
    /** Next item, or PRVCUT_END. `worker` < workers. */
    enum prvcut_status (*take)(void *ctx, unsigned worker, void **item, struct prvcut_error *err);
    enum prvcut_status (*work)(void *ctx, unsigned worker, void *item, struct prvcut_error *err);
    /** failed: what `work` said of the item; join may add to the text and returns the status. */
    enum prvcut_status (*join)(void *ctx, void *item, enum prvcut_status failed,
                               struct prvcut_error *err);
    /** The item is done with, joined or not. */
    void (*drop)(void *ctx, void *item);
};

/** errors: the first failure of any callback; PRVCUT_ENOMEM, PRVCUT_EIO (no thread). */
enum prvcut_status prvcut_ordered_run(const struct prvcut_ordered *o, unsigned workers,
                                      struct prvcut_error *err);

/** Number of workers to use for a wish (0 = one a processor that may be used); 1..64. */
unsigned prvcut_workers(int wish);

#endif
