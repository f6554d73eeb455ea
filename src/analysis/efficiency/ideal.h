#ifndef PRVCUT_ANALYSIS_EFFICIENCY_IDEAL_H
#define PRVCUT_ANALYSIS_EFFICIENCY_IDEAL_H

#include "base/error.h"
#include "model/batch.h"

/**
 * When on the ideal network what was recorded happens: outside calls as long after the call before
 * as it was; inside a call as long after its begin, but not after its end on the ideal network.
 */

/** Most calls of a run, of all lanes together: 32 bytes each. */
#define PRVCUT_IDEAL_CALLS ((size_t)1 << 25)

/** A call, as it was recorded and as it was replayed. */
struct prvcut_ideal_call {
    struct prvcut_span recorded, ideal;
};

struct prvcut_ideal_lane {
    struct prvcut_ideal_call *call; /**< [calls], in order and disjoint */
    size_t calls, room;
    uint64_t recorded, ideal; /**< the two times behind the last call */
};

/** Zeroed but for the first three before calls are added. */
struct prvcut_ideal {
    uint32_t lanes;
    const uint32_t *thread_lane;    /**< [threads]; NULL: each is its own; borrowed */
    struct prvcut_ideal_lane *lane; /**< [lanes]; owned */
    uint64_t *last; /**< [threads], ns as recorded, of each one's last record; owned;
                         NULL until that is known */
    size_t calls;
    uint64_t end_ns; /**< the run's length on the ideal network */
    bool full, disordered, no_memory;
};

/** owns: *i is initialised here, released with prvcut_ideal_fini, also after a failure. */
enum prvcut_status prvcut_ideal_init(struct prvcut_ideal *i, uint32_t lanes,
                                     const uint32_t *thread_lane, struct prvcut_error *err);
void prvcut_ideal_fini(struct prvcut_ideal *i);

/** A lane's next call. */
void prvcut_ideal_add(struct prvcut_ideal *i, uint32_t lane, struct prvcut_span recorded,
                      struct prvcut_span ideal);

/** Have all calls been kept? errors: PRVCUT_ELIMIT, PRVCUT_ENOMEM, PRVCUT_EFORMAT */
enum prvcut_status prvcut_ideal_whole(const struct prvcut_ideal *i, struct prvcut_error *err);

/** A time of a thread. What begins then; *before: what ends then, where the two differ. */
uint64_t prvcut_ideal_time(const struct prvcut_ideal *i, uint32_t thread, uint64_t time);
uint64_t prvcut_ideal_time_before(const struct prvcut_ideal *i, uint32_t thread, uint64_t time);

/**
 * All times of a message: it is sent, and its receive posted, where their calls begin, and received
 * where the call that waits for it ends.
 */
void prvcut_ideal_message(const struct prvcut_ideal *i, struct prvcut_message *m);

#endif
