#ifndef PRVCUT_STRUCTURE_SEPARATE_COMMON_H
#define PRVCUT_STRUCTURE_SEPARATE_COMMON_H

#include "structure/call_grams.h"

/**
 * The calls that all threads make, equally often and in the same order: what is done together, as
 * collectives of all ranks are. What lies between them may be different on each thread, and in
 * each iteration. Zeroed is none.
 */
struct separate_common {
    uint64_t *symbol; /**< [count]: calls with their communicator and root, ascending; owned */
    size_t count;
};

/**
 * None where threads have no such calls, and where (nearly) all calls are such: these are no
 * other sequence.
 *
 * shape   in: [sequences]; thread: [threads] of them are held against each other
 * owns    out is initialised here, released with prvcut_separate_common_fini
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate_common_find(struct separate_common *out,
                                               const struct prvcut_call_sequence *in,
                                               const size_t *thread, unsigned threads,
                                               struct call_grams *g, struct prvcut_error *err);

bool prvcut_separate_common_has(const struct separate_common *c, const struct prvcut_call *call);

void prvcut_separate_common_fini(struct separate_common *c);

#endif
