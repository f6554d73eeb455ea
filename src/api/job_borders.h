#ifndef PRVCUT_API_JOB_BORDERS_H
#define PRVCUT_API_JOB_BORDERS_H

#include "analysis/proof.h"
#include "api/job.h"
#include "api/job_rows.h"

/** A border that threads which the search did not compare are wanted to have of their own. */
struct job_border {
    const struct prvcut_known_loop *loop;
    size_t k;     /**< among those of the loop */
    size_t bound; /**< index in the windows' bounds of the first thread's */
};

/** Of many windows that job_row_window laid. Zeroed: none. */
struct job_borders {
    struct job_border *at; /**< [count]; owned */
    size_t count, room;
    bool missed; /**< some threads have borders that were laid by those of the one that leads */
};

/** Both borders of a row are wanted of all threads; bound: index of its window's first.
    errors  PRVCUT_ENOMEM */
enum prvcut_status job_borders_want(struct job_borders *b, const struct job *j,
                                    const struct job_row *row, size_t bound,
                                    struct prvcut_error *err);

/**
 * Each thread that was not compared has borders of its own, at its own calls, as a cut would have
 * them: reads the trace once more, between the first and the last border, unless none is wanted.
 *
 * shape   at: [count], whose windows point into bound: [count][2 * threads], or nowhere
 * errors  those of a scan, PRVCUT_ENOMEM
 */
enum prvcut_status job_borders_align(struct job_borders *b, const struct job *j,
                                     const struct prvcut_proof_region *at, size_t count,
                                     uint64_t *bound, struct prvcut_error *err);

void job_borders_fini(struct job_borders *b);

/** From now on the job keeps what was read for borders: the same ones are not read again. Released
    with job_borders_forget. errors  PRVCUT_ENOMEM */
enum prvcut_status job_borders_keep(struct job *j, struct prvcut_error *err);
void job_borders_forget(struct job *j);

/** Is a loop not one of that application? Of its threads some were compared, and their calls do not
    repeat with it. */
bool job_borders_apart(const struct job *j, const struct prvcut_known_loop *l,
                       uint32_t application);

#endif
