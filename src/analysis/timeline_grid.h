#ifndef PRVCUT_ANALYSIS_TIMELINE_GRID_H
#define PRVCUT_ANALYSIS_TIMELINE_GRID_H

#include "analysis/timeline.h"
#include "analysis/timeline_keys.h"

#include <stdatomic.h>

/** Most states that are told apart; what is beyond goes into one more, "others". */
#define TL_SLOTS 31u

/** No row. */
#define TL_HIDDEN UINT32_MAX

/**
 * Time by thread, piece of the window and state. Sums are integers, so it does not matter who adds
 * what when; only tl_grid_slots may not run beside the others.
 */
struct tl_grid {
    const struct prvcut_window *window;
    const struct tl_keys *keys;
    uint32_t threads, rows, columns;
    unsigned workers;
    uint32_t *row;         /**< [threads] where it is drawn, or TL_HIDDEN */
    uint64_t *edge;        /**< [columns + 1], ns */
    double per_ns;         /**< columns */
    unsigned shift;        /**< sums are in units of 2^shift ns: columns of more than 0.26 s only */
    uint64_t *total;       /**< [workers * (keys + 1)], ns; the last key: none of them */
    uint8_t *slot;         /**< [keys + 1] < slots */
    unsigned slots;        /**< the last one is "others"; 0: nothing but totals is wanted */
    _Atomic uint32_t *sum; /**< [rows * columns * slots] */
    _Atomic uint32_t *begins; /**< [rows * columns] bit s: what is in slot s begins there */
};

/** owns: keys and window are borrowed; released with tl_grid_fini, also after a failure */
enum prvcut_status tl_grid_init(struct tl_grid *g, const struct prvcut_timeline *out,
                                const struct prvcut_window *window, const struct tl_keys *keys,
                                unsigned workers, struct prvcut_error *err);

/** Decide by the totals so far which states get a slot; sums start. */
enum prvcut_status tl_grid_slots(struct tl_grid *g, struct prvcut_error *err);

/** A thread was in keys->at[key] (key == count: in another one) over [begin, end). */
void tl_grid_add(struct tl_grid *g, unsigned worker, uint32_t thread, size_t key,
                 const struct prvcut_span *when);

/** ns of all keys, so far. */
uint64_t tl_grid_total(const struct tl_grid *g);

/** Forget all that was counted. */
void tl_grid_clear(struct tl_grid *g);

/** Fill states and cells. */
enum prvcut_status tl_grid_draw(const struct tl_grid *g, struct prvcut_timeline *out,
                                struct prvcut_error *err);

void tl_grid_fini(struct tl_grid *g);

#endif
