#ifndef PRVCUT_STRUCTURE_NESTED_H
#define PRVCUT_STRUCTURE_NESTED_H

#include "signal/calls.h"

/** The outermost loop of a thread, where its calls are written as nested loops. */
struct prvcut_nested {
    uint32_t *first; /**< [count + 1] the first call of each iteration, the call after the last;
                        owned by who asked */
    size_t count;    /**< iterations; 0: there is no such loop, and nothing is owned */
    bool tolerant;   /**< the loops inside go round more or less often */
    double cover;    /**< of the thread's calls */
};

/** Who can tell. errors: PRVCUT_ENOMEM */
typedef enum prvcut_status prvcut_nested_tell(struct prvcut_nested *out,
                                              const struct prvcut_call_sequence *s,
                                              struct prvcut_error *err);

struct prvcut_search;
struct prvcut_search_input;

/**
 * Hold what was found against the nested loops of threads that follow it: to s->confidence, and
 * where these tell what it lacks, to the calls' loop, s->loop and verdict.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_nested(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_error *err);

#endif
