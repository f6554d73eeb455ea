#ifndef PRVCUT_ANALYSIS_PATTERNS_SEEK_H
#define PRVCUT_ANALYSIS_PATTERNS_SEEK_H

#include "analysis/patterns/approx.h"
#include "analysis/patterns/nest.h"
#include "analysis/patterns/sequences.h"

/**
 * Where a piece of communication happens again, also nearly: each thread's calls are searched for
 * the calls of the same thread in the query, and what is found is joined over the threads by the
 * messages and collectives that belong together.
 *
 * source  Alawneh 2011, IV.C, but for how candidates are found and chosen
 */

/** A thread's calls. */
struct pat_row {
    uint32_t thread, task;
    uint32_t number; /**< of the thread in its task */
    uint64_t *key;   /**< [calls] equal calls have the same, in any thread and trace; owned */
    uint64_t *begin; /**< [calls] ns; owned */
    uint64_t *end;   /**< [calls] ns; owned */
    size_t calls;
};

struct pat_rows {
    struct pat_row *row; /**< [rows] by thread; those without calls are left out */
    size_t rows, room;
    bool regions; /**< of all: no thread makes MPI calls */
    bool bare;    /**< there are none but Init and Finalize, as burst mode records */
};

/**
 * shape   of the calls that begin in the window; end 0 = all. Threads that make no MPI calls are
 *         left out where others do
 * owns    *r is initialised here, released with pat_rows_fini, also after a failure
 * errors  as pat_sequences_read
 */
enum prvcut_status pat_rows_read(struct pat_rows *r, struct prvcut_trace *t,
                                 const struct prvcut_run *run, struct prvcut_span only,
                                 enum pat_alphabet alphabet, struct prvcut_error *err);
void pat_rows_fini(struct pat_rows *r);

/** The outermost loop of a row, as its calls alone tell. errors: as pat_nest_make */
enum prvcut_status pat_row_outermost(struct pat_outermost *out, const struct pat_row *r,
                                     struct prvcut_error *err);

/** The piece of a row that is looked for: calls [first, end); none: first == end. */
struct pat_excerpt {
    size_t first, end;
};

/** Where it is, on one thread. */
struct pat_spot {
    uint32_t row;        /**< of those that were searched */
    uint32_t first, end; /**< calls, half open */
    uint32_t edits;
    uint64_t begin_ns, end_ns; /**< from its first call to the end of its last */
    uint64_t until_ns;         /**< where the next call begins */
};

/** Where it is, on the threads that belong together. */
struct pat_place {
    size_t first, count; /**< its spots: pat_sought.part[first .. first + count) by row */
    uint64_t begin_ns, end_ns;
    uint64_t edits; /**< of all */
};

struct pat_sought {
    struct pat_spot *spot; /**< [spots] by row, then by begin */
    size_t spots, spot_room;
    size_t *of;     /**< [rows + 1] a row's spots are spot[of[r] .. of[r + 1]) */
    uint32_t *part; /**< [parts] spots */
    size_t parts, part_room;
    struct pat_place *place; /**< [places] by begin */
    size_t places, place_room;
    uint64_t *most;  /**< [rows] edits that are allowed; 0 where nothing is looked for, too */
    uint64_t *asked; /**< [rows] calls that are looked for */
    size_t rows, asked_rows; /**< asked_rows: of which something is looked for */
    uint64_t inside, across; /**< messages between spots: with both ends in one place; not so */
};

/** How near: edits of each thread, or a share of its calls. */
struct pat_nearness {
    uint64_t edits;
    double share;
    bool by_share;
};

/**
 * Look for a piece of each row of one set in the row of the same thread of the other, which are
 * those of the trace.
 *
 * shape   piece: [query->rows]; query and rows may be the same
 * owns    *s is initialised here, released with pat_sought_fini, also after a failure
 * errors  PRVCUT_EUSAGE: nothing to look for, or everything would be found; PRVCUT_ELIMIT: too many
 *         calls, or matches; as prvcut_stream_tell
 */
enum prvcut_status pat_seek(struct pat_sought *s, const struct pat_rows *query,
                            const struct pat_excerpt *piece, const struct pat_rows *rows,
                            const struct pat_nearness *near, struct prvcut_trace *t,
                            const struct prvcut_run *run, struct prvcut_error *err);
void pat_sought_fini(struct pat_sought *s);

/** Join spots by what they share (seek_join.c). */
enum prvcut_status pat_seek_join(struct pat_sought *s, const struct pat_rows *rows,
                                 struct prvcut_trace *t, const struct prvcut_run *run,
                                 struct prvcut_error *err);

#endif
