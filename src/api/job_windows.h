#ifndef PRVCUT_API_JOB_WINDOWS_H
#define PRVCUT_API_JOB_WINDOWS_H

#include "api/job.h"

/**
 * All windows of the loops that cuts are taken from, measured in one reading before anything is
 * cut: what chooses the typical one, and what a cut is compared with.
 */
struct job_windows;

/**
 * Measure the windows that compete for each planned cut of typical or named iterations, and let
 * the typical ones take the place of what was planned. Where a loop has more iterations than can be
 * held, 64 windows that are spread evenly over it compete.
 *
 * owns    j->windows, released with job_windows_free; NULL where nothing is to be compared
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_choose(struct job *j, struct job_plan *plan,
                                      struct prvcut_error *err);

/** So few windows or iterations of all are clear that these alone say what is usual. */
bool job_clear_tell_alone(size_t clear, size_t all);

/** How each cut stands beside all windows: its verdict and, where it has none, its proof.
 *all: none is left that was not measured. errors  PRVCUT_ENOMEM */
enum prvcut_status job_windows_judge(struct job *j, const struct job_plan *plan, bool *all,
                                     struct prvcut_error *err);

/** The verdict of the most typical window of so many iterations where a cut is from; unasked: that
    is unknown. errors  PRVCUT_ENOMEM */
enum prvcut_status job_windows_try(struct job *j, size_t chop, unsigned iterations,
                                   enum prvcut_chop_verdict *verdict, struct prvcut_error *err);

/** Calls that a thread makes in an iteration, the median of the threads that call there; NAN: none
    do, or it was not measured. shape: start: ns, of a stretch's border; room: [threads] */
double job_windows_calls(const struct job *j, uint64_t start, double *room);

void job_windows_free(struct job_windows *w);

#endif
