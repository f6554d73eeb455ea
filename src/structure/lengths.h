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
 * Is the first iteration none like the others: does it reach back into what came before the loop,
 * or hold a warm-up?
 *
 * It is so where it is half as long again as the median and its distance from the longest of the
 * others is twice as large as these differ among themselves (Dixon's test: with two in three of the
 * whole range, four values already tell). There must be 3 others, and a last one that is
 * clearly shorter than the rest is not seen whole and does not count.
 *
 * shape   border: [borders] ascending
 */
bool prvcut_lengths_first_odd(const uint64_t *border, size_t borders, double median);

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

#endif
