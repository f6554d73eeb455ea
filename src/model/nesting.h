#ifndef PRVCUT_MODEL_NESTING_H
#define PRVCUT_MODEL_NESTING_H

#include "base/error.h"

/*
 * What writers of archives have in common: thread by thread, regions that nest. An end that is not
 * the innermost one's leaves what is inside it first, and enters that again.
 */

/** What is known of an event type in the thread that is written; thread: UINT32_MAX at first. */
struct prvcut_nested_type {
    uint32_t thread; /**< that the others belong to */
    uint32_t open;   /**< regions of the type */
    uint64_t total;  /**< of a counter */
    bool counted;    /**< the counter's base has been written */
};

/** A region that the thread is in. */
struct prvcut_nested {
    uint32_t region, type; /**< as the writer numbers them */
    bool mpi;
    uint64_t since;        /**< ns */
    uint64_t match;        /**< of the record of a collective that it is; 0: none */
    uint32_t communicator; /**< of that one, the others, too; the writer's own */
    uint32_t root;
    uint64_t sent, received; /**< bytes */
};

/** How a format writes them. */
struct prvcut_nesting_format {
    struct prvcut_nested_type *(*type)(void *writer, uint32_t type);
    /** It is left because one around it ends, and entered again. */
    enum prvcut_status (*interrupt)(void *writer, uint64_t time, struct prvcut_nested *r,
                                    struct prvcut_error *err);
    enum prvcut_status (*resume)(void *writer, uint64_t time, struct prvcut_nested *r,
                                 struct prvcut_error *err);
    /** implicit: no record tells that it ends */
    enum prvcut_status (*leave)(void *writer, uint64_t time, struct prvcut_nested *r, bool implicit,
                                struct prvcut_error *err);
};

/** Zeroed but for format and writer. */
struct prvcut_nesting {
    const struct prvcut_nesting_format *format;
    void *writer;
    bool calls_nest; /**< prvcut_trace_calls_nest of the original; else an MPI call's end ends all
                          of its type */
    uint32_t thread;
    struct prvcut_nested *at; /**< [depth], the innermost last; owned */
    size_t depth, room;
    size_t mpi; /**< of these */
};

/** The next thread begins, in nothing. */
void prvcut_nesting_start(struct prvcut_nesting *n, uint32_t thread);

/** Of the thread that is written. */
struct prvcut_nested_type *prvcut_nesting_type(struct prvcut_nesting *n, uint32_t type);

/** Is the region that lies inside `inner` others, none: the innermost, of a type? */
static inline bool prvcut_nesting_is(const struct prvcut_nesting *n, size_t inner, uint32_t type)
{
    return inner < n->depth && n->at[n->depth - 1 - inner].type == type;
}

/** The innermost region of a type ends, or all MPI calls of it; PRVCUT_END: there is none. */
enum prvcut_status prvcut_nesting_end(struct prvcut_nesting *n, uint64_t time, uint32_t type,
                                      struct prvcut_error *err);

/** All that is open ends, as no record tells. */
enum prvcut_status prvcut_nesting_end_all(struct prvcut_nesting *n, uint64_t time,
                                          struct prvcut_error *err);

/**
 * Before a region of a type begins: what it takes the place of ends.
 *
 * flat    of the type there is but one at a time: the new one takes the place of the old one
 * errors  PRVCUT_END: too deep to be written; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_nesting_make_room(struct prvcut_nesting *n, uint64_t time, uint32_t type,
                                            bool flat, struct prvcut_error *err);

/** It has begun; there is room. */
void prvcut_nesting_begin(struct prvcut_nesting *n, const struct prvcut_nested *region);

#endif
