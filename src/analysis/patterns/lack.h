#ifndef PRVCUT_ANALYSIS_PATTERNS_LACK_H
#define PRVCUT_ANALYSIS_PATTERNS_LACK_H

#include "analysis/patterns/choose.h"
#include "analysis/patterns/given.h"

/**
 * Why an exact nest has no outermost loop: what its largest loop at the top lacks, in words, and
 * what the structure of the run tells in its place.
 *
 * shape   n: of the thread's calls; given: the structure's iterations; NULL: nobody asked
 * owns    *out is the caller's to free()
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_lack(char **out, const struct pat_nest *n, const struct pat_thread *t,
                            const struct pat_given *given, struct prvcut_error *err);

#endif
