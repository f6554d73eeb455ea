#ifndef PRVCUT_STRUCTURE_LENGTHS_H
#define PRVCUT_STRUCTURE_LENGTHS_H

#include "base/error.h"
#include "prvcut/structure.h"

/** What the lengths of iterations tell, ns. */
struct prvcut_lengths {
    double mean, median, first, last;
    double spread; /**< robust standard deviation, 1.4826 MAD */
};

/**
 * Measure the iterations between borders; those that a mask touches are left out (first and last,
 * too).
 *
 * shape   border: [borders] ascending, borders >= 2; mask: [masks] ascending, disjoint
 * errors  PRVCUT_ENOMEM; all masked gives zeros
 */
enum prvcut_status prvcut_lengths_measure(struct prvcut_lengths *out, const uint64_t *border,
                                          size_t borders, const struct prvcut_span *mask,
                                          size_t masks, struct prvcut_error *err);

/**
 * Where the length changes for good from one iteration to the next: another solver, a refined mesh.
 * A slow drift is no change, nor are single long iterations, noise, or lengths that alternate.
 *
 * shape   *change: allocated here, [*changes] indices of borders, ascending, each with at least 3
 *         iterations on both sides; NULL where there is none
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_lengths_changes(size_t **change, size_t *changes, const uint64_t *border,
                                          size_t borders, const struct prvcut_span *mask,
                                          size_t masks, struct prvcut_error *err);

/** Outliers are kept up to this number, the most unusual first. */
#define PRVCUT_OUTLIERS_MAX 100

/**
 * Iterations longer or shorter than the median (of their surroundings: drift does not count) by
 * more than 3 robust standard deviations and 1 % of it; those that a mask touches are left out.
 *
 * shape   *out: allocated here, [*count] most unusual first, NULL where there is none; *seen: all
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_lengths_outliers(struct prvcut_outlier **out, size_t *count,
                                           uint64_t *seen, const uint64_t *border, size_t borders,
                                           const struct prvcut_span *mask, size_t masks,
                                           struct prvcut_error *err);

#endif
