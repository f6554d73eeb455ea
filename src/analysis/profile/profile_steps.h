#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_STEPS_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_STEPS_H

#include "base/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * What happens to threads in a part of the input, kept in its order until parts are joined, by who
 * can tell only there what it means. What a step is, and which of its numbers mean something, is
 * each listener's.
 */
struct prvcut_profile_step {
    uint64_t from, to; /**< ns */
    uint64_t amount;
    uint32_t thread;
    uint32_t type; /**< of an event, or the number of a state */
    uint32_t what;
};

/** Zeroed to begin with; its memory is used again. */
struct prvcut_profile_steps {
    struct prvcut_profile_step *at; /**< [count] */
    size_t count, room;
};

static inline enum prvcut_status prvcut_profile_steps_add(struct prvcut_profile_steps *s,
                                                          struct prvcut_profile_step step,
                                                          struct prvcut_error *err)
{
    if (s->count == s->room &&
        prvcut_grow((void **)&s->at, &s->room, s->count + 1, sizeof *s->at, err) < 0)
        return PRVCUT_ENOMEM;
    s->at[s->count++] = step;
    return PRVCUT_OK;
}

static inline void prvcut_profile_steps_clear(struct prvcut_profile_steps *s)
{
    s->count = 0;
}

static inline void prvcut_profile_steps_fini(struct prvcut_profile_steps *s)
{
    free(s->at);
    memset(s, 0, sizeof *s);
}

#endif
