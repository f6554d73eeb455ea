#ifndef PRVCUT_ANALYSIS_PATTERNS_REPEATED_H
#define PRVCUT_ANALYSIS_PATTERNS_REPEATED_H

#include "analysis/patterns/repeats.h"
#include "analysis/patterns/store.h"

/** Places of a stretch that are kept. */
#define PAT_POSITIONS_MOST 1000u

enum pat_repeat_kind { PAT_MAXIMAL, PAT_SUPERMAXIMAL, PAT_TANDEM };

/** A call as it is called. */
struct pat_called {
    uint32_t type;
    int64_t value;
};

/** A stretch of calls that comes back, on one thread or several. */
struct pat_repeated {
    uint64_t key;
    enum pat_repeat_kind kind;
    uint32_t length;       /**< calls */
    uint32_t count, apart; /**< on its first thread: occurrences; without overlap */
    uint64_t coverage;     /**< calls in it, on all threads, without overlap */
    uint64_t first_ns;     /**< its first occurrence there */
    uint32_t *thread;      /**< [threads] ascending; owned */
    size_t threads, thread_room;
    struct pat_called *call; /**< [length]; owned */
    uint64_t *position; /**< [positions] places among the first thread's calls, from 0; owned */
    uint32_t positions;
};

struct pat_repeated_options {
    enum pat_alphabet alphabet;
    bool raw;              /**< in the calls as they are; else every loop's body stands once */
    uint32_t least_length; /**< calls */
};

struct pat_repeated_found {
    struct pat_repeated *at; /**< [count] those that cover most first; owned */
    size_t count, room;
    uint64_t left; /**< found, but not counted out: their occurrences were too many */
};

/**
 * What comes back on each thread, at least twice without overlap; the same on several threads is
 * one.
 *
 * owns    out is released with pat_repeated_fini, also after a failure
 * errors  as pat_sequences_read; PRVCUT_ELIMIT: too many calls of a thread
 */
enum prvcut_status pat_repeated_find(struct pat_repeated_found *out, struct pat_store *store,
                                     const struct pat_repeated_options *options,
                                     struct prvcut_error *err);
void pat_repeated_fini(struct pat_repeated_found *f);

#endif
