#ifndef PRVCUT_MODEL_RUNS_H
#define PRVCUT_MODEL_RUNS_H

#include "model/writer.h"

/**
 * Puts together the items of one thread and time, wherever the batches they come in end; for
 * writers that must see all of a moment before they write it.
 *
 * owns    held; all else is the caller's. Zeroed but for `write` is empty.
 */
struct prvcut_runs {
    /** Takes one whole run: count >= 1 items of one thread and time. */
    enum prvcut_status (*write)(struct prvcut_writing *w, const struct prvcut_item *item,
                                size_t count, struct made_convert_summary *sum,
                                struct prvcut_error *err);
    struct prvcut_item *held; /**< [count]: the latest run, which the next batch may go on with */
    size_t count, room;
};

/** The next items, thread by thread or by time; the latest run waits. As a writer's `put`. */
enum prvcut_status prvcut_runs_put(struct prvcut_runs *r, struct prvcut_writing *w,
                                   const struct prvcut_item *item, size_t count,
                                   struct made_convert_summary *sum, struct prvcut_error *err);

/** There are no more items: write the run that waits, if any. */
enum prvcut_status prvcut_runs_end(struct prvcut_runs *r, struct prvcut_writing *w,
                                   struct made_convert_summary *sum, struct prvcut_error *err);

void prvcut_runs_fini(struct prvcut_runs *r);

#endif
