#ifndef PRVCUT_CONVERT_ROOTS_H
#define PRVCUT_CONVERT_ROOTS_H

#include "convert/selection.h"
#include "convert/sift.h"
#include "model/batch.h"
#include "model/writer.h"

/*
 * Paraver tells a collective's root by an event of the root alone. Other formats tell it at every
 * member: the k-th rooted collective of one member of a communicator is the k-th of all others.
 */

/** A task as a member of a communicator. */
struct cnv_member {
    uint32_t application, id;    /**< of the communicator */
    uint32_t communicator, task; /**< indices */
    uint64_t read, written;      /**< its rooted collectives so far */
};

/** Rooted collectives of a communicator, one after the other, that have one root. */
struct cnv_root_run {
    uint32_t communicator, root; /**< root: task */
    uint64_t first, count;
};

/** Roots of all collectives of a trace; zeroed is empty and valid. */
struct cnv_roots {
    const struct prvcut_objects *objects;
    const struct cnv_selection *selection;
    uint32_t *origin; /**< [selected threads] number in the original; NULL: all are selected */
    struct cnv_member *member; /**< [members] by application, id and task */
    size_t members;
    struct cnv_root_run *run; /**< [runs] */
    size_t runs, run_room;
    size_t *last;  /**< [communicators] run that was last added to + 1 */
    bool *unknown; /**< [communicators] its members do not agree */
};

/** A rooted collective of one thread. */
struct cnv_rooted {
    uint32_t thread;
    bool root;     /**< the thread is at the root */
    uint64_t time; /**< ns */
    int64_t id;    /**< of the communicator */
};

/** Rooted collectives of a part, while it is read; zeroed is empty and valid. */
struct cnv_rooted_list {
    struct cnv_rooted *at;
    size_t count, room;
    struct cnv_rooted now; /**< of the present line */
    unsigned known;        /**< of the present line: bits of what it has told */
};

/** The events of a batch, in order, but for those that rules take away (NULL: none).
    errors: PRVCUT_ENOMEM */
enum prvcut_status cnv_rooted_note(struct cnv_rooted_list *l, const struct prvcut_batch *b,
                                   const struct prvcut_rules *rules, struct prvcut_error *err);
void cnv_rooted_fini(struct cnv_rooted_list *l);

enum prvcut_status cnv_roots_init(struct cnv_roots *r, const struct prvcut_objects *o,
                                  struct prvcut_error *err);
void cnv_roots_fini(struct cnv_roots *r);

/** All of a part, after all of the parts before it; those before `from` will not be written. */
enum prvcut_status cnv_roots_add(struct cnv_roots *r, struct cnv_rooted_list *l, uint64_t from,
                                 struct prvcut_error *err);

/** Everything has been read; the selection is borrowed. */
enum prvcut_status cnv_roots_settle(struct cnv_roots *r, const struct cnv_selection *selection,
                                    struct prvcut_error *err);

/** Tell the roots to items on their way to the writer: whole lines, each thread's in order; those
    that are left out behind it are counted. */
void cnv_roots_tell(struct cnv_roots *r, struct prvcut_item *item, size_t count);

/** Tell the root to a line that was counted as before what is written, and goes, too. */
void cnv_roots_tell_again(struct cnv_roots *r, struct prvcut_item *line, size_t count);

#endif
