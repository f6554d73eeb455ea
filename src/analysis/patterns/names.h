#ifndef PRVCUT_ANALYSIS_PATTERNS_NAMES_H
#define PRVCUT_ANALYSIS_PATTERNS_NAMES_H

#include "model/dictionary.h"

#include <stddef.h>
#include <stdint.h>

/**
 * What people call it: "Isend", "Allreduce"; "50000001:99" where the trace has no name for it.
 * MPI's go without their "MPI_"; a label that says no more than that something begins is told by
 * that of its type.
 *
 * returns out
 */
const char *pat_name(char *out, size_t room, const struct prvcut_dictionary *names, uint32_t type,
                     int64_t value);

/** The same with its "MPI_", as all answers but rows of calls have it. */
const char *pat_name_whole(char *out, size_t room, const struct prvcut_dictionary *names,
                           uint32_t type, int64_t value);

/** Of whose runtime a name is, that of a type or, where all are of one type (EZTrace), of a region:
   a bit of enum pat_of; 0: it does not tell. */
uint32_t pat_name_runtime(const char *name);

#endif
