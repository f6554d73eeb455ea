#ifndef PRVCUT_MATCH_ROOTED_H
#define PRVCUT_MATCH_ROOTED_H

#include "model/objects.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Who is at the root of a collective where the root alone tells that it is: the k-th rooted
 * collective of one member of a communicator is the k-th of all others.
 */

/** A task as a member of a communicator. */
struct prvcut_rooted_member {
    uint32_t application, id;    /**< of the communicator */
    uint32_t communicator, task; /**< indices */
    uint64_t count;              /**< its rooted collectives so far */
    uint64_t mark;               /**< whoever asks: where it is among them */
};

/** Rooted collectives of a communicator, one after the other, that have one root. */
struct prvcut_rooted_run {
    uint32_t communicator, root; /**< root: task */
    uint64_t first, count;
};

/** Roots of all collectives of a trace; zeroed is empty and valid. */
struct prvcut_rooted {
    const struct prvcut_objects *objects;
    struct prvcut_rooted_member *member; /**< [members] by application, id and task */
    size_t members;
    struct prvcut_rooted_run *run; /**< [runs] */
    size_t runs, run_room;
    size_t *last;  /**< [communicators] run that was last added to + 1 */
    bool *unknown; /**< [communicators] its members do not agree */
};

/** owns: released with prvcut_rooted_fini, also after a failure; o is borrowed */
enum prvcut_status prvcut_rooted_init(struct prvcut_rooted *r, const struct prvcut_objects *o,
                                      struct prvcut_error *err);
void prvcut_rooted_fini(struct prvcut_rooted *r);

/** The thread as a member of its application's communicator with that id; NULL: it is none. */
struct prvcut_rooted_member *prvcut_rooted_member(const struct prvcut_rooted *r, uint32_t thread,
                                                  int64_t id);

/** The member's next one; root: it says that it is at its root. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_rooted_add(struct prvcut_rooted *r, struct prvcut_rooted_member *m,
                                     bool root, struct prvcut_error *err);

/** All are added. */
void prvcut_rooted_settle(struct prvcut_rooted *r);

/** The task at the root of a communicator's k-th one; PRVCUT_NOBODY: not known. */
uint32_t prvcut_rooted_root(const struct prvcut_rooted *r, uint32_t communicator, uint64_t k);

#endif
