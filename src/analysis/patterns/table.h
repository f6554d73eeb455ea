#ifndef PRVCUT_ANALYSIS_PATTERNS_TABLE_H
#define PRVCUT_ANALYSIS_PATTERNS_TABLE_H

#include "analysis/patterns/patterns.h"

/** Add a thread's patterns to those of all. */
enum prvcut_status pat_table_add(struct pat_found *f, struct prvcut_table *known,
                                 const struct pat_nest *n, struct pat_occurrences *o,
                                 const struct pat_thread *t, const struct pat_argued *argued,
                                 const struct prvcut_dictionary *names, struct prvcut_error *err);

/** What `known` holds: by a pattern's key its place. */
struct pat_known {
    uint64_t key;
    size_t place;
};

/** All threads are added: patterns with most time first. */
void pat_table_end(struct pat_found *f);

#endif
