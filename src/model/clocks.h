#ifndef PRVCUT_MODEL_CLOCKS_H
#define PRVCUT_MODEL_CLOCKS_H

#include "base/error.h"
#include "prvcut/trace.h"

/** How far the clocks of a trace's processes are apart, and what brings them together. */
struct prvcut_clocks {
    bool skewed;     /**< times as recorded contradict messages or collectives */
    int64_t *offset; /**< [tasks] ns to add to a process's own times; NULL unless skewed */
    uint32_t tasks;
    uint32_t unknown;    /**< processes outside the largest group that is tied together; each
                              other group has a least offset of 0, too */
    int64_t least, most; /**< of the offsets, ns */
    uint64_t doubt;      /**< half of the widest range that an offset could have, ns; of those
                              that are bounded both ways */
    uint64_t residual;   /**< ns by which some record still contradicts; 0: none does */
    uint64_t messages, collectives; /**< that were compared */
    enum prvcut_clock_source source;
};

void prvcut_clocks_fini(struct prvcut_clocks *c);

/** Who waits for whom in a collective. */
enum prvcut_clock_flow {
    PRVCUT_CLOCK_ALL, /**< nobody ends before everybody has begun (barrier, allreduce, alltoall) */
    PRVCUT_CLOCK_FROM_ROOT, /**< nobody ends before the root has begun */
    PRVCUT_CLOCK_TO_ROOT,   /**< the root does not end before everybody has begun */
    PRVCUT_CLOCK_NONE,      /**< says nothing: not to be noted */
};

#endif
