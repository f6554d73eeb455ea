#ifndef PRVCUT_ANALYSIS_PATTERNS_OCCURRENCES_H
#define PRVCUT_ANALYSIS_PATTERNS_OCCURRENCES_H

#include "analysis/patterns/peaks.h"
#include "analysis/patterns/tree.h"

/** How often each pattern of a thread occurs, and how long it takes: bodies of loops, whose every
    iteration is an occurrence. */
struct pat_occurrence {
    uint32_t body;  /**< of the nest */
    unsigned level; /**< loops around it, the least; 1: it is the body of a loop at the top */
    uint64_t count;
    uint64_t first; /**< its lengths: pat_occurrences.length[first .. first + count) */
    uint64_t at;    /**< place of the first one's first call */
    uint64_t total_ns, least_ns, most_ns, begin_ns; /**< begin: of the first */
    struct pat_peaks peaks;
};

/** Where occurrences are made: how many begin in a function. */
struct pat_in {
    uint32_t body, function; /**< place in pat_thread.function, or UINT32_MAX */
    uint64_t count;
};

struct pat_occurrences {
    struct pat_occurrence *at; /**< [count] in the order in which they first occur */
    size_t count;
    uint64_t *length;       /**< ns, each in the order of time */
    struct prvcut_table in; /**< of pat_in */
    uint64_t kept; /**< calls left when of each peak of each pattern one occurrence stays */
};

/** errors: PRVCUT_ENOMEM. owns: *out is released with pat_occurrences_fini, also after a failure */
enum prvcut_status pat_occurrences_find(struct pat_occurrences *out, const struct pat_nest *n,
                                        const struct pat_thread *t, struct prvcut_error *err);
void pat_occurrences_fini(struct pat_occurrences *o);

/** Of the calls that are kept, each stretch of a thread: [from, to) of its calls, in order. */
struct pat_kept {
    enum prvcut_status (*stretch)(void *ctx, uint64_t from, uint64_t to, struct prvcut_error *err);
    void *ctx;
};

/** Which calls pat_occurrences.kept counts. */
enum prvcut_status pat_occurrences_keep(const struct pat_occurrences *o, const struct pat_nest *n,
                                        const struct pat_thread *t, const struct pat_kept *to,
                                        struct prvcut_error *err);

#endif
