#ifndef PRVCUT_CONVERT_ROOTS_H
#define PRVCUT_CONVERT_ROOTS_H

#include "convert/selection.h"
#include "convert/sift.h"
#include "match/rooted.h"
#include "model/batch.h"
#include "model/writer.h"

/*
 * Paraver tells a collective's root by an event of the root alone. Other formats tell it at every
 * member (match/rooted.h says which is which).
 */

/** Roots of all collectives of a trace, for those tasks that are written; zeroed is empty and
 * valid. */
struct cnv_roots {
    struct prvcut_rooted known; /**< marks: how many of a member's were written */
    const struct cnv_selection *selection;
    uint32_t *origin; /**< [selected threads] number in the original; NULL: all are selected */
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
