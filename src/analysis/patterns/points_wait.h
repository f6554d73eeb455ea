#ifndef PRVCUT_ANALYSIS_PATTERNS_POINTS_WAIT_H
#define PRVCUT_ANALYSIS_PATTERNS_POINTS_WAIT_H

#include "analysis/patterns/sequences.h"

/** Whom a call waits for, as far as the messages of its thread tell. */
struct pat_waiting {
    const struct pat_thread *thread; /**< borrowed */
    uint8_t *kind;                   /**< [symbols of the thread] */
    size_t room;
};

/** The next thread's calls. owns: `w`, zeroed before, is released with pat_waiting_fini */
enum prvcut_status pat_waiting_take(struct pat_waiting *w, const struct pat_thread *t,
                                    const struct prvcut_dictionary *names,
                                    struct prvcut_error *err);

/**
 * The task that a call waits for: its message comes from there, or goes there, or all requests that
 * are open since the call `from` do.
 *
 * shape   UINT32_MAX: not told, or several
 */
uint32_t pat_waiting_for(const struct pat_waiting *w, uint64_t from, uint64_t call);

void pat_waiting_fini(struct pat_waiting *w);

#endif
