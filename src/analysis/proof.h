#ifndef PRVCUT_ANALYSIS_PROOF_H
#define PRVCUT_ANALYSIS_PROOF_H

#include "model/made.h"
#include "pass/pass.h"
#include "prvcut/reduce.h"

/** A region whose values are wanted, and the chops that stand for it. */
struct prvcut_proof_region {
    struct prvcut_window window; /**< one span, or one a thread; not asked where there are pieces */
    const struct prvcut_window
        *piece;        /**< [pieces] disjoint on each thread, whose values are added up */
    size_t pieces;     /**< 0: the window alone */
    double iterations; /**< that it holds; those that are masked count, too */
    const struct prvcut_span
        *mask; /**< [masks] ascending, disjoint; what is masked does not count */
    size_t masks;
};

struct prvcut_proof_chop {
    size_t region;               /**< index into the regions */
    struct prvcut_window window; /**< one span, or one a thread */
    unsigned iterations;
};

/** Who listens to the same reading. */
struct prvcut_proof_beside {
    const struct prvcut_listener *const *listener; /**< [listeners] */
    size_t listeners;
};

/** Verdicts by the greatest |error| times weight of all rows: at most that, else "doubtful". */
#define PRVCUT_PROOF_FAITHFUL 0.05
#define PRVCUT_PROOF_FAIR     0.15

/**
 * Compare chops with the regions that they stand for.
 *
 * One pass over the whole trace (two where it has no MPI calls), whatever the number of regions and
 * chops, which may overlap and nest in any way. Memory grows with threads x (regions + chops), up
 * to 48 MiB, and with (regions + chops) x (states + calls), not with the trace; where the threads
 * would need more, they are not told apart: efficiency, load balance and unlike threads are then
 * left out. All sums are integers, so the result is the same for any number of workers.
 *
 * What counts where, on each thread for itself, masked time always left out:
 * - a state or a call that crosses a border: with the time that lies inside;
 * - a call, a message: where it begins, where it is sent;
 * - a counter: evenly over the time from the thread's last reading to its own, so that what a long
 *   burst before a region counted does not fall into it; the first reading of a thread is left out,
 *   as it is unknown what it counts from;
 * - a call lasts from the event that begins it to the thread's next MPI event.
 * "share" is of the time (span without masks, of each thread's own window) of all threads that have
 * a state or a call in the region or in the chop; "1/iteration" is of all threads together.
 * Computing is the running state, in traces without any: all time outside MPI. Efficiency is of the
 * threads that run or call in the region or in the chop: the same for both. Where their windows
 * differ in length the runtime is the mean of these, as of prvcut_efficiency: who computes most may
 * compute for longer than that, and communication efficiency is above 1.
 *
 * shape   out: [chops], zeroed; names from the trace's labels
 *         beside: to the first pass, if there are chops; NULL: nobody
 * owns    what out points to, released with prvcut_proof_fini; all empty after a failure
 * errors  those of the reader, PRVCUT_ENOMEM, PRVCUT_ELIMIT
 * source  Casas 4.3.2.1 (equations 4.2, 4.3): load balance and communication efficiency; parallel
 *         efficiency is their product
 */
enum prvcut_status prvcut_proofs_make(struct made_proof *out, struct prvcut_trace *t,
                                      const struct prvcut_run *run,
                                      const struct prvcut_proof_region *region, size_t regions,
                                      const struct prvcut_proof_chop *chop, size_t chops,
                                      const struct prvcut_proof_beside *beside,
                                      struct prvcut_error *err);

struct prvcut_measure;
struct prvcut_column;

/**
 * Compare what was measured: [0] of what is stood for, [1] of the cut.
 *
 * shape   iterations: masked ones count, too; out: zeroed
 * owns    what out points to, released with prvcut_proof_fini; empty after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_proof_compare(struct made_proof *out, const struct prvcut_measure *m,
                                        const struct prvcut_column *const column[2],
                                        const double iterations[2], struct prvcut_error *err);

/** Release what a proof owns; all of it becomes zero. */
void prvcut_proof_fini(struct made_proof *p);

#endif
