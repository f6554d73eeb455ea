#ifndef PRVCUT_MODEL_STACK_H
#define PRVCUT_MODEL_STACK_H

#include "base/error.h"
#include "base/search.h"

#include <string.h>

/**
 * What a thread is in. One rule: an end ends the innermost frame of its type; where it names what
 * it ends, as in archives, the innermost of that type and value. Where these overlap instead of
 * being nested, that is not the innermost of all, and those inside it stay.
 */

/** A call, a region, whatever begins and ends. */
struct prvcut_frame {
    uint64_t begin; /**< ns */
    union {
        uint64_t own;  /**< ns as the innermost, as far as prvcut_stack_spend was told */
        uint64_t note; /**< of who wants no own times */
    };
    int64_t value;
    uint32_t type;
    uint32_t depth : 24; /**< how many were open where it began */
    uint32_t role : 8;
};

/** All of one thread, the innermost last; zeroed is empty. */
struct prvcut_stack {
    struct prvcut_frame *at; /**< [count]; owned */
    size_t count, room;
    uint64_t beyond; /**< open ones inside the deepest that is followed */
    uint64_t since;  /**< ns, the latest time of which it is known whose it was */
};

/** That deep they are followed: no program nests so many, but an event type whose values never come
    back to 0 looks as if. */
#define PRVCUT_STACK_DEEPEST 65536u

/** Room for one more at least. */
enum prvcut_status prvcut_stack_grow(struct prvcut_stack *s, struct prvcut_error *err);

/**
 * As deep as there is memory: where each begin has its end, or is one of a few.
 *
 * frame   depth is set here
 */
static inline enum prvcut_status prvcut_stack_push(struct prvcut_stack *s,
                                                   const struct prvcut_frame *frame,
                                                   struct prvcut_error *err)
{
    struct prvcut_frame *to;

    if (s->count == s->room && prvcut_stack_grow(s, err) < 0)
        return PRVCUT_ENOMEM;
    to = &s->at[s->count];
    /* Field by field: a copy in wider pieces would wait for what was just put there. */
    to->begin = frame->begin;
    to->note = frame->note;
    to->value = frame->value;
    to->type = frame->type;
    to->depth = (uint32_t)s->count++ & 0xffffff;
    to->role = frame->role;
    return PRVCUT_OK;
}

/**
 * frame   own and depth are set here
 * errors  PRVCUT_END: too deep to be followed; PRVCUT_ENOMEM
 */
static inline enum prvcut_status prvcut_stack_enter(struct prvcut_stack *s,
                                                    const struct prvcut_frame *frame,
                                                    struct prvcut_error *err)
{
    if (s->count >= PRVCUT_STACK_DEEPEST) {
        s->beyond++;
        return PRVCUT_END;
    }
    if (prvcut_stack_push(s, frame, err) < 0)
        return PRVCUT_ENOMEM;
    s->at[s->count - 1].own = 0;
    return PRVCUT_OK;
}

/** The innermost frame of a type; false: there is none that is followed. */
static inline bool prvcut_stack_find(const struct prvcut_stack *s, uint32_t type, size_t *index)
{
    const size_t last =
        prvcut_last_u32(s->at, s->count, sizeof *s->at, offsetof(struct prvcut_frame, type), type);

    if (last == s->count)
        return false;
    *index = last;
    return true;
}

/** The innermost of a type with that value; false: there is none. */
static inline bool prvcut_stack_find_value(const struct prvcut_stack *s, uint32_t type,
                                           int64_t value, size_t *index)
{
    for (size_t i = s->count; i-- > 0;)
        if (s->at[i].value == value && s->at[i].type == type) {
            *index = i;
            return true;
        }
    return false;
}

/** Which frame an end of a type ends; it is to be removed. false: none that is followed. */
static inline bool prvcut_stack_leave(struct prvcut_stack *s, uint32_t type, size_t *index)
{
    if (s->beyond > 0) {
        s->beyond--;
        return false;
    }
    return prvcut_stack_find(s, type, index);
}

/** Take one out; those inside it stay. */
static inline void prvcut_stack_remove(struct prvcut_stack *s, size_t index)
{
    s->count--;
    if (index < s->count)
        memmove(s->at + index, s->at + index + 1, (s->count - index) * sizeof *s->at);
}

/** An end: take out what it ends. false: none that is followed. */
static inline bool prvcut_stack_pop(struct prvcut_stack *s, uint32_t type, struct prvcut_frame *out)
{
    size_t index;

    if (!prvcut_stack_leave(s, type, &index))
        return false;
    *out = s->at[index];
    prvcut_stack_remove(s, index);
    return true;
}

/** Time up to now is the innermost frame's own; that of nobody where there is none. */
static inline void prvcut_stack_spend(struct prvcut_stack *s, uint64_t time)
{
    if (time <= s->since)
        return;
    if (s->count > 0)
        s->at[s->count - 1].own += time - s->since;
    s->since = time;
}

/** It is empty again; its memory stays. */
static inline void prvcut_stack_clear(struct prvcut_stack *s)
{
    s->count = 0;
    s->beyond = s->since = 0;
}

/** to: empty, without memory. */
enum prvcut_status prvcut_stack_copy(struct prvcut_stack *to, const struct prvcut_stack *from,
                                     struct prvcut_error *err);

void prvcut_stack_fini(struct prvcut_stack *s);

#endif
