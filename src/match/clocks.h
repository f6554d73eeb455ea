#ifndef PRVCUT_MATCH_CLOCKS_H
#define PRVCUT_MATCH_CLOCKS_H

#include "model/clocks.h"

/**
 * What is known of the processes' clocks: the first messages and collectives of each.
 *
 * Notes are bounded in memory: of each channel (sender, receiver, tag) and each
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
                                          uint32_t receiver, int64_t tag, uint64_t time,
                                          struct prvcut_error *err);
enum prvcut_status prvcut_clock_note_receive(struct prvcut_clock_notes *n, uint32_t receiver,
                                             uint32_t sender, int64_t tag, uint64_t time,
                                             struct prvcut_error *err);

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
