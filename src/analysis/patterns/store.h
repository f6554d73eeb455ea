#ifndef PRVCUT_ANALYSIS_PATTERNS_STORE_H
#define PRVCUT_ANALYSIS_PATTERNS_STORE_H

#include "analysis/patterns/sequences.h"

/** The threads of a trace, again and again: kept in memory where they are few, else read again. */
struct pat_store {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_dictionary *names;
    struct pat_sequences_options options;
    size_t memory; /**< bytes of calls and symbols that may be kept; 0: 128 MiB */
    /* Its own. */
    struct pat_thread *thread; /**< [threads] */
    size_t threads, room, bytes;
    struct pat_function *function; /**< [functions] */
    size_t functions, function_room;
    bool read, kept;
    unsigned readings;
};

/** Hand over each thread, in order; as pat_sequences_read, but nothing may be taken. */
enum prvcut_status pat_store_each(struct pat_store *s,
                                  enum prvcut_status (*take)(void *ctx, struct pat_thread *one,
                                                             struct prvcut_error *err),
                                  void *ctx, struct prvcut_error *err);

void pat_store_fini(struct pat_store *s);

#endif
