#ifndef PRVCUT_API_FIND_PATTERN_H
#define PRVCUT_API_FIND_PATTERN_H

#include "model/trace.h"
#include "prvcut/patterns.h"

/** A pattern of the table of a run, and where it first occurs on each of its threads. */
struct api_find_pattern {
    enum prvcut_symbols symbols; /**< that the table was made with */
    size_t patterns;             /**< of the table; fewer than asked for: what follows is empty */
    uint32_t *thread;            /**< [threads] dense, ascending; owned */
    uint64_t *at;                /**< [threads] place of its first call; owned */
    size_t threads;
    uint64_t calls;
    char *body; /**< its calls by name; owned */
};

/**
 * Number n, from 1, of the table that prvcut_patterns_make has with these symbols.
 *
 * owns    *out is initialised here, released with api_find_pattern_fini, also after a failure
 * errors  as prvcut_patterns_make
 */
enum prvcut_status api_find_pattern(struct api_find_pattern *out, struct prvcut_trace *trace,
                                    const struct prvcut_run *run, uint64_t n,
                                    enum prvcut_symbols symbols, struct prvcut_error *err);

/** An iteration of the outermost loops that threads have by themselves. */
struct api_find_nests {
    struct api_find_nest {
        uint32_t thread;     /* dense */
        uint64_t first, end; /* calls */
    } * at;                  /**< [threads] by thread, those whose loop has so many; owned */
    size_t threads;
    uint64_t most; /**< iterations of a thread */
};

/**
 * The nth iteration, from 1, that each thread has in the nests of prvcut_patterns_make.
 *
 * owns    *out is initialised here, released with api_find_nests_fini, also after a failure
 * errors  as prvcut_patterns_make
 */
enum prvcut_status api_find_nests(struct api_find_nests *out, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, uint64_t nth,
                                  struct prvcut_error *err);
void api_find_nests_fini(struct api_find_nests *n);
void api_find_pattern_fini(struct api_find_pattern *p);

#endif
