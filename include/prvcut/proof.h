#ifndef PRVCUT_PROOF_H
#define PRVCUT_PROOF_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a quantity is of. Numbered once and for ever. */
enum prvcut_proof_group {
    PRVCUT_PROOF_OF_EFFICIENCY = 0,
    PRVCUT_PROOF_OF_CALL = 1,
    PRVCUT_PROOF_OF_STATE = 2,
    PRVCUT_PROOF_OF_TRAFFIC = 3,
    PRVCUT_PROOF_OF_COUNTER = 4,
    PRVCUT_PROOF_OF_WAIT = 5 /**< a wait state: beside the other rows, see prvcut_proof_wait */
};

/** How well a chop stands for its region. Numbered once and for ever. */
enum prvcut_faith {
    PRVCUT_FAITH_UNASKED = 0, /**< no proof was made */
    PRVCUT_FAITH_FAITHFUL = 1,
    PRVCUT_FAITH_FAIR = 2,
    PRVCUT_FAITH_DOUBTFUL = 3,
    PRVCUT_FAITH_UNKNOWN = 4 /**< the trace has nothing to compare */
};

/** What a quantity is in. Numbered once and for ever. */
enum prvcut_proof_unit {
    PRVCUT_PROOF_IN_SHARE = 0,    /**< of the threads' time */
    PRVCUT_PROOF_IN_COUNT = 1,    /**< an iteration, of all threads together */
    PRVCUT_PROOF_IN_BYTES = 2,    /**< an iteration, of all threads together */
    PRVCUT_PROOF_IN_PER_CYCLE = 3 /**< instructions */
};

/** The words of JSON ("state", "1/iteration", "faithful"); constant; unasked: ""; NULL: no such
    number. */
PRVCUT_API const char *prvcut_proof_group_text(enum prvcut_proof_group group);
PRVCUT_API const char *prvcut_proof_unit_text(enum prvcut_proof_unit unit);
PRVCUT_API const char *prvcut_faith_text(enum prvcut_faith faith);

/** One quantity, in the chop and in the region that the chop stands for. A view. */
struct prvcut_proof_row {
    enum prvcut_proof_group group;
    char *name; /**< "Running", "MPI_Allreduce", "messages", "IPC", ...; owned */
    enum prvcut_proof_unit unit;
    double chop, region;
    double error;  /**< chop / region - 1; INFINITY where the region's is 0 */
    double weight; /**< 0..1: how much it counts in the verdict */
};

/**
 * How well a chop stands for its region. Zeroed: it was not asked for. A view.
 *
 * A row counts with |error| (an infinite one as 1) times weight. The weight is of
 * - a share (of time in a state or a call, an efficiency): the share itself, so that a tenth more
 *   of what takes 1 % of the time is an error of 0.001;
 * - calls per iteration of one call: its part of all calls, or its share of the time if that is
 *   more;
 * - messages and bytes: 1, and less where not every fourth MPI call sends a message;
 * - all calls, instructions, cycles, IPC: 1;
 * - any other counter: 0.25.
 * The verdict is of the greatest: faithful up to 0.05, fair up to 0.15, else doubtful; unknown
 * where the trace has nothing to compare.
 *
 * Calls are MPI calls. In a trace without any, the regions that threads enter (functions, OpenMP)
 * are counted in their place; their time is not.
 */
struct prvcut_proof {
    size_t rows; /**< see prvcut_proof_row */
    enum prvcut_faith verdict;
    double worst;             /**< the greatest |error| times weight */
    double iterations_region; /**< over which the region's values were taken; masks left out */
    uint32_t threads;         /**< that make calls in the region */
    uint32_t unlike;          /**< threads whose calls per iteration differ by more than 10 %,
                                   and by one call at least */
    uint32_t *unlike_thread;  /**< the first of them, at most 64, dense 0-based; owned */
    uint32_t unlike_threads;  /**< in unlike_thread */
    size_t waits;             /**< see prvcut_proof_wait */
};

/** Row i, worst first: by |error| times weight; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_proof_row *prvcut_proof_row(const struct prvcut_proof *p, size_t i);

/** Wait state i (prvcut/waits.h), the greatest difference first: shares of the threads' time in the
    iterations of the chop, and in those that it stands for. They count in no verdict; of cuts of
   the outermost loop, where reduce options ask for proof. Borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_proof_row *prvcut_proof_wait(const struct prvcut_proof *p, size_t i);

#ifdef __cplusplus
}
#endif

#endif
