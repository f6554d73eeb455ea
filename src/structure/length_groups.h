#ifndef PRVCUT_STRUCTURE_LENGTH_GROUPS_H
#define PRVCUT_STRUCTURE_LENGTH_GROUPS_H

#include <stddef.h>

/** Iterations of about one length, ns. */
struct prvcut_length_group {
    size_t iterations;
    double shortest, median, longest;
};

/** Most that are told: of more the lengths are spread, not in groups. */
#define PRVCUT_LENGTH_GROUPS 4

/**
 * Do lengths lie in groups? The density of their logarithms is smoothed over 6 %; between two
 * groups it is less than two fifths of what it is in either. Groups of few iterations are left out.
 * None is told where there is but one to speak of, where more than a few are left out, or where
 * there are fewer than a dozen iterations.
 *
 * shape   length: [count] ns; those of 0 count for nothing; it is sorted
 * returns how many, the shortest first; 0: they do not
 */
size_t prvcut_length_groups_find(struct prvcut_length_group out[PRVCUT_LENGTH_GROUPS],
                                 double *length, size_t count);

#endif
