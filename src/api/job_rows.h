#ifndef PRVCUT_API_JOB_ROWS_H
#define PRVCUT_API_JOB_ROWS_H

#include "api/job.h"

/** Iterations in a row, as they were told one by one. */
struct job_row {
    struct prvcut_span span;
    const uint64_t *border; /**< [borders], on the thread that leads; NULL: unknown */
    size_t borders;
    const struct prvcut_known_loop *loop;
    double iterations;
};

struct job_row job_row_of_region(const struct job *j, size_t region);

/** Iterations of a region's loop, of which there may be several parts with borders of their own. */
struct job_row job_row_between(const struct job *j, const uint64_t *border, size_t borders,
                               size_t region);

/** The index of a row's first border among those of its loop; SIZE_MAX: it has none there. */
size_t job_row_first(const struct job_row *r);

/** Each thread runs through the row's iterations at times of its own, as far as these are known;
    the others are taken to be with the one that leads. skip: so many at either end are left out;
    bound: [2 * threads] for starts and ends; NULL: there is no room */
struct prvcut_window job_row_window(const struct job *j, const struct job_row *r,
                                    const size_t skip[2], uint64_t *bound);

/** Does something disturb that span? */
bool job_row_is_touched(const struct job *j, const struct prvcut_span *w);

#endif
