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

/**
 * What is known of the processes' clocks: the first messages and collectives of each.
 *
 * Notes are bounded in memory: of each channel (sender, receiver, communicator, tag) and each
 * communicator only the first ones count, so a reader notes the start of every process and stops
 * when prvcut_clock_notes_full says so.
 */
struct prvcut_clock_notes;

/** owns: *out is the caller's, released with prvcut_clock_notes_free. Not thread-safe. */
enum prvcut_status prvcut_clock_notes_new(struct prvcut_clock_notes **out, uint32_t tasks,
                                          struct prvcut_error *err);

void prvcut_clock_notes_free(struct prvcut_clock_notes *n);

/**
 * A send (posted) or a receive (complete); times of one process must not decrease; ns of the
 * process's own clock. Unknown partners are not to be noted. Messages are compared by sender,
 * receiver and tag, as some tracers record the communicator wrongly at one end.
 */
enum prvcut_status prvcut_clock_note_send(struct prvcut_clock_notes *n, uint32_t sender,
                                          uint32_t receiver, uint32_t communicator, int64_t tag,
                                          uint64_t time, struct prvcut_error *err);
enum prvcut_status prvcut_clock_note_receive(struct prvcut_clock_notes *n, uint32_t receiver,
                                             uint32_t sender, uint32_t communicator, int64_t tag,
                                             uint64_t time, struct prvcut_error *err);

/** Who waits for whom in a collective. */
enum prvcut_clock_flow {
    PRVCUT_CLOCK_ALL, /**< nobody ends before everybody has begun (barrier, allreduce, alltoall) */
    PRVCUT_CLOCK_FROM_ROOT, /**< nobody ends before the root has begun */
    PRVCUT_CLOCK_TO_ROOT,   /**< the root does not end before everybody has begun */
    PRVCUT_CLOCK_NONE,      /**< says nothing: not to be noted */
};

/**
 * One process's part in its next collective on a communicator. The k-th ones of all members belong
 * together; those whose kinds differ are left out, and so is all that follows on the communicator.
 *
 * shape   members: processes in the communicator; root: task index, or PRVCUT_NOBODY for ALL
 */
enum prvcut_status prvcut_clock_note_collective(struct prvcut_clock_notes *n, uint32_t task,
                                                uint32_t communicator, uint32_t members,
                                                enum prvcut_clock_flow flow, uint32_t root,
                                                uint64_t begin, uint64_t end,
                                                struct prvcut_error *err);

/** Nothing more of this process will be kept. */
bool prvcut_clock_notes_full(const struct prvcut_clock_notes *n, uint32_t task);

/**
 * Offsets that undo all contradictions, where there are any: the middle of what is possible,
 * of each one, moved so that the least offset is 0 and none is negative.
 *
 * owns    *out is initialised here, released with prvcut_clocks_fini
 * errors  PRVCUT_ENOMEM; clocks that contradict whatever is done are PRVCUT_OK with a residual
 * source  difference constraints, shortest paths by Bellman and Ford
 */
enum prvcut_status prvcut_clocks_solve(struct prvcut_clocks *out, struct prvcut_clock_notes *n,
                                       struct prvcut_error *err);

#endif
