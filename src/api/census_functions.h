#ifndef PRVCUT_API_CENSUS_FUNCTIONS_H
#define PRVCUT_API_CENSUS_FUNCTIONS_H

#include "api/census.h"
#include "model/stack.h"

/*
 * Calls of functions and the time in them, followed thread by thread. A part follows its threads
 * from nothing; what it tells of functions that were open before it waits until it is joined.
 */

/** Time in what was open before the part, and then an end of something of that type. */
struct functions_early {
    uint64_t ns;
    uint32_t type;
};

/** A thread in a part, or up to it. */
struct functions_thread {
    struct prvcut_stack open;    /**< opened there */
    uint64_t first, since;         /**< ns, of its first and its latest event */
    struct functions_early *early; /**< [earlies]; owned */
    size_t earlies, room;
    uint64_t before_ns; /**< after these, in what was open before */
    bool begun;         /**< it has had an event */
};

/** What a part leaves behind; zeroed is none. */
struct functions_part {
    struct functions_thread *at; /**< [threads] */
    uint32_t *begun;             /**< [threads]: which of them have had an event */
    uint32_t threads, count;
    struct prvcut_table table; /**< of census_entry */
};

/** errors: PRVCUT_ENOMEM; released with functions_part_fini in any case */
enum prvcut_status functions_part_init(struct functions_part *p, uint32_t threads,
                                       struct prvcut_error *err);
enum prvcut_status functions_event(struct functions_part *p, const struct prvcut_event *e,
                                   struct prvcut_error *err);
void functions_part_empty(struct functions_part *p);
void functions_part_fini(struct functions_part *p);

/** All parts together, in the order of the input. */
struct functions {
    struct functions_thread *at; /**< [threads]; NULL: they are not followed */
    uint32_t threads;
    struct prvcut_table table; /**< of census_entry */
    uint64_t others;
};

enum prvcut_status functions_init(struct functions *f, uint32_t threads, struct prvcut_error *err);
enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err);

/** Hand over what was found. */
void functions_end(struct functions *f, struct census *out);
void functions_fini(struct functions *f);

#endif
